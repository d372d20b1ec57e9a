//! Runs with small inputs: 0 and 1 are easier to read than -2147483647.
//!
//! All inputs are wished to be 0 at once. If that is impossible, the solver says which wishes contradict each other, and the last of them is dropped;
//! and so on until the rest can be fulfilled. Those that were dropped are wished to be 1, then a few bits long, then -1, then negative and a few bits
//! long. A float is wished to be 0, 1, a number with few digits between 2 and 131,072, -1, such a number with a sign, the usual NaN, or any number
//! with few digits. So an input whose wish can be fulfilled costs nothing, while one question per input would cost much.

use crate::system::System;
use nub_bitvec::Value;
use nub_c_ir::FloatEncoding;
use nub_cnf::Lit;
use nub_sat::{SatAnswer, SatLimits};

/// Conflicts of one question.
const CONFLICTS: u64 = 2_000;
/// Questions of one wish for all inputs.
const MAX_QUESTIONS: usize = 64;
/// Bits of a small number, and of the exponent of a small float.
const SMALL_BITS: usize = 4;
/// Bits after the leading one of a float with few digits.
const DIGITS: usize = 3;

/// What an input may be wished to be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Wish {
    Zero,
    One,
    Small,
    MinusOne,
    SmallNegative,
    /// For floats only.
    Nan,
    /// Few digits, for floats only.
    Short,
}

impl Wish {
    const ALL: [Wish; 7] =
        [Wish::Zero, Wish::One, Wish::Small, Wish::MinusOne, Wish::SmallNegative, Wish::Nan, Wish::Short];

    /// Bits that must be true; `None` if such inputs do not have this wish.
    fn bits(self, bits: &[Lit], float: Option<FloatEncoding>) -> Option<Vec<Lit>> {
        let high = || bits.iter().skip(SMALL_BITS);
        match (self, float.filter(|float| !float.has_leading_bit)) {
            (_, Some(float)) => Some(self.float_bits(bits, float.values.fraction_bits() as usize)),
            (Wish::Zero, None) => Some(exactly(bits, 0)),
            (Wish::One, None) => Some(exactly(bits, 1)),
            (Wish::Small, None) => Some(high().map(|bit| !*bit).collect()),
            (Wish::MinusOne, None) => Some(bits.to_vec()),
            (Wish::SmallNegative, None) => Some(high().copied().collect()),
            (Wish::Nan | Wish::Short, None) => None,
        }
    }

    /// The same for a float with this many fraction bits.
    fn float_bits(self, bits: &[Lit], fraction: usize) -> Vec<Lit> {
        let sign = bits.len() - 1;
        let one = ((1_u128 << (sign - fraction - 1)) - 1) << fraction;
        let is_short = || bits[..fraction - DIGITS].iter().map(|bit| !*bit);
        match self {
            Wish::Zero => exactly(bits, 0),
            Wish::One => exactly(bits, one),
            Wish::MinusOne => exactly(bits, one | 1 << sign),
            Wish::Nan => exactly(bits, (1 << sign) - (1 << (fraction - 1))),
            Wish::Short => is_short().collect(),
            Wish::Small | Wish::SmallNegative => {
                let exponent = bits[fraction + SMALL_BITS..sign - 1].iter().map(|bit| !*bit);
                let is_positive = self == Wish::Small;
                let ends = [bits[sign - 1], bits[sign].negated_if(is_positive)];
                is_short().chain(exponent).chain(ends).collect()
            }
        }
    }
}

fn exactly(bits: &[Lit], value: u128) -> Vec<Lit> {
    bits.iter().enumerate().map(|(at, bit)| bit.negated_if(at >= 128 || value >> at & 1 == 0)).collect()
}

/// Inputs of a program in a solver.
#[derive(Clone, Copy)]
pub(crate) struct InputBits<'a> {
    pub bits: &'a [Vec<Lit>],
    /// Which of them are floats; the list may be shorter than the inputs.
    pub floats: &'a [Option<FloatEncoding>],
}

