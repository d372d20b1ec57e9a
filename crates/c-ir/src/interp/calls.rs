//! Calls: frames, arguments and results.

use super::machine::{Machine, Stop, shown_byte};
use super::memory::{Byte, Lifetime, ObjectId};
use super::places::Location;
use super::pointer::Pointer;
use super::trace::{RunOutcome, TraceEvent};
use super::{Recording, RuntimeValue};
use crate::ids::*;
use crate::ir::*;
use crate::types::Type;

/// A call that is under way.
pub(super) struct Frame {
    pub(super) number: u32,
    pub(super) function: FunctionId,
    pub(super) locals: Vec<ObjectId>,
    pub(super) block: BlockId,
    pub(super) next: usize,
    /// Where the caller wants the result.
    result: Option<Location>,
}

/// A value passed to or from a function: a scalar, or the bytes of a structure.
#[derive(Clone)]
pub(super) enum Handed {
    Nothing,
    Scalar(RuntimeValue),
    Bytes(Vec<Byte>),
}

impl Machine<'_> {
    pub(super) fn call(
        &mut self,
        callee: Callee,
        args: &[ExprId],
        result: Option<&Place>,
    ) -> Result<(), Stop> {
        let callee = match callee {
            Callee::Direct(id) => id,
            Callee::Pointer(id) => match self.pointer(&self.eval(id)?)? {
                Pointer::Function(id) if self.program.takes(id, args.len()) => id,
                _ => return Err(Stop::Undefined(CheckKind::Pointer)),
            },
        };
        if self.frames.len() >= self.limits.depth {
            return Err(Stop::With(RunOutcome::DepthLimit));
        }
        let mut handed = Vec::with_capacity(args.len());
        for arg in args {
            handed.push(self.hand(*arg)?);
        }
        let result = match result {
            Some(place) => Some(self.location(place)?),
            None => None,
        };
        self.enter(callee, handed, result)
    }

    /// The value of an argument or of `return`.
    fn hand(&self, id: ExprId) -> Result<Handed, Stop> {
        let expr = self.program.function(self.frame().function).expr(id);
        match (&expr.kind, self.program.types.get(expr.ty)) {
            (ExprKind::Load(place), Type::Record(_)) => {
                Ok(Handed::Bytes(self.copy_bytes(&self.location(place)?)?))
            }
            _ => self.eval(id).map(Handed::Scalar),
        }
    }

    /// Enters a function with its arguments.
    pub(super) fn enter(
        &mut self,
        id: FunctionId,
        args: Vec<Handed>,
        result: Option<Location>,
    ) -> Result<(), Stop> {
        let function = self.program.function(id);
        if function.blocks.is_empty() {
            return Err(Stop::With(RunOutcome::NoBody(id)));
        }
        let types = &self.program.types;
        let sizes = function.locals.iter().map(|local| types.size_of(local.ty).unwrap_or(0));
        self.check_room(sizes.clone().fold(0, u64::saturating_add))?;
        let locals: Vec<ObjectId> = sizes.map(|size| self.memory.add(size, Lifetime::Named)).collect();
        let mut args = args.into_iter();
        for ((param, object), value) in function.params().iter().zip(&locals).zip(args.by_ref()) {
            let location = Location { pointer: Pointer::Object(*object, 0), bits: None, ty: param.ty };
            self.put(&location, value)?;
        }
        if let Some(local) = function.variable_arguments {
            let none = Handed::Scalar(RuntimeValue::Pointer(Pointer::Null));
            let pointer = Pointer::Object(locals[local.index()], 0);
            let location = Location { pointer, bits: None, ty: function.locals[local.index()].ty };
            self.put(&location, args.next().unwrap_or(none))?;
        }
        let number = self.n_frames;
        self.n_frames += 1;
        if self.is_watched(Some(id)) && !self.is_watched(self.frames.last().map(|caller| caller.function)) {
            self.memory.watch();
        }
        self.frames.push(Frame { number, function: id, locals, block: BlockId(0), next: 0, result });
        self.record(Recording::Control, |frame| TraceEvent::Call { frame, function: id });
        self.record(Recording::Control, |frame| TraceEvent::Block { frame, block: BlockId(0) });
        Ok(())
    }

    pub(super) fn put(&mut self, location: &Location, value: Handed) -> Result<(), Stop> {
        match value {
            Handed::Nothing => Ok(()),
            Handed::Scalar(value) => self.store(location, &value),
            Handed::Bytes(bytes) => self.write_bytes(location, &bytes),
        }
    }

    pub(super) fn leave(&mut self, value: Option<ExprId>) -> Result<(), Stop> {
        let handed = match value {
            Some(id) => self.hand(id)?,
            None => Handed::Nothing,
        };
        let shown = match &handed {
            Handed::Scalar(value) => Some(value.clone()),
            Handed::Bytes(bytes) => Some(RuntimeValue::Record(bytes.iter().map(shown_byte).collect())),
            Handed::Nothing => None,
        };
        let returned = shown.clone();
        self.record(Recording::Control, |frame| TraceEvent::Return { frame, value: shown });
        let Some(frame) = self.frames.pop() else { return Ok(()) };
        for object in frame.locals {
            self.memory.end(object);
        }
        if self.is_watched(Some(frame.function)) {
            self.tell_effects();
        }
        if self.frames.is_empty() {
            self.results.push(returned);
        } else if let Some(location) = frame.result {
            self.put(&location, handed)?;
        }
        Ok(())
    }
}
