//! Runs that are worth much, found by trying: the inputs of a run change a little, and the change is kept if the run is worth no less.
//!
//! Evaluating a run takes microseconds. A question to the solver finds the best run, and proves that it is, but the fractional problem needs
//! thousands of good ones first.

use super::batch::PricedNeed;
use super::bitset::BitSet;
use super::boundary_values::BoundaryValues;
use super::explorer::Evaluate;
use super::knowledge::Behaviour;
use super::neighbours::Neighbours;
use super::polish::Favourites;
use super::pool::RunPool;
use super::problem::{AtomId, Problem};
use nub_bitvec::Value;
use nub_random::Rng;
use nub_sat::SatLimits;

/// Rounds from one start.
const N_ROUNDS: usize = 40;
/// Changes of one run that are tried in a round, if more runs than that are evaluated at once.
const N_CHANGES: usize = 16;
/// What a need is worth after a run of the same call that meets it.
const DISCOUNT: f64 = 0.5;

/// Climbs to runs of greater worth.
pub(super) struct Climb<'c> {
    evaluate: Evaluate<'c>,
    neighbours: Neighbours,
    boundaries: BoundaryValues,
}

/// The end of a climb.
pub(super) struct ClimbedRun {
    pub run: Behaviour,
    pub worth: f64,
}

/// From which runs to climb.
pub(super) struct Starts<'s> {
    /// Known runs that are tests and part of the fractional solution.
    pub taken: &'s [usize],
    /// A run that is worth much.
    pub near: Option<&'s Behaviour>,
    /// About how many climbs.
    pub n_climbs: usize,
}

impl<'c> Climb<'c> {
    /// `None` if there are no inputs.
    pub fn new(problem: &Problem, evaluate: Evaluate<'c>, favourites: &Favourites) -> Option<Climb<'c>> {
        let inputs = &problem.inputs;
        let neighbours = Neighbours::new(inputs, favourites);
        let boundaries = BoundaryValues::new(inputs, favourites.constants());
        (!inputs.is_empty()).then_some(Climb { evaluate, neighbours, boundaries })
    }

    /// How many climbs should share the evaluations of a round.
    pub fn n_together(&self) -> usize {
        (self.evaluate.batch_size() / N_CHANGES).max(1)
    }

    /// For each of these runs, at most as many as a batch has, a run that is worth at least as much, and what it is worth. `other` gives the inputs of some other run.
    pub fn from<'r>(
        &self,
        starts: &[&Behaviour],
        other: impl Fn(&mut Rng) -> &'r [Value],
        wanted: &[PricedNeed<'_>],
        rng: &mut Rng,
    ) -> Vec<ClimbedRun> {
        let first =
            |start: &&Behaviour| ClimbedRun { run: (*start).clone(), worth: worth(wanted, &start.atoms) };
        let mut best: Vec<ClimbedRun> = starts.iter().map(first).collect();
        let share = (self.evaluate.batch_size() / best.len().max(1)).max(1);
        for _ in 0..N_ROUNDS {
            let near: Vec<Vec<Value>> = (0..share * best.len())
                .map(|at| self.changed(&best[at / share].run.inputs, &other, rng))
                .collect();
            let worths = self.evaluate.run_batch(&near).worths(wanted);
            for (inputs, (own, its)) in near.into_iter().zip((0..).map(|at| at / share).zip(worths)) {
                if its >= best[own].worth && inputs != best[own].run.inputs {
                    (best[own].run.inputs, best[own].worth) = (inputs, its);
                }
            }
        }
        let last: Vec<Vec<Value>> = best.iter().map(|own| own.run.inputs.clone()).collect();
        let batch = self.evaluate.run_batch(&last);
        best.iter_mut().enumerate().for_each(|(at, own)| own.run.atoms = batch.atoms_of(at));
        best
    }

    fn changed<'r>(
        &self,
        run: &[Value],
        other: impl Fn(&mut Rng) -> &'r [Value],
        rng: &mut Rng,
    ) -> Vec<Value> {
        if rng.below(3) == 0 {
            return self.neighbours.of(run, other, rng);
        }
        let mut inputs = run.to_vec();
        for _ in 0..1 + usize::from(rng.below(3) == 0) {
            self.boundaries.change(&mut inputs, rng);
        }
        inputs
    }

    /// Runs that are worth much if each need has this price, some of them near the given one.
    pub fn dear_runs(
        &self,
        pool: &RunPool,
        prices: &[f64],
        starts: &Starts<'_>,
        rng: &mut Rng,
        limits: &SatLimits,
    ) -> Vec<Behaviour> {
        let is_test = |run: &usize| pool.test(*run).is_some();
        let all: Vec<usize> = (0..pool.met().len()).filter(is_test).collect();
        // Needs that a new run meets are worth less to the next ones, so that the runs differ.
        let priced = pool.needs().iter().zip(prices.iter().copied()).filter(|(_, price)| *price > 0.0);
        let mut priced: Vec<PricedNeed<'_>> =
            priced.map(|(need, price)| PricedNeed { atoms: &need.atoms, price }).collect();
        let test =
            |runs: &[usize], rng: &mut Rng| runs.get(rng.below(runs.len())).and_then(|run| pool.test(*run));
        let near = starts.near.and_then(|run| self.evaluate.run(run.inputs.clone()));
        let mut found: Vec<Behaviour> = near.clone().into_iter().collect();
        let (taken, n_together) = (starts.taken, self.n_together());
        for count in (0..starts.n_climbs).step_by(n_together) {
            if limits.cancel.is_cancelled() {
                break;
            }
            let start = |count: usize, rng: &mut Rng| match &near {
                Some(run) if count.is_multiple_of(2) => Some(run),
                _ => test(if count % 4 == 3 { &all } else { taken }, rng),
            };
            let starts: Vec<&Behaviour> =
                (count..count + n_together).filter_map(|count| start(count, rng)).collect();
            let Some(first) = starts.first() else { continue };
            let other = |rng: &mut Rng| test(&all, rng).map_or(&first.inputs, |run| &run.inputs).as_slice();
            for climbed in self.from(&starts, other, &priced, rng) {
                let own = priced.iter_mut().filter(|need| is_met(need.atoms, &climbed.run.atoms));
                own.for_each(|need| need.price *= DISCOUNT);
                found.push(climbed.run);
            }
        }
        found
    }
}

fn is_met(need: &[AtomId], atoms: &BitSet) -> bool {
    need.iter().any(|atom| atoms.contains(atom.index()))
}

fn worth(wanted: &[PricedNeed<'_>], atoms: &BitSet) -> f64 {
    wanted.iter().filter(|need| is_met(need.atoms, atoms)).map(|need| need.price).sum()
}
