//! What must hold for every pass on DIMACS files, for rendering and for clean-up, as a function that panics
//! otherwise. The tests call it on small files of every kind and on all their prefixes.

use super::{
    DimacsView, clauses::Clauses, clean_up, comments::Comments, flip::Flip, header::HeaderCounts,
    join_clauses::JoinClauses, literals::DimacsLiterals, merge_variables::MergeVariables, others::Others,
    quantified::Quantified, quantifiers::DimacsQuantifiers, render, renumber::DimacsRenumber,
    replace_literals::ReplaceLiterals, same_variables::SameVariables, signs::Signs, sort::DimacsSort,
    tidy::DimacsTidy, top_weight::TopWeight, variables::Variables, weights::DimacsWeights,
};
use crate::check::{Draw, check_edit, is_apart, merge};
use crate::{Edit, MergedEdits, Pass};
use nub_dimacs::{DimacsKind, FaultKind, FaultSet};

/// Number of edits of one pass that are rendered and read again.
const N_EDITS: usize = 12;
/// Number of edits that are merged into a group.
const GROUP: usize = 5;

/// Faults that no pass may introduce.
const TOKEN_FAULTS: [FaultKind; 5] = [
    FaultKind::BadToken,
    FaultKind::MissingZero,
    FaultKind::NumberOverflow,
    FaultKind::BadHeader,
    FaultKind::StrayLine,
];

/// Every pass on DIMACS files. New passes must be added here.
pub const PASSES: &[&dyn Pass<DimacsView>] = &[
    &Clauses,
    &Comments,
    &Flip,
    &HeaderCounts,
    &JoinClauses,
    &DimacsLiterals,
    &MergeVariables::Neighbours,
    &MergeVariables::Pairs,
    &Others,
    &Quantified,
    &DimacsQuantifiers,
    &DimacsRenumber::All,
    &DimacsRenumber::Single,
    &ReplaceLiterals,
    &SameVariables,
    &Signs,
    &DimacsSort::Literals,
    &DimacsSort::Clauses,
    &DimacsTidy,
    &TopWeight,
    &Variables::Drop,
    &Variables::True,
    &Variables::False,
    &DimacsWeights::One,
    &DimacsWeights::Fewer,
];

/// Runs every pass on this text: its edits are disjoint splices within the text that save as many bytes as they claim; a group of them
/// keeps the counts of the header correct if they were, breaks no token, and needs only one clean-up.
///
/// # Panics
/// If that does not hold.
pub fn check_passes(text: &[u8], kind: DimacsKind) {
    let view = DimacsView::new(text.to_vec(), kind);
    for pass in PASSES {
        let edits = pass.edits(&view);
        edits.iter().for_each(|edit| check_edit(pass.name(), text, edit));
        let mut draw = Draw::new(pass.name(), text);
        for n in 0..N_EDITS.min(edits.len()) {
            let group = if n % 2 == 0 { 1 } else { GROUP };
            let mut merged = merge((0..group).map(|_| draw.one_of(&edits)));
            check_candidate(&view, pass.name(), &merged);
            clean_up(&view, &mut merged, &[]);
            check_candidate(&view, pass.name(), &merged);
            assert!(!clean_up(&view, &mut merged, &[]), "{}: a second clean-up adds nothing", pass.name());
        }
    }
}

fn check_candidate(view: &DimacsView, pass: &str, merged: &MergedEdits) {
    let splices = merged.splices();
    assert!(is_apart(splices.iter()), "{pass}: merged splices are disjoint");
    let candidate = render(view, merged, &[]);
    check_length(view, pass, &splices, candidate.len());
    let after = DimacsView::new(candidate, view.file().kind());
    let shown = String::from_utf8_lossy(after.text()).into_owned();
    // Only for files without other faults: otherwise a letter may become the first of its line.
    if !is_sound(view) {
        return;
    }
    let is_new = |kind: FaultKind| {
        after.file().fault_kinds().contains(kind) && !view.file().fault_kinds().contains(kind)
    };
    for kind in TOKEN_FAULTS {
        assert!(!is_new(kind), "{pass}: {kind:?} in {shown:?}");
    }
    if after.file().header().is_some() {
        let is_tight = after.is_n_vars_tight() || !view.is_n_vars_tight() || pass == SameVariables.name();
        assert!(is_tight, "{pass}: too many variables in {shown:?}");
        for kind in [FaultKind::ClauseCount, FaultKind::VariableAboveHeader] {
            assert!(!is_new(kind), "{pass}: {kind:?} in {shown:?}");
        }
    }
}

