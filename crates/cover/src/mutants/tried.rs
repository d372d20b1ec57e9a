//! Values that kill mutants, found by running the mutants in the interpreter. This is the only way where clauses with all mutants would be too many.
//!
//! A mutant that takes much longer than the function counts as killed here, which only decides between values; the report runs it again.

use super::aim::Aim;
use super::effort::SharpeningEffort;
use super::moves::{IdleMoves, Moves, RunTrial};
use super::mutated_program::{MutatedProgram, has_same_inputs};
use super::rerun::{MutantHost, Rerun, Verdict};
use super::text::mutated;
use super::{MIN_SHARPENING, Mutation, N_SHARPENING};
use crate::measure::Measure;
use crate::search::bitset::BitSet;
use crate::search::{
    self, AtomId, Behaviour, CoverSearchConfig, CoveringSuite, GoalState, Knowledge, SuiteObjective,
};
use crate::task::Task;
use nub_bitvec::Value;
use nub_c_ir::FunctionId;
use nub_random::Rng;
use nub_unroll::{Unrolled, unroll};
use std::cell::Cell;

/// The largest number of moves, and the smallest for which reading the mutants is worthwhile.
const MAX_TRIES: usize = 4_000;
const MIN_TRIES: usize = 50;
/// Total size of all mutants in bytes.
const MAX_TEXT: usize = 500_000;
/// At most this many runs of the solver are run again.
const MAX_SEEN: usize = 500;
/// Moves times terms: a move evaluates all terms of the function.
const MAX_WORK: usize = 4_000_000;
/// Steps of a mutant, and steps for each step of the function.
const MIN_STEPS_EACH: u64 = 2_000;
const STEPS_PER_STEP: u64 = 4;

/// Moves that kill no other mutant: running mutants is expensive.
const IDLE: IdleMoves = IdleMoves { each: 300, per_move: 0 };

/// Runs of the function and of its mutants.
struct ByInterpreter<'i> {
    program: &'i MutatedProgram,
    unrolled: &'i Unrolled,
    measure: &'i Measure<'i>,
    /// The number of atoms for goals; those for mutants follow.
    n_goal_atoms: usize,
    /// When they are used up, no run is started.
    n_steps_left: Cell<u64>,
}

/// A run of the function, which the interpreter executes only if it is checked against a mutant.
struct InterpretedTrial<'i> {
    behaviour: Behaviour,
    rerun: Option<Rerun<'i>>,
}

impl ByInterpreter<'_> {
    fn n_atoms(&self) -> usize {
        self.n_goal_atoms + self.program.list.len()
    }

    fn kill(&self, mutant: usize) -> AtomId {
        AtomId((self.n_goal_atoms + mutant) as u32)
    }

    fn kills(&self) -> Vec<AtomId> {
        (0..self.program.list.len()).map(|mutant| self.kill(mutant)).collect()
    }

    fn is_told_apart(&self, rerun: &Rerun<'_>, mutant: FunctionId) -> bool {
        let most = MIN_STEPS_EACH + STEPS_PER_STEP * rerun.n_steps();
        let (verdict, n_steps) = rerun.verdict_within(mutant, most);
        self.n_steps_left.set(self.n_steps_left.get().saturating_sub(n_steps));
        matches!(verdict, Verdict::Killed | Verdict::TimedOut)
    }

    /// A run about which everything is known.
    fn run(&self, inputs: Vec<Value>) -> Option<Behaviour> {
        let mut run = self.reach(inputs)?;
        (0..self.program.list.len()).try_for_each(|mutant| self.ask(&mut run, mutant))?;
        Some(run.behaviour)
    }

    /// The same, if it kills one of these mutants.
    fn run_for(&self, inputs: Vec<Value>, mutants: &[usize]) -> Option<Behaviour> {
        let mut run = self.reach(inputs)?;
        mutants.iter().try_for_each(|mutant| self.ask(&mut run, *mutant))?;
        mutants.iter().any(|mutant| run.behaviour.has(self.kill(*mutant))).then_some(())?;
        let others = (0..self.program.list.len()).filter(|mutant| !mutants.contains(mutant));
        others.into_iter().try_for_each(|mutant| self.ask(&mut run, mutant))?;
        Some(run.behaviour)
    }

    /// A run that has the atoms: goals are checked first, then mutants, until one is missing.
    fn run_with(&self, inputs: Vec<Value>, duty: &[AtomId]) -> Option<Behaviour> {
        let mut run = self.reach(inputs)?;
        let (goals, kills): (Vec<AtomId>, Vec<AtomId>) =
            duty.iter().partition(|atom| atom.index() < self.n_goal_atoms);
        goals.iter().all(|goal| run.behaviour.has(*goal)).then_some(())?;
        for kill in kills {
            self.ask(&mut run, kill.index() - self.n_goal_atoms)?;
            run.behaviour.has(kill).then_some(())?;
        }
        Some(run.behaviour)
    }
}

impl<'i> RunTrial for ByInterpreter<'i> {
    type Run = InterpretedTrial<'i>;
    const PATIENCE: u32 = 300;

