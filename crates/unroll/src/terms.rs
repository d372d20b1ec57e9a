//! Helpers to build terms.

use nub_bitvec::{Op, Pool, TermId, Value};

/// A constant of up to 128 bits.
pub(crate) fn constant(pool: &mut Pool, width: u32, bits: u128) -> TermId {
    pool.constant(value(width, bits))
}

/// A value of up to 128 bits.
pub(crate) fn value(width: u32, bits: u128) -> Value {
    match u64::try_from(bits) {
        Ok(bits) => Value::from_u64(width, bits),
        Err(_) => Value::from_bits((0..width).map(|bit| bit < 128 && bits >> bit & 1 == 1)),
    }
}

/// A constant from a signed number.
pub(crate) fn signed(pool: &mut Pool, width: u32, number: i128) -> TermId {
    constant(pool, width, nub_c_ir::ints::from_signed(number, width))
}

pub(crate) fn and(pool: &mut Pool, a: TermId, b: TermId) -> TermId {
    pool.mk(Op::And, &[a, b])
}

pub(crate) fn or(pool: &mut Pool, a: TermId, b: TermId) -> TermId {
    pool.mk(Op::Or, &[a, b])
}

pub(crate) fn eq(pool: &mut Pool, a: TermId, b: TermId) -> TermId {
    pool.mk(Op::Eq, &[a, b])
}

/// The term at another width: zeros in front, or the low bits.
pub(crate) fn resize(pool: &mut Pool, term: TermId, width: u32) -> TermId {
    let from = pool.width(term);
    match from.cmp(&width) {
        std::cmp::Ordering::Less => pool.mk_indexed(Op::Uext, &[term], &[width - from]),
        std::cmp::Ordering::Equal => term,
        std::cmp::Ordering::Greater => pool.slice(term, width - 1, 0),
    }
}

/// The term at a width that is not smaller, sign-extended.
pub(crate) fn sign_extend(pool: &mut Pool, term: TermId, width: u32) -> TermId {
    let from = pool.width(term);
    if from < width { pool.mk_indexed(Op::Sext, &[term], &[width - from]) } else { resize(pool, term, width) }
}

/// The constant as a number, if it is one of up to 128 bits.
pub(crate) fn known(pool: &Pool, term: TermId) -> Option<u128> {
    let value = pool.value(term)?;
    if let Some(bits) = value.to_u64() {
        return Some(u128::from(bits));
    }
    (value.width() <= 128).then(|| {
        value.bits().enumerate().fold(0, |bits, (index, bit)| if bit { bits | 1_u128 << index } else { bits })
    })
}

/// The constant as a signed number.
pub(crate) fn known_signed(pool: &Pool, term: TermId) -> Option<i128> {
    known(pool, term).map(|bits| nub_c_ir::ints::to_signed(bits, pool.width(term)))
}

/// The constant truth value.
pub(crate) fn known_truth(pool: &Pool, term: TermId) -> Option<bool> {
    pool.value(term).map(|value| !value.is_zero())
}

/// `whole` with the bits from `low` on replaced by `part`.
pub(crate) fn splice(pool: &mut Pool, whole: TermId, part: TermId, low: u32) -> TermId {
    let (width, part_width) = (pool.width(whole), pool.width(part));
    let high = low + part_width;
    let mut term = part;
    if low > 0 {
        let below = pool.slice(whole, low - 1, 0);
        term = pool.mk(Op::Concat, &[term, below]);
    }
    if high < width {
        let above = pool.slice(whole, width - 1, high);
        term = pool.mk(Op::Concat, &[above, term]);
    }
    term
}

#[cfg(test)]
mod tests {
    use super::*;
    use nub_bitvec::Sort;

    #[test]
    fn constants_of_all_widths() {
        let mut pool = Pool::new();
        for (width, bits) in [(1, 1), (7, 100), (64, u128::from(u64::MAX)), (128, u128::MAX - 5)] {
            let term = constant(&mut pool, width, bits);
            assert_eq!(known(&pool, term), Some(bits));
        }
        let minus = signed(&mut pool, 9, -2);
        assert_eq!((known(&pool, minus), known_signed(&pool, minus)), (Some(510), Some(-2)));
    }

    #[test]
    fn a_part_that_is_put_back_changes_nothing() {
        let mut pool = Pool::new();
        let x = pool.var(Sort::Bits(32));
        for (high, low) in [(7, 0), (15, 8), (31, 24), (31, 0)] {
            let part = pool.slice(x, high, low);
            assert_eq!(splice(&mut pool, x, part, low), x, "{high} {low}");
        }
        let bit = pool.slice(x, 0, 0);
        let wide = resize(&mut pool, bit, 32);
        let zero = constant(&mut pool, 32, 0);
        let is_zero = eq(&mut pool, wide, zero);
        assert_eq!(pool.not(is_zero), bit, "truth values survive a round trip through int");
    }
}
