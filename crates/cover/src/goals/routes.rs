//! Paths through the whole function, for the path criterion. They are called routes here: [`Path`](super::Path) is a path through one decision.
//!
//! A route is the list of outcomes that control takes at the decisions that it reaches. Two routes exclude each other, so each needs a test of its own,
//! and the number of tests is the number of routes that can be taken.

use super::{GoalSubject, RunEvent, SourceGoal};
use nub_bitvec::Value;
use nub_c_ir::{DecisionId, DecisionKind, DecisionOutcome, Program};
use nub_unroll::{ContextId, ContextKind, EvaluationId, Unrolled};
use std::fmt::Write;

const NEVER_FAILS: &str = "writing to a string cannot fail";

/// A position in the list of routes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct RouteId(pub u32);

impl RouteId {
    /// The position.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// An outcome that control takes at one place of the unrolled function.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Turn {
    /// The place.
    pub evaluation: EvaluationId,
    /// The decision that is evaluated there.
    pub decision: DecisionId,
    /// Its outcome.
    pub outcome: DecisionOutcome,
    /// No other outcome was possible there, as in a loop that counts to a constant.
    pub is_forced: bool,
}

/// A path through the function, or a prefix of one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Route {
    /// In the order in which the decisions begin.
    pub turns: Vec<Turn>,
    /// Inputs of a run that takes exactly these turns, and ends. `None` if no such run is known: then the route stands for every run that begins with
    /// these turns.
    pub inputs: Option<Vec<Value>>,
}

impl Route {
    /// Whether a known run takes exactly these turns.
    pub fn is_complete(&self) -> bool {
        self.inputs.is_some()
    }
}

/// The places where a decision of the function itself is evaluated, in an order of execution. Not those in recursive calls: they are other runs of
/// the function.
pub fn own_places(program: &Program, unrolled: &Unrolled) -> Vec<EvaluationId> {
    let is_own = |found: &nub_unroll::DecisionEvaluation| {
        let decision = &program.decisions[found.decision.index()];
        decision.function == unrolled.function
            && decision.kind != DecisionKind::Assertion
            && !is_in_call(unrolled, found.context)
    };
    let all = unrolled.decisions.iter().enumerate();
    all.filter(|(_, found)| is_own(found)).map(|(index, _)| EvaluationId(index as u32)).collect()
}

fn is_in_call(unrolled: &Unrolled, context: ContextId) -> bool {
    let mut next = Some(context);
    while let Some(context) = next.map(|id| unrolled.contexts[id.index()]) {
        if matches!(context.kind, ContextKind::Call { .. }) {
            return true;
        }
        next = context.parent;
    }
    false
}

/// The goals of the path criterion: all routes. `decisions` are those that are counted, in the order of the text.
pub fn route_goals(name: &str, decisions: &[DecisionId], routes: &[Route]) -> Vec<SourceGoal> {
    let goal = |(index, route): (usize, &Route)| {
        let event = RunEvent::Route(RouteId(index as u32));
        let id = format!("{name}/path/{}", word(decisions, route));
        SourceGoal { id, subject: GoalSubject::Event(event), ways: vec![vec![event]] }
    };
    routes.iter().enumerate().map(goal).collect()
}

/// The turns in short form: `1T-3F-2c4`, decisions and cases counted from 1. A route that is not complete ends with a dash.
fn word(decisions: &[DecisionId], route: &Route) -> String {
    let mut word = String::new();
    for turn in route.turns.iter().filter(|turn| !turn.is_forced) {
        let number = decisions.iter().position(|id| *id == turn.decision).map_or(0, |index| index + 1);
        let separator = if word.is_empty() { "" } else { "-" };
        let outcome = match turn.outcome {
            DecisionOutcome::True => "T".to_owned(),
            DecisionOutcome::False => "F".to_owned(),
            DecisionOutcome::Case(case) => format!("c{}", case + 1),
            DecisionOutcome::Default => "d".to_owned(),
        };
        write!(word, "{separator}{number}{outcome}").expect(NEVER_FAILS);
    }
    match (word.is_empty(), route.is_complete()) {
        (true, true) => "straight".to_owned(),
        (_, true) => word,
        (_, false) => word + "-",
    }
}
