//! Inputs near other inputs: one value changes, or two.
//!
//! A value becomes a constant of the source or its neighbour, the next number, a number of another run or of another input, or a random number.

use super::polish::{Favourites, to_value};
use super::problem::ProgramInput;
use nub_bitvec::Value;
use nub_random::Rng;

/// Readable values of one input that are tried.
const MAX_PLEASANT: usize = 128;

/// What the inputs of a program may change to.
pub struct Neighbours {
    /// By input.
    pleasant: Vec<Vec<Value>>,
    /// Constants of the source.
    numbers: Vec<i128>,
}

impl Neighbours {
    /// Of the first inputs of a run; further ones never change.
    pub fn new(inputs: &[ProgramInput], favourites: &Favourites) -> Neighbours {
        let pleasant = |input: &ProgramInput| input.pleasant(favourites).take(MAX_PLEASANT).collect();
        Neighbours { pleasant: inputs.iter().map(pleasant).collect(), numbers: favourites.numbers().to_vec() }
    }

    /// The inputs of a run with one or two of them changed. `other` gives the inputs of some other run.
    pub fn of<'r>(
        &self,
        run: &[Value],
        other: impl Fn(&mut Rng) -> &'r [Value],
        rng: &mut Rng,
    ) -> Vec<Value> {
        let mut inputs = run.to_vec();
        let n = self.pleasant.len();
        for _ in 0..1 + usize::from(rng.below(3) == 0) {
            let changed = rng.below(n);
            let (old, pleasant) = (&inputs[changed], &self.pleasant[changed]);
            let new = match rng.below(8) {
                0..=2 if !pleasant.is_empty() => pleasant[rng.below(pleasant.len())].clone(),
                3 | 4 => next_to(old, rng),
                5 => match inputs[rng.below(n)].clone() {
                    other if other.width() == old.width() && rng.below(2) == 0 => next_to(&other, rng),
                    other if other.width() == old.width() => other,
                    _ => next_to(old, rng),
                },
                6 => other(rng)[changed].clone(),
                _ => random_value(rng, &self.numbers, old.width()),
            };
            inputs[changed] = new;
        }
        inputs
    }
}

/// One more or one less, or the same number with one bit changed.
fn next_to(value: &Value, rng: &mut Rng) -> Value {
    let one = Value::one(value.width());
    match rng.below(3) {
        0 => value.add(&one),
        1 => value.sub(&one),
        _ => {
            let flipped = rng.below(value.width() as usize) as u32;
            let flipped = Value::from_u64(value.width(), u64::from(flipped));
            value.xor(&one.shl(&flipped))
        }
    }
}

/// A number that a program with these constants may treat specially.
pub fn random_value(rng: &mut Rng, constants: &[i128], width: u32) -> Value {
    let small = |rng: &mut Rng| rng.below(32) as i128 - 8;
    let constant = |rng: &mut Rng| match constants {
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
fn wide(rng: &mut Rng) -> i128 {
    (0..4).fold(0, |number, _| number << 30 | rng.below(1 << 30) as i128)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each kind of number is drawn, whatever the constants are.
    #[test]
    fn numbers_lie_between_constants_and_at_their_multiples() {
        let mut rng = Rng::new(7);
        let drawn: Vec<i128> = (0..2_000)
            .map(|_| {
                let value = random_value(&mut rng, &[1_000_000, 2_000_000], 64);
                (0..64).filter(|bit| value.bit(*bit)).map(|bit| 1_i128 << bit).sum()
            })
            .collect();
        let n_between = drawn.iter().filter(|number| (1_000_001..2_000_000).contains(*number)).count();
        assert!(n_between > 100, "{n_between}");
        assert!(
            drawn.iter().any(|number| *number > 2_000_020 && number % 1_000_000 < 24 && *number < 48_000_024)
        );
        for constants in [&[][..], &[i128::MIN, i128::MAX], &[5]] {
            (0..500).for_each(|_| _ = random_value(&mut rng, constants, 8));
        }
    }
}
