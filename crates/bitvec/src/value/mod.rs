//! A bit-vector value: a width and that many bits.

mod arith;
mod bitwise;
mod compare;
mod digits;
pub(crate) mod limbs;
mod overflow;
mod reshape;
mod shift;

use limbs::{LIMB_BITS, n_limbs, top_mask};
use std::cmp::Ordering;
use std::fmt;

/// A bit-vector constant. Bit 0 is the least significant one.
///
/// Up to 64 bits are stored inline. A wider value owns a block of `width / 8` bytes, so a value of the largest width that
/// BTOR2 allows, 2^31 - 2, takes 256 MiB even if it is zero; readers of untrusted input must limit the width first. Most
/// operators cost O(width / 64); multiplication, division and decimal notation cost the square of that.
///
/// Operators panic if the widths of their operands do not match, as array indexing does if it is out of bounds: sorts are
/// checked when a term is made, not when it is evaluated.
///
/// Values are ordered by width, then as unsigned numbers.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Value(Repr);

/// In both variants, bits from `width` up are zero.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Repr {
    /// 1 to 64 bits.
    Small { width: u32, bits: u64 },
    /// More than 64 bits, least significant limb first.
    Large { width: u32, limbs: Box<[u64]> },
}

impl Value {
    /// All bits zero. Panics if the width is zero, as every constructor does.
    pub fn zero(width: u32) -> Value {
        Value::from_u64(width, 0)
    }

    /// The number 1.
    pub fn one(width: u32) -> Value {
        Value::from_u64(width, 1)
    }

    /// All bits one; -1 if read as signed.
    pub fn ones(width: u32) -> Value {
        Value::from_limbs(width, vec![u64::MAX; n_limbs(width)])
    }

    /// The smallest signed number: the sign bit alone.
    pub fn min_signed(width: u32) -> Value {
        let mut limbs = vec![0; n_limbs(width)];
        limbs[((width - 1) / LIMB_BITS) as usize] = 1 << ((width - 1) % LIMB_BITS);
        Value::from_limbs(width, limbs)
    }

    /// The largest signed number: all bits but the sign bit.
    pub fn max_signed(width: u32) -> Value {
        Value::min_signed(width).not()
    }

    /// `bits` modulo 2^`width`.
    pub fn from_u64(width: u32, bits: u64) -> Value {
        assert!(width > 0, "a bit-vector has at least one bit");
        if width <= LIMB_BITS {
            return Value(Repr::Small { width, bits: bits & top_mask(width) });
        }
        let mut limbs = vec![0; n_limbs(width)];
        limbs[0] = bits;
        Value(Repr::Large { width, limbs: limbs.into() })
    }

    /// `number` modulo 2^`width`, in two's complement.
    pub fn from_i128(width: u32, number: i128) -> Value {
        Value::from_bits((0..width).map(|bit| number >> bit.min(127) & 1 == 1))
    }

    /// The bits in order, least significant first; their number is the width. Panics if there are none.
    pub fn from_bits(bits: impl IntoIterator<Item = bool>) -> Value {
        let mut limbs = Vec::new();
        let mut width = 0;
        for bit in bits {
            if width % LIMB_BITS == 0 {
                limbs.push(0);
            }
            if let Some(last) = limbs.last_mut() {
                *last |= u64::from(bit) << (width % LIMB_BITS);
            }
            width += 1;
        }
        Value::from_limbs(width, limbs)
    }

    /// The number in `limbs` modulo 2^`width`. Missing limbs are zero.
    pub(crate) fn from_limbs(width: u32, mut limbs: Vec<u64>) -> Value {
        assert!(width > 0, "a bit-vector has at least one bit");
        if width <= LIMB_BITS {
            return Value::from_u64(width, limbs.first().copied().unwrap_or(0));
        }
        limbs.resize(n_limbs(width), 0);
        if let Some(last) = limbs.last_mut() {
            *last &= top_mask(width);
        }
        Value(Repr::Large { width, limbs: limbs.into() })
    }

    /// The limbs, least significant first; at least one.
    pub(crate) fn limbs(&self) -> &[u64] {
        match &self.0 {
            Repr::Small { bits, .. } => std::slice::from_ref(bits),
            Repr::Large { limbs, .. } => limbs,
        }
    }

    /// The number of bits.
    pub fn width(&self) -> u32 {
        match self.0 {
            Repr::Small { width, .. } | Repr::Large { width, .. } => width,
        }
    }

    /// Bit `index`. Panics if there is none.
    pub fn bit(&self, index: u32) -> bool {
        assert!(index < self.width(), "bit {index} of a bit-vector of width {}", self.width());
        self.limbs()[(index / LIMB_BITS) as usize] >> (index % LIMB_BITS) & 1 == 1
    }

    /// The most significant bit.
    pub fn sign_bit(&self) -> bool {
        self.bit(self.width() - 1)
    }

    /// The bits, least significant first.
    pub fn bits(&self) -> impl Iterator<Item = bool> + '_ {
        (0..self.width()).map(|index| self.bit(index))
    }

    /// True if all bits are zero.
    pub fn is_zero(&self) -> bool {
        self.limbs().iter().all(|&limb| limb == 0)
    }

    /// True if it is the number 1.
    pub fn is_one(&self) -> bool {
        self.to_u64() == Some(1)
    }

    /// True if all bits are one.
    pub fn is_ones(&self) -> bool {
        let (&last, others) = self.limbs().split_last().expect("there is at least one limb");
        last == top_mask(self.width()) && others.iter().all(|&limb| limb == u64::MAX)
    }

    /// The unsigned number, if it is below 2^64.
    pub fn to_u64(&self) -> Option<u64> {
        let (&first, others) = self.limbs().split_first()?;
        others.iter().all(|&limb| limb == 0).then_some(first)
    }

    /// Panics unless both have the same width; returns it.
    #[track_caller]
    fn same_width(&self, other: &Value) -> u32 {
        assert_eq!(self.width(), other.width(), "operands of different widths");
        self.width()
    }
}

/// One bit: the truth value as a bit-vector.
impl From<bool> for Value {
    fn from(bit: bool) -> Value {
        Value(Repr::Small { width: 1, bits: u64::from(bit) })
    }
}

impl Ord for Value {
    fn cmp(&self, other: &Value) -> Ordering {
        self.width().cmp(&other.width()).then_with(|| limbs::cmp(self.limbs(), other.limbs()))
    }
}

impl PartialOrd for Value {
    fn partial_cmp(&self, other: &Value) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// As in SMT-LIB: `#b` and the bits.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#b{}", self.to_binary())
    }
}

impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
