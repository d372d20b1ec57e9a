//! What a stub, the generated body of a missing function, sees of its arguments and may write through them.
//!
//! The plan of a stub is a function of its type alone. [`crate::stub_body`] turns it into a body, and test files into a function in C: both take
//! their inputs in the same order.

use crate::ids::*;
use crate::ir::*;
use crate::stub_parts::{StubObject, StubPart};
use crate::types::Type;

/// At most this many scalars of one object are filled, seen or returned.
pub(crate) const MAX_SCALARS: usize = 64;
/// Bytes behind a pointer argument that are part of what a test expects.
const SEEN_BYTES: u64 = 16;
/// Bytes of an array that a stub writes or returns; at least one element.
pub(crate) const FILLED_BYTES: u64 = 8;
/// Objects that pointers in a result lead to, one behind the other. Pointers in the last one are null.
const OBJECT_DEPTH: u32 = 2;
/// The same where the type does not say what the memory contains.
const UNTYPED_BYTES: u64 = 16;

/// A step from an object to a part of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PartStep {
    /// A member.
    Field(RecordId, u32),
    /// An element of an array.
    Index(u64),
}

/// An integer in an object.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ScalarPart {
    /// The way to it.
    pub steps: Vec<PartStep>,
    /// Its type.
    pub ty: TypeId,
    /// Bytes from the start of the object to the end of the integer.
    pub end: u64,
}

/// An array of objects behind a pointer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StubMemory {
    /// The type of an element; for `void *` that of bytes.
    pub element: TypeId,
    /// How many elements.
    pub count: u64,
    /// The integers of an element.
    pub parts: Vec<ScalarPart>,
}

/// What a stub does with a parameter.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StubParam {
    /// The name in the declaration, or `argument 1`.
    pub name: String,
    /// Its type.
    pub ty: TypeId,
    /// Integers that are passed by value. A pointer has none: the stub only sees whether it is null.
    pub parts: Vec<ScalarPart>,
    /// What is seen behind a pointer.
    pub seen: Option<StubMemory>,
    /// What may be written there.
    pub written: Option<StubMemory>,
}

/// What a stub returns.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StubResult {
    /// Nothing.
    Void,
    /// A number, or the parts of a structure or union.
    Parts(Vec<StubPart>),
    /// Null, or a pointer to an object of its own. Without content, nothing may be done with the object.
    Pointer(Option<StubObject>),
}

impl StubResult {
    /// Whether it points to an object with content.
    pub(crate) fn is_filled(&self) -> bool {
        matches!(self, StubResult::Pointer(Some(_)))
    }
}

/// What to do with parts of an object that are not integers.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum OtherParts {
    Refuse,
    Skip,
}

impl Program {
    /// What a stub of this type does with its parameters; the names are those of a declaration, where there is one.
    pub fn stub_params(&self, function: &Function) -> Vec<StubParam> {
        let Type::Function(ty) = self.types.get(function.ty) else { return Vec::new() };
        let declared = |at: usize| function.declared.get(at);
        let param = |(at, ty): (usize, &TypeId)| {
            let name = declared(at).map(|found| found.name.clone()).filter(|name| !name.is_empty());
            let is_constant = declared(at).is_some_and(|found| found.is_constant);
            let parts = match self.types.get(*ty) {
                Type::Int(_) | Type::Float(_) | Type::Record(_) => {
                    self.scalar_parts(*ty, OtherParts::Skip).unwrap_or_default()
                }
                _ => Vec::new(),
            };
            StubParam {
                name: name.unwrap_or_else(|| format!("argument {}", at + 1)),
                ty: *ty,
                parts,
                seen: self
                    .stub_memory(*ty, SEEN_BYTES, OtherParts::Skip)
                    .map(|memory| self.first_bytes(memory)),
                written: self
                    .stub_memory(*ty, FILLED_BYTES, OtherParts::Refuse)
                    .filter(|memory| !is_constant && !memory.parts.is_empty()),
            }
        };
        ty.params.iter().enumerate().map(param).collect()
    }