/// Checks the length of a candidate. It follows from the splices, except that the header may get shorter or (by a larger variable) longer,
/// empty blocks are removed, and blanks are inserted.
fn check_length(view: &DimacsView, pass: &str, splices: &[crate::Splice], length: usize) {
    const NUMBER: i64 = 10;
    let gain = Edit { splices: splices.to_vec() }.gain();
    let n_more = length as i64 - (view.text().len() as i64 - gain);
    let prefix: i64 = view.file().blocks().iter().map(|block| view.cut_span(block.span).len() as i64).sum();
    let bound = 2 * NUMBER + 2 * (splices.len() as i64 + 2);
    assert!(n_more <= bound, "{pass}: {n_more} more bytes than the splices say");
    // If the words of a file are in any order, removing an empty block may remove more than the block.
    assert!(n_more >= -bound - prefix || !is_sound(view), "{pass}: {n_more} more bytes than the splices say");
}

/// Whether a file has no faults that would make its counts unpredictable.
fn is_sound(view: &DimacsView) -> bool {
    let mut harmless = FaultSet::default();
    let kinds = [FaultKind::FreeVariable, FaultKind::SameQuantifier, FaultKind::InnermostUniversal];
    kinds.into_iter().for_each(|kind| harmless.insert(kind));
    view.file().fault_kinds().is_within(harmless)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Small files on which every pass finds edits.
    const SAMPLES: &[(DimacsKind, &str)] = &[
        (DimacsKind::Cnf, "c x\np cnf 7 5\n1 -7 0\n-7 0 2 3 1 0\n3 -3 3 0\n0\n"),
        (DimacsKind::Cnf, "p cnf 20 9\n12 -13 15\nc y\n 17 0\n-13 12 -12 0\n%\n0\n"),
        (DimacsKind::Cnf, "1 2 x 0 -0\nfoo 1\n99999999999 3"),
        (
            DimacsKind::Qdimacs,
            "p cnf 6 4\na 1 2 0\ne 3 4 0\na 5 0\ne 6 0\n1 -3 0\n-1 -4 5 0\n6 -5 2 0\n-6 -2 0\n",
        ),
        (DimacsKind::Qdimacs, "p cnf 4 2\ne 4 0\ne 1 0\n1 -3 0\n-4 0\na 2 2 0\n"),
        (DimacsKind::Wcnf, "p wcnf 4 4 100\n100 1 2 0\n35 -1 0\n100 -4 0\n1 3 4 0\n"),
        (DimacsKind::Wcnf, "p wcnf 3 2 9\n3 1 0\n2 -3 2 0\n"),
        (DimacsKind::WcnfNew, "c z\nh 1 -2 0\n12 3 0\nh 2 0\n1 -3 -1 0\n"),
        (DimacsKind::IncCnf, "p inccnf\n1 2 0\na -1 0\n-2 0\na 2 0\n"),
    ];

    #[test]
    fn samples_and_their_prefixes() {
        for (kind, sample) in SAMPLES {
            for end in 0..=sample.len() {
                check_passes(&sample.as_bytes()[..end], *kind);
            }
        }
    }

    #[test]
    fn words_in_any_order() {
        let words =
            ["1", "-2", "3", "0", "0", "\n", "\n", "c", "p cnf 3 2\n", "e", "a", "h", "%", "x", "12", "-3"];
        let mut draw = Draw::new("words", b"");
        for _ in 0..300 {
            let mut text = String::from("p cnf 3 2\n");
            for _ in 0..40 {
                text.push_str(words[draw.0.below(words.len())]);
                text.push(' ');
            }
            DimacsKind::ALL.into_iter().for_each(|kind| check_passes(text.as_bytes(), kind));
        }
    }

    #[test]
    fn every_pass_is_checked_and_finds_something() {
        for pass in PASSES {
            let finds = |(kind, text): &(DimacsKind, &str)| {
                !pass.edits(&DimacsView::new(text.as_bytes().to_vec(), *kind)).is_empty()
            };
            assert!(SAMPLES.iter().any(finds), "{}", pass.name());
        }
        let (_, list) = include_str!("check.rs").split_once("pub const PASSES").unwrap();
        let (list, _) = list.split_once("];").unwrap();
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/dimacs");
        for entry in folder.read_dir().unwrap().map(Result::unwrap).filter(|entry| entry.path().is_file()) {
            let text = std::fs::read_to_string(entry.path()).unwrap();
            for rest in text.split("\nimpl Pass<View> for ").skip(1) {
                let name: String = rest.chars().take_while(char::is_ascii_alphanumeric).collect();
                assert!(list.contains(&format!("&{name}")), "{name} is missing in PASSES");
            }
        }
    }
}
