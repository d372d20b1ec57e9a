//! The checker: forward, so that every step is looked at, whether it is needed or not.
//!
//! A clause is accepted if making all its literals false leads unit propagation to a false clause (RUP). If not, it must
//! have that property together with each clause that has its first literal negated (RAT): then any model of the others
//! can be changed in this one variable. The proof is accepted once unit propagation alone shows the contradiction.
//!
//! Cost: one propagation over the live clauses per added clause, as in solving; a RAT step looks at all clauses.

use super::clauses::Clauses;
use super::{Action, Proof};
use crate::SatLimits;
use nub_cnf::{Cnf, Lit};
use std::fmt;

/// Why a proof is none.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ProofFault {
    /// This step adds a clause that does not follow.
    Step(usize),
    /// All steps are right, and there is no contradiction.
    NoContradiction,
    /// Cancelled; nothing is known.
    Cancelled,
}

impl fmt::Display for ProofFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ProofFault::Step(step) => write!(f, "step {} of the proof does not follow", step + 1),
            ProofFault::NoContradiction => f.write_str("the proof does not end in a contradiction"),
            ProofFault::Cancelled => f.write_str("cancelled"),
        }
    }
}

/// Steps between looks at the wish to stop.
const STEPS_PER_LOOK: usize = 64;

/// Does the proof show that the clauses, and these units, have no model?
pub fn check(cnf: &Cnf, units: &[Lit], proof: &Proof, limits: &SatLimits) -> Result<(), ProofFault> {
    let mut clauses = Clauses::default();
    for clause in cnf.clauses().chain(units.iter().map(std::slice::from_ref)) {
        if clauses.add(clause).is_err() {
            return Ok(());
        }
    }
    for (at, (action, clause)) in proof.steps().enumerate() {
        if at % STEPS_PER_LOOK == 0 && limits.cancel.is_cancelled() {
            return Err(ProofFault::Cancelled);
        }
        match action {
            Action::Delete => clauses.delete(clause),
            Action::Add if !follows(&mut clauses, clause) => return Err(ProofFault::Step(at)),
            Action::Add if clauses.add(clause).is_err() => return Ok(()),
            Action::Add => {}
        }
    }
    Err(ProofFault::NoContradiction)
}

/// RUP or RAT.
fn follows(clauses: &mut Clauses, clause: &[Lit]) -> bool {
    let mark = clauses.mark();
    let is_rup = clauses.refute(clause).is_err();
    let follows = is_rup || clause.first().is_some_and(|pivot| is_rat(clauses, *pivot));
    clauses.back_to(mark);
    follows
}

/// With the clause refuted: is every clause that has the pivot negated refuted, too?
fn is_rat(clauses: &mut Clauses, pivot: Lit) -> bool {
    clauses.with(!pivot).iter().all(|other| {
        let rest: Vec<Lit> = other.iter().copied().filter(|lit| *lit != !pivot).collect();
        let mark = clauses.mark();
        let is_refuted = clauses.refute(&rest).is_err();
        clauses.back_to(mark);
        is_refuted
    })
}
