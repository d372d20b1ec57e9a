//! Integer weights from prices: a proof needs whole numbers, and small ones, since the clauses that add them grow with the square of their size.

use super::bitset::BitSet;
use std::ops::Range;

/// Prices are multiplied by one of these and rounded.
const SCALES: std::ops::RangeInclusive<u32> = 24..=720;
/// Each scale is this many times the one before. Many are tried, since with some of them the errors of rounding happen to cancel out.
const NEXT_SCALE: f64 = 1.08;
/// The scale of weights that only have to find a run, not to prove a bound.
const PLAIN_SCALE: f64 = 48.0;
/// What rounding errors may take from a whole number.
const ALMOST_WHOLE: f64 = 1e-6;
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
    let meeting = meeting(prices.len(), &dear);
    let scales = std::iter::successors(Some(f64::from(*SCALES.start())), |scale| Some(scale * NEXT_SCALE));
    let scales = scales.take_while(|scale| *scale <= f64::from(*SCALES.end()));
    let mut choices: Vec<RoundedWeights> = scales
        .map(|scale| {
            let weights = rounded(prices, scale);
            let plain = RoundedWeights { goal: bound(&weights, &dear), weights };
            let weights = filled(prices, scale, &meeting, dear.len());
            let filled = RoundedWeights { goal: bound(&weights, &dear), weights };
            if filled.goal > plain.goal { filled } else { plain }
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

/// Coarse weights, and what the dearest run is worth.
pub(super) fn plain_weights(prices: &[f64], runs: &[BitSet]) -> (Vec<(usize, u64)>, u64) {
    let weights = rounded(prices, PLAIN_SCALE);
    let most = dearest(&weights, &runs.iter().collect::<Vec<_>>());
    (weights, most)
}

/// Weights at a scale.
fn rounded(prices: &[f64], scale: f64) -> Vec<(usize, u64)> {
    let round = |need: usize| (need, (prices[need] * scale).round() as u64);
    (0..prices.len()).map(round).filter(|(_, weight)| *weight > 0).collect()
}

/// Weights at a scale, rounded down at first. Then the weights that lost most become larger, as long as no run is worth more than the scale. `meeting` gives
/// the runs that meet a need, out of `n_runs`.
fn filled(prices: &[f64], scale: f64, meeting: &[Vec<u32>], n_runs: usize) -> Vec<(usize, u64)> {
    let scale = scale.round();
    let mut left = vec![scale as u64; n_runs];
    let mut weights: Vec<(usize, u64)> = (0..prices.len())
        .filter(|need| prices[*need] > 0.0)
        .map(|need| (need, (prices[need] * scale + ALMOST_WHOLE).floor() as u64))
        .collect();
    for (need, weight) in &weights {
        let runs = meeting[*need].iter();
        runs.for_each(|run| left[*run as usize] = left[*run as usize].saturating_sub(*weight));
    }
    let kept = |(need, weight): &(usize, u64)| *weight as f64 - prices[*need] * scale;
    weights.sort_by(|a, b| kept(a).total_cmp(&kept(b)));
    for (need, weight) in &mut weights {
        let runs = &meeting[*need];
        if runs.iter().all(|run| left[*run as usize] > 0) {
            *weight += 1;
            runs.iter().for_each(|run| left[*run as usize] -= 1);
        }
    }
    weights.retain(|(_, weight)| *weight > 0);
    weights.sort_unstable();
    weights
}

/// By need: the runs that meet it.
fn meeting(n_needs: usize, runs: &[&BitSet]) -> Vec<Vec<u32>> {
    let mut meeting = vec![Vec::new(); n_needs];
    for (run, met) in runs.iter().enumerate() {
        met.iter().for_each(|need| meeting[need].push(run as u32));
    }
    meeting
}

/// The bound that weights prove if no run is worth more than these.
fn bound(weights: &[(usize, u64)], runs: &[&BitSet]) -> usize {
    let total: u64 = weights.iter().map(|(_, weight)| weight).sum();
    total.div_ceil(dearest(weights, runs)) as usize
}

/// What the dearest of these runs is worth, at least 1.
fn dearest(weights: &[(usize, u64)], runs: &[&BitSet]) -> u64 {
    let worth = |run: &&BitSet| -> u64 {
        weights.iter().filter(|(need, _)| run.contains(*need)).map(|(_, weight)| weight).sum()
    };
    runs.iter().map(worth).max().unwrap_or(0).max(1)
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

    /// Five prices that are rounded up make a run too dear at a coarse scale. Two of them may be: then the run is worth exactly the scale.
    #[test]
    fn weights_are_filled_up_to_the_scale() {
        let mut run = BitSet::new(5);
        (0..5).for_each(|need| run.insert(need));
        let prices = [0.26, 0.26, 0.16, 0.16, 0.16];
        let plain: u64 = rounded(&prices, 10.0).iter().map(|(_, weight)| weight).sum();
        let filled: u64 =
            filled(&prices, 10.0, &meeting(5, &[&run]), 1).iter().map(|(_, weight)| weight).sum();
        assert_eq!((plain, filled), (12, 10));
    }

    /// No run is worth more than the scale, and no weight could be larger.
    #[test]
    fn filled_weights_are_as_large_as_they_can_be() {
        let mut rng = nub_cnf::check::Rng::new(5);
        for _ in 0..100 {
            let prices: Vec<f64> = (0..8).map(|_| (1 + rng.below(99)) as f64 / 400.0).collect();
            let runs: Vec<BitSet> = (0..6)
                .map(|_| {
                    let mut run = BitSet::new(8);
                    (0..4).for_each(|_| run.insert(rng.below(8)));
                    run
                })
                .collect();
            let runs: Vec<&BitSet> = runs.iter().collect();
            let weights = filled(&prices, 30.0, &meeting(8, &runs), runs.len());
            assert!(dearest(&weights, &runs) <= 30);
            let of =
                |need: usize| weights.iter().find(|(own, _)| *own == need).map_or(0, |(_, weight)| *weight);
            for (need, price) in prices.iter().enumerate() {
                let is_full = |run: &&BitSet| run.contains(need) && run.iter().map(of).sum::<u64>() >= 30;
                assert!(of(need) as f64 + 1e-6 >= price * 30.0 || runs.iter().any(is_full));
            }
        }
    }
}
