//! Runs that are worth much, found by trying: the inputs of a run change a little, and the change is kept if the run is worth no less.
//!
//! Evaluating a run takes microseconds. A question to the solver finds the best run, and proves that it is, but the fractional problem needs
//! thousands of good ones first.

use super::bitset::BitSet;
use super::boundary_values::BoundaryValues;
use super::explorer::{Evaluate, Explorer};
use super::knowledge::Behaviour;
use super::neighbours::Neighbours;
use super::polish::Favourites;
use super::pool::RunPool;
use super::problem::Need;
use super::shuffle::SearchRng;
use nub_bitvec::Value;
use nub_sat::SatLimits;

/// Rounds from one start.
const N_ROUNDS: usize = 40;
/// Changes that are tried in one round. Evaluating them together is cheaper.
const N_AT_ONCE: usize = 8;
/// Climbs per call.
const N_CLIMBS: usize = 40;
/// What a need is worth after a run of the same call that meets it.
const DISCOUNT: f64 = 0.5;

/// Climbs to runs of greater worth.
pub(super) struct Climb<'c> {
    evaluate: Evaluate<'c>,
    neighbours: Neighbours,
    boundaries: BoundaryValues,
}

/// From which runs to climb.
pub(super) struct Starts<'s> {
    /// Known runs that are tests and part of the fractional solution.
    pub taken: &'s [usize],
    /// A run that is worth much.
    pub near: Option<&'s Behaviour>,
}

impl<'c> Climb<'c> {
    /// `None` if runs cannot be evaluated, or there are no inputs.
    pub fn new(explorer: &Explorer<'c>, favourites: &Favourites) -> Option<Climb<'c>> {
        let inputs = &explorer.problem().inputs;
        let evaluate = explorer.any_evaluation().filter(|_| !inputs.is_empty())?;
        let neighbours = Neighbours::new(inputs, favourites);
        let boundaries = BoundaryValues::new(inputs, favourites.constants());
        Some(Climb { evaluate, neighbours, boundaries })
    }

    /// A run that is worth at least as much as this one. `other` gives the inputs of some other run.
    pub fn from<'r>(
        &self,
        start: &Behaviour,
        other: impl Fn(&mut SearchRng) -> &'r [Value],
        worth: impl Fn(&BitSet) -> f64,
        rng: &mut SearchRng,
    ) -> Behaviour {
        let mut best = (start.clone(), worth(&start.atoms));
        for _ in 0..N_ROUNDS {
            let near = (0..N_AT_ONCE).map(|_| self.changed(&best.0.inputs, &other, rng)).collect();
            for run in self.evaluate.run_all(near).into_iter().flatten() {
                let its = worth(&run.atoms);
                if its >= best.1 && run.inputs != best.0.inputs {
                    best = (run, its);
                }
            }
        }
        best.0
    }

    fn changed<'r>(
        &self,
        run: &[Value],
        other: impl Fn(&mut SearchRng) -> &'r [Value],
        rng: &mut SearchRng,
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
        rng: &mut SearchRng,
        limits: &SatLimits,
    ) -> Vec<Behaviour> {
        let is_test = |run: &usize| pool.test(*run).is_some();
        let all: Vec<usize> = (0..pool.met().len()).filter(is_test).collect();
        let is_met = |need: &Need, atoms: &BitSet| need.atoms.iter().any(|atom| atoms.contains(atom.index()));
        // Needs that a new run meets are worth less to the next one, so that the runs differ.
        let mut priced: Vec<(&Need, f64)> =
            pool.needs().iter().zip(prices.iter().copied()).filter(|(_, price)| *price > 0.0).collect();
        let test = |runs: &[usize], rng: &mut SearchRng| {
            runs.get(rng.below(runs.len())).and_then(|run| pool.test(*run))
        };
        let near = starts.near.and_then(|run| self.evaluate.run(run.inputs.clone()));
        let mut found: Vec<Behaviour> = near.clone().into_iter().collect();
        for count in 0..N_CLIMBS {
            if limits.cancel.is_cancelled() {
                break;
            }
            let start = match &near {
                Some(run) if count % 2 == 0 => Some(run),
                _ => test(if count % 4 == 3 { &all } else { starts.taken }, rng),
            };
            let Some(start) = start else { continue };
            let other =
                |rng: &mut SearchRng| test(&all, rng).map_or(&start.inputs, |run| &run.inputs).as_slice();
            let worth = |atoms: &BitSet| -> f64 {
                priced.iter().filter(|(need, _)| is_met(need, atoms)).map(|(_, price)| price).sum()
            };
            let run = self.from(start, other, worth, rng);
            let own = priced.iter_mut().filter(|(need, _)| is_met(need, &run.atoms));
            own.for_each(|(_, price)| *price *= DISCOUNT);
            found.push(run);
        }
        found
    }
}
