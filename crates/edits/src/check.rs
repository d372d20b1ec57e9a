//! What must hold for every pass, for merging, rendering and clean-up, as functions that panic otherwise.
//!
//! The fuzz targets in `fuzz/` and the tests call the same functions. An input that once failed is reduced and kept
//! as a numbered file in `tests/fuzz-failures/`.

use crate::smtlib::mutators::{Direction, MUTATOR_NAMES, Passes, passes};
use crate::smtlib::{
    SmtBand, SmtView, annotations::Annotations, arguments::Arguments, arity::Arity, array_sorts::ArraySorts,
    assuming::Assuming, bv_width::BvWidth, bypass::SmtBypass, clean_up, commands::Commands,
    compound::Compound, constants::SmtConstants, datatypes::DatatypeParts, datatypes::Datatypes,
    define_inline::DefineInline, eliminate::Eliminate, flatten::Flatten, fp_format::FpFormat, fresh::Fresh,
    hoist::SmtHoist, hoist_rest::HoistRest, indices::Indices, info_values::InfoValues, isolate::Isolate,
    join::Join, let_inline::LetInline, literals::LiteralsOf, literals::SmtLiterals, logic::Logic,
    logic::LogicName, logic::Unquote, match_cases::MatchCases, merge_symbols::MergeSymbols, names::SmtNames,
    operators::SmtOperators, quantifiers::SmtQuantifiers, reals::Reals,
    replace_by_variable::ReplaceByVariable, retype_sorts::Retype, rewrites::Rewrites,
    rewrites::ShortFloatSorts, scopes::Scopes, sort_inline::SortInline, squeeze::Squeeze, symbols::Symbols,
    tidy::SmtTidy, tokens::Tokens, truncate::Truncate, unused::SmtUnused,
};
use crate::{Edit, MergedEdits, Pass, render};
use nub_random::Rng;
use rustc_hash::{FxHashSet, FxHasher};
use std::hash::Hasher;
use std::sync::LazyLock;

/// Number of edits of one pass that are rendered and read again.
const N_EDITS: usize = 12;
/// Number of edits that are merged into a group.
const GROUP: usize = 5;

/// Every pass on SMT-LIB. New passes must be added here.
pub const PASSES: &[&dyn Pass<SmtView>] = &[
    &Annotations,
    &Arguments,
    &Arity,
    &ArraySorts,
    &Assuming,
    &BvWidth,
    &SmtBypass,
    &Commands::Asserts,
    &Commands::All,
    &Compound,
    &SmtConstants { band: SmtBand::ALL, choice: 0 },
    &SmtConstants { band: SmtBand::ALL, choice: 1 },
    &Datatypes,
    &DatatypeParts::Types,
    &DatatypeParts::Constructors,
    &DefineInline,
    &Eliminate,
    &Flatten,
    &FpFormat,
    &Fresh,
    &SmtHoist { band: SmtBand::ALL },
    &HoistRest,
    &Indices,
    &InfoValues,
    &Isolate,
    &Join,
    &LetInline,
    &SmtLiterals,
    &LiteralsOf::Numbers,
    &LiteralsOf::Bits,
    &LiteralsOf::Strings,
    &Logic,
    &LogicName,
    &Unquote,
    &MatchCases,
    &MergeSymbols,
    &SmtNames,
    &SmtOperators,
    &SmtQuantifiers,
    &Reals,
    &ReplaceByVariable,
    &Retype,
    &Rewrites,
    &ShortFloatSorts,
    &Scopes::Whole,
    &Scopes::Pair,
    &Scopes::Pop,
    &SortInline,
    &Squeeze,
    &Symbols,
    &SmtTidy,
    &Tokens,
    &Truncate,
    &SmtUnused,
];

