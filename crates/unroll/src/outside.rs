//! Pointers that have left their objects.
//!
//! Such a pointer is undefined in C, but programs compute it all the same, and compilers do what the machine does: `base + (size_t)-4096`. One at a
//! constant distance gets an address of its own ([`crate::pointer`]). One at a distance that depends on the run may equal the address of another
//! object in the model, but not in the compiled program, where objects are elsewhere. So a test does not compare it.

use crate::machine::Machine;
use crate::pointer::{Case, Pointee};
use crate::terms;
use nub_bitvec::{Op, TermId};

impl Machine<'_> {
    /// Records which final values may be pointers outside of their objects. O(outputs × cases of each).
    pub(crate) fn note_pointers_outside(&mut self) {
        for value in self.final_values() {
            if !self.memory.pointers.is_pointer(&self.pool, value) {
                continue;
            }
            let cases = self.memory.pointers.resolve(&mut self.pool, value);
            let never = self.pool.truth(false);
            let mut outside = never;
            for case in cases.iter() {
                let left = self.has_left(case);
                outside = terms::or(&mut self.pool, outside, left);
            }
            if outside != never {
                self.out.varying.push((value, outside));
            }
        }
    }

    /// One bit: the case holds, and the offset is neither inside of the object nor its end.
    fn has_left(&mut self, case: &Case) -> TermId {
        let size = match case.pointee {
            Pointee::Object(_) if case.offset.known().is_none() => self.memory.pointers.size_of(case.pointee),
            _ => None,
        };
        let Some(size) = size else { return self.pool.truth(false) };
        let width = self.memory.pointers.width();
        let size = terms::constant(&mut self.pool, width, u128::from(size));
        let offset = case.offset.term(&mut self.pool, width);
        let is_outside = self.pool.mk(Op::Ult, &[size, offset]);
        terms::and(&mut self.pool, case.condition, is_outside)
    }
}
