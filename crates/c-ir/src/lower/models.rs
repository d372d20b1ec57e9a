//! Library functions as C text of our own (`src/prelude/`), lowered like the user's.
//!
//! Only functions that are called and not defined are lowered.

use super::{Lower, Shared};
use crate::ids::FunctionId;
use crate::ir::Body;
use nub_c_syntax::TranslationUnit;

/// The file name that positions in these texts have.
pub(super) const FILE: &str = "<library model>";

const TEXT: &str = concat!(
    include_str!("../prelude/types.c"),
    include_str!("../prelude/string.c"),
    include_str!("../prelude/ctype.c"),
    include_str!("../prelude/stdlib.c"),
    include_str!("../prelude/bits.c"),
    include_str!("../prelude/format.c"),
    include_str!("../prelude/environment.c"),
    include_str!("../prelude/fenv.c"),
);

const ENVIRONMENT: &str = include_str!("../prelude/environment.c");

/// The text of a function of the library that gets values from outside: in it, `nub_any_int("...")` and similar functions return the next value,
/// `nub_new(n)` is new memory or null, and `nub_new_stream()` a stream or null.
pub fn environment_text(name: &str) -> Option<&'static str> {
    let start = format!("{name}(");
    let is_head = |line: &str| {
        let before = line.find(&start).map(|at| &line[..at]);
        let is_word_end = before.is_some_and(|before| before.ends_with([' ', '*']));
        is_word_end && line.ends_with('{') && !line.starts_with(' ')
    };
    let mut at = 0;
    for line in ENVIRONMENT.split_inclusive('\n') {
        if is_head(line.trim_end()) {
            let rest = &ENVIRONMENT[at..];
            return rest.find("\n}\n").map(|end| &rest[..end + 3]);
        }
        at += line.len();
    }
    None
}

/// Functions of `math.h` for any floating type, and those that look at the bits of `double` and `float`.
const MATH: &str = include_str!("../prelude/math.c");
const MATH_BITS: &str = include_str!("../prelude/math_bits.c");

/// What the words in capitals mean for a type: the type, its suffix, an unsigned integer as wide, bits of the fraction, the largest exponent.
const MATH_TYPES: [[(&str, &str); 5]; 3] = [
    [("REAL", "double"), ("_T", ""), ("WORD", "unsigned long long"), ("FRACTION", "52"), ("TOP", "2047")],
    [("REAL", "float"), ("_T", "f"), ("WORD", "unsigned"), ("FRACTION", "23"), ("TOP", "255")],
    [("REAL", "long double"), ("_T", "l"), ("WORD", ""), ("FRACTION", ""), ("TOP", "")],
];

/// The texts, parsed.
pub(super) fn parse() -> TranslationUnit {
    let mut text = TEXT.to_owned();
    for words in MATH_TYPES {
        let has_word = !words[2].1.is_empty();
        for part in [Some(MATH), has_word.then_some(MATH_BITS)].into_iter().flatten() {
            text += &words.iter().fold(part.to_owned(), |text, (word, by)| text.replace(word, by));
        }
    }
    nub_c_syntax::parse(text.as_bytes()).0
}

/// Makes the names and types of the models known.
pub(super) fn declare(unit: &TranslationUnit, shared: Shared) -> Shared {
    let mut lower = Lower::new(unit, shared);
    lower.shared.is_model = true;
    lower.model_types();
    for (id, function) in unit.functions() {
        let Some(name) = function.declarator.name else { continue };
        if let Ok(ty) = lower.definition_type(function) {
            lower.shared.models.insert(unit.name(name.name).to_owned(), (id, ty));
        }
    }
    lower.shared.is_model = false;
    lower.shared
}

/// Lowers the models that are called, and those that they call.
pub(super) fn define(unit: &TranslationUnit, shared: Shared) -> Shared {
    let mut lower = Lower::new(unit, shared);
    lower.shared.is_model = true;
    lower.model_types();
    let mut at = 0;
    // The loop itself adds functions.
    while at < lower.shared.program.functions.len() {
        let function = &lower.shared.program.functions[at];
        at += 1;
        if !matches!(function.body, Body::Missing) {
            continue;
        }
        let Some(&(id, _)) = lower.shared.models.get(&function.name) else { continue };
        // The models are tested, so a refusal here comes from an unusual data model; the body is then missing.
        let _ = lower.function(id);
    }
    lower.shared.is_model = false;
    // Like an object that is static in our text: nobody else can name it.
    if let Some(mode) = lower.shared.program.rounding {
        let by_name = &lower.shared.functions_by_name;
        let owner = ["fesetround", "fegetround"].iter().find_map(|name| by_name.get(*name).copied());
        let owner = owner.or((!lower.shared.program.functions.is_empty()).then_some(FunctionId(0)));
        lower.shared.program.globals[mode.index()].owner = owner;
    }
    lower.shared
}

impl Lower<'_> {
    /// Declarations of the texts: typedefs. Objects are static in their functions, so that they are made when they are needed.
    fn model_types(&mut self) {
        let unit = self.unit;
        for item in &unit.items {
            if let nub_c_syntax::ast::Item::Declaration(id) = item {
                let _ = self.declaration(*id);
            }
        }
    }
}
