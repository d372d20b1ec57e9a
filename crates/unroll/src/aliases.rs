//! Input pointers that may point to the same object.
//!
//! A caller may pass one object twice, or a pointer to a global object, or a number that the program uses as a marker (`(T *)1`). With
//! [`Aliases::SameType`] each of these is an input of one bit. The remaining possibilities are recorded as departures: pointers into the middle of
//! each other's objects, and objects of other types.

use crate::config::{Aliases, Beyond};
use crate::machine::{Machine, Step};
use crate::places::{Object, ObjectKind};
use crate::pointer::{Case, Offset, Pointee, ResolvedPointer};
use crate::terms;
use crate::unrolled::{Assumption, Elsewhere, InputPart, InputPlace, ObjectId};
use nub_bitvec::{Op, Sort, TermId};
use nub_c_ir::{GlobalId, Type, TypeId};

/// Objects that one pointer may share. A circular list needs one, a tree with shared leaves a few more.
const MAX_SHARED: usize = 4;
/// The name of `FILE` in the headers of Linux: the library creates its objects.
const STREAM: &str = "struct _IO_FILE";

/// A pointer among the inputs.
#[derive(Clone, Copy)]
pub(crate) struct InputPointer<'i> {
    /// Its type.
    pub ty: TypeId,
    /// The type that it points to.
    pub to: TypeId,
    pub place: &'i InputPlace,
    pub name: &'i str,
}

