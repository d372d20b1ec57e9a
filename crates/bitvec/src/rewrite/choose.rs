//! Rules for `ite`, on bit-vectors and arrays.

use super::{RewriteRule, To};
use crate::{Op, Pool, Sort, Term};

pub(super) static RULES: &[RewriteRule] = &[
    RewriteRule { text: "ite(1, a, b) = a, ite(0, a, b) = b", ops: &[Op::Ite], apply: ite_constant },
    RewriteRule { text: "ite(a, b, b) = b", ops: &[Op::Ite], apply: ite_same },
    RewriteRule { text: "ite(~a, b, c) = ite(a, c, b)", ops: &[Op::Ite], apply: ite_not },
    RewriteRule { text: "ite(a, ite(a, b, _), c) = ite(a, b, c)", ops: &[Op::Ite], apply: ite_nested },
    RewriteRule {
        text: "ite(a, 1, b) = a | b, ite(a, b, 0) = a & b, for one bit",
        ops: &[Op::Ite],
        apply: ite_bit,
    },
    RewriteRule { text: "ite(a, ~b, ~c) = ~ite(a, b, c)", ops: &[Op::Ite], apply: ite_nots },
];

fn ite_constant(pool: &mut Pool, term: &Term) -> Option<To> {
    let condition = pool.value(term.arg(0))?;
    Some(To::Term(term.arg(if condition.is_zero() { 2 } else { 1 })))
}

fn ite_same(_: &mut Pool, term: &Term) -> Option<To> {
    (term.arg(1) == term.arg(2)).then_some(To::Term(term.arg(1)))
}

fn ite_not(pool: &mut Pool, term: &Term) -> Option<To> {
    let condition = pool.as_not(term.arg(0))?;
    Some(To::Again(Term::new(Op::Ite, &[condition, term.arg(2), term.arg(1)], &[], term.sort())))
}

fn ite_nested(pool: &mut Pool, term: &Term) -> Option<To> {
    let a = term.arg(0);
    let chosen = |pool: &Pool, index: usize| {
        let inner = *pool.term(term.arg(index));
        (inner.op() == Op::Ite && inner.arg(0) == a).then(|| inner.arg(index))
    };
    let (then, otherwise) = (chosen(pool, 1), chosen(pool, 2));
    then.or(otherwise)?;
    let args = [a, then.unwrap_or(term.arg(1)), otherwise.unwrap_or(term.arg(2))];
    Some(To::Again(Term::new(Op::Ite, &args, &[], term.sort())))
}

fn ite_bit(pool: &mut Pool, term: &Term) -> Option<To> {
    if term.sort() != Sort::BIT {
        return None;
    }
    let (a, b, c) = (term.arg(0), term.arg(1), term.arg(2));
    if pool.is_one(b) || a == b {
        pool.give(Op::Or, &[a, c])
    } else if pool.is_zero(c) || a == c {
        pool.give(Op::And, &[a, b])
    } else if pool.is_zero(b) {
        let not_a = pool.not(a);
        pool.give(Op::And, &[not_a, c])
    } else if pool.is_one(c) {
        let not_a = pool.not(a);
        pool.give(Op::Or, &[not_a, b])
    } else {
        None
    }
}

fn ite_nots(pool: &mut Pool, term: &Term) -> Option<To> {
    let (b, c) = (pool.as_not(term.arg(1))?, pool.as_not(term.arg(2))?);
    pool.give_not(Op::Ite, &[term.arg(0), b, c])
}
