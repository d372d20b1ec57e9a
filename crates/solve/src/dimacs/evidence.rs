//! Checks models and DRAT proofs of other SAT solvers.

use super::read;
use crate::ModelCheck;
use nub_cnf::{Cnf, Lit, Sink};
use nub_dimacs::DimacsFile;
use nub_sat::SatLimits;
use nub_sat::proof::{Proof, ProofFault, check};
use nub_text::Span;
use rustc_hash::{FxHashMap, FxHashSet};

/// The result of checking a proof.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ProofCheck {
    /// It proves that the file has no model.
    Valid,
    /// It does not, for this reason.
    Wrong(String),
    /// The file is not supported, or checking was cancelled.
    Unsupported,
}

/// Checks a model of a file. `printed` has `v` lines. A variable without a value makes no literal true: a solver may omit
/// variables that do not matter. O(n) for n bytes.
pub fn check_dimacs_model(text: &[u8], printed: &[u8]) -> ModelCheck {
    let unsupported = |reason: &str| ModelCheck::Unsupported { reason: reason.to_owned() };
    let Ok(file) = read(text) else { return unsupported("the file cannot be read") };
    let Some(model) = literals(printed) else { return unsupported("the values cannot be read") };
    let is_true = |lit: nub_dimacs::DimacsLit| {
        let number = i64::from(lit.var().number());
        model.contains(&if lit.is_negative() { -number } else { number })
    };
    // A variable with both values would satisfy everything.
    if model.iter().any(|number| model.contains(&-number)) {
        return ModelCheck::Invalid { assertion: Span::default() };
    }
    let wrong = file.clauses().iter().find(|clause| {
        let mut lits = file.literals_of(clause).iter().filter_map(|at| at.lit);
        !lits.any(is_true)
    });
    match wrong {
        Some(clause) => ModelCheck::Invalid { assertion: clause.span },
        None => ModelCheck::Valid,
    }
}

/// The numbers of all `v` lines, up to the 0. `None` if they contain anything else.
fn literals(printed: &[u8]) -> Option<FxHashSet<i64>> {
    let lines = printed.split(|byte| *byte == b'\n').filter_map(|line| line.trim_ascii().strip_prefix(b"v"));
    let mut model = FxHashSet::default();
    for word in lines.flat_map(|line| line.split(u8::is_ascii_whitespace)).filter(|word| !word.is_empty()) {
        match std::str::from_utf8(word).ok()?.parse::<i32>().ok()? {
            0 => break,
            number => model.insert(i64::from(number)),
        };
    }
    Some(model)
}

/// Checks a DRAT proof, as text, that a file has no model. Text that is not a proof counts as a wrong one.
pub fn check_dimacs_proof(text: &[u8], proof: &[u8], limits: &SatLimits) -> ProofCheck {
    let Ok(file) = read(text) else { return ProofCheck::Unsupported };
    let Some(proof) = Proof::from_drat(proof) else {
        return ProofCheck::Wrong("the output is not a DRAT proof".to_owned());
    };
    let (cnf, proof) = dense(&file, &proof);
    match check(&cnf, &[], &proof, limits) {
        Ok(()) => ProofCheck::Valid,
        Err(ProofFault::Cancelled) => ProofCheck::Unsupported,
        // Without the number of the step, so that two proofs with the same flaw get the same message.
        Err(ProofFault::Step(_)) => ProofCheck::Wrong("a step of the proof does not follow".to_owned()),
        Err(fault @ ProofFault::NoContradiction) => ProofCheck::Wrong(fault.to_string()),
    }
}

/// Renumbers clauses and proof to consecutive variables: the checker has a table of all up to the largest, and a proof may name any.
fn dense(file: &DimacsFile, proof: &Proof) -> (Cnf, Proof) {
    let mut cnf = Cnf::new();
    let mut vars: FxHashMap<u32, Lit> = FxHashMap::default();
    for clause in file.clauses() {
        let lits = file.literals_of(clause).iter().filter_map(|at| at.lit);
        let clause: Vec<Lit> = lits
            .map(|lit| {
                // DIMACS numbers variables from 1.
                let var = vars.entry(lit.var().number() - 1).or_insert_with(|| cnf.new_var());
                var.negated_if(lit.is_negative())
            })
            .collect();
        cnf.add(&clause);
    }
    let mut renamed = Proof::new();
    for (action, clause) in proof.steps() {
        let clause: Vec<Lit> = clause
            .iter()
            .map(|lit| vars.entry(lit.var()).or_insert_with(|| cnf.new_var()).negated_if(lit.is_negative()))
            .collect();
        renamed.push(action, clause);
    }
    (cnf, renamed)
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &[u8] = b"p cnf 3 3\n1 -2 0\n2 3 0\n-1 0\n";

    #[test]
    fn models() {
        let says = |printed: &str| check_dimacs_model(FILE, printed.as_bytes());
        assert_eq!(says("v -1 -2\nv 3 0\n"), ModelCheck::Valid);
        let clause = |text: &str| {
            let start = FILE.windows(text.len()).position(|part| part == text.as_bytes()).unwrap();
            Span::new(start, start + text.len())
        };
        assert_eq!(says("v -1 2 3 0\n"), ModelCheck::Invalid { assertion: clause("1 -2 0") });
        assert_eq!(says("v -1 -2 0 3\n"), ModelCheck::Invalid { assertion: clause("2 3 0") });
        assert!(matches!(says("v -1 1 2 -2 3 0\n"), ModelCheck::Invalid { .. }));
        assert!(matches!(says("v -1 x 0\n"), ModelCheck::Unsupported { .. }));
    }

    #[test]
    fn proofs() {
        let file = b"p cnf 2000000000 4\n1 2000000000 0\n1 -2000000000 0\n-1 7 0\n-1 -7 0\n";
        let says = |proof: &str| check_dimacs_proof(file, proof.as_bytes(), &SatLimits::none());
        assert_eq!(says("1 0\n0\n"), ProofCheck::Valid);
        assert_eq!(
            says("c\nd -1 7 0\n1 0\n"),
            ProofCheck::Wrong("the proof does not end in a contradiction".into())
        );
        // Unit propagation alone derives nothing from clauses of three literals.
        let three: String = (0..8)
            .map(|signs| {
                let lit = |var: i32| if signs >> var & 1 == 1 { -var - 1 } else { var + 1 };
                format!("{} {} {} 0\n", lit(0), lit(1), lit(2))
            })
            .collect();
        let wrong = check_dimacs_proof(format!("p cnf 3 8\n{three}").as_bytes(), b"0\n", &SatLimits::none());
        assert_eq!(wrong, ProofCheck::Wrong("a step of the proof does not follow".into()));
        assert!(matches!(says("sat\n"), ProofCheck::Wrong(_)));
        // Variables that do not occur in the file, with the largest possible numbers.
        assert_eq!(says("1999999999 -1 0\n1 0\n0\n"), ProofCheck::Valid);
        assert_eq!(check_dimacs_proof(b"p cnf 1 1\n1", b"0\n", &SatLimits::none()), ProofCheck::Unsupported);
    }
}
