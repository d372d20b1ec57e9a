//! Addresses that the program uses as numbers.
//!
//! The address of an object differs from one run of a program to the next, so nothing that a test relies on may depend on it. In
//! [`crate::WorldAssumption::Closed`] each object whose address becomes a number has a *displacement*: a variable that is added to the number, and that is zero
//! in the runs that tests are made from. After unrolling, whatever can be observed is computed for other memory layouts as well
//! ([`crate::open_values`]). In [`crate::WorldAssumption::Open`] a displacement may be anything, so that the number may be any address.
//!
//! Cost: nothing without such numbers; otherwise the terms that depend on one are built two more times.

use crate::config::Beyond;
use crate::machine::Machine;
use crate::places::ObjectKind;
use crate::pointer::{Case, Pointee, ResolvedPointer, first_address};
use crate::terms;
use crate::unrolled::Assumption;
use nub_bitvec::{Op, Sort, TermId};
use nub_c_ir::TypeId;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// Numbers that were made from addresses.
#[derive(Debug, Default)]
pub(crate) struct SeenAddresses {
    displacements: BTreeMap<Pointee, TermId>,
    /// The pointer that a number was made from, so that converting back loses nothing.
    pointers: FxHashMap<TermId, TermId>,
}

/// Another layout of memory.
#[derive(Clone, Copy)]
enum OtherLayout {
    /// The first object in the model comes last.
    Reversed,
    /// The order is kept, but not the distances.
    Stretched,
    /// All objects are moved by one distance, to where they usually are on 64-bit systems: the leading bytes are zero there. That changes every byte
    /// of an address except the last, which the other layouts change.
    Usual,
    /// All objects are moved to larger addresses. As floats they are then above 1, and not below as in the other layouts. A pointer into an object,
    /// with memory before it, is where an object could start: the last byte is zero there, as it is for one object of 16.
    High,
}

/// Where objects begin in [`OtherLayout::Usual`]. Narrow addresses use its last bytes.
const USUAL_START: u128 = 0x5a5b_5c5d_5e00;

/// The leading bits of addresses in [`OtherLayout::High`], about those that the interpreter uses.
const HIGH_BITS: u128 = 0x4e56;

