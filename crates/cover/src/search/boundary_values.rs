//! Values at which a comparison of the program may change its result.
//!
//! Most conditions compare an input with a constant, with another input, or with a sum of both. With all other inputs fixed, such a condition changes at a
//! constant, at another input, or at their sum or difference. One step of a climb that goes there does what many small steps would do, and an equation
//! is hardly ever hit otherwise.

use super::polish::to_value;
use super::problem::ProgramInput;
use nub_bitvec::Value;
use nub_random::Rng;

/// Inputs that are integers of up to 64 bits, and the constants of the source.
pub(crate) struct BoundaryValues {
    /// By input: whether it is signed; `None` if it is not such an integer.
    signs: Vec<Option<bool>>,
    /// Positions of the inputs that are such integers.
    integers: Vec<usize>,
    /// As often as they occur.
    constants: Vec<i128>,
}

impl BoundaryValues {
    pub fn new(inputs: &[ProgramInput], constants: &[i128]) -> BoundaryValues {
        let is_integer = |input: &ProgramInput| input.float.is_none() && input.bits.len() <= 64;
        let signs: Vec<Option<bool>> =
            inputs.iter().map(|input| is_integer(input).then_some(input.is_signed)).collect();
        let integers = (0..signs.len()).filter(|input| signs[*input].is_some()).collect();
        let constants = if constants.is_empty() { vec![0] } else { constants.to_vec() };
        BoundaryValues { signs, integers, constants }
    }

    /// Changes one input, or two, so that some condition may change; nothing if no input is an integer.
    pub fn change(&self, run: &mut [Value], rng: &mut Rng) {
        let (changed, other) = (self.any(rng), self.any(rng));
        let (Some(changed), Some(other)) = (changed, other) else { return };
        let other = number(&run[other], self.signs[other] == Some(true));
        let constant = self.constants[rng.below(self.constants.len())];
        let boundary = match rng.below(8) {
            0..=2 => constant,
            3 => other,
            4 | 5 => constant.wrapping_sub(other),
            6 => other.wrapping_sub(constant),
            _ => other.wrapping_add(constant),
        };
        let near = boundary.wrapping_add(rng.below(3) as i128 - 1);
        let old = number(&run[changed], self.signs[changed] == Some(true));
        run[changed] = to_value(near, run[changed].width());
        // Another input moves along in half of the changes, so that a sum or a difference that an equation fixes stays the same.
        let along = if rng.below(2) == 0 { self.any(rng).filter(|along| *along != changed) } else { None };
        if let Some(along) = along {
            let own = number(&run[along], self.signs[along] == Some(true));
            let step = near.wrapping_sub(old);
            let moved = if rng.below(2) == 0 { own.wrapping_sub(step) } else { own.wrapping_add(step) };
            run[along] = to_value(moved, run[along].width());
        }
    }

    fn any(&self, rng: &mut Rng) -> Option<usize> {
        let drawn = rng.below(self.integers.len());
        self.integers.get(drawn).copied()
    }
}

/// The number that a word of up to 64 bits represents.
fn number(value: &Value, is_signed: bool) -> i128 {
    let bits = i128::from(value.to_u64().unwrap_or(0));
    let sign = 1_i128 << (value.width() - 1);
    if is_signed && bits & sign != 0 { bits - 2 * sign } else { bits }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nub_cnf::Lit;

    fn input(width: u32, is_signed: bool) -> ProgramInput {
        let bits = (0..width).map(Lit::positive).collect();
        ProgramInput { bits, is_signed, favourite: None, float: None, is_letter: false }
    }

    /// `a + b == 900` and `a == b + 900` are hit by changing one input.
    #[test]
    fn sums_and_differences_are_hit() {
        let values = BoundaryValues::new(&[input(16, true), input(8, true)], &[900]);
        let start = [to_value(-7, 16), to_value(-5, 8)];
        let mut rng = Rng::new(1);
        let mut seen = Vec::new();
        for _ in 0..500 {
            let mut run = start.to_vec();
            values.change(&mut run, &mut rng);
            assert_eq!([run[0].width(), run[1].width()], [16, 8]);
            seen.push(number(&run[0], true));
        }
        for wanted in [900, 899, 905, 895, -905, -5, -4] {
            assert!(seen.contains(&wanted), "{wanted}");
        }
    }

    #[test]
    fn wide_inputs_stay() {
        let values = BoundaryValues::new(&[input(80, false)], &[1]);
        let mut run = [to_value(3, 80)];
        values.change(&mut run, &mut Rng::new(1));
        assert_eq!(run, [to_value(3, 80)]);
    }
}
