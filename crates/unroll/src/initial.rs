//! Initial values of globals.

use crate::layout::CellAt;
use crate::machine::{Machine, Step};
use crate::pointer::Offset;
use crate::terms;
use nub_bitvec::TermId;
use nub_c_ir::{Constant, GlobalId, InitialPiece, ObjectBase};
use std::rc::Rc;

/// No scalar and no storage of a bit-field has more bytes, in any data model.
const MAX_SCALAR: u64 = 128;

impl Machine<'_> {
    /// The initial value of a cell. O(log pieces), after sorting the pieces once.
    pub(crate) fn initial(&mut self, id: GlobalId, at: CellAt) -> Step<TermId> {
        let bits = self.storage_bits(at.size);
        let program = self.program;
        let pieces = &program.globals[id.index()].initial;
        let order = Rc::clone(self.memory.statics.initial_order.entry(id).or_insert_with(|| {
            let mut order: Vec<usize> = (0..pieces.len()).collect();
            order.sort_by_key(|piece| pieces[*piece].offset);
            order.into()
        }));
        let from = order.partition_point(|piece| pieces[*piece].offset + MAX_SCALAR < at.start);
        let to = order.partition_point(|piece| pieces[*piece].offset < at.start + at.size);
        let mut found: Vec<usize> = order.get(from..to).unwrap_or_default().to_vec();
        // Later pieces win.
        found.sort_unstable();
        let mut value = terms::constant(&mut self.pool, bits, 0);
        for piece in found {
            value = self.with_piece(value, at, &pieces[piece])?;
        }
        Ok(value)
    }

    /// The bits of a piece that are in this cell replace the previous ones.
    fn with_piece(&mut self, value: TermId, at: CellAt, piece: &InitialPiece) -> Step<TermId> {
        let char_bits = u64::from(self.program.model.char_bits);
        let size = self.program.types.size_of(piece.ty).unwrap_or(0);
        let (first, width) = match piece.bits {
            Some(range) => (piece.offset * char_bits + u64::from(range.start), u64::from(range.width)),
            None => (piece.offset * char_bits, size * char_bits),
        };
        let (start, end) = (at.start * char_bits, (at.start + at.size) * char_bits);
        let (from, to) = (first.max(start), (first + width).min(end));
        if from >= to {
            return Ok(value);
        }
        let whole = self.constant(&piece.value, width as u32)?;
        let order = self.program.model.byte_order;
        let low = order.lowest_bit(width as u32, (from - first) as u32, (to - from) as u32);
        let part = self.pool.slice(whole, low + (to - from) as u32 - 1, low);
        let low = order.lowest_bit((end - start) as u32, (from - start) as u32, (to - from) as u32);
        Ok(terms::splice(&mut self.pool, value, part, low))
    }

    fn constant(&mut self, constant: &Constant, width: u32) -> Step<TermId> {
        let term = match constant {
            Constant::Int(bits) => {
                return Ok(terms::constant(&mut self.pool, width, nub_c_ir::ints::truncate(*bits, width)));
            }
            Constant::Null => return Ok(terms::constant(&mut self.pool, width, 0)),
            Constant::Address(ObjectBase::Global(global), offset) => {
                let object = self.global(*global)?;
                let address = self.address_in(object, &Offset::constant(*offset))?;
                self.object_or_null(*global, address)
            }
            Constant::Address(ObjectBase::String(string), offset) => {
                let object = self.string(*string)?;
                self.address_in(object, &Offset::constant(*offset))?
            }
            Constant::Function(function) => {
                let address = self.function_address(*function)?;
                self.function_or_null(*function, address)
            }
        };
        Ok(terms::resize(&mut self.pool, term, width))
    }
}
