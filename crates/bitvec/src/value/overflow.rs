//! Overflow predicates: true if the exact result does not fit the width.

use super::Value;

impl Value {
    /// `bvuaddo`
    pub fn uaddo(&self, other: &Value) -> bool {
        self.add(other).ult(self)
    }

    /// `bvsaddo`
    pub fn saddo(&self, other: &Value) -> bool {
        self.sign_bit() == other.sign_bit() && self.add(other).sign_bit() != self.sign_bit()
    }

    /// `bvusubo`
    pub fn usubo(&self, other: &Value) -> bool {
        self.ult(other)
    }

    /// `bvssubo`
    pub fn ssubo(&self, other: &Value) -> bool {
        self.sign_bit() != other.sign_bit() && self.sub(other).sign_bit() != self.sign_bit()
    }

    /// `bvumulo`
    pub fn umulo(&self, other: &Value) -> bool {
        let width = self.same_width(other);
        let product = self.zero_extend(width).mul(&other.zero_extend(width));
        !product.slice(2 * width - 1, width).is_zero()
    }

    /// `bvsmulo`
    pub fn smulo(&self, other: &Value) -> bool {
        let width = self.same_width(other);
        let product = self.sign_extend(width).mul(&other.sign_extend(width));
        // It fits if the upper half consists of copies of the sign bit of the lower half.
        let top = product.slice(2 * width - 1, width - 1);
        !top.is_zero() && !top.is_ones()
    }

    /// `bvsdivo`: the smallest signed number divided by -1.
    pub fn sdivo(&self, divisor: &Value) -> bool {
        self.same_width(divisor);
        self.nego() && divisor.is_ones()
    }

    /// `bvnego`: the smallest signed number has no negation.
    pub fn nego(&self) -> bool {
        *self == Value::min_signed(self.width())
    }
}
