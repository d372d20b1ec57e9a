//! What happened in a concrete run.

use crate::encode::Events;
use crate::goals::{EvaluationMode, RunEvent, SourceGoal};
use crate::search::bitset::BitSet;
use nub_bitvec::{TermId, Value};
use nub_c_ir::{DecisionId, DecisionOutcome, Program, StatementId};
use nub_unroll::Unrolled;
use rustc_hash::{FxHashMap, FxHashSet};
use std::hash::{BuildHasher, Hash};

/// The events of all goals, with their numbers.
pub(crate) struct EventTable {
    events: Vec<RunEvent>,
    of_decision: FxHashMap<DecisionId, Vec<usize>>,
    of_statement: FxHashMap<StatementId, usize>,
}

impl EventTable {
    /// Each event of some goals once.
    pub fn new<'g>(goals: impl IntoIterator<Item = &'g SourceGoal>) -> EventTable {
        let mut events: Vec<RunEvent> =
            goals.into_iter().flat_map(|goal| goal.ways.iter().flatten().copied()).collect();
        events.sort_unstable();
        events.dedup();
        let mut of_decision: FxHashMap<DecisionId, Vec<usize>> = FxHashMap::default();
        let mut of_statement = FxHashMap::default();
        for (index, event) in events.iter().enumerate() {
            match event {
                RunEvent::Statement(statement) => _ = of_statement.insert(*statement, index),
                RunEvent::Outcome(decision, _) | RunEvent::Path(decision, _) => {
                    of_decision.entry(*decision).or_default().push(index);
                }
                RunEvent::Condition(test, _) | RunEvent::Boundary(test, _) => {
                    of_decision.entry(test.decision).or_default().push(index);
                }
                RunEvent::Route(_) => {}
            }
        }
        EventTable { events, of_decision, of_statement }
    }

    /// Number of events.
    pub fn len(&self) -> usize {
        self.events.len()
    }

    /// The number of an event.
    pub fn number(&self, event: &RunEvent) -> Option<usize> {
        self.events.binary_search(event).ok()
    }

    /// The events of a run that is valid. O(what it executed).
    pub fn happened(&self, program: &Program, unrolled: &mut Unrolled, evaluation: EvaluationMode) -> BitSet {
        let mut happened = BitSet::new(self.len());
        let statements: FxHashSet<StatementId> = unrolled
            .statements
            .iter()
            .filter(|found| is_true(unrolled, found.guard))
            .map(|found| found.statement)
            .collect();
        statements
            .iter()
            .filter_map(|id| self.of_statement.get(id))
            .for_each(|index| happened.insert(*index));
        let decisions: FxHashSet<DecisionId> =
            unrolled.decisions.iter().map(|found| found.decision).collect();
        let mut events = Events::new(program, unrolled, &[], evaluation);
        for index in decisions.iter().filter_map(|id| self.of_decision.get(id)).flatten() {
            let term = events.term(&mut unrolled.pool, self.events[*index]);
            if is_true(unrolled, term) {
                happened.insert(*index);
            }
        }
        happened
    }
}

/// Whether the term is constant and true.
pub(crate) fn is_true(unrolled: &Unrolled, term: TermId) -> bool {
    unrolled.pool.value(term).is_some_and(|value| !value.is_zero())
}

/// Whether a concrete run is valid: it ends, breaks no rule and no assumption, and stays within the model.
pub(crate) fn is_valid(unrolled: &Unrolled) -> bool {
    let is_false = |term: TermId| unrolled.pool.value(term).is_some_and(Value::is_zero);
    let holds = |guard: TermId, condition: TermId| is_false(guard) || is_true(unrolled, condition);
    unrolled.leaving().all(is_false)
        && unrolled.rules().all(|check| holds(check.guard, check.condition))
        && unrolled.assumes.iter().all(|assume| holds(assume.guard, assume.condition))
        && (is_true(unrolled, unrolled.returned)
            || unrolled.stops.iter().any(|stop| is_true(unrolled, stop.guard)))
}

