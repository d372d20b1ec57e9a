//! Rules for `eq`, `ult`, `slt`.

use super::{RewriteRule, To, pair};
use crate::{Op, Pool, Sort, Term, Value};

pub(super) static RULES: &[RewriteRule] = &[
    RewriteRule { text: "(a = a) = 1", ops: &[Op::Eq], apply: eq_same },
    RewriteRule { text: "(a = ~a) = 0", ops: &[Op::Eq], apply: eq_not },
    RewriteRule { text: "(a = b) = ~(a ^ b) for one bit", ops: &[Op::Eq], apply: eq_bit },
    RewriteRule { text: "(~a = ~b) = (a = b), (k = ~a) = (~k = a)", ops: &[Op::Eq], apply: eq_nots },
    RewriteRule { text: "(i = j + a) = (i - j = a)", ops: &[Op::Eq], apply: eq_add },
    RewriteRule { text: "(a + b = a + c) = (b = c)", ops: &[Op::Eq], apply: eq_cancel },
    RewriteRule {
        text: "(k = concat(a, b)) = (k' = a) & (k'' = b)",
        ops: &[Op::Eq],
        apply: eq_concat_constant,
    },
    RewriteRule { text: "(concat(a, b) = concat(a, c)) = (b = c)", ops: &[Op::Eq], apply: eq_concat_same },
    RewriteRule { text: "(k = ite(a, i, j)): a, ~a, 0 or 1", ops: &[Op::Eq], apply: eq_ite_constants },
    RewriteRule { text: "a < a = 0", ops: &[Op::Ult, Op::Slt], apply: less_same },
    RewriteRule { text: "a < 0 = 0, -1 < a = 0", ops: &[Op::Ult], apply: ult_extreme },
    RewriteRule { text: "0 < a = ~(0 = a), a < 1 = (0 = a)", ops: &[Op::Ult], apply: ult_near_zero },
    RewriteRule { text: "a < -1 = ~(-1 = a), -2 < a = (-1 = a)", ops: &[Op::Ult], apply: ult_near_ones },
    RewriteRule { text: "slt(a, min) = 0, slt(max, a) = 0", ops: &[Op::Slt], apply: slt_extreme },
    RewriteRule { text: "slt(a, 0) = sign of a, slt(-1, a) = ~sign of a", ops: &[Op::Slt], apply: slt_zero },
];

fn eq_same(pool: &mut Pool, term: &Term) -> Option<To> {
    let (a, b) = pair(term);
    if a == b { pool.give_truth(true) } else { None }
}

fn eq_not(pool: &mut Pool, term: &Term) -> Option<To> {
    let (a, b) = pair(term);
    if pool.are_opposite(a, b) { pool.give_truth(false) } else { None }
}

fn eq_bit(pool: &mut Pool, term: &Term) -> Option<To> {
    let (a, b) = pair(term);
    if pool.sort(a) == Sort::BIT { pool.give_not(Op::Xor, &[a, b]) } else { None }
}

fn eq_nots(pool: &mut Pool, term: &Term) -> Option<To> {
    let (a, b) = pair(term);
    let not_b = pool.as_not(b)?;
    if let Some(k) = pool.value(a) {
        let k = k.not();
        let k = pool.constant(k);
        return pool.give(Op::Eq, &[k, not_b]);
    }
    let not_a = pool.as_not(a)?;
    pool.give(Op::Eq, &[not_a, not_b])
}

fn eq_add(pool: &mut Pool, term: &Term) -> Option<To> {
    let (i, inner) = (term.arg(0), *pool.term(term.arg(1)));
    if inner.op() != Op::Add {
        return None;
    }
    let rest = pool.value(i)?.sub(pool.value(inner.arg(0))?);
    let rest = pool.constant(rest);
    pool.give(Op::Eq, &[rest, inner.arg(1)])
}

