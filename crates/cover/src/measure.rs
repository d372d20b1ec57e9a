//! Measures runs of the function with the terms of its unrolling, without a solver.

use crate::encode::Encoded;
use crate::existing::RunRefusal;
use crate::search::bitset::BitSet;
use crate::search::{AtomId, Behaviour, RunBatch, RunEvaluator};
use nub_bitvec::{Assignment, Datum, Evaluation, Evaluator, LANES, LaneEvaluator, TermId, Value};
use nub_unroll::Unrolled;
use std::cell::OnceCell;

/// Measures one run after the other.
pub struct Measure<'u> {
    unrolled: &'u Unrolled,
    /// The first group: exceeding the bounds, then guards and conditions of checks and of assumptions, then events.
    evaluator: Evaluator<'u>,
    n_leaving: usize,
    n_checks: usize,
    /// For each group: atoms, in the order of their terms. For the first group, those of events.
    atoms: Vec<Vec<AtomId>>,
    n_atoms: usize,
    /// Atoms below this one are events; the others belong to groups.
    n_events: usize,
    /// Created for the first batch.
    lanes: OnceCell<Option<RunLanes>>,
}

/// Evaluates the first group for many runs at once.
struct RunLanes {
    evaluator: LaneEvaluator,
    /// By variable: the position of the input.
    inputs: Vec<Option<usize>>,
}

/// A run of which only the events are known so far.
pub(crate) struct MeasuredRun {
    pub behaviour: Behaviour,
    evaluation: Evaluation,
}

