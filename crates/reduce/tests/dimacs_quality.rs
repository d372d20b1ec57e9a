//! Minima of DIMACS reductions as equalities. Every oracle here also asserts that every candidate is a valid
//! file: correct header, prefix without gaps.
#![allow(clippy::unwrap_used)] // tests may panic

mod formulas;
#[path = "common/quiet.rs"]
mod quiet;

use formulas::{clauses, cost, is_sat, is_true, padding, pigeons};
use nub_dimacs::{DimacsFile, DimacsKind};
use nub_oracle::FnOracle;
use nub_process::Cancel;
use nub_reduce::strategies::{auto_dimacs, ddmin_clauses};
use nub_reduce::{AllowedCandidates, Engine, Keep, Quiet, ReduceConfig, ReductionStop, dimacs::Dimacs};
use quiet::run_quietly;

fn reduce_by(
    text: &str,
    kind: DimacsKind,
    fails: impl Fn(&DimacsFile) -> bool + Sync,
    strategy: impl FnOnce(&mut Engine<'_, Dimacs>) -> Result<(), ReductionStop>,
) -> String {
    let original = DimacsFile::read(text.into(), kind);
    assert!(original.faults().is_empty() && fails(&original), "{:?}", original.faults());
    let fails = |bytes: &[u8]| {
        let file = DimacsFile::read(bytes.to_vec(), kind);
        let shown = String::from_utf8_lossy(bytes);
        assert!(file.faults().is_empty(), "asked an ill-formed file: {:?} {shown:?}", file.faults());
        fails(&file)
    };
    let format = Dimacs::new(text.as_bytes(), kind, AllowedCandidates::WellFormed);
    String::from_utf8(run_quietly(&format, text.as_bytes(), fails, strategy).0).unwrap()
}

fn reduce(text: &str, kind: DimacsKind, fails: impl Fn(&DimacsFile) -> bool + Sync) -> String {
    reduce_by(text, kind, fails, auto_dimacs)
}

/// Whether the file has a clause with exactly these literals.
fn has(file: &DimacsFile, wanted: &[i32]) -> bool {
    clauses(file).iter().any(|clause| {
        let mut sorted = clause.clone();
        sorted.sort_by_key(|lit| lit.abs());
        sorted == wanted
    })
}

/// The failure needs these clauses, and nothing else.
const PLANTED: [[i32; 3]; 5] = [[1, 5, -40], [-2, 3, 17], [6, -7, 41], [8, 9, 10], [11, -30, 50]];

#[test]
fn planted_clauses_are_all_that_stays() {
    let mut lines = padding(200, 50, 3, 1);
    for (index, clause) in PLANTED.iter().enumerate() {
        lines.insert(17 + 40 * index, clause.to_vec());
    }
    let text = format!("c planted\n{}", formulas::cnf(50, &lines));
    let result = reduce(&text, DimacsKind::Cnf, |file| PLANTED.iter().all(|clause| has(file, clause)));
    assert_eq!(result, "p cnf 50 5\n-2 3 17 0\n1 5 -40 0\n11 -30 50 0\n6 -7 41 0\n8 9 10 0");
}

/// Above 64 KiB candidates are not parsed before they are asked: their headers are correct nevertheless.
#[test]
fn large_files_have_true_headers() {
    let text = formulas::cnf(500, &padding(8_000, 500, 3, 8));
    assert!(text.len() > 1 << 16);
    let result = reduce(&text, DimacsKind::Cnf, |file| {
        let lits: Vec<i32> = clauses(file).concat();
        lits.contains(&77) && lits.contains(&-78)
    });
    assert_eq!(result, "p cnf 78 1\n-78 77 0");
}

#[test]
fn shape_of_planted_clauses() {
    // Three clauses of three literals each, whatever their variables: one variable is enough, and -1 is never
    // shorter.
    let text = formulas::cnf(50, &padding(200, 50, 3, 2));
    let result = reduce(&text, DimacsKind::Cnf, |file| {
        clauses(file).iter().filter(|clause| clause.len() == 3).count() >= 3
    });
    assert_eq!(result, "p cnf 1 3\n1 1 1 0\n1 1 1 0\n1 1 1 0");
}

/// The pigeonhole formula is minimally unsatisfiable, and the padding is satisfiable over other variables: it is
/// the one minimal core.
#[test]
fn ddmin_finds_the_core() {
    let pigeons = pigeons(4, 3);
    let mut lines: Vec<Vec<i32>> = Vec::new();
    let other = padding(60, 30, 3, 3).into_iter().map(|clause| shifted(&clause, 12)).collect::<Vec<_>>();
    for (index, clause) in other.iter().enumerate() {
        lines.push(clause.clone());
        lines.extend(pigeons.get(index).cloned());
    }
    assert!(is_sat(&other) && !is_sat(&pigeons));
    let result =
        reduce_by(&formulas::cnf(42, &lines), DimacsKind::Cnf, |file| !is_sat(&clauses(file)), ddmin_clauses);
    assert_eq!(result, formulas::cnf(12, &pigeons));
}

fn shifted(clause: &[i32], by: i32) -> Vec<i32> {
    clause.iter().map(|lit| lit + by * lit.signum()).collect()
}

#[test]
fn unsatisfiable_alone_is_the_empty_clause() {
    let mut lines = pigeons(4, 3);
    lines.extend(padding(40, 40, 3, 4));
    let result = reduce(&formulas::cnf(40, &lines), DimacsKind::Cnf, |file| !is_sat(&clauses(file)));
    assert_eq!(result, "p cnf 0 1\n0");
}

/// Without units: a clause of two literals excludes a quarter of all assignments, so four clauses are needed,
/// and two variables suffice. No order of these clauses is shorter, and this one is the first that sorting
/// yields.
#[test]
fn unsatisfiable_without_units_needs_four_clauses() {
    let mut lines = pigeons(4, 3);
    lines.extend(padding(40, 40, 3, 5));
    let result = reduce(&formulas::cnf(40, &lines), DimacsKind::Cnf, |file| {
        let clauses = clauses(file);
        clauses.iter().all(|clause| clause.iter().any(|lit| *lit != clause[0])) && !is_sat(&clauses)
    });
    assert_eq!(result, "p cnf 2 4\n-1 -2 0\n-1 2 0\n1 -2 0\n1 2 0");
}

#[test]
fn a_number_of_variables_needs_no_clause() {
    let text = formulas::cnf(50, &padding(60, 50, 3, 6));
    let result = reduce(&text, DimacsKind::Cnf, |file| file.header().unwrap().n_vars.unwrap().value >= 50);
    assert_eq!(result, "p cnf 50 0");
}

/// False, but satisfiable as a propositional formula: some universal variable matters. One universal unit is
/// minimal; the standard requires an existential block inside, whose variable need not be used.
#[test]
fn a_universal_unit() {
    let text = "p cnf 8 8\ne 1 2 0\na 3 4 0\ne 5 6 0\na 7 0\ne 8 0\n\
                1 3 5 0\n-1 -3 6 0\n2 -5 7 0\n-2 4 -6 0\n-7 8 0\n7 -8 3 0\n-4 -8 0\n5 6 -7 0\n";
    let result = reduce(text, DimacsKind::Qdimacs, |file| {
        !is_true(file) && is_sat(&clauses(file)) && !file.blocks().is_empty()
    });
    assert_eq!(result, "p cnf 2 1\na 1 0\ne 2 0\n1 0");
}

/// Two alternations that matter: the existential choice must differ with the universal one. `e 2` depends on `a 1`.
#[test]
fn alternation_that_matters() {
    let text = "p cnf 6 6\ne 1 0\na 2 3 0\ne 4 5 6 0\n2 4 0\n-2 -4 0\n3 5 6 0\n-3 -5 0\n1 -6 0\n-1 6 5 0\n";
    let turned = |file: &DimacsFile| {
        // All existential blocks are moved outside: then no choice can depend on anything.
        let mut text = format!("p cnf {} {}\n", 99, file.clauses().len());
        for letter in [b'e', b'a'] {
            let lines = file.blocks().iter().map(|block| block.span.slice(file.text()));
            for line in lines.filter(|line| line[0] == letter) {
                text.push_str(&String::from_utf8_lossy(line));
                text.push('\n');
            }
        }
        let matrix = file.clauses().iter().map(|clause| clause.span.slice(file.text()));
        text.extend(matrix.map(|clause| format!("{}\n", String::from_utf8_lossy(clause))));
        DimacsFile::read(text.into(), DimacsKind::Qdimacs)
    };
    let result = reduce(text, DimacsKind::Qdimacs, |file| is_true(file) && !is_true(&turned(file)));
    assert_eq!(result, "p cnf 2 2\na 1 0\ne 2 0\n-1 -2 0\n1 2 0");
}

/// The hard clauses can be satisfied, and without them the best assignment costs less.
fn has_hard_clause_that_matters(file: &DimacsFile) -> bool {
    let with_hard = cost(file, true);
    with_hard < u64::MAX && with_hard > cost(file, false)
}

#[test]
fn weights_before_2022() {
    let text = "p wcnf 6 7 1000\n1000 1 2 0\n1000 -1 3 0\n35 -2 0\n20 -3 0\n7 4 5 0\n1000 -5 6 0\n12 -6 0\n";
    let result = reduce(text, DimacsKind::Wcnf, has_hard_clause_that_matters);
    assert_eq!(result, "p wcnf 1 2 2\n1 -1 0\n2 1 0");
}

#[test]
fn weights_since_2022() {
    let text = "c mse\nh 1 2 0\nh -1 3 0\n35 -2 0\n20 -3 0\n7 4 5 0\nh -5 6 0\n12 -6 0\n";
    let result = reduce(text, DimacsKind::WcnfNew, has_hard_clause_that_matters);
    assert_eq!(result, "1 -1 0\nh 1 0");
    // A sum that must be reached with weights above one.
    let result = reduce(text, DimacsKind::WcnfNew, |file| (13..u64::MAX).contains(&cost(file, true)));
    assert_eq!(result, "13 0");
}

/// A wrong count may be the cause of the failure, so it is kept; otherwise it is corrected.
#[test]
fn wrong_counts() {
    let text = "p cnf 7 9\n1 2 0\n-2 3 0\n";
    let run = |fails: fn(&DimacsFile) -> bool| {
        let oracle =
            FnOracle::new(move |bytes: &[u8]| fails(&DimacsFile::read(bytes.to_vec(), DimacsKind::Cnf)));
        let format = Dimacs::new(text.as_bytes(), DimacsKind::Cnf, AllowedCandidates::WellFormed);
        let config = ReduceConfig::default();
        let (_, bytes, _) =
            Engine::run(&format, &oracle, text.into(), config, &Cancel::new(), &mut Quiet, |engine| {
                auto_dimacs(engine)
            });
        String::from_utf8(bytes).unwrap()
    };
    assert_eq!(run(|file| file.fault_kinds().contains(nub_dimacs::FaultKind::ClauseCount)), "p cnf 0 9");
    assert_eq!(run(|file| file.clauses().iter().any(|clause| clause.len() == 2)), "p cnf 1 1\n1 1 0");
}

#[test]
fn kept_clauses_stay() {
    let text = formulas::cnf(30, &padding(30, 30, 3, 7));
    let wanted = text.lines().nth(9).unwrap().to_owned();
    let kept = wanted.clone();
    let format = Dimacs::new(text.as_bytes(), DimacsKind::Cnf, AllowedCandidates::WellFormed)
        .keeping(Keep::matching(move |clause| clause == kept.as_bytes()));
    let oracle = FnOracle::new(|_: &[u8]| true);
    let config = ReduceConfig::default();
    let (_, bytes, _) =
        Engine::run(&format, &oracle, text.clone().into(), config, &Cancel::new(), &mut Quiet, |engine| {
            auto_dimacs(engine)
        });
    let n_vars = clauses(&DimacsFile::read(bytes.clone(), DimacsKind::Cnf))[0]
        .iter()
        .map(|lit| lit.abs())
        .max()
        .unwrap();
    assert_eq!(String::from_utf8(bytes).unwrap(), format!("p cnf {n_vars} 1\n{wanted}"));
}
