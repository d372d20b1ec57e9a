//! The events of a run, from the trace of the interpreter.

use crate::goals::{Evaluation, Event, Path, paths};
use nub_c_ir::interp::Event as Traced;
use nub_c_ir::{Decision, DecisionId, Outcome, Program, TreeNode};
use rustc_hash::{FxHashMap, FxHashSet};

/// Collects events; conditions of one evaluation of a decision are put together until its outcome is clear.
pub struct Collector<'p> {
    program: &'p Program,
    found: FxHashSet<Event>,
    /// Evaluations that are under way, by frame and decision.
    open: FxHashMap<(u32, DecisionId), Vec<Option<bool>>>,
    ways: FxHashMap<DecisionId, Vec<Path>>,
}

/// All events of a trace, with conditions skipped as C does.
pub fn events(program: &Program, trace: &[Traced]) -> FxHashSet<Event> {
    let mut collector = Collector {
        program,
        found: FxHashSet::default(),
        open: FxHashMap::default(),
        ways: FxHashMap::default(),
    };
    trace.iter().for_each(|event| collector.see(event));
    collector.found
}

impl Collector<'_> {
    fn see(&mut self, event: &Traced) {
        match event {
            Traced::Statement { statement, .. } => _ = self.found.insert(Event::Statement(*statement)),
            Traced::Switch { decision, outcome, .. } => {
                self.found.insert(Event::Outcome(*decision, *outcome));
            }
            Traced::Branch { frame, test: Some(test), is_true, .. } => {
                self.found.insert(Event::Condition(*test, *is_true));
                let decision = &self.program.decisions[test.decision.index()];
                let fresh = || decision.conditions.iter().map(|_| None).collect();
                let values: &mut Vec<Option<bool>> =
                    self.open.entry((*frame, test.decision)).or_insert_with(fresh);
                values[test.condition as usize] = Some(*is_true);
                if let Some(outcome) = outcome_of(decision, values) {
                    let values = self.open.remove(&(*frame, test.decision)).unwrap_or_default();
                    self.close(test.decision, &values, outcome);
                }
            }
            _ => {}
        }
    }

    /// A decision has its outcome.
    fn close(&mut self, id: DecisionId, values: &[Option<bool>], outcome: bool) {
        self.found.insert(Event::Outcome(id, if outcome { Outcome::True } else { Outcome::False }));
        let decision = &self.program.decisions[id.index()];
        let make = || paths(decision, Evaluation::ShortCircuit).unwrap_or_default();
        let ways = self.ways.entry(id).or_insert_with(make);
        // Constant conditions are not traced; a way has their value.
        let fits = |path: &Path| {
            path.values.iter().zip(values).zip(&decision.conditions).all(|((way, seen), condition)| {
                way == seen || (condition.constant.is_some() && seen.is_none())
            })
        };
        if let Some(index) = ways.iter().position(fits) {
            self.found.insert(Event::Path(id, index as u32));
            for (condition, value) in ways[index].values.iter().enumerate() {
                if let Some(value) = value {
                    let test = nub_c_ir::Test { decision: id, condition: condition as u32 };
                    self.found.insert(Event::Condition(test, *value));
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
