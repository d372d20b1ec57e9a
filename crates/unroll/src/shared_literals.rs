//! Pointers to different string literals that are compared. Whether literals with the same characters are one object is left open (C17 6.4.5 paragraph 7),
//! and linkers also put one into the end of another. So a run that compares such pointers is not a test, and no claim rests on the answer.

use crate::machine::Machine;
use crate::places::ObjectKind;
use crate::pointer::{Case, Pointee};
use crate::terms;
use crate::unrolled::{Assumption, ObjectId};
use nub_bitvec::{Sort, TermId};

impl Machine<'_> {
    /// Whether two pointers are equal, where that does not depend on which literals the compiler has put together.
    pub(crate) fn equality_of_literals(&mut self, a: &[Case], b: &[Case], is_equal: TermId) -> TermId {
        let pairs = a.iter().flat_map(|case| b.iter().map(move |other| (case, other)));
        let shared: Vec<[TermId; 2]> = pairs
            .filter(|(case, other)| self.may_be_one_literal(case, other))
            .map(|(case, other)| [case.condition, other.condition])
            .collect();
        let Some(path) = self.current.path.filter(|_| !shared.is_empty()) else { return is_equal };
        let mut is_open = self.pool.truth(false);
        for [first, second] in shared {
            let both = terms::and(&mut self.pool, first, second);
            is_open = terms::or(&mut self.pool, is_open, both);
        }
        self.depart_on(path, Assumption::Addresses, is_open);
        let anything = self.pool.var(Sort::BIT);
        self.choose(is_open, anything, is_equal)
    }

    fn may_be_one_literal(&self, case: &Case, other: &Case) -> bool {
        let (Pointee::Object(a), Pointee::Object(b)) = (case.pointee, other.pointee) else { return false };
        match (self.units_of(a), self.units_of(b)) {
            (Some(first), Some(second)) => a != b && (first.ends_with(second) || second.ends_with(first)),
            _ => false,
        }
    }

    fn units_of(&self, object: ObjectId) -> Option<&[u32]> {
        match self.out.objects[object.index()].kind {
            ObjectKind::String(id) => Some(&self.program.strings[id.index()].units),
            _ => None,
        }
    }
}
