//! Concrete runs as tests, for goals that no other test reaches.

use super::happened::is_true;
use super::search::{ConcreteRun, RunSearch, choose};
use crate::encode::{Encoded, UndefinedBehaviour, encode};
use crate::goals::{RunEvent, SourceGoal};
use crate::observe::{Observed, Observer};
use crate::options::Error;
use crate::replay::{Replayed, replay};
use crate::search::bitset::BitSet;
use crate::search::{Behaviour, CoveringSuite, GoalState};
use crate::task::Task;
use nub_bitvec::Value;
use nub_sat::SatLimits;
use nub_unroll::Unrolled;

/// Runs that are tried to make the inputs of tests plainer: of one test, and of all together.
const MAX_PLAINER: usize = 256;
const MAX_PLAINER_IN_ALL: usize = 1_024;

/// A concrete run as a test: its own unrolling, in which every term is a constant.
pub(crate) struct ConcreteTest {
    pub unrolled: Unrolled,
    pub encoded: Encoded,
    pub behaviour: Behaviour,
    pub observed: Observed,
    pub replayed: Replayed,
}

/// Concrete runs of the function under test.
pub(crate) struct Supplement<'s> {
    search: RunSearch<'s>,
    runs: Vec<ConcreteRun>,
}

impl<'s> Supplement<'s> {
    /// With runs that the search has found.
    pub fn new(search: RunSearch<'s>, runs: Vec<ConcreteRun>) -> Supplement<'s> {
        Supplement { search, runs }
    }

    /// The first run, for what all runs share.
    pub fn first(&mut self) -> Option<Unrolled> {
        self.search.again(&self.runs.first()?.inputs)
    }

    /// The runs.
    pub fn runs(&self) -> &[ConcreteRun] {
        &self.runs
    }

    /// Tests for the goals that a suite does not reach and that the runs reach. Their numbers follow those of the suite, which says from then on that
    /// these goals are covered. Each test has been evaluated and replayed like the others.
    pub fn complete(
        &mut self,
        task: &Task<'_>,
        suite: &mut CoveringSuite,
        until: &SatLimits,
    ) -> Result<Vec<ConcreteTest>, Error> {
        let seen = self.seen(task, suite);
        let needed = self.needed(task, suite, &seen);
        let chosen = choose(&self.runs, needed);
        let mut tests = Vec::with_capacity(chosen.len());
        for (run, _) in &chosen {
            let inputs = self.runs[*run].inputs.clone();
            tests.push(self.test(task, &inputs)?);
        }
        // Then, as long as there is time, with plainer inputs.
        let n_tries = MAX_PLAINER.min(MAX_PLAINER_IN_ALL / chosen.len().max(1));
        for (test, (run, duty)) in tests.iter_mut().zip(&chosen) {
            if until.cancel.is_cancelled() {
                break;
            }
            let inputs = self.plainer(*run, duty, n_tries, until);
            if inputs != self.runs[*run].inputs {
                *test = self.test(task, &inputs)?;
            }
        }
        for (goal, state) in task.goals.iter().zip(&mut suite.goals) {
            let shown = shown_by(task, goal, &suite.tests, &tests);
            if let Some(shown) = shown.filter(|_| is_missing(state)) {
                debug_assert!(*state != GoalState::Infeasible, "{} is reached", goal.id);
                *state = GoalState::Covered(shown);
            }
        }
        Ok(tests)
    }

    /// The events of the suite.
    fn seen(&self, task: &Task<'_>, suite: &CoveringSuite) -> BitSet {
        let mut seen = BitSet::new(self.search.table.len());
        for (event, (_, atom)) in &task.encoded.events {
            if let Some(number) = self.search.table.number(event)
                && suite.tests.iter().any(|test| test.has(*atom))
            {
                seen.insert(number);
            }
        }
        seen
    }

    /// The events that new tests need to have. For each goal that the runs can reach, together with the suite or alone, these are the fewest that are
    /// missing.
    fn needed(&self, task: &Task<'_>, suite: &CoveringSuite, seen: &BitSet) -> BitSet {
        let mut all = seen.clone();
        self.runs.iter().for_each(|run| all.union_with(&run.events));
        let mut needed = BitSet::new(self.search.table.len());
        for (goal, _) in task.goals.iter().zip(&suite.goals).filter(|(_, state)| is_missing(state)) {
            let numbers = |way: &Vec<RunEvent>| -> Option<Vec<usize>> {
                let numbers: Option<Vec<usize>> =
                    way.iter().map(|event| self.search.table.number(event)).collect();
                numbers.filter(|numbers| {
                    !numbers.is_empty() && numbers.iter().all(|number| all.contains(*number))
                })
            };
            let ways = goal.ways.iter().filter_map(numbers);
            let n_missing = |numbers: &Vec<usize>| {
                numbers.iter().filter(|number| !seen.contains(**number) && !needed.contains(**number)).count()
            };
            let best = ways.min_by_key(n_missing).unwrap_or_default();
            best.into_iter()
                .filter(|number| !seen.contains(*number))
                .for_each(|number| needed.insert(number));
        }
        needed
    }

    /// The inputs of a run with as many zeros as possible; it still has all events of its duty.
    fn plainer(
        &mut self,
        run: usize,
        duty: &BitSet,
        mut n_left: usize,
        until: &SatLimits,
    ) -> Vec<(String, Value)> {
        let mut best = self.runs[run].inputs.clone();
        let mut block = best.len().div_ceil(2);
        while block > 0 {
            let mut start = 0;
            while start < best.len() {
                let mut inputs = best.clone();
                let end = (start + block).min(inputs.len());
                let mut is_changed = false;
                // Values of one bit say whether pointers are null.
                for (_, value) in inputs[start..end].iter_mut().filter(|(_, value)| value.width() > 1) {
                    is_changed |= !value.is_zero();
                    *value = Value::zero(value.width());
                }
                start = end;
                if !is_changed {
                    continue;
                }
                if n_left == 0 || until.cancel.is_cancelled() {
                    return best;
                }
                n_left -= 1;
                if let Some((inputs, events)) = self.search.try_again(&inputs)
                    && duty.is_subset(&events)
                {
                    best = inputs;
                }
            }
            block /= 2;
        }
        best
    }

    /// The test with these inputs. A disagreement about what it does is a defect of nub.
    fn test(&mut self, task: &Task<'_>, inputs: &[(String, Value)]) -> Result<ConcreteTest, Error> {
        let lost = || Error::Internal("a concrete run cannot be repeated".to_owned());
        let mut unrolled = self.search.again(inputs).ok_or_else(lost)?;
        let (program, evaluation) = (task.source.program, task.reading.evaluation);
        let none = SatLimits::none();
        let excluded = UndefinedBehaviour::Excluded;
        let encoded = encode(program, &mut unrolled, task.goals, &[], evaluation, excluded, &none)
            .map_err(|obstacle| Error::Internal(obstacle.to_string()))?;
        let mut atoms = BitSet::new(encoded.problem.n_atoms());
        for (_, atom) in encoded.events.values().filter(|(term, _)| is_true(&unrolled, *term)) {
            atoms.insert(atom.index());
        }
        let values = unrolled.inputs.iter().map(|input| unrolled.pool.value(input.term).cloned());
        let inputs = values.collect::<Option<Vec<Value>>>().ok_or_else(lost)?;
        let behaviour = Behaviour { atoms, inputs };
        let observed = Observer::new(program, &unrolled, &encoded).observe(&behaviour);
        let observed = observed.map_err(|defect| Error::Internal(defect.to_string()))?;
        let replayed = replay(task.source, &unrolled, &encoded, evaluation, &behaviour, &observed)
            .map_err(|difference| Error::Internal(difference.to_string()))?;
        Ok(ConcreteTest { unrolled, encoded, behaviour, observed, replayed })
    }
}

/// Whether a test for the goal is wanted.
fn is_missing(state: &GoalState) -> bool {
    !matches!(state, GoalState::Covered(_) | GoalState::LeftOut)
}

/// The one or two tests that show a goal, those of the suite first.
fn shown_by(
    task: &Task<'_>,
    goal: &SourceGoal,
    tests: &[Behaviour],
    concrete: &[ConcreteTest],
) -> Option<Vec<usize>> {
    let first = |event: &RunEvent| {
        let of_suite = tests.iter().position(|test| test.has(task.encoded.events[event].1));
        let has = |test: &ConcreteTest| test.behaviour.has(test.encoded.events[event].1);
        of_suite.or_else(|| concrete.iter().position(has).map(|at| tests.len() + at))
    };
    goal.ways.iter().filter(|way| !way.is_empty()).find_map(|way| {
        let mut shown: Vec<usize> = way.iter().map(first).collect::<Option<_>>()?;
        shown.dedup();
        Some(shown)
    })
}
