//! Events as terms over the inputs.

use super::beyond::{Later, evaluated_once};
use super::routes::Routes;
use crate::goals::{Evaluation, Event, Path, Route, paths};
use nub_bitvec::{Op, Pool, Sort, TermId, Value};
use nub_c_ir::{DecisionId, Outcome, Program, Test};
use nub_unroll::{Evaluation as Evaluated, Unrolled};
use rustc_hash::{FxHashMap, FxHashSet};

/// Makes terms of events. Each event is the disjunction over all its dynamic occurrences, and over the places where runs are cut
/// before it.
pub struct Events<'u> {
    program: &'u Program,
    evaluation: Evaluation,
    /// Evaluations by decision.
    evaluated: FxHashMap<DecisionId, Vec<Evaluated>>,
    /// Guards by statement.
    executed: FxHashMap<nub_c_ir::StatementId, Vec<TermId>>,
    overs: Vec<(Later, TermId)>,
    /// Decisions that a run evaluates once at most.
    once: FxHashSet<DecisionId>,
    /// The ways that runs which were cut take through these decisions later: a variable each.
    choices: FxHashMap<DecisionId, TermId>,
    /// Ways by decision, made when needed.
    paths: FxHashMap<DecisionId, Vec<Path>>,
    routes: Routes<'u>,
}

