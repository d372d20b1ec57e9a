//! Pointers: where they may point to.
//!
//! In memory and in terms a pointer is its address, as wide as the data model says, so that pointers are stored, merged, copied byte by
//! byte and turned into integers like any other value. Objects have constant addresses with gaps between them. Beside the terms, a
//! table says for each address that was made from a pointer which objects it may mean under which condition. Most pointers are constants,
//! and then that is one object and a known offset.

use crate::addresses::Addresses;
use crate::terms;
use crate::unrolled::ObjectId;
use nub_bitvec::{Op, Pool, TermId};
use nub_c_ir::FunctionId;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::rc::Rc;

/// What a pointer points to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Pointee {
    Null,
    Object(ObjectId),
    Function(FunctionId),
    /// A constant that is no address of anything.
    Nowhere,
    /// An integer of the program: not followed.
    Unknown,
}

/// One of the things that a pointer may point to.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    /// One bit. The conditions of a pointer are disjoint, and one of them holds.
    pub condition: TermId,
    pub pointee: Pointee,
    pub offset: Offset,
}

/// Bytes from the start of an object: `base + Σ scale × index`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Offset {
    pub base: i128,
    pub parts: Vec<OffsetPart>,
}

/// A multiple of an index that is not constant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct OffsetPart {
    /// Signed, as wide as a pointer.
    pub index: TermId,
    pub scale: u64,
    /// The index is below this, or behaviour is undefined.
    pub count: Option<u64>,
}

/// More parts than this become one: array dimensions, not steps of a pointer.
const MAX_PARTS: usize = 4;

impl Offset {
    pub(crate) fn constant(base: i128) -> Offset {
        Offset { base, parts: Vec::new() }
    }

    /// The offset if it is constant.
    pub(crate) fn known(&self) -> Option<i128> {
        self.parts.is_empty().then_some(self.base)
    }

    /// As a term, modulo 2^width.
    pub(crate) fn term(&self, pool: &mut Pool, width: u32) -> TermId {
        self.multiple(pool, width, 1, 0)
    }

    /// `(offset - origin) / unit`; the division must leave no rest.
    fn multiple(&self, pool: &mut Pool, width: u32, unit: u64, origin: i128) -> TermId {
        let start = terms::signed(pool, width, (self.base - origin) / i128::from(unit.max(1)));
        self.parts.iter().fold(start, |sum, part| {
            let scale = terms::constant(pool, width, u128::from(part.scale / unit.max(1)));
            let product = pool.mk(Op::Mul, &[part.index, scale]);
            pool.mk(Op::Add, &[sum, product])
        })
    }

    /// `scale × index` more. `count` is the length of the array, if it is known.
    pub(crate) fn add(&self, pool: &mut Pool, index: TermId, scale: u64, count: Option<u64>) -> Offset {
        let mut sum = self.clone();
        if let Some(index) = terms::known_signed(pool, index) {
            sum.base = sum.base.saturating_add(index.saturating_mul(i128::from(scale)));
            return sum;
        }
        match sum.parts.iter_mut().find(|part| part.scale == scale && part.count.is_none()) {
            Some(part) if count.is_none() => part.index = pool.mk(Op::Add, &[part.index, index]),
            _ => sum.parts.push(OffsetPart { index, scale, count }),
        }
        if sum.parts.len() > MAX_PARTS
            || (sum.parts.len() > 1 && sum.parts.iter().any(|part| part.count.is_none()))
        {
            return sum.as_one_part(pool);
        }
        sum
    }

    /// The sum.
    pub(crate) fn plus(&self, pool: &mut Pool, other: &Offset) -> Offset {
        let start = Offset { base: self.base.saturating_add(other.base), parts: self.parts.clone() };
        other.parts.iter().fold(start, |sum, part| sum.add(pool, part.index, part.scale, part.count))
    }

    /// The largest number that divides all scales.
    fn unit(&self) -> u64 {
        self.parts.iter().fold(0, |unit, part| gcd(unit, part.scale))
    }

    fn as_one_part(&self, pool: &mut Pool) -> Offset {
        let Some(first) = self.parts.first() else { return self.clone() };
        let width = pool.width(first.index);
        let scale = self.unit();
        let index = self.multiple(pool, width, scale, self.base);
        Offset { base: self.base, parts: vec![OffsetPart { index, scale, count: None }] }
    }

    /// `if condition { self } else { other }`.
    fn either(&self, pool: &mut Pool, width: u32, condition: TermId, other: &Offset) -> Offset {
        if self == other {
            return self.clone();
        }
        let apart = u64::try_from((self.base - other.base).unsigned_abs()).unwrap_or(1);
        let scale = gcd(gcd(self.unit(), other.unit()), apart).max(1);
        let base = self.base.min(other.base);
        let a = self.multiple(pool, width, scale, base);
        let b = other.multiple(pool, width, scale, base);
        let index = pool.mk(Op::Ite, &[condition, a, b]);
        Offset::constant(base).add(pool, index, scale, None)
    }

