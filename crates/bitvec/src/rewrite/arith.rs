//! Rules for arithmetic, all modulo 2^width.

use super::{RewriteRule, To, pair};
use crate::{Op, Pool, Term, TermId, Value};

pub(super) static RULES: &[RewriteRule] = &[
    RewriteRule { text: "--a = a", ops: &[Op::Neg], apply: neg_neg },
    RewriteRule { text: "-(a - b) = b - a", ops: &[Op::Neg], apply: neg_sub },
    RewriteRule { text: "0 + a = a", ops: &[Op::Add], apply: add_zero },
    RewriteRule { text: "i + (j + a) = (i + j) + a", ops: &[Op::Add], apply: add_constants },
    RewriteRule { text: "a + -b = a - b", ops: &[Op::Add], apply: add_neg },
    RewriteRule { text: "a + ~a = -1", ops: &[Op::Add], apply: add_not },
    RewriteRule { text: "a - a = 0", ops: &[Op::Sub], apply: sub_same },
    RewriteRule { text: "0 - a = -a", ops: &[Op::Sub], apply: zero_sub },
    RewriteRule { text: "a - k = -k + a", ops: &[Op::Sub], apply: sub_constant },
    RewriteRule { text: "a - -b = a + b", ops: &[Op::Sub], apply: sub_neg },
    RewriteRule { text: "0 * a = 0, 1 * a = a, -1 * a = -a", ops: &[Op::Mul], apply: mul_constant },
    RewriteRule { text: "2^i * a = concat(a[w-i-1:0], 0)", ops: &[Op::Mul], apply: mul_power },
    RewriteRule { text: "-2^i * a = -(2^i * a)", ops: &[Op::Mul], apply: mul_minus_power },
    RewriteRule { text: "k * -a = -k * a", ops: &[Op::Mul], apply: mul_constant_neg },
    RewriteRule { text: "-a * -b = a * b, -a * b = -(a * b)", ops: &[Op::Mul], apply: mul_neg },
    RewriteRule { text: "udiv(a, 0) = -1, udiv(a, 1) = a", ops: &[Op::Udiv], apply: udiv_constant },
    RewriteRule { text: "udiv(a, 2^i) = concat(0, a[w-1:i])", ops: &[Op::Udiv], apply: udiv_power },
    RewriteRule { text: "urem(a, 0) = a, urem(a, 1) = 0", ops: &[Op::Urem], apply: urem_constant },
    RewriteRule { text: "urem(a, 2^i) = concat(0, a[i-1:0])", ops: &[Op::Urem], apply: urem_power },
    RewriteRule {
        text: "urem(a, a) = 0, srem(a, a) = 0, smod(a, a) = 0",
        ops: REMAINDERS,
        apply: remainder_same,
    },
    RewriteRule { text: "sdiv(a, 1) = a, sdiv(a, -1) = -a", ops: &[Op::Sdiv], apply: sdiv_constant },
    RewriteRule {
        text: "srem(a, 0) = a, smod(a, 0) = a",
        ops: &[Op::Srem, Op::Smod],
        apply: signed_remainder_zero,
    },
    RewriteRule {
        text: "srem(a, 1) = 0, smod(a, -1) = 0",
        ops: &[Op::Srem, Op::Smod],
        apply: signed_remainder_unit,
    },
    RewriteRule { text: "umulo(0, a) = 0, umulo(1, a) = 0", ops: &[Op::Umulo], apply: umulo_constant },
    RewriteRule { text: "smulo(0, a) = 0", ops: &[Op::Smulo], apply: smulo_zero },
];

static REMAINDERS: &[Op] = &[Op::Urem, Op::Srem, Op::Smod];

fn as_neg(pool: &Pool, id: TermId) -> Option<TermId> {
    (pool.op(id) == Op::Neg).then(|| pool.term(id).arg(0))
}

fn neg_neg(pool: &mut Pool, term: &Term) -> Option<To> {
    as_neg(pool, term.arg(0)).map(To::Term)
}

fn neg_sub(pool: &mut Pool, term: &Term) -> Option<To> {
    let inner = *pool.term(term.arg(0));
    if inner.op() == Op::Sub { pool.give(Op::Sub, &[inner.arg(1), inner.arg(0)]) } else { None }
}

fn add_zero(pool: &mut Pool, term: &Term) -> Option<To> {
    let (k, a) = pair(term);
    pool.is_zero(k).then_some(To::Term(a))
}

fn add_constants(pool: &mut Pool, term: &Term) -> Option<To> {
    let (i, inner) = (term.arg(0), *pool.term(term.arg(1)));
    if inner.op() != Op::Add {
        return None;
    }
    let sum = pool.value(i)?.add(pool.value(inner.arg(0))?);
    let sum = pool.constant(sum);
    pool.give(Op::Add, &[sum, inner.arg(1)])
}

fn add_neg(pool: &mut Pool, term: &Term) -> Option<To> {
    let (a, b) = pair(term);
    match (as_neg(pool, a), as_neg(pool, b)) {
        (_, Some(b)) => pool.give(Op::Sub, &[a, b]),
        (Some(a), None) => pool.give(Op::Sub, &[b, a]),
        (None, None) => None,
    }
}

fn add_not(pool: &mut Pool, term: &Term) -> Option<To> {
    let (a, b) = pair(term);
    if pool.are_opposite(a, b) { pool.give_value(Value::ones(term.width())) } else { None }
}

fn sub_same(pool: &mut Pool, term: &Term) -> Option<To> {
    let (a, b) = pair(term);
    if a == b { pool.give_zero(term.width()) } else { None }
}

