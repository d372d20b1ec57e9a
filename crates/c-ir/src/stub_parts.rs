//! What stubs return: numbers, pointers to objects of their own, and one member of each union.
//!
//! ```text
//! struct { int n; union { long i; char *s; } u; } get(void);   r.n = input; which = input;
//!     if (which == 0) r.u.i = input; else r.u.s = input ? null : new object with inputs;
//! ```

use crate::ids::*;
use crate::ir::*;
use crate::stub_plan::{FILLED_BYTES, MAX_SCALARS, OtherParts, PartStep, ScalarPart, extended};
use crate::types::{IntKind, Type};

/// A part of what a stub returns. Its steps lead to it from the result, or from the element of an object.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StubPart {
    /// A number.
    Number(ScalarPart),
    /// Null, or a pointer to an object of its own.
    Pointer(ScalarPart, StubObject),
    /// A union, of which the stub sets one member: an input says which.
    Union(Vec<PartStep>, Vec<StubMember>),
}

/// A member of a union.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StubMember {
    /// Its name.
    pub name: String,
    /// Its parts.
    pub parts: Vec<StubPart>,
}

/// An array of objects that a stub makes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StubObject {
    /// The type of an element; for `void *` that of bytes.
    pub element: TypeId,
    /// How many elements.
    pub count: u64,
    /// What is set in each. The rest is zero.
    pub parts: Vec<StubPart>,
}

/// A part of a type that is still to be looked at.
#[derive(Clone, Copy)]
struct Within<'s> {
    steps: &'s [PartStep],
    ty: TypeId,
    start: u64,
}

impl StubPart {
    /// Numbers and pointers, those behind pointers included.
    fn n_scalars(&self) -> usize {
        match self {
            StubPart::Number(_) => 1,
            StubPart::Pointer(_, object) => {
                1 + object.count as usize * object.parts.iter().map(StubPart::n_scalars).sum::<usize>()
            }
            StubPart::Union(_, members) => {
                1 + members.iter().flat_map(|member| &member.parts).map(StubPart::n_scalars).sum::<usize>()
            }
        }
    }

    /// Whether no pointer is in it.
    fn is_numeric(&self) -> bool {
        match self {
            StubPart::Number(_) => true,
            StubPart::Pointer(..) => false,
            StubPart::Union(_, members) => {
                members.iter().flat_map(|member| &member.parts).all(StubPart::is_numeric)
            }
        }
    }
}

impl Program {
    /// The object that a pointer in a result leads to; `None` if nothing is known about it.
    pub(crate) fn stub_object(&self, pointer: TypeId, depth: u32) -> Option<StubObject> {
        let (element, count) = self.stub_elements(pointer, FILLED_BYTES)?;
        let parts = self.stub_parts(element, depth.saturating_sub(1), OtherParts::Skip)?;
        Some(StubObject { element, count, parts })
    }

    /// The parts of a type in the order of its layout. As deep as the type, whose depth the parser limits, and as `depth` pointers behind each other.
    pub(crate) fn stub_parts(&self, ty: TypeId, depth: u32, others: OtherParts) -> Option<Vec<StubPart>> {
        let mut found = Vec::new();
        self.add_stub_parts(Within { steps: &[], ty, start: 0 }, depth, others, &mut found)?;
        (found.iter().map(StubPart::n_scalars).sum::<usize>() <= MAX_SCALARS).then_some(found)
    }

    fn add_stub_parts(
        &self,
        within: Within<'_>,
        depth: u32,
        others: OtherParts,
        found: &mut Vec<StubPart>,
    ) -> Option<()> {
        let Within { steps, ty, start } = within;
        let part = || {
            let end = start + self.types.size_of(ty)?;
            Some(ScalarPart { steps: steps.to_vec(), ty: self.types.unqualified(ty), end })
        };
        match self.types.get(ty) {
            _ if found.len() > MAX_SCALARS => return None,
            _ if self.is_stub_number(ty) => found.push(StubPart::Number(part()?)),
            Type::Pointer(to) if depth > 0 && !matches!(self.types.get(*to), Type::Function(_)) => {
                match self.stub_object(ty, depth) {
                    Some(object) => found.push(StubPart::Pointer(part()?, object)),
                    None => return (others == OtherParts::Skip).then_some(()),
                }
            }
            Type::Record(id) if self.types.record(*id).is_union => {
                let members = self.stub_members(*id, within, depth, others)?;
                match members.len() {
                    0 => {}
                    1 => found.extend(members.into_iter().flat_map(|member| member.parts)),
                    _ => found.push(StubPart::Union(steps.to_vec(), members)),
                }
            }
            Type::Record(id) => {
                let record = self.types.record(*id);
                record.size?;
                for (number, field) in (0..).zip(&record.fields) {
                    let steps = extended(steps, PartStep::Field(*id, number));
                    let within = Within { steps: &steps, ty: field.ty, start: start + field.offset };
                    self.add_stub_parts(within, depth, others, found)?;
                }
            }
            Type::Array(element, Some(length)) if *length <= MAX_SCALARS as u64 => {
                let size = self.types.size_of(*element)?;
                for index in 0..*length {
                    let steps = extended(steps, PartStep::Index(index));
                    let within = Within { steps: &steps, ty: *element, start: start + index * size };
                    self.add_stub_parts(within, depth, others, found)?;
                }
            }
            _ => return (others == OtherParts::Skip).then_some(()),
        }
        Some(())
    }

    /// The members of a union that a stub may set. One that is an integer as large as the union stands for all that contain only numbers.
    fn stub_members(
        &self,
        id: RecordId,
        within: Within<'_>,
        depth: u32,
        others: OtherParts,
    ) -> Option<Vec<StubMember>> {
        let record = self.types.record(id);
        let size = record.size?;
        let mut found = Vec::new();
        let mut whole = None;
        for (number, field) in (0..).zip(&record.fields) {
            let steps = extended(within.steps, PartStep::Field(id, number));
            let member = Within { steps: &steps, ty: field.ty, start: within.start };
            let mut parts = Vec::new();
            self.add_stub_parts(member, depth, others, &mut parts)?;
            if self.types.int_kind(field.ty).is_some_and(|kind| kind != IntKind::Bool)
                && field.bits.is_none()
                && self.types.size_of(field.ty) == Some(size)
            {
                whole = whole.or(Some(found.len()));
            }
            found.push(StubMember { name: field.name.clone(), parts });
        }
        let is_covered = |member: &StubMember| member.parts.iter().all(StubPart::is_numeric);
        let mut at = 0;
        found.retain(|member| {
            at += 1;
            whole.is_none_or(|whole| whole == at - 1) && !member.parts.is_empty() || !is_covered(member)
        });
        Some(found)
    }
}
