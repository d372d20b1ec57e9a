//! Values that inputs of concrete runs get: corner values, and the constants and texts of the program.

use crate::favourites::constants;
use crate::search::random_value;
use crate::search::{Favourites, to_value};
use nub_bitvec::Value;
use nub_bitvec::float::Float;
use nub_c_ir::analysis::direct_callees;
use nub_c_ir::{
    ExprKind, FloatChoice, FunctionId, GlobalId, PlaceBase, Program, StringId, Type, float_constants,
};
use nub_random::Rng;
use nub_unroll::{AskedInput, InputPart, InputPlace};
use rustc_hash::FxHashSet;

/// At most this many constants, those of the function under test first.
const MAX_NUMBERS: usize = 512;
/// Longer texts are not tried.
const MAX_TEXT: usize = 32;
/// At most this many texts.
const MAX_TEXTS: usize = 512;
/// What is unusual happens in one of this many cases.
const RARE: usize = 24;

/// How the pointers of a run are chosen: mostly each points to an object of its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Mood {
    /// Few are null, few share an object.
    Usual,
    /// Half of those that may share an object do: a start and an end of one array.
    Sharing,
}

impl Mood {
    /// One of them.
    pub fn new(rng: &mut Rng) -> Mood {
        if rng.below(4) == 0 { Mood::Sharing } else { Mood::Usual }
    }
}

/// The constants of a function and of the functions that it calls.
pub(crate) struct Dictionary<'p> {
    program: &'p Program,
    numbers: Vec<i128>,
    /// Constants that are characters, other than 0.
    letters: Vec<u64>,
    /// Texts without their final zero.
    texts: Vec<Vec<u64>>,
    floats: Vec<Float>,
    /// How many elements pointers point to.
    n_elements: u64,
    /// Lengths of tables of the program, such as those that say what each opcode does: an index is below one of them.
    lengths: Vec<u64>,
}

impl<'p> Dictionary<'p> {
    /// O(size of the functions).
    pub fn new(program: &'p Program, function: FunctionId, n_elements: u64) -> Dictionary<'p> {
        let (mut numbers, mut letters, mut texts) = (Vec::new(), Vec::new(), Vec::new());
        let mut lengths = vec![n_elements + 1];
        let mut seen_texts: FxHashSet<StringId> = FxHashSet::default();
        for id in called(program, function) {
            for number in constants(program, id) {
                if numbers.len() < MAX_NUMBERS && !numbers.contains(&number) {
                    numbers.push(number);
                }
                let letter = u64::try_from(number).ok().filter(|letter| (1..256).contains(letter));
                letters.extend(letter.filter(|letter| !letters.contains(letter)));
            }
            for expr in &program.function(id).exprs {
                let (ExprKind::Load(place) | ExprKind::AddressOf(place)) = &expr.kind else { continue };
                match place.base {
                    PlaceBase::String(text) if texts.len() < MAX_TEXTS && seen_texts.insert(text) => {
                        texts.extend(self::text(program, text));
                    }
                    PlaceBase::Global(global) => {
                        lengths.extend(length(program, global).filter(|length| !lengths.contains(length)));
                    }
                    _ => {}
                }
            }
        }
        // Those of tables, such as names of keywords.
        for id in (0..program.strings.len() as u32).map(StringId) {
            if texts.len() < MAX_TEXTS && seen_texts.insert(id) {
                texts.extend(text(program, id));
            }
        }
        let numbers = Favourites::new(&numbers).numbers().to_vec();
        let floats = float_constants(program, function);
        Dictionary { program, numbers, letters, texts, floats, n_elements, lengths }
    }

    /// A text of the program.
    pub fn text(&self, rng: &mut Rng) -> Option<&[u64]> {
        let index = rng.below(self.texts.len());
        self.texts.get(index).map(Vec::as_slice)
    }

    /// The plainest value: zero, but pointers point to objects of their own.
    pub fn plain(width: u32, asked: &AskedInput<'_>) -> Value {
        match asked.part {
            InputPart::NotNull => Value::one(width),
            _ => Value::zero(width),
        }
    }

    /// A value for an input of any kind.
    pub fn value(&self, rng: &mut Rng, mood: Mood, width: u32, asked: &AskedInput<'_>) -> Value {
        let n_cases = match (asked.part, mood) {
            (InputPart::LeadsTo(_), Mood::Sharing) => 2,
            _ => RARE,
        };
        let is_rare = rng.below(n_cases) == 0;
        match asked.part {
            InputPart::NotNull | InputPart::LeadsTo(_) => {
                let usual = Dictionary::plain(width, asked);
                if is_rare { Value::from_u64(width, u64::from(usual.is_zero())) } else { usual }
            }
            InputPart::Element(_) => {
                let range = self.n_elements as usize;
                to_value(rng.below(2 * range + 1) as i128 - range as i128, width)
            }
            InputPart::Function(functions) => Value::from_u64(width, rng.below(functions.len()) as u64),
            InputPart::Member(_, members) => Value::from_u64(width, rng.below(members.len()) as u64),
            InputPart::Value if *asked.place == InputPlace::Calls => {
                Value::from_u64(width, rng.below(8) as u64)
            }
            InputPart::Value => match self.program.types.float_format(asked.ty) {
                Some(encoding) => {
                    let choice = FloatChoice::new(encoding, &self.floats);
                    choice.values()[rng.below(choice.values().len())].clone()
                }
                None => self.number(rng, width),
            },
        }
    }

    /// An integer.
    pub fn number(&self, rng: &mut Rng, width: u32) -> Value {
        match rng.below(8) {
            0 => Value::zero(width),
            1 | 2 if width > 8 => {
                let length = self.lengths[rng.below(self.lengths.len())];
                to_value(rng.below(length as usize) as i128, width)
            }
            1..=4 if width <= 8 => to_value(i128::from(self.letter(rng)), width),
            3 => Value::one(width),
            4 if rng.below(4) == 0 => Value::ones(width),
            _ => random_value(rng, &self.numbers, width),
        }
    }

    /// A character that the program may treat specially, or any that can be printed.
    pub fn letter(&self, rng: &mut Rng) -> u64 {
        match rng.below(3) {
            0 => 0x20 + rng.below(95) as u64,
            _ if self.letters.is_empty() => u64::from(b'0') + rng.below(10) as u64,
            _ => self.letters[rng.below(self.letters.len())],
        }
    }
}

/// The function and those that it calls, directly or not, the nearest first.
fn called(program: &Program, function: FunctionId) -> Vec<FunctionId> {
    let mut found = vec![function];
    let mut seen: FxHashSet<FunctionId> = found.iter().copied().collect();
    let mut at = 0;
    while let Some(id) = found.get(at).copied() {
        found.extend(direct_callees(program.function(id)).filter(|callee| seen.insert(*callee)));
        at += 1;
    }
    found
}

/// How many elements a global has, if it is an array.
fn length(program: &Program, global: GlobalId) -> Option<u64> {
    match program.types.get(program.globals[global.index()].ty) {
        Type::Array(_, length) => length.filter(|length| *length > 1),
        _ => None,
    }
}

/// The characters of a literal, if there are some and not too many.
fn text(program: &Program, id: StringId) -> Option<Vec<u64>> {
    let units = &program.strings[id.index()].units;
    let text: Vec<u64> = units.iter().take_while(|unit| **unit != 0).map(|unit| u64::from(*unit)).collect();
    (1..=MAX_TEXT).contains(&text.len()).then_some(text)
}
