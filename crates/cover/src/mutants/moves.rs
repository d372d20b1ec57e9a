//! Values that kill mutants, found by trying: evaluating a run is cheap where a question to the solver is not.
//!
//! A move gives one input of one test, or two, another value: a constant of the source or its neighbour, the next number, a number of another test or
//! of another input, or a random one. It is kept if all goals are still reached and no fewer mutants are killed, so that the search leaves plateaus.
//! Runs are remembered, for a selection among them.
//!
//! Most moves lose a goal, and most mutants are killed by several tests: a run is checked against a mutant only if no other test is known to kill it,
//! first against those that the old values killed, and only as long as the move can still be kept.

use super::aim::Aim;
use crate::search::bitset::BitSet;
use crate::search::{Behaviour, Favourites, Knowledge, Neighbours, ProgramInput};
use nub_bitvec::Value;
use nub_random::Rng;
use nub_sat::SatLimits;

/// What a run does, found without a solver.
pub(super) trait RunTrial {
    /// A run of which the goals are known.
    type Run;

    /// A mutant that this many runs in one search did not kill is not checked any more.
    const PATIENCE: u32;

    /// Runs the function; `None` if it is not a valid run.
    fn reach(&self, inputs: Vec<Value>) -> Option<Self::Run>;

    /// What is known about it.
    fn behaviour<'r>(&self, run: &'r Self::Run) -> &'r Behaviour;

    /// Finds out whether it kills a mutant; `None` if that is not possible. Called at most once for each mutant.
    fn ask(&self, run: &mut Self::Run, mutant: usize) -> Option<()>;
}

/// How long moves that kill no other mutant are tried.
#[derive(Clone, Copy)]
pub(super) struct IdleMoves {
    /// In a row, for each test.
    pub each: usize,
    /// Plus this many for every move up to the last one that killed another mutant.
    pub per_move: usize,
}

/// A run, and the mutants that it was checked against.
struct Asked<R> {
    run: Seen<R>,
    mutants: BitSet,
}

/// A run of the trial, or one about which everything is known.
enum Seen<R> {
    Tried(R),
    Known(Behaviour),
}

/// A search by moves.
pub(super) struct Moves<'m, T: RunTrial> {
    pub aim: Aim<'m>,
    pub trial: &'m T,
    /// Those that may change: the first ones of a run.
    pub inputs: &'m [ProgramInput],
    pub favourites: &'m Favourites,
    pub idle: IdleMoves,
    pub limits: &'m SatLimits,
}

impl<T: RunTrial> Moves<'_, T> {
    /// Improves the tests with up to `n_tries` moves. They reach the same goals.
    pub fn improve(&self, tests: &mut Vec<Behaviour>, known: &mut Knowledge, n_tries: usize, rng: &mut Rng) {
        if tests.is_empty() || self.inputs.is_empty() {
            return;
        }
        let neighbours = Neighbours::new(self.inputs, self.favourites);
        let mut best = self.aim.worth_of(tests);
        let n_mutants = self.aim.kills.len();
        let all_asked =
            |test: &Behaviour| Asked { run: Seen::Known(test.clone()), mutants: BitSet::full(n_mutants) };
        let mut list: Vec<Asked<T::Run>> = tests.iter().map(all_asked).collect();
        let mut doubts = vec![0; n_mutants];
        let (mut n_idle, mut n_useful) = (0, 0);
        for tried in 0..n_tries {
            let max_idle = self.idle.each * list.len() + self.idle.per_move * n_useful;
            let is_over = best.0 == self.aim.most || n_idle > max_idle;
            if is_over || self.limits.cancel.is_cancelled() {
                break;
            }
            n_idle += 1;
            let at = rng.below(list.len());
            let inputs_of = |test: usize| self.behaviour(&list[test]).inputs.as_slice();
            let inputs = neighbours.of(inputs_of(at), |rng| inputs_of(rng.below(list.len())), rng);
            if inputs == self.behaviour(&list[at]).inputs {
                continue;
            }
            let Some(run) = self.trial.reach(inputs) else { continue };
            let mut run = Asked { run: Seen::Tried(run), mutants: BitSet::new(n_mutants) };
            let Some(now) = self.weigh(&mut list, at, &mut run, best, &mut doubts) else { continue };
            known.saw(self.behaviour(&run).clone());
            if now >= best {
                if now > best {
                    (n_idle, n_useful) = (0, tried + 1);
                }
                best = now;
                list[at] = run;
            }
        }
        *tests = list.into_iter().map(|run| self.completed(run)).collect();
    }

    fn behaviour<'r>(&self, asked: &'r Asked<T::Run>) -> &'r Behaviour {
        match &asked.run {
            Seen::Tried(run) => self.trial.behaviour(run),
            Seen::Known(behaviour) => behaviour,
        }
    }

    /// Whether the run kills the mutant. `None` if that cannot be found out.
    fn ask(&self, asked: &mut Asked<T::Run>, mutant: usize) -> Option<bool> {
        if let Seen::Tried(run) = &mut asked.run
            && !asked.mutants.contains(mutant)
        {
            self.trial.ask(run, mutant)?;
            asked.mutants.insert(mutant);
        }
        Some(self.behaviour(asked).has(self.aim.kills[mutant]))
    }

    /// The run with everything that can be found out about it.
    fn completed(&self, mut asked: Asked<T::Run>) -> Behaviour {
        for mutant in 0..self.aim.kills.len() {
            if self.ask(&mut asked, mutant).is_none() {
                break;
            }
        }
        self.behaviour(&asked).clone()
    }

    /// The value of the tests with this run instead of one of them; `None` if a goal is lost, or it is worth less than `best`. `doubts` counts for
    /// each mutant the consecutive runs that did not kill it.
    fn weigh(
        &self,
        list: &mut [Asked<T::Run>],
        at: usize,
        run: &mut Asked<T::Run>,
        best: (usize, usize),
        doubts: &mut [u32],
    ) -> Option<(usize, usize)> {
        let mut all = BitSet::new(self.aim.n_atoms);
        let others = (0..list.len()).filter(|other| *other != at);
        others.clone().for_each(|other| all.union_with(&self.behaviour(&list[other]).atoms));
        let mut with_run = all.clone();
        with_run.union_with(&self.behaviour(run).atoms);
        if !self.aim.is_reached(&with_run) {
            return None;
        }
        let is_killed = |mutant: &usize| all.contains(self.aim.kills[*mutant].index());
        let mut n_killed = (0..self.aim.kills.len()).filter(is_killed).count();
        let is_asked = |mutant: &usize| !is_killed(mutant) && doubts[*mutant] < T::PATIENCE;
        let mut open: Vec<usize> = (0..self.aim.kills.len()).filter(is_asked).collect();
        // First those that the old values kill: if they are lost, so is the move.
        open.sort_by_key(|mutant| !self.behaviour(&list[at]).has(self.aim.kills[*mutant]));
        for (n_asked, mutant) in open.iter().enumerate() {
            if n_killed + open.len() - n_asked < best.0 {
                return None;
            }
            let mut is_killed = self.ask(run, *mutant)?;
            for other in others.clone() {
                is_killed = is_killed || self.ask(&mut list[other], *mutant)?;
            }
            n_killed += usize::from(is_killed);
            doubts[*mutant] = if is_killed { 0 } else { doubts[*mutant] + 1 };
        }
        if n_killed < best.0 {
            return None;
        }
        let mut all = self.behaviour(run).atoms.clone();
        others.for_each(|other| all.union_with(&self.behaviour(&list[other]).atoms));
        Some(self.aim.worth(&all))
    }
}
