//! Proofs that clauses have no model, and a checker for them.
//!
//! A [`Proof`] is a list of clauses to add and to delete, in the format DRAT (Wetzler, Heule and Hunt, SAT 2014): each added
//! clause follows from the existing ones by unit propagation, or can be added without losing all models, and the last
//! is empty. [`prove`] runs a fresh solver that logs what it learns; [`check`] does not depend on any solver.
//! [`CertifyingSolver`] does both for every `unsat` of any solver.
//!
//! ```
//! use nub_cnf::{Cnf, Sink};
//! use nub_sat::{SatLimits, proof};
//!
//! let mut cnf = Cnf::new();
//! let (x, y) = (cnf.new_var(), cnf.new_var());
//! for (a, b) in [(x, y), (x, !y), (!x, y), (!x, !y)] {
//!     cnf.add(&[a, b]);
//! }
//! let found = proof::prove(&cnf, &[], &SatLimits::none(), proof::Prover::default()).unwrap();
//! assert_eq!(proof::check(&cnf, &[], &found, &SatLimits::none()), Ok(()));
//! assert!(proof::check(&cnf, &[], &proof::Proof::new(), &SatLimits::none()).is_err());
//! ```
//!
//! The files: `drat` (the text format), `check` and `clauses` (the checker), `prove` (solvers that log), `certified`.

mod certified;
mod check;
mod clauses;
mod drat;
mod prove;

pub use certified::{Certificates, CertifyingSolver, UnsatCertificate};
pub use check::{ProofFault, check};
pub use prove::{Prover, prove};

use nub_cnf::Lit;

/// What a step does to its clause.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Action {
    /// Adds it: it follows from the others, or preserves satisfiability (RAT); then its first literal is the pivot.
    Add,
    /// Deletes it: it is no longer needed.
    Delete,
}

/// The steps in one block of memory: 4 bytes per literal, 8 per step.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Proof {
    lits: Vec<Lit>,
    /// What is done, and where the clause ends in `lits`.
    steps: Vec<(Action, u32)>,
}

impl Proof {
    /// No steps.
    pub fn new() -> Proof {
        Proof::default()
    }

    /// Appends a step.
    pub fn push(&mut self, action: Action, clause: impl IntoIterator<Item = Lit>) {
        self.lits.extend(clause);
        self.steps.push((action, u32::try_from(self.lits.len()).expect("fewer than 2^32 literals")));
    }

    /// All steps in order.
    pub fn steps(&self) -> impl Iterator<Item = (Action, &[Lit])> {
        let starts = std::iter::once(0).chain(self.steps.iter().map(|(_, end)| *end));
        let clause = |(start, (action, end)): (u32, &(Action, u32))| {
            (*action, &self.lits[start as usize..*end as usize])
        };
        starts.zip(&self.steps).map(clause)
    }

    /// Number of steps.
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// True if there are no steps.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// The same proof over other literals.
    pub fn renamed(&self, rename: impl Fn(Lit) -> Lit) -> Proof {
        Proof { lits: self.lits.iter().map(|lit| rename(*lit)).collect(), steps: self.steps.clone() }
    }
}
