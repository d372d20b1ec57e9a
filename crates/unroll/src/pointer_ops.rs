//! Operations on pointers.

use crate::access::Spot;
use crate::cells::Cells;
use crate::config::Beyond;
use crate::exprs::compare;
use crate::machine::{Machine, Step};
use crate::places::ObjectKind;
use crate::pointer::{Case, Cases, Offset, Pointee, ResolvedPointer};
use crate::registers::is_number;
use crate::terms;
use crate::unrolled::ObjectId;
use nub_bitvec::{Op, Pool, TermId};
use nub_c_ir::{AccessTarget, CompareOp, Place, PlaceBase};

impl Machine<'_> {
    fn cases(&mut self, pointer: TermId) -> Cases {
        self.memory.pointers.resolve(&mut self.pool, pointer)
    }

    /// The one object that a pointer points to in every run.
    fn only_object(cases: &[Case]) -> Option<(ObjectId, &Offset)> {
        match cases {
            [Case { pointee: Pointee::Object(object), offset, .. }] => Some((*object, offset)),
            _ => None,
        }
    }

    /// `&place`. Also of the null pointer and other integers: `offsetof` used to be written like that.
    pub(crate) fn pointer_to(&mut self, place: &Place) -> Step<TermId> {
        if let PlaceBase::Pointer(pointer) = place.base {
            let pointer = self.current.memo[&pointer];
            let offset = self.steps_offset(place);
            return self.moved(pointer, &offset);
        }
        let address = self.place_address(place)?;
        match address.spots.first() {
            Some(spot) => {
                let offset = without_counts(&mut self.pool, &spot.offset);
                let address = self.address_in(spot.object, &offset)?;
                Ok(match place.base {
                    PlaceBase::Global(global) => self.object_or_null(global, address),
                    _ => address,
                })
            }
            None => {
                let width = self.memory.pointers.width();
                Ok(terms::constant(&mut self.pool, width, 0))
            }
        }
    }

    /// Bytes from the base of a place to the place.
    fn steps_offset(&mut self, place: &Place) -> Offset {
        let condition = self.pool.truth(true);
        let start = Spot { condition, object: ObjectId(0), offset: Offset::default() };
        let ty = self.base_type(place);
        let (spots, _) = self.walk(place, vec![start], ty);
        let offset = spots.into_iter().next().map(|spot| spot.offset).unwrap_or_default();
        without_counts(&mut self.pool, &offset)
    }

    pub(crate) fn pointer_add(&mut self, pointer: TermId, index: TermId, scale: u64) -> Step<TermId> {
        let index = terms::sign_extend(&mut self.pool, index, self.memory.pointers.width());
        let distance = Offset::default().add(&mut self.pool, index, scale, None);
        self.moved(pointer, &distance)
    }

    /// A pointer moved by a distance.
    fn moved(&mut self, pointer: TermId, distance: &Offset) -> Step<TermId> {
        let cases = self.cases(pointer);
        if let Some((object, offset)) = Self::only_object(&cases) {
            let offset = offset.plus(&mut self.pool, distance);
            return self.address_in(object, &offset);
        }
        let distance_term = distance.term(&mut self.pool, self.memory.pointers.width());
        let term = self.pool.mk(Op::Add, &[pointer, distance_term]);
        if term == pointer {
            return Ok(term);
        }
        let is_constant = distance.known().is_some() && terms::known(&self.pool, pointer).is_some();
        let mut moved = Vec::with_capacity(cases.len());
        for case in cases.iter() {
            let (pointee, offset) = match case.pointee {
                Pointee::Object(_) => (case.pointee, case.offset.plus(&mut self.pool, distance)),
                Pointee::Null | Pointee::Function(_) | Pointee::Nowhere if is_constant => {
                    (Pointee::Nowhere, Offset::default())
                }
                // It is no longer a null pointer, and must not be used.
                Pointee::Null | Pointee::Function(_) | Pointee::Computed => {
                    (Pointee::Computed, Offset::default())
                }
                Pointee::Nowhere => (Pointee::Unknown, Offset::default()),
                Pointee::Unknown | Pointee::Unmodelled => (case.pointee, Offset::default()),
            };
            moved.push(Case { condition: case.condition, pointee, offset });
        }
        self.memory.pointers.enter(term, moved);
        Ok(term)
    }

    pub(crate) fn pointer_difference(&mut self, left: TermId, right: TermId, scale: u64) -> TermId {
        let width = self.memory.pointers.width();
        let (a, b) = (self.cases(left), self.cases(right));
        if let (Some((object, a)), Some((other, b))) = (Self::only_object(&a), Self::only_object(&b))
            && object == other
            && let Some(distance) = a.distance(&mut self.pool, width, b, scale)
        {
            return distance;
        }
        let bytes = self.pool.mk(Op::Sub, &[left, right]);
        let scale = terms::constant(&mut self.pool, width, u128::from(scale.max(1)));
        let distance = self.pool.mk(Op::Sdiv, &[bytes, scale]);
        self.relation(&a, &b, distance)
    }

    pub(crate) fn pointer_compare(
        &mut self,
        cells: &Cells,
        op: CompareOp,
        left: TermId,
        right: TermId,
    ) -> TermId {
        let width = self.memory.pointers.width();
        let (a, b) = (self.cases(left), self.cases(right));
        if let (Some((object, a)), Some((other, b))) = (Self::only_object(&a), Self::only_object(&b))
            && object == other
        {
            let (a, b) = (a.term(&mut self.pool, width), b.term(&mut self.pool, width));
            return self.pool.mk(compare(op), &[a, b]);
        }
        // Different objects: equality follows from the possible targets, without arithmetic.
        let is_equality = matches!(op, CompareOp::Eq | CompareOp::Ne);
        let share = a.iter().any(|case| b.iter().any(|other| other.pointee == case.pointee));
        let is_followed = |cases: &[Case]| {
            cases
                .iter()
                .all(|case| matches!(case.pointee, Pointee::Null | Pointee::Object(_) | Pointee::Function(_)))
        };
        if is_equality && terms::known(&self.pool, right) == Some(0) && is_followed(&a) {
            let is_null = self.is_null(&a);
            return if op == CompareOp::Eq { is_null } else { self.pool.not(is_null) };
        }
        if !is_equality {
            let is_less = self.pool.mk(compare(op), &[left, right]);
            return self.relation(&a, &b, is_less);
        }
        let left = ResolvedPointer { term: left, cases: &a };
        let right = ResolvedPointer { term: right, cases: &b };
        let is_equal = if !share && is_followed(&a) && is_followed(&b) {
            self.pool.truth(false)
        } else {
            // The end of one object is not part of another, although the addresses may be equal.
            let (first, second) = self.comparable(left, right);
            let (is_same, apart) = (self.pool.mk(Op::Eq, &[first, second]), self.in_two_objects(&a, &b));
            let together = self.pool.not(apart);
            terms::and(&mut self.pool, is_same, together)
        };
        let is_equal = self.equality(&a, &b, is_equal);
        let is_equal = self.equality_left_open(cells, &a, &b, is_equal);
        let is_equal = self.or_mark(left, right, is_equal);
        if op == CompareOp::Eq { is_equal } else { self.pool.not(is_equal) }
    }

    /// Whether each of two pointers points into an object, and not into the same one.
    fn in_two_objects(&mut self, a: &[Case], b: &[Case]) -> TermId {
        let mut apart = self.pool.truth(false);
        for (case, other) in a.iter().flat_map(|case| b.iter().map(move |other| (case, other))) {
            if let (Pointee::Object(object), Pointee::Object(second)) = (case.pointee, other.pointee)
                && object != second
            {
                let both = terms::and(&mut self.pool, case.condition, other.condition);
                apart = terms::or(&mut self.pool, apart, both);
            }
        }
        apart
    }

    fn is_null(&mut self, cases: &[Case]) -> TermId {
        let falsity = self.pool.truth(false);
        let null = cases.iter().filter(|case| case.pointee == Pointee::Null);
        null.fold(falsity, |any, case| terms::or(&mut self.pool, any, case.condition))
    }

    /// Whether the pointer points into a live object with `size` bytes from there, or to a register if it may.
    pub(crate) fn is_valid(
        &mut self,
        cells: &Cells,
        pointer: TermId,
        size: u64,
        target: AccessTarget,
    ) -> Step<TermId> {
        let cases = self.cases(pointer);
        let mut any = self.pool.truth(false);
        for case in cases.iter() {
            let object = match case.pointee {
                Pointee::Object(object) => object,
                _ if target.may_be_register() && is_number(case) => {
                    any = terms::or(&mut self.pool, any, case.condition);
                    continue;
                }
                // A stub does not read there: no test can predict what it finds.
                Pointee::Unknown if self.current.is_observing => continue,
                // An unknown target does not make the access undefined: the check holds, and such runs are cut in the closed world.
                Pointee::Unknown | Pointee::Unmodelled => {
                    self.cut_at_number(case);
                    any = terms::or(&mut self.pool, any, case.condition);
                    continue;
                }
                Pointee::Nowhere => {
                    if let Some(is_memory) = self.memory_at_number(case) {
                        any = terms::or(&mut self.pool, any, is_memory);
                    }
                    continue;
                }
                Pointee::Null | Pointee::Function(_) | Pointee::Computed => continue,
            };
            let mut is_inside = self.is_within(object, case, size);
            if self.current.outside.is_some() && self.may_be_longer(object) {
                let is_behind = self.is_outside(object, &case.offset, size);
                let condition = terms::and(&mut self.pool, is_behind, case.condition);
                self.current.outside.iter_mut().for_each(|outside| outside.push((object, condition)));
                is_inside = terms::or(&mut self.pool, is_inside, is_behind);
            }
            let is_alive = self.is_alive(cells, object);
            let both = terms::and(&mut self.pool, is_inside, is_alive);
            let all = terms::and(&mut self.pool, both, case.condition);
            any = terms::or(&mut self.pool, any, all);
        }
        Ok(any)
    }

    /// Whether the caller may own more of this object than is modelled. It may, unless its length is declared.
    pub(crate) fn may_be_longer(&self, object: ObjectId) -> bool {
        let object = &self.out.objects[object.index()];
        self.config.pointers.beyond == Beyond::Unknown
            && match object.kind {
                ObjectKind::Pointee(_) => true,
                ObjectKind::Global(global) => self.program.globals[global.index()].has_open_length,
                _ => false,
            }
            && (self.is_open() || !self.config.pointers.by_name.contains_key(&object.name))
    }

    /// Whether the caller may own the memory there: memory after the object, and in the open world also before it.
    fn is_outside(&mut self, object: ObjectId, offset: &Offset, size: u64) -> TermId {
        if !self.is_open() {
            return self.is_behind(object, offset, size);
        }
        let is_inside = self.is_inside(object, offset, size);
        self.pool.not(is_inside)
    }

    /// Whether the offset is not negative and leaves no room for `size` bytes.
    fn is_behind(&mut self, object: ObjectId, offset: &Offset, size: u64) -> TermId {
        let last = i128::from(self.out.objects[object.index()].size) - i128::from(size);
        let width = self.memory.pointers.width();
        match offset.parts.as_slice() {
            [] => self.pool.truth(offset.base > last),
            [part] => {
                let scale = i128::from(part.scale.max(1));
                let high = (last - offset.base).div_euclid(scale);
                let high = terms::signed(&mut self.pool, width, high);
                self.pool.mk(Op::Slt, &[high, part.index])
            }
            _ => {
                let term = offset.term(&mut self.pool, width);
                let last = terms::signed(&mut self.pool, width, last);
                self.pool.mk(Op::Slt, &[last, term])
            }
        }
    }

    pub(crate) fn is_alive(&mut self, cells: &Cells, object: ObjectId) -> TermId {
        match self.memory.objects[object.index()].live {
            Some(live) => cells.get(live).map_or_else(|| self.pool.truth(true), |cell| cell.value),
            None => self.pool.truth(true),
        }
    }

    /// Whether the offset leaves room for `size` bytes. With one index this is a range of the index, so that an overflow of the product cannot go
    /// unnoticed.
    pub(crate) fn is_inside(&mut self, object: ObjectId, offset: &Offset, size: u64) -> TermId {
        let whole = self.out.objects[object.index()].size;
        self.is_inside_of(whole, offset, size)
    }

    /// The same for an object of this many bytes.
    pub(crate) fn is_inside_of(&mut self, whole: u64, offset: &Offset, size: u64) -> TermId {
        let last = i128::from(whole) - i128::from(size);
        let width = self.memory.pointers.width();
        match offset.parts.as_slice() {
            [] => self.pool.truth((0..=last).contains(&offset.base)),
            [part] => {
                let scale = i128::from(part.scale.max(1));
                let low =
                    (-offset.base).div_euclid(scale) + i128::from((-offset.base).rem_euclid(scale) != 0);
                let high = (last - offset.base).div_euclid(scale);
                // A limit that no index can exceed does not restrict it.
                let most = (1_i128 << (width - 1)) - 1;
                let (low, high) = (low.max(-most - 1), high.min(most));
                if low > high {
                    return self.pool.truth(false);
                }
                let low = terms::signed(&mut self.pool, width, low);
                let high = terms::signed(&mut self.pool, width, high);
                let from = self.pool.mk(Op::Sle, &[low, part.index]);
                let to = self.pool.mk(Op::Sle, &[part.index, high]);
                terms::and(&mut self.pool, from, to)
            }
            _ if last < 0 => self.pool.truth(false),
            _ => {
                let term = offset.term(&mut self.pool, width);
                let last = terms::signed(&mut self.pool, width, last);
                self.pool.mk(Op::Ule, &[term, last])
            }
        }
    }
}

/// The same offset without the lengths of its arrays: a pointer may move on from here, even out of the array.
fn without_counts(pool: &mut Pool, offset: &Offset) -> Offset {
    let start = Offset::constant(offset.base);
    offset.parts.iter().fold(start, |sum, part| sum.add(pool, part.index, part.scale, None))
}
