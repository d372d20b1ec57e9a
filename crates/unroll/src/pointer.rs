//! Pointers: where they may point to.
//!
//! In memory and in terms a pointer is its address, as wide as the data model says, so pointers are stored, merged, copied byte by byte and converted
//! to integers like any other value. Objects have constant addresses with gaps between them. In addition to the terms, a table says for each address
//! that was made from a pointer which objects it may point to, and under which condition. Most pointers are constants: one object and a known offset.

use crate::addresses::Addresses;
pub(crate) use crate::offset::Offset;
use crate::terms;
use crate::unrolled::ObjectId;
use nub_bitvec::{Op, Pool, TermId};
use nub_c_ir::{FunctionId, OBJECT_ALIGNMENT, gap_between_objects, object_alignment};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::rc::Rc;

/// What a pointer points to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Pointee {
    Null,
    Object(ObjectId),
    Function(FunctionId),
    /// A constant that is the address of nothing.
    Nowhere,
    /// An address computed from null or a function and a distance that is not constant. It belongs to nothing, but may happen to equal that of an
    /// object.
    Computed,
    /// An integer of the program: not dereferenced.
    Unknown,
    /// Something that is not modelled. In [`crate::WorldAssumption::Open`] it is assumed to be valid.
    Unmodelled,
}

/// One of the things that a pointer may point to.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    /// One bit. The conditions of a pointer are disjoint, and one of them holds.
    pub condition: TermId,
    pub pointee: Pointee,
    pub offset: Offset,
}

impl Case {
    /// Whether it has an address.
    pub(crate) fn has_address(&self) -> bool {
        matches!(self.pointee, Pointee::Object(_) | Pointee::Function(_))
    }
}

/// A pointer with what it may point to.
#[derive(Clone, Copy)]
pub(crate) struct ResolvedPointer<'c> {
    /// Its address.
    pub term: TermId,
    pub cases: &'c [Case],
}

/// The cases of a pointer.
pub(crate) type Cases = Rc<[Case]>;

/// What is known about addresses.
#[derive(Debug)]
pub(crate) struct Pointers {
    width: u32,
    cases: FxHashMap<TermId, Cases>,
    /// Addresses that are one of two others. Their cases are computed on demand.
    choices: FxHashMap<TermId, (TermId, TermId, TermId)>,
    pub addresses: Addresses,
    /// The addresses of everything that has one.
    starts: BTreeMap<Pointee, u128>,
    /// Pointers that left their objects, by where they would point to, and their numbers.
    strays: BTreeMap<(Pointee, i128), u128>,
    free: u128,
}

/// The leading bits of all addresses, if addresses are wide enough: no object is then where a program may expect a register or a marker.
const FIRST_BITS: u128 = 0x3a75;

/// The address of the first object.
pub(crate) fn first_address(width: u32) -> u128 {
    if width >= 32 { FIRST_BITS << (width - 16).min(96) } else { OBJECT_ALIGNMENT }
}

impl Pointers {
    pub(crate) fn new(width: u32) -> Pointers {
        let free = first_address(width);
        Pointers {
            width,
            cases: FxHashMap::default(),
            choices: FxHashMap::default(),
            addresses: Addresses::default(),
            starts: BTreeMap::new(),
            strays: BTreeMap::new(),
            free,
        }
    }

    /// Width of an address.
    pub(crate) fn width(&self) -> u32 {
        self.width
    }

    /// An address for something of this size; `None` if the address space is full.
    pub(crate) fn place(&mut self, size: u64, pointee: Pointee) -> Option<u128> {
        let start = self.free;
        let size_with_gap =
            u128::from(size).next_multiple_of(object_alignment(self.width)) + gap_between_objects(self.width);
        let end = start + size_with_gap;
        if end > self.limit() {
            return None;
        }
        self.free = end;
        self.addresses.insert(start, size, pointee);
        self.starts.insert(pointee, start);
        Some(start)
    }

