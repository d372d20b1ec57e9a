//! Laws of the strategies on DIMACS files and plain text: they terminate on any bytes and any pure predicate, the
//! result fails and is not larger, an impossible predicate returns the input, and no candidate has a fault that
//! the original did not have.

#[path = "common/quiet.rs"]
mod quiet;

use nub_dimacs::{DimacsFile, DimacsKind};
use nub_reduce::strategies::{auto_dimacs, auto_plain, ddmin_clauses, ddmin_lines};
use nub_reduce::{AllowedCandidates, Engine, ReductionStop, SubjectFormat, dimacs::Dimacs, plain::Plain};
use quiet::run_quietly;

const INPUTS: [(DimacsKind, &str); 5] = [
    (DimacsKind::Cnf, "c x\np cnf 7 5\n1 -7 0\n-7 0 2 3 1 0\n3 -3 3 0\n0\n%\n0\n"),
    (DimacsKind::Cnf, "1 2 x 0 -0\nfoo 1\np cnf 3 7\n99999999999 3"),
    (DimacsKind::Qdimacs, "p cnf 6 3\na 1 2 0\ne 3 4 0\na 5 0\ne 6 0\n1 -3 0\n-4 5 0\n6 -5 2 0\n"),
    (DimacsKind::Wcnf, "p wcnf 4 3 100\n100 1 2 0\n35 -1 0\n1 3 -4 0\n"),
    (DimacsKind::WcnfNew, "h 1 -2 0\n12 3 0\n1 -3 -1 0\n"),
];

type Predicate<'p> = dyn Fn(&[u8]) -> bool + Sync + 'p;

fn check<F: SubjectFormat>(
    format: &F,
    text: &[u8],
    fails: &Predicate,
    strategy: impl Fn(&mut Engine<'_, F>) -> Result<(), ReductionStop>,
) {
    let (after, stats) = run_quietly(format, text, fails, strategy);
    assert!(after.len() <= text.len() && (after == text || fails(&after)));
    assert!(stats.accepted > 0 || after == text);
    assert_eq!(stats.rollbacks, 0);
}

/// An arbitrary predicate that holds for about one text in three.
fn odd(text: &[u8]) -> bool {
    text.iter()
        .fold(7u32, |hash, &byte| hash.wrapping_mul(31).wrapping_add(u32::from(byte)))
        .is_multiple_of(3)
}

#[test]
fn every_prefix_under_every_predicate() {
    for (kind, input) in INPUTS {
        for end in (0..=input.len()).step_by(9).chain([input.len()]) {
            let text = &input.as_bytes()[..end];
            let allowed = DimacsFile::read(text.to_vec(), kind).fault_kinds();
            let is_asked_rightly = |other: &[u8]| {
                assert!(DimacsFile::read(other.to_vec(), kind).fault_kinds().is_within(allowed));
            };
            let predicates: [&Predicate; 3] =
                [&|_| true, &|other| other == text, &|other| other == text || odd(other)];
            for fails in predicates {
                let strict = |other: &[u8]| {
                    is_asked_rightly(other);
                    fails(other)
                };
                check(&Dimacs::new(text, kind, AllowedCandidates::WellFormed), text, &strict, auto_dimacs);
                check(&Dimacs::new(text, kind, AllowedCandidates::WellFormed), text, &strict, ddmin_clauses);
                check(&Dimacs::new(text, kind, AllowedCandidates::Any), text, fails, auto_dimacs);
                check(&Plain::new(), text, fails, auto_plain);
                check(&Plain::new(), text, fails, ddmin_lines);
            }
        }
    }
}