    /// What a stub of this type returns; `None` if that cannot be generated: function pointers, `long double`.
    pub fn stub_result(&self, result: TypeId) -> Option<StubResult> {
        Some(match self.types.get(result) {
            Type::Void => StubResult::Void,
            Type::Pointer(to) if matches!(self.types.get(*to), Type::Function(_)) => return None,
            Type::Pointer(_) => StubResult::Pointer(self.stub_object(result, OBJECT_DEPTH)),
            _ => StubResult::Parts(self.stub_parts(result, OBJECT_DEPTH, OtherParts::Refuse)?),
        })
    }

    /// As many elements behind a pointer as fit into some bytes; `None` if nothing is known about them.
    fn stub_memory(&self, pointer: TypeId, bytes: u64, others: OtherParts) -> Option<StubMemory> {
        let (element, count) = self.stub_elements(pointer, bytes)?;
        Some(StubMemory { element, count, parts: self.scalar_parts(element, others)? })
    }

    /// The type behind a pointer, and how many of them fit into some bytes.
    pub(crate) fn stub_elements(&self, pointer: TypeId, bytes: u64) -> Option<(TypeId, u64)> {
        let to = self.types.unqualified(self.types.pointee(pointer)?);
        let (element, bytes) = match self.types.get(to) {
            Type::Void => (self.byte_type()?, bytes.max(UNTYPED_BYTES)),
            _ => (to, bytes),
        };
        let size = self.types.size_of(element).filter(|size| *size > 0)?;
        Some((element, (bytes / size).max(1)))
    }

    /// What is seen of an object that may be larger: its first bytes. A bit-field has no address at which it could be compared, and is not seen.
    fn first_bytes(&self, memory: StubMemory) -> StubMemory {
        let is_bit_field = |part: &ScalarPart| match part.steps.last() {
            Some(PartStep::Field(record, field)) => {
                self.types.record(*record).fields[*field as usize].bits.is_some()
            }
            _ => false,
        };
        let parts = memory.parts.into_iter().filter(|part| part.end <= SEEN_BYTES && !is_bit_field(part));
        StubMemory { parts: parts.collect(), ..memory }
    }

    /// `unsigned char`, if the program has it: [`Program::add_callbacks`] and [`Program::supply_missing`] make sure of that.
    fn byte_type(&self) -> Option<TypeId> {
        self.types.find_int(crate::types::IntKind::UChar)
    }

    /// A number that fits into one word: tests pass their values as words.
    pub(crate) fn is_stub_number(&self, ty: TypeId) -> bool {
        let format = self.types.number_format(ty);
        format.is_some_and(|format| format.width() <= 64 || self.types.int_format(ty).is_some())
    }

    /// The numbers of an object, in the order of its layout. O(parts), with an explicit stack.
    fn scalar_parts(&self, ty: TypeId, others: OtherParts) -> Option<Vec<ScalarPart>> {
        let mut found = Vec::new();
        let mut todo = vec![(Vec::new(), ty, 0_u64)];
        while let Some((steps, ty, start)) = todo.pop() {
            match self.types.get(ty) {
                _ if self.is_stub_number(ty) => {
                    let end = start + self.types.size_of(ty)?;
                    found.push(ScalarPart { steps, ty: self.types.unqualified(ty), end });
                }
                Type::Record(id) if !self.types.record(*id).is_union => {
                    let record = self.types.record(*id);
                    record.size?;
                    for (number, field) in record.fields.iter().enumerate().rev() {
                        let step = PartStep::Field(*id, number as u32);
                        todo.push((extended(&steps, step), field.ty, start + field.offset));
                    }
                }
                Type::Array(element, Some(length)) if *length <= MAX_SCALARS as u64 => {
                    let size = self.types.size_of(*element)?;
                    for index in (0..*length).rev() {
                        todo.push((extended(&steps, PartStep::Index(index)), *element, start + index * size));
                    }
                }
                _ if others == OtherParts::Skip => {}
                _ => return None,
            }
            if found.len() + todo.len() > MAX_SCALARS {
                return None;
            }
        }
        Some(found)
    }
}

pub(crate) fn extended(steps: &[PartStep], step: PartStep) -> Vec<PartStep> {
    steps.iter().copied().chain([step]).collect()
}