    /// The size of what has this address, in bytes; `None` if nothing has.
    pub(crate) fn size_of(&self, pointee: Pointee) -> Option<u64> {
        self.addresses.size_at(*self.starts.get(&pointee)?)
    }

    /// The address of a part of an object, entered into the table.
    ///
    /// A pointer that left its object must not be mistaken for one to another object. So it gets an unused address if it is far outside, or if its
    /// own address is in use. Such a pointer is undefined in C, but programs compute it all the same, and then move it back.
    pub(crate) fn address(
        &mut self,
        pool: &mut Pool,
        start: u128,
        pointee: Pointee,
        offset: &Offset,
    ) -> TermId {
        let own = if offset.known().is_some_and(|at| self.addresses.is_far(start, at)) {
            None
        } else {
            self.claim(pool, offset.base.saturating_add(start as i128), pointee, offset)
        };
        if let Some(term) = own {
            return term;
        }
        let n_strays = self.strays.len() as u128;
        let stray = *self.strays.entry((pointee, offset.base)).or_insert(n_strays);
        // Above all objects, see `place`. There are never that many.
        let base = (self.limit() + (stray + 1) * OBJECT_ALIGNMENT) as i128;
        self.claim(pool, base, pointee, offset).unwrap_or_else(|| terms::signed(pool, self.width, base))
    }

    /// The address `base + Σ scale × index` for this pointee; `None` if it belongs to something else.
    fn claim(&mut self, pool: &mut Pool, base: i128, pointee: Pointee, offset: &Offset) -> Option<TermId> {
        let term = Offset { base, parts: offset.parts.clone() }.term(pool, self.width);
        let condition = pool.truth(true);
        let case = Case { condition, pointee, offset: offset.clone() };
        let found = self.cases.entry(term).or_insert_with(|| Rc::new([case]));
        found.iter().all(|case| case.pointee == pointee).then_some(term)
    }

    /// Objects are below this: half of the address space, so that differences of addresses have a sign.
    fn limit(&self) -> u128 {
        1_u128 << (self.width.clamp(1, 127) - 1)
    }

    /// Records the cases of a pointer that was computed from others.
    pub(crate) fn enter(&mut self, term: TermId, cases: Vec<Case>) {
        self.cases.entry(term).or_insert_with(|| cases.into());
    }

    /// `term` is `ite(condition, a, b)`; recorded if these may be pointers.
    ///
    /// Rewriting may turn a choice of newer pointers into an older one that they were made of. Such a choice must not be recorded: it would lead back to
    /// itself. What is recorded is older than the term that it describes, so that following it ends.
    pub(crate) fn chosen(&mut self, pool: &mut Pool, term: TermId, condition: TermId, a: TermId, b: TermId) {
        if pool.width(term) != self.width || self.cases.contains_key(&term) || term == a || term == b {
            return;
        }
        let is_pointer = |id: TermId| self.cases.contains_key(&id) || self.choices.contains_key(&id);
        if !is_pointer(a) && !is_pointer(b) {
            return;
        }
        if a.max(b) < term {
            self.choices.insert(term, (condition, a, b));
        } else if !self.choices.contains_key(&term) {
            let (of_a, of_b) = (self.resolve(pool, a), self.resolve(pool, b));
            let merged = merge(pool, self.width, condition, &of_a, &of_b);
            self.enter(term, merged);
        }
    }

    /// Whether the term was computed from pointers.
    pub(crate) fn is_pointer(&self, pool: &Pool, term: TermId) -> bool {
        pool.width(term) == self.width
            && (self.choices.contains_key(&term)
                || self.cases.get(&term).is_some_and(|cases| cases.iter().any(Case::has_address)))
    }

