//! Addresses of objects and functions, and how the source would write them: `&list[2]` instead of 56.

use crate::names::render;
use crate::places::{Object, ObjectKind};
use crate::pointer::Pointee;
use crate::unrolled::{InputStep, ObjectId, Unrolled};
use nub_c_ir::{Program, Type, TypeId, Types};
use std::collections::BTreeMap;

/// There are more bytes than this between two objects or functions.
const GAP: i128 = 8;

/// What is at each address, for everything that has one.
#[derive(Clone, Default, Debug)]
pub(crate) struct Addresses(BTreeMap<u128, (u64, Pointee)>);

impl Addresses {
    /// Records what the `size` bytes from `start` belong to.
    pub(crate) fn insert(&mut self, start: u128, size: u64, pointee: Pointee) {
        self.0.insert(start, (size, pointee));
    }

    /// What an address belongs to, and the offset there. One past the end still belongs to the object.
    pub(crate) fn at(&self, address: u128) -> Option<(Pointee, u64)> {
        let (start, (size, pointee)) = self.0.range(..=address).next_back()?;
        let offset = u64::try_from(address - start).ok()?;
        (offset <= *size).then_some((*pointee, offset))
    }

    /// The size of what begins at this address.
    pub(crate) fn size_at(&self, start: u128) -> Option<u64> {
        self.0.get(&start).map(|(size, _)| *size)
    }

    /// Whether the address `offset` bytes from `start` is so far outside that another object may be there. Nearer addresses belong to nothing.
    pub(crate) fn is_far(&self, start: u128, offset: i128) -> bool {
        let size = self.size_at(start).unwrap_or(0);
        !(-GAP..i128::from(size) + GAP).contains(&offset)
    }
}

impl Unrolled {
    /// The object that an address belongs to, and how many bytes from its start; one past the end still belongs to it.
    pub fn object_at(&self, address: u64) -> Option<(ObjectId, u64)> {
        match self.addresses.at(u128::from(address))? {
            (Pointee::Object(id), offset) => Some((id, offset)),
            _ => None,
        }
    }

    /// An address as C would write it, for a pointer of this type: `NULL`, `&x`, `&list[2].next`, `p + 3`, `handler`.
    pub fn address_name(&self, program: &Program, pointer: TypeId, address: u64) -> String {
        let wanted = program.types.pointee(pointer);
        match self.addresses.at(u128::from(address)) {
            Some((Pointee::Object(id), offset)) => match self.objects.get(id.index()) {
                Some(object) => in_object(&program.types, object, wanted, offset),
                None => hexadecimal(address),
            },
            Some((Pointee::Function(id), 0)) => program.function(id).name.clone(),
            _ if address == 0 => "NULL".to_owned(),
            _ => hexadecimal(address),
        }
    }
}

fn hexadecimal(address: u64) -> String {
    format!("{address:#x}")
}

fn in_object(types: &Types, object: &Object, wanted: Option<TypeId>, offset: u64) -> String {
    let name = &object.name;
    match object.kind {
        // The object is named by a pointer.
        ObjectKind::Pointee(_) if object.before > 0 && object.part.is_none() => {
            match offset.checked_sub(object.before) {
                Some(offset) => moved(types, name, wanted, offset),
                None => format!("(char *){name} - {}", object.before - offset),
            }
        }
        ObjectKind::Pointee(_) => {
            let size = object.ty.and_then(|ty| types.size_of(ty)).unwrap_or(0).max(1);
            let inner = object.ty.and_then(|ty| steps_to(types, ty, offset % size, wanted));
            match inner {
                Some(steps) if !steps.is_empty() => {
                    let whole = [vec![InputStep::Pointee(offset / size)], steps].concat();
                    format!("&{}", render(types, name, &whole))
                }
                _ => moved(types, name, wanted, offset),
            }
        }
        ObjectKind::Heap(_) | ObjectKind::String(_) => moved(types, name, wanted, offset),
        ObjectKind::Local { .. } | ObjectKind::Global(_) => {
            match object.ty.and_then(|ty| steps_to(types, ty, offset, wanted)) {
                Some(steps) => format!("&{}", render(types, name, &steps)),
                None => moved(types, &format!("&{name}"), None, offset),
            }
        }
    }
}

/// A pointer to the start and the distance from there, if possible in elements of the target type.
fn moved(types: &Types, start: &str, wanted: Option<TypeId>, offset: u64) -> String {
    let size = wanted.and_then(|ty| types.size_of(ty)).unwrap_or(1).max(1);
    match offset {
        0 => start.to_owned(),
        _ if offset.is_multiple_of(size) && wanted.is_some() => format!("{start} + {}", offset / size),
        _ => format!("(char *){start} + {offset}"),
    }
}

/// The shortest list of steps to a part of this type at an offset. Cost: nesting of the type.
fn steps_to(types: &Types, ty: TypeId, offset: u64, wanted: Option<TypeId>) -> Option<Vec<InputStep>> {
    let (mut ty, mut offset) = (ty, offset);
    let mut steps = Vec::new();
    loop {
        if offset == 0 && wanted.is_none_or(|wanted| wanted == ty) {
            return Some(steps);
        }
        match types.get(ty) {
            Type::Array(element, _) => {
                let size = types.size_of(*element).filter(|size| *size > 0)?;
                steps.push(InputStep::Index(offset / size));
                (ty, offset) = (*element, offset % size);
            }
            Type::Record(record) => {
                let fields = &types.record(*record).fields;
                let number =
                    fields.iter().rposition(|field| field.offset <= offset && field.bits.is_none())?;
                steps.push(InputStep::Field(*record, u32::try_from(number).ok()?));
                (ty, offset) = (fields[number].ty, offset - fields[number].offset);
            }
            _ => return None,
        }
    }
}
