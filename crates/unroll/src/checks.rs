//! Checks, including those that instructions imply.

use crate::access::Address;
use crate::machine::{Machine, State};
use crate::paths::PathId;
use crate::places::ObjectKind;
use crate::pointer::{Case, Pointee};
use crate::terms;
use crate::unrolled::{Assumption, ObjectId, Property};
use nub_bitvec::{Op, TermId};
use nub_c_ir::{AllocationMaker, CheckKind, SourceOrigin};

/// C17 6.4.5 paragraph 7. Not every tool treats it as an error.
const LITERAL: &str = "a string literal is modified";
const CONSTANT: &str = "a constant is modified";
/// C17 6.5.6 paragraph 8. A sum with a null pointer constant is a number in disguise, which all compilers accept.
const NULL_MOVED: &str = "a number other than 0 is added to a null pointer";

impl Machine<'_> {
    /// Behaviour is undefined unless the condition holds.
    pub(crate) fn check(&mut self, state: &State, kind: CheckKind, condition: TermId, origin: SourceOrigin) {
        self.check_with(state, kind, condition, origin, "");
    }

    /// The same, with a text for a rule that its kind does not name.
    fn check_with(
        &mut self,
        state: &State,
        kind: CheckKind,
        condition: TermId,
        origin: SourceOrigin,
        text: &str,
    ) {
        let condition = self.settled(condition);
        if terms::known_truth(&self.pool, condition) != Some(true) {
            self.add_check(state.path, kind, condition, origin, text);
        }
    }

    fn add_check(
        &mut self,
        path: PathId,
        kind: CheckKind,
        condition: TermId,
        origin: SourceOrigin,
        text: &str,
    ) {
        let (guard, context, text) = (self.guard(path), self.context(), text.to_owned());
        let order = self.next_order();
        let after = self.out.assignments.len();
        self.out.checks.push(Property { kind, text, guard, condition, origin, context, order, after });
    }

    /// A null pointer is moved by nothing at most.
    pub(crate) fn check_moved(&mut self, pointer: TermId, by: TermId) {
        let (Some(path), Some(origin)) = (self.current.path, self.current.origin) else { return };
        let mut is_null = self.pool.truth(false);
        let zero = terms::constant(&mut self.pool, self.memory.pointers.width(), 0);
        let is_zero = terms::eq(&mut self.pool, pointer, zero);
        for case in self.memory.pointers.resolve(&mut self.pool, pointer).iter() {
            let own = match case.pointee {
                Pointee::Null => case.condition,
                Pointee::Object(_) | Pointee::Function(_) => continue,
                // A number that was made a pointer.
                _ => terms::and(&mut self.pool, case.condition, is_zero),
            };
            is_null = terms::or(&mut self.pool, is_null, own);
        }
        let is_moved = self.pool.mk(Op::Redor, &[by]);
        let is_wrong = terms::and(&mut self.pool, is_null, is_moved);
        let condition = self.pool.not(is_wrong);
        let condition = self.settled(condition);
        if terms::known_truth(&self.pool, condition) != Some(true) {
            self.add_check(path, CheckKind::Pointer, condition, origin, NULL_MOVED);
        }
    }

    /// The access that is checked may be outside the memory behind input pointers, under these conditions.
    pub(crate) fn note_outside(&mut self, state: &State, found: &[(ObjectId, TermId)]) {
        for (object, condition) in found {
            let name = &self.out.objects[object.index()].name;
            let from = if self.config.pointers.by_name.contains_key(name) {
                Assumption::GivenLength(*object)
            } else {
                Assumption::Memory
            };
            self.depart_on(state.path, from, *condition);
        }
    }

    /// The position of the next property among all of them.
    pub(crate) fn next_order(&self) -> usize {
        self.out.asserts.len() + self.out.checks.len() + self.out.assumes.len()
    }

    /// String literals and objects that are `const` must not be written.
    pub(crate) fn check_writable(&mut self, state: &State, address: &Address, origin: SourceOrigin) {
        for spot in &address.spots {
            let text = match self.out.objects[spot.object.index()].kind {
                ObjectKind::String(_) => LITERAL,
                ObjectKind::Global(global) if self.program.globals[global.index()].is_const => CONSTANT,
                _ => continue,
            };
            let other = self.pool.not(spot.condition);
            self.check_with(state, CheckKind::Pointer, other, origin, text);
        }
    }

    /// What is freed is null, or the start of a live object that was allocated.
    pub(crate) fn check_free(&mut self, state: &State, pointer: TermId, origin: SourceOrigin) {
        let cases = self.memory.pointers.resolve(&mut self.pool, pointer);
        let mut allowed = self.pool.truth(false);
        for case in cases.iter() {
            let is_allowed = match case.pointee {
                Pointee::Null => case.condition,
                Pointee::Object(object) if self.is_allocated(object) => {
                    let width = self.memory.pointers.width();
                    let offset = case.offset.term(&mut self.pool, width);
                    let zero = terms::constant(&mut self.pool, width, 0);
                    let is_start = terms::eq(&mut self.pool, offset, zero);
                    let is_alive = self.is_alive(&state.cells, object);
                    let both = terms::and(&mut self.pool, is_start, is_alive);
                    terms::and(&mut self.pool, both, case.condition)
                }
                Pointee::Object(object) if self.is_of_caller(object) => {
                    let (is_freed, is_other) = self.frees_given(state, object, case);
                    self.depart_on(state.path, Assumption::NotAllocated(object), is_other);
                    terms::or(&mut self.pool, is_freed, is_other)
                }
                // In the open world, what is not known is valid, as in accesses: other code may have allocated it.
                Pointee::Unknown | Pointee::Unmodelled if self.is_open() => case.condition,
                // A number is only known to be null or not. Any other one may be the address of an allocation.
                Pointee::Unknown | Pointee::Computed | Pointee::Unmodelled => {
                    let null = terms::constant(&mut self.pool, self.memory.pointers.width(), 0);
                    let is_null = terms::eq(&mut self.pool, pointer, null);
                    let is_other = self.pool.not(is_null);
                    let is_other = terms::and(&mut self.pool, is_other, case.condition);
                    self.depart_on(state.path, Assumption::Addresses, is_other);
                    terms::and(&mut self.pool, is_null, case.condition)
                }
                Pointee::Object(_) | Pointee::Function(_) | Pointee::Nowhere => continue,
            };
            allowed = terms::or(&mut self.pool, allowed, is_allowed);
        }
        self.check(state, CheckKind::Free, allowed, origin);
    }

    /// The conditions that a caller's object is freed in the way that a test allows, and that it is freed in another way.
    fn frees_given(&mut self, state: &State, object: crate::ObjectId, case: &Case) -> (TermId, TermId) {
        if !self.out.objects[object.index()].is_allocated {
            return (self.pool.truth(false), case.condition);
        }
        let width = self.memory.pointers.width();
        let offset = case.offset.term(&mut self.pool, width);
        let zero = terms::constant(&mut self.pool, width, 0);
        let is_start = terms::eq(&mut self.pool, offset, zero);
        let is_alive = self.is_alive(&state.cells, object);
        let freed = terms::and(&mut self.pool, is_start, is_alive);
        let freed = terms::and(&mut self.pool, freed, case.condition);
        let is_inside = self.pool.not(is_start);
        (freed, terms::and(&mut self.pool, is_inside, case.condition))
    }

    /// Whether it may be freed. A caller's object does not count here: another caller may not have allocated it.
    fn is_allocated(&self, object: crate::ObjectId) -> bool {
        let found = &self.out.objects[object.index()];
        if found.is_allocated && !self.is_of_caller(object) {
            return true;
        }
        match found.kind {
            ObjectKind::Heap(site) => {
                self.program.allocations[site.index()].maker != AllocationMaker::Automatic
            }
            _ => false,
        }
    }
}
