//! Objects that follow one another in memory. The end of one may be the start of the next (C17 6.5.9 paragraph 6), and C leaves open which objects
//! those are: a run that compares such pointers is not a test, and no claim rests on the answer.

use crate::machine::Machine;
use crate::pointer::Case;
use crate::terms;
use crate::unrolled::ObjectId;
use nub_bitvec::{Op, TermId};

/// A pointer to this object.
#[derive(Clone, Copy)]
pub(crate) struct ObjectCase<'c> {
    pub case: &'c Case,
    pub object: ObjectId,
}

impl Machine<'_> {
    /// Whether one pointer is at the end of its object, and the other one at the start of its own.
    pub(crate) fn are_neighbours(&mut self, one: ObjectCase<'_>, other: ObjectCase<'_>) -> TermId {
        let is_first = self.is_next(one, other);
        let is_second = self.is_next(other, one);
        terms::or(&mut self.pool, is_first, is_second)
    }

    /// Whether the first pointer is at the end of its object, and the second one at the start of its own.
    fn is_next(&mut self, one: ObjectCase<'_>, other: ObjectCase<'_>) -> TermId {
        let (ObjectCase { case: end, object: first }, ObjectCase { case: start, object: second }) =
            (one, other);
        let never = self.pool.truth(false);
        // Where an object begins that was given room before the pointer is unknown as well.
        if self.is_open() && self.out.objects[second.index()].before > 0 {
            return self.is_end(end, first);
        }
        if start.offset.known().is_some_and(|offset| offset != 0) || self.is_unwritten(first) {
            return never;
        }
        let is_end = self.is_end(end, first);
        if is_end == never {
            return never;
        }
        let width = self.memory.pointers.width();
        let offset = start.offset.term(&mut self.pool, width);
        let zero = terms::constant(&mut self.pool, width, 0);
        let is_start = terms::eq(&mut self.pool, offset, zero);
        terms::and(&mut self.pool, is_start, is_end)
    }

    /// Where an object ends that a caller owns is unknown in the open world: it ends at any of its elements.
    fn is_end(&mut self, case: &Case, object: ObjectId) -> TermId {
        let width = self.memory.pointers.width();
        let size = u128::from(self.out.objects[object.index()].size);
        if self.is_open() && self.may_be_longer(object) {
            let offset = case.offset.term(&mut self.pool, width);
            return self.pool.mk(Op::Redor, &[offset]);
        }
        let length = self.memory.objects[object.index()].length;
        match (case.offset.known(), length) {
            (Some(offset), None) => self.pool.truth(u128::try_from(offset) == Ok(size)),
            (_, length) => {
                let offset = case.offset.term(&mut self.pool, width);
                let end = length.unwrap_or_else(|| terms::constant(&mut self.pool, width, size));
                terms::eq(&mut self.pool, offset, end)
            }
        }
    }
}
