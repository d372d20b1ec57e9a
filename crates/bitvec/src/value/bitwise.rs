//! Bitwise operators, and reductions.

use super::limbs::top_mask;
use super::{Repr, Value};

impl Value {
    /// `bvnot`
    pub fn not(&self) -> Value {
        match &self.0 {
            Repr::Small { width, bits } => {
                Value(Repr::Small { width: *width, bits: !bits & top_mask(*width) })
            }
            Repr::Large { width, limbs } => {
                Value::from_limbs(*width, limbs.iter().map(|limb| !limb).collect())
            }
        }
    }

    /// `bvand`
    pub fn and(&self, other: &Value) -> Value {
        self.zip(other, |a, b| a & b)
    }

    /// `bvor`
    pub fn or(&self, other: &Value) -> Value {
        self.zip(other, |a, b| a | b)
    }

    /// `bvxor`
    pub fn xor(&self, other: &Value) -> Value {
        self.zip(other, |a, b| a ^ b)
    }

    /// `bvnand`
    pub fn nand(&self, other: &Value) -> Value {
        self.zip(other, |a, b| !(a & b))
    }

    /// `bvnor`
    pub fn nor(&self, other: &Value) -> Value {
        self.zip(other, |a, b| !(a | b))
    }

    /// `bvxnor`
    pub fn xnor(&self, other: &Value) -> Value {
        self.zip(other, |a, b| !(a ^ b))
    }

    fn zip(&self, other: &Value, on_limbs: impl Fn(u64, u64) -> u64) -> Value {
        let width = self.same_width(other);
        match (&self.0, &other.0) {
            (Repr::Small { bits: a, .. }, Repr::Small { bits: b, .. }) => {
                Value::from_u64(width, on_limbs(*a, *b))
            }
            _ => {
                let limbs = self.limbs().iter().zip(other.limbs());
                Value::from_limbs(width, limbs.map(|(a, b)| on_limbs(*a, *b)).collect())
            }
        }
    }

    /// `bvredand`: true if all bits are one.
    pub fn redand(&self) -> bool {
        self.is_ones()
    }

    /// `bvredor`: true if some bit is one.
    pub fn redor(&self) -> bool {
        !self.is_zero()
    }

    /// `redxor`: true if an odd number of bits is one.
    pub fn redxor(&self) -> bool {
        self.limbs().iter().fold(0, |parity, limb| parity ^ limb).count_ones() % 2 == 1
    }
}