fn zero_sub(pool: &mut Pool, term: &Term) -> Option<To> {
    let (k, a) = pair(term);
    if pool.is_zero(k) { pool.give(Op::Neg, &[a]) } else { None }
}

fn sub_constant(pool: &mut Pool, term: &Term) -> Option<To> {
    let (a, k) = pair(term);
    let minus = pool.value(k)?.neg();
    let minus = pool.constant(minus);
    pool.give(Op::Add, &[minus, a])
}

fn sub_neg(pool: &mut Pool, term: &Term) -> Option<To> {
    let (a, b) = pair(term);
    let b = as_neg(pool, b)?;
    pool.give(Op::Add, &[a, b])
}

fn mul_constant(pool: &mut Pool, term: &Term) -> Option<To> {
    let (k, a) = pair(term);
    match pool.value(k)? {
        value if value.is_zero() => Some(To::Term(k)),
        value if value.is_one() => Some(To::Term(a)),
        value if value.is_ones() => pool.give(Op::Neg, &[a]),
        _ => None,
    }
}

fn mul_power(pool: &mut Pool, term: &Term) -> Option<To> {
    let (k, a) = pair(term);
    let shift = pool.power_of_two(k).filter(|shift| *shift > 0)?;
    let high = pool.slice(a, term.width() - shift - 1, 0);
    let zeros = pool.constant(Value::zero(shift));
    pool.give(Op::Concat, &[high, zeros])
}

/// A shift and a negation instead of one addition for each one bit of the constant.
fn mul_minus_power(pool: &mut Pool, term: &Term) -> Option<To> {
    let (k, a) = pair(term);
    let minus = pool.value(k)?.neg();
    let power = pool.constant(minus);
    pool.power_of_two(power)?;
    let product = pool.mk(Op::Mul, &[power, a]);
    pool.give(Op::Neg, &[product])
}

fn mul_constant_neg(pool: &mut Pool, term: &Term) -> Option<To> {
    let (k, a) = pair(term);
    let a = as_neg(pool, a)?;
    let minus = pool.value(k)?.neg();
    let minus = pool.constant(minus);
    pool.give(Op::Mul, &[minus, a])
}

/// Products that are equal up to signs become one: a multiplier is too large to be built twice.
fn mul_neg(pool: &mut Pool, term: &Term) -> Option<To> {
    let (a, b) = pair(term);
    match (as_neg(pool, a), as_neg(pool, b)) {
        (Some(a), Some(b)) => pool.give(Op::Mul, &[a, b]),
        (Some(inner), None) => {
            let product = pool.mk(Op::Mul, &[inner, b]);
            pool.give(Op::Neg, &[product])
        }
        (None, Some(inner)) => {
            let product = pool.mk(Op::Mul, &[a, inner]);
            pool.give(Op::Neg, &[product])
        }
        (None, None) => None,
    }
}

fn udiv_constant(pool: &mut Pool, term: &Term) -> Option<To> {
    let (a, k) = pair(term);
    match pool.value(k)? {
        k if k.is_zero() => pool.give_value(Value::ones(term.width())),
        k if k.is_one() => Some(To::Term(a)),
        _ => None,
    }
}

fn udiv_power(pool: &mut Pool, term: &Term) -> Option<To> {
    let (a, k) = pair(term);
    let shift = pool.power_of_two(k).filter(|shift| *shift > 0)?;
    let high = pool.slice(a, term.width() - 1, shift);
    let zeros = pool.constant(Value::zero(shift));
    pool.give(Op::Concat, &[zeros, high])
}

fn urem_constant(pool: &mut Pool, term: &Term) -> Option<To> {
    let (a, k) = pair(term);
    match pool.value(k)? {
        k if k.is_zero() => Some(To::Term(a)),
        k if k.is_one() => pool.give_zero(term.width()),
        _ => None,
    }
}

fn urem_power(pool: &mut Pool, term: &Term) -> Option<To> {
    let (a, k) = pair(term);
    let shift = pool.power_of_two(k).filter(|shift| *shift > 0)?;
    let low = pool.slice(a, shift - 1, 0);
    let zeros = pool.constant(Value::zero(term.width() - shift));
    pool.give(Op::Concat, &[zeros, low])
}

/// Also correct for zero: the remainder is the dividend, which is then zero.
fn remainder_same(pool: &mut Pool, term: &Term) -> Option<To> {
    let (a, b) = pair(term);
    if a == b { pool.give_zero(term.width()) } else { None }
}

/// In one bit, 1 is -1, but there `a` is its own negation.
fn sdiv_constant(pool: &mut Pool, term: &Term) -> Option<To> {
    let (a, k) = pair(term);
    match pool.value(k)? {
        k if k.is_ones() => pool.give(Op::Neg, &[a]),
        k if k.is_one() => Some(To::Term(a)),
        _ => None,
    }
}

fn signed_remainder_zero(pool: &mut Pool, term: &Term) -> Option<To> {
    let (a, k) = pair(term);
    pool.is_zero(k).then_some(To::Term(a))
}

fn signed_remainder_unit(pool: &mut Pool, term: &Term) -> Option<To> {
    let (_, k) = pair(term);
    if pool.is_one(k) || pool.is_ones(k) { pool.give_zero(term.width()) } else { None }
}

fn umulo_constant(pool: &mut Pool, term: &Term) -> Option<To> {
    let (k, _) = pair(term);
    if pool.is_zero(k) || pool.is_one(k) { pool.give_truth(false) } else { None }
}

fn smulo_zero(pool: &mut Pool, term: &Term) -> Option<To> {
    let (k, _) = pair(term);
    if pool.is_zero(k) { pool.give_truth(false) } else { None }
}
