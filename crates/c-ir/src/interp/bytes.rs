//! Scalars as bytes, in the byte order of the data model, and bit-fields, counted from the end where the first byte is.

use super::memory::{Byte, Memory};
use super::pointer::Pointer;
use crate::ints;
use crate::ir::BitRange;
use crate::model::{ByteOrder, DataModel};

/// How bytes make a scalar.
#[derive(Clone, Copy, Debug)]
pub(super) struct ByteFormat {
    pub char_bits: u32,
    /// The size of a pointer in memory.
    pointer_bits: u32,
    order: ByteOrder,
}

impl ByteFormat {
    pub(super) fn of(model: &DataModel) -> ByteFormat {
        let DataModel { char_bits, byte_order, .. } = *model;
        let pointer_bits = model.pointer_bits.div_ceil(char_bits).next_power_of_two() * char_bits;
        ByteFormat { char_bits, pointer_bits, order: byte_order }
    }

    /// The shift of byte `number` in a scalar of `scalar_bits` bits.
    fn shift(self, scalar_bits: u32, number: usize) -> u32 {
        self.order.lowest_bit(scalar_bits, number as u32 * self.char_bits, self.char_bits)
    }

    /// Writes the bytes of a number.
    pub(super) fn encode(self, bits: u128, into: &mut [Byte]) {
        let whole = into.len() as u32 * self.char_bits;
        for (at, byte) in into.iter_mut().enumerate() {
            let shift = self.shift(whole, at);
            let value = if shift >= 128 { 0 } else { ints::truncate(bits >> shift, self.char_bits) };
            *byte = Byte::Bits(value as u32);
        }
    }

    /// Writes a bit-field. Bits beside it that were never written become zero: a byte is known or unknown as a whole.
    pub(super) fn write_bits(self, bytes: &mut [Byte], range: BitRange, bits: u128) {
        for at in 0..range.width {
            let (byte, bit) = self.order.position(range, at, self.char_bits);
            let Some(byte) = bytes.get_mut(byte) else { return };
            let old = match *byte {
                Byte::Bits(value) => value,
                Byte::Unknown | Byte::Part(..) => 0,
            };
            let is_set = bits >> at & 1 == 1;
            *byte = Byte::Bits(if is_set { old | 1 << bit } else { old & !(1 << bit) });
        }
    }
}

/// What is in a place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Content {
    /// Some byte was never written.
    Unknown,
    /// The bits of all bytes together.
    Bits(u128),
    /// A whole pointer.
    Pointer(Pointer),
}

impl Memory {
    /// Decodes bytes. Bytes of a pointer that do not form the whole pointer decode to the bits of its address.
    pub(super) fn decode(&self, bytes: &[Byte]) -> Content {
        let n_bits = bytes.len() as u32 * self.format.char_bits;
        if let Some(Byte::Part(pointer, 0)) = bytes.first()
            && n_bits == self.format.pointer_bits
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
            let shift = self.format.shift(n_bits, at);
            if shift < 128 {
                bits |= value << shift;
            }
        }
        Content::Bits(bits)
    }

    fn part(&self, pointer: Pointer, part: u8) -> u128 {
        let shift = self.format.shift(self.format.pointer_bits, part.into());
        if shift >= 128 { 0 } else { ints::truncate(self.address(pointer) >> shift, self.format.char_bits) }
    }

    /// The bits of a bit-field; `None` if one was never written.
    pub(super) fn read_bits(&self, bytes: &[Byte], range: BitRange) -> Option<u128> {
        let mut bits = 0;
        for at in 0..range.width {
            let (byte, bit) = self.format.order.position(range, at, self.format.char_bits);
            let byte = match bytes.get(byte)? {
                Byte::Unknown => return None,
                Byte::Bits(value) => u128::from(*value),
                Byte::Part(pointer, part) => self.part(*pointer, *part),
            };
            bits |= (byte >> bit & 1) << at;
        }
        Some(bits)
    }
}