/// What makes a run worth keeping: the values of conditions and outcomes of decisions, also in called functions, each with the magnitude of its
/// count.
pub(crate) fn features(unrolled: &Unrolled) -> Vec<u64> {
    let mut counts: FxHashMap<(DecisionId, u32, DecisionOutcome), u32> = FxHashMap::default();
    for found in &unrolled.decisions {
        for condition in found.conditions.iter().filter(|found| is_true(unrolled, found.evaluated)) {
            let value = if is_true(unrolled, condition.value) {
                DecisionOutcome::True
            } else {
                DecisionOutcome::False
            };
            *counts.entry((found.decision, condition.condition, value)).or_default() += 1;
        }
        if found.conditions.is_empty() {
            for (outcome, _) in found.outcomes.iter().filter(|(_, guard)| is_true(unrolled, *guard)) {
                *counts.entry((found.decision, 0, *outcome)).or_default() += 1;
            }
        }
    }
    let hasher = rustc_hash::FxBuildHasher;
    let feature = |(key, count): ((DecisionId, u32, DecisionOutcome), u32)| {
        let magnitude = u32::BITS - count.leading_zeros();
        hasher.hash_one((key, magnitude))
    };
    counts.into_iter().map(feature).collect()
}

/// Why a run is not valid: what it breaks, and where.
pub(crate) fn failures(unrolled: &Unrolled) -> Vec<u64> {
    let holds = |guard: TermId, condition: TermId| {
        unrolled.pool.value(guard).is_some_and(Value::is_zero) || is_true(unrolled, condition)
    };
    let overs = unrolled.over.iter().filter(|over| is_true(unrolled, over.guard));
    let rules = unrolled.rules().filter(|check| !holds(check.guard, check.condition));
    let assumes = unrolled.assumes.iter().filter(|assume| !holds(assume.guard, assume.condition));
    let mut found: Vec<u64> = overs.map(|over| hash((0, over.origin.statement))).collect();
    found.extend(rules.map(|check| hash((1, check.kind, check.origin.statement))));
    found.extend(assumes.map(|assume| hash((2, assume.origin.statement))));
    let departures = unrolled.departures.iter().filter(|departure| is_true(unrolled, departure.guard));
    found.extend(departures.map(|departure| hash((3, std::mem::discriminant(&departure.from)))));
    found
}

/// Two numbers that a run compared. To change the outcome, a run that has the first should have the second.
pub(crate) type Compared = (u64, u64);

/// The pairs of different numbers that a run compared, each once, those of the last comparisons last.
pub(crate) fn comparisons(unrolled: &Unrolled, cases: &CaseValues) -> Vec<Compared> {
    let number = |term: TermId| unrolled.pool.value(term).and_then(Value::to_u64);
    let mut seen: FxHashSet<Compared> = FxHashSet::default();
    let mut found = Vec::new();
    let mut add = |pair: Compared| {
        if pair.0 != pair.1 && seen.insert(pair) {
            found.push(pair);
        }
    };
    for evaluation in &unrolled.decisions {
        for operands in evaluation.conditions.iter().filter_map(|condition| condition.operands) {
            if let [Some(left), Some(right)] = operands.map(number) {
                add((left, right));
                add((right, left));
            }
        }
        let taken = evaluation.outcomes.iter().find(|(_, guard)| is_true(unrolled, *guard));
        if let (Some((DecisionOutcome::Case(number), _)), Some(values)) =
            (taken, cases.of.get(&evaluation.decision))
        {
            let is = values[*number as usize];
            values.iter().for_each(|other| add((is, *other)));
        }
    }
    found
}

/// The values of the cases of each `switch`.
pub(crate) struct CaseValues {
    of: FxHashMap<DecisionId, Vec<u64>>,
}

impl CaseValues {
    /// Those of all functions.
    pub fn new(program: &Program) -> CaseValues {
        let mut of = FxHashMap::default();
        for block in program.functions.iter().flat_map(|function| &function.blocks) {
            if let nub_c_ir::TerminatorKind::Switch { cases, decision, .. } = &block.terminator.kind {
                of.insert(*decision, cases.iter().map(|case| case.low as u64).collect());
            }
        }
        CaseValues { of }
    }
}

/// A number from what can be hashed.
pub(crate) fn hash(key: impl Hash) -> u64 {
    rustc_hash::FxBuildHasher.hash_one(key)
}
