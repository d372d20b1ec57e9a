//! Rules for `not`, `and`, `or`, `xor`.

use super::{RewriteRule, To, pair};
use crate::{Op, Pool, Term};

pub(super) static RULES: &[RewriteRule] = &[
    RewriteRule { text: "~~a = a", ops: &[Op::Not], apply: not_not },
    RewriteRule { text: "0 & a = 0, -1 & a = a", ops: &[Op::And], apply: and_constant },
    RewriteRule { text: "-1 | a = -1, 0 | a = a", ops: &[Op::Or], apply: or_constant },
    RewriteRule { text: "0 ^ a = a, -1 ^ a = ~a", ops: &[Op::Xor], apply: xor_constant },
    RewriteRule { text: "a & a = a, a | a = a", ops: &[Op::And, Op::Or], apply: idempotent },
    RewriteRule { text: "a ^ a = 0", ops: &[Op::Xor], apply: xor_same },
    RewriteRule {
        text: "a & ~a = 0, a | ~a = -1, a ^ ~a = -1",
        ops: &[Op::And, Op::Or, Op::Xor],
        apply: opposite,
    },
    RewriteRule { text: "a ^ ~b = ~(a ^ b)", ops: &[Op::Xor], apply: xor_not },
    RewriteRule {
        text: "a & (a & b) = a & b, a | (a | b) = a | b",
        ops: &[Op::And, Op::Or],
        apply: repeated,
    },
    RewriteRule { text: "a & (a | b) = a, a | (a & b) = a", ops: &[Op::And, Op::Or], apply: absorbed },
    RewriteRule { text: "~a & ~b = ~(a | b), ~a | ~b = ~(a & b)", ops: &[Op::And, Op::Or], apply: de_morgan },
];

fn not_not(pool: &mut Pool, term: &Term) -> Option<To> {
    pool.as_not(term.arg(0)).map(To::Term)
}

fn and_constant(pool: &mut Pool, term: &Term) -> Option<To> {
    let (k, a) = pair(term);
    match pool.value(k)? {
        k if k.is_zero() => pool.give_zero(term.width()),
        k if k.is_ones() => Some(To::Term(a)),
        _ => None,
    }
}

fn or_constant(pool: &mut Pool, term: &Term) -> Option<To> {
    let (k, a) = pair(term);
    match pool.value(k)? {
        value if value.is_ones() => Some(To::Term(k)),
        value if value.is_zero() => Some(To::Term(a)),
        _ => None,
    }
}

fn xor_constant(pool: &mut Pool, term: &Term) -> Option<To> {
    let (k, a) = pair(term);
    match pool.value(k)? {
        k if k.is_zero() => Some(To::Term(a)),
        k if k.is_ones() => pool.give(Op::Not, &[a]),
        _ => None,
    }
}

fn idempotent(_: &mut Pool, term: &Term) -> Option<To> {
    let (a, b) = pair(term);
    (a == b).then_some(To::Term(a))
}

fn xor_same(pool: &mut Pool, term: &Term) -> Option<To> {
    let (a, b) = pair(term);
    if a == b { pool.give_zero(term.width()) } else { None }
}

fn opposite(pool: &mut Pool, term: &Term) -> Option<To> {
    let (a, b) = pair(term);
    if !pool.are_opposite(a, b) {
        return None;
    }
    let zero = crate::Value::zero(term.width());
    pool.give_value(if term.op() == Op::And { zero } else { zero.not() })
}

/// Moves complements outwards, where two of them may cancel.
fn xor_not(pool: &mut Pool, term: &Term) -> Option<To> {
    let (a, b) = pair(term);
    match (pool.as_not(a), pool.as_not(b)) {
        (None, None) => None,
        (Some(a), Some(b)) => pool.give(Op::Xor, &[a, b]),
        (Some(a), None) => pool.give_not(Op::Xor, &[a, b]),
        (None, Some(b)) => pool.give_not(Op::Xor, &[a, b]),
    }
}

fn repeated(pool: &mut Pool, term: &Term) -> Option<To> {
    let (a, b) = pair(term);
    let holds = |outer, inner| pool.op(outer) == term.op() && pool.args(outer).any(|arg| arg == inner);
    if holds(b, a) {
        Some(To::Term(b))
    } else if holds(a, b) {
        Some(To::Term(a))
    } else {
        None
    }
}

fn absorbed(pool: &mut Pool, term: &Term) -> Option<To> {
    let (a, b) = pair(term);
    let dual = if term.op() == Op::And { Op::Or } else { Op::And };
    let holds = |outer, inner| pool.op(outer) == dual && pool.args(outer).any(|arg| arg == inner);
    if holds(b, a) {
        Some(To::Term(a))
    } else if holds(a, b) {
        Some(To::Term(b))
    } else {
        None
    }
}

fn de_morgan(pool: &mut Pool, term: &Term) -> Option<To> {
    let (a, b) = pair(term);
    let dual = if term.op() == Op::And { Op::Or } else { Op::And };
    let (a, b) = (pool.as_not(a)?, pool.as_not(b)?);
    pool.give_not(dual, &[a, b])
}
