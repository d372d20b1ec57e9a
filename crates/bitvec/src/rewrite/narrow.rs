//! Signed division of numbers that need fewer bits than they have.
//!
//! C divides in the width of its types: in `days % 146097 / 1460` the second division has 64 bits, but its dividend needs at most 19. The
//! circuit of a division grows with the square of the width.

use super::{RewriteRule, To, pair};
use crate::{Op, Pool, Term, TermId, Value};

pub(super) static RULES: &[RewriteRule] = &[
    RewriteRule { text: "sdiv(a, b) = sext(sdiv(a[i:0], b[i:0]))", ops: &[Op::Sdiv], apply: narrow_signed },
    RewriteRule { text: "srem(a, b) = sext(srem(a[i:0], b[i:0]))", ops: &[Op::Srem], apply: narrow_signed },
];

/// Limit on the terms inspected to find the number of bits that one operand needs.
const MAX_LOOKS: u32 = 48;

fn narrow_signed(pool: &mut Pool, term: &Term) -> Option<To> {
    let (a, b) = pair(term);
    // The smallest number divided by -1 does not fit its width, but fits one more bit.
    let may_overflow = pool.value(b).is_none_or(Value::is_ones);
    let needed = signed_bits(pool, a).max(signed_bits(pool, b)) + u32::from(may_overflow);
    // The quotient of a division by zero is 1 or -1.
    let needed = needed.max(2);
    if needed >= term.width() {
        return None;
    }
    let [a, b] = [a, b].map(|operand| pool.slice(operand, needed - 1, 0));
    let narrow = pool.mk(term.op(), &[a, b]);
    Some(To::Term(pool.mk_indexed(Op::Sext, &[narrow], &[term.width() - needed])))
}

/// A width that is enough for a term as a signed number: all bits above it are copies of the sign. At least 1.
fn signed_bits(pool: &Pool, term: TermId) -> u32 {
    let mut looks = MAX_LOOKS;
    bits(pool, term, &mut looks)
}

fn bits(pool: &Pool, id: TermId, looks: &mut u32) -> u32 {
    let width = pool.width(id);
    if let Some(value) = pool.value(id) {
        return constant_bits(value);
    }
    if *looks == 0 {
        return width;
    }
    *looks -= 1;
    let term = *pool.term(id);
    let mut of = |at: usize| bits(pool, term.arg(at), looks);
    let needed = match term.op() {
        Op::Sext | Op::Not => of(0),
        Op::Neg => of(0) + 1,
        Op::Add | Op::Sub => of(0).max(of(1)) + 1,
        Op::Mul => of(0) + of(1),
        Op::And | Op::Or | Op::Xor => of(0).max(of(1)),
        Op::Ite => of(1).max(of(2)),
        Op::Concat => of(0) + pool.width(term.arg(1)),
        // Only if no significant bit is removed.
        Op::Slice => {
            let whole = of(0);
            if whole <= term.index(0) + 1 { whole.saturating_sub(term.index(1)).max(1) } else { width }
        }
        Op::Sdiv => quotient_bits(of(0), pool.value(term.arg(1))),
        Op::Srem => of(0).min(remainder_bits(pool.value(term.arg(1)), width)),
        _ => width,
    };
    needed.min(width)
}

fn constant_bits(value: &Value) -> u32 {
    let sign = value.bit(value.width() - 1);
    let mut needed = value.width();
    while needed > 1 && value.bit(needed - 2) == sign {
        needed -= 1;
    }
    needed
}

/// A quotient by a positive constant of n bits has n - 1 fewer bits than the dividend.
fn quotient_bits(dividend: u32, divisor: Option<&Value>) -> u32 {
    match divisor.map(|value| (value, constant_bits(value))) {
        Some((value, needed)) if !value.bit(value.width() - 1) && needed >= 2 => {
            dividend.saturating_sub(needed - 2).max(1)
        }
        // The divisor is -1, or unknown.
        _ => dividend + 1,
    }
}

/// A remainder is closer to zero than the divisor, unless the divisor is zero.
fn remainder_bits(divisor: Option<&Value>, width: u32) -> u32 {
    divisor.filter(|value| !value.is_zero()).map_or(width, constant_bits)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Assignment, Datum, Evaluator, Rewriting, Sort};

    /// `x % 11 / 3 % 5` in 8 bits, and negative divisors: for all numbers.
    #[test]
    fn chains_of_divisions_keep_their_value_and_become_narrow() {
        for (first, second) in [(11, 3), (-11, 3), (11, -3), (127, 100), (-128, -1), (1, -1), (16, 16)] {
            let value = |rewriting| {
                let mut pool = Pool::with_rewriting(rewriting);
                let x = pool.var(Sort::Bits(8));
                let [first, second] =
                    [first, second].map(|number: i32| pool.constant(Value::from_u64(8, number as u8 as u64)));
                let rest = pool.mk(Op::Srem, &[x, first]);
                let quotient = pool.mk(Op::Sdiv, &[rest, second]);
                let all = (0..256).map(|number| {
                    let mut assignment = Assignment::new();
                    assignment.set(x, Datum::Bits(Value::from_u64(8, number)));
                    Evaluator::new(&pool, &[quotient]).run(&assignment)
                });
                all.collect::<Vec<_>>()
            };
            assert_eq!(value(Rewriting::Off), value(Rewriting::On), "{first}, {second}");
        }
        let mut pool = Pool::new();
        let x = pool.var(Sort::Bits(64));
        let [days, years] = [146_097, 1460].map(|number| pool.constant(Value::from_u64(64, number)));
        let rest = pool.mk(Op::Srem, &[x, days]);
        let quotient = pool.mk(Op::Sdiv, &[rest, years]);
        assert_eq!((pool.op(quotient), pool.width(pool.term(quotient).arg(0))), (Op::Sext, 19));
    }

    #[test]
    fn bits_of_constants() {
        let needed = |number: i64| constant_bits(&Value::from_u64(16, number as u64 & 0xffff));
        assert_eq!([0, -1, 1, -2, 2, 127, -128, 128, -32_768].map(needed), [1, 1, 2, 2, 3, 8, 8, 9, 16]);
    }
}
