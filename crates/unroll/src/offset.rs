//! Where in an object a pointer points to.

use crate::terms;
use nub_bitvec::{Op, Pool, TermId};

/// Bytes from the start of an object: `base + Σ scale × index`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Offset {
    pub base: i128,
    pub parts: Vec<OffsetPart>,
}

/// A multiple of an index that is not constant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct OffsetPart {
    /// Signed, as wide as a pointer.
    pub index: TermId,
    pub scale: u64,
    /// The index is below this, or behaviour is undefined.
    pub count: Option<u64>,
}

/// More parts than this are combined into one: array dimensions are kept, not steps of a pointer.
const MAX_PARTS: usize = 4;

impl Offset {
    pub(crate) fn constant(base: i128) -> Offset {
        Offset { base, parts: Vec::new() }
    }

    /// The offset if it is constant.
    pub(crate) fn known(&self) -> Option<i128> {
        self.parts.is_empty().then_some(self.base)
    }

    /// As a term, modulo 2^width.
    pub(crate) fn term(&self, pool: &mut Pool, width: u32) -> TermId {
        self.multiple(pool, width, 1, 0)
    }

    /// `(offset - origin) / unit`; the division must have no remainder.
    fn multiple(&self, pool: &mut Pool, width: u32, unit: u64, origin: i128) -> TermId {
        let start = terms::signed(pool, width, (self.base - origin) / i128::from(unit.max(1)));
        self.parts.iter().fold(start, |sum, part| {
            let scale = terms::constant(pool, width, u128::from(part.scale / unit.max(1)));
            let product = pool.mk(Op::Mul, &[part.index, scale]);
            pool.mk(Op::Add, &[sum, product])
        })
    }

    /// The offset plus `scale × index`. `count` is the length of the array, if it is known.
    pub(crate) fn add(&self, pool: &mut Pool, index: TermId, scale: u64, count: Option<u64>) -> Offset {
        let mut sum = self.clone();
        if let Some(index) = terms::known_signed(pool, index) {
            sum.base = sum.base.saturating_add(index.saturating_mul(i128::from(scale)));
            return sum;
        }
        match sum.parts.iter_mut().find(|part| part.scale == scale && part.count.is_none()) {
            Some(part) if count.is_none() => part.index = pool.mk(Op::Add, &[part.index, index]),
            _ => sum.parts.push(OffsetPart { index, scale, count }),
        }
        if sum.parts.len() > MAX_PARTS
            || (sum.parts.len() > 1 && sum.parts.iter().any(|part| part.count.is_none()))
        {
            return sum.as_one_part(pool);
        }
        sum
    }

    /// The sum.
    pub(crate) fn plus(&self, pool: &mut Pool, other: &Offset) -> Offset {
        let start = Offset { base: self.base.saturating_add(other.base), parts: self.parts.clone() };
        other.parts.iter().fold(start, |sum, part| sum.add(pool, part.index, part.scale, part.count))
    }

    /// The largest number that divides all scales.
    fn unit(&self) -> u64 {
        self.parts.iter().fold(0, |unit, part| gcd(unit, part.scale))
    }

    fn as_one_part(&self, pool: &mut Pool) -> Offset {
        let Some(first) = self.parts.first() else { return self.clone() };
        let width = pool.width(first.index);
        let scale = self.unit();
        let index = self.multiple(pool, width, scale, self.base);
        Offset { base: self.base, parts: vec![OffsetPart { index, scale, count: None }] }
    }

    /// `if condition { self } else { other }`.
    pub(crate) fn either(&self, pool: &mut Pool, width: u32, condition: TermId, other: &Offset) -> Offset {
        if self == other {
            return self.clone();
        }
        let apart = u64::try_from((self.base - other.base).unsigned_abs()).unwrap_or(1);
        let scale = gcd(gcd(self.unit(), other.unit()), apart).max(1);
        let base = self.base.min(other.base);
        let a = self.multiple(pool, width, scale, base);
        let b = other.multiple(pool, width, scale, base);
        let index = pool.mk(Op::Ite, &[condition, a, b]);
        Offset::constant(base).add(pool, index, scale, None)
    }

    /// `(self - other) / scale` if both are whole multiples of it, without a division.
    pub(crate) fn distance(&self, pool: &mut Pool, width: u32, other: &Offset, scale: u64) -> Option<TermId> {
        let is_multiple = |offset: &Offset| offset.parts.iter().all(|part| part.scale % scale == 0);
        if scale == 0
            || !is_multiple(self)
            || !is_multiple(other)
            || (self.base - other.base) % i128::from(scale) != 0
        {
            return None;
        }
        let a = self.multiple(pool, width, scale, other.base);
        let b = other.multiple(pool, width, scale, other.base);
        Some(pool.mk(Op::Sub, &[a, b]))
    }
}

fn gcd(a: u64, b: u64) -> u64 {
    let (mut a, mut b) = (a, b);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}
