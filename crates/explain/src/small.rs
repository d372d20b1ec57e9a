//! Runs with small inputs: 0 and 1 say more to a reader than -2147483647.

use crate::system::System;
use nub_bitvec::Value;
use nub_cnf::Lit;
use nub_sat::{Answer, Limits};

/// Conflicts of one attempt to make an input smaller.
const CONFLICTS: u64 = 2_000;
/// Inputs that are made smaller.
const MAX_INPUTS: usize = 64;
/// Bits of a number that is small.
const SMALL_BITS: usize = 4;

/// Values of the inputs of the model that the solver has; one after the other is made small as long as what is wanted stays true.
pub(crate) fn small(system: &mut System, inputs: &[Vec<Lit>], wanted: &[Lit], limits: &Limits) -> Vec<Value> {
    let limits = limits.with_conflicts(CONFLICTS);
    let mut best: Vec<Value> = inputs.iter().map(|bits| system.value(bits)).collect();
    let mut fixed = wanted.to_vec();
    let all_small: Vec<Lit> =
        inputs.iter().flat_map(|bits| bits.iter().skip(SMALL_BITS)).map(|bit| !*bit).collect();
    let mut attempt = |fixed: &mut Vec<Lit>, wish: Vec<Lit>| {
        let n_before = fixed.len();
        fixed.extend(wish);
        let is_possible = system.solver.solve(fixed, &limits) == Answer::Sat;
        if is_possible {
            best = inputs.iter().map(|bits| system.value(bits)).collect();
        } else {
            fixed.truncate(n_before);
        }
        is_possible
    };
    attempt(&mut fixed, all_small);
    for bits in inputs.iter().take(MAX_INPUTS) {
        let wishes = [
            number(bits, 0),
            number(bits, 1),
            bits.iter().skip(SMALL_BITS).map(|bit| !*bit).collect(),
            bits.clone(),
            bits.iter().skip(SMALL_BITS).copied().collect(),
        ];
        for wish in wishes {
            if attempt(&mut fixed, wish) {
                break;
            }
        }
    }
    best
}

fn number(bits: &[Lit], number: u64) -> Vec<Lit> {
    let is_set = |at: usize| at < 64 && number >> at & 1 == 1;
    bits.iter().enumerate().map(|(at, bit)| bit.negated_if(!is_set(at))).collect()
}
