//! Events as terms over the inputs.

use super::beyond::{goes_on_once, resumed_at};
use super::boundaries::{boundary_term, formats};
use super::later::Later;
use super::routes::RouteEncoder;
use crate::goals::{Boundary, EvaluationMode, Path, Route, RunEvent, paths};
use nub_bitvec::{Op, Pool, TermId};
use nub_c_ir::{ConditionTest, DecisionId, DecisionOutcome, NumberFormat, Program};
use nub_unroll::{ConditionEvaluation, DecisionEvaluation as Evaluated, Unrolled};
use rustc_hash::FxHashMap;

/// Turns events into terms. Each event is the disjunction over all its dynamic occurrences, and over the places where runs are cut before it.
pub struct Events<'u> {
    program: &'u Program,
    evaluation: EvaluationMode,
    /// Evaluations by decision.
    evaluated: FxHashMap<DecisionId, Vec<Evaluated>>,
    /// Guards by statement.
    executed: FxHashMap<nub_c_ir::StatementId, Vec<TermId>>,
    /// What runs that were cut may still do.
    later: Later,
    /// Guards of runs that may do anything after they were cut.
    anything: Vec<TermId>,
    /// Paths by decision, computed on demand.
    paths: FxHashMap<DecisionId, Vec<Path>>,
    /// The common types of comparisons of the function under test.
    formats: FxHashMap<ConditionTest, NumberFormat>,
    routes: RouteEncoder<'u>,
}

