//! Where clauses go.

use crate::Lit;
use std::fmt::Write;

/// Receives variables and clauses: a solver, or a list of clauses.
pub trait Sink {
    /// A new variable.
    fn new_var(&mut self) -> Lit;

    /// Adds a clause. The empty clause is false.
    fn add(&mut self, clause: &[Lit]);
}

/// A formula in conjunctive normal form, in one block: 4 bytes per literal and per clause.
#[derive(Clone, Default, Debug)]
pub struct Cnf {
    n_vars: u32,
    lits: Vec<Lit>,
    /// Where each clause ends in `lits`.
    ends: Vec<u32>,
}

impl Cnf {
    /// No clauses: the formula is true.
    pub fn new() -> Cnf {
        Cnf::default()
    }

    /// Number of variables.
    pub fn n_vars(&self) -> u32 {
        self.n_vars
    }

    /// Number of clauses.
    pub fn n_clauses(&self) -> usize {
        self.ends.len()
    }

    /// The clauses in the order in which they were added.
    pub fn clauses(&self) -> impl Iterator<Item = &[Lit]> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, end)| &self.lits[start as usize..*end as usize])
    }

    /// The clauses in DIMACS format, followed by `units` as unit clauses.
    pub fn to_dimacs_with(&self, units: &[Lit]) -> String {
        let mut text = String::with_capacity(16 + 6 * self.lits.len());
        let n_clauses = self.n_clauses() + units.len();
        writeln!(text, "p cnf {} {n_clauses}", self.n_vars).expect(NEVER_FAILS);
        for clause in self.clauses().chain(units.iter().map(std::slice::from_ref)) {
            for lit in clause {
                write!(text, "{lit} ").expect(NEVER_FAILS);
            }
            text.push_str("0\n");
        }
        text
    }

    /// The clauses in DIMACS format.
    pub fn to_dimacs(&self) -> String {
        self.to_dimacs_with(&[])
    }
}

const NEVER_FAILS: &str = "writing to a string cannot fail";

impl Sink for Cnf {
    fn new_var(&mut self) -> Lit {
        let lit = Lit::positive(self.n_vars);
        self.n_vars += 1;
        lit
    }

    fn add(&mut self, clause: &[Lit]) {
        debug_assert!(clause.iter().all(|lit| lit.var() < self.n_vars), "{clause:?}");
        self.lits.extend_from_slice(clause);
        self.ends.push(u32::try_from(self.lits.len()).expect("fewer than 2^32 literals"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clauses_are_written_as_dimacs() {
        let mut cnf = Cnf::new();
        let (x, y) = (cnf.new_var(), cnf.new_var());
        cnf.add(&[x, !y]);
        cnf.add(&[]);
        assert_eq!(cnf.to_dimacs(), "p cnf 2 2\n1 -2 0\n0\n");
        assert_eq!(cnf.to_dimacs_with(&[!x]), "p cnf 2 3\n1 -2 0\n0\n-1 0\n");
        assert_eq!(cnf.clauses().map(<[Lit]>::len).collect::<Vec<_>>(), [2, 0]);
    }
}
