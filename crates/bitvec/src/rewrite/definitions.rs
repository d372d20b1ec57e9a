//! Operators that are defined by others.

use super::{RewriteRule, To, pair};
use crate::{Op, Pool, Term, Value};

pub(super) static RULES: &[RewriteRule] = &[
    RewriteRule { text: "inc(a) = 1 + a", ops: &[Op::Inc], apply: inc },
    RewriteRule { text: "dec(a) = -1 + a", ops: &[Op::Dec], apply: dec },
    RewriteRule { text: "redand(a) = (a = -1)", ops: &[Op::Redand], apply: redand },
    RewriteRule { text: "redor(a) = (a != 0)", ops: &[Op::Redor], apply: redor },
    RewriteRule { text: "nego(a) = (a = min)", ops: &[Op::Nego], apply: nego },
    RewriteRule { text: "nand(a, b) = ~(a & b)", ops: &[Op::Nand], apply: |p, t| negated(p, t, Op::And) },
    RewriteRule { text: "nor(a, b) = ~(a | b)", ops: &[Op::Nor], apply: |p, t| negated(p, t, Op::Or) },
    RewriteRule {
        text: "xnor(a, b) = ~(a ^ b)",
        ops: &[Op::Xnor, Op::Iff],
        apply: |p, t| negated(p, t, Op::Xor),
    },
    RewriteRule { text: "neq(a, b) = ~(a = b)", ops: &[Op::Ne], apply: |p, t| negated(p, t, Op::Eq) },
    RewriteRule { text: "implies(a, b) = ~a | b", ops: &[Op::Implies], apply: implies },
    RewriteRule {
        text: "ulte(a, b) = ~(b < a)",
        ops: &[Op::Ule],
        apply: |p, t| swapped_negated(p, t, Op::Ult),
    },
    RewriteRule { text: "ugt(a, b) = b < a", ops: &[Op::Ugt], apply: |p, t| swapped(p, t, Op::Ult) },
    RewriteRule { text: "ugte(a, b) = ~(a < b)", ops: &[Op::Uge], apply: |p, t| negated(p, t, Op::Ult) },
    RewriteRule {
        text: "slte(a, b) = ~slt(b, a)",
        ops: &[Op::Sle],
        apply: |p, t| swapped_negated(p, t, Op::Slt),
    },
    RewriteRule { text: "sgt(a, b) = slt(b, a)", ops: &[Op::Sgt], apply: |p, t| swapped(p, t, Op::Slt) },
    RewriteRule { text: "sgte(a, b) = ~slt(a, b)", ops: &[Op::Sge], apply: |p, t| negated(p, t, Op::Slt) },
    RewriteRule { text: "usubo(a, b) = a < b", ops: &[Op::Usubo], apply: usubo },
    RewriteRule { text: "uaddo(a, b) = carry of a + b", ops: &[Op::Uaddo], apply: uaddo },
    RewriteRule { text: "saddo(a, b): equal signs, another sign of a + b", ops: &[Op::Saddo], apply: saddo },
    RewriteRule {
        text: "ssubo(a, b): different signs, another sign of a - b",
        ops: &[Op::Ssubo],
        apply: ssubo,
    },
    RewriteRule { text: "sdivo(a, b) = (a = min) & (b = -1)", ops: &[Op::Sdivo], apply: sdivo },
    RewriteRule { text: "uext(a, i) = concat(0, a)", ops: &[Op::Uext], apply: uext },
];

fn inc(pool: &mut Pool, term: &Term) -> Option<To> {
    let one = pool.constant(Value::one(term.width()));
    pool.give(Op::Add, &[one, term.arg(0)])
}

fn dec(pool: &mut Pool, term: &Term) -> Option<To> {
    let ones = pool.constant(Value::ones(term.width()));
    pool.give(Op::Add, &[ones, term.arg(0)])
}

fn redand(pool: &mut Pool, term: &Term) -> Option<To> {
    let ones = pool.constant(Value::ones(pool.width(term.arg(0))));
    pool.give(Op::Eq, &[ones, term.arg(0)])
}

fn redor(pool: &mut Pool, term: &Term) -> Option<To> {
    let zero = pool.constant(Value::zero(pool.width(term.arg(0))));
    pool.give_not(Op::Eq, &[zero, term.arg(0)])
}

fn nego(pool: &mut Pool, term: &Term) -> Option<To> {
    let min = pool.constant(Value::min_signed(pool.width(term.arg(0))));
    pool.give(Op::Eq, &[min, term.arg(0)])
}

fn negated(pool: &mut Pool, term: &Term, op: Op) -> Option<To> {
    pool.give_not(op, &[term.arg(0), term.arg(1)])
}

fn swapped(pool: &mut Pool, term: &Term, op: Op) -> Option<To> {
    pool.give(op, &[term.arg(1), term.arg(0)])
}

fn swapped_negated(pool: &mut Pool, term: &Term, op: Op) -> Option<To> {
    pool.give_not(op, &[term.arg(1), term.arg(0)])
}

fn implies(pool: &mut Pool, term: &Term) -> Option<To> {
    let not_a = pool.not(term.arg(0));
    pool.give(Op::Or, &[not_a, term.arg(1)])
}

fn usubo(pool: &mut Pool, term: &Term) -> Option<To> {
    pool.give(Op::Ult, &[term.arg(0), term.arg(1)])
}

/// The carry of a sum that has one more bit.
fn uaddo(pool: &mut Pool, term: &Term) -> Option<To> {
    let (a, b) = pair(term);
    let wide_a = pool.apply(Op::Uext, &[a], &[1]).ok()?;
    let wide_b = pool.mk_indexed(Op::Uext, &[b], &[1]);
    let sum = pool.mk(Op::Add, &[wide_a, wide_b]);
    Some(To::Term(pool.sign(sum)))
}

fn saddo(pool: &mut Pool, term: &Term) -> Option<To> {
    let (a, b) = pair(term);
    let sum = pool.mk(Op::Add, &[a, b]);
    let [a, b, sum] = [a, b, sum].map(|value| pool.sign(value));
    let signs_differ = pool.mk(Op::Xor, &[a, b]);
    let signs_agree = pool.not(signs_differ);
    let changed = pool.mk(Op::Xor, &[a, sum]);
    pool.give(Op::And, &[signs_agree, changed])
}

fn ssubo(pool: &mut Pool, term: &Term) -> Option<To> {
    let (a, b) = pair(term);
    let difference = pool.mk(Op::Sub, &[a, b]);
    let [a, b, difference] = [a, b, difference].map(|value| pool.sign(value));
    let signs_differ = pool.mk(Op::Xor, &[a, b]);
    let changed = pool.mk(Op::Xor, &[a, difference]);
    pool.give(Op::And, &[signs_differ, changed])
}

fn sdivo(pool: &mut Pool, term: &Term) -> Option<To> {
    let (a, b) = pair(term);
    let is_min = pool.mk(Op::Nego, &[a]);
    let is_ones = pool.mk(Op::Redand, &[b]);
    pool.give(Op::And, &[is_min, is_ones])
}

fn uext(pool: &mut Pool, term: &Term) -> Option<To> {
    match term.index(0) {
        0 => Some(To::Term(term.arg(0))),
        n_bits => {
            let zeros = pool.constant(Value::zero(n_bits));
            pool.give(Op::Concat, &[zeros, term.arg(0)])
        }
    }
}