impl<'u> Events<'u> {
    /// Sorts what the unrolled program has by what it belongs to.
    pub fn new(
        program: &'u Program,
        unrolled: &mut Unrolled,
        routes: &'u [Route],
        evaluation: Evaluation,
    ) -> Events<'u> {
        let routes = Routes::new(program, unrolled, routes);
        let unrolled = &*unrolled;
        let mut evaluated: FxHashMap<DecisionId, Vec<Evaluated>> = FxHashMap::default();
        for found in &unrolled.decisions {
            evaluated.entry(found.decision).or_default().push(found.clone());
        }
        let mut executed: FxHashMap<_, Vec<TermId>> = FxHashMap::default();
        for found in &unrolled.statements {
            executed.entry(found.statement).or_default().push(found.guard);
        }
        let overs: Vec<(Later, TermId)> =
            unrolled.over.iter().map(|over| (Later::new(program, unrolled, over), over.guard)).collect();
        let once = match overs.is_empty() {
            true => FxHashSet::default(),
            false => evaluated_once(program, unrolled.function),
        };
        let (paths, choices) = (FxHashMap::default(), FxHashMap::default());
        Events { program, evaluation, evaluated, executed, overs, once, choices, paths, routes }
    }

    /// The term of an event: one bit.
    pub fn term(&mut self, pool: &mut Pool, event: Event) -> TermId {
        let mut ways = self.within(pool, event);
        let overs = self.overs.iter().filter(|(later, _)| later.contains(event)).map(|(_, guard)| *guard);
        let overs: Vec<TermId> = overs.collect();
        if !overs.is_empty() {
            let later = any(pool, &overs);
            ways.push(match self.chosen(pool, event) {
                Some(chosen) => pool.mk(Op::And, &[later, chosen]),
                None => later,
            });
        }
        any(pool, &ways)
    }

    /// Of a decision that is evaluated once, a run that was cut takes one way, whichever it is. Without this it could do all at once, and no
    /// two goals behind a loop would exclude each other.
    fn chosen(&mut self, pool: &mut Pool, event: Event) -> Option<TermId> {
        let decision = match event {
            Event::Outcome(decision, _) | Event::Path(decision, _) => decision,
            Event::Condition(test, _) => test.decision,
            Event::Statement(_) | Event::Route(_) => return None,
        };
        if !self.once.contains(&decision) {
            return None;
        }
        if let Event::Outcome(_, Outcome::Case(case)) = event {
            return Some(self.is_number(pool, decision, case));
        }
        if let Event::Outcome(_, Outcome::Default) = event {
            return Some(self.is_number(pool, decision, u32::MAX));
        }
        if self.paths(decision).is_empty() {
            return None;
        }
        let has = |(index, path): (u32, &Path)| {
            let fits = match event {
                Event::Outcome(_, outcome) => path.outcome == (outcome == Outcome::True),
                Event::Condition(test, value) => path.values[test.condition as usize] == Some(value),
                _ => Event::Path(decision, index) == event,
            };
            fits.then_some(index)
        };
        let fitting: Vec<u32> = (0..).zip(self.paths(decision)).filter_map(has).collect();
        let ways: Vec<TermId> =
            fitting.into_iter().map(|index| self.is_number(pool, decision, index)).collect();
        Some(any(pool, &ways))
    }

    /// The run that was cut takes the way with this number.
    fn is_number(&mut self, pool: &mut Pool, decision: DecisionId, number: u32) -> TermId {
        let variable = *self.choices.entry(decision).or_insert_with(|| pool.var(Sort::Bits(u32::BITS)));
        let number = pool.constant(Value::from_u64(u32::BITS, u64::from(number)));
        pool.mk(Op::Eq, &[variable, number])
    }

    /// Within the bounds.
    fn within(&mut self, pool: &mut Pool, event: Event) -> Vec<TermId> {
        match event {
            Event::Statement(statement) => self.executed.get(&statement).cloned().unwrap_or_default(),
            Event::Outcome(decision, wanted) => {
                let outcomes = self.evaluated(decision).iter().flat_map(|found| &found.outcomes);
                outcomes.filter(|(outcome, _)| *outcome == wanted).map(|(_, guard)| *guard).collect()
            }
            Event::Condition(test, value) => self.condition(pool, test, value),
            Event::Path(decision, index) => {
                let Some(path) = self.paths(decision).get(index as usize).cloned() else { return Vec::new() };
                self.path(pool, decision, &path)
            }
            Event::Route(route) => vec![self.routes.term(pool, route)],
        }
    }

    fn evaluated(&self, decision: DecisionId) -> &[Evaluated] {
        self.evaluated.get(&decision).map_or(&[], Vec::as_slice)
    }

    fn paths(&mut self, decision: DecisionId) -> &[Path] {
        let (program, evaluation) = (self.program, self.evaluation);
        // None if they are too many.
        let make = || paths(&program.decisions[decision.index()], evaluation).unwrap_or_default();
        self.paths.entry(decision).or_insert_with(make)
    }

    fn condition(&mut self, pool: &mut Pool, test: Test, value: bool) -> Vec<TermId> {
        let is_constant = self.program.decisions[test.decision.index()].conditions[test.condition as usize]
            .constant
            .is_some();
        if is_constant {
            // No branch is made for it: it is on the ways that have it.
            let with = |path: &&Path| path.values[test.condition as usize] == Some(value);
            let ways: Vec<Path> = self.paths(test.decision).iter().filter(with).cloned().collect();
            return ways.iter().flat_map(|path| self.path(pool, test.decision, path)).collect();
        }
        let mut terms = Vec::new();
        for found in self.evaluated(test.decision) {
            for condition in found.conditions.iter().filter(|found| found.condition == test.condition) {
                let is_there = match self.evaluation {
                    Evaluation::ShortCircuit => condition.evaluated,
                    Evaluation::All => found.reach,
                };
                let has_value = negated_if(pool, condition.value, !value);
                terms.push(pool.mk(Op::And, &[is_there, has_value]));
            }
        }
        terms
    }

    /// A way through a decision, in each of its evaluations.
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
            // A condition that no run evaluates is on no way.
            let condition = found.conditions.iter().find(|found| found.condition as usize == index)?;
            let has_value = negated_if(pool, condition.value, !value);
            term = pool.mk(Op::And, &[term, has_value]);
            if self.evaluation == Evaluation::ShortCircuit {
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
