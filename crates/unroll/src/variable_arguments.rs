//! Variable arguments of the function under test.
//!
//! What a caller passes after the parameters has no type in the program: `va_arg` says which type it expects. So the list is an object of its own
//! whose content is made when it is read: an argument is one input for its position and the type that the run requests there. A run of a function
//! like `printf` may request a number where another one requests a string. Those are two inputs, of which a run depends on one, and a test passes
//! what its run requests.
//!
//! Runs are cut, and therefore never used for a proof, where they request more than [`MAX_VARIABLE_ARGUMENTS`], a type that tests cannot pass, or one
//! argument with two types.

use crate::access::Spot;
use crate::cells::Cell;
use crate::machine::{Machine, Step};
use crate::objects::{Content, NewObject};
use crate::places::{Object, ObjectKind};
use crate::pointer::Offset;
use crate::terms;
use crate::unrolled::{Bounded, ContextId, InputPart, InputPlace, ObjectId};
use nub_bitvec::TermId;
use nub_c_ir::{LocalId, Program, Type, TypeId, Types};

/// Arguments that tests pass after the parameters.
pub const MAX_VARIABLE_ARGUMENTS: usize = 8;

/// Bytes from one argument to the next.
const SLOT: u64 = nub_c_ir::VARIABLE_ARGUMENT_BYTES;

/// Bytes of a list: more than a run can read, so that reading too many is a bound and not undefined.
const LIST_BYTES: u64 = 1 << 20;

/// A variable argument that some run requests.
#[derive(Clone, Debug)]
pub struct VariableArgument {
    /// Which call of the function under test, from 0.
    pub call: u32,
    /// Which of the variable arguments, from 0.
    pub position: usize,
    /// The type with which it is requested.
    pub ty: TypeId,
    /// One bit: the run requests it.
    pub is_requested: TermId,
    /// Its number among the parameters, in [`InputPlace::Parameter`].
    pub index: usize,
    /// Its bytes.
    pub(crate) value: TermId,
}

/// The type of a parameter or of a variable argument of the function under test, by its number in [`InputPlace::Parameter`].
pub fn type_of_argument(program: &Program, function: nub_c_ir::FunctionId, index: usize) -> Option<TypeId> {
    let params = program.function(function).params();
    match index.checked_sub(params.len()) {
        None => params.get(index).map(|param| param.ty),
        Some(beyond) => u32::try_from(beyond / MAX_VARIABLE_ARGUMENTS).ok().map(TypeId),
    }
}

/// The number of a variable argument among the parameters. It depends on nothing else, so that different unrollings agree.
fn number(n_params: usize, position: usize, ty: TypeId) -> usize {
    n_params + ty.index() * MAX_VARIABLE_ARGUMENTS + position
}

