//! Objects that follow one another in memory. The end of one may be the start of the next (C17 6.5.9 paragraph 6), and C leaves open which objects
//! those are: a run that compares such pointers is not a test, and no claim rests on the answer.

use crate::machine::Machine;
use crate::pointer::{Case, Pointee};
use crate::terms;
use crate::unrolled::{Assumption, ObjectId};
use nub_bitvec::{Op, Sort, TermId};

impl Machine<'_> {
    /// Whether two pointers are equal, where that does not depend on which object follows which. O(cases of one × cases of the other).
    pub(crate) fn equality_of_neighbours(&mut self, a: &[Case], b: &[Case], is_equal: TermId) -> TermId {
        let Some(path) = self.current.path else { return is_equal };
        let never = self.pool.truth(false);
        let mut is_open = never;
        for (case, other) in a.iter().flat_map(|case| b.iter().map(move |other| (case, other))) {
            let (Pointee::Object(first), Pointee::Object(second)) = (case.pointee, other.pointee) else {
                continue;
            };
            if first == second {
                continue;
            }
            for (end, start) in [((case, first), (other, second)), ((other, second), (case, first))] {
                let is_next = self.is_next(end, start);
                let both = terms::and(&mut self.pool, case.condition, other.condition);
                let all = terms::and(&mut self.pool, both, is_next);
                is_open = terms::or(&mut self.pool, is_open, all);
            }
        }
        if is_open == never {
            return is_equal;
        }
        self.depart_on(path, Assumption::Addresses, is_open);
        let anything = self.pool.var(Sort::BIT);
        self.choose(is_open, anything, is_equal)
    }

    /// Whether the first pointer is at the end of its object, and the second one at the start of its own.
    fn is_next(&mut self, (end, first): (&Case, ObjectId), (start, second): (&Case, ObjectId)) -> TermId {
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
