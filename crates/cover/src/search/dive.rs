//! Tests from a fractional solution: runs of which it takes most are selected one by one, and what is left is solved again each time.
//!
//! A local search among the known runs (`select`) ends about five tests above the fractional bound of 500 decisions, because runs that are good together
//! are not the runs that are good at the prices of the whole problem. After each selection prices change, and climbs find runs that
//! complement the selected ones. Such dives with generation of columns are usual for cutting stock (Sadykov, Vanderbeck et al., *Primal heuristics for
//! branch-and-price*, INFORMS Journal on Computing 2019).

use super::fractional::Fractional;
use super::knowledge::{Behaviour, Knowledge};
use super::weigh::Weigh;
use nub_random::Rng;
use nub_sat::SatLimits;

/// Climbs after each selection.
const N_CLIMBS: usize = 8;
/// Climbs per round while the rest takes too many tests.
const N_MORE_CLIMBS: usize = 40;
/// At most this many such rounds, and at most this many that bring less than a slight improvement.
const MAX_ROUNDS: usize = 40;
const MAX_IDLE: usize = 3;
const SLIGHT: f64 = 0.01;
/// If climbs are idle and the rest takes at most this much more than it may, the solver is asked for a run, ...
const CLOSE: f64 = 0.3;
/// ... at most this many times.
const MAX_ASKED: usize = 8;
/// Runs of which the solution takes at least this much are selected together.
const ALMOST_ALL: f64 = 0.99;
/// Amounts are compared after a random change by at most this factor, so that dives differ.
const VARIATION: f64 = 0.3;
/// Of this many runs, the one is selected after which the rest takes fewest tests.
const N_TRIED: usize = 4;
/// How often, if climbs are cheap, a dive that would take too many tests gives up some of its runs and goes on.
const MAX_RETREATS: usize = 6;
/// It gives up one of this many.
const RETREAT: usize = 3;
/// What the fractional number of tests may exceed a whole number by, because of rounding.
const TOLERANCE: f64 = 0.02;

/// At most `most` tests that meet all needs, if a dive finds them. Runs that it finds are added to the known ones.
pub(super) fn dive(
    weigh: &mut Weigh<'_>,
    known: &Knowledge,
    most: usize,
    rng: &mut Rng,
    limits: &SatLimits,
) -> Option<Vec<Behaviour>> {
    let mut own = weigh.fractional().clone();
    let mut selected: Vec<usize> = Vec::new();
    let mut n_retreats = 0;
    loop {
        if !own.solve(weigh.pool(), limits) || limits.cancel.is_cancelled() {
            return None;
        }
        if !fits(weigh, known, &mut own, most as f64 - selected.len() as f64, rng, limits) {
            if selected.is_empty() || n_retreats == MAX_RETREATS || !weigh.are_climbs_cheap() {
                return None;
            }
            n_retreats += 1;
            rng.shuffle(&mut selected);
            let n_given_up = selected.len().div_ceil(RETREAT);
            selected.drain(..n_given_up).for_each(|run| own.make_costly(run));
            continue;
        }
        if own.total() < TOLERANCE {
            let tests = selected.iter().filter_map(|run| weigh.pool().test(*run)).cloned().collect();
            return Some(tests);
        }
        let next = next(weigh, &own, &selected, rng, limits);
        if next.is_empty() {
            return None;
        }
        next.iter().for_each(|run| own.make_free(*run));
        selected.extend(next);
        if !own.solve(weigh.pool(), limits) {
            return None;
        }
        weigh.climb_beside(&mut own, None, N_CLIMBS, rng, limits);
    }
}

/// Whether the rest takes at most this many tests, fractionally. If not, and climbs are cheap, more runs are generated as long as that helps.
fn fits(
    weigh: &mut Weigh<'_>,
    known: &Knowledge,
    own: &mut Fractional,
    most: f64,
    rng: &mut Rng,
    limits: &SatLimits,
) -> bool {
    let (mut n_idle, mut n_asked) = (0, 0);
    for _ in 0..MAX_ROUNDS {
        let before = own.total();
        if before - TOLERANCE <= most {
            return true;
        }
        if limits.cancel.is_cancelled() || !weigh.are_climbs_cheap() {
            return false;
        }
        let mut near = None;
        if n_idle == MAX_IDLE {
            if before - most > CLOSE || n_asked == MAX_ASKED {
                return false;
            }
            (n_idle, n_asked) = (MAX_IDLE - 1, n_asked + 1);
            near = weigh.dearest_beside(known, own, limits);
            if near.is_none() {
                return false;
            }
        }
        weigh.climb_beside(own, near.as_ref(), N_MORE_CLIMBS, rng, limits);
        if !own.solve(weigh.pool(), limits) {
            return false;
        }
        n_idle = if before - own.total() < SLIGHT { n_idle + 1 } else { 0 };
    }
    false
}

/// Runs to select: all that the solution takes wholly, or one of those of which it takes most.
fn next(
    weigh: &Weigh<'_>,
    own: &Fractional,
    selected: &[usize],
    rng: &mut Rng,
    limits: &SatLimits,
) -> Vec<usize> {
    let may_be = |run: usize| !selected.contains(&run) && weigh.pool().test(run).is_some();
    let taken: Vec<(usize, f64)> = own.taken().filter(|(run, _)| may_be(*run)).collect();
    let whole: Vec<usize> =
        taken.iter().filter(|(_, amount)| *amount >= ALMOST_ALL).map(|(run, _)| *run).collect();
    if !whole.is_empty() {
        return whole;
    }
    let mut varied = |amount: f64| amount * (1.0 + VARIATION * rng.below(1_000) as f64 / 1_000.0);
    let mut varied: Vec<(usize, f64)> =
        taken.into_iter().map(|(run, amount)| (run, varied(amount))).collect();
    varied.sort_by(|a, b| b.1.total_cmp(&a.1));
    let n_tried = if weigh.are_climbs_cheap() { N_TRIED } else { 1 };
    let rest = |run: usize| {
        let mut rest = own.clone();
        rest.make_free(run);
        if rest.solve(weigh.pool(), limits) { rest.total() } else { f64::INFINITY }
    };
    let tried = varied.into_iter().take(n_tried).map(|(run, _)| (run, rest(run)));
    tried.min_by(|a, b| a.1.total_cmp(&b.1)).map(|(run, _)| run).into_iter().collect()
}