impl<'u> Events<'u> {
    /// Sorts the parts of the unrolled program by what they belong to.
    pub fn new(
        program: &'u Program,
        unrolled: &mut Unrolled,
        routes: &'u [Route],
        evaluation: EvaluationMode,
    ) -> Events<'u> {
        let routes = RouteEncoder::new(program, unrolled, routes);
        let mut evaluated: FxHashMap<DecisionId, Vec<Evaluated>> = FxHashMap::default();
        for found in &unrolled.decisions {
            evaluated.entry(found.decision).or_default().push(found.clone());
        }
        let mut executed: FxHashMap<_, Vec<TermId>> = FxHashMap::default();
        for found in &unrolled.statements {
            executed.entry(found.statement).or_default().push(found.guard);
        }
        let (mut cut, mut anything) = (Vec::new(), Vec::new());
        // It looks at the whole program.
        let goes_on_once = !unrolled.over.is_empty() && goes_on_once(program, unrolled);
        for over in &unrolled.over {
            let blocks = if goes_on_once { resumed_at(program, unrolled, over) } else { None };
            match blocks {
                Some(blocks) => cut.extend(blocks.into_iter().map(|block| (block, over.guard))),
                None => anything.push(over.guard),
            }
        }
        let later = Later::new(&mut unrolled.pool, program.function(unrolled.function), &cut);
        let paths = FxHashMap::default();
        let formats = formats(program, unrolled.function);
        Events { program, evaluation, evaluated, executed, later, anything, paths, formats, routes }
    }

    /// The term of an event: one bit.
    pub fn term(&mut self, pool: &mut Pool, event: RunEvent) -> TermId {
        let mut ways = self.within(pool, event);
        ways.extend(self.later(pool, event));
        if !matches!(event, RunEvent::Route(_)) {
            ways.extend(&self.anything);
        }
        any(pool, &ways)
    }

    /// The event happens after the run was cut.
    fn later(&mut self, pool: &mut Pool, event: RunEvent) -> Vec<TermId> {
        let all_evaluated = self.evaluation == EvaluationMode::All;
        match event {
            RunEvent::Route(route) => vec![self.routes.later(pool, route)],
            RunEvent::Statement(statement) => self.later.statement(statement),
            RunEvent::Outcome(decision, outcome @ (DecisionOutcome::Case(_) | DecisionOutcome::Default)) => {
                self.later.case(decision, outcome).into_iter().collect()
            }
            RunEvent::Outcome(decision, _) | RunEvent::Path(decision, _) if all_evaluated => {
                self.later.decision(decision)
            }
            RunEvent::Condition(test, _) | RunEvent::Boundary(test, _) if all_evaluated => {
                self.later.decision(test.decision)
            }
            // If the operands are adjacent, the condition has the value that follows from that.
            RunEvent::Boundary(test, boundary) => {
                self.program.comparison(test).map_or_else(Vec::new, |operator| {
                    self.later_condition(test, operator.holds(boundary.order()))
                })
            }
            RunEvent::Condition(test, value) => self.later_condition(test, value),
            RunEvent::Path(decision, index) => {
                let path = self.paths(decision).get(index as usize).cloned();
                path.into_iter().map(|path| self.later_path(pool, decision, &path)).collect()
            }
            RunEvent::Outcome(decision, outcome) => {
                let ways = self.paths(decision).to_vec();
                if ways.is_empty() {
                    return self.later.decision(decision);
                }
                let fits = |path: &&Path| path.outcome == (outcome == DecisionOutcome::True);
                ways.iter().filter(fits).map(|path| self.later_path(pool, decision, path)).collect()
            }
        }
    }

    fn later_condition(&self, test: ConditionTest, value: bool) -> Vec<TermId> {
        if value { self.later.is_true(test) } else { self.later.is_false(test) }
    }

    /// The conditions of the path have their values: the first ones perhaps before the run was cut, inside of the next operand, and the others after that.
    fn later_path(&self, pool: &mut Pool, decision: DecisionId, path: &Path) -> TermId {
        let values = self.values(decision, path);
        let reached = any(pool, &self.later.decision(decision));
        let mut rest = reached;
        let mut ways = vec![];
        for (n_before, (condition, value)) in values.iter().enumerate().rev() {
            let test = ConditionTest { decision, condition: *condition };
            let has_value = any(pool, &self.later_condition(test, *value));
            rest = pool.mk(Op::And, &[rest, has_value]);
            if n_before > 0 {
                let before = self.cut_after(pool, decision, &values[..n_before], *condition);
                ways.push(pool.mk(Op::And, &[before, rest]));
            }
        }
        ways.push(rest);
        any(pool, &ways)
    }

    /// The conditions that a path evaluates, with their values. A constant one has no branch.
    fn values(&self, decision: DecisionId, path: &Path) -> Vec<(u32, bool)> {
        let conditions = &self.program.decisions[decision.index()].conditions;
        let values = (0..).zip(&path.values).filter_map(|(index, value)| Some((index, (*value)?)));
        values.filter(|(index, _)| conditions[*index as usize].constant.is_none()).collect()
    }

    /// In some evaluation of the decision, these conditions have their values, and the run does not get to the value of the next one.
    fn cut_after(&self, pool: &mut Pool, decision: DecisionId, values: &[(u32, bool)], next: u32) -> TermId {
        let mut ways = Vec::new();
        for found in self.evaluated(decision) {
            let of = |index: u32| found.conditions.iter().find(|found| found.condition == index);
            let mut all = found.reach;
            for (index, value) in values {
                let Some(condition) = of(*index) else {
                    all = pool.truth(false);
                    break;
                };
                let has_value = negated_if(pool, condition.value, !value);
                all = pool.mk(Op::And, &[all, has_value]);
                all = pool.mk(Op::And, &[all, condition.evaluated]);
            }
            if let Some(next) = of(next) {
                let is_cut = pool.not(next.evaluated);
                all = pool.mk(Op::And, &[all, is_cut]);
            }
            ways.push(all);
        }
        any(pool, &ways)
    }

    /// The event happens within the bounds.
    fn within(&mut self, pool: &mut Pool, event: RunEvent) -> Vec<TermId> {
        match event {
            RunEvent::Statement(statement) => self.executed.get(&statement).cloned().unwrap_or_default(),
            RunEvent::Outcome(decision, wanted) => {
                let outcomes = self.evaluated(decision).iter().flat_map(|found| &found.outcomes);
                outcomes.filter(|(outcome, _)| *outcome == wanted).map(|(_, guard)| *guard).collect()
            }
            RunEvent::Condition(test, value) => self.condition(pool, test, value),
            RunEvent::Boundary(test, boundary) => self.boundary(pool, test, boundary),
            RunEvent::Path(decision, index) => {
                let Some(path) = self.paths(decision).get(index as usize).cloned() else { return Vec::new() };
                self.path(pool, decision, &path)
            }
            RunEvent::Route(route) => vec![self.routes.term(pool, route)],
        }
    }

    fn evaluated(&self, decision: DecisionId) -> &[Evaluated] {
        self.evaluated.get(&decision).map_or(&[], Vec::as_slice)
    }

    fn paths(&mut self, decision: DecisionId) -> &[Path] {
        let (program, evaluation) = (self.program, self.evaluation);
        // Empty if there are too many.
        let make = || paths(&program.decisions[decision.index()], evaluation).unwrap_or_default();
        self.paths.entry(decision).or_insert_with(make)
    }

    fn condition(&mut self, pool: &mut Pool, test: ConditionTest, value: bool) -> Vec<TermId> {
        let is_constant = self.program.decisions[test.decision.index()].conditions[test.condition as usize]
            .constant
            .is_some();
        if is_constant {
            // A constant condition has no branch of its own: it has its value on every path that contains it.
            let with = |path: &&Path| path.values[test.condition as usize] == Some(value);
            let ways: Vec<Path> = self.paths(test.decision).iter().filter(with).cloned().collect();
            return ways.iter().flat_map(|path| self.path(pool, test.decision, path)).collect();
        }
        let mut terms = Vec::new();
        for found in self.evaluated(test.decision) {
            for condition in found.conditions.iter().filter(|found| found.condition == test.condition) {
                let is_there = self.is_there(found, condition);
                let has_value = negated_if(pool, condition.value, !value);
                terms.push(pool.mk(Op::And, &[is_there, has_value]));
            }
        }
        terms
    }

    /// Whether control is where the condition counts as evaluated.
    fn is_there(&self, found: &Evaluated, condition: &ConditionEvaluation) -> TermId {
        match self.evaluation {
            EvaluationMode::ShortCircuit => condition.evaluated,
            EvaluationMode::All => found.reach,
        }
    }

    fn boundary(&self, pool: &mut Pool, test: ConditionTest, boundary: Boundary) -> Vec<TermId> {
        let Some(format) = self.formats.get(&test) else { return Vec::new() };
        let mut terms = Vec::new();
        for found in self.evaluated(test.decision) {
            for condition in found.conditions.iter().filter(|found| found.condition == test.condition) {
                let Some(operands) = condition.operands else { continue };
                let relation = boundary_term(pool, *format, operands, boundary);
                terms.push(pool.mk(Op::And, &[self.is_there(found, condition), relation]));
            }
        }
        terms
    }

    /// A path through a decision, in each of its evaluations.
    fn path(&self, pool: &mut Pool, decision: DecisionId, path: &Path) -> Vec<TermId> {
        self.evaluated(decision).iter().filter_map(|found| self.path_in(pool, found, path)).collect()
    }

    fn path_in(&self, pool: &mut Pool, found: &Evaluated, path: &Path) -> Option<TermId> {
        let conditions = &self.program.decisions[found.decision.index()].conditions;
        let mut term = found.reach;
        for (index, value) in path.values.iter().enumerate() {
            let Some(value) = value else { continue };
            if conditions[index].constant.is_some() {
                continue;
            }
            // A condition that no run evaluates is on no path.
            let condition = found.conditions.iter().find(|found| found.condition as usize == index)?;
            let has_value = negated_if(pool, condition.value, !value);
            term = pool.mk(Op::And, &[term, has_value]);
            if self.evaluation == EvaluationMode::ShortCircuit {
                term = pool.mk(Op::And, &[term, condition.evaluated]);
            }
        }
        Some(term)
    }
}

fn negated_if(pool: &mut Pool, term: TermId, negate: bool) -> TermId {
    if negate { pool.not(term) } else { term }
}

/// The disjunction.
pub fn any(pool: &mut Pool, terms: &[TermId]) -> TermId {
    let none = pool.truth(false);
    terms.iter().fold(none, |all, term| pool.mk(Op::Or, &[all, *term]))
}
