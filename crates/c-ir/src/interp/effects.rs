//! What watched functions change in memory, and which later code reads it.
//!
//! A caller sees what a function returns and what it writes to memory that outlives it. Not all of that memory is a result: a function may fill a
//! table that only another watched function reads. So each changed byte records whether watched code reads it in a later call.

use super::machine::{Machine, Stop, shown_byte};
use super::memory::{Byte, EffectPosition, ObjectId};
use super::pointer::Pointer;
use super::trace::{Effect, TraceEvent};
use crate::ids::*;
use crate::ir::ExprKind;
use crate::types::Type;

impl Machine<'_> {
    pub(super) fn is_watched(&self, function: Option<FunctionId>) -> bool {
        function.is_some_and(|function| self.limits.watched.get(function.index()) == Some(&true))
    }

    /// Records what changed since a watched function was called, unless another watched function continues.
    pub(super) fn tell_effects(&mut self) {
        if self.is_watched(self.frames.last().map(|caller| caller.function)) {
            return;
        }
        let objects = self.memory.changed();
        let effect = |id: &ObjectId| Effect {
            name: self.memory_name(*id),
            bytes: self.export_with_pointers(*id),
            handed_on: Vec::new(),
        };
        let changed = objects.iter().map(effect).collect();
        for (part, object) in objects.iter().enumerate() {
            let stride = self.stride(*object);
            let told = EffectPosition { event: self.trace.len(), part };
            self.memory.follow(*object, told, stride);
        }
        let frame = self.frames.last().map_or(0, |frame| frame.number);
        self.trace.push(TraceEvent::Effects { frame, changed });
    }

    /// Records the scalars that the condition of an assertion in a watched function reads.
    pub(super) fn tell_asserted(&mut self, condition: ExprId) -> Result<(), Stop> {
        let id = self.frame().function;
        if !self.is_watched(Some(id)) {
            return Ok(());
        }
        let function = self.program.function(id);
        let span = function.expr(condition).span;
        let is_read = |expr: &crate::ir::Expr| {
            let is_inside = span.start <= expr.span.start && expr.span.end <= span.end;
            is_inside && matches!(expr.kind, ExprKind::Load(_)) && self.program.types.is_scalar(expr.ty)
        };
        let mut values = Vec::new();
        for (at, _) in function.exprs.iter().enumerate().filter(|(_, expr)| is_read(expr)) {
            let value = self.eval(ExprId(at as u32))?;
            values.push(self.int(&value).ok().map(|bits| bits as u32));
        }
        let frame = self.frame().number;
        let asserted = Effect { name: "assertion".to_owned(), bytes: values, handed_on: Vec::new() };
        self.trace.push(TraceEvent::Effects { frame, changed: vec![asserted] });
        Ok(())
    }

    /// Completes the effects in the trace, when the run is over.
    pub(super) fn tell_readers(&mut self) {
        for (told, handed_on) in self.memory.handed_on() {
            if let Some(TraceEvent::Effects { changed, .. }) = self.trace.get_mut(told.event)
                && let Some(effect) = changed.get_mut(told.part)
            {
                effect.handed_on = handed_on;
            }
        }
    }

    /// The size of the parts of an object that count as interchangeable: the element size of an array. The type of an allocation is unknown, so all
    /// its bytes count alike.
    fn stride(&self, id: ObjectId) -> u64 {
        let types = &self.program.types;
        let global = self.globals.iter().position(|global| *global == id);
        let local = || {
            self.frames.iter().find_map(|frame| {
                let at = frame.locals.iter().position(|local| *local == id)?;
                Some(self.program.function(frame.function).locals[at].ty)
            })
        };
        let Some(mut ty) = global.map(|at| self.program.globals[at].ty).or_else(local) else { return 1 };
        while let Type::Array(element, _) = types.get(ty) {
            ty = *element;
        }
        types.size_of(ty).unwrap_or(1)
    }

    /// A name that the same object has in every run, even if the program has a few more variables.
    fn memory_name(&self, id: ObjectId) -> String {
        if let Some(at) = self.globals.iter().position(|global| *global == id) {
            return self.program.globals[at].name.clone();
        }
        for (depth, frame) in self.frames.iter().enumerate() {
            if let Some(at) = frame.locals.iter().position(|local| *local == id) {
                let function = self.program.function(frame.function);
                return format!("{depth}:{}:{}", function.name, function.locals[at].name);
            }
        }
        // Memory of an argument or of an allocation: by the number of such objects before it.
        let is_named = |id: &ObjectId| self.globals.contains(id) || self.strings.contains(id);
        let before = (0..id.0).map(ObjectId).filter(|id| !is_named(id) && !self.memory.is_ended(*id));
        format!("object {}", before.filter(|id| !self.is_local(*id)).count())
    }

    fn is_local(&self, id: ObjectId) -> bool {
        self.frames.iter().any(|frame| frame.locals.contains(&id))
    }

    /// The bytes of an object. In place of the first byte of a pointer there is the number of its target, which is above all byte values.
    fn export_with_pointers(&self, object: ObjectId) -> Vec<Option<u32>> {
        let bytes =
            self.memory.slice(Pointer::Object(object, 0), self.memory.size(object)).unwrap_or_default();
        let beyond = 1 << self.memory.format.char_bits.min(30);
        let shown = |byte: &Byte| match byte {
            Byte::Part(Pointer::Object(_, offset), 0) => Some(beyond + (*offset as u32 & 0xffff)),
            Byte::Part(_, 0) => Some(beyond),
            other => shown_byte(other),
        };
        bytes.iter().map(shown).collect()
    }
}
