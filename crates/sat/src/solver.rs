//! The trait.

use nub_cnf::{Lit, Sink};
use nub_process::Cancel;
use std::fmt;

/// An incremental SAT solver.
pub trait Solver: Sink {
    /// Is there a model of the clauses in which the assumptions are true? Clauses may be added afterwards.
    fn solve(&mut self, assumptions: &[Lit], limits: &Limits) -> Answer;

    /// The value of a literal in the model. After [`Answer::Sat`] and before the next clause or question; else any value.
    fn value(&mut self, lit: Lit) -> bool;

    /// Assumptions that cannot be true together, after [`Answer::Unsat`] and before the next clause or question. Not
    /// always the fewest.
    fn core(&self) -> &[Lit];

    /// Tries this literal as true first whenever its variable is decided. A hint.
    fn prefer(&mut self, lit: Lit);

    /// Number of variables.
    fn n_vars(&self) -> u32;
}

/// What came of a question.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// There is a model.
    Sat,
    /// There is none.
    Unsat,
    /// Not found out.
    Unknown(Stop),
}

/// Why a question has no answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stop {
    /// As many conflicts as allowed.
    Conflicts,
    /// Cancelled, by a time limit or the user.
    Cancelled,
    /// The solver failed, with this message.
    Failed(String),
    /// A model was found that does not satisfy the clauses: a defect of this program.
    WrongModel,
    /// Unsatisfiable, it was said, but the proof did not check: a defect of this program.
    Unproved(String),
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Stop::Conflicts => f.write_str("the limit of conflicts is reached"),
            Stop::Cancelled => f.write_str("cancelled"),
            Stop::Failed(message) => f.write_str(message),
            Stop::WrongModel => f.write_str("internal error: the model found is wrong"),
            Stop::Unproved(message) => write!(f, "internal error: unsat is not proved: {message}"),
        }
    }
}

/// How much a question may cost. There is no clock below the command line: a time limit is a [`Cancel`] that is raised.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// Conflicts for one question. An external program does not know it.
    pub conflicts: Option<u64>,
    /// Raised from another thread to end a question soon.
    pub cancel: Cancel,
}

impl Limits {
    /// No limits.
    pub fn none() -> Limits {
        Limits::default()
    }

    /// The same wish to stop, with another number of conflicts.
    pub fn with_conflicts(&self, conflicts: u64) -> Limits {
        let conflicts = self.conflicts.map_or(conflicts, |most| most.min(conflicts));
        Limits { conflicts: Some(conflicts), cancel: self.cancel.clone() }
    }
}