/// Values of the inputs of the solver's model, made small as long as what is wanted stays true.
pub(crate) fn small(
    system: &mut System,
    inputs: InputBits<'_>,
    wanted: &[Lit],
    limits: &SatLimits,
) -> Vec<Value> {
    let InputBits { bits: inputs, floats } = inputs;
    let limits = limits.with_conflicts(CONFLICTS);
    let mut best: Vec<Value> = inputs.iter().map(|bits| system.value(bits)).collect();
    let mut fixed = wanted.to_vec();
    let n_wanted = fixed.len();
    let of = |index: usize, wish: Wish| wish.bits(&inputs[index], floats.get(index).copied().flatten());
    let few = |index: usize| of(index, Wish::Short).or_else(|| of(index, Wish::Small));
    fixed.extend((0..inputs.len()).filter_map(few).flatten());
    if system.solver.solve(&fixed, &limits) == SatAnswer::Sat {
        best = inputs.iter().map(|bits| system.value(bits)).collect();
    } else {
        fixed.truncate(n_wanted);
    }
    let mut open: Vec<usize> = (0..inputs.len()).collect();
    for wish in Wish::ALL {
        let mut wishes: Vec<(usize, Lit)> = Vec::with_capacity(open.len());
        for &index in &open {
            let Some(bits) = of(index, wish) else { continue };
            let is_true = system.solver.new_var();
            for bit in bits {
                system.solver.add(&[!is_true, bit]);
            }
            wishes.push((index, is_true));
        }
        if most(system, &mut wishes, &fixed, &limits) {
            best = inputs.iter().map(|bits| system.value(bits)).collect();
            fixed.extend(wishes.iter().map(|wish| wish.1));
            open.retain(|index| wishes.iter().all(|wish| wish.0 != *index));
        }
    }
    best
}

/// Drops wishes until the others can be fulfilled together; the solver then has such a model.
fn most(system: &mut System, wishes: &mut Vec<(usize, Lit)>, fixed: &[Lit], limits: &SatLimits) -> bool {
    for _ in 0..MAX_QUESTIONS {
        if wishes.is_empty() {
            return false;
        }
        let assumptions: Vec<Lit> = fixed.iter().copied().chain(wishes.iter().map(|wish| wish.1)).collect();
        match system.solver.solve(&assumptions, limits) {
            SatAnswer::Sat => return true,
            SatAnswer::Unsat => {
                let core = system.solver.core();
                let Some(last) = wishes.iter().rposition(|wish| core.contains(&wish.1)) else { return false };
                wishes.remove(last);
            }
            SatAnswer::Unknown(_) => return false,
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two inputs of 8 bits, of which the second is at least 1, and -1 if the first is 0.
    #[test]
    fn the_first_is_zero_and_the_second_what_it_has_to_be() {
        let mut system = System::new(&SatLimits::none());
        let mut input = || (0..8).map(|_| system.solver.new_var()).collect::<Vec<Lit>>();
        let inputs = [input(), input()];
        system.solver.add(&inputs[1]);
        for bit in &inputs[1] {
            let mut clause = inputs[0].clone();
            clause.push(*bit);
            system.solver.add(&clause);
        }
        assert_eq!(system.solver.solve(&[], &SatLimits::none()), SatAnswer::Sat);
        let found = small(&mut system, InputBits { bits: &inputs, floats: &[] }, &[], &SatLimits::none());
        let found: Vec<u128> = found.iter().map(nub_unroll::to_bits).collect();
        assert_eq!(found, [1, 1], "both can be small");
        let wanted = exactly(&inputs[0], 0);
        assert_eq!(system.solver.solve(&wanted, &SatLimits::none()), SatAnswer::Sat);
        let found = small(&mut system, InputBits { bits: &inputs, floats: &[] }, &wanted, &SatLimits::none());
        assert_eq!(found.iter().map(nub_unroll::to_bits).collect::<Vec<u128>>(), [0, 255]);
    }

    /// A float whose highest bits are given, one after the other, gets the first of its wishes that has them.
    #[test]
    fn floats_are_what_people_write() {
        let mut system = System::new(&SatLimits::none());
        let bits: Vec<Lit> = (0..32).map(|_| system.solver.new_var()).collect();
        let inputs = [bits.clone()];
        let mut with = |top: u32, n: usize| {
            let wanted: Vec<Lit> =
                (32 - n..32).map(|at| bits[at].negated_if(top >> (at + n - 32) & 1 == 0)).collect();
            assert_eq!(system.solver.solve(&wanted, &SatLimits::none()), SatAnswer::Sat);
            let floats = [Some(FloatEncoding::SINGLE)];
            let found =
                small(&mut system, InputBits { bits: &inputs, floats: &floats }, &wanted, &SatLimits::none());
            f32::from_bits(nub_unroll::to_bits(&found[0]) as u32)
        };
        assert_eq!(with(0, 1), 0.0);
        assert_eq!(with(0b001, 3), 1.0);
        assert_eq!(with(0b11, 2).signum(), -1.0);
        assert_eq!(with(0b101, 3), -1.0);
        assert_eq!(with(0x1ff, 10).to_bits(), 0x7fc0_0000);
        assert!((2.0..131_072.0).contains(&with(0b01, 2)));
    }
}
