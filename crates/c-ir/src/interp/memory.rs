//! Objects and their bytes.

use super::bytes::ByteFormat;
use super::pointer::{Pointer, functions_at, objects_at};
use crate::model::{DataModel, gap_between_objects, object_alignment};
use std::cell::RefCell;

/// An object of a run. Numbers are never reused.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ObjectId(pub u32);

/// One byte of an object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Byte {
    /// Never written.
    Unknown,
    /// A number below 2^char bits.
    Bits(u32),
    /// A byte of a pointer, counted from its first.
    Part(Pointer, u8),
}

/// What an object is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Lifetime {
    /// A global or a local: not to be freed.
    Named,
    /// A string literal: not to be written.
    Constant,
    /// Made by an allocation.
    Allocated,
    /// It has ended.
    Ended,
}

#[derive(Debug)]
struct Object {
    bytes: Vec<Byte>,
    address: u128,
    lifetime: Lifetime,
}

/// All objects of a run.
#[derive(Debug)]
pub(super) struct Memory {
    /// By ascending address.
    objects: Vec<Object>,
    next_address: u128,
    /// Of each object.
    alignment: u128,
    /// Between two objects.
    gap: u128,
    pub(super) functions_at: u128,
    n_bytes: u64,
    pub(super) format: ByteFormat,
    /// Objects written since watching began, with their content before.
    watched: Option<Vec<(ObjectId, Vec<Byte>)>>,
    /// Reported changes whose readers are recorded. Reading does not change memory, hence the cell.
    followed: RefCell<Vec<Followed>>,
}

/// Where in the trace a change is reported.
#[derive(Clone, Copy, Debug)]
pub(super) struct EffectPosition {
    /// The event.
    pub event: usize,
    /// Which of its effects.
    pub part: usize,
}

/// A change of an object by watched code, and which bytes watched code reads after it.
#[derive(Debug)]
struct Followed {
    object: ObjectId,
    told: EffectPosition,
    n_bytes: usize,
    /// For each offset in an element: whether watched code reads it.
    is_read: Vec<bool>,
}

/// At most this many changes are followed: each of them slows reading down.
const MAX_FOLLOWED: usize = 64;

impl Memory {
    /// For a program with this many functions.
    pub(super) fn new(model: &DataModel, n_functions: usize) -> Memory {
        let alignment = object_alignment(model.pointer_bits);
        let next_address = objects_at(model.pointer_bits, n_functions).next_multiple_of(alignment);
        Memory {
            objects: Vec::new(),
            next_address,
            alignment,
            gap: gap_between_objects(model.pointer_bits),
            functions_at: functions_at(model.pointer_bits),
            n_bytes: 0,
            format: ByteFormat::of(model),
            watched: None,
            followed: RefCell::default(),
        }
    }

    /// A new object whose bytes are unknown.
    pub(super) fn add(&mut self, size: u64, lifetime: Lifetime) -> ObjectId {
        let id = ObjectId(self.objects.len() as u32);
        let address = self.next_address;
        self.next_address = (address + u128::from(size)).next_multiple_of(self.alignment) + self.gap;
        self.n_bytes += size;
        self.objects.push(Object { bytes: vec![Byte::Unknown; size as usize], address, lifetime });
        id
    }

    /// From now on an object cannot be written.
    pub(super) fn make_constant(&mut self, id: ObjectId) {
        self.objects[id.0 as usize].lifetime = Lifetime::Constant;
    }

    /// Bytes of all objects that live.
    pub(super) fn n_bytes(&self) -> u64 {
        self.n_bytes
    }

    /// Ends an object and frees its bytes.
    pub(super) fn end(&mut self, id: ObjectId) {
        let object = &mut self.objects[id.0 as usize];
        self.n_bytes -= object.bytes.len() as u64;
        object.bytes = Vec::new();
        object.lifetime = Lifetime::Ended;
    }

    pub(super) fn is_ended(&self, id: ObjectId) -> bool {
        self.lifetime(id) == Lifetime::Ended
    }

    pub(super) fn lifetime(&self, id: ObjectId) -> Lifetime {
        self.objects[id.0 as usize].lifetime
    }

    pub(super) fn object_address(&self, id: ObjectId) -> u128 {
        self.objects[id.0 as usize].address
    }

