//! Unions among the inputs: a caller has set one member, and an input says which.
//!
//! Memory has the cells of one member (see [`crate::layout`]). That is enough to store values, but not to say what a caller may have stored there: a
//! number that is stored where a pointer could be leads to no object, and a pointer cannot be any number. So each cell of such a union is a choice
//! between the bytes of its members, whose scalars are inputs of their own. Bytes that the chosen member does not have are zero, as in a test.
//!
//! Members that need no choice: one with the same scalars as another, and one of integers where a larger one has integers everywhere.
//!
//! Cost of a cell: the number of members, times the scalars of each that it overlaps.

use crate::layout::{CellAt, CellKind, Layout};
use crate::machine::{Machine, Step};
use crate::names;
use crate::terms;
use crate::unrolled::*;
use nub_bitvec::{Op, TermId};
use nub_c_ir::{IntKind, RecordId, Type, TypeId};
use std::rc::Rc;

/// Unions with more scalars are treated as their stored member alone.
const MAX_CELLS: u64 = 1 << 16;
/// More members than this are not distinguished.
const MAX_VARIANTS: usize = 64;
/// Choices that one read looks through, of several unions in each other. What is beyond them is a number.
const MAX_CHOICES: usize = 64;

/// An object of inputs.
#[derive(Clone, Copy)]
pub(crate) struct InputObject<'i> {
    pub object: ObjectId,
    pub place: &'i InputPlace,
    /// The name that its parts start with.
    pub root: &'i str,
    pub depth: u32,
}

/// A part of an object of inputs, by the steps that lead there.
#[derive(Clone)]
pub(crate) struct InputRegion {
    pub steps: Vec<InputStep>,
    pub ty: TypeId,
}

/// A union on the way to a cell.
struct UnionOnTheWay {
    record: RecordId,
    region: InputRegion,
    /// Bytes from the start of the region before.
    start: u64,
    variants: Rc<[u32]>,
}