impl Machine<'_> {
    /// The list of arguments of the current call.
    pub(crate) fn argument_list(&mut self) -> Step<TermId> {
        let call = self.sequence.call;
        let known = self.memory.argument_lists.iter().find(|(of, _)| *of == call).map(|(_, object)| *object);
        let object = match known {
            Some(object) => object,
            None => self.new_argument_list(call)?,
        };
        self.address_in(object, &Offset::constant(0))
    }

    fn new_argument_list(&mut self, call: u32) -> Step<ObjectId> {
        let kind = ObjectKind::Local {
            function: self.out.function,
            local: LocalId(u32::MAX),
            context: ContextId(0),
        };
        let info = Object {
            name: "...".to_owned(),
            ty: None,
            size: LIST_BYTES,
            kind,
            before: 0,
            part: None,
            is_allocated: false,
        };
        let content = Content::Undefined;
        let object = self.new_object(NewObject { info, layout: None, is_mortal: false, content })?;
        self.memory.argument_lists.push((call, object));
        Ok(object)
    }

    /// The call whose list of arguments this is.
    pub(crate) fn call_of_list(&self, object: ObjectId) -> Option<u32> {
        self.memory.argument_lists.iter().find(|(_, list)| *list == object).map(|(call, _)| *call)
    }

    /// Whether this is where a variable argument is passed.
    pub(crate) fn is_variable_argument(&self, place: &InputPlace) -> bool {
        let is_whole = matches!(place, InputPlace::Parameter { path, .. } if path.is_empty());
        is_whole && self.is_behind_variable_argument(place)
    }

    /// Whether it is a variable argument, or what one points to.
    pub(crate) fn is_behind_variable_argument(&self, place: &InputPlace) -> bool {
        let n_params = self.program.functions[self.out.function.index()].n_params;
        matches!(place, InputPlace::Parameter { index, .. } if *index >= n_params)
    }

    /// Whether a run has a place: it belongs to no variable argument, or the run requests that.
    pub(crate) fn is_passed(&mut self, place: &InputPlace) -> TermId {
        let found = match place {
            InputPlace::Parameter { call, index, .. } => {
                let is_it = |found: &&VariableArgument| found.call == *call && found.index == *index;
                self.out.variable_arguments.iter().find(is_it).map(|found| found.is_requested)
            }
            _ => None,
        };
        found.unwrap_or_else(|| self.pool.truth(true))
    }

    /// After all calls: a run reads the inputs of those variable arguments that it requests.
    pub(crate) fn settle_arguments(&mut self) {
        if self.out.variable_arguments.is_empty() {
            return;
        }
        for at in 0..self.out.inputs.len() {
            if self.is_behind_variable_argument(&self.out.inputs[at].place) {
                let place = self.out.inputs[at].place.clone();
                self.out.inputs[at].guard = self.is_passed(&place);
            }
        }
    }

    /// What a list has at one of its positions, requested with this type.
    pub(crate) fn read_argument(&mut self, call: u32, spot: &Spot, ty: TypeId, size: u64) -> Step<Cell> {
        let is_whole = self.program.types.size_of(ty) == Some(size);
        if !is_whole || !can_be_passed(&self.program.types, ty) {
            self.cut_request(spot.condition);
            return Ok(self.nothing(size));
        }
        let width = self.memory.pointers.width();
        let offset = spot.offset.term(&mut self.pool, width);
        let mut cell = self.nothing(size);
        let mut is_beyond = spot.condition;
        for position in 0..MAX_VARIABLE_ARGUMENTS {
            let start = terms::constant(&mut self.pool, width, position as u128 * u128::from(SLOT));
            let is_it = terms::eq(&mut self.pool, offset, start);
            let request = terms::and(&mut self.pool, spot.condition, is_it);
            if terms::known_truth(&self.pool, request) == Some(false) {
                continue;
            }
            let value = self.request(call, position, ty, request)?;
            let written = self.all_written(size);
            cell = self.choose_cell(is_it, Cell { value, written }, cell);
            let is_other = self.pool.not(is_it);
            is_beyond = terms::and(&mut self.pool, is_beyond, is_other);
        }
        self.cut_request(is_beyond);
        Ok(cell)
    }

    /// Runs in which this holds end here.
    fn cut_request(&mut self, condition: TermId) {
        if terms::known_truth(&self.pool, condition) != Some(false) {
            self.current.past_memory.push((Bounded::Address, condition));
        }
    }

    /// The bytes of an argument, and that a run requests it.
    fn request(&mut self, call: u32, position: usize, ty: TypeId, condition: TermId) -> Step<TermId> {
        let at = match self.position_of(call, position, ty) {
            Some(at) => at,
            None => self.new_argument(call, position, ty)?,
        };
        let path = self.current.path.map(|path| self.guard(path));
        let guard = path.map_or(condition, |path| terms::and(&mut self.pool, path, condition));
        // An argument has one type: a run that requests it with two is cut.
        let others = self.out.variable_arguments.iter().enumerate();
        let others =
            others.filter(|(other, found)| *other != at && found.call == call && found.position == position);
        for requested in others.map(|(_, found)| found.is_requested).collect::<Vec<_>>() {
            let both = terms::and(&mut self.pool, guard, requested);
            self.cut_request(both);
        }
        let before = self.out.variable_arguments[at].is_requested;
        if self.is_variant() {
            // Tests pass what the original requests.
            let is_missing = self.pool.not(before);
            let is_missing = terms::and(&mut self.pool, guard, is_missing);
            self.cut_request(is_missing);
        } else {
            self.out.variable_arguments[at].is_requested = terms::or(&mut self.pool, before, guard);
        }
        Ok(self.out.variable_arguments[at].value)
    }

    /// An argument that was requested before, with this type or with one that differs only in its sign.
    fn position_of(&self, call: u32, position: usize, ty: TypeId) -> Option<usize> {
        let types = &self.program.types;
        let width = |ty: TypeId| types.int_format(ty).map(|format| format.width);
        let is_same = |other: TypeId| other == ty || width(ty).is_some() && width(ty) == width(other);
        let found = |argument: &VariableArgument| {
            argument.call == call && argument.position == position && is_same(argument.ty)
        };
        self.out.variable_arguments.iter().position(found)
    }

    fn new_argument(&mut self, call: u32, position: usize, ty: TypeId) -> Step<usize> {
        let n_params = self.program.functions[self.out.function.index()].n_params;
        let index = number(n_params, position, ty);
        let is_first =
            !self.out.variable_arguments.iter().any(|found| found.call == call && found.position == position);
        let mut name = format!("argument {}", n_params + position + 1);
        if !is_first {
            name = format!("{name} as {}", self.program.types.spell(ty));
        }
        if call > 0 {
            name = format!("{name} #{}", call + 1);
        }
        let place = InputPlace::Parameter { call, index, path: Vec::new() };
        let bits = self.storage_bits(self.program.types.size_of(ty).unwrap_or(0));
        let value = match self.program.types.get(ty) {
            Type::Pointer(to) => {
                let to = *to;
                self.pointer_input(to, ty, place, &name, 0)?
            }
            _ => {
                let value = self.new_input(name, ty, place, InputPart::Value);
                self.as_bytes(value, ty, bits)
            }
        };
        let value = terms::resize(&mut self.pool, value, bits);
        let is_requested = self.pool.truth(false);
        self.out.variable_arguments.push(VariableArgument { call, position, ty, is_requested, index, value });
        Ok(self.out.variable_arguments.len() - 1)
    }
}

/// Whether a test can pass such an argument: it is a type that a promoted argument has.
fn can_be_passed(types: &Types, ty: TypeId) -> bool {
    match types.get(ty) {
        Type::Int(_) => types.int_format(ty).is_some_and(|format| {
            format.width >= types.model.int_bits && u64::from(format.width) <= SLOT * 8
        }),
        Type::Float(_) => types.float_format(ty).is_some_and(|format| format.width() == 64),
        Type::Pointer(to) => *types.get(*to) != Type::VaList,
        _ => false,
    }
}