    /// The live object that an address is in, its end included. O(log n).
    pub(super) fn object_at(&self, address: u128) -> Option<(ObjectId, i128)> {
        let at = self.objects.partition_point(|object| object.address <= address).checked_sub(1)?;
        let object = &self.objects[at];
        let offset = address - object.address;
        let is_inside = object.lifetime != Lifetime::Ended && offset <= object.bytes.len() as u128;
        is_inside.then_some((ObjectId(at as u32), offset as i128))
    }

    pub(super) fn size(&self, id: ObjectId) -> u64 {
        self.objects[id.0 as usize].bytes.len() as u64
    }

    /// The bytes at a place, if all of them are in a live object.
    pub(super) fn slice(&self, pointer: Pointer, size: u64) -> Option<&[Byte]> {
        let (id, range) = self.range(pointer, size)?;
        self.objects[id.0 as usize].bytes.get(range)
    }

    pub(super) fn slice_mut(&mut self, pointer: Pointer, size: u64) -> Option<&mut [Byte]> {
        let (id, range) = self.range(pointer, size)?;
        if self.objects[id.0 as usize].lifetime == Lifetime::Constant {
            return None;
        }
        self.remember(id);
        self.objects[id.0 as usize].bytes.get_mut(range)
    }

    /// Like [`Memory::slice`], for reads by the program itself: records what watched code reads.
    pub(super) fn read(&self, pointer: Pointer, size: u64) -> Option<&[Byte]> {
        let (id, range) = self.range(pointer, size)?;
        if self.watched.is_some() {
            let mut followed = self.followed.borrow_mut();
            for change in followed.iter_mut().filter(|change| change.object == id) {
                let stride = change.is_read.len();
                range.clone().for_each(|at| change.is_read[at % stride] = true);
            }
        }
        self.objects[id.0 as usize].bytes.get(range)
    }

    /// From now on, records whether watched code reads a changed object; elements of `stride` bytes count as one.
    pub(super) fn follow(&mut self, object: ObjectId, told: EffectPosition, stride: u64) {
        let n_bytes = self.size(object) as usize;
        let stride = stride.clamp(1, n_bytes.max(1) as u64);
        let followed = self.followed.get_mut();
        if followed.len() < MAX_FOLLOWED {
            followed.push(Followed { object, told, n_bytes, is_read: vec![false; stride as usize] });
        }
    }

    /// For each followed change that watched code read, which of its bytes it read.
    pub(super) fn handed_on(&self) -> Vec<(EffectPosition, Vec<bool>)> {
        let followed = self.followed.borrow();
        let is_read = |change: &&Followed| change.is_read.contains(&true);
        let bytes = |change: &Followed| {
            (0..change.n_bytes).map(|at| change.is_read[at % change.is_read.len()]).collect()
        };
        followed.iter().filter(is_read).map(|change| (change.told, bytes(change))).collect()
    }

    /// From now on, keeps the former content of what is written.
    pub(super) fn watch(&mut self) {
        self.watched = Some(Vec::new());
    }

    /// Ends watching. Returns the live objects that differ from when it began, in order of creation.
    pub(super) fn changed(&mut self) -> Vec<ObjectId> {
        let mut found = self.watched.take().unwrap_or_default();
        let is_changed = |(id, before): &(ObjectId, Vec<Byte>)| {
            let object = &self.objects[id.0 as usize];
            object.lifetime != Lifetime::Ended && object.bytes != *before
        };
        found.retain(is_changed);
        found.sort_by_key(|(id, _)| *id);
        found.into_iter().map(|(id, _)| id).collect()
    }

    fn remember(&mut self, id: ObjectId) {
        let Some(watched) = &mut self.watched else { return };
        if watched.iter().all(|(known, _)| *known != id) {
            watched.push((id, self.objects[id.0 as usize].bytes.clone()));
        }
    }

    fn range(&self, pointer: Pointer, size: u64) -> Option<(ObjectId, std::ops::Range<usize>)> {
        let Pointer::Object(id, offset) = pointer else { return None };
        let object = &self.objects[id.0 as usize];
        let start = usize::try_from(offset).ok()?;
        let end = start.checked_add(usize::try_from(size).ok()?)?;
        (object.lifetime != Lifetime::Ended && end <= object.bytes.len()).then_some((id, start..end))
    }
}