impl Machine<'_> {
    /// A cell of a part of an object of inputs; it starts where `at` says, counted from the start of that part.
    pub(crate) fn input_in(
        &mut self,
        owner: InputObject<'_>,
        region: &InputRegion,
        at: CellAt,
    ) -> Step<TermId> {
        match self.union_on_the_way(region, at.start) {
            Some(found) => self.variant_cell(owner, &found, at),
            None => {
                let mut steps = region.steps.clone();
                steps.extend(names::path(&self.program.types, region.ty, at.start));
                self.input_scalar(owner, &steps, at)
            }
        }
    }

    /// The outermost union with several variants on the way to the byte at `offset`.
    fn union_on_the_way(&mut self, region: &InputRegion, offset: u64) -> Option<UnionOnTheWay> {
        let types = &self.program.types;
        let mut found = InputRegion { steps: region.steps.clone(), ty: region.ty };
        let mut start = 0;
        for step in names::path(types, region.ty, offset) {
            match (step, types.get(found.ty)) {
                (InputStep::Field(record, number), _) => {
                    let is_union = types.record(record).is_union;
                    let variants = if is_union { self.variants(record, found.ty) } else { Rc::default() };
                    if variants.len() > 1 {
                        return Some(UnionOnTheWay { record, region: found, start, variants });
                    }
                    let field = &types.record(record).fields[number as usize];
                    start += field.offset;
                    found.ty = field.ty;
                }
                (InputStep::Index(index), Type::Array(element, _)) => {
                    start += index * types.size_of(*element).unwrap_or(0);
                    found.ty = *element;
                }
                _ => return None,
            }
            found.steps.push(step);
        }
        None
    }

    /// A cell of a union: the bytes of the member that the caller has set.
    fn variant_cell(&mut self, owner: InputObject<'_>, of: &UnionOnTheWay, at: CellAt) -> Step<TermId> {
        let choice = self.choice_of_member(owner, of);
        let at = CellAt { start: at.start - of.start, ..at };
        let mut value = None;
        for (number, member) in of.variants.iter().enumerate().rev() {
            let bytes = self.bytes_of_member(owner, of, *member, at)?;
            value = Some(match value {
                Some(other) => {
                    let width = self.pool.width(choice);
                    let number = terms::constant(&mut self.pool, width, number as u128);
                    let is_it = terms::eq(&mut self.pool, choice, number);
                    self.choose(is_it, bytes, other)
                }
                None => bytes,
            });
        }
        let bits = self.storage_bits(at.size);
        Ok(value.unwrap_or_else(|| terms::constant(&mut self.pool, bits, 0)))
    }

    /// The input that says which member is set.
    fn choice_of_member(&mut self, owner: InputObject<'_>, of: &UnionOnTheWay) -> TermId {
        let key = (owner.object, of.region.steps.clone());
        if let Some(found) = self.memory.variants.parts.get(&key) {
            return *found;
        }
        let types = &self.program.types;
        let info = &self.out.objects[owner.object.index()];
        let whole = names::render_in(types, info, owner.root, &of.region.steps);
        let members: Vec<String> =
            of.variants.iter().map(|member| member_name(&types.record(of.record).fields, *member)).collect();
        let name = format!("{whole} of {}", members.join("/"));
        let place = crate::inputs::extended(owner.place, &of.region.steps);
        let part = InputPart::Member(of.record, of.variants.to_vec());
        let term = self.new_input(name, of.region.ty, place, part);
        self.memory.variants.parts.insert(key, term);
        term
    }

    /// The bytes of a cell if this member of its union is set.
    fn bytes_of_member(
        &mut self,
        owner: InputObject<'_>,
        of: &UnionOnTheWay,
        member: u32,
        at: CellAt,
    ) -> Step<TermId> {
        let field = &self.program.types.record(of.record).fields[member as usize];
        let mut steps = of.region.steps.clone();
        steps.push(InputStep::Field(of.record, member));
        let region = InputRegion { steps, ty: field.ty };
        let layout = self.memory.layouts.of(&self.program.types, field.ty);
        let bits = self.storage_bits(at.size);
        let (mut from, end) = (at.start, at.start + at.size);
        let mut value =
            if layout.size >= end { terms::constant(&mut self.pool, bits, 0) } else { self.padding(bits) };
        while let Some(part) = layout.cell_at(from).filter(|_| from < end) {
            let to = (part.start + part.size).min(end);
            let whole = self.input_part(owner, &region, part)?;
            if (part.start, part.size) == (at.start, at.size) {
                return Ok(whole);
            }
            let bytes = self.some_bytes(whole, part.size, from - part.start, to - part.start);
            let width = self.pool.width(bytes);
            let low = self.lowest_bit(at.size, self.storage_bits(from - at.start), width);
            value = terms::splice(&mut self.pool, value, bytes, low);
            from = to;
        }
        Ok(value)
    }

    /// A scalar of a member, which several cells may need.
    fn input_part(&mut self, owner: InputObject<'_>, region: &InputRegion, at: CellAt) -> Step<TermId> {
        let mut steps = region.steps.clone();
        steps.push(InputStep::Index(at.start));
        let key = (owner.object, steps);
        if let Some(found) = self.memory.variants.parts.get(&key) {
            return Ok(*found);
        }
        let term = self.input_in(owner, region, at)?;
        self.memory.variants.parts.insert(key, term);
        Ok(term)
    }

    /// The members that a caller may set and that differ for the program; none if the stored one stands for all.
    fn variants(&mut self, record: RecordId, ty: TypeId) -> Rc<[u32]> {
        if let Some(found) = self.memory.variants.of_unions.get(&record) {
            return Rc::clone(found);
        }
        let found: Rc<[u32]> = self.find_variants(record, ty).into();
        self.memory.variants.of_unions.insert(record, Rc::clone(&found));
        found
    }

    fn find_variants(&mut self, record: RecordId, ty: TypeId) -> Vec<u32> {
        let types = &self.program.types;
        let stored = self.memory.layouts.of(types, ty);
        let mut members: Vec<(u32, Vec<CellAt>)> = Vec::new();
        for (number, field) in (0..).zip(&types.record(record).fields) {
            let layout = self.memory.layouts.of(types, field.ty);
            if field.bits.is_some() || layout.size == 0 {
                continue;
            }
            if layout.n_cells > MAX_CELLS {
                return Vec::new();
            }
            members.push((number, cells(&layout)));
        }
        let first = names::stored_member(types, record);
        members.sort_by_key(|(number, _)| Some(*number as usize) != first);
        let is_pointer =
            |cell: &CellAt| matches!(cell.kind, CellKind::Scalar(ty) if types.pointee(ty).is_some());
        let has_pointer = members.iter().any(|(_, cells)| cells.iter().any(is_pointer));
        let has_gap = |(_, cells): &(u32, Vec<CellAt>)| cells.iter().any(|cell| is_in_gap(&stored, *cell));
        let adds = |(_, cells): &(u32, Vec<CellAt>)| {
            cells.iter().any(|cell| has_other_values(types, &stored, *cell))
        };
        if !has_pointer && !members.iter().any(has_gap) && !members.iter().any(adds) {
            return Vec::new();
        }
        let mut kept: Vec<(u32, Vec<CellAt>)> = Vec::new();
        for (number, cells) in &members {
            let is_same = kept.iter().any(|(_, other)| other == cells);
            let is_integers = |cells: &[CellAt]| cells.iter().all(|cell| is_integer(types, *cell));
            let covers = |(other, by): &(u32, Vec<CellAt>)| {
                let is_larger =
                    (size(by), std::cmp::Reverse(*other)) > (size(cells), std::cmp::Reverse(*number));
                other != number && is_larger && is_integers(by)
            };
            let is_covered = is_integers(cells) && members.iter().any(covers);
            if !is_same && !is_covered {
                kept.push((*number, cells.clone()));
            }
        }
        kept.truncate(MAX_VARIANTS);
        kept.into_iter().map(|(number, _)| number).collect()
    }

    /// Values that are read from several cells: if each is a choice by the same condition, so is the whole. Otherwise a pointer that is stored in
    /// several cells would be a number.
    pub(crate) fn joined(&mut self, high: TermId, low: TermId) -> TermId {
        self.joined_choices(high, low, &mut { MAX_CHOICES })
    }

    fn joined_choices(&mut self, high: TermId, low: TermId, n_left: &mut usize) -> TermId {
        match (self.choice(high), self.choice(low)) {
            (Some([condition, a, b]), Some([other, c, d])) if condition == other && *n_left > 0 => {
                *n_left -= 1;
                let (first, second) = (self.joined_choices(a, c, n_left), self.joined_choices(b, d, n_left));
                let (first, second) = (self.int_as_address(first), self.int_as_address(second));
                self.choose(condition, first, second)
            }
            _ => self.pool.mk(Op::Concat, &[high, low]),
        }
    }

    /// The bits of a value that may be a pointer, where a part of a choice is a choice of parts.
    pub(crate) fn pointer_in(&mut self, value: TermId, low: u32) -> TermId {
        self.pointer_in_choices(value, low, &mut { MAX_CHOICES })
    }

    fn pointer_in_choices(&mut self, value: TermId, low: u32, n_left: &mut usize) -> TermId {
        match self.choice(value).filter(|_| *n_left > 0) {
            Some([condition, a, b]) => {
                *n_left -= 1;
                let first = self.pointer_in_choices(a, low, n_left);
                let second = self.pointer_in_choices(b, low, n_left);
                self.choose(condition, first, second)
            }
            None => {
                let part = self.pool.slice(value, low + self.memory.pointers.width() - 1, low);
                self.int_as_address(part)
            }
        }
    }

    fn choice(&self, term: TermId) -> Option<[TermId; 3]> {
        let found = self.pool.term(term);
        (found.op() == Op::Ite).then(|| [found.arg(0), found.arg(1), found.arg(2)])
    }
}

