//! Some runs by chance, before the solver is asked. Where arithmetic is hard for the solver, evaluating is not.

use crate::encode::Encoded;
use crate::existing::measure_inputs;
use crate::search::{Favourites, HARD_CLAUSES, Knowledge, Rng, to_value};
use nub_bitvec::Value;
use nub_unroll::Unrolled;

/// Runs that are tried.
const N_RUNS: usize = 48;

/// Adds runs with small numbers, constants of the source and random bits to what is known; those that do not count are skipped.
pub fn sample(
    unrolled: &Unrolled,
    encoded: &Encoded,
    favourites: &Favourites,
    seed: u64,
    known: &mut Knowledge,
) {
    if encoded.problem.cnf.n_clauses() < HARD_CLAUSES {
        return;
    }
    let mut rng = Rng::new(seed);
    for _ in 0..N_RUNS {
        let widths = unrolled.inputs.iter().map(|input| unrolled.pool.width(input.term));
        let inputs: Vec<Value> = widths.map(|width| random(&mut rng, favourites.numbers(), width)).collect();
        if let Ok(run) = measure_inputs(unrolled, encoded, inputs) {
            known.saw(run);
        }
    }
}

fn random(rng: &mut Rng, favourites: &[i128], width: u32) -> Value {
    match rng.below(4) {
        0 | 1 if !favourites.is_empty() => to_value(favourites[rng.below(favourites.len())], width),
        2 => to_value(rng.below(32) as i128 - 8, width),
        _ => Value::from_bits((0..width).map(|_| rng.below(2) == 1)),
    }
}
