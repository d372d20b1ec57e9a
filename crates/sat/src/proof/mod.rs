//! Proofs that clauses have no model, and their checking.
//!
//! A [`Proof`] is a list of clauses to add and to delete, in the format DRAT (Wetzler, Heule and Hunt, SAT 2014): each added
//! clause follows from those that are there by unit propagation, or can be added without losing all models, and the last
//! is empty. [`prove`] asks a fresh solver that writes down what it learns; [`check`] knows nothing of solvers.
//! [`CertifyingSolver`] puts both behind every `unsat` of any solver.
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

/// What a step does with its clause.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Action {
    /// It follows, or does no harm. For the latter its first literal counts.
    Add,
    /// It is not needed any more.
    Delete,
}

/// Steps in one block: 4 bytes per literal, 8 per step.
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

    /// One more step.
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

    /// True without steps.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// The same proof over other literals.
    pub fn renamed(&self, rename: impl Fn(Lit) -> Lit) -> Proof {
        Proof { lits: self.lits.iter().map(|lit| rename(*lit)).collect(), steps: self.steps.clone() }
    }
}