    /// `variable` is a new name of `term`. If all its possible targets have constant addresses, the value of the variable itself tells which one it
    /// is.
    pub(crate) fn renamed(&mut self, pool: &mut Pool, variable: TermId, term: TermId) {
        if pool.width(term) != self.width
            || self.choice(pool, term).is_none() && !self.cases.contains_key(&term)
        {
            return;
        }
        let mut cases = self.resolve(pool, term).to_vec();
        let addresses: Option<Vec<u128>> = cases.iter().map(|case| self.constant_address(case)).collect();
        for (case, address) in cases.iter_mut().zip(addresses.into_iter().flatten()) {
            let address = terms::constant(pool, self.width, address);
            case.condition = terms::eq(pool, variable, address);
        }
        self.cases.insert(variable, cases.into());
    }

    /// The address of a case, if it is constant.
    fn constant_address(&self, case: &Case) -> Option<u128> {
        let offset = u128::try_from(case.offset.known()?).ok()?;
        match case.pointee {
            Pointee::Null => Some(0),
            Pointee::Object(_) | Pointee::Function(_) => {
                self.starts.get(&case.pointee).map(|start| start + offset)
            }
            Pointee::Nowhere | Pointee::Computed | Pointee::Unknown | Pointee::Unmodelled => None,
        }
    }

    /// What the pointer with this address points to. Each address is resolved once; merging costs the number of cases.
    pub(crate) fn resolve(&mut self, pool: &mut Pool, term: TermId) -> Cases {
        let mut todo = vec![term];
        while let Some(&next) = todo.last() {
            if self.settled(pool, next).is_some() {
                todo.pop();
                continue;
            }
            let Some((condition, a, b)) = self.choice(pool, next) else {
                let (condition, offset) = (pool.truth(true), Offset::default());
                self.cases.insert(next, Rc::new([Case { condition, pointee: Pointee::Unknown, offset }]));
                continue;
            };
            match (self.settled(pool, a), self.settled(pool, b)) {
                (Some(of_a), Some(of_b)) => {
                    let merged = merge(pool, self.width, condition, &of_a, &of_b);
                    self.cases.insert(next, merged.into());
                }
                (of_a, of_b) => {
                    todo.extend(of_a.is_none().then_some(a));
                    todo.extend(of_b.is_none().then_some(b));
                }
            }
        }
        self.settled(pool, term).unwrap_or_default()
    }

    /// The cases of a pointer if nothing has to be merged for them. Those of a constant are not kept: an object may be placed there later.
    fn settled(&self, pool: &mut Pool, term: TermId) -> Option<Cases> {
        match self.cases.get(&term) {
            Some(found) => Some(Rc::clone(found)),
            None => self.constant(pool, term).map(|case| Rc::new([case]) as Cases),
        }
    }

    fn choice(&self, pool: &Pool, term: TermId) -> Option<(TermId, TermId, TermId)> {
        if let Some(choice) = self.choices.get(&term) {
            return Some(*choice);
        }
        let found = pool.term(term);
        (found.op() == Op::Ite).then(|| (found.arg(0), found.arg(1), found.arg(2)))
    }

    /// What is at a constant address.
    fn constant(&self, pool: &mut Pool, term: TermId) -> Option<Case> {
        let address = terms::known(pool, term)?;
        let nothing = if address == 0 { Pointee::Null } else { Pointee::Nowhere };
        let (pointee, base) = self.addresses.at(address).unwrap_or((nothing, 0));
        let (condition, offset) = (pool.truth(true), Offset::constant(i128::from(base)));
        Some(Case { condition, pointee, offset })
    }
}

/// The cases of `if condition { a } else { b }`, one per pointee.
fn merge(pool: &mut Pool, width: u32, condition: TermId, a: &[Case], b: &[Case]) -> Vec<Case> {
    let opposite = pool.not(condition);
    let mut merged: Vec<Case> = Vec::new();
    for case in a {
        let both = terms::and(pool, condition, case.condition);
        merged.push(Case { condition: both, ..case.clone() });
    }
    for case in b {
        let own = terms::and(pool, opposite, case.condition);
        match merged.iter_mut().find(|found| found.pointee == case.pointee) {
            Some(found) => {
                let offset = found.offset.either(pool, width, condition, &case.offset);
                let chosen = terms::or(pool, found.condition, own);
                *found = Case { condition: chosen, pointee: case.pointee, offset };
            }
            None => merged.push(Case { condition: own, ..case.clone() }),
        }
    }
    merged.retain(|case| terms::known_truth(pool, case.condition) != Some(false));
    merged
}

