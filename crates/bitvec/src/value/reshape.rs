//! Operators that change the width.

use super::limbs::{n_limbs, shl, shr};
use super::{Repr, Value};

/// Widths are 32-bit numbers.
const TOO_WIDE: &str = "a bit-vector of 2^32 bits or more";

impl Value {
    /// `concat`: `self` is the high part. Panics if the sum of the widths does not fit 32 bits.
    pub fn concat(&self, low: &Value) -> Value {
        let width = self.width().checked_add(low.width()).expect(TOO_WIDE);
        if let (Repr::Small { bits: high, .. }, Repr::Small { bits, width: shift }, 0..=64) =
            (&self.0, &low.0, width)
        {
            return Value::from_u64(width, high << shift | bits);
        }
        let mut limbs = self.limbs().to_vec();
        limbs.resize(n_limbs(width), 0);
        limbs = shl(&limbs, u64::from(low.width()));
        for (limb, low) in limbs.iter_mut().zip(low.limbs()) {
            *limb |= low;
        }
        Value::from_limbs(width, limbs)
    }

    /// `(_ extract high low)`, both bits included. Panics unless `low <= high < width`.
    pub fn slice(&self, high: u32, low: u32) -> Value {
        assert!(low <= high && high < self.width(), "bits {high}:{low} of width {}", self.width());
        let width = high - low + 1;
        match &self.0 {
            Repr::Small { bits, .. } => Value::from_u64(width, bits >> low),
            Repr::Large { limbs, .. } => Value::from_limbs(width, shr(limbs, u64::from(low))),
        }
    }

    /// `(_ zero_extend n_bits)`: prepends that many zeros.
    pub fn zero_extend(&self, n_bits: u32) -> Value {
        let width = self.width().checked_add(n_bits).expect(TOO_WIDE);
        Value::from_limbs(width, self.limbs().to_vec())
    }

    /// `(_ sign_extend n_bits)`: prepends that many copies of the sign bit.
    pub fn sign_extend(&self, n_bits: u32) -> Value {
        if self.sign_bit() { self.not().zero_extend(n_bits).not() } else { self.zero_extend(n_bits) }
    }

    /// `(_ repeat times)`. Panics if `times` is zero.
    pub fn repeat(&self, times: u32) -> Value {
        assert!(times > 0, "a bit-vector has at least one bit");
        // Doubling: there are O(log times) steps, and each is linear in the length of its result.
        let mut result: Option<Value> = None;
        let mut power = self.clone();
        let mut left = times;
        loop {
            if left % 2 == 1 {
                result = Some(result.map_or(power.clone(), |done| done.concat(&power)));
            }
            left /= 2;
            match result {
                Some(done) if left == 0 => return done,
                _ => power = power.concat(&power),
            }
        }
    }
}