    /// `(self - other) / scale` if both are whole multiples of it, without a division.
    pub(crate) fn distance(&self, pool: &mut Pool, width: u32, other: &Offset, scale: u64) -> Option<TermId> {
        let is_multiple = |offset: &Offset| offset.parts.iter().all(|part| part.scale % scale == 0);
        if scale == 0
            || !is_multiple(self)
            || !is_multiple(other)
            || (self.base - other.base) % i128::from(scale) != 0
        {
            return None;
        }
        let a = self.multiple(pool, width, scale, other.base);
        let b = other.multiple(pool, width, scale, other.base);
        Some(pool.mk(Op::Sub, &[a, b]))
    }
}

fn gcd(a: u64, b: u64) -> u64 {
    let (mut a, mut b) = (a, b);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// The cases of a pointer.
pub(crate) type Cases = Rc<[Case]>;

/// What is known about addresses.
#[derive(Debug)]
pub(crate) struct Pointers {
    width: u32,
    cases: FxHashMap<TermId, Cases>,
    /// Addresses that are one of two others. Their cases are computed when they are needed.
    choices: FxHashMap<TermId, (TermId, TermId, TermId)>,
    pub addresses: Addresses,
    /// Where the things are that have an address.
    starts: BTreeMap<Pointee, u128>,
    free: u128,
}

/// Objects begin at multiples of this, and between two of them is at least as much.
const SPACING: u128 = 16;

impl Pointers {
    pub(crate) fn new(width: u32) -> Pointers {
        let free = SPACING;
        Pointers {
            width,
            cases: FxHashMap::default(),
            choices: FxHashMap::default(),
            addresses: Addresses::default(),
            starts: BTreeMap::new(),
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
        let end = start + u128::from(size).next_multiple_of(SPACING) + SPACING;
        // Half of the space, so that differences of addresses have a sign.
        let limit = 1_u128 << (self.width.clamp(1, 127) - 1);
        if end > limit {
            return None;
        }
        self.free = end;
        self.addresses.insert(start, size, pointee);
        self.starts.insert(pointee, start);
        Some(start)
    }

    /// The address of a part of an object, entered into the table.
    pub(crate) fn address(
        &mut self,
        pool: &mut Pool,
        start: u128,
        pointee: Pointee,
        offset: &Offset,
    ) -> TermId {
        let moved = Offset { base: offset.base.saturating_add(start as i128), parts: offset.parts.clone() };
        let term = moved.term(pool, self.width);
        let condition = pool.truth(true);
        let case = Case { condition, pointee, offset: offset.clone() };
        self.cases.entry(term).or_insert_with(|| Rc::new([case]));
        term
    }

    /// Enters the cases of a pointer that was made from others.
    pub(crate) fn enter(&mut self, term: TermId, cases: Vec<Case>) {
        self.cases.entry(term).or_insert_with(|| cases.into());
    }

    /// `term` is `ite(condition, a, b)`; remembered if these may be pointers.
    pub(crate) fn chosen(&mut self, pool: &Pool, term: TermId, condition: TermId, a: TermId, b: TermId) {
        if pool.width(term) != self.width || self.cases.contains_key(&term) || term == a || term == b {
            return;
        }
        let is_pointer = |id: TermId| self.cases.contains_key(&id) || self.choices.contains_key(&id);
        if is_pointer(a) || is_pointer(b) {
            self.choices.insert(term, (condition, a, b));
        }
    }

    /// `variable` is a new name of `term`. Where all that it may point to has a constant address, the variable itself tells what it is.
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
            Pointee::Nowhere | Pointee::Unknown => None,
        }
    }

    /// Where the pointer with this address points to. Each address is resolved once; merging costs the number of cases.
    pub(crate) fn resolve(&mut self, pool: &mut Pool, term: TermId) -> Cases {
        let mut todo = vec![term];
        while let Some(&next) = todo.last() {
            if self.cases.contains_key(&next) {
                todo.pop();
                continue;
            }
            let Some((condition, a, b)) = self.choice(pool, next) else {
                let case = self.leaf(pool, next);
                self.cases.insert(next, Rc::new([case]));
                continue;
            };
            match (self.cases.get(&a).cloned(), self.cases.get(&b).cloned()) {
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
        Rc::clone(&self.cases[&term])
    }

    fn choice(&self, pool: &Pool, term: TermId) -> Option<(TermId, TermId, TermId)> {
        if let Some(choice) = self.choices.get(&term) {
            return Some(*choice);
        }
        let found = pool.term(term);
        (found.op() == Op::Ite).then(|| (found.arg(0), found.arg(1), found.arg(2)))
    }

    /// A constant address, or an integer.
    fn leaf(&self, pool: &mut Pool, term: TermId) -> Case {
        let condition = pool.truth(true);
        let Some(address) = terms::known(pool, term) else {
            return Case { condition, pointee: Pointee::Unknown, offset: Offset::default() };
        };
        let nothing = if address == 0 { Pointee::Null } else { Pointee::Nowhere };
        let (pointee, base) = self.addresses.at(address).unwrap_or((nothing, 0));
        Case { condition, pointee, offset: Offset::constant(i128::from(base)) }
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