impl<'u> Measure<'u> {
    /// Prepares: O(n log n) for n terms.
    pub fn new(unrolled: &'u Unrolled, encoded: &'u Encoded) -> Measure<'u> {
        Measure::with_groups(unrolled, encoded, &[])
    }

    /// The same, with groups of additional atoms and their terms. These atoms may have no literals.
    pub(crate) fn with_groups(
        unrolled: &'u Unrolled,
        encoded: &'u Encoded,
        groups: &[Vec<(TermId, AtomId)>],
    ) -> Measure<'u> {
        let leaving: Vec<TermId> = unrolled.leaving().collect();
        let checks: Vec<TermId> = unrolled.rules().flat_map(|check| [check.guard, check.condition]).collect();
        let assumes = unrolled.assumes.iter().flat_map(|assume| [assume.guard, assume.condition]);
        let events = encoded.events.values().map(|(term, _)| *term);
        let (n_leaving, n_checks) = (leaving.len(), checks.len());
        let mut terms: Vec<Vec<TermId>> =
            vec![leaving.into_iter().chain(checks).chain(assumes).chain(events).collect()];
        let mut atoms: Vec<Vec<AtomId>> = vec![encoded.events.values().map(|(_, atom)| *atom).collect()];
        for group in groups {
            terms.push(group.iter().map(|(term, _)| *term).collect());
            atoms.push(group.iter().map(|(_, atom)| *atom).collect());
        }
        let evaluator = Evaluator::with_groups(&unrolled.pool, &terms);
        let most = atoms.iter().flatten().map(|atom| atom.index() + 1).max().unwrap_or(0);
        let n_atoms = encoded.problem.n_atoms().max(most);
        let n_events = encoded.problem.n_atoms();
        Measure { unrolled, evaluator, n_leaving, n_checks, atoms, n_atoms, n_events, lanes: OnceCell::new() }
    }

    /// What a run with these inputs does; an error if it is not a valid run. O(n).
    pub fn run(&self, inputs: Vec<Value>) -> Result<Behaviour, RunRefusal> {
        let mut run = self.start(inputs)?;
        (1..self.atoms.len()).for_each(|group| self.add(&mut run, group));
        Ok(run.behaviour)
    }

    /// The same, without the groups of additional atoms.
    pub(crate) fn start(&self, inputs: Vec<Value>) -> Result<MeasuredRun, RunRefusal> {
        let evaluation = self.evaluator.start(&self.assignment(&inputs));
        let holds: Vec<bool> = self.evaluator.truths(&evaluation, 0).collect();
        Ok(MeasuredRun { behaviour: self.behaviour(inputs, &holds)?, evaluation })
    }

    fn assignment(&self, inputs: &[Value]) -> Assignment {
        let mut assignment = Assignment::new();
        for (input, value) in self.unrolled.inputs.iter().zip(inputs) {
            assignment.set(input.term, Datum::Bits(value.clone()));
        }
        self.unrolled.add_library_results(&mut assignment);
        assignment
    }

    /// The run in which these terms of the first group hold.
    fn behaviour(&self, inputs: Vec<Value>, holds: &[bool]) -> Result<Behaviour, RunRefusal> {
        let (leaves, rest) = holds.split_at(self.n_leaving);
        let (checked, rest) = rest.split_at(self.n_checks);
        let (assumed, happened) = rest.split_at(2 * self.unrolled.assumes.len());
        let broken = |pairs: &[bool]| pairs.chunks(2).position(|pair| pair[0] && !pair[1]);
        if leaves.contains(&true) {
            return Err(RunRefusal::Beyond);
        }
        if let Some(number) = broken(checked) {
            return Err(RunRefusal::BrokenRule(number));
        }
        if broken(assumed).is_some() {
            return Err(RunRefusal::Assumption);
        }
        let mut atoms = BitSet::new(self.n_atoms);
        for (atom, _) in self.atoms[0].iter().zip(happened).filter(|(_, is_true)| **is_true) {
            atoms.insert(atom.index());
        }
        Ok(Behaviour { atoms, inputs })
    }

    /// How many terms a group evaluates; the first group is 0.
    pub(crate) fn n_steps(&self, group: usize) -> usize {
        self.evaluator.n_steps(group)
    }

    /// The evaluator of the first group for many runs at once. `None` if runs are evaluated one by one: because of values that are not words, or of results
    /// that only the library knows.
    fn lanes(&self) -> Option<&RunLanes> {
        let make = || {
            let can_be = self.unrolled.library_calls.is_empty();
            let evaluator = self.evaluator.lanes().filter(|_| can_be)?;
            let input = |id: TermId| self.unrolled.inputs.iter().position(|input| input.term == id);
            let inputs = evaluator.variables().map(input).collect();
            Some(RunLanes { evaluator, inputs })
        };
        self.lanes.get_or_init(make).as_ref()
    }

    /// The same, if there is no other group.
    fn whole_lanes(&self) -> Option<&RunLanes> {
        if self.atoms.len() == 1 { self.lanes() } else { None }
    }

    /// What runs do, without the atoms of other groups.
    fn first_group(&self, lanes: &RunLanes, inputs: &[Vec<Value>]) -> RunBatch {
        // Variables that are not inputs are zero.
        let value = |variable: usize, run: usize| inputs.get(run)?.get(lanes.inputs[variable]?)?.to_u64();
        let holds = lanes.evaluator.run(|variable, run| value(variable, run).unwrap_or(0));
        self.batch(inputs.len(), &holds)
    }

    /// What runs do, of which each term of the first group has a bit for each run in which it holds.
    fn batch(&self, n_runs: usize, lanes: &[u64]) -> RunBatch {
        let (leaves, rest) = lanes.split_at(self.n_leaving);
        let (checked, rest) = rest.split_at(self.n_checks);
        let (assumed, happened) = rest.split_at(2 * self.unrolled.assumes.len());
        let broken = |pairs: &[u64]| pairs.chunks(2).fold(0, |all, pair| all | pair[0] & !pair[1]);
        let invalid = leaves.iter().fold(0, |all, lanes| all | lanes) | broken(checked) | broken(assumed);
        let given = if n_runs < LANES { (1 << n_runs) - 1 } else { u64::MAX };
        let valid = given & !invalid;
        let mut atoms = vec![0; self.n_atoms];
        for (atom, lanes) in self.atoms[0].iter().zip(happened) {
            atoms[atom.index()] |= lanes & valid;
        }
        RunBatch::new(valid, atoms)
    }

    /// Adds the atoms of a group that the run has; groups are numbered from 1. Called once for each group.
    pub(crate) fn add(&self, run: &mut MeasuredRun, group: usize) {
        self.evaluator.evaluate(&mut run.evaluation, group);
        let truths = self.evaluator.truths(&run.evaluation, group);
        for (atom, _) in self.atoms[group].iter().zip(truths).filter(|(_, is_true)| *is_true) {
            run.behaviour.atoms.insert(atom.index());
        }
    }
}

impl RunEvaluator for Measure<'_> {
    fn run(&self, inputs: Vec<Value>) -> Option<Behaviour> {
        Measure::run(self, inputs).ok()
    }

    fn batch_size(&self) -> usize {
        if self.whole_lanes().is_some() { RunBatch::SIZE } else { RunBatch::FEW }
    }

    fn may_have(&self, inputs: &[Vec<Value>], atoms: &[AtomId]) -> u64 {
        let Some(lanes) = self.lanes() else { return u64::MAX };
        let of_events: Vec<AtomId> =
            atoms.iter().copied().filter(|atom| atom.index() < self.n_events).collect();
        self.first_group(lanes, inputs).with_all(&of_events)
    }

    fn another(&self) -> Option<Box<dyn RunEvaluator + Send + '_>> {
        self.whole_lanes()?;
        let (evaluator, atoms) = (self.evaluator.clone(), self.atoms.clone());
        Some(Box::new(Measure { evaluator, atoms, lanes: OnceCell::new(), ..*self }))
    }

    fn run_batch(&self, inputs: &[Vec<Value>]) -> RunBatch {
        let Some(lanes) = self.whole_lanes() else {
            let runs: Vec<Option<Behaviour>> =
                inputs.iter().map(|inputs| RunEvaluator::run(self, inputs.clone())).collect();
            return RunBatch::of_runs(&runs);
        };
        self.first_group(lanes, inputs)
    }
}
