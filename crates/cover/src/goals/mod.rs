//! What a criterion requires of a function: its goals, each with a stable id.
//!
//! A goal is about events: a statement is executed, a decision has an outcome, a condition has a value, a comparison is at its boundary, a path
//! through a decision is taken. `encode` turns each event into an atom. Only decisions of the function under test are counted, not those of functions
//! that it calls; nor are the arguments of assertions, which are goals of a checker.

mod boundaries;
mod list;
mod mcdc;
mod paths;
mod routes;

pub use boundaries::{Boundary, BoundaryGoals};
pub use list::{decisions, goals};
pub use mcdc::pairs;
pub use nub_report::cover::{Criterion, Mcdc};
pub use paths::{EvaluationMode, MAX_PATHS, Path, TooMany, paths};
pub use routes::{Route, RouteId, Turn, own_places, route_goals};

use nub_c_ir::{ConditionTest, DecisionId, DecisionOutcome, Program, StatementId};

/// How the criterion is interpreted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CriterionReading {
    /// The criterion.
    pub criterion: Criterion,
    /// The variant of MC/DC.
    pub mcdc: Mcdc,
    /// Whether conditions are skipped.
    pub evaluation: EvaluationMode,
    /// Whether comparisons also have boundary goals.
    pub boundaries: BoundaryGoals,
}

impl CriterionReading {
    /// As a compiler would measure it.
    pub fn new(criterion: Criterion) -> CriterionReading {
        CriterionReading {
            criterion,
            mcdc: Mcdc::default(),
            evaluation: EvaluationMode::default(),
            boundaries: BoundaryGoals::default(),
        }
    }
}

/// Something that happens in a run, in source terms.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum RunEvent {
    /// A statement is executed.
    Statement(StatementId),
    /// A decision has an outcome.
    Outcome(DecisionId, DecisionOutcome),
    /// A condition has a value.
    Condition(ConditionTest, bool),
    /// A condition that compares numbers is evaluated with its operands at this boundary.
    Boundary(ConditionTest, Boundary),
    /// A path through a decision, by its position in [`paths()`].
    Path(DecisionId, u32),
    /// A path through the whole function.
    Route(RouteId),
}

impl RunEvent {
    /// A description without the text of the program.
    pub fn plain(&self, program: &Program) -> String {
        let line = |decision: DecisionId| program.decisions[decision.index()].position.line;
        match *self {
            RunEvent::Statement(id) => {
                format!(
                    "whether the statement in line {} is executed",
                    program.statements[id.index()].position.line
                )
            }
            RunEvent::Outcome(id, _) => format!("an outcome of the decision in line {}", line(id)),
            RunEvent::Condition(test, value) => {
                format!("whether condition {} in line {} is {value}", test.condition + 1, line(test.decision))
            }
            RunEvent::Boundary(test, boundary) => {
                let (condition, line) = (test.condition + 1, line(test.decision));
                format!("whether the operands of condition {condition} in line {line} are {boundary}")
            }
            RunEvent::Path(id, _) => format!("a path through the decision in line {}", line(id)),
            RunEvent::Route(_) => "a path through the function".to_owned(),
        }
    }
}

/// What a goal requires.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum GoalSubject {
    /// One event.
    Event(RunEvent),
    /// A condition independently affects the outcome of its decision.
    Independence(ConditionTest),
}

/// A goal in source terms.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SourceGoal {
    /// Stays the same as long as the function's decisions do: `name/d2/c1/true`, decisions and conditions counted from 1.
    pub id: String,
    /// What it requires.
    pub subject: GoalSubject,
    /// The ways to reach it: each is one event, or two that may happen in different tests. Empty if there is none.
    pub ways: Vec<Vec<RunEvent>>,
}
