//! What must hold for every pass on BTOR and BTOR2, and for the clean-up, as functions that panic otherwise.
//!
//! The fuzz target `btor_edits` and the tests call the same functions.

use super::{
    BtorBand, BtorView,
    absorb::Absorb,
    bound::Bound,
    bypass::BtorBypass,
    clean_up,
    constants::BtorConstants,
    equalities::Equalities,
    hoist::{BtorHoist, HoistReach},
    justice::Justice,
    literals::BtorLiterals,
    merge_nodes::MergeNodes,
    merge_sorts::MergeSorts,
    negations::Negations,
    operands::Operands,
    operators::BtorOperators,
    properties::BtorProperties,
    renumber::BtorRenumber,
    reorder::Reorder,
    states::States,
    tidy::BtorTidy,
    unused::BtorUnused,
    widths::Widths,
};
use crate::check::{Draw, check_edit, is_apart, merge};
use crate::dag::Replacement;
use crate::{Edit, MergedEdits, Pass, render};
use nub_btor::{BtorDialect, FaultKind};

/// Number of edits of one pass that are rendered and read again.
const N_EDITS: usize = 12;
/// Number of edits that are merged into a group.
const GROUP: usize = 4;

/// Every pass on BTOR and BTOR2. New passes must be added here.
pub const PASSES: &[&dyn Pass<BtorView>] = &[
    &Bound,
    &BtorBypass,
    &BtorConstants { band: BtorBand::ALL, with: Replacement::Zero },
    &BtorConstants { band: BtorBand::ALL, with: Replacement::Ones },
    &BtorConstants { band: BtorBand::ALL, with: Replacement::Variable },
    &BtorHoist { band: BtorBand::ALL, reach: HoistReach::Nearest },
    &BtorHoist { band: BtorBand::ALL, reach: HoistReach::Far },
    &BtorHoist { band: BtorBand::ALL, reach: HoistReach::Complements },
    &Justice,
    &BtorLiterals,
    &MergeNodes::Equal,
    &MergeNodes::Leaves,
    &MergeSorts,
    &Negations,
    &Operands::Shared,
    &Operands::All,
    &Absorb,
    &Equalities,
    &BtorOperators::Simplest,
    &BtorOperators::Several,
    &BtorProperties::Roots,
    &BtorProperties::Assignments,
    &BtorRenumber,
    &Reorder::MostUsedFirst,
    &Reorder::Alphabet,
    &States,
    &BtorTidy::Comments,
    &BtorTidy::Symbols,
    &BtorUnused,
    &Widths::Whole,
    &Widths::Classes,
];

/// Runs every pass on this text, read as both formats. Its edits are disjoint splices within the text and save as many bytes as they claim;
/// a well-formed file stays well formed under each of them, with and without clean-up; the clean-up removes only lines
/// that a property needed before, and a second clean-up removes nothing.
///
/// # Panics
/// If that does not hold.
pub fn check_edits(text: &[u8]) {
    for dialect in [BtorDialect::Btor, BtorDialect::Btor2] {
        let view = BtorView::new(text, dialect);
        PASSES.iter().for_each(|pass| check_pass(*pass, &view));
    }
}

fn check_pass(pass: &dyn Pass<BtorView>, view: &BtorView) {
    let edits = pass.edits(view);
    edits.iter().for_each(|edit| check_edit(pass.name(), view.text(), edit));
    let mut draw = Draw::new(pass.name(), view.text());
    for n in 0..N_EDITS.min(edits.len()) {
        // The first edits are the most powerful.
        let edit = if n < 3 { &edits[n] } else { draw.one_of(&edits) };
        check_candidate(pass.name(), view, merge([edit]), Size::Single);
        let group: Vec<&Edit> = (0..GROUP).map(|_| draw.one_of(&edits)).collect();
        check_candidate(pass.name(), view, merge(group), Size::Group);
    }
}

/// Edits that are correct alone may not be correct together: two may narrow the same `concat` differently, or one may redirect to a
/// line that the other removes. The engine uses the checker for that.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Size {
    Single,
    Group,
}

fn check_candidate(pass: &str, view: &BtorView, merged: MergedEdits, size: Size) {
    let plain = read_again(pass, view, &merged);
    let mut cleaned = merged.clone();
    clean_up(view, &mut cleaned, &[]);
    let clean = read_again(pass, view, &cleaned);
    if view.file().faults().is_empty() && size == Size::Single {
        assert_well_formed(pass, view, &plain);
        assert_well_formed(pass, view, &clean);
    }
    check_clean_up(pass, view, &merged, cleaned);
}

fn read_again(pass: &str, view: &BtorView, merged: &MergedEdits) -> BtorView {
    let splices = merged.splices();
    assert!(is_apart(splices.iter()), "{pass}: merged splices are disjoint");
    let candidate = render(view.text(), &splices);
    let gain = Edit { splices: splices.clone() }.gain();
    let n_blanks = candidate.len() as i64 - (view.text().len() as i64 - gain);
    assert!((0..=2 * splices.len() as i64).contains(&n_blanks), "{pass}: {n_blanks} blanks came in");
    BtorView::new(&candidate, view.file().dialect())
}

/// A cut may leave the last line without a newline only if it had none before.
fn assert_well_formed(pass: &str, before: &BtorView, after: &BtorView) {
    let faults: Vec<FaultKind> = after.file().faults().iter().map(|fault| fault.kind).collect();
    assert!(
        faults.is_empty(),
        "{pass}: {faults:?} in\n{}\nmade of\n{}",
        String::from_utf8_lossy(after.text()),
        String::from_utf8_lossy(before.text())
    );
}