#[cfg(test)]
mod tests {
    use super::*;
    use nub_bitvec::Sort;

    #[test]
    fn merged_pointers_keep_their_stride() {
        let mut pool = Pool::new();
        let mut pointers = Pointers::new(64);
        let start = pointers.place(40, Pointee::Object(ObjectId(0))).unwrap();
        let object = Pointee::Object(ObjectId(0));
        let third = pointers.address(&mut pool, start, object, &Offset::constant(12));
        let fifth = pointers.address(&mut pool, start, object, &Offset::constant(20));
        let null = terms::constant(&mut pool, 64, 0);
        let (c, d) = (pool.var(Sort::BIT), pool.var(Sort::BIT));
        let one = pool.mk(Op::Ite, &[c, third, fifth]);
        let other = pool.mk(Op::Ite, &[d, one, null]);
        let cases = pointers.resolve(&mut pool, other);
        let pointees: Vec<Pointee> = cases.iter().map(|case| case.pointee).collect();
        assert_eq!(pointees, [object, Pointee::Null]);
        assert_eq!((cases[0].offset.base, cases[0].offset.parts[0].scale), (12, 8));
    }

    #[test]
    fn a_choice_of_itself_ends() {
        let mut pool = Pool::new();
        let mut pointers = Pointers::new(64);
        let object = Pointee::Object(ObjectId(0));
        let start = pointers.place(8, object).unwrap();
        let there = pointers.address(&mut pool, start, object, &Offset::default());
        let null = terms::constant(&mut pool, 64, 0);
        let (c, d) = (pool.var(Sort::BIT), pool.var(Sort::BIT));
        let old = pool.mk(Op::Ite, &[c, there, null]);
        pointers.chosen(&mut pool, old, c, there, null);
        let new = pool.mk(Op::Ite, &[d, old, there]);
        pointers.chosen(&mut pool, new, d, old, there);
        // Where a rewrite finds out that this is the same.
        pointers.chosen(&mut pool, old, c, new, null);
        for term in [old, new] {
            let cases = pointers.resolve(&mut pool, term);
            let pointees: Vec<Pointee> = cases.iter().map(|case| case.pointee).collect();
            assert_eq!(pointees, [object, Pointee::Null]);
        }
        // A term that nothing is known about, although it is older.
        let unknown = pool.var(Sort::Bits(64));
        let newer = pool.mk(Op::Ite, &[d, there, null]);
        let newest = pool.mk(Op::Ite, &[c, newer, there]);
        pointers.chosen(&mut pool, newer, d, there, null);
        pointers.chosen(&mut pool, unknown, c, newest, newer);
        assert!(pointers.resolve(&mut pool, unknown).iter().all(|case| case.pointee != Pointee::Unknown));
    }

    #[test]
    fn constants_are_found_by_address() {
        let mut pool = Pool::new();
        let mut pointers = Pointers::new(16);
        let start = pointers.place(4, Pointee::Object(ObjectId(3))).unwrap();
        let mut look_up = |address: u128| {
            let term = terms::constant(&mut pool, 16, address);
            let cases = pointers.resolve(&mut pool, term);
            (cases[0].pointee, cases[0].offset.base)
        };
        assert_eq!(look_up(start + 4), (Pointee::Object(ObjectId(3)), 4));
        assert_eq!(look_up(start + 5), (Pointee::Nowhere, 0));
        assert_eq!(look_up(0), (Pointee::Null, 0));
        assert_eq!(pointers.place(1 << 20, Pointee::Null), None, "16 bits are not much");
    }
}
