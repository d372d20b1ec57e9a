//! Loads and stores of scalars, bit-fields and whole objects.

use crate::access::Address;
use crate::cells::{Cell, Cells};
use crate::config::Limit;
use crate::machine::{Machine, Step};
use crate::terms;
use crate::unrolled::AssignmentTarget;
use nub_bitvec::{Op, TermId};
use nub_c_ir::{BitRange, IntKind, TypeId};

/// A value that is stored, passed or returned.
#[derive(Clone, Debug)]
pub(crate) enum Value {
    Scalar(Scalar),
    /// A structure or union: all its bytes, divided as in the source.
    Object(Vec<Piece>),
}

/// A number or a pointer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scalar {
    pub term: TermId,
    /// One bit: whether it is a value. A value that was never written may be copied, and the copy counts as never written too.
    pub is_known: TermId,
    /// Whether it was computed from something that is not constant, even if it always has the same value.
    pub is_open: bool,
}

/// Some bytes of an object.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Piece {
    pub offset: u64,
    pub size: u64,
    pub cell: Cell,
}

impl Machine<'_> {
    /// Bytes that an access touches.
    fn access_size(&self, address: &Address) -> u64 {
        match address.bits {
            Some(bits) => u64::from((bits.start + bits.width).div_ceil(self.program.model.char_bits)).max(1),
            None => self.program.types.size_of(address.ty).unwrap_or(0),
        }
    }

    /// The value in a scalar.
    pub(crate) fn load(&mut self, cells: &Cells, address: &Address) -> Step<TermId> {
        let size = self.access_size(address);
        let cell = self.read(cells, address, size)?;
        let width = self.width(address.ty);
        Ok(match address.bits {
            Some(BitRange { width: 0, .. }) => terms::constant(&mut self.pool, width, 0),
            Some(bits) => {
                let seen = self.seen_bits(cell.value);
                let low = self.lowest_bit(size, bits.start, bits.width);
                let part = self.pool.slice(seen, low + bits.width - 1, low);
                let is_signed =
                    self.program.types.int_format(address.ty).is_some_and(|format| format.is_signed);
                if is_signed {
                    terms::sign_extend(&mut self.pool, part, width)
                } else {
                    terms::resize(&mut self.pool, part, width)
                }
            }
            None => {
                let value = self.value_at_type(cell.value, address.ty);
                self.bits_seen_as(value, address.ty)
            }
        })
    }

    /// The value of a scalar from its bytes.
    pub(crate) fn value_at_type(&mut self, bytes: TermId, ty: TypeId) -> TermId {
        let is_scalar = self.program.types.is_scalar(ty);
        let width = if is_scalar { self.width(ty) } else { self.pool.width(bytes) };
        terms::resize(&mut self.pool, bytes, width)
    }

    /// All bytes were written.
    pub(crate) fn is_initialised(&mut self, cells: &Cells, address: &Address) -> Step<TermId> {
        let size = self.access_size(address);
        let cell = self.read(cells, address, size)?;
        let is_written = self.pool.mk(Op::Redand, &[cell.written]);
        if self.program.types.int_kind(address.ty) != Some(IntKind::Bool) || address.bits.is_some() {
            return Ok(is_written);
        }
        // Reading any other byte as a `_Bool` is undefined (C17 6.2.6.1).
        let width = self.pool.width(cell.value);
        let one = terms::constant(&mut self.pool, width, 1);
        let is_truth = self.pool.mk(Op::Ule, &[cell.value, one]);
        Ok(terms::and(&mut self.pool, is_written, is_truth))
    }

    /// Stores a scalar.
    pub(crate) fn store(&mut self, cells: &mut Cells, address: &Address, value: Scalar) -> Step<()> {
        let size = self.access_size(address);
        let bits = self.storage_bits(size);
        let mut written = self.all_written(size);
        if terms::known_truth(&self.pool, value.is_known) != Some(true) {
            let nothing = self.none_written(size);
            written = self.pool.mk(Op::Ite, &[value.is_known, written, nothing]);
        }
        let term = match address.bits {
            Some(BitRange { width: 0, .. }) => return Ok(()),
            Some(range) => {
                let old = self.read(cells, address, size)?;
                // The other bits of a byte count as written from here on, although nobody knows their values.
                let is_whole = old.written == self.all_written(size);
                self.out.leaves_open |= !is_whole;
                let part = terms::resize(&mut self.pool, value.term, range.width);
                let low = self.lowest_bit(size, range.start, range.width);
                terms::splice(&mut self.pool, old.value, part, low)
            }
            None => self.as_bytes(value.term, address.ty, bits),
        };
        self.write(cells, address, Cell { value: term, written }, size)
    }

    /// The bytes of a scalar. Padding bits, which only odd data models have, are copies of the sign.
    pub(crate) fn as_bytes(&mut self, term: TermId, ty: TypeId, bits: u32) -> TermId {
        if self.program.types.int_format(ty).is_some_and(|format| format.is_signed) {
            terms::sign_extend(&mut self.pool, term, bits)
        } else {
            terms::resize(&mut self.pool, term, bits)
        }
    }

    /// A scalar that is a value.
    pub(crate) fn known_scalar(&mut self, term: TermId) -> Scalar {
        Scalar { term, is_known: self.pool.truth(true), is_open: false }
    }

    /// Reads a structure or union.
    pub(crate) fn load_object(&mut self, cells: &Cells, address: &Address) -> Step<Value> {
        let size = self.access_size(address);
        let layout = self.memory.layouts.of(&self.program.types, address.ty);
        let mut pieces = Vec::new();
        self.check_copy(layout.n_cells)?;
        let mut offset = 0;
        while let Some(at) = layout.cell_at(offset).filter(|_| offset < size) {
            let part = shifted(address, offset);
            let cell = self.read(cells, &part, at.size)?;
            pieces.push(Piece { offset, size: at.size, cell });
            offset = at.start + at.size;
        }
        Ok(Value::Object(pieces))
    }

    /// Writes a value of any type.
    pub(crate) fn store_value(&mut self, cells: &mut Cells, address: &Address, value: &Value) -> Step<()> {
        match value {
            Value::Scalar(scalar) => self.store(cells, address, *scalar),
            Value::Object(pieces) => {
                for piece in pieces {
                    let part = shifted(address, piece.offset);
                    self.write(cells, &part, piece.cell, piece.size)?;
                }
                Ok(())
            }
        }
    }

    /// A scalar as a variable of its own.
    pub(crate) fn named_scalar(&mut self, value: &Value) -> Value {
        match value {
            Value::Scalar(scalar) => Value::Scalar(self.named_as(*scalar, scalar.term)),
            Value::Object(_) => value.clone(),
        }
    }

    fn named_as(&mut self, scalar: Scalar, term: TermId) -> Scalar {
        let term = if scalar.is_open { self.named_open(term) } else { self.named(term) };
        Scalar { term, ..scalar }
    }

    /// A value that is about to be stored, its scalars as variables of their own. What does not fit a bit-field is lost.
    pub(crate) fn named_value(&mut self, value: &Value, address: &Address) -> Value {
        match value {
            Value::Scalar(scalar) => {
                let fitting = self.fitting(scalar.term, address);
                Value::Scalar(self.named_as(*scalar, fitting))
            }
            Value::Object(pieces) => {
                let target = self.target(address);
                let mut named = pieces.clone();
                for piece in &mut named {
                    if self.piece_type(target, piece.offset).is_some() {
                        piece.cell.value = self.named(piece.cell.value);
                    }
                }
                Value::Object(named)
            }
        }
    }

    /// The part of a value that is kept when it is stored here.
    fn fitting(&mut self, term: TermId, address: &Address) -> TermId {
        let Some(range) = address.bits.filter(|range| range.width > 0) else { return term };
        let width = self.pool.width(term);
        let part = terms::resize(&mut self.pool, term, range.width);
        if self.program.types.int_format(address.ty).is_some_and(|format| format.is_signed) {
            terms::sign_extend(&mut self.pool, part, width)
        } else {
            terms::resize(&mut self.pool, part, width)
        }
    }

    /// All bytes become zero.
    pub(crate) fn zero(&mut self, cells: &mut Cells, address: &Address) -> Step<()> {
        let layout = self.memory.layouts.of(&self.program.types, address.ty);
        self.check_copy(layout.n_cells)?;
        let mut offset = 0;
        while let Some(at) = layout.cell_at(offset) {
            let bits = self.storage_bits(at.size);
            let value = terms::constant(&mut self.pool, bits, 0);
            let written = self.all_written(at.size);
            let part = shifted(address, offset);
            self.write(cells, &part, Cell { value, written }, at.size)?;
            offset = at.start + at.size;
        }
        Ok(())
    }

    fn check_copy(&self, n_cells: u64) -> Step<()> {
        let max = self.config.limits.max_copy;
        if n_cells > max { Err(self.limit(Limit::Copy(max))) } else { Ok(()) }
    }

    /// What a store to an address changes.
    pub(crate) fn target(&self, address: &Address) -> AssignmentTarget {
        match address.spots.as_slice() {
            [spot] if address.register.is_none() => {
                match spot.offset.known().and_then(|offset| u64::try_from(offset).ok()) {
                    Some(offset) => AssignmentTarget::Part { object: spot.object, offset },
                    None => AssignmentTarget::Several { object: Some(spot.object) },
                }
            }
            _ => AssignmentTarget::Several { object: None },
        }
    }
}

/// The same place, moved by `bytes`.
fn shifted(address: &Address, bytes: u64) -> Address {
    let mut moved = Address { bits: None, ..address.clone() };
    moved.spots.iter_mut().for_each(|spot| spot.offset.base += i128::from(bytes));
    moved
}
