//! Function pointers among the inputs.
//!
//! Such a pointer is null, or it points to a function of the program, or to a generated one ([`nub_c_ir::Program::add_callbacks`]).

use crate::config::Beyond;
use crate::machine::{Machine, Step};
use crate::objects::{Content, NewObject};
use crate::places::*;
use crate::pointer::Offset;
use crate::terms;
use crate::unrolled::*;
use nub_bitvec::{Sort, TermId};
use nub_c_ir::{Body, CALLBACK, Function, FunctionId, TypeId};

impl Machine<'_> {
    /// A pointer to functions of the type `to`.
    pub(crate) fn function_input(
        &mut self,
        to: TypeId,
        ty: TypeId,
        place: InputPlace,
        name: &str,
    ) -> Step<TermId> {
        let functions = self.functions_of(to);
        let null = terms::constant(&mut self.pool, self.program.model.pointer_bits, 0);
        let pointer = match functions.is_empty() {
            true if self.is_open() => self.nothing_known(),
            true if self.config.pointers.beyond == Beyond::Nothing => return Ok(null),
            // The caller has a function whose behaviour is not modelled.
            true => self.unwritten(place.clone(), name)?,
            false => self.one_of(functions, ty, place.clone(), name)?,
        };
        if !self.config.pointers.may_be_null {
            return Ok(pointer);
        }
        let condition = self.new_input(format!("{name} != 0"), ty, place, InputPart::NotNull);
        Ok(self.choose(condition, pointer, null))
    }

    /// A pointer whose target is not modelled.
    pub(crate) fn nothing_known(&mut self) -> TermId {
        let size = u64::from(self.program.model.pointer_bits / self.program.model.char_bits);
        self.nothing(size).value
    }

    /// The caller may pass functions that the program does not have: generated ones return anything, but write nothing.
    fn note_others(&mut self, pointer: TermId, has_callback: bool, name: &str) -> TermId {
        if !self.is_open() {
            return pointer;
        }
        if has_callback {
            let bit = self.pool.var(Sort::BIT);
            self.depart(Assumption::WritesNothing(name.to_owned()), bit);
            self.go_wild(bit);
            // Where functions are compared, it matters which function it is, and not only what it does.
            if !self.memory.open.compares_functions(self.program, self.out.function) {
                return pointer;
            }
        }
        let bit = self.pool.var(Sort::BIT);
        self.depart(Assumption::KnownFunction, bit);
        let unknown = self.nothing_known();
        self.choose(bit, unknown, pointer)
    }

    /// Any function of the type whose address is taken somewhere; if there is none, any defined function of the type; and the generated one. Those of
    /// the program come first: a test prefers them.
    fn functions_of(&self, to: TypeId) -> Vec<FunctionId> {
        let program = self.program;
        let ids = (0..).map(FunctionId).zip(&program.functions);
        let is_written = |function: &Function| !function.is_model && matches!(function.body, Body::Defined);
        // One of another file can be named where its address is taken.
        let is_named = |function: &Function| function.address_taken && !function.name.starts_with(CALLBACK);
        let mut written: Vec<(FunctionId, bool)> = ids
            .filter(|(_, function)| function.ty == to && (is_written(function) || is_named(function)))
            .map(|(id, function)| (id, function.address_taken))
            .collect();
        if written.iter().any(|(_, is_taken)| *is_taken) {
            written.retain(|(_, is_taken)| *is_taken);
        }
        let callbacks = program.callbacks.iter().copied().filter(|id| program.function(*id).ty == to);
        written.into_iter().map(|(id, _)| id).chain(callbacks).collect()
    }

    /// A pointer to one of these functions. It is an input even where there is no choice: a test must set the pointer.
    fn one_of(
        &mut self,
        functions: Vec<FunctionId>,
        ty: TypeId,
        place: InputPlace,
        name: &str,
    ) -> Step<TermId> {
        let Some((last, others)) = functions.split_last() else { return self.unwritten(place, name) };
        let mut term = self.function_address(*last)?;
        let names = functions.iter().map(|id| self.program.function(*id).name.as_str());
        let names: Vec<&str> = names.map(|name| name.trim_start_matches("nub_")).collect();
        let has_callback = functions.iter().any(|id| self.program.function(*id).name.starts_with(CALLBACK));
        let plain = name;
        let name = if has_callback { format!("{name} of {}", names.join("/")) } else { name.to_owned() };
        let choice = self.new_input(name, ty, place, InputPart::Function(functions.clone()));
        let width = self.pool.width(choice);
        for (number, function) in (0..).zip(others) {
            let number = terms::constant(&mut self.pool, width, number);
            let is_it = terms::eq(&mut self.pool, choice, number);
            let address = self.function_address(*function)?;
            term = self.choose(is_it, address, term);
        }
        Ok(self.note_others(term, has_callback, plain))
    }

    /// A pointer to a function that is not modelled: a call of it leaves the model.
    fn unwritten(&mut self, place: InputPlace, name: &str) -> Step<TermId> {
        let kind = ObjectKind::Pointee(place);
        let info = Object {
            name: name.to_owned(),
            ty: None,
            size: 0,
            kind,
            before: 0,
            part: None,
            is_allocated: false,
        };
        let content = Content::Undefined;
        let object = self.new_object(NewObject { info, layout: None, is_mortal: false, content })?;
        self.address_in(object, &Offset::default())
    }

    /// Whether an object is one of those that represent functions.
    pub(crate) fn is_unwritten(&self, object: ObjectId) -> bool {
        let object = &self.out.objects[object.index()];
        object.size == 0 && matches!(object.kind, ObjectKind::Pointee(_))
    }
}