/// Passes that only ddSMT's mutators use, including its rules.
static MUTATORS: LazyLock<Passes> = LazyLock::new(|| {
    let names = MUTATOR_NAMES.iter().flat_map(|name| passes(name, Direction::Inc));
    names.chain(passes("replace-by-variable", Direction::Dec)).collect()
});

fn all_passes() -> impl Iterator<Item = &'static dyn Pass<SmtView>> {
    PASSES.iter().copied().chain(MUTATORS.iter().map(AsRef::as_ref))
}

/// Runs every pass on this text: its edits are disjoint splices within the text, they save as many bytes as they claim, and
/// balanced brackets stay balanced.
///
/// # Panics
/// If that does not hold.
pub fn check_render(text: &[u8]) {
    let view = SmtView::new(text);
    for pass in all_passes() {
        let edits = pass.edits(&view);
        edits.iter().for_each(|edit| check_edit(pass.name(), text, edit));
        let mut draw = Draw::new(pass.name(), text);
        for _ in 0..N_EDITS.min(edits.len()) {
            check_candidate(&view, pass.name(), &merge([draw.one_of(&edits)]));
            check_candidate(&view, pass.name(), &merge((0..GROUP).map(|_| draw.one_of(&edits))));
        }
    }
}

pub(crate) fn check_edit(pass: &str, text: &[u8], edit: &Edit) {
    assert!(!edit.splices.is_empty(), "{pass}: an edit changes something");
    assert!(
        edit.splices.iter().all(|splice| splice.span.end as usize <= text.len()),
        "{pass}: out of bounds"
    );
    assert!(is_apart(edit.splices.iter()), "{pass}: splices out of order or not disjoint");
}

pub(crate) fn is_apart<'a>(splices: impl Iterator<Item = &'a crate::Splice>) -> bool {
    splices.map(|splice| splice.span).is_sorted_by(|left, right| left.end <= right.start)
}

pub(crate) fn merge<'a>(edits: impl IntoIterator<Item = &'a Edit>) -> MergedEdits {
    let mut merged = MergedEdits::default();
    for edit in edits {
        let before = merged.splices();
        if !merged.add(edit) {
            assert_eq!(merged.splices(), before, "an edit in conflict changes nothing");
        }
    }
    merged
}

fn check_candidate(view: &SmtView, pass: &str, merged: &MergedEdits) -> SmtView {
    let splices = merged.splices();
    assert!(is_apart(splices.iter()), "{pass}: merged splices are disjoint");
    let candidate = render(view.text(), &splices);
    let gain: i64 = Edit { splices: splices.clone() }.gain();
    let n_blanks = candidate.len() as i64 - (view.text().len() as i64 - gain);
    assert!((0..=2 * splices.len() as i64).contains(&n_blanks), "{pass}: {n_blanks} blanks came in");
    let after = SmtView::new(&candidate);
    if view.bracket_errors().is_empty() {
        assert!(
            after.bracket_errors().is_empty(),
            "{pass}: brackets no longer match in {:?}",
            String::from_utf8_lossy(&candidate)
        );
    }
    after
}

/// The clean-up after cuts: it adds disjoint splices, a second clean-up adds nothing, and it never removes anything that is
/// still used.
///
/// # Panics
/// If that does not hold.
pub fn check_clean_up(text: &[u8]) {
    let view = SmtView::new(text);
    for pass in all_passes() {
        let edits = pass.edits(&view);
        let mut draw = Draw::new(pass.name(), text);
        for n in 0..N_EDITS.min(edits.len()) {
            let group = if n % 2 == 0 { 1 } else { GROUP };
            check_clean_up_of(&view, pass.name(), merge((0..group).map(|_| draw.one_of(&edits))));
        }
    }
}

