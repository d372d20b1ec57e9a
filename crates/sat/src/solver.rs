//! The trait of all solvers, its answers and limits.

use crate::SolverFactory;
use nub_cnf::{Lit, Sink};
use nub_process::Cancel;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// An incremental SAT solver.
pub trait SatSolver: Sink {
    /// Is there a model of the clauses in which the assumptions are true? Clauses may be added afterwards.
    fn solve(&mut self, assumptions: &[Lit], limits: &SatLimits) -> SatAnswer;

    /// The value of a literal in the model. Valid after [`SatAnswer::Sat`] and before the next clause or question; otherwise arbitrary.
    fn value(&mut self, lit: Lit) -> bool;

    /// Assumptions that cannot all be true. Valid after [`SatAnswer::Unsat`] and before the next clause or question. Not
    /// always minimal.
    fn core(&self) -> &[Lit];

    /// Tries this literal as true first whenever its variable is decided. A hint.
    fn prefer(&mut self, lit: Lit);

    /// Number of variables.
    fn n_vars(&self) -> u32;

    /// Work so far, in memory accesses, about; it does not depend on the clock. 0 if the solver does not count them.
    fn n_ticks(&self) -> u64 {
        0
    }
}

/// The answer to a question.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SatAnswer {
    /// There is a model.
    Sat,
    /// There is none.
    Unsat,
    /// Undecided.
    Unknown(SatStop),
}

/// Why a question has no answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SatStop {
    /// The limit on conflicts was reached.
    Conflicts,
    /// Cancelled, by a time limit or the user.
    Cancelled,
    /// The solver failed, with this message.
    Failed(String),
    /// A model was found that does not satisfy the clauses: a defect of this program.
    WrongModel,
    /// The answer was unsat, but its proof could not be checked: a defect of this program.
    Unproved(String),
}

impl fmt::Display for SatStop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SatStop::Conflicts => f.write_str("the limit on conflicts was reached"),
            SatStop::Cancelled => f.write_str("cancelled"),
            SatStop::Failed(message) => f.write_str(message),
            SatStop::WrongModel => f.write_str("internal error: the model found is wrong"),
            SatStop::Unproved(message) => write!(f, "internal error: unsat is not proved: {message}"),
        }
    }
}

/// How a question is answered: what it may cost, and by which solver. It is passed along with every question, so the user's choice of a solver
/// needs no other channel. No clock is read below the command line: a time limit is a [`Cancel`] that is raised.
#[derive(Clone, Debug, Default)]
pub struct SatLimits {
    /// Limit on the conflicts for one question. External programs ignore it.
    pub conflicts: Option<u64>,
    /// Raised from another thread to end a question soon.
    pub cancel: Cancel,
    /// Where [`crate::minimise`] publishes its progress, for another thread to read.
    pub bounds: Option<Arc<Bounds>>,
    /// Makes the solvers.
    pub solver: SolverFactory,
}

/// What is known about a minimum during the search.
#[derive(Debug)]
pub struct Bounds {
    lower: AtomicUsize,
    upper: AtomicUsize,
}

impl Default for Bounds {
    fn default() -> Bounds {
        Bounds { lower: AtomicUsize::new(0), upper: AtomicUsize::new(usize::MAX) }
    }
}

impl Bounds {
    /// The lower bound, and the upper bound if a model was found. They are read one after the other, so for a moment they may not
    /// belong together.
    pub fn get(&self) -> (usize, Option<usize>) {
        let upper = self.upper.load(Ordering::Relaxed);
        (self.lower.load(Ordering::Relaxed), (upper != usize::MAX).then_some(upper))
    }

    pub(crate) fn set(&self, lower: usize, upper: Option<usize>) {
        self.lower.store(lower, Ordering::Relaxed);
        self.upper.store(upper.unwrap_or(usize::MAX), Ordering::Relaxed);
    }
}

impl SatLimits {
    /// No limits.
    pub fn none() -> SatLimits {
        SatLimits::default()
    }

    /// A solver without clauses, of the kind that the user chose.
    pub fn new_solver(&self) -> Box<dyn SatSolver> {
        self.solver.new_solver()
    }

    /// The same limits, with another number of conflicts.
    pub fn with_conflicts(&self, conflicts: u64) -> SatLimits {
        let conflicts = self.conflicts.map_or(conflicts, |most| most.min(conflicts));
        SatLimits { conflicts: Some(conflicts), ..self.clone() }
    }

    /// The same limits; bounds on a minimum are published in `bounds`.
    pub fn telling(&self, bounds: &Arc<Bounds>) -> SatLimits {
        SatLimits { bounds: Some(Arc::clone(bounds)), ..self.clone() }
    }
}
