//! The events of a run, from the trace of the interpreter.

use super::boundaries::is_at_boundary;
use crate::goals::{Boundary, EvaluationMode, Path, Route, RouteId, RunEvent, paths};
use nub_c_ir::interp::TraceEvent as Traced;
use nub_c_ir::{
    ConditionTest, Decision, DecisionId, DecisionKind, DecisionOutcome, FunctionId, NumberFormat, Program,
    TreeNode,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// Collects events; the conditions of one evaluation of a decision are collected until its outcome is known.
pub struct Collector<'p> {
    program: &'p Program,
    found: FxHashSet<RunEvent>,
    /// Unfinished evaluations, by frame and decision.
    open: FxHashMap<(u32, DecisionId), Vec<Option<bool>>>,
    ways: FxHashMap<DecisionId, Vec<Path>>,
    /// The decisions of the first frame in the order in which they began, with their outcomes if known.
    turns: Vec<(DecisionId, Option<DecisionOutcome>)>,
    /// The common types of the comparisons of the function under test.
    formats: FxHashMap<ConditionTest, NumberFormat>,
}

/// The frame of the function under test.
const FIRST_FRAME: u32 = 0;

/// All events of a trace, with conditions skipped as in C.
pub fn events(
    program: &Program,
    function: FunctionId,
    routes: &[Route],
    trace: &[Traced],
) -> FxHashSet<RunEvent> {
    let formats = program.number_comparisons(function).into_iter();
    let mut collector = Collector {
        program,
        found: FxHashSet::default(),
        open: FxHashMap::default(),
        ways: FxHashMap::default(),
        turns: Vec::new(),
        formats: formats.map(|found| (found.test, found.format)).collect(),
    };
    trace.iter().for_each(|event| collector.see(event));
    collector.see_routes(function, routes);
    collector.found
}

impl Collector<'_> {
    fn see(&mut self, event: &Traced) {
        match event {
            Traced::Statement { statement, .. } => _ = self.found.insert(RunEvent::Statement(*statement)),
            Traced::Switch { frame, decision, outcome } => {
                self.found.insert(RunEvent::Outcome(*decision, *outcome));
                if *frame == FIRST_FRAME {
                    self.turns.push((*decision, Some(*outcome)));
                }
            }
            Traced::Comparison { test, left, right, .. } => {
                let Some(format) = self.formats.get(test) else { return };
                let is_met = |boundary: &Boundary| is_at_boundary(*format, [*left, *right], *boundary);
                let met = Boundary::ALL.into_iter().filter(is_met);
                self.found.extend(met.map(|boundary| RunEvent::Boundary(*test, boundary)));
            }
            Traced::Branch { frame, test: Some(test), is_true, .. } => {
                self.found.insert(RunEvent::Condition(*test, *is_true));
                let decision = &self.program.decisions[test.decision.index()];
                let is_new = !self.open.contains_key(&(*frame, test.decision));
                if is_new && *frame == FIRST_FRAME {
                    self.turns.push((test.decision, None));
                }
                let fresh = || decision.conditions.iter().map(|_| None).collect();
                let values: &mut Vec<Option<bool>> =
                    self.open.entry((*frame, test.decision)).or_insert_with(fresh);
                values[test.condition as usize] = Some(*is_true);
                if let Some(outcome) = outcome_of(decision, values) {
                    let values = self.open.remove(&(*frame, test.decision)).unwrap_or_default();
                    self.close(test.decision, &values, outcome);
                    if *frame == FIRST_FRAME {
                        self.end_turn(test.decision, outcome);
                    }
                }
            }
            _ => {}
        }
    }

    /// Sets the outcome of the last turn of a decision.
    fn end_turn(&mut self, id: DecisionId, outcome: bool) {
        let outcome = if outcome { DecisionOutcome::True } else { DecisionOutcome::False };
        if let Some(turn) = self.turns.iter_mut().rev().find(|(decision, _)| *decision == id) {
            turn.1 = Some(outcome);
        }
    }

    /// The paths that the run takes: those whose turns are its turns, or whose turns it begins with.
    fn see_routes(&mut self, function: FunctionId, routes: &[Route]) {
        let is_own = |id: DecisionId| {
            let decision = &self.program.decisions[id.index()];
            decision.function == function && decision.kind != DecisionKind::Assertion
        };
        let all = self.turns.iter().filter(|(id, _)| is_own(*id));
        let turns: Vec<(DecisionId, DecisionOutcome)> =
            all.filter_map(|(id, outcome)| Some((*id, (*outcome)?))).collect();
        for (index, route) in (0..).zip(routes) {
            let wanted = route.turns.iter().map(|turn| (turn.decision, turn.outcome));
            let begins = turns.len() >= route.turns.len() && wanted.zip(&turns).all(|(a, b)| a == *b);
            if begins && (!route.is_complete() || turns.len() == route.turns.len()) {
                self.found.insert(RunEvent::Route(RouteId(index)));
            }
        }
    }

    /// A decision has its outcome.
    fn close(&mut self, id: DecisionId, values: &[Option<bool>], outcome: bool) {
        self.found.insert(RunEvent::Outcome(
            id,
            if outcome { DecisionOutcome::True } else { DecisionOutcome::False },
        ));
        let decision = &self.program.decisions[id.index()];
        let make = || paths(decision, EvaluationMode::ShortCircuit).unwrap_or_default();
        let ways = self.ways.entry(id).or_insert_with(make);
        // Constant conditions are not traced; a path contains their value.
        let fits = |path: &Path| {
            path.values.iter().zip(values).zip(&decision.conditions).all(|((way, seen), condition)| {
                way == seen || (condition.constant.is_some() && seen.is_none())
            })
        };
        if let Some(index) = ways.iter().position(fits) {
            self.found.insert(RunEvent::Path(id, index as u32));
            for (condition, value) in ways[index].values.iter().enumerate() {
                if let Some(value) = value {
                    let test = ConditionTest { decision: id, condition: condition as u32 };
                    self.found.insert(RunEvent::Condition(test, *value));
                }
            }
        }
    }
}

/// The outcome, as soon as the conditions that were evaluated decide it.
fn outcome_of(decision: &Decision, values: &[Option<bool>]) -> Option<bool> {
    let mut results: Vec<Option<bool>> = Vec::with_capacity(decision.tree.len());
    for node in &decision.tree {
        results.push(match *node {
            TreeNode::Condition(condition) => {
                values[condition as usize].or(decision.conditions[condition as usize].constant)
            }
            TreeNode::Not(a) => results[a as usize].map(|value| !value),
            TreeNode::And(a, b) => match (results[a as usize], results[b as usize]) {
                (Some(false), _) | (Some(true), Some(false)) => Some(false),
                (Some(true), Some(true)) => Some(true),
                _ => None,
            },
            TreeNode::Or(a, b) => match (results[a as usize], results[b as usize]) {
                (Some(true), _) | (Some(false), Some(true)) => Some(true),
                (Some(false), Some(false)) => Some(false),
                _ => None,
            },
        });
    }
    results.last().copied().flatten()
}
