//! Tests from a fractional solution: runs of which it takes most are selected one by one, and what is left is solved again each time.
//!
//! A local search among the known runs (`select`) ends about five tests above the fractional bound of 500 decisions, because runs that are good together
//! are not the runs that are good at the prices of the whole problem. After each selection prices change, and climbs find runs that
//! complement the selected ones. Such dives with generation of columns are usual for cutting stock (Sadykov, Vanderbeck et al., *Primal heuristics for
//! branch-and-price*, INFORMS Journal on Computing 2019).

use super::fractional::Fractional;
use super::knowledge::Behaviour;
use super::weigh::Weigh;
use nub_random::Rng;
use nub_sat::SatLimits;

/// Climbs after each selection.
const N_CLIMBS: usize = 8;
/// Runs of which the solution takes at least this much are selected together.
const ALMOST_ALL: f64 = 0.99;
/// Amounts are compared after a random change by at most this factor, so that dives differ.
const VARIATION: f64 = 0.3;
/// What the fractional number of tests may exceed a whole number by, because of rounding.
const TOLERANCE: f64 = 0.02;

/// At most `most` tests that meet all needs, if a dive finds them. Runs that it finds are added to the known ones.
pub(super) fn dive(
    weigh: &mut Weigh<'_>,
    most: usize,
    rng: &mut Rng,
    limits: &SatLimits,
) -> Option<Vec<Behaviour>> {
    let mut own = weigh.fractional().clone();
    let mut selected: Vec<usize> = Vec::new();
    loop {
        if !own.solve(weigh.pool(), limits) || limits.cancel.is_cancelled() {
            return None;
        }
        let left = own.total();
        if selected.len() as f64 + left - TOLERANCE > most as f64 {
            return None;
        }
        if left < TOLERANCE {
            let tests = selected.iter().filter_map(|run| weigh.pool().test(*run)).cloned().collect();
            return Some(tests);
        }
        let next = next(weigh, &own, &selected, rng);
        if next.is_empty() {
            return None;
        }
        next.iter().for_each(|run| own.make_free(*run));
        selected.extend(next);
        if !own.solve(weigh.pool(), limits) {
            return None;
        }
        weigh.climb_beside(&mut own, N_CLIMBS, rng, limits);
    }
}

/// Runs to select: all that the solution takes wholly, or the one of which it takes most.
fn next(weigh: &Weigh<'_>, own: &Fractional, selected: &[usize], rng: &mut Rng) -> Vec<usize> {
    let may_be = |run: usize| !selected.contains(&run) && weigh.pool().test(run).is_some();
    let taken: Vec<(usize, f64)> = own.taken().filter(|(run, _)| may_be(*run)).collect();
    let whole: Vec<usize> =
        taken.iter().filter(|(_, amount)| *amount >= ALMOST_ALL).map(|(run, _)| *run).collect();
    if !whole.is_empty() {
        return whole;
    }
    let mut varied = |amount: f64| amount * (1.0 + VARIATION * rng.below(1_000) as f64 / 1_000.0);
    let varied: Vec<(usize, f64)> = taken.into_iter().map(|(run, amount)| (run, varied(amount))).collect();
    varied.into_iter().max_by(|a, b| a.1.total_cmp(&b.1)).map(|(run, _)| run).into_iter().collect()
}