fn check_clean_up_of(view: &SmtView, pass: &str, mut merged: MergedEdits) {
    let before = check_candidate(view, pass, &merged);
    clean_up(view, &mut merged, &[]);
    let after = check_candidate(view, pass, &merged);
    let is_sound = is_clean(view) && is_clean(&before) && unknown(&before).is_subset(&unknown(view));
    if is_sound {
        let shown = String::from_utf8_lossy(after.text()).into_owned();
        assert!(is_clean(&after), "{pass}: the clean-up makes it ill-sorted: {shown}");
        assert!(
            unknown(&after).is_subset(&unknown(view)),
            "{pass}: the clean-up takes what is in use: {shown}"
        );
        assert!(!clean_up(view, &mut merged, &[]), "{pass}: a second clean-up adds nothing: {shown}");
    }
}

fn is_clean(view: &SmtView) -> bool {
    view.bracket_errors().is_empty() && view.analysis().errors().is_empty()
}

fn unknown(view: &SmtView) -> FxHashSet<Vec<u8>> {
    view.analysis().unknown().iter().map(|&node| view.slice(node).to_vec()).collect()
}

/// Random draws that depend only on the input, so that a failing input fails again.
pub(crate) struct Draw(pub(crate) Rng);

impl Draw {
    pub(crate) fn new(pass: &str, text: &[u8]) -> Draw {
        let mut hasher = FxHasher::default();
        hasher.write(pass.as_bytes());
        hasher.write(text);
        Draw(Rng::new(hasher.finish()))
    }

    pub(crate) fn one_of<'a>(&mut self, edits: &'a [Edit]) -> &'a Edit {
        &edits[self.0.below(edits.len())]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Small scripts on which every pass finds edits.
    const SAMPLES: &[&[u8]] = &[
        b"",
        b"(a))b",
        b"((a",
        b"; c\n(declare-fun f (Int Int) Int) ; d\n(assert (forall ((x Int)) (let ((y (f x 0))) (= y x)))) ; e",
        b"(push 1)(declare-const long_name Int)(assert (= long_name 100))(push 1)(check-sat)(pop 2)",
        b"(declare-datatypes ((L 0)) (((nil) (cons (hd Int) (tl L)))))(declare-const l L)(assert ((_ is cons) (tl l)))",
        b"(define-fun g ((x Int)) Int (+ x 1 2))(assert (! (= (g 2) 1) :named n))(check-sat-assuming (n (not n)))",
        b"(set-logic QF_BV)(declare-const v (_ BitVec 8))(assert (bvult (bvadd v #x0f) (concat #b0000 ((_ extract 3 0) v))))",
        b"(set-info :notes |some text|)(set-info :source \"here\")(echo \"d\"\"one\")(exit)",
        b"(declare-sort S 0)(declare-fun p (S S) Bool)(assert (exists ((a S) (b S)) (and (p a b) (or (p b a) (p a a)))))",
    ];

    fn check(text: &[u8]) {
        check_render(text);
        check_clean_up(text);
    }

    #[test]
    fn samples_and_their_prefixes() {
        for sample in SAMPLES {
            for end in (0..sample.len()).step_by(5).chain([sample.len()]) {
                check(&sample[..end]);
            }
        }
    }

    #[test]
    fn every_pass_is_checked() {
        let (_, list) = include_str!("check.rs").split_once("pub const PASSES").unwrap();
        let (list, _) = list.split_once("];").unwrap();
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/smtlib");
        for entry in folder.read_dir().unwrap().map(Result::unwrap).filter(|entry| entry.path().is_file()) {
            let text = std::fs::read_to_string(entry.path()).unwrap();
            for rest in text.split("impl Pass<View> for ").skip(1) {
                let name: String = rest.chars().take_while(char::is_ascii_alphanumeric).collect();
                assert!(list.contains(&format!("&{name}")), "{name} is missing in PASSES");
            }
        }
    }

    #[test]
    fn fuzz_failures() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fuzz-failures");
        let Ok(entries) = folder.read_dir() else { return };
        for entry in entries {
            let path = entry.unwrap().path();
            check(&std::fs::read(&path).unwrap());
        }
    }
}
