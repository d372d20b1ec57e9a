//! Addresses that the program sees as numbers.
//!
//! Where an object lies differs from one run of a program to the next, so nothing that a test relies on may depend on it. In
//! [`crate::World::Closed`] each object whose address becomes a number has a *displacement*: a variable that is added to the number, and that
//! is zero in the runs that tests are made of. When all is unrolled, whatever somebody can observe is computed for two other
//! layouts of memory as well. A run for which it differs departs from what is taken for granted ([`Assumption::Addresses`]): no test, and no
//! minimum, rests on it. In [`crate::World::Open`] a displacement may be anything, so that the number may be any address.
//!
//! Cost: nothing without such numbers; otherwise the terms that depend on one are made twice more.

use crate::config::Beyond;
use crate::machine::Machine;
use crate::places::ObjectKind;
use crate::pointer::{Case, Pointee};
use crate::terms;
use crate::unrolled::Assumption;
use nub_bitvec::{Op, Pool, Sort, TermId, cone};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// Numbers that were made from addresses.
#[derive(Debug, Default)]
pub(crate) struct SeenAddresses {
    displacements: BTreeMap<Pointee, TermId>,
    /// The pointer that a number was made from: the way back loses nothing.
    pointers: FxHashMap<TermId, TermId>,
}

/// Another layout of memory.
#[derive(Clone, Copy)]
enum OtherLayout {
    /// What comes first in the model comes last.
    Reversed,
    /// The order is kept, the distances are not.
    Stretched,
    /// All are moved by one distance that changes every byte of an address but the last, which the others change.
    Scattered,
}

