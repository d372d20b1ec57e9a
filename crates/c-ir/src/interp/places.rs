//! Places: where they are, what they hold.

use super::bytes::Content;
use super::machine::{Machine, Stop};
use super::memory::Byte;
use super::pointer::Pointer;
use super::{RuntimeValue, WriteTarget};
use crate::ids::*;
use crate::ints;
use crate::ir::*;
use crate::types::{IntKind, Type};

/// A place with its address.
#[derive(Clone, Copy, Debug)]
pub(super) struct Location {
    pub(super) pointer: Pointer,
    pub(super) bits: Option<BitRange>,
    pub(super) ty: TypeId,
}

impl Machine<'_> {
    /// Where a place is. `operands` are the values of its pointer, if it has one, and of its indices.
    pub(super) fn locate(&self, place: &Place, operands: &[RuntimeValue]) -> Result<Location, Stop> {
        let mut operands = operands.iter();
        let types = &self.program.types;
        let frame = self.frame();
        let (mut pointer, mut ty) = match place.base {
            PlaceBase::Local(local) => {
                let ty = self.program.function(frame.function).locals[local.index()].ty;
                (Pointer::Object(frame.locals[local.index()], 0), ty)
            }
            PlaceBase::Global(global) => {
                (Pointer::Object(self.globals[global.index()], 0), self.program.globals[global.index()].ty)
            }
            PlaceBase::String(string) => {
                (Pointer::Object(self.strings[string.index()], 0), self.program.strings[string.index()].ty)
            }
            PlaceBase::Pointer(expr) => {
                let pointer = self.pointer(operands.next().unwrap_or(&RuntimeValue::Unknown))?;
                let ty = self.program.function(frame.function).expr(expr).ty;
                (pointer, types.pointee(ty).unwrap_or(ty))
            }
        };
        let mut bits = None;
        for step in &place.steps {
            let bytes = match step {
                PlaceStep::Field(record, field) => {
                    let field = &types.record(*record).fields[*field as usize];
                    bits = field.bits;
                    ty = field.ty;
                    i128::from(field.offset)
                }
                PlaceStep::Index(_) => {
                    let index = self.int(operands.next().unwrap_or(&RuntimeValue::Unknown))?;
                    let index = ints::to_signed(index, types.model.pointer_bits);
                    if let Type::Array(element, _) = types.get(ty) {
                        ty = *element;
                    }
                    bits = None;
                    index.wrapping_mul(i128::from(types.size_of(ty).unwrap_or(0)))
                }
            };
            pointer = self.memory.moved(pointer, bytes);
        }
        Ok(Location { pointer, bits, ty: place.ty })
    }

    /// Is it a volatile number at an address that was made from a number?
    pub(super) fn is_register(&self, location: &Location) -> bool {
        let types = &self.program.types;
        let is_number = types.number_format(location.ty).is_some();
        is_number
            && types.is_volatile(location.ty)
            && matches!(location.pointer, Pointer::Address(_) | Pointer::Displaced(_))
    }

    /// Bytes that a place takes.
    fn n_bytes(&self, location: &Location) -> u64 {
        match location.bits {
            Some(range) => u64::from((range.start + range.width).div_ceil(self.memory.format.char_bits)),
            None => self.program.types.size_of(location.ty).unwrap_or(0),
        }
    }

    fn bytes(&self, location: &Location) -> Result<&[Byte], Stop> {
        self.memory.read(location.pointer, self.n_bytes(location)).ok_or(Stop::Undefined(CheckKind::Pointer))
    }

    /// Has all of a scalar been written, and is that a value of its type? Of a `_Bool`, only 0 and 1 are (C17 6.2.6.1).
    pub(super) fn is_initialised(&self, location: &Location) -> Result<bool, Stop> {
        let bytes = self.bytes(location)?;
        Ok(match location.bits {
            Some(range) => self.memory.read_bits(bytes, range).is_some(),
            None if self.program.types.int_kind(location.ty) == Some(IntKind::Bool) => {
                matches!(self.memory.decode(bytes), Content::Bits(0 | 1))
            }
            None => bytes.iter().all(|byte| *byte != Byte::Unknown),
        })
    }

    /// What a place holds.
    pub(super) fn load(&self, location: &Location) -> Result<RuntimeValue, Stop> {
        let types = &self.program.types;
        let bytes = self.bytes(location)?;
        match types.get(location.ty) {
            Type::Float(_) => {
                let format = types.float_format(location.ty).ok_or(Stop::Undefined(CheckKind::Pointer))?;
                Ok(match self.memory.decode(bytes) {
                    Content::Unknown => RuntimeValue::Unknown,
                    Content::Bits(bits) => RuntimeValue::Int(ints::truncate(bits, format.width())),
                    Content::Pointer(pointer) => {
                        RuntimeValue::Int(ints::truncate(self.memory.address(pointer), format.width()))
                    }
                })
            }
            Type::Int(_) => {
                let format = types.int_format(location.ty).ok_or(Stop::Undefined(CheckKind::Pointer))?;
                if let Some(range) = location.bits {
                    let Some(bits) = self.memory.read_bits(bytes, range) else {
                        return Ok(RuntimeValue::Unknown);
                    };
                    let is_negative = format.is_signed && bits >> (range.width - 1) & 1 == 1;
                    let bits = if is_negative {
                        ints::from_signed(ints::to_signed(bits, range.width), format.width)
                    } else {
                        bits
                    };
                    return Ok(RuntimeValue::Int(bits));
                }
                Ok(match self.memory.decode(bytes) {
                    Content::Unknown => RuntimeValue::Unknown,
                    Content::Bits(bits) => RuntimeValue::Int(ints::truncate(bits, format.width)),
                    Content::Pointer(pointer) => {
                        RuntimeValue::Int(ints::truncate(self.memory.address(pointer), format.width))
                    }
                })
            }
            Type::Pointer(_) => Ok(match self.memory.decode(bytes) {
                Content::Unknown => RuntimeValue::Unknown,
                Content::Bits(bits) => {
                    let address = ints::truncate(bits, types.model.pointer_bits);
                    RuntimeValue::Pointer(self.memory.pointer_at(address, self.program.functions.len()))
                }
                Content::Pointer(pointer) => RuntimeValue::Pointer(pointer),
            }),
            _ => Ok(RuntimeValue::Record(self.export(bytes))),
        }
    }

    /// Bytes without pointers; [`Machine::copy`] keeps those.
    fn export(&self, bytes: &[Byte]) -> Vec<Option<u32>> {
        let shown = |byte: &Byte| match byte {
            Byte::Bits(bits) => Some(*bits),
            Byte::Unknown | Byte::Part(..) => None,
        };
        bytes.iter().map(shown).collect()
    }

    /// Copies a structure with its pointers and its unknown bytes.
    pub(super) fn copy(&mut self, from: &Location, to: &Location) -> Result<(), Stop> {
        let bytes = self.bytes(from)?.to_vec();
        self.write_bytes(to, &bytes)
    }

    pub(super) fn copy_bytes(&self, from: &Location) -> Result<Vec<Byte>, Stop> {
        self.bytes(from).map(<[Byte]>::to_vec)
    }

    pub(super) fn write_bytes(&mut self, to: &Location, bytes: &[Byte]) -> Result<(), Stop> {
        let target = self
            .memory
            .slice_mut(to.pointer, bytes.len() as u64)
            .ok_or(Stop::Undefined(CheckKind::Pointer))?;
        target.copy_from_slice(bytes);
        Ok(())
    }

    /// Writes a scalar.
    pub(super) fn store(&mut self, location: &Location, value: &RuntimeValue) -> Result<(), Stop> {
        let size = self.n_bytes(location);
        let bytes_of = self.memory.format;
        // Padding bits of a number are copies of its sign, as in a register.
        let format = self.program.types.int_format(location.ty);
        let target =
            self.memory.slice_mut(location.pointer, size).ok_or(Stop::Undefined(CheckKind::Pointer))?;
        match value {
            RuntimeValue::Unknown => target.fill(Byte::Unknown),
            RuntimeValue::Int(bits) => match (location.bits, format) {
                (Some(range), _) => bytes_of.write_bits(target, range, *bits),
                (None, Some(format)) if format.is_signed => {
                    bytes_of.encode(ints::to_signed(*bits, format.width) as u128, target);
                }
                _ => bytes_of.encode(*bits, target),
            },
            RuntimeValue::Pointer(Pointer::Null) => bytes_of.encode(0, target),
            RuntimeValue::Pointer(Pointer::Address(address) | Pointer::Displaced(address)) => {
                bytes_of.encode(*address, target)
            }
            RuntimeValue::Pointer(pointer) => {
                for (at, byte) in target.iter_mut().enumerate() {
                    *byte = Byte::Part(*pointer, at as u8);
                }
            }
            RuntimeValue::Record(bytes) => {
                for (byte, new) in target.iter_mut().zip(bytes) {
                    *byte = new.map_or(Byte::Unknown, Byte::Bits);
                }
            }
        }
        Ok(())
    }

    pub(super) fn zero(&mut self, location: &Location) -> Result<(), Stop> {
        let size = self.n_bytes(location);
        let target =
            self.memory.slice_mut(location.pointer, size).ok_or(Stop::Undefined(CheckKind::Pointer))?;
        target.fill(Byte::Bits(0));
        Ok(())
    }

    /// A place for the trace.
    pub(super) fn target(&self, place: &Place, location: &Location) -> WriteTarget {
        let (object, offset) = match location.pointer {
            Pointer::Object(object, offset) => (Some(object), offset),
            _ => (None, 0),
        };
        WriteTarget { base: place.base, object, offset, bits: location.bits, ty: location.ty }
    }
}
