//! Solvers that log what they learn.

use super::{Action, Proof};
use crate::{Cdcl, SatAnswer, SatLimits, SatSolver, SatStop};
use nub_cnf::{Cnf, Lit};

/// Which solver finds a proof.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Prover {
    /// CaDiCaL, through its tracer: nothing is written to disk.
    #[cfg(feature = "cadical")]
    Cadical,
    /// Our own solver.
    Cdcl,
}

impl Default for Prover {
    /// The best of this build.
    fn default() -> Prover {
        #[cfg(feature = "cadical")]
        return Prover::Cadical;
        #[cfg(not(feature = "cadical"))]
        return Prover::Cdcl;
    }
}

/// Proves that the clauses, and these units, have no model, by solving them from the start. The proof is not checked
/// here. Takes as long as solving, and memory for everything that is learned.
pub fn prove(cnf: &Cnf, units: &[Lit], limits: &SatLimits, prover: Prover) -> Result<Proof, SatStop> {
    match prover {
        #[cfg(feature = "cadical")]
        Prover::Cadical => {
            let (mut solver, log) = crate::Cadical::logging();
            fill(&mut solver, cnf, units);
            refuted(solver.solve(&[], limits))?;
            // The solver owns the tracer.
            drop(solver);
            Ok(log.take())
        }
        Prover::Cdcl => {
            let mut solver = Cdcl::logging();
            fill(&mut solver, cnf, units);
            refuted(solver.solve(&[], limits))?;
            let mut proof = solver.take_log();
            proof.push(Action::Add, []);
            Ok(proof)
        }
    }
}

fn fill(solver: &mut dyn SatSolver, cnf: &Cnf, units: &[Lit]) {
    (0..cnf.n_vars()).for_each(|_| _ = solver.new_var());
    cnf.clauses().for_each(|clause| solver.add(clause));
    units.iter().for_each(|unit| solver.add(&[*unit]));
}

fn refuted(answer: SatAnswer) -> Result<(), SatStop> {
    match answer {
        SatAnswer::Unsat => Ok(()),
        SatAnswer::Unknown(stop) => Err(stop),
        SatAnswer::Sat => Err(SatStop::Unproved("a second run found a model".to_owned())),
    }
}