impl Machine<'_> {
    /// The address as the program sees it.
    pub(crate) fn address_as_int(&mut self, pointer: TermId) -> TermId {
        if self.config.pointers.beyond == Beyond::Nothing || terms::known(&self.pool, pointer) == Some(0) {
            return pointer;
        }
        let cases = self.pointers.resolve(&mut self.pool, pointer);
        let zero = terms::constant(&mut self.pool, self.pointers.width(), 0);
        let mut number = pointer;
        for case in cases.iter().filter(|case| case.has_address()) {
            let displacement = self.displacement(case.pointee);
            let here = self.pool.mk(Op::Ite, &[case.condition, displacement, zero]);
            number = self.pool.mk(Op::Add, &[number, here]);
        }
        if number != pointer {
            self.pointers.enter(number, cases.to_vec());
            self.seen_addresses.pointers.insert(number, pointer);
        }
        number
    }

    /// What is read as a number, and may have been written as a pointer: a union, or memory that is copied.
    pub(crate) fn pointer_as_int(&mut self, value: TermId) -> TermId {
        let is_number = self.seen_addresses.pointers.contains_key(&value);
        if is_number || !self.pointers.is_pointer(&self.pool, value) {
            return value;
        }
        self.address_as_int(value)
    }

    /// The pointer with this address: the one that the number was made from, if it was made from one.
    pub(crate) fn int_as_address(&self, number: TermId) -> TermId {
        self.seen_addresses.pointers.get(&number).copied().unwrap_or(number)
    }

    /// The addresses of two pointers as numbers, where one of them may be a number that somebody has computed, so that no table of objects tells
    /// whether they are equal.
    pub(crate) fn comparable(&mut self, a: (TermId, &[Case]), b: (TermId, &[Case])) -> (TermId, TermId) {
        let is_computed = |cases: &[Case]| {
            cases.iter().any(|case| matches!(case.pointee, Pointee::Computed | Pointee::Unknown))
        };
        let has_object = |cases: &[Case]| cases.iter().any(Case::has_address);
        if is_computed(a.1) && has_object(b.1) || is_computed(b.1) && has_object(a.1) {
            return (self.address_as_int(a.0), self.address_as_int(b.0));
        }
        (a.0, b.0)
    }

    fn displacement(&mut self, of: Pointee) -> TermId {
        if let Some(found) = self.seen_addresses.displacements.get(&of) {
            return *found;
        }
        let width = self.pointers.width();
        let displacement = self.pool.var(Sort::Bits(width));
        self.seen_addresses.displacements.insert(of, displacement);
        let is_displaced = self.pool.mk(Op::Redor, &[displacement]);
        self.depart(Assumption::Addresses, is_displaced);
        displacement
    }

    /// Runs of which somebody observes something else in another layout of memory depart. What is returned, left behind
    /// or given to a stub may be an address without that: nobody compares it then.
    pub(crate) fn depart_where_addresses_matter(&mut self) {
        if self.seen_addresses.displacements.is_empty() {
            return;
        }
        let observed = self.observed();
        let matters = self.differences(&observed);
        let none = self.pool.truth(false);
        let matters = matters.into_iter().fold(none, |any, one| terms::or(&mut self.pool, any, one));
        self.depart(Assumption::Addresses, matters);
        let results = self.out.calls.iter().filter_map(|call| call.result).chain(self.out.result);
        let seen = self.out.stub_calls.iter().flat_map(|call| &call.values).filter_map(|value| value.term);
        let outputs = self.out.outputs.iter().map(|output| output.term);
        let mut values: Vec<TermId> = outputs.chain(results).chain(seen).collect();
        values.sort_unstable();
        values.dedup();
        let is_made = dependents(&self.pool, &values, &self.seen_addresses.displacements);
        values.retain(|value| is_made.binary_search(value).is_ok());
        let varies = self.differences(&values);
        self.out.varying = values.into_iter().zip(varies).collect();
    }

    /// For each term one bit: it has another value in another layout.
    fn differences(&mut self, of: &[TermId]) -> Vec<TermId> {
        let mut found = vec![self.pool.truth(false); of.len()];
        for layout in [OtherLayout::Reversed, OtherLayout::Stretched, OtherLayout::Scattered] {
            let displacements = self.displacements_in(layout);
            let others = substituted(&mut self.pool, of, &displacements);
            for ((term, other), differs) in of.iter().zip(others).zip(&mut found) {
                let is_other = self.pool.mk(Op::Ne, &[*term, other]);
                *differs = terms::or(&mut self.pool, *differs, is_other);
            }
        }
        found
    }

    /// Terms of all that control depends on, and where it goes.
    fn observed(&mut self) -> Vec<TermId> {
        let (out, pool) = (&self.out, &mut self.pool);
        let mut found: Vec<TermId> = Vec::new();
        let mut where_it_counts = |guard: TermId, value: TermId| {
            let zero = pool.mk(Op::Xor, &[value, value]);
            found.extend([guard, pool.mk(Op::Ite, &[guard, value, zero])]);
        };
        for decision in &out.decisions {
            for condition in &decision.conditions {
                where_it_counts(condition.evaluated, condition.value);
            }
            decision.outcomes.iter().for_each(|(_, guard)| where_it_counts(*guard, decision.reach));
        }
        out.checks.iter().for_each(|check| where_it_counts(check.guard, check.condition));
        out.asserts.iter().for_each(|assert| where_it_counts(assert.guard, assert.condition));
        out.assumes.iter().for_each(|assume| where_it_counts(assume.guard, assume.condition));
        for call in &out.stub_calls {
            call.values.iter().for_each(|value| where_it_counts(call.guard, value.exists));
        }
        found.extend(out.statements.iter().map(|statement| statement.guard));
        found.extend(out.over.iter().map(|over| over.guard));
        found.extend(out.stops.iter().map(|stop| stop.guard));
        found.extend(out.inputs.iter().map(|input| input.guard));
        found.extend(out.calls.iter().map(|call| call.returned));
        found.push(out.returned);
        found.sort_unstable();
        found.dedup();
        let is_needed = dependents(&self.pool, &found, &self.seen_addresses.displacements);
        found.retain(|term| is_needed.binary_search(term).is_ok());
        found
    }

    /// How far the objects are displaced.
    fn displacements_in(&mut self, layout: OtherLayout) -> FxHashMap<TermId, TermId> {
        let width = self.pointers.width();
        let pairs: Vec<(Pointee, TermId)> =
            self.seen_addresses.displacements.iter().map(|(of, term)| (*of, *term)).collect();
        let slot = 1_u128 << (width.clamp(16, 96) / 2);
        let mut found = FxHashMap::default();
        for (index, (of, term)) in pairs.into_iter().enumerate() {
            // An object may lie wherever its type can: not at the multiples of 16 where the model has it.
            let place = (index as u128 + 1) * slot + u128::from(self.alignment(of));
            let bytes = match layout {
                OtherLayout::Reversed => {
                    place.wrapping_neg().wrapping_add(2 * u128::from(self.alignment(of)))
                }
                OtherLayout::Stretched => place.wrapping_add(slot / 4),
                OtherLayout::Scattered => u128::from_le_bytes([3; 16]) << 8,
            };
            let bytes = nub_c_ir::ints::truncate(bytes, width);
            found.insert(term, terms::constant(&mut self.pool, width, bytes));
        }
        found
    }

    /// Addresses of this thing are multiples of that, at least.
    fn alignment(&self, of: Pointee) -> u64 {
        let Pointee::Object(id) = of else { return 1 };
        let object = &self.out.objects[id.index()];
        match object.kind {
            ObjectKind::Heap(_) => self.program.model.max_align,
            _ => object.ty.map_or(1, |ty| self.program.types.align_of(ty)).max(1),
        }
    }
}

/// Terms below `roots` that depend on a displacement, ascending. O(terms below).
fn dependents(pool: &Pool, roots: &[TermId], on: &BTreeMap<Pointee, TermId>) -> Vec<TermId> {
    let mut found: Vec<TermId> = Vec::new();
    for term in cone(pool, roots) {
        let is_one = on.values().any(|displacement| *displacement == term);
        if is_one || pool.args(term).any(|arg| found.binary_search(&arg).is_ok()) {
            found.push(term);
        }
    }
    found
}

/// The terms with variables replaced. O(terms below that depend on one).
fn substituted(pool: &mut Pool, roots: &[TermId], by: &FxHashMap<TermId, TermId>) -> Vec<TermId> {
    let mut known = by.clone();
    for id in cone(pool, roots) {
        let term = *pool.term(id);
        if known.contains_key(&id) || !term.args().any(|arg| known.contains_key(&arg)) {
            continue;
        }
        let args: Vec<TermId> = term.args().map(|arg| known.get(&arg).copied().unwrap_or(arg)).collect();
        let n_indices = term.op().info().shape.n_indices();
        let indices: Vec<u32> = (0..n_indices).map(|index| term.index(index)).collect();
        known.insert(id, pool.mk_indexed(term.op(), &args, &indices));
    }
    roots.iter().map(|root| known.get(root).copied().unwrap_or(*root)).collect()
}
