//! Products of numbers that need fewer bits than they have.

use super::{NumberInterval, RangesUnderFacts, ValueRange};
use crate::{Op, Pool, TermId, Value};

impl RangesUnderFacts {
    /// A term that equals `a * b` where the facts hold. It multiplies only the bits that the operands need there.
    pub fn product(&mut self, pool: &mut Pool, a: TermId, b: TermId) -> TermId {
        self.narrow_product(pool, a, b).unwrap_or_else(|| pool.mk(Op::Mul, &[a, b]))
    }

    fn narrow_product(&mut self, pool: &mut Pool, a: TermId, b: TermId) -> Option<TermId> {
        if pool.value(a).is_some() || pool.value(b).is_some() || self.is_empty {
            return None;
        }
        let (of_a, of_b) = (self.range(pool, a)?, self.range(pool, b)?);
        let product = of_a.signed.of_ends(of_b.signed, i128::checked_mul)?;
        let width = pool.width(a);
        let needed = product.signed_bits().max(of_a.signed.signed_bits()).max(of_b.signed.signed_bits());
        if needed >= width {
            return None;
        }
        let (a, b) = (cut(pool, a, of_a, needed), cut(pool, b, of_b, needed));
        let narrow = pool.mk(Op::Mul, &[a, b]);
        Some(widened(pool, narrow, product, width))
    }

    /// Whether the signed product of two terms fits their width wherever the facts hold. `false` may also mean that this is unknown.
    pub fn product_fits(&mut self, pool: &Pool, a: TermId, b: TermId) -> bool {
        let mut fits = || {
            let product =
                self.range(pool, a)?.signed.of_ends(self.range(pool, b)?.signed, i128::checked_mul)?;
            Some(product.signed_bits() <= pool.width(a))
        };
        fits().unwrap_or(false)
    }
}

/// The low bits of a term, made of as few of them as its range needs.
fn cut(pool: &mut Pool, term: TermId, range: ValueRange, width: u32) -> TermId {
    let n_bits = range.signed.signed_bits().min(width);
    // A number that is not negative needs no sign.
    let n_bits = if range.signed.low >= 0 && n_bits > 1 { n_bits - 1 } else { n_bits };
    let part = pool.slice(term, n_bits - 1, 0);
    widened(pool, part, range.signed, width)
}

/// A number of this interval at another width.
fn widened(pool: &mut Pool, term: TermId, range: NumberInterval, width: u32) -> TermId {
    let more = width - pool.width(term);
    if more == 0 {
        term
    } else if range.low >= 0 {
        let zeros = pool.constant(Value::zero(more));
        pool.mk(Op::Concat, &[zeros, term])
    } else {
        pool.mk_indexed(Op::Sext, &[term], &[more])
    }
}