fn check_clean_up(pass: &str, view: &BtorView, merged: &MergedEdits, mut cleaned: MergedEdits) {
    let reached = super::clean_up::reached(view, |_, operand| operand.line);
    for line in view.lines() {
        let span = view.line(line).span;
        let goes_along = cleaned.covers(span) && !merged.covers(span);
        assert!(!goes_along || reached[line.index()], "{pass}: the clean-up takes what no edit made useless");
    }
    assert!(!clean_up(view, &mut cleaned, &[]), "{pass}: a second clean-up adds nothing");
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Small files on which every pass finds edits.
    const SAMPLES: &[&str] = &[
        "",
        "1 var 8 x\n2 inc 8 -1\n3 ult 1 2 1 ; c\n4 root 1 -3\n5 not 1 4\n6 root 1 5\n",
        "; c\n1 array 8 4\n2 var 4\n3 var 8\n4 write 8 4 1 -2 3\n5 read 8 4 2\n6 redor 1 -5\n7 root 1 6\n",
        "1 var 8\n2 constd 3 5\n3 sll 8 1 2\n4 concat 11 3 2\n5 slice 4 4 9 6\n6 uext 8 5 4\n7 eq 1 6 1\n8 root 1 7\n",
        "1 var 2\n2 next 2 1 4\n3 const 2 10\n4 add 2 1 3\n5 array 2 2\n6 anext 2 2 5 5\n7 root 2 4\n",
        "1 sort bitvec 8\n2 sort bitvec 1\n3 zero 1\n4 constd 1 100\n5 state 1 s\n6 init 1 5 3\n7 inc 1 5\n\
         8 next 1 5 7\n9 eq 2 5 4\n10 bad 9\n11 justice 2 9 -9\n12 output 5\n",
        "1 sort bitvec 2\n2 sort bitvec 2\n3 sort array 1 2\n4 one 2\n5 state 3\n6 init 3 5 4\n7 input 1\n\
         8 write 3 5 7 4\n9 next 3 5 8\n10 read 2 5 7\n11 sort bitvec 1\n12 redor 11 10\n13 bad 12\n14 fair -12\n",
        "1 sort bitvec 4\n2 state 1\n3 state 1\n4 init 1 3 2\n5 next 1 3 3\n6 input 1\n7 sort bitvec 1\n\
         8 ult 7 3 6\n9 constraint 8\n10 implies 7 8 -8\n11 bad 10\n",
        "1 zero 8\n2 var 4\n3 zero 8\n4 var 4\n5 and 4 2 4\n6 ulte 1 1 3\n7 sext 8 4 4\n8 sub 8 3 7\n9 sgt 1 8 1\n10 and 1 6 9\n\
         11 root 1 10\n12 cond 8 10 1 3\n13 redand 1 12\n14 root 1 -13\n",
        "1 zero 8\n2 var 8\n3 eq 1 2 -1\n4 mul 8 2 2\n5 ult 1 1 -4\n6 and 1 3 5\n7 root 1 6\n",
        "1 add\n2 var x\n2 var 3\n-3 root\n4 add 3 2 9\n5 and 1 4 -2\n6 slice 2 2 9 1\n7 next 3 2\n",
        "1 sort array 1 2\n2 sort bitvec 0\n3 sort foo\n4 input 3\n5 init 3 4 9\n6 justice 9 4\n7 constd 2 x\n",
    ];

    #[test]
    fn samples_and_their_prefixes() {
        for sample in SAMPLES {
            for end in (0..sample.len()).step_by(3).chain([sample.len()]) {
                check_edits(&sample.as_bytes()[..end]);
            }
        }
    }

    #[test]
    fn samples_without_single_lines() {
        for sample in SAMPLES {
            let lines: Vec<&str> = sample.split_inclusive('\n').collect();
            for gone in 0..lines.len() {
                let rest: String = [&lines[..gone], &lines[gone + 1..]].concat().concat();
                check_edits(rest.as_bytes());
            }
        }
    }

    #[test]
    fn every_pass_finds_something_in_the_samples() {
        for pass in PASSES {
            let finds = |text: &&str| {
                let views = [BtorDialect::Btor, BtorDialect::Btor2]
                    .map(|dialect| BtorView::new(text.as_bytes(), dialect));
                views.iter().any(|view| !pass.edits(view).is_empty())
            };
            assert!(SAMPLES.iter().any(finds), "{}", pass.name());
        }
    }

    #[test]
    fn every_pass_is_checked() {
        let (_, list) = include_str!("check.rs").split_once("pub const PASSES").unwrap();
        let (list, _) = list.split_once("];").unwrap();
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/btor");
        let files = folder.read_dir().unwrap().map(|entry| entry.unwrap().path());
        for path in files.filter(|path| path.is_file()).chain([folder.join("widths/mod.rs")]) {
            let text = std::fs::read_to_string(path).unwrap();
            for rest in text.split("impl Pass<View> for ").skip(1) {
                let name: String = rest.chars().take_while(char::is_ascii_alphanumeric).collect();
                assert!(list.contains(&format!("&{name}")), "{name} is missing in PASSES");
            }
        }
    }

    #[test]
    fn fuzz_failures() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fuzz-failures/btor");
        let Ok(entries) = folder.read_dir() else { return };
        for entry in entries {
            check_edits(&std::fs::read(entry.unwrap().path()).unwrap());
        }
    }
}