/// What is known about unions among the inputs.
#[derive(Debug, Default)]
pub(crate) struct Variants {
    /// Scalars of members, and the inputs that choose one, by the steps that lead there.
    parts: rustc_hash::FxHashMap<(ObjectId, Vec<InputStep>), TermId>,
    of_unions: rustc_hash::FxHashMap<RecordId, Rc<[u32]>>,
}

fn member_name(fields: &[nub_c_ir::Field], member: u32) -> String {
    match fields[member as usize].name.as_str() {
        "" => format!("member {}", member + 1),
        name => name.to_owned(),
    }
}

fn cells(layout: &Layout) -> Vec<CellAt> {
    (0..layout.n_cells).filter_map(|number| layout.cell_number(number)).collect()
}

fn size(cells: &[CellAt]) -> u64 {
    cells.last().map_or(0, |cell| cell.start + cell.size)
}

/// Whether the cell can hold any bits.
fn is_integer(types: &nub_c_ir::Types, cell: CellAt) -> bool {
    match cell.kind {
        CellKind::Scalar(ty) => types.int_kind(ty).is_some_and(|kind| kind != IntKind::Bool),
        CellKind::BitFields(..) | CellKind::Bytes => false,
    }
}

/// Whether a scalar can hold bytes that are invalid in the stored member, such as 2 in place of a `_Bool`.
fn has_other_values(types: &nub_c_ir::Types, stored: &Layout, cell: CellAt) -> bool {
    let is_restricted =
        |cell: CellAt| cell.kind.scalar_type().is_some_and(|ty| names::is_restricted(types.get(ty)));
    let other = |offset: u64| stored.cell_at(offset).filter(|found| is_restricted(*found));
    !is_restricted(cell) && (cell.start..cell.start + cell.size).any(|offset| other(offset).is_some())
}

/// Whether a scalar lies where the stored member has padding.
fn is_in_gap(stored: &Layout, cell: CellAt) -> bool {
    let is_gap = |offset: u64| stored.cell_at(offset).is_some_and(|found| found.kind == CellKind::Bytes);
    cell.kind != CellKind::Bytes && (cell.start..cell.start + cell.size).any(is_gap)
}