impl Machine<'_> {
    /// The address as the program sees it.
    pub(crate) fn address_as_int(&mut self, pointer: TermId) -> TermId {
        if self.config.pointers.beyond == Beyond::Nothing || terms::known(&self.pool, pointer) == Some(0) {
            return pointer;
        }
        let cases = self.memory.pointers.resolve(&mut self.pool, pointer);
        let zero = terms::constant(&mut self.pool, self.memory.pointers.width(), 0);
        let mut number = pointer;
        for case in cases.iter().filter(|case| case.has_address()) {
            let displacement = self.displacement(case.pointee);
            let here = self.pool.mk(Op::Ite, &[case.condition, displacement, zero]);
            number = self.pool.mk(Op::Add, &[number, here]);
        }
        if number != pointer {
            self.memory.pointers.enter(number, cases.to_vec());
            self.memory.seen_addresses.pointers.insert(number, pointer);
        }
        number
    }

    /// A value that is read as a number and may have been written as a pointer: through a union, or by copying memory.
    pub(crate) fn pointer_as_int(&mut self, value: TermId) -> TermId {
        let is_number = self.memory.seen_addresses.pointers.contains_key(&value);
        if is_number || !self.memory.pointers.is_pointer(&self.pool, value) {
            return value;
        }
        self.address_as_int(value)
    }

    /// The value of an object of this type. If the type is a number and the object holds an address, the address becomes a number.
    pub(crate) fn address_seen_as(&mut self, value: TermId, ty: TypeId) -> TermId {
        match self.program.types.number_format(ty) {
            Some(_) => self.pointer_as_int(value),
            None => value,
        }
    }

    /// The pointer with this address: the one that the number was made from, if it was made from one.
    pub(crate) fn int_as_address(&self, number: TermId) -> TermId {
        self.memory.seen_addresses.pointers.get(&number).copied().unwrap_or(number)
    }

    /// The two pointers as terms to compare. If one may be a computed number, no table of objects tells whether they are equal, so both become
    /// numbers.
    pub(crate) fn comparable(&mut self, a: ResolvedPointer<'_>, b: ResolvedPointer<'_>) -> (TermId, TermId) {
        let is_computed = |cases: &[Case]| {
            cases.iter().any(|case| matches!(case.pointee, Pointee::Computed | Pointee::Unknown))
        };
        let has_object = |cases: &[Case]| cases.iter().any(Case::has_address);
        if is_computed(a.cases) && has_object(b.cases) || is_computed(b.cases) && has_object(a.cases) {
            return (self.address_as_int(a.term), self.address_as_int(b.term));
        }
        (a.term, b.term)
    }

    fn displacement(&mut self, of: Pointee) -> TermId {
        if let Some(found) = self.memory.seen_addresses.displacements.get(&of) {
            return *found;
        }
        let width = self.memory.pointers.width();
        let displacement = self.pool.var(Sort::Bits(width));
        self.memory.seen_addresses.displacements.insert(of, displacement);
        let is_displaced = self.pool.mk(Op::Redor, &[displacement]);
        self.depart(Assumption::Addresses, is_displaced);
        displacement
    }

    /// Other memory layouts, if the program uses addresses as numbers.
    pub(crate) fn other_layouts(&mut self) -> Vec<FxHashMap<TermId, TermId>> {
        if self.memory.seen_addresses.displacements.is_empty() {
            return Vec::new();
        }
        let layouts = [OtherLayout::Reversed, OtherLayout::Stretched, OtherLayout::Usual, OtherLayout::High];
        layouts.into_iter().map(|layout| self.displacements_in(layout)).collect()
    }

    /// How far the objects are displaced.
    fn displacements_in(&mut self, layout: OtherLayout) -> FxHashMap<TermId, TermId> {
        let width = self.memory.pointers.width();
        let pairs: Vec<(Pointee, TermId)> =
            self.memory.seen_addresses.displacements.iter().map(|(of, term)| (*of, *term)).collect();
        let slot = 1_u128 << (width.clamp(16, 96) / 2);
        let mut found = FxHashMap::default();
        for (index, (of, term)) in pairs.into_iter().enumerate() {
            // An object may be wherever its type allows, not only at the multiples of the model.
            let place = (index as u128 + 1) * slot + u128::from(self.alignment(of));
            let bytes = match layout {
                OtherLayout::Reversed => {
                    place.wrapping_neg().wrapping_add(2 * u128::from(self.alignment(of)))
                }
                OtherLayout::Stretched => place.wrapping_add(slot / 4),
                OtherLayout::Usual => USUAL_START.wrapping_sub(first_address(width)),
                OtherLayout::High => (HIGH_BITS << (width.clamp(16, 112) - 16))
                    .wrapping_sub(first_address(width))
                    .wrapping_sub(u128::from(self.before(of))),
            };
            let bytes = nub_c_ir::ints::truncate(bytes, width);
            found.insert(term, terms::constant(&mut self.pool, width, bytes));
        }
        found
    }

    /// Bytes of the object before the place that pointers from outside point to, as far as the alignment allows.
    fn before(&self, of: Pointee) -> u64 {
        let Pointee::Object(id) = of else { return 0 };
        let before = self.out.objects[id.index()].before;
        before - before % self.alignment(of)
    }

    /// The alignment that addresses of this have at least.
    fn alignment(&self, of: Pointee) -> u64 {
        let Pointee::Object(id) = of else { return 1 };
        let object = &self.out.objects[id.index()];
        match object.kind {
            ObjectKind::Heap(_) => self.program.model.max_align,
            _ => object.ty.map_or(1, |ty| self.program.types.align_of(ty)).max(1),
        }
    }
}
