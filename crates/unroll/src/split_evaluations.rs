//! Evaluations of a decision that begin in an iteration of a loop and end after the loop.
//!
//! In `do ... while (a || (b && 0))` the loop is left whatever `b` is, so `b` is evaluated after the loop, once for the runs that leave it in any
//! iteration. What is evaluated there belongs to the evaluations of these iterations.

use crate::evaluations::ConditionEvaluation;
use crate::machine::Machine;
use crate::places::{CallContext, ContextKind};
use crate::shortcut::{Next, shortcuts};
use crate::terms;
use crate::unrolled::ContextId;
use nub_bitvec::TermId;
use nub_c_ir::DecisionId;
use rustc_hash::FxHashMap;

impl Machine<'_> {
    /// Adds conditions that were evaluated after a loop to the iterations that lead there. O(evaluations) where there are none; quadratic for a
    /// decision that has some.
    pub(crate) fn join_evaluations(&mut self) {
        let mut by_decision: FxHashMap<DecisionId, (u32, Vec<usize>)> = FxHashMap::default();
        let mut rests = Vec::new();
        for (at, evaluation) in self.out.decisions.iter().enumerate() {
            let Some(first) = evaluation.conditions.first() else { continue };
            let decision = evaluation.decision;
            let (entry, all) =
                by_decision.entry(decision).or_insert_with(|| (self.entry(decision), Vec::new()));
            if first.condition != *entry {
                rests.push(at);
            }
            all.push(at);
        }
        for rest in rests {
            let decision = self.out.decisions[rest].decision;
            let begun: Vec<usize> =
                by_decision[&decision].1.iter().copied().filter(|at| *at < rest).collect();
            self.join(decision, rest, &begun);
        }
    }

    /// The condition that is evaluated first: constants are not evaluated.
    fn entry(&self, decision: DecisionId) -> u32 {
        let decision = &self.program.decisions[decision.index()];
        let graph = shortcuts(decision);
        let (mut at, constant) = (0_u32, |at: u32| decision.conditions.get(at as usize)?.constant);
        while let (Some(value), Some(&(when_true, when_false))) = (constant(at), graph.get(at as usize)) {
            match if value { when_true } else { when_false } {
                Next::Condition(next) => at = next,
                Next::Outcome(_) => break,
            }
        }
        at
    }

    fn join(&mut self, decision: DecisionId, rest: usize, begun: &[usize]) {
        let graph = shortcuts(&self.program.decisions[decision.index()]);
        let context = self.out.decisions[rest].context;
        let found = self.out.decisions[rest].conditions.clone();
        let mut is_used = false;
        for at in begun.iter().copied() {
            if !self.is_round_in(self.out.decisions[at].context, context) {
                continue;
            }
            for condition in &found {
                let Some(guard) = self.leads_to(&graph, at, condition.condition) else { continue };
                let evaluated = terms::and(&mut self.pool, guard, condition.evaluated);
                let joined = ConditionEvaluation { evaluated, ..*condition };
                self.out.decisions[at].conditions.push(joined);
                is_used = true;
            }
        }
        if is_used {
            let never = self.pool.truth(false);
            let evaluation = &mut self.out.decisions[rest];
            evaluation.conditions.clear();
            evaluation.reach = never;
        }
    }

    /// The guard under which an evaluation continues with a condition that it has not evaluated yet.
    fn leads_to(&mut self, graph: &[(Next, Next)], evaluation: usize, condition: u32) -> Option<TermId> {
        let mut all = None;
        for found in self.out.decisions[evaluation].conditions.clone() {
            if found.condition == condition {
                return None;
            }
            let Some(&(when_true, when_false)) = graph.get(found.condition as usize) else { continue };
            let opposite = self.pool.not(found.value);
            for (next, literal) in [(when_true, found.value), (when_false, opposite)] {
                if next == Next::Condition(condition) {
                    let guard = terms::and(&mut self.pool, found.evaluated, literal);
                    all = Some(all.map_or(guard, |all| terms::or(&mut self.pool, all, guard)));
                }
            }
        }
        all
    }

    /// Whether a context is an iteration of a loop, possibly nested, in this outer context.
    fn is_round_in(&self, context: ContextId, outer: ContextId) -> bool {
        let mut at = context;
        while at != outer {
            match self.out.contexts[at.index()] {
                CallContext { kind: ContextKind::Round { .. }, parent: Some(parent), .. } => {
                    at = parent;
                }
                _ => return false,
            }
        }
        context != outer
    }
}
