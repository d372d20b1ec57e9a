//! Checks, also those that the instructions imply without saying so.

use crate::access::Address;
use crate::config::Beyond;
use crate::machine::{Machine, State};
use crate::paths::PathId;
use crate::pointer::{Case, Pointee};
use crate::terms;
use crate::unrolled::{ObjectKind, Property};
use nub_bitvec::{Op, Sort, TermId};
use nub_c_ir::{CheckKind, Origin};

/// C17 6.4.5 paragraph 7. Not every tool takes it for an error.
const LITERAL: &str = "a string literal is written";
const CONSTANT: &str = "a constant is written";

impl Machine<'_> {
    /// Behaviour is undefined unless the condition holds.
    pub(crate) fn check(&mut self, state: &State, kind: CheckKind, condition: TermId, origin: Origin) {
        self.check_with(state, kind, condition, origin, "");
    }

    /// The same, with words for a rule that its kind does not name.
    fn check_with(&mut self, state: &State, kind: CheckKind, condition: TermId, origin: Origin, text: &str) {
        let condition = self.settled(condition);
        if terms::known_truth(&self.pool, condition) != Some(true) {
            let (guard, context, text) = (self.guard(state.path), self.context(), text.to_owned());
            let order = self.next_order();
            self.out.checks.push(Property { kind, text, guard, condition, origin, context, order });
        }
    }

    /// The access that is checked may be behind the memory of the start, under these conditions.
    pub(crate) fn note_outside(&mut self, state: &State, conditions: &[TermId]) {
        conditions.iter().for_each(|condition| self.note_beyond(state.path, *condition));
    }

    /// A run that takes the path under this condition leaves what is modelled.
    fn note_beyond(&mut self, path: PathId, condition: TermId) {
        let path = self.guard(path);
        let guard = terms::and(&mut self.pool, path, condition);
        let guard = self.settled(guard);
        if terms::known_truth(&self.pool, guard) != Some(false) {
            self.out.beyond.push(guard);
        }
    }

    /// The result of ordering or subtracting pointers, which means something inside of one object only (C17 6.5.8). A caller may well pass two
    /// that point into one; here each points to memory of its own. So with [`Beyond::Unknown`] such a run leaves what is modelled, and the
    /// result may be anything.
    pub(crate) fn relation(&mut self, a: &[Case], b: &[Case], result: TermId) -> TermId {
        let Some(path) = self.path.filter(|_| self.config.pointers.beyond == Beyond::Unknown) else {
            return result;
        };
        let mut apart = self.pool.truth(false);
        for (case, other) in a.iter().flat_map(|case| b.iter().map(move |other| (case, other))) {
            if case.pointee != other.pointee {
                let both = terms::and(&mut self.pool, case.condition, other.condition);
                apart = terms::or(&mut self.pool, apart, both);
            }
        }
        self.note_beyond(path, apart);
        let anything = self.pool.var(self.pool.sort(result));
        self.choose(apart, anything, result)
    }

    /// Whether two pointers are equal, as far as it is known. A caller may pass one object where here are two: with [`Beyond::Unknown`] the other
    /// answer is one more way to leave what is modelled.
    pub(crate) fn equality(&mut self, a: &[Case], b: &[Case], is_equal: TermId) -> TermId {
        let given = |machine: &Self, case: &Case| match case.pointee {
            Pointee::Object(object) => {
                let kind = &machine.out.objects[object.index()].kind;
                matches!(kind, ObjectKind::Pointee(_)).then_some(object)
            }
            _ => None,
        };
        let is_pair = |case: &Case, other: &Case| match (given(self, case), given(self, other)) {
            (Some(object), Some(other)) => object != other,
            _ => false,
        };
        let may_be_one = a.iter().any(|case| b.iter().any(|other| is_pair(case, other)));
        if self.config.pointers.beyond == Beyond::Nothing || !may_be_one {
            return is_equal;
        }
        let is_other = self.pool.var(Sort::BIT);
        self.out.beyond.push(is_other);
        self.pool.mk(Op::Xor, &[is_equal, is_other])
    }

    /// The place of the next property among all of them.
    pub(crate) fn next_order(&self) -> usize {
        self.out.asserts.len() + self.out.checks.len() + self.out.assumes.len()
    }

    /// String literals and objects that are `const` must not be written.
    pub(crate) fn check_writable(&mut self, state: &State, address: &Address, origin: Origin) {
        for spot in &address.spots {
            let text = match self.out.objects[spot.object.index()].kind {
                ObjectKind::String(_) => LITERAL,
                ObjectKind::Global(global) if self.program.globals[global.index()].is_read_only => CONSTANT,
                _ => continue,
            };
            let other = self.pool.not(spot.condition);
            self.check_with(state, CheckKind::Pointer, other, origin, text);
        }
    }

    /// What is freed is null, or the start of a live object that was allocated.
    pub(crate) fn check_free(&mut self, state: &State, pointer: TermId, origin: Origin) {
        let cases = self.pointers.resolve(&mut self.pool, pointer);
        let mut allowed = self.pool.truth(false);
        for case in cases.iter() {
            let is_allowed = match case.pointee {
                Pointee::Null => case.condition,
                Pointee::Object(object) if self.is_allocated(object) => {
                    let width = self.pointers.width();
                    let offset = case.offset.term(&mut self.pool, width);
                    let zero = terms::constant(&mut self.pool, width, 0);
                    let is_start = terms::eq(&mut self.pool, offset, zero);
                    let is_alive = self.is_alive(&state.cells, object);
                    let both = terms::and(&mut self.pool, is_start, is_alive);
                    terms::and(&mut self.pool, both, case.condition)
                }
                _ => continue,
            };
            allowed = terms::or(&mut self.pool, allowed, is_allowed);
        }
        self.check(state, CheckKind::Free, allowed, origin);
    }

    fn is_allocated(&self, object: crate::ObjectId) -> bool {
        matches!(self.out.objects[object.index()].kind, ObjectKind::Heap(_))
    }
}
