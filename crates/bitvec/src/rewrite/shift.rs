//! Rules for shifts and rotations.

use super::{RewriteRule, To, pair};
use crate::{Op, Pool, Term, Value};

pub(super) static RULES: &[RewriteRule] = &[
    RewriteRule {
        text: "shift of 0 = 0",
        ops: &[Op::Shl, Op::Lshr, Op::Ashr, Op::Rol, Op::Ror],
        apply: shift_zero,
    },
    RewriteRule { text: "sll(a, k) = concat(a[w-k-1:0], 0)", ops: &[Op::Shl], apply: shl_constant },
    RewriteRule { text: "srl(a, k) = concat(0, a[w-1:k])", ops: &[Op::Lshr], apply: lshr_constant },
    RewriteRule { text: "sra(a, k) = sext(a[w-1:k], k)", ops: &[Op::Ashr], apply: ashr_constant },
    RewriteRule {
        text: "rol(a, k), ror(a, k) = concat of slices",
        ops: &[Op::Rol, Op::Ror],
        apply: rotate_constant,
    },
];

fn shift_zero(pool: &mut Pool, term: &Term) -> Option<To> {
    let (a, _) = pair(term);
    pool.is_zero(a).then_some(To::Term(a))
}

/// The constant amount, limited to the width.
fn amount(pool: &Pool, term: &Term) -> Option<u32> {
    let by = pool.value(term.arg(1))?.to_u64().unwrap_or(u64::MAX);
    Some(u32::try_from(by).unwrap_or(u32::MAX).min(term.width()))
}

fn shl_constant(pool: &mut Pool, term: &Term) -> Option<To> {
    let (a, width) = (term.arg(0), term.width());
    match amount(pool, term)? {
        0 => Some(To::Term(a)),
        by if by == width => pool.give_zero(width),
        by => {
            let rest = pool.slice(a, width - by - 1, 0);
            let zeros = pool.constant(Value::zero(by));
            pool.give(Op::Concat, &[rest, zeros])
        }
    }
}

fn lshr_constant(pool: &mut Pool, term: &Term) -> Option<To> {
    let (a, width) = (term.arg(0), term.width());
    match amount(pool, term)? {
        0 => Some(To::Term(a)),
        by if by == width => pool.give_zero(width),
        by => {
            let rest = pool.slice(a, width - 1, by);
            let zeros = pool.constant(Value::zero(by));
            pool.give(Op::Concat, &[zeros, rest])
        }
    }
}

/// A shift by the width or more leaves only copies of the sign, like a shift by the width minus one.
fn ashr_constant(pool: &mut Pool, term: &Term) -> Option<To> {
    let (a, width) = (term.arg(0), term.width());
    let by = amount(pool, term)?.min(width - 1);
    let rest = pool.slice(a, width - 1, by);
    Some(To::Term(pool.mk_indexed(Op::Sext, &[rest], &[by])))
}

fn rotate_constant(pool: &mut Pool, term: &Term) -> Option<To> {
    let (a, width) = (term.arg(0), term.width());
    let by = pool.value(term.arg(1))?;
    // The amount modulo the width, computed in enough bits for both.
    let n_bits = by.width().max(32);
    let by = by.zero_extend(n_bits - by.width()).urem(&Value::from_u64(n_bits, u64::from(width)));
    let by = u32::try_from(by.to_u64()?).ok()?;
    let left = if term.op() == Op::Rol { by } else { (width - by) % width };
    if left == 0 {
        return Some(To::Term(a));
    }
    let high = pool.slice(a, width - left - 1, 0);
    let low = pool.slice(a, width - 1, width - left);
    pool.give(Op::Concat, &[high, low])
}
