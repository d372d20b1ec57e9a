//! Some random runs, before the solver is asked. Where arithmetic is hard for the solver, or there are many decisions, evaluating is cheap.

use crate::search::{AtomStatus, Evaluate, Favourites, Knowledge, SearchRng, to_value};
use nub_bitvec::Value;
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

/// A number that a program with these constants may treat specially.
pub(crate) fn random(rng: &mut SearchRng, constants: &[i128], width: u32) -> Value {
    let small = |rng: &mut SearchRng| rng.below(32) as i128 - 8;
    let constant = |rng: &mut SearchRng| match constants {
        [] => small(rng),
        _ => constants[rng.below(constants.len())],
    };
    match rng.below(8) {
        0 | 1 => to_value(constant(rng), width),
        2 => to_value(small(rng), width),
        // Ranges that the program tests lie between two of its constants.
        3 | 4 => {
            let (low, high) = (constant(rng), constant(rng));
            let (low, high) = (low.min(high), low.max(high));
            let span = (high.saturating_sub(low)).saturating_add(1);
            to_value(low + wide(rng) % span, width)
        }
        // Multiples of a period, such as the days of four years.
        5 => to_value(constant(rng).wrapping_mul(small(rng)).wrapping_add(small(rng)), width),
        // Equally many numbers of each length.
        6 => {
            let number = wide(rng) >> rng.below(120);
            to_value(if rng.below(2) == 0 { number } else { -number }, width)
        }
        _ => Value::from_bits((0..width).map(|_| rng.below(2) == 1)),
    }
}

/// A number of 120 bits.
fn wide(rng: &mut SearchRng) -> i128 {
    (0..4).fold(0, |number, _| number << 30 | rng.below(1 << 30) as i128)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each kind of number is drawn, whatever the constants are.
    #[test]
    fn numbers_lie_between_constants_and_at_their_multiples() {
        let mut rng = SearchRng::new(7);
        let drawn: Vec<i128> = (0..2_000)
            .map(|_| {
                let value = random(&mut rng, &[1_000_000, 2_000_000], 64);
                (0..64).filter(|bit| value.bit(*bit)).map(|bit| 1_i128 << bit).sum()
            })
            .collect();
        let n_between = drawn.iter().filter(|number| (1_000_001..2_000_000).contains(*number)).count();
        assert!(n_between > 100, "{n_between}");
        assert!(
            drawn.iter().any(|number| *number > 2_000_020 && number % 1_000_000 < 24 && *number < 48_000_024)
        );
        for constants in [&[][..], &[i128::MIN, i128::MAX], &[5]] {
            (0..500).for_each(|_| _ = random(&mut rng, constants, 8));
        }
    }
}
