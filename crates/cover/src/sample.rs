//! Some random runs, before the solver is asked. Where arithmetic is hard for the solver, or there are many decisions, evaluating is cheap.

use crate::search::{AtomStatus, Evaluate, Favourites, Knowledge, random_value};
use nub_bitvec::Value;
use nub_random::Rng;
use nub_sat::SatLimits;

/// At most this many runs are tried.
const MAX_RUNS: usize = 4_000;
/// It ends after this many consecutive runs that did nothing new.
const MAX_IDLE: usize = 256;

/// Adds runs to what is known: small numbers, constants of the source with their multiples and the numbers between them, random bits, and runs that
/// did something new with one input changed. Invalid runs are skipped.
pub fn sample(
    evaluate: Evaluate<'_>,
    widths: &[u32],
    favourites: &Favourites,
    seed: u64,
    known: &mut Knowledge,
    limits: &SatLimits,
) {
    let mut rng = Rng::new(seed);
    let numbers = favourites.numbers();
    let mut news: Vec<Vec<Value>> = Vec::new();
    let mut n_idle = 0;
    for _ in 0..MAX_RUNS {
        if n_idle >= MAX_IDLE || limits.cancel.is_cancelled() {
            return;
        }
        let inputs: Vec<Value> = if news.is_empty() || widths.is_empty() || rng.below(2) == 0 {
            widths.iter().map(|width| random_value(&mut rng, numbers, *width)).collect()
        } else {
            let mut inputs = news[rng.below(news.len())].clone();
            let changed = rng.below(widths.len());
            inputs[changed] = random_value(&mut rng, numbers, widths[changed]);
            inputs
        };
        n_idle += 1;
        let Some(run) = evaluate.run(inputs) else { continue };
        let is_new = |atom: usize| known.status(crate::search::AtomId(atom as u32)) == AtomStatus::Open;
        if run.atoms.iter().any(is_new) {
            news.push(run.inputs.clone());
            n_idle = 0;
        }
        known.saw(run);
    }
}
