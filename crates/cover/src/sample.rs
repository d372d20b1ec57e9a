//! Some runs by chance, before the solver is asked. Where arithmetic is hard for the solver, or decisions are many, evaluating is cheap.

use crate::search::{AtomStatus, Evaluate, Favourites, Knowledge, SearchRng, to_value};
use nub_bitvec::Value;
use nub_sat::SatLimits;

/// Runs that are tried at most.
const MAX_RUNS: usize = 4_000;
/// It ends after this many in a row that did nothing new.
const MAX_IDLE: usize = 64;

/// Adds runs to what is known: small numbers, constants of the source and random bits, and runs that did something new with one
/// input changed. Those that do not count are skipped.
pub fn sample(
    evaluate: Evaluate<'_>,
    widths: &[u32],
    favourites: &Favourites,
    seed: u64,
    known: &mut Knowledge,
    limits: &SatLimits,
) {
    let mut rng = SearchRng::new(seed);
    let numbers = favourites.numbers();
    let mut news: Vec<Vec<Value>> = Vec::new();
    let mut n_idle = 0;
    for _ in 0..MAX_RUNS {
        if n_idle >= MAX_IDLE || limits.cancel.is_cancelled() {
            return;
        }
        let inputs: Vec<Value> = if news.is_empty() || widths.is_empty() || rng.below(2) == 0 {
            widths.iter().map(|width| random(&mut rng, numbers, *width)).collect()
        } else {
            let mut inputs = news[rng.below(news.len())].clone();
            let changed = rng.below(widths.len());
            inputs[changed] = random(&mut rng, numbers, widths[changed]);
            inputs
        };
        n_idle += 1;
        let Some(run) = evaluate(inputs) else { continue };
        let is_new = |atom: usize| known.status(crate::search::AtomId(atom as u32)) == AtomStatus::Open;
        if run.atoms.iter().any(is_new) {
            news.push(run.inputs.clone());
            n_idle = 0;
        }
        known.saw(run);
    }
}

fn random(rng: &mut SearchRng, favourites: &[i128], width: u32) -> Value {
    match rng.below(4) {
        0 | 1 if !favourites.is_empty() => to_value(favourites[rng.below(favourites.len())], width),
        2 => to_value(rng.below(32) as i128 - 8, width),
        _ => Value::from_bits((0..width).map(|_| rng.below(2) == 1)),
    }
}
