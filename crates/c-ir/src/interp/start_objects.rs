//! Objects that exist when a run starts because pointers among the inputs lead to them, also from one object to the next.

use super::calls::Handed;
use super::machine::{Machine, Stop};
use super::memory::{Byte, Lifetime};
use super::places::Location;
use super::pointer::Pointer;
use super::{PointerIn, RuntimeValue, StartPointer};

impl Machine<'_> {
    /// Adds the objects, then the pointers in them and in global objects, since these lead from one to the other.
    pub(super) fn add_start_objects(&mut self) -> Result<(), Stop> {
        let inputs = self.inputs;
        for object in &inputs.objects {
            self.check_room(object.content.len() as u64)?;
            let lifetime = if object.is_allocated { Lifetime::Allocated } else { Lifetime::Named };
            let id = self.memory.add(object.content.len() as u64, lifetime);
            let target = self.memory.slice_mut(Pointer::Object(id, 0), object.content.len() as u64);
            for (byte, new) in target.into_iter().flatten().zip(&object.content) {
                *byte = new.map_or(Byte::Unknown, Byte::Bits);
            }
            self.start_objects.push(id);
        }
        for (at, object) in inputs.objects.iter().enumerate() {
            for pointer in &object.pointers {
                self.set_pointer(Pointer::Object(self.start_objects[at], 0), pointer)?;
            }
        }
        for (global, pointer) in &inputs.global_pointers {
            if let Some(&object) = self.globals.get(global.index()) {
                self.set_pointer(Pointer::Object(object, 0), pointer)?;
            }
        }
        Ok(())
    }

    fn set_pointer(&mut self, start: Pointer, set: &PointerIn) -> Result<(), Stop> {
        let pointer = self.memory.moved(start, i128::from(set.offset));
        let value = RuntimeValue::Pointer(self.start_pointer(set.to));
        self.store(&Location { pointer, bits: None, ty: set.ty }, &value)
    }

    /// Where a pointer leads.
    pub(super) fn start_pointer(&self, to: StartPointer) -> Pointer {
        let inside = |object: Option<&super::ObjectId>, offset: u64| {
            object.map_or(Pointer::Null, |object| Pointer::Object(*object, i128::from(offset)))
        };
        match to {
            StartPointer::Null => Pointer::Null,
            StartPointer::Object(number, offset) => inside(self.start_objects.get(number), offset),
            StartPointer::Global(global, offset) => inside(self.globals.get(global.index()), offset),
            StartPointer::Function(function) => Pointer::Function(function),
            StartPointer::Address(address) => Pointer::Address(address),
        }
    }

    /// A structure with pointers in it.
    pub(super) fn record_with_pointers(&self, bytes: &[Option<u32>], pointers: &[PointerIn]) -> Handed {
        let mut content: Vec<Byte> =
            bytes.iter().map(|byte| byte.map_or(Byte::Unknown, Byte::Bits)).collect();
        for set in pointers {
            let pointer = self.start_pointer(set.to);
            let size = self.program.types.size_of(set.ty).unwrap_or(0) as usize;
            let target = content.iter_mut().skip(set.offset as usize).take(size);
            target.zip(0..).for_each(|(byte, part)| *byte = Byte::Part(pointer, part));
        }
        Handed::Bytes(content)
    }
}
