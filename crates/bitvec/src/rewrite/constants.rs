//! Constant folding, and the order of operands.

use super::{RewriteRule, To};
use crate::{Op, Pool, Term, Value};

pub(super) static RULES: &[RewriteRule] = &[
    RewriteRule { text: "op(k, k) = k", ops: FOLDED, apply: fold },
    RewriteRule { text: "eq(k, k) = k", ops: &[Op::Eq, Op::Ne], apply: fold_equality },
    RewriteRule { text: "op(a, b) = op(b, a)", ops: COMMUTATIVE, apply: order },
];

static COMMUTATIVE: &[Op] = {
    use Op::*;
    &[And, Or, Xor, Nand, Nor, Xnor, Iff, Add, Mul, Eq, Ne, Uaddo, Saddo, Umulo, Smulo]
};

static FOLDED: &[Op] = {
    use Op::*;
    &[
        Not, Neg, Inc, Dec, Redand, Redor, Redxor, Nego, And, Or, Xor, Nand, Nor, Xnor, Implies, Iff, Add,
        Sub, Mul, Udiv, Urem, Sdiv, Srem, Smod, Shl, Lshr, Ashr, Rol, Ror, Ult, Ule, Ugt, Uge, Slt, Sle, Sgt,
        Sge, Uaddo, Saddo, Usubo, Ssubo, Umulo, Smulo, Sdivo, Concat, Slice, Uext, Sext, Repeat,
    ]
};

fn fold(pool: &mut Pool, term: &Term) -> Option<To> {
    let value = pool.folded(term)?;
    pool.give_value(value)
}

fn fold_equality(pool: &mut Pool, term: &Term) -> Option<To> {
    let (a, b) = (term.arg(0), term.arg(1));
    let are_equal = pool.value(a)? == pool.value(b)?;
    pool.give_value(Value::from(are_equal == (term.op() == Op::Eq)))
}

/// Constants first, then older terms.
fn order(pool: &mut Pool, term: &Term) -> Option<To> {
    let rank = |pool: &Pool, index: usize| (pool.value(term.arg(index)).is_none(), term.arg(index));
    let is_sorted = rank(pool, 0) <= rank(pool, 1);
    (!is_sorted).then(|| To::Again(Term::new(term.op(), &[term.arg(1), term.arg(0)], &[], term.sort())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Eval;

    #[test]
    fn the_lists_are_complete() {
        for op in Op::all() {
            let is_folded = !matches!(op.info().eval, Eval::Structural(_));
            assert_eq!(FOLDED.contains(&op), is_folded, "{op}");
            assert_eq!(COMMUTATIVE.contains(&op), op.is_commutative(), "{op}");
        }
    }
}
