//! Pointers to different string literals that are compared. Whether literals with the same characters are one object is left open (C17 6.4.5 paragraph 7),
//! and linkers also put one into the end of another. So a run that compares such pointers is not a test, and no claim rests on the answer.

use crate::machine::Machine;
use crate::places::ObjectKind;
use crate::unrolled::ObjectId;
use nub_bitvec::TermId;

impl Machine<'_> {
    /// Whether the two objects are literals of which one is the end of the other.
    pub(crate) fn may_be_one_literal(&mut self, a: ObjectId, b: ObjectId) -> TermId {
        let is_shared = match (self.units_of(a), self.units_of(b)) {
            (Some(first), Some(second)) => first.ends_with(second) || second.ends_with(first),
            _ => false,
        };
        self.pool.truth(is_shared)
    }

    fn units_of(&self, object: ObjectId) -> Option<&[u32]> {
        match self.out.objects[object.index()].kind {
            ObjectKind::String(id) => Some(&self.program.strings[id.index()].units),
            _ => None,
        }
    }
}
