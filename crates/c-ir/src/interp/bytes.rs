//! Scalars as bytes: little-endian, bit-fields from the lowest bit.

use super::memory::{Byte, Memory};
use super::pointer::Pointer;
use crate::ints;
use crate::ir::BitRange;

/// What is in a place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Content {
    /// Some byte was never written.
    Unknown,
    /// Bits, all that the bytes have.
    Bits(u128),
    /// A whole pointer.
    Pointer(Pointer),
}

impl Memory {
    /// What bytes mean together. Parts of a pointer that are not a whole pointer are the bits of its address.
    pub(super) fn decode(&self, bytes: &[Byte]) -> Content {
        if let Some(Byte::Part(pointer, 0)) = bytes.first()
            && bytes.iter().enumerate().all(|(at, byte)| *byte == Byte::Part(*pointer, at as u8))
        {
            return Content::Pointer(*pointer);
        }
        let mut bits: u128 = 0;
        for (at, byte) in bytes.iter().enumerate() {
            let value = match byte {
                Byte::Unknown => return Content::Unknown,
                Byte::Bits(value) => u128::from(*value),
                Byte::Part(pointer, part) => self.part(*pointer, *part),
            };
            let shift = at as u32 * self.char_bits;
            if shift < 128 {
                bits |= value << shift;
            }
        }
        Content::Bits(bits)
    }

    fn part(&self, pointer: Pointer, part: u8) -> u128 {
        let shift = u32::from(part) * self.char_bits;
        if shift >= 128 { 0 } else { ints::truncate(self.address(pointer) >> shift, self.char_bits) }
    }

    /// The bytes of a number.
    pub(super) fn encode(&self, bits: u128, into: &mut [Byte]) {
        encode(bits, self.char_bits, into);
    }

    /// The bits of a bit-field; `None` if one was never written.
    pub(super) fn read_bits(&self, bytes: &[Byte], range: BitRange) -> Option<u128> {
        let mut bits = 0;
        for at in 0..range.width {
            let position = range.start + at;
            let byte = match bytes.get((position / self.char_bits) as usize)? {
                Byte::Unknown => return None,
                Byte::Bits(value) => u128::from(*value),
                Byte::Part(pointer, part) => self.part(*pointer, *part),
            };
            bits |= (byte >> (position % self.char_bits) & 1) << at;
        }
        Some(bits)
    }
}

pub(super) fn encode(bits: u128, char_bits: u32, into: &mut [Byte]) {
    for (at, byte) in into.iter_mut().enumerate() {
        let shift = at as u32 * char_bits;
        let value = if shift >= 128 { 0 } else { ints::truncate(bits >> shift, char_bits) };
        *byte = Byte::Bits(value as u32);
    }
}

/// Writes a bit-field. Bits beside it that were never written become zero: a byte is known or it is not.
pub(super) fn write_bits(bytes: &mut [Byte], range: BitRange, bits: u128, char_bits: u32) {
    for at in 0..range.width {
        let position = range.start + at;
        let Some(byte) = bytes.get_mut((position / char_bits) as usize) else { return };
        let old = match *byte {
            Byte::Bits(value) => value,
            Byte::Unknown | Byte::Part(..) => 0,
        };
        let mask = 1u32 << (position % char_bits);
        let set = bits >> at & 1 == 1;
        *byte = Byte::Bits(if set { old | mask } else { old & !mask });
    }
}
