//! Comparisons, as truth values.

use super::{Repr, Value, limbs};
use std::cmp::Ordering;

impl Value {
    /// `bvult`
    pub fn ult(&self, other: &Value) -> bool {
        self.cmp_unsigned(other) == Ordering::Less
    }

    /// `bvule`
    pub fn ule(&self, other: &Value) -> bool {
        self.cmp_unsigned(other) != Ordering::Greater
    }

    /// `bvugt`
    pub fn ugt(&self, other: &Value) -> bool {
        other.ult(self)
    }

    /// `bvuge`
    pub fn uge(&self, other: &Value) -> bool {
        other.ule(self)
    }

    /// `bvslt`
    pub fn slt(&self, other: &Value) -> bool {
        self.cmp_signed(other) == Ordering::Less
    }

    /// `bvsle`
    pub fn sle(&self, other: &Value) -> bool {
        self.cmp_signed(other) != Ordering::Greater
    }

    /// `bvsgt`
    pub fn sgt(&self, other: &Value) -> bool {
        other.slt(self)
    }

    /// `bvsge`
    pub fn sge(&self, other: &Value) -> bool {
        other.sle(self)
    }

    fn cmp_unsigned(&self, other: &Value) -> Ordering {
        self.same_width(other);
        match (&self.0, &other.0) {
            (Repr::Small { bits: a, .. }, Repr::Small { bits: b, .. }) => a.cmp(b),
            _ => limbs::cmp(self.limbs(), other.limbs()),
        }
    }

    /// If the signs are equal, the order is the unsigned one.
    fn cmp_signed(&self, other: &Value) -> Ordering {
        other.sign_bit().cmp(&self.sign_bit()).then_with(|| self.cmp_unsigned(other))
    }
}
