//! Signs, classes, comparisons.

use super::words::Words;
use crate::TermId;
use crate::float::{FloatFormat, FloatOp};

impl Words<'_> {
    /// The encoding, with every NaN replaced by the canonical one.
    pub(super) fn canonical(&mut self, format: FloatFormat, a: TermId) -> TermId {
        let parts = self.parts(format, a);
        let nan = self.nan(format);
        self.ite(parts.is_nan, nan, a)
    }

    pub(super) fn negated(&mut self, format: FloatFormat, a: TermId) -> TermId {
        let flipped = self.flipped(format, a);
        let parts = self.parts(format, a);
        self.ite(parts.is_nan, a, flipped)
    }

    /// The absolute value. The canonical NaN already has a positive sign.
    pub(super) fn absolute(&mut self, format: FloatFormat, a: TermId) -> TermId {
        let parts = self.parts(format, a);
        let sign = self.constant(false);
        self.concat(sign, parts.magnitude)
    }

    pub(super) fn class(&mut self, op: FloatOp, format: FloatFormat, a: TermId) -> TermId {
        let a = self.parts(format, a);
        match op {
            FloatOp::IsNan => a.is_nan,
            FloatOp::IsInfinite => a.is_infinite,
            FloatOp::IsZero => a.is_zero,
            FloatOp::IsSubnormal => self.and_not(a.is_tiny, a.is_zero),
            FloatOp::IsNormal => {
                let others = self.or_all(&[a.is_tiny, a.is_nan, a.is_infinite]);
                self.not(others)
            }
            FloatOp::IsNegative => self.and_not(a.sign, a.is_nan),
            _ => {
                let others = self.or(a.sign, a.is_nan);
                self.not(others)
            }
        }
    }

    pub(super) fn equal(&mut self, format: FloatFormat, a: TermId, b: TermId) -> TermId {
        let same = self.eq(a, b);
        let (a, b) = (self.parts(format, a), self.parts(format, b));
        let zeros = self.and(a.is_zero, b.is_zero);
        let same = self.or(same, zeros);
        let is_nan = self.or(a.is_nan, b.is_nan);
        self.and_not(same, is_nan)
    }

    /// `a < b`
    pub(super) fn less(&mut self, format: FloatFormat, a: TermId, b: TermId) -> TermId {
        let same = self.eq(a, b);
        let (a, b) = (self.parts(format, a), self.parts(format, b));
        let is_smaller = self.ult(a.magnitude, b.magnitude);
        // The negative value of larger magnitude is the smaller one; equal values are not less.
        let is_larger = self.or(is_smaller, same);
        let is_larger = self.not(is_larger);
        let differ = self.xor(a.sign, b.sign);
        let alike = self.ite(a.sign, is_larger, is_smaller);
        let less = self.ite(differ, a.sign, alike);
        let zeros = self.and(a.is_zero, b.is_zero);
        let is_none = self.or_all(&[zeros, a.is_nan, b.is_nan]);
        self.and_not(less, is_none)
    }

    /// `a <= b`
    pub(super) fn at_most(&mut self, format: FloatFormat, a: TermId, b: TermId) -> TermId {
        let (less, equal) = (self.less(format, a, b), self.equal(format, a, b));
        self.or(less, equal)
    }

    /// The smaller of two values or, for `fp.max`, the larger. For zeros of opposite signs, `open` is the sign of the result: one
    /// bit for a negative first operand and another for a positive one.
    pub(super) fn extremum(
        &mut self,
        op: FloatOp,
        format: FloatFormat,
        [a, b]: [TermId; 2],
        open: [TermId; 2],
    ) -> TermId {
        let first = match op {
            FloatOp::Min => self.less(format, a, b),
            _ => self.less(format, b, a),
        };
        let (x, y) = (self.parts(format, a), self.parts(format, b));
        let first = self.or(first, y.is_nan);
        let chosen = self.ite(first, a, b);
        let zeros = self.and(x.is_zero, y.is_zero);
        let differ = self.xor(x.sign, y.sign);
        let is_open = self.and(zeros, differ);
        let sign = self.ite(x.sign, open[0], open[1]);
        let zero = self.zero(format, sign);
        self.ite(is_open, zero, chosen)
    }
}
