//! Runs that are worth much, found by trying: the inputs of a run change a little, and the change is kept if the run is worth no less.
//!
//! Evaluating a run takes microseconds. A question to the solver finds the best run, and proves that it is, but the fractional problem needs
//! thousands of good ones first.

use super::bitset::BitSet;
use super::explorer::Evaluate;
use super::knowledge::Behaviour;
use super::neighbours::Neighbours;
use super::shuffle::SearchRng;
use nub_bitvec::Value;

/// Rounds from one start.
const N_ROUNDS: usize = 40;
/// Changes that are tried in one round. Evaluating them together is cheaper.
const N_AT_ONCE: usize = 8;

/// Climbs to runs of greater worth.
pub(super) struct Climb<'c> {
    pub evaluate: Evaluate<'c>,
    pub neighbours: Neighbours,
}

impl Climb<'_> {
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
            let near = (0..N_AT_ONCE).map(|_| self.neighbours.of(&best.0.inputs, &other, rng)).collect();
            for run in self.evaluate.run_all(near).into_iter().flatten() {
                let its = worth(&run.atoms);
                if its >= best.1 && run.inputs != best.0.inputs {
                    best = (run, its);
                }
            }
        }
        best.0
    }
}