    fn reach(&self, inputs: Vec<Value>) -> Option<InterpretedTrial<'i>> {
        if self.n_steps_left.get() == 0 {
            return None;
        }
        let run = self.measure.run(inputs).ok()?;
        let mut atoms = BitSet::new(self.n_atoms());
        run.atoms.iter().for_each(|atom| atoms.insert(atom));
        Some(InterpretedTrial { behaviour: Behaviour { atoms, ..run }, rerun: None })
    }

    fn behaviour<'r>(&self, run: &'r InterpretedTrial<'i>) -> &'r Behaviour {
        &run.behaviour
    }

    fn ask(&self, run: &mut InterpretedTrial<'i>, mutant: usize) -> Option<()> {
        if run.rerun.is_none() {
            let host = MutantHost { program: &self.program.program, unrolled: self.unrolled };
            run.rerun = Rerun::new(host, &run.behaviour.inputs);
        }
        if self.is_told_apart(run.rerun.as_ref()?, self.program.list[mutant].1) {
            run.behaviour.atoms.insert(self.kill(mutant).index());
        }
        Some(())
    }
}

/// A search for values with the interpreter.
pub(super) struct ValueTrial<'t> {
    pub task: &'t Task<'t>,
    pub mutation: &'t Mutation,
    pub config: &'t CoverSearchConfig,
    pub goals: &'t [SuiteObjective],
    /// Runs that the solver has found.
    pub seen: &'t Knowledge,
}

impl ValueTrial<'_> {
    /// The tests of a suite with values that kill more, from runs that the solver has found and by trying; `None` if the tests have to stay as they
    /// are.
    pub fn improved(&self, suite: &CoveringSuite) -> Option<Vec<Behaviour>> {
        let (original, of) = (self.task.source.program, self.task.unrolled.function);
        let effort = SharpeningEffort::of(self.mutation);
        let n_tries = MAX_TRIES.min(MAX_WORK / self.task.unrolled.pool.len().max(1));
        let n_mutants = N_SHARPENING.min(MAX_TEXT / original.function(of).span.len().max(1));
        if n_tries < MIN_TRIES || n_mutants < MIN_SHARPENING || self.config.limits.cancel.is_cancelled() {
            return None;
        }
        let text = mutated(self.task.source.text, &original.function(of).name, n_mutants)?;
        let program = MutatedProgram::read(&self.mutation.read, text, original, of)?;
        let unrolled = unroll(&program.program, program.function, self.task.config).ok()?;
        if !has_same_inputs(&unrolled, self.task.unrolled)
            || unrolled.inputs.len() != self.task.unrolled.inputs.len()
        {
            return None;
        }
        let measure = Measure::new(self.task.unrolled, self.task.encoded);
        let trial = ByInterpreter {
            program: &program,
            unrolled: &unrolled,
            measure: &measure,
            n_goal_atoms: self.task.encoded.problem.n_atoms(),
            n_steps_left: Cell::new(effort.steps),
        };
        let tests: Option<Vec<Behaviour>> =
            suite.tests.iter().map(|test| trial.run(test.inputs.clone())).collect();
        let mut tests = tests?;
        let is_covered = |state: &GoalState| matches!(state, GoalState::Covered(_));
        let reached = self.goals.iter().zip(&suite.goals).filter(|(_, state)| is_covered(state));
        let reached: Vec<&SuiteObjective> = reached.map(|(goal, _)| goal).collect();
        let kills = trial.kills();
        let aim = Aim {
            goals: &reached,
            kills: &kills,
            suspects: &[],
            most: kills.len(),
            n_atoms: trial.n_atoms(),
        };
        let (inputs, favourites) = (&self.task.encoded.problem.inputs[..], &self.config.favourites);
        let moves = Moves { aim, trial: &trial, inputs, favourites, idle: IDLE, limits: &self.config.limits };
        let mut known = Knowledge::new(trial.n_atoms());
        let own = |run: &Behaviour| run.inputs.iter().take(inputs.len()).cloned().collect();
        let is_missed = |mutant: &usize| !tests.iter().any(|test| test.has(kills[*mutant]));
        let missed: Vec<usize> = (0..kills.len()).filter(is_missed).collect();
        let seen = self.seen.behaviours().iter().rev().take(n_tries.min(MAX_SEEN));
        seen.filter_map(|run| trial.run_for(own(run), &missed)).for_each(|run| known.saw(run));
        aim.choose(&known, &mut tests, &self.config.limits);
        moves.improve(&mut tests, &mut known, n_tries, &mut Rng::new(self.config.seed));
        aim.choose(&known, &mut tests, &self.config.limits);
        trial.n_steps_left.set(effort.steps);
        let killed: Vec<SuiteObjective> = (kills.iter())
            .filter(|kill| tests.iter().any(|test| test.has(**kill)))
            .map(|kill| SuiteObjective::Atom(*kill))
            .collect();
        let wanted: Vec<&SuiteObjective> = reached.iter().copied().chain(&killed).collect();
        let try_run = |inputs: Vec<Value>, duty: &[AtomId]| trial.run_with(inputs, duty);
        let trials = search::RunTrials { try_run: &try_run, may_have: None };
        let tests =
            search::polish_by_trying(trials, inputs, tests, &wanted, favourites, &self.config.closing);
        let tests: Option<Vec<Behaviour>> =
            tests.into_iter().map(|test| measure.run(test.inputs).ok()).collect();
        let tests = tests?;
        let all = search::union(trial.n_goal_atoms, &tests);
        reached.iter().all(|goal| search::is_covered(goal, &all)).then_some(tests)
    }
}
