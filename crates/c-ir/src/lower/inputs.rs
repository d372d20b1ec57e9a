//! Values from outside: `nondet_int()`, `__VERIFIER_nondet_uchar()`, `getchar`.

use super::scope::Entity;
use super::{Lower, Lowered, RValue, Refusal};
use crate::ids::RecordId;
use crate::ir::*;
use crate::types::{FloatKind, IntKind, Type};
use nub_text::Span;

/// A structure or array with more scalars cannot be an input.
const MAX_SCALARS: usize = 4096;

impl Lower<'_> {
    /// The rest of the name of a function that returns an unknown value.
    pub(super) fn nondet_suffix(name: &str) -> Option<&str> {
        name.strip_prefix("__VERIFIER_nondet_")
            .or_else(|| name.strip_prefix("nondet_"))
            .or_else(|| name.strip_prefix("__CPROVER_nondet_"))
    }

    /// A call of such a function. Its type is the declared one; without a declaration, the name says it.
    pub(super) fn nondet(
        &mut self,
        name: &str,
        entity: Option<Entity>,
        suffix: &str,
        span: Span,
    ) -> Lowered<RValue> {
        let declared = match entity {
            Some(Entity::Function(function)) => Some(self.shared.program.functions[function.index()].result),
            _ => None,
        };
        let ty = match declared {
            Some(ty) => ty,
            None => match suffix {
                "float" => self.float_type(FloatKind::Float),
                "double" => self.float_type(FloatKind::Double),
                _ => {
                    let kind = suffix_kind(suffix).unwrap_or(IntKind::Int);
                    self.types().int(kind)
                }
            },
        };
        if self.is_void(ty) {
            return Ok(self.void_value(span));
        }
        self.require_complete(ty, span)?;
        let place = self.temporary(ty, span);
        self.input(place.clone(), &InputSource::Nondet(name.to_owned()), span)?;
        let id = self.add(ExprKind::Load(place), ty, span);
        Ok(RValue { id, ty, bits: None })
    }

    /// Fills a place with inputs, scalar by scalar. A walk with an explicit stack.
    pub(super) fn input(&mut self, place: Place, source: &InputSource, span: Span) -> Lowered<()> {
        let mut todo = vec![place];
        let mut n_scalars = 0;
        while let Some(place) = todo.pop() {
            match self.shared.program.types.get(place.ty).clone() {
                Type::Int(_) | Type::Float(FloatKind::Float | FloatKind::Double | FloatKind::LongDouble) => {
                    n_scalars += 1;
                    self.emit(InstrKind::Input { place, source: source.clone() }, span);
                }
                Type::Record(record) => {
                    let fields = self.input_fields(record);
                    for field in fields.rev() {
                        todo.push(self.walk_fields(place.clone(), &[(record, field)]));
                    }
                }
                Type::Array(element, Some(length)) if length <= MAX_SCALARS as u64 => {
                    let ty = self.difference_type();
                    for index in (0..length).rev() {
                        let mut part = place.clone();
                        part.steps.push(PlaceStep::Index(self.int(u128::from(index), ty, span).id));
                        part.ty = element;
                        todo.push(part);
                    }
                }
                Type::Pointer(_) => {
                    return Err(Refusal::unmodelled(span, "a nondeterministic pointer is not supported"));
                }
                _ => return Err(self.unsupported_operand(place.ty, span)),
            }
            if n_scalars + todo.len() > MAX_SCALARS {
                return Err(Refusal::new(span, "this object is too large to be an input"));
            }
        }
        Ok(())
    }

    /// Fields whose values together are any value of a record: all, or the largest member of a union.
    fn input_fields(&self, id: RecordId) -> std::ops::Range<u32> {
        let types = &self.shared.program.types;
        let record = types.record(id);
        let n_fields = record.fields.len() as u32;
        if !record.is_union {
            return 0..n_fields;
        }
        let size = |at: &u32| types.size_of(record.fields[*at as usize].ty);
        let largest = (0..n_fields).rev().max_by_key(size);
        largest.map_or(0..0, |at| at..at + 1)
    }

    /// An input between two numbers: `getchar`, `rand`.
    pub(super) fn ranged_input(
        &mut self,
        source: InputSource,
        least: i128,
        most: Option<i128>,
        span: Span,
    ) -> Lowered<RValue> {
        let ty = self.int_type();
        let width = self.format(ty).width;
        let place = self.temporary(ty, span);
        self.emit(InstrKind::Input { place: place.clone(), source }, span);
        let id = self.add(ExprKind::Load(place), ty, span);
        let value = RValue { id, ty, bits: None };
        let least = self.int(crate::ints::from_signed(least, width), ty, span);
        let above = self.compare_op(CompareOp::SLe, least, value, span);
        self.emit(InstrKind::Assume { condition: above.id }, span);
        if let Some(most) = most {
            let most = self.int(crate::ints::from_signed(most, width), ty, span);
            let below = self.compare_op(CompareOp::SLe, value, most, span);
            self.emit(InstrKind::Assume { condition: below.id }, span);
        }
        Ok(value)
    }
}

/// The types that the verifiers' names stand for; the first name of each is the usual one.
const SUFFIXES: &[(IntKind, &[&str])] = &[
    (IntKind::Bool, &["bool", "_Bool"]),
    (IntKind::Char, &["char"]),
    (IntKind::SChar, &["schar"]),
    (IntKind::UChar, &["uchar", "unsigned_char", "u8"]),
    (IntKind::Short, &["short"]),
    (IntKind::UShort, &["ushort", "unsigned_short", "u16"]),
    (IntKind::Int, &["int"]),
    (IntKind::UInt, &["uint", "unsigned", "unsigned_int", "u32"]),
    (IntKind::Long, &["long"]),
    (IntKind::ULong, &["ulong", "unsigned_long", "size_t"]),
    (IntKind::LongLong, &["longlong"]),
    (IntKind::ULongLong, &["ulonglong", "u64"]),
];

pub(super) fn suffix_kind(suffix: &str) -> Option<IntKind> {
    SUFFIXES.iter().find(|(_, names)| names.contains(&suffix)).map(|(kind, _)| *kind)
}

/// A function that returns any value of an integer type, by the name that it has for verifiers.
pub fn nondet_function(kind: IntKind) -> Option<String> {
    let (_, names) = SUFFIXES.iter().find(|(found, _)| *found == kind)?;
    names.first().map(|name| format!("__VERIFIER_nondet_{name}"))
}