fn eq_cancel(pool: &mut Pool, term: &Term) -> Option<To> {
    let (a, b) = (*pool.term(term.arg(0)), *pool.term(term.arg(1)));
    if a.op() != Op::Add || b.op() != Op::Add {
        return None;
    }
    for (i, j) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
        if a.arg(i) == b.arg(j) {
            return pool.give(Op::Eq, &[a.arg(1 - i), b.arg(1 - j)]);
        }
    }
    None
}

fn eq_concat_constant(pool: &mut Pool, term: &Term) -> Option<To> {
    let (k, concat) = (term.arg(0), *pool.term(term.arg(1)));
    if concat.op() != Op::Concat {
        return None;
    }
    let low_width = pool.width(concat.arg(1));
    let k = pool.value(k)?;
    let parts = [k.slice(k.width() - 1, low_width), k.slice(low_width - 1, 0)];
    let [high, low] = parts.map(|part| pool.constant(part));
    let high = pool.mk(Op::Eq, &[high, concat.arg(0)]);
    let low = pool.mk(Op::Eq, &[low, concat.arg(1)]);
    pool.give(Op::And, &[high, low])
}

fn eq_concat_same(pool: &mut Pool, term: &Term) -> Option<To> {
    let (a, b) = (*pool.term(term.arg(0)), *pool.term(term.arg(1)));
    if a.op() != Op::Concat || b.op() != Op::Concat {
        return None;
    }
    let same = (0..2).find(|index| a.arg(*index) == b.arg(*index))?;
    pool.give(Op::Eq, &[a.arg(1 - same), b.arg(1 - same)])
}

fn eq_ite_constants(pool: &mut Pool, term: &Term) -> Option<To> {
    let (k, ite) = (term.arg(0), *pool.term(term.arg(1)));
    if ite.op() != Op::Ite {
        return None;
    }
    // Equal constants are the same term.
    pool.value(k).and(pool.value(ite.arg(1))).and(pool.value(ite.arg(2)))?;
    match (k == ite.arg(1), k == ite.arg(2)) {
        (true, true) => pool.give_truth(true),
        (true, false) => Some(To::Term(ite.arg(0))),
        (false, true) => pool.give(Op::Not, &[ite.arg(0)]),
        (false, false) => pool.give_truth(false),
    }
}

fn less_same(pool: &mut Pool, term: &Term) -> Option<To> {
    let (a, b) = pair(term);
    if a == b { pool.give_truth(false) } else { None }
}

fn ult_extreme(pool: &mut Pool, term: &Term) -> Option<To> {
    let (a, b) = pair(term);
    if pool.is_zero(b) || pool.is_ones(a) { pool.give_truth(false) } else { None }
}

fn ult_near_zero(pool: &mut Pool, term: &Term) -> Option<To> {
    let (a, b) = pair(term);
    if pool.is_zero(a) {
        return pool.give_not(Op::Eq, &[a, b]);
    }
    if !pool.is_one(b) {
        return None;
    }
    let zero = pool.constant(Value::zero(pool.width(a)));
    pool.give(Op::Eq, &[zero, a])
}

fn ult_near_ones(pool: &mut Pool, term: &Term) -> Option<To> {
    let (a, b) = pair(term);
    if pool.is_ones(b) {
        return pool.give_not(Op::Eq, &[b, a]);
    }
    if !pool.value(a)?.inc().is_ones() {
        return None;
    }
    let ones = pool.constant(Value::ones(pool.width(a)));
    pool.give(Op::Eq, &[ones, b])
}

fn slt_extreme(pool: &mut Pool, term: &Term) -> Option<To> {
    let (a, b) = pair(term);
    let is_min = |value: &Value| value.nego();
    let never = pool.value(b).is_some_and(is_min) || pool.value(a).is_some_and(|a| a.not().nego());
    if never { pool.give_truth(false) } else { None }
}

fn slt_zero(pool: &mut Pool, term: &Term) -> Option<To> {
    let (a, b) = pair(term);
    if pool.is_zero(b) {
        return Some(To::Term(pool.sign(a)));
    }
    if pool.is_ones(a) {
        let sign = pool.sign(b);
        return pool.give(Op::Not, &[sign]);
    }
    None
}
