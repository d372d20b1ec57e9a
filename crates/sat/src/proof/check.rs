//! The checker. It works forwards and checks every step, needed or not.
//!
//! A clause is accepted if making all its literals false leads unit propagation to a false clause (RUP). Otherwise, it must
//! have that property together with each clause that contains the negation of its first literal (RAT): then any model of the others
//! can be repaired by changing this one variable. The proof is accepted once unit propagation alone finds a contradiction.
//!
//! Cost: one propagation over the live clauses per added clause, as in solving; a RAT step visits all clauses.

use super::clauses::Clauses;
use super::{Action, Proof};
use crate::SatLimits;
use nub_cnf::{Cnf, Lit};
use std::fmt;

/// Why a proof is rejected.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ProofFault {
    /// The step with this index adds a clause that does not follow.
    Step(usize),
    /// All steps are correct, but they do not lead to a contradiction.
    NoContradiction,
    /// Cancelled before there was a result.
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

/// Steps between two checks for cancellation.
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

/// After the clause itself was refuted: whether every clause that contains the negated pivot is refuted, too.
fn is_rat(clauses: &mut Clauses, pivot: Lit) -> bool {
    clauses.with(!pivot).iter().all(|other| {
        let rest: Vec<Lit> = other.iter().copied().filter(|lit| *lit != !pivot).collect();
        let mark = clauses.mark();
        let is_refuted = clauses.refute(&rest).is_err();
        clauses.back_to(mark);
        is_refuted
    })
}
