//! Operations on pointers.

use crate::cells::Cells;
use crate::exprs::compare;
use crate::machine::{Machine, Step};
use crate::pointer::{Case, Cases, Offset, Pointee};
use crate::terms;
use crate::unrolled::ObjectId;
use nub_bitvec::{Op, TermId};
use nub_c_ir::{CompareOp, Place};

impl Machine<'_> {
    fn cases(&mut self, pointer: TermId) -> Cases {
        self.pointers.resolve(&mut self.pool, pointer)
    }

    /// The one object that a pointer points to in every run.
    fn only_object(cases: &[Case]) -> Option<(ObjectId, &Offset)> {
        match cases {
            [Case { pointee: Pointee::Object(object), offset, .. }] => Some((*object, offset)),
            _ => None,
        }
    }

    /// `&place`.
    pub(crate) fn pointer_to(&mut self, place: &Place) -> Step<TermId> {
        let address = self.place_address(place)?;
        let mut found: Option<TermId> = None;
        for spot in address.spots.iter().rev() {
            // The pointer may move on from here, also beyond the array.
            let mut offset = Offset::constant(spot.offset.base);
            for part in &spot.offset.parts {
                offset = offset.add(&mut self.pool, part.index, part.scale, None);
            }
            let term = self.address_in(spot.object, &offset)?;
            found = Some(match found {
                Some(other) => self.choose(spot.condition, term, other),
                None => term,
            });
        }
        let width = self.pointers.width();
        Ok(found.unwrap_or_else(|| terms::constant(&mut self.pool, width, 0)))
    }

    pub(crate) fn pointer_add(&mut self, pointer: TermId, index: TermId, scale: u64) -> Step<TermId> {
        let width = self.pointers.width();
        let index = terms::sign_extend(&mut self.pool, index, width);
        let factor = terms::constant(&mut self.pool, width, u128::from(scale));
        let distance = self.pool.mk(Op::Mul, &[index, factor]);
        let cases = self.cases(pointer);
        if let Some((object, offset)) = Self::only_object(&cases) {
            let offset = offset.add(&mut self.pool, index, scale, None);
            return self.address_in(object, &offset);
        }
        let term = self.pool.mk(Op::Add, &[pointer, distance]);
        if term == pointer {
            return Ok(term);
        }
        let mut moved = Vec::with_capacity(cases.len());
        for case in cases.iter() {
            let offset = match case.pointee {
                Pointee::Object(_) => case.offset.add(&mut self.pool, index, scale, None),
                _ => case.offset.clone(),
            };
            // The null pointer moved is no null pointer, but nothing may be done with it either.
            moved.push(Case { offset, ..case.clone() });
        }
        self.pointers.enter(term, moved);
        Ok(term)
    }

    pub(crate) fn pointer_difference(&mut self, left: TermId, right: TermId, scale: u64) -> TermId {
        let width = self.pointers.width();
        let (a, b) = (self.cases(left), self.cases(right));
        if let (Some((object, a)), Some((other, b))) = (Self::only_object(&a), Self::only_object(&b))
            && object == other
            && let Some(distance) = a.distance(&mut self.pool, width, b, scale)
        {
            return distance;
        }
        let bytes = self.pool.mk(Op::Sub, &[left, right]);
        let scale = terms::constant(&mut self.pool, width, u128::from(scale.max(1)));
        self.pool.mk(Op::Sdiv, &[bytes, scale])
    }

    pub(crate) fn pointer_compare(&mut self, op: CompareOp, left: TermId, right: TermId) -> TermId {
        let width = self.pointers.width();
        let (a, b) = (self.cases(left), self.cases(right));
        if let (Some((object, a)), Some((other, b))) = (Self::only_object(&a), Self::only_object(&b))
            && object == other
        {
            let (a, b) = (a.term(&mut self.pool, width), b.term(&mut self.pool, width));
            return self.pool.mk(compare(op), &[a, b]);
        }
        // Different objects: equality follows from what they may be, without arithmetic.
        let is_equality = matches!(op, CompareOp::Eq | CompareOp::Ne);
        let share = a.iter().any(|case| b.iter().any(|other| other.pointee == case.pointee));
        let is_followed = |cases: &[Case]| cases.iter().all(|case| case.pointee != Pointee::Unknown);
        if is_equality && !share && is_followed(&a) && is_followed(&b) {
            return self.pool.truth(op == CompareOp::Ne);
        }
        if is_equality && terms::known(&self.pool, right) == Some(0) && is_followed(&a) {
            let is_null = self.is_null(&a);
            return if op == CompareOp::Eq { is_null } else { self.pool.not(is_null) };
        }
        self.pool.mk(compare(op), &[left, right])
    }

    fn is_null(&mut self, cases: &[Case]) -> TermId {
        let falsity = self.pool.truth(false);
        let null = cases.iter().filter(|case| case.pointee == Pointee::Null);
        null.fold(falsity, |any, case| terms::or(&mut self.pool, any, case.condition))
    }

    /// The pointer points into a live object with `size` bytes from there.
    pub(crate) fn is_valid(&mut self, cells: &Cells, pointer: TermId, size: u64) -> Step<TermId> {
        let cases = self.cases(pointer);
        let mut any = self.pool.truth(false);
        for case in cases.iter() {
            let Pointee::Object(object) = case.pointee else { continue };
            let is_inside = self.is_inside(object, &case.offset, size);
            let is_alive = self.is_alive(cells, object);
            let both = terms::and(&mut self.pool, is_inside, is_alive);
            let all = terms::and(&mut self.pool, both, case.condition);
            any = terms::or(&mut self.pool, any, all);
        }
        Ok(any)
    }

    pub(crate) fn is_alive(&mut self, cells: &Cells, object: ObjectId) -> TermId {
        match self.objects[object.index()].live {
            Some(live) => cells.get(live).map_or_else(|| self.pool.truth(true), |cell| cell.value),
            None => self.pool.truth(true),
        }
    }

    /// The offset leaves room for `size` bytes. With one index this is a range of the index, which no product can leave unnoticed.
    fn is_inside(&mut self, object: ObjectId, offset: &Offset, size: u64) -> TermId {
        let last = i128::from(self.out.objects[object.index()].size) - i128::from(size);
        let width = self.pointers.width();
        match offset.parts.as_slice() {
            [] => self.pool.truth((0..=last).contains(&offset.base)),
            [part] => {
                let scale = i128::from(part.scale.max(1));
                let low =
                    (-offset.base).div_euclid(scale) + i128::from((-offset.base).rem_euclid(scale) != 0);
                let high = (last - offset.base).div_euclid(scale);
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
