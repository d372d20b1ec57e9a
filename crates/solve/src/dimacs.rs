//! DIMACS cnf: passes the clauses to the SAT solver.

mod evidence;

pub use evidence::{ProofCheck, check_dimacs_model, check_dimacs_proof};

use crate::{Models, OutputSink, Proofs, Reason, SolveConfig, SolveVerdict};
use nub_cnf::Lit;
use nub_dimacs::{DimacsFile, DimacsKind, guess};
use nub_sat::{SatAnswer, SatSolver, SatStop};
use nub_text::{Diagnostic, Span};

/// Columns of a line of values.
const MAX_COLUMNS: usize = 78;

/// Solves a file; prints the `s` line and, if models are requested, `v` lines for the variables that occur.
pub fn run(text: &[u8], config: &SolveConfig, out: OutputSink<'_>) -> Result<SolveVerdict, Diagnostic> {
    let file = read(text)?;
    let mut formula = Formula::of(&file, config);
    let verdict = formula.solve(config);
    formula.rename_proof(config);
    out(match verdict {
        SolveVerdict::Sat => b"s SATISFIABLE\n",
        SolveVerdict::Unsat => b"s UNSATISFIABLE\n",
        SolveVerdict::Unknown(_) => b"s UNKNOWN\n",
    });
    if verdict == SolveVerdict::Sat && config.models == Models::Always {
        out(formula.values().as_bytes());
    }
    Ok(verdict)
}

/// Reads a file that has no faults at all. Lines that readers commonly skip are rejected, too: in some dialects they are constraints.
fn read(text: &[u8]) -> Result<DimacsFile, Diagnostic> {
    let kind = guess(text).unwrap_or(DimacsKind::Cnf);
    let file = DimacsFile::read(text.to_vec(), kind);
    if kind != DimacsKind::Cnf {
        let span = file.header().map_or(Span::default(), |header| header.span);
        return Err(Diagnostic::error(span, "cnf is the only DIMACS format that is supported")
            .with_hint("weights and quantifiers have no meaning here"));
    }
    match file.faults().first() {
        Some(fault) => Err(fault.to_diagnostic()),
        None => Ok(file),
    }
}

/// Clauses over consecutive variables, because the cost of a solver depends on the largest variable.
struct Formula {
    /// For each variable of the solver, its number in the file; ascending.
    vars: Vec<u32>,
    clauses: Vec<Vec<Lit>>,
    solver: Box<dyn SatSolver>,
}

impl Formula {
    /// O(n log n) for n literals.
    fn of(file: &DimacsFile, config: &SolveConfig) -> Formula {
        let lits =
            || file.clauses().iter().flat_map(|clause| file.literals_of(clause)).filter_map(|at| at.lit);
        let mut vars: Vec<u32> = lits().map(|lit| lit.var().number()).collect();
        vars.sort_unstable();
        vars.dedup();
        let mut solver = config.solver();
        let positive: Vec<Lit> = vars.iter().map(|_| solver.new_var()).collect();
        let lit_of = |lit: nub_dimacs::DimacsLit| {
            let at = vars.binary_search(&lit.var().number()).expect("all variables were collected");
            positive[at].negated_if(lit.is_negative())
        };
        let clauses: Vec<Vec<Lit>> = file
            .clauses()
            .iter()
            .map(|clause| file.literals_of(clause).iter().filter_map(|at| at.lit).map(lit_of).collect())
            .collect();
        clauses.iter().for_each(|clause| solver.add(clause));
        Formula { vars, clauses, solver }
    }

    fn solve(&mut self, config: &SolveConfig) -> SolveVerdict {
        match self.solver.solve(&[], &config.limits) {
            SatAnswer::Unknown(stop) => SolveVerdict::Unknown(Reason::Stopped(stop)),
            SatAnswer::Unsat => SolveVerdict::Unsat,
            SatAnswer::Sat if self.is_model() => SolveVerdict::Sat,
            SatAnswer::Sat => SolveVerdict::Unknown(Reason::Stopped(SatStop::WrongModel)),
        }
    }

    /// Renames the variables of the proof to those of the file.
    fn rename_proof(&self, config: &SolveConfig) {
        let Proofs::Checked(certificates) = &config.proofs else { return };
        if let Some(mut certificate) = certificates.take() {
            let renamed =
                |lit: Lit| Lit::positive(self.vars[lit.var() as usize] - 1).negated_if(lit.is_negative());
            certificate.proof = certificate.proof.renamed(renamed);
            certificates.put(certificate);
        }
    }

    /// Whether every clause has a true literal.
    fn is_model(&mut self) -> bool {
        let solver = &mut self.solver;
        self.clauses.iter().all(|clause| clause.iter().any(|lit| solver.value(*lit)))
    }

    fn values(&mut self) -> String {
        let mut text = String::from("v");
        let mut n_columns = 1;
        for (at, var) in self.vars.iter().enumerate() {
            let is_true = self.solver.value(Lit::positive(at as u32));
            let word = format!(" {}{var}", if is_true { "" } else { "-" });
            if n_columns + word.len() > MAX_COLUMNS {
                text.push_str("\nv");
                n_columns = 1;
            }
            n_columns += word.len();
            text.push_str(&word);
        }
        text.push_str(" 0\n");
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn solved(text: &str) -> (Result<SolveVerdict, String>, String) {
        let mut printed = Vec::new();
        let config = SolveConfig { models: Models::Always, ..SolveConfig::default() };
        let verdict = run(text.as_bytes(), &config, &mut |bytes| printed.extend_from_slice(bytes));
        (verdict.map_err(|error| error.message), String::from_utf8(printed).unwrap())
    }

    #[test]
    fn values_of_what_occurs() {
        let (verdict, printed) = solved("c x\np cnf 2000000000 2\n-7 0\n7 2000000000 0\n");
        assert_eq!(verdict, Ok(SolveVerdict::Sat));
        assert_eq!(printed, "s SATISFIABLE\nv -7 2000000000 0\n");
        assert_eq!(
            solved("p cnf 1 2\n1 0\n-1 0\n"),
            (Ok(SolveVerdict::Unsat), "s UNSATISFIABLE\n".to_owned())
        );
        assert_eq!(solved("p cnf 0 0\n").0, Ok(SolveVerdict::Sat));
        assert_eq!(solved("p cnf 0 1\n0\n").0, Ok(SolveVerdict::Unsat));
    }

    #[test]
    fn long_models_are_wrapped() {
        let text: String = (1..200).map(|var| format!("{var} 0\n")).collect();
        let (_, printed) = solved(&format!("p cnf 199 199\n{text}"));
        assert!(printed.lines().all(|line| line.len() <= MAX_COLUMNS), "{printed}");
        assert_eq!(printed.split_whitespace().filter(|word| word.parse::<i32>().is_ok()).count(), 200);
    }

    #[test]
    fn what_is_not_understood_is_refused() {
        for text in
            ["p wcnf 1 1 3\n3 1 0\n", "p cnf 1 1\na 1 0\n1 0\n", "p cnf 2 1\n1 0\nx 1 2 0\n", "p cnf 1 1\n1"]
        {
            let (verdict, printed) = solved(text);
            assert!(verdict.is_err() && printed.is_empty(), "{text} {verdict:?}");
        }
    }
}
