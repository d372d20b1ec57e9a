//! Arithmetic modulo 2^width. Division and remainder by zero are total, as in SMT-LIB.

use super::{Repr, Value, limbs};

impl Value {
    /// `bvadd`
    pub fn add(&self, other: &Value) -> Value {
        self.binary(other, u64::wrapping_add, limbs::add)
    }

    /// `bvsub`
    pub fn sub(&self, other: &Value) -> Value {
        self.binary(other, u64::wrapping_sub, limbs::sub)
    }

    /// `bvmul`
    pub fn mul(&self, other: &Value) -> Value {
        self.binary(other, u64::wrapping_mul, limbs::mul)
    }

    /// `bvneg`
    pub fn neg(&self) -> Value {
        self.not().inc()
    }

    /// Plus one.
    pub fn inc(&self) -> Value {
        self.add(&Value::one(self.width()))
    }

    /// Minus one.
    pub fn dec(&self) -> Value {
        self.add(&Value::ones(self.width()))
    }

    /// `bvudiv`: all ones if the divisor is zero.
    pub fn udiv(&self, divisor: &Value) -> Value {
        if divisor.is_zero() {
            return Value::ones(self.same_width(divisor));
        }
        self.binary(divisor, |a, b| a / b, |a, b| limbs::div_rem(a, b).0)
    }

    /// `bvurem`: the dividend if the divisor is zero.
    pub fn urem(&self, divisor: &Value) -> Value {
        self.same_width(divisor);
        if divisor.is_zero() {
            return self.clone();
        }
        self.binary(divisor, |a, b| a % b, |a, b| limbs::div_rem(a, b).1)
    }

    /// `bvsdiv`: rounds towards zero. A division by zero gives -1, or 1 if the dividend is negative.
    pub fn sdiv(&self, divisor: &Value) -> Value {
        let quotient = self.magnitude().udiv(&divisor.magnitude());
        if self.sign_bit() == divisor.sign_bit() { quotient } else { quotient.neg() }
    }

    /// `bvsrem`: the sign is the dividend's. The result for a zero divisor is the dividend.
    pub fn srem(&self, divisor: &Value) -> Value {
        let rest = self.magnitude().urem(&divisor.magnitude());
        if self.sign_bit() { rest.neg() } else { rest }
    }

    /// `bvsmod`: the sign is the divisor's. The result for a zero divisor is the dividend.
    pub fn smod(&self, divisor: &Value) -> Value {
        let rest = self.srem(divisor);
        let signs_differ = self.sign_bit() != divisor.sign_bit();
        if signs_differ && !rest.is_zero() { rest.add(divisor) } else { rest }
    }

    /// The absolute value; as an unsigned number, it is also correct for the smallest signed number.
    fn magnitude(&self) -> Value {
        if self.sign_bit() { self.neg() } else { self.clone() }
    }

    fn binary(
        &self,
        other: &Value,
        small: impl Fn(u64, u64) -> u64,
        large: impl Fn(&[u64], &[u64]) -> Vec<u64>,
    ) -> Value {
        let width = self.same_width(other);
        match (&self.0, &other.0) {
            (Repr::Small { bits: a, .. }, Repr::Small { bits: b, .. }) => {
                Value::from_u64(width, small(*a, *b))
            }
            _ => Value::from_limbs(width, large(self.limbs(), other.limbs())),
        }
    }
}
