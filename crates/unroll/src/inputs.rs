//! Inputs: parameters, what input pointers point to, values that are read.

use crate::access::Address;
use crate::aliases::InputPointer;
use crate::config::{Beyond, RoomModel};
use crate::layout::{CellAt, CellKind};
use crate::machine::{Machine, State, Step};
use crate::names;
use crate::objects::{Content, NewObject};
use crate::places::*;
use crate::pointer::Offset;
use crate::single_run::AskedInput;
use crate::terms;
use crate::unrolled::*;
use crate::variants::{InputObject, InputRegion};
use nub_bitvec::{Sort, TermId};
use nub_c_ir::{InputSource, IntKind, RecordId, RoomBefore, SourceOrigin, Type, TypeId};

impl Machine<'_> {
    /// A new free variable that exists from the start.
    pub(crate) fn new_input(
        &mut self,
        name: String,
        ty: TypeId,
        place: InputPlace,
        part: InputPart,
    ) -> TermId {
        let width = match part {
            InputPart::Value => self.width(ty),
            InputPart::NotNull | InputPart::LeadsTo(_) => 1,
            InputPart::Element(object) => {
                let size = self.program.types.pointee(ty).and_then(|to| self.program.types.size_of(to));
                self.out.objects[object.index()].element_bits(size.unwrap_or(1))
            }
            InputPart::Function(ref functions) => bits_for(functions.len()),
            InputPart::Member(_, ref members) => bits_for(members.len()),
        };
        let ty = match part {
            // A distance, which may be negative.
            InputPart::Element(_) => self.program.types.find_int(IntKind::Int).unwrap_or(ty),
            _ => ty,
        };
        self.new_input_of(width, name, ty, place, part)
    }

    fn new_input_of(
        &mut self,
        width: u32,
        name: String,
        ty: TypeId,
        place: InputPlace,
        part: InputPart,
    ) -> TermId {
        let guard = self.pool.truth(true);
        let term = self.input_term(width.max(1), &AskedInput { name: &name, ty, place: &place, part: &part });
        self.enter_input(InputVariable { name, ty, term, place, part, guard, context: ContextId(0) }, None);
        term
    }

    pub(crate) fn enter_input(&mut self, input: InputVariable, origin: Option<SourceOrigin>) {
        let id = InputId(u32::try_from(self.out.inputs.len()).unwrap_or(u32::MAX));
        let InputVariable { ty, term, guard, context, .. } = input;
        self.out.inputs.push(input);
        let (what, target) = (What::Input(id), AssignmentTarget::Nothing);
        self.out.assignments.push(SsaAssignment { what, target, ty, term, guard, origin, context });
    }

    /// A value that is read while the function runs.
    pub(crate) fn new_read(
        &mut self,
        state: &State,
        source: InputSource,
        address: &Address,
        origin: SourceOrigin,
    ) -> TermId {
        let ty = address.ty;
        let origin = self.call_origin().unwrap_or(origin);
        // Counted by the displayed name, so that no two inputs share a name.
        let number = self.work.n_reads.entry(source.label(0)).or_insert(0);
        *number += 1;
        let name = source.label(*number);
        let width = address.bits.map_or(self.width(ty), |range| range.width).max(1);
        let (guard, context) = (self.guard(state.path), self.context());
        if let Some(term) = self.read_of_original(&name, width, guard) {
            return term;
        }
        let (place, part) = (InputPlace::Read { source, origin }, InputPart::Value);
        let term = self.input_term(width, &AskedInput { name: &name, ty, place: &place, part: &part });
        self.enter_input(InputVariable { name, ty, term, place, part, guard, context }, Some(origin));
        term
    }

    /// The name of a part of an object.
    pub(crate) fn part_name(&self, object: ObjectId, offset: u64) -> String {
        self.out.part_name(self.program, object, offset)
    }

    /// A cell of an object of inputs.
    pub(crate) fn input_cell(&mut self, owner: InputObject<'_>, at: CellAt) -> Step<TermId> {
        let info = &self.out.objects[owner.object.index()];
        let Some(ty) = info.ty else { return self.input_scalar(owner, &[], at) };
        let (mut steps, mut start) = (Vec::new(), at.start);
        if matches!(info.kind, ObjectKind::Pointee(_)) {
            let size = self.program.types.size_of(ty).unwrap_or(0).max(1);
            steps.push(InputStep::Pointee(start / size));
            start %= size;
        }
        self.input_in(owner, &InputRegion { steps, ty }, CellAt { start, ..at })
    }

    /// The scalar that these steps lead to.
    pub(crate) fn input_scalar(
        &mut self,
        owner: InputObject<'_>,
        steps: &[InputStep],
        at: CellAt,
    ) -> Step<TermId> {
        let InputObject { object, place, root, depth } = owner;
        let bits = self.storage_bits(at.size);
        let info = &self.out.objects[object.index()];
        let name = names::render_in(&self.program.types, info, root, steps);
        let value = match at.kind {
            CellKind::Bytes => self.padding(bits),
            CellKind::BitFields(record, from, to) => {
                return Ok(self.bit_fields(at, (record, from, to), place, (root, steps)));
            }
            CellKind::Scalar(ty) => {
                let place = extended(place, steps);
                match self.program.types.get(ty) {
                    _ if self.program.types.number_format(ty).is_some() => {
                        let value = self.new_input(name, ty, place, InputPart::Value);
                        self.as_bytes(value, ty, bits)
                    }
                    Type::Pointer(to) => self.pointer_input(*to, ty, place, &name, depth)?,
                    _ => self.new_input_of(bits, name, ty, place, InputPart::Value),
                }
            }
        };
        Ok(terms::resize(&mut self.pool, value, bits))
    }

    /// Bytes that belong to no member. Tests leave them zero.
    pub(crate) fn padding(&mut self, bits: u32) -> TermId {
        let zero = terms::constant(&mut self.pool, bits, 0);
        if !self.is_open() {
            return zero;
        }
        let is_other = self.pool.var(Sort::BIT);
        self.depart(Assumption::Padding, is_other);
        let anything = self.pool.var(Sort::Bits(bits.max(1)));
        self.choose(is_other, anything, zero)
    }

    /// A cell of bit-fields: one input each.
    fn bit_fields(
        &mut self,
        at: CellAt,
        (record, from, to): (RecordId, u32, u32),
        place: &InputPlace,
        (root, steps): (&str, &[InputStep]),
    ) -> TermId {
        let bits = self.storage_bits(at.size);
        let mut value = terms::constant(&mut self.pool, bits, 0);
        // The steps lead to the last bit-field that starts here; the record is one step before.
        let to_record = steps.split_last().map_or(steps, |(_, before)| before);
        let fields = self.program.types.record(record).fields.clone();
        let first = fields.get(from as usize).map_or(0, |field| field.offset);
        for number in from..to {
            let Some(field) = fields.get(number as usize) else { break };
            let Some(range) = field.bits.filter(|range| range.width > 0) else { continue };
            let mut steps = to_record.to_vec();
            steps.push(InputStep::Field(record, number));
            let name = names::render(&self.program.types, root, &steps);
            let place = extended(place, &steps);
            let term = self.new_input_of(range.width, name, field.ty, place, InputPart::Value);
            let start = self.storage_bits(field.offset - first) + range.start;
            let low = self.lowest_bit(at.size, start, range.width);
            value = terms::splice(&mut self.pool, value, term, low);
        }
        value
    }

    /// An input pointer: to an object of its own, to a function, or null.
    pub(crate) fn pointer_input(
        &mut self,
        to: TypeId,
        ty: TypeId,
        place: InputPlace,
        name: &str,
        depth: u32,
    ) -> Step<TermId> {
        let null = terms::constant(&mut self.pool, self.program.model.pointer_bits, 0);
        if matches!(self.program.types.get(to), Type::Function(_)) {
            return self.function_input(to, ty, place, name);
        }
        if *self.program.types.get(to) == Type::VaList {
            // Only a parameter: a test can make no other list.
            let is_parameter =
                matches!(&place, InputPlace::Parameter { path, .. } if path.is_empty() && depth == 0);
            return if is_parameter { self.argument_list() } else { Ok(self.unknown_arguments()) };
        }
        let is_last = depth >= self.config.pointers.depth;
        if is_last && self.config.pointers.beyond == Beyond::Nothing {
            return Ok(null);
        }
        let (object, before) = self.pointee_object(to, &place, name, (depth, is_last))?;
        // Null often ends a list of variable arguments.
        let may_be_null = self.config.pointers.may_be_null || self.is_variable_argument(&place);
        let is_given = may_be_null
            .then(|| self.new_input(format!("{name} != 0"), ty, place.clone(), InputPart::NotNull));
        let own = self.address_in(object, &Offset::constant(i128::from(before)))?;
        let pointer = InputPointer { ty, to, place: &place, name };
        let address = self.or_elsewhere(pointer, object, own)?;
        Ok(is_given.map_or(address, |condition| self.choose(condition, address, null)))
    }

    /// The object that an input pointer points into, and where.
    fn pointee_object(
        &mut self,
        to: TypeId,
        place: &InputPlace,
        name: &str,
        (depth, is_last): (u32, bool),
    ) -> Step<(ObjectId, u64)> {
        let room = self.room_before(place).filter(|_| !is_last);
        let is_allocated = !is_last && self.is_freed(place);
        let container =
            room.and_then(|room| room.container).and_then(|record| self.program.types.type_of_record(record));
        let element = container.unwrap_or(to);
        let name = match container {
            Some(_) => Object::container_name(name),
            None => name.to_owned(),
        };
        // Nothing is modelled behind the last pointer, so every access there leaves the model.
        let count = if is_last { 0 } else { self.n_elements(element, &name) };
        let element_size = self.program.types.size_of(element);
        let is_void = matches!(self.program.types.get(element), Type::Void);
        let mut size = element_size.unwrap_or(u64::from(is_void)).saturating_mul(count);
        let before = room.map_or(0, |room| room.bytes);
        if let Some(room) = room {
            let outside = if container.is_none() { before } else { 0 };
            let least = (before + room.after).saturating_sub(outside);
            let unit = element_size.unwrap_or(1).max(1);
            size = size.max(least.next_multiple_of(unit)).saturating_add(outside);
        }
        let layout = (!is_void).then(|| self.memory.layouts.repeated(&self.program.types, element, size));
        let info = Object {
            name: name.clone(),
            ty: element_size.map(|_| element),
            size,
            kind: ObjectKind::Pointee(place.clone()),
            before,
            part: container.map(|_| to),
            is_allocated,
        };
        let content = Content::Input { place: place.clone(), name, depth: depth + 1 };
        let object = self.new_object(NewObject { info, layout, is_mortal: is_allocated, content })?;
        Ok((object, before))
    }

    /// The memory before an input pointer, if the program reads it.
    fn room_before(&self, place: &InputPlace) -> Option<RoomBefore> {
        let (InputPlace::Parameter { path, .. } | InputPlace::Global { path, .. }) = place else {
            return None;
        };
        let rooms = &self.program.rooms;
        let room = match (path.last(), place) {
            (Some(InputStep::Field(record, field)), _) => rooms.of_field(*record, *field),
            (None, InputPlace::Parameter { index, .. }) => rooms.of_parameter(*index),
            (None, InputPlace::Global { global, .. }) => rooms.of_global(*global),
            _ => None,
        };
        room.filter(|room| match self.config.pointers.room {
            RoomModel::None => false,
            RoomModel::Containers => room.container.is_some(),
            RoomModel::All => true,
        })
    }

    /// Whether the program may free the target of the pointer at this place.
    fn is_freed(&self, place: &InputPlace) -> bool {
        let (InputPlace::Parameter { path, .. } | InputPlace::Global { path, .. }) = place else {
            return false;
        };
        let rooms = &self.program.rooms;
        match (path.last(), place) {
            _ if self.config.pointers.room == RoomModel::None => false,
            (None, InputPlace::Parameter { index, .. }) => rooms.frees_parameter(*index),
            (None, InputPlace::Global { global, .. }) => rooms.frees_global(*global),
            (Some(InputStep::Field(record, field)), _) => rooms.frees_field(*record, *field),
            (Some(InputStep::Pointee(_) | InputStep::Index(_)), _) => rooms.frees_elements(),
            (None, _) => false,
        }
    }

    fn n_elements(&self, to: TypeId, name: &str) -> u64 {
        let pointers = &self.config.pointers;
        let is_text = matches!(
            self.program.types.get(to),
            Type::Void | Type::Int(IntKind::Char | IntKind::SChar | IntKind::UChar)
        );
        let usual = if is_text { pointers.characters } else { pointers.elements };
        pointers.by_name.get(name).copied().unwrap_or(usual)
    }
}

/// The number of bits that can number this many things.
pub(crate) fn bits_for(count: usize) -> u32 {
    (usize::BITS - count.saturating_sub(1).leading_zeros()).max(1)
}

/// The place some steps further.
pub(crate) fn extended(place: &InputPlace, steps: &[InputStep]) -> InputPlace {
    let mut place = place.clone();
    if let InputPlace::Parameter { path, .. } | InputPlace::Global { path, .. } = &mut place {
        path.extend_from_slice(steps);
    }
    place
}