impl Machine<'_> {
    /// The address of a pointer's own object, or of what it may point to instead: one input for each alternative.
    pub(crate) fn or_elsewhere(
        &mut self,
        pointer: InputPointer<'_>,
        object: ObjectId,
        own: TermId,
    ) -> Step<TermId> {
        let InputPointer { ty, to, place, name } = pointer;
        let mut term = own;
        if self.config.pointers.aliases == Aliases::None {
            return Ok(term);
        }
        let mut choices = Vec::new();
        for (elsewhere, text) in self.elsewhere(object, to)? {
            let address = match elsewhere {
                Elsewhere::Object(shared) => {
                    self.memory.open.linked.push((object, shared));
                    let offset = self.element_offset(pointer, shared);
                    self.address_in(shared, &offset)?
                }
                Elsewhere::Address(number) => {
                    let width = self.memory.pointers.width();
                    terms::constant(&mut self.pool, width, nub_c_ir::ints::truncate(number, width))
                }
            };
            let name = format!("{name} == {text}");
            choices.push((self.new_input(name, ty, place.clone(), InputPart::LeadsTo(elsewhere)), address));
        }
        for (is_it, address) in choices.into_iter().rev() {
            term = self.choose(is_it, address, term);
        }
        Ok(term)
    }

    /// Where in a shared object a pointer points. If the program can observe the order of pointers, an input says how many elements after or before
    /// the object's own pointer; otherwise both point to the same place, as they do in a part of a larger structure, which has no other elements.
    fn element_offset(&mut self, pointer: InputPointer<'_>, object: ObjectId) -> Offset {
        let InputPointer { ty, to, place, name } = pointer;
        let info = &self.out.objects[object.index()];
        let own = Offset::constant(i128::from(info.before));
        let scale = self.program.types.size_of(to).unwrap_or(0);
        let (first, end) = info.element_range(scale);
        let has_part = info.part.is_some();
        let input_name = format!("{name} - {}", info.name);
        if has_part || first == end || !self.memory.open.orders_pointers(self.program, self.out.function) {
            return own;
        }
        let width = self.memory.pointers.width();
        let input = self.new_input(input_name, ty, place.clone(), InputPart::Element(object));
        let number = terms::sign_extend(&mut self.pool, input, width);
        let [first, end] = [first, end].map(|number| terms::signed(&mut self.pool, width, number));
        let is_after = self.pool.mk(Op::Sle, &[first, number]);
        let is_before = self.pool.mk(Op::Sle, &[number, end]);
        let is_inside = terms::and(&mut self.pool, is_after, is_before);
        if self.may_be_longer(object) {
            let is_outside = self.pool.not(is_inside);
            self.depart(Assumption::Memory, is_outside);
        }
        let index = self.pool.mk(Op::Ite, &[is_inside, number, end]);
        own.add(&mut self.pool, index, scale, None)
    }

    /// What a pointer to `to` may point to besides its own object, each with its text.
    fn elsewhere(&mut self, own: ObjectId, to: TypeId) -> Step<Vec<(Elsewhere, String)>> {
        let mut found = Vec::new();
        if self.memory.open.sees_aliases(self.program, self.out.function)
            && self.program.types.spell(to) != STREAM
        {
            let is_void = matches!(self.program.types.get(to), Type::Void);
            let is_shared = |object: &Object| {
                let fits = match object.part.or(object.ty) {
                    Some(points_to) => points_to == to,
                    // What a `void *` points to has no type of its own.
                    None => is_void,
                };
                matches!(object.kind, ObjectKind::Pointee(_)) && fits && object.size > 0
            };
            let before = (0..own.0).rev().map(ObjectId);
            // A variable argument that a run does not request does not exist.
            let is_passed = |object: &Object| match &object.kind {
                ObjectKind::Pointee(place) => !self.is_behind_variable_argument(place),
                _ => true,
            };
            let is_alone = self.is_alone(own);
            let shared = before.filter(|id| {
                let object = &self.out.objects[id.index()];
                is_shared(object) && is_passed(object) && !is_alone && !self.is_alone(*id)
            });
            let named = shared
                .map(|id| (Elsewhere::Object(id), self.out.objects[id.index()].pointer_name().to_owned()));
            found.extend(named.take(MAX_SHARED));
            for id in self.fitting_globals(to).into_iter().filter(|_| !is_alone) {
                let object = self.global(id)?;
                found
                    .push((Elsewhere::Object(object), format!("&{}", self.program.globals[id.index()].name)));
            }
        }
        let addresses = self.memory.open.addresses(self.program, self.out.function).to_vec();
        let mark = |number: u128| (Elsewhere::Address(number), format!("(void *){number}"));
        found.extend(addresses.into_iter().map(mark));
        Ok(found)
    }

    /// Whether a parameter that is declared `restrict` leads to the object, in a function that writes: what it writes there, no other pointer may
    /// lead to.
    fn is_alone(&self, object: ObjectId) -> bool {
        let function = self.program.function(self.out.function);
        match &self.out.objects[object.index()].kind {
            ObjectKind::Pointee(InputPlace::Parameter { index, path, .. }) if path.is_empty() => {
                function.params().get(*index).is_some_and(|param| param.is_restrict)
                    && self.memory.open.changes_memory(self.program, self.out.function)
            }
            _ => false,
        }
    }

    /// Global objects of this type, or arrays of it, that the function uses, that a caller can point to and that a test can name.
    fn fitting_globals(&mut self, to: TypeId) -> Vec<GlobalId> {
        let program = self.program;
        let fits = |id: &GlobalId| {
            let global = &program.globals[id.index()];
            let is_type = global.ty == to
                || matches!(program.types.get(global.ty), Type::Array(element, Some(1..)) if *element == to);
            let can_be_named =
                global.owner.is_none() && !global.name.contains('.') && !global.is_of_partial_file;
            is_type && can_be_named && !global.is_const && program.is_exposed(*id)
        };
        let used = self.memory.open.named_globals(program, self.out.function);
        used.iter().copied().filter(fits).take(MAX_SHARED).collect()
    }

    /// Whether code outside the program can have a pointer into this object.
    pub(crate) fn is_exposed(&self, object: ObjectId) -> bool {
        match &self.out.objects[object.index()].kind {
            ObjectKind::Pointee(_) => true,
            ObjectKind::Global(id) => self.program.is_exposed(*id),
            ObjectKind::String(_) => true,
            ObjectKind::Local { .. } | ObjectKind::Heap(_) => false,
        }
    }

    /// Whether an input pointer leads to the object.
    pub(crate) fn is_of_caller(&self, object: ObjectId) -> bool {
        self.config.pointers.beyond == Beyond::Unknown
            && matches!(self.out.objects[object.index()].kind, ObjectKind::Pointee(_))
    }

    /// The two objects, if two pointers lead to different objects here that could be one object for another caller. At least one of them is the
    /// caller's.
    pub(crate) fn could_be_one(&self, case: &Case, other: &Case) -> Option<(ObjectId, ObjectId)> {
        let (Pointee::Object(a), Pointee::Object(b)) = (case.pointee, other.pointee) else { return None };
        let is_given = self.is_of_caller(a) || self.is_of_caller(b);
        (a != b && is_given && self.is_exposed(a) && self.is_exposed(b)).then_some((a, b))
    }

    /// The result of ordering or subtracting pointers, which is defined only inside one object (C17 6.5.8). A caller may pass two pointers into one
    /// object, while here each points to its own memory. So with [`Beyond::Unknown`] such a run departs, and the result may be anything.
    pub(crate) fn relation(&mut self, a: &[Case], b: &[Case], result: TermId) -> TermId {
        let Some(path) = self.current.path.filter(|_| self.config.pointers.beyond == Beyond::Unknown) else {
            return result;
        };
        let (mut apart, mut overlapping) = (self.pool.truth(false), self.pool.truth(false));
        for (case, other) in a.iter().flat_map(|case| b.iter().map(move |other| (case, other))) {
            if case.pointee == other.pointee {
                continue;
            }
            let mut both = terms::and(&mut self.pool, case.condition, other.condition);
            if self.is_open() && (may_be_anywhere(case) || may_be_anywhere(other)) {
                overlapping = terms::or(&mut self.pool, overlapping, both);
                continue;
            }
            if let Some((a, b)) = self.could_be_one(case, other).filter(|_| self.is_open()) {
                let overlap = self.overlap(a, b);
                let is_open = terms::and(&mut self.pool, both, overlap);
                overlapping = terms::or(&mut self.pool, overlapping, is_open);
                let not_one = self.pool.not(overlap);
                both = terms::and(&mut self.pool, both, not_one);
            }
            apart = terms::or(&mut self.pool, apart, both);
        }
        let from = if self.is_open() { Assumption::OneObject } else { Assumption::Distinct };
        self.depart_on(path, from, apart);
        let anything = self.pool.var(self.pool.sort(result));
        let is_unknown = terms::or(&mut self.pool, apart, overlapping);
        self.choose(is_unknown, anything, result)
    }

    /// Whether two pointers are equal, as far as it is known. A caller may pass one object where there are two here: with [`Beyond::Unknown`], the
    /// other answer is a departure.
    pub(crate) fn equality(&mut self, a: &[Case], b: &[Case], is_equal: TermId) -> TermId {
        let pairs = a.iter().flat_map(|case| b.iter().map(move |other| (case, other)));
        let found: Vec<(ObjectId, ObjectId, TermId, TermId)> = pairs
            .filter(|(case, other)| !self.is_settled(case, other))
            .filter_map(|(case, other)| {
                let (a, b) = self.could_be_one(case, other)?;
                Some((a, b, case.condition, other.condition))
            })
            .collect();
        if self.config.pointers.beyond == Beyond::Nothing || found.is_empty() {
            return is_equal;
        }
        if !self.is_open() {
            let is_other = self.pool.var(Sort::BIT);
            self.depart(Assumption::Distinct, is_other);
            return self.pool.mk(Op::Xor, &[is_equal, is_other]);
        }
        let mut is_open = self.pool.truth(false);
        for (a, b, first, second) in found {
            let both = terms::and(&mut self.pool, first, second);
            let overlap = self.overlap(a, b);
            let all = terms::and(&mut self.pool, both, overlap);
            is_open = terms::or(&mut self.pool, is_open, all);
        }
        let anything = self.pool.var(Sort::BIT);
        self.choose(is_open, anything, is_equal)
    }

    /// The same where one of them is a number that the program uses as an address. A caller may pass it, even where no input represents it.
    pub(crate) fn or_mark(
        &mut self,
        a: ResolvedPointer<'_>,
        b: ResolvedPointer<'_>,
        is_equal: TermId,
    ) -> TermId {
        let is_mark = |cases: &[Case]| cases.iter().all(|case| case.pointee == Pointee::Nowhere);
        let is_given = |cases: &[Case]| {
            cases
                .iter()
                .any(|case| matches!(case.pointee, Pointee::Object(object) if self.is_of_caller(object)))
        };
        let mark = match (is_mark(a.cases), is_mark(b.cases)) {
            (true, false) if is_given(b.cases) => a.term,
            (false, true) if is_given(a.cases) => b.term,
            _ => return is_equal,
        };
        let number = terms::known(&self.pool, mark);
        let width = self.memory.pointers.width();
        let known = self.memory.open.addresses(self.program, self.out.function);
        let is_input = self.config.pointers.aliases == Aliases::SameType
            && known.iter().any(|address| Some(nub_c_ir::ints::truncate(*address, width)) == number);
        if !self.is_open() || is_input {
            return is_equal;
        }
        let is_other = self.pool.var(Sort::BIT);
        self.depart(Assumption::Addresses, is_other);
        self.pool.mk(Op::Xor, &[is_equal, is_other])
    }

    /// Whether an input already says if these two pointers are equal: both are as far from where the input pointers to their objects point, and an
    /// input says whether the two objects are one.
    fn is_settled(&self, case: &Case, other: &Case) -> bool {
        let (Pointee::Object(a), Pointee::Object(b)) = (case.pointee, other.pointee) else { return false };
        // Bytes from where the input pointer to the object points.
        let distance = |case: &Case, object: ObjectId| {
            Some(case.offset.known()? - i128::from(self.out.objects[object.index()].before))
        };
        distance(case, a).is_some()
            && distance(case, a) == distance(other, b)
            && self.memory.open.is_linked(a, b)
    }
}

/// Whether it may point into any object that the program got from outside.
fn may_be_anywhere(case: &Case) -> bool {
    matches!(case.pointee, Pointee::Unknown | Pointee::Unmodelled)
}
