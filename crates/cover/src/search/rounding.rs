//! Integer weights from prices: a proof needs whole numbers, and small ones, since the clauses that add them grow with the square of their size.

use super::bitset::BitSet;
use std::ops::Range;

/// Prices are multiplied by one of these and rounded.
const SCALES: std::ops::RangeInclusive<u32> = 24..=360;
/// Each scale is this many times the one before. Many are tried, since with some of them the errors of rounding happen to cancel out.
const NEXT_SCALE: f64 = 1.08;
/// Only runs that are worth at least this much are expected to limit the bound.
const ALMOST_DEAR: f64 = 0.9;

/// Which bound to prove.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum BoundAim {
    /// The next higher one. Runs that contradict it are worth more than others, so this is for prices that are not final.
    Next,
    /// The one half way to the best possible one.
    HalfWay,
}

/// Weights that may prove a bound.
pub(super) struct RoundedWeights {
    /// Needs, by their positions, with positive weights.
    pub weights: Vec<(usize, u64)>,
    /// They prove this bound if no run is worth more than the known ones.
    pub goal: usize,
}

/// The coarsest weights that can prove a bound above the first one and below the end of a range. Runs are given by the needs that they meet.
pub(super) fn rounded_weights(
    prices: &[f64],
    runs: &[BitSet],
    between: Range<usize>,
    aim: BoundAim,
) -> Option<RoundedWeights> {
    let lower = between.start.max(1);
    let worth = |run: &&BitSet| run.iter().map(|need| prices[need]).sum::<f64>();
    let all: Vec<&BitSet> = runs.iter().collect();
    let dear: Vec<&BitSet> = all.iter().copied().filter(|run| worth(run) >= ALMOST_DEAR).collect();
    let scales = std::iter::successors(Some(f64::from(*SCALES.start())), |scale| Some(scale * NEXT_SCALE));
    let scales = scales.take_while(|scale| *scale <= f64::from(*SCALES.end()));
    let mut choices: Vec<RoundedWeights> = scales
        .map(|scale| {
            let weights = rounded(prices, scale);
            RoundedWeights { goal: bound(&weights, &dear), weights }
        })
        .collect();
    let highest = choices.iter().map(|choice| choice.goal).max()?.min(between.end.saturating_sub(1));
    let goal = match aim {
        BoundAim::Next => highest.min(lower + 1),
        BoundAim::HalfWay => (lower + highest).div_ceil(2),
    };
    // A run that is cheap at the prices may be dear at the weights.
    let is_enough = |choice: &RoundedWeights| choice.goal >= goal && bound(&choice.weights, &all) >= goal;
    let coarsest = choices.iter().position(is_enough)?;
    (goal > lower).then(|| RoundedWeights { goal, ..choices.swap_remove(coarsest) })
}

/// Weights at a scale.
fn rounded(prices: &[f64], scale: f64) -> Vec<(usize, u64)> {
    let round = |need: usize| (need, (prices[need] * scale).round() as u64);
    (0..prices.len()).map(round).filter(|(_, weight)| *weight > 0).collect()
}

/// The bound that weights prove if no run is worth more than these.
fn bound(weights: &[(usize, u64)], runs: &[&BitSet]) -> usize {
    let worth = |run: &&BitSet| -> u64 {
        weights.iter().filter(|(need, _)| run.contains(*need)).map(|(_, weight)| weight).sum()
    };
    let most = runs.iter().map(worth).max().unwrap_or(0).max(1);
    let total: u64 = weights.iter().map(|(_, weight)| weight).sum();
    total.div_ceil(most) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Three needs of which each run meets two: half of each price proves that one run is not enough.
    #[test]
    fn weights_of_a_triangle_prove_two() {
        let run = |needs: [usize; 2]| {
            let mut met = BitSet::new(3);
            needs.into_iter().for_each(|need| met.insert(need));
            met
        };
        let runs = [run([0, 1]), run([1, 2]), run([0, 2])];
        for aim in [BoundAim::Next, BoundAim::HalfWay] {
            let found = rounded_weights(&[0.5; 3], &runs, 1..usize::MAX, aim).expect("two are necessary");
            assert_eq!((found.goal, found.weights.len()), (2, 3));
            assert!(rounded_weights(&[0.5; 3], &runs, 2..usize::MAX, aim).is_none());
            assert!(rounded_weights(&[0.5; 3], &runs, 1..2, aim).is_none());
        }
    }
}
