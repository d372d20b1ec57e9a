//! Runs with small inputs: 0 and 1 say more to a reader than -2147483647.
//!
//! All inputs are wished to be 0 at once. If that cannot be, the solver says which wishes stand against each other, and the last of them is
//! given up; and so on until the rest can be had. Those that were given up are wished to be 1, then a few bits long, then -1, then negative
//! and a few bits long. So an input that can have its wish costs nothing, where asking for one after the other costs a question each.

use crate::system::System;
use nub_bitvec::Value;
use nub_cnf::Lit;
use nub_sat::{SatAnswer, SatLimits};

/// Conflicts of one question.
const CONFLICTS: u64 = 2_000;
/// Questions of one wish for all inputs.
const MAX_QUESTIONS: usize = 64;
/// Bits of a number that is small.
const SMALL_BITS: usize = 4;

/// What an input may be wished to be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Wish {
    Zero,
    One,
    Small,
    MinusOne,
    SmallNegative,
}

impl Wish {
    const ALL: [Wish; 5] = [Wish::Zero, Wish::One, Wish::Small, Wish::MinusOne, Wish::SmallNegative];

    /// Bits that have to be true.
    fn bits(self, bits: &[Lit]) -> Vec<Lit> {
        let high = || bits.iter().skip(SMALL_BITS);
        match self {
            Wish::Zero => bits.iter().map(|bit| !*bit).collect(),
            Wish::One => bits.iter().enumerate().map(|(at, bit)| bit.negated_if(at > 0)).collect(),
            Wish::Small => high().map(|bit| !*bit).collect(),
            Wish::MinusOne => bits.to_vec(),
            Wish::SmallNegative => high().copied().collect(),
        }
    }
}

/// Values of the inputs of the model that the solver has, made small as long as what is wanted stays true.
pub(crate) fn small(
    system: &mut System,
    inputs: &[Vec<Lit>],
    wanted: &[Lit],
    limits: &SatLimits,
) -> Vec<Value> {
    let limits = limits.with_conflicts(CONFLICTS);
    let mut best: Vec<Value> = inputs.iter().map(|bits| system.value(bits)).collect();
    let mut fixed = wanted.to_vec();
    let n_wanted = fixed.len();
    fixed.extend(inputs.iter().flat_map(|bits| Wish::Small.bits(bits)));
    if system.solver.solve(&fixed, &limits) == SatAnswer::Sat {
        best = inputs.iter().map(|bits| system.value(bits)).collect();
    } else {
        fixed.truncate(n_wanted);
    }
    let mut open: Vec<usize> = (0..inputs.len()).collect();
    for wish in Wish::ALL {
        let mut wishes: Vec<(usize, Lit)> = Vec::with_capacity(open.len());
        for &index in &open {
            let is_true = system.solver.new_var();
            for bit in wish.bits(&inputs[index]) {
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

/// Gives up wishes until the others can be had together; then the solver has such a model.
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
        let found = small(&mut system, &inputs, &[], &SatLimits::none());
        let found: Vec<u128> = found.iter().map(nub_unroll::to_bits).collect();
        assert_eq!(found, [1, 1], "both can be small");
        let wanted = Wish::Zero.bits(&inputs[0]);
        assert_eq!(system.solver.solve(&wanted, &SatLimits::none()), SatAnswer::Sat);
        let found = small(&mut system, &inputs, &wanted, &SatLimits::none());
        assert_eq!(found.iter().map(nub_unroll::to_bits).collect::<Vec<u128>>(), [0, 255]);
    }
}
