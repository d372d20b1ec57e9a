//! The start of a run: globals, strings, arguments.

use super::calls::Handed;
use super::machine::{Machine, Stop};
use super::memory::{Byte, Lifetime, ObjectId};
use super::places::Location;
use super::pointer::Pointer;
use super::trace::RunOutcome;
use super::{Argument, RuntimeValue};
use crate::ids::*;
use crate::ints;
use crate::ir::*;
use crate::lower::VARIABLE_ARGUMENT_BYTES;
use crate::types::Type;

impl Machine<'_> {
    pub(super) fn begin(&mut self, function: FunctionId) -> Result<(), Stop> {
        if self.program.functions.get(function.index()).is_none() {
            return Err(Stop::With(RunOutcome::NoBody(function)));
        }
        self.add_strings();
        self.add_globals()?;
        self.begin_call(function)
    }

    /// The next call of the function under test.
    pub(super) fn begin_call(&mut self, function: FunctionId) -> Result<(), Stop> {
        let mut args = std::mem::take(&mut self.handed);
        let first = args.len();
        let params = self.program.function(function).params();
        for (at, param) in (first..).zip(params) {
            let handed = match self.inputs.arguments.get(at).cloned() {
                Some(Argument::SameAs(other, bytes)) if other < at => {
                    args.get(other).and_then(|handed| self.shifted(handed, bytes))
                }
                argument => Some(self.argument(param.ty, argument)),
            };
            args.push(handed.unwrap_or(Handed::Scalar(RuntimeValue::Pointer(Pointer::Null))));
        }
        // An argument of the list may point to the object of a parameter.
        let list = self.argument_list(&args)?;
        let null = Handed::Scalar(RuntimeValue::Pointer(Pointer::Null));
        for (arg, param) in args[first..].iter_mut().zip(params) {
            if self.program.types.is_argument_list(param.ty) {
                *arg = list.clone().unwrap_or(null.clone());
            }
        }
        let own = args[first..].iter().cloned().chain(list).collect();
        self.handed = args;
        self.n_calls += 1;
        self.enter(function, own, None)
    }

    /// What this call of the function under test is given after its parameters.
    fn argument_list(&mut self, args: &[Handed]) -> Result<Option<Handed>, Stop> {
        let Some(list) = self.inputs.variable_arguments.get(self.n_calls).cloned() else { return Ok(None) };
        let object = self.memory.add(VARIABLE_ARGUMENT_BYTES * list.len() as u64, Lifetime::Named);
        for (at, (ty, argument)) in list.into_iter().enumerate() {
            let handed = match argument {
                Argument::SameAs(other, bytes) => {
                    args.get(other).and_then(|handed| self.shifted(handed, bytes))
                }
                argument => Some(self.argument(ty, Some(argument))),
            };
            let offset = i128::from(VARIABLE_ARGUMENT_BYTES) * at as i128;
            let location = Location { pointer: Pointer::Object(object, offset), bits: None, ty };
            if let Some(handed) = handed {
                self.put(&location, handed)?;
            }
        }
        Ok(Some(Handed::Scalar(RuntimeValue::Pointer(Pointer::Object(object, 0)))))
    }

    fn add_strings(&mut self) {
        let program = self.program;
        // A program has many strings, and is run many times: nothing is allocated for each character.
        let (mut encoded, mut one): (Vec<Byte>, Vec<Byte>) = (Vec::new(), Vec::new());
        for string in &program.strings {
            let size = program.types.size_of(string.ty).unwrap_or(0);
            let object = self.memory.add(size, Lifetime::Named);
            self.strings.push(object);
            let unit = (size as usize).checked_div(string.units.len()).unwrap_or(1).max(1);
            one.resize(unit, Byte::Bits(0));
            encoded.clear();
            for bits in &string.units {
                self.memory.format.encode(u128::from(*bits), &mut one);
                encoded.extend_from_slice(&one);
            }
            if let Some(bytes) = self.memory.slice_mut(Pointer::Object(object, 0), size) {
                bytes.iter_mut().zip(&encoded).for_each(|(byte, new)| *byte = *new);
            }
            self.memory.make_constant(object);
        }
    }

    /// Globals are zero before their initial values are written. Those that are defined elsewhere are zero too, unless an input says otherwise.
    fn add_globals(&mut self) -> Result<(), Stop> {
        let program = self.program;
        for global in &program.globals {
            let size = program.types.size_of(global.ty).unwrap_or(0);
            self.check_room(size)?;
            let object = self.memory.add(size, Lifetime::Named);
            self.globals.push(object);
            if let Some(bytes) = self.memory.slice_mut(Pointer::Object(object, 0), size) {
                bytes.fill(Byte::Bits(0));
            }
        }
        for (at, global) in program.globals.iter().enumerate() {
            for piece in &global.initial {
                self.initial(self.globals[at], piece)?;
            }
        }
        for (global, bytes) in &self.inputs.globals {
            let Some(&object) = self.globals.get(global.index()) else { continue };
            let size = self.memory.size(object);
            if let Some(target) = self.memory.slice_mut(Pointer::Object(object, 0), size) {
                target
                    .iter_mut()
                    .zip(bytes)
                    .for_each(|(byte, new)| *byte = new.map_or(Byte::Unknown, Byte::Bits));
            }
        }
        self.add_start_objects()?;
        for (&object, global) in self.globals.iter().zip(&program.globals) {
            if global.is_const {
                self.memory.make_constant(object);
            }
        }
        Ok(())
    }

    fn initial(&mut self, object: ObjectId, piece: &InitialPiece) -> Result<(), Stop> {
        let pointer = Pointer::Object(object, i128::from(piece.offset));
        let value = match &piece.value {
            Constant::Int(bits) if self.program.types.pointee(piece.ty).is_some() => {
                RuntimeValue::Pointer(self.memory.pointer_at(*bits, self.program.functions.len()))
            }
            Constant::Int(bits) => RuntimeValue::Int(*bits),
            Constant::Null => RuntimeValue::Pointer(Pointer::Null),
            Constant::Function(function) => RuntimeValue::Pointer(Pointer::Function(*function)),
            Constant::Address(base, offset) => {
                let base = match base {
                    ObjectBase::Global(global) => self.globals[global.index()],
                    ObjectBase::String(string) => self.strings[string.index()],
                };
                RuntimeValue::Pointer(Pointer::Object(base, *offset))
            }
        };
        self.store(&Location { pointer, bits: piece.bits, ty: piece.ty }, &value)
    }

    /// A pointer some bytes further on.
    fn shifted(&self, handed: &Handed, bytes: i128) -> Option<Handed> {
        match handed {
            Handed::Scalar(RuntimeValue::Pointer(pointer)) => {
                Some(Handed::Scalar(RuntimeValue::Pointer(self.memory.moved(*pointer, bytes))))
            }
            _ => None,
        }
    }

    /// A pointer into a new object.
    fn object_argument(&mut self, bytes: Vec<Option<u32>>, offset: u64, lifetime: Lifetime) -> Handed {
        let object = self.memory.add(bytes.len() as u64, lifetime);
        let target = self.memory.slice_mut(Pointer::Object(object, 0), bytes.len() as u64);
        for (byte, new) in target.into_iter().flatten().zip(bytes) {
            *byte = new.map_or(Byte::Unknown, Byte::Bits);
        }
        Handed::Scalar(RuntimeValue::Pointer(Pointer::Object(object, i128::from(offset))))
    }

    fn argument(&mut self, ty: TypeId, argument: Option<Argument>) -> Handed {
        let types = &self.program.types;
        match (argument, types.get(ty)) {
            (Some(Argument::Int(bits)), Type::Int(_) | Type::Float(_)) => {
                let width = types.number_format(ty).map_or(128, |format| format.width());
                Handed::Scalar(RuntimeValue::Int(ints::truncate(bits, width)))
            }
            (Some(Argument::Object(bytes)), Type::Pointer(_)) => {
                self.object_argument(bytes, 0, Lifetime::Named)
            }
            (Some(Argument::Inside { content, offset, is_allocated }), Type::Pointer(_)) => {
                let lifetime = if is_allocated { Lifetime::Allocated } else { Lifetime::Named };
                self.object_argument(content, offset, lifetime)
            }
            (Some(Argument::Global(global, bytes)), Type::Pointer(_)) => {
                let object = self.globals.get(global.index()).copied();
                let pointer =
                    object.map_or(Pointer::Null, |object| Pointer::Object(object, i128::from(bytes)));
                Handed::Scalar(RuntimeValue::Pointer(pointer))
            }
            (Some(Argument::Address(address)), Type::Pointer(_)) => {
                Handed::Scalar(RuntimeValue::Pointer(Pointer::Address(address)))
            }
            (Some(Argument::Function(function)), Type::Pointer(_)) => {
                Handed::Scalar(RuntimeValue::Pointer(Pointer::Function(function)))
            }
            (Some(Argument::To(to)), Type::Pointer(_)) => {
                Handed::Scalar(RuntimeValue::Pointer(self.start_pointer(to)))
            }
            (Some(Argument::RecordWithPointers(bytes, pointers)), Type::Record(_)) => {
                self.record_with_pointers(&bytes, &pointers)
            }
            (Some(Argument::Record(mut bytes)), Type::Record(_)) => {
                bytes.resize(types.size_of(ty).unwrap_or(0) as usize, None);
                Handed::Bytes(bytes.into_iter().map(|byte| byte.map_or(Byte::Unknown, Byte::Bits)).collect())
            }
            (_, Type::Pointer(_)) => Handed::Scalar(RuntimeValue::Pointer(Pointer::Null)),
            (_, Type::Record(_)) => {
                Handed::Bytes(vec![Byte::Bits(0); types.size_of(ty).unwrap_or(0) as usize])
            }
            _ => Handed::Scalar(RuntimeValue::Int(0)),
        }
    }
}
