//! Shifts and rotations by a value of any width: SMT-LIB and BTOR2 use the width of the operand, BTOR its logarithm.

use super::limbs::{shl, shr};
use super::{Repr, Value};

impl Value {
    /// `bvshl`: zeros are shifted in from the right.
    pub fn shl(&self, by: &Value) -> Value {
        let width = self.width();
        match (self.shift_amount(by), &self.0) {
            (None, _) => Value::zero(width),
            (Some(by), Repr::Small { bits, .. }) => Value::from_u64(width, bits << by),
            (Some(by), Repr::Large { limbs, .. }) => Value::from_limbs(width, shl(limbs, u64::from(by))),
        }
    }

    /// `bvlshr`: zeros are shifted in from the left.
    pub fn lshr(&self, by: &Value) -> Value {
        let width = self.width();
        match (self.shift_amount(by), &self.0) {
            (None, _) => Value::zero(width),
            (Some(by), Repr::Small { bits, .. }) => Value::from_u64(width, bits >> by),
            (Some(by), Repr::Large { limbs, .. }) => Value::from_limbs(width, shr(limbs, u64::from(by))),
        }
    }

    /// `bvashr`: copies of the sign bit are shifted in from the left.
    pub fn ashr(&self, by: &Value) -> Value {
        if self.sign_bit() { self.not().lshr(by).not() } else { self.lshr(by) }
    }

    /// Rotation to the left, modulo the width.
    pub fn rol(&self, by: &Value) -> Value {
        self.rotate_left(by.rem_small(self.width()))
    }

    /// Rotation to the right, modulo the width.
    pub fn ror(&self, by: &Value) -> Value {
        let width = self.width();
        self.rotate_left((width - by.rem_small(width)) % width)
    }

    /// Rotation to the left by less than the width.
    fn rotate_left(&self, by: u32) -> Value {
        let width = self.width();
        if by == 0 {
            return self.clone();
        }
        self.slice(width - by - 1, 0).concat(&self.slice(width - 1, width - by))
    }

    /// The amount if it is less than the width.
    fn shift_amount(&self, by: &Value) -> Option<u32> {
        by.to_u64().and_then(|by| u32::try_from(by).ok()).filter(|by| *by < self.width())
    }

    /// The unsigned number modulo `modulus` > 0.
    fn rem_small(&self, modulus: u32) -> u32 {
        let modulus = u128::from(modulus);
        let rest = self.limbs().iter().rev().fold(0, |rest, &limb| (rest << 64 | u128::from(limb)) % modulus);
        rest as u32
    }
}
