//! The lives of objects: local variables, and memory that is allocated and freed.

use super::RuntimeValue;
use super::machine::{Machine, Stop};
use super::memory::{Byte, Lifetime};
use super::pointer::Pointer;
use crate::ids::*;
use crate::ir::*;

impl Machine<'_> {
    pub(super) fn lifetime(&mut self, local: LocalId) -> Result<(), Stop> {
        let object = self.frame().locals[local.index()];
        let size = self.memory.size(object);
        let initial = self.inputs.lifetimes.get(self.n_lifetimes);
        self.n_lifetimes += 1;
        let Some(bytes) = self.memory.slice_mut(Pointer::Object(object, 0), size) else { return Ok(()) };
        bytes.fill(Byte::Unknown);
        for (byte, new) in bytes.iter_mut().zip(initial.into_iter().flatten()) {
            *byte = Byte::Bits(*new);
        }
        Ok(())
    }

    /// The variable gets a new object: a pointer to the old one dangles, also if the block is entered again.
    pub(super) fn end_life(&mut self, local: LocalId) {
        let Some(frame) = self.frames.last_mut() else { return };
        let object = frame.locals[local.index()];
        let size = self.memory.size(object);
        self.memory.end(object);
        frame.locals[local.index()] = self.memory.add(size, Lifetime::Named);
    }

    /// An allocation that fails.
    pub(super) fn allocate_nothing(&mut self, result: &Place) -> Result<(), Stop> {
        let location = self.location(result)?;
        self.store(&location, &RuntimeValue::Pointer(Pointer::Null))
    }

    /// A new object, each byte of which has this content.
    pub(super) fn allocate(&mut self, result: &Place, site: AllocationId, content: Byte) -> Result<(), Stop> {
        let location = self.location(result)?;
        let size = self.program.allocations[site.index()].size;
        let object = self.memory.add(size, Lifetime::Allocated);
        let pointer = Pointer::Object(object, 0);
        if let Some(bytes) = self.memory.slice_mut(pointer, size) {
            bytes.fill(content);
        }
        self.store(&location, &RuntimeValue::Pointer(pointer))
    }

    pub(super) fn free(&mut self, id: ExprId) -> Result<(), Stop> {
        match self.pointer(&self.eval(id)?)? {
            Pointer::Null => Ok(()),
            Pointer::Object(object, 0) if self.memory.lifetime(object) == Lifetime::Allocated => {
                self.memory.end(object);
                Ok(())
            }
            _ => Err(Stop::Undefined(CheckKind::Free)),
        }
    }
}
