//! Dynamic allocation: objects created and freed while the program runs.

use super::RuntimeValue;
use super::machine::{Machine, Stop};
use super::memory::{Byte, Lifetime, ObjectId};
use super::pointer::Pointer;
use crate::ids::*;
use crate::ir::{AllocationMaker, CheckKind, InstrKind};

impl Machine<'_> {
    /// An [`InstrKind::Allocate`].
    pub(super) fn allocate(&mut self, kind: &InstrKind) -> Result<(), Stop> {
        let InstrKind::Allocate { result, site, size, old, is_zeroed, fails } = kind else { return Ok(()) };
        let location = self.location(result)?;
        let old = match old {
            Some(old) => self.allocated(*old)?,
            None => None,
        };
        let fails = fails.map_or(Ok(0), |fails| self.int(&self.eval(fails)?))? != 0;
        let allocation = &self.program.allocations[site.index()];
        let size = match size {
            Some(size) => self.int(&self.eval(*size)?)?,
            None => u128::from(allocation.size.unwrap_or(0)),
        };
        if let (Some(old), 0) = (old, size) {
            self.memory.end(old);
            return self.store(&location, &RuntimeValue::Pointer(Pointer::Null));
        }
        let most = (1_u128 << (self.program.model.pointer_bits - 1)) - 1;
        let is_automatic = allocation.maker == AllocationMaker::Automatic;
        if fails || (size > most && !is_automatic) {
            return self.store(&location, &RuntimeValue::Pointer(Pointer::Null));
        }
        let size = u64::try_from(size).unwrap_or(u64::MAX);
        self.check_room(size)?;
        let lifetime = if is_automatic { Lifetime::Named } else { Lifetime::Allocated };
        let object = self.memory.add(size, lifetime);
        let pointer = Pointer::Object(object, 0);
        if let (true, Some(bytes)) = (*is_zeroed, self.memory.slice_mut(pointer, size)) {
            bytes.fill(Byte::Bits(0));
        }
        if let Some(old) = old {
            self.move_content(old, object);
        }
        self.store(&location, &RuntimeValue::Pointer(pointer))
    }

    /// Copies as many bytes as both objects have, and ends the first.
    fn move_content(&mut self, from: ObjectId, to: ObjectId) {
        let size = self.memory.size(from).min(self.memory.size(to));
        let content = self.memory.slice(Pointer::Object(from, 0), size).map(<[Byte]>::to_vec);
        if let (Some(content), Some(bytes)) = (content, self.memory.slice_mut(Pointer::Object(to, 0), size)) {
            bytes.copy_from_slice(&content);
        }
        self.memory.end(from);
    }

    /// The object that may be freed; none for the null pointer.
    fn allocated(&self, id: ExprId) -> Result<Option<ObjectId>, Stop> {
        match self.pointer(&self.eval(id)?)? {
            Pointer::Null => Ok(None),
            Pointer::Object(object, 0) if self.memory.lifetime(object) == Lifetime::Allocated => {
                Ok(Some(object))
            }
            _ => Err(Stop::Undefined(CheckKind::Free)),
        }
    }

    /// An [`InstrKind::Free`].
    pub(super) fn free(&mut self, id: ExprId) -> Result<(), Stop> {
        if let Some(object) = self.allocated(id)? {
            self.memory.end(object);
        }
        Ok(())
    }
}
