//! From values of the inputs to a run of the interpreter.

use crate::object_graph::graph_inputs;
use crate::places::*;
use crate::unrolled::*;
use nub_bitvec::{Assignment, Evaluator, TermId, Value};
use nub_c_ir::{Argument, BitRange, GlobalId, Program, RunInputs, Type, TypeId, ints};
use rustc_hash::FxHashMap;

/// The inputs of the interpreter for the run in which the inputs have these values; missing ones are zero. `None` if the interpreter cannot be given
/// them: a local that is an input, or too much memory.
pub fn interpreter_inputs(program: &Program, unrolled: &Unrolled, values: &Assignment) -> Option<RunInputs> {
    let terms = unrolled.inputs.iter().flat_map(|input| [input.term, input.guard]);
    let more = unrolled.variable_arguments.iter().map(|argument| argument.is_requested);
    let roots: Vec<TermId> = terms.chain(more).collect();
    let found = Evaluator::new(&unrolled.pool, &roots).run(values);
    let given: Vec<Given> = (unrolled.inputs.iter().zip(found.chunks(2)))
        .map(|(input, pair)| Given { input, bits: to_bits(pair[0].bits()), is_read: pair[1].is_true() })
        .collect();
    let reads = given.iter().filter(|given| matches!(given.input.place, InputPlace::Read { .. }));
    let values = reads.filter(|given| given.is_read).map(|given| given.bits).collect();
    if given.iter().any(|given| matches!(given.input.place, InputPlace::Uninitialised { .. })) {
        return None;
    }
    let function = program.function(unrolled.function);
    let n_calls = n_calls(unrolled, &given);
    if is_graph(unrolled) && unrolled.variable_arguments.is_empty() {
        // A variable number of arguments: none.
        let variable_arguments = vec![Vec::new(); n_calls as usize];
        let graph = graph_inputs(program, unrolled, &given, n_calls)?;
        return Some(RunInputs { values, variable_arguments, ..graph });
    }
    let mut arguments = Vec::with_capacity(function.n_params);
    for call in 0..n_calls {
        for (index, param) in function.params().iter().enumerate() {
            arguments.push(argument(program, unrolled, &given, Parameter { call, index }, param.ty)?);
        }
    }
    let requested = found[2 * unrolled.inputs.len()..].iter().map(nub_bitvec::Datum::is_true);
    let variable_arguments = variable_arguments(program, unrolled, &given, n_calls, requested)?;
    // A global pointer points to an object of its own here, and to what its initial value says in the interpreter.
    let is_behind_global =
        |object: &Object| matches!(object.kind, ObjectKind::Pointee(InputPlace::Global { .. }));
    if unrolled.objects.iter().any(is_behind_global) {
        return None;
    }
    let globals = globals(program, &given)?;
    let (lifetimes, n_calls) = (Vec::new(), n_calls as usize);
    Some(RunInputs {
        arguments,
        variable_arguments,
        values,
        lifetimes,
        globals,
        n_calls,
        ..RunInputs::default()
    })
}

/// Whether pointers or unions are inside of objects, or pointers in global variables. Otherwise each object belongs to one argument.
fn is_graph(unrolled: &Unrolled) -> bool {
    let is_inside = |object: &Object| match &object.kind {
        ObjectKind::Pointee(InputPlace::Parameter { path, .. }) => !path.is_empty(),
        ObjectKind::Pointee(InputPlace::Global { .. }) => true,
        _ => false,
    };
    let is_part = |input: &InputVariable| match (&input.part, &input.place) {
        (InputPart::Value | InputPart::Element(_), _) => false,
        (InputPart::Member(..), _) | (_, InputPlace::Global { .. }) => true,
        (_, InputPlace::Parameter { path, .. }) => !path.is_empty(),
        _ => false,
    };
    unrolled.objects.iter().any(is_inside) || unrolled.inputs.iter().any(is_part)
}

/// The arguments after the parameters of each call. If the run requests an argument but not one before it, the earlier one is null.
fn variable_arguments(
    program: &Program,
    unrolled: &Unrolled,
    given: &[Given<'_>],
    n_calls: u32,
    requested: impl Iterator<Item = bool>,
) -> Option<Vec<Vec<(TypeId, Argument)>>> {
    let mut found: Vec<Vec<(TypeId, Argument)>> = vec![Vec::new(); n_calls as usize];
    for (argument, is_requested) in unrolled.variable_arguments.iter().zip(requested) {
        let Some(list) = found.get_mut(argument.call as usize).filter(|_| is_requested) else { continue };
        while list.len() <= argument.position {
            list.push((argument.ty, Argument::Null));
        }
        let parameter = Parameter { call: argument.call, index: argument.index };
        let value = self::argument(program, unrolled, given, parameter, argument.ty)?;
        list[argument.position] = (argument.ty, value);
    }
    Some(found)
}

/// A parameter of a call.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Parameter {
    call: u32,
    index: usize,
}

/// How often the function is called.
fn n_calls(unrolled: &Unrolled, given: &[Given<'_>]) -> u32 {
    let input = given.iter().find(|given| given.input.place == InputPlace::Calls);
    unrolled.calls_made(input.map(|given| u64::try_from(given.bits).unwrap_or(u64::MAX)))
}

/// An input with its value.
pub(crate) struct Given<'a> {
    pub input: &'a InputVariable,
    pub bits: u128,
    is_read: bool,
}

impl Given<'_> {
    /// The value as a signed number.
    pub(crate) fn signed(&self, unrolled: &Unrolled) -> i128 {
        nub_c_ir::ints::to_signed(self.bits, unrolled.pool.width(self.input.term))
    }
}

/// The bits of a value, of at most 128.
pub fn to_bits(value: &Value) -> u128 {
    value.bits().take(128).enumerate().fold(0, |bits, (at, bit)| bits | u128::from(bit) << at)
}

fn argument(
    program: &Program,
    unrolled: &Unrolled,
    given: &[Given<'_>],
    parameter: Parameter,
    ty: TypeId,
) -> Option<Argument> {
    let mine: Vec<(&Given<'_>, &[InputStep])> = given
        .iter()
        .filter_map(|given| match &given.input.place {
            InputPlace::Parameter { call, index, path }
                if (Parameter { call: *call, index: *index }) == parameter =>
            {
                Some((given, path.as_slice()))
            }
            _ => None,
        })
        .collect();
    let mut own = mine.iter().filter(|(_, path)| path.is_empty()).map(|(given, _)| *given);
    let is_null = own.clone().any(|given| given.input.part == InputPart::NotNull && given.bits == 0);
    // A function pointer also has an input that says whether it is null.
    let direct =
        own.clone().find(|given| matches!(given.input.part, InputPart::Function(_))).or_else(|| own.next());
    match program.types.get(ty) {
        Type::Int(_) | Type::Float(_) => Some(Argument::Int(direct.map_or(0, |given| given.bits))),
        // A pointer in the structure leads to an object that the interpreter does not have; without an input, the pointer would be null there.
        Type::Record(_) if leads_somewhere(unrolled, parameter) => None,
        Type::Record(_) => {
            let size = program.types.size_of(ty)?;
            bytes(program, (size, ty), mine.iter().copied()).map(Argument::Record)
        }
        Type::Pointer(to) => match direct.map(|given| (given, &given.input.part)) {
            _ if is_null => Some(Argument::Null),
            _ if elsewhere(&mine).is_some() => {
                let stride = program.types.size_of(*to).unwrap_or(0);
                let distance = |id: ObjectId| {
                    unrolled.objects[id.index()].element_distance(stride, element(unrolled, &mine, id))
                };
                shared(program, unrolled, given, elsewhere(&mine)?, distance)
            }
            Some((given, InputPart::Function(functions))) => {
                let chosen = usize::try_from(given.bits).ok().and_then(|number| functions.get(number));
                chosen.or(functions.last()).map(|function| Argument::Function(*function))
            }
            _ => pointee(program, unrolled, parameter, *to, &mine),
        },
        _ => None,
    }
}

/// Whether a pointer in a parameter has an object of its own.
fn leads_somewhere(unrolled: &Unrolled, parameter: Parameter) -> bool {
    let is_its = |object: &Object| match &object.kind {
        ObjectKind::Pointee(InputPlace::Parameter { call, index, .. }) => {
            parameter == Parameter { call: *call, index: *index }
        }
        _ => false,
    };
    unrolled.objects.iter().any(is_its)
}

/// What a parameter points to, if it is not an object of its own.
fn elsewhere(mine: &[(&Given<'_>, &[InputStep])]) -> Option<Elsewhere> {
    mine.iter().find_map(|(given, path)| match given.input.part {
        InputPart::LeadsTo(elsewhere) if path.is_empty() && given.bits != 0 => Some(elsewhere),
        _ => None,
    })
}

/// Which element of a shared object the pointer points to.
fn element(unrolled: &Unrolled, mine: &[(&Given<'_>, &[InputStep])], object: ObjectId) -> i128 {
    let of_object = |(given, _): &&(&Given<'_>, &[InputStep])| given.input.part == InputPart::Element(object);
    mine.iter().find(of_object).map_or(0, |(given, _)| given.signed(unrolled))
}

/// The object of something else. An earlier parameter that is null, or points elsewhere itself, has none to share.
fn shared(
    program: &Program,
    unrolled: &Unrolled,
    given: &[Given<'_>],
    elsewhere: Elsewhere,
    distance: impl Fn(ObjectId) -> i128,
) -> Option<Argument> {
    let id = match elsewhere {
        Elsewhere::Address(address) => return Some(Argument::Address(address)),
        Elsewhere::Object(object) => object,
    };
    let object = &unrolled.objects[id.index()];
    let distance = distance(id);
    match &object.kind {
        ObjectKind::Global(global) => Some(Argument::Global(*global, u64::try_from(distance).ok()?)),
        ObjectKind::Pointee(place @ InputPlace::Parameter { call, index, path })
            if path.is_empty() && *index < program.function(unrolled.function).n_params =>
        {
            let is_its = |given: &&Given<'_>| given.input.place == *place;
            let has_own = given.iter().filter(is_its).all(|given| match given.input.part {
                InputPart::NotNull => given.bits != 0,
                InputPart::LeadsTo(_) => given.bits == 0,
                _ => true,
            });
            let before = *call as usize * program.function(unrolled.function).n_params;
            has_own.then_some(Argument::SameAs(before + index, distance))
        }
        _ => None,
    }
}

/// The object that a parameter points to.
fn pointee(
    program: &Program,
    unrolled: &Unrolled,
    parameter: Parameter,
    to: TypeId,
    mine: &[(&Given<'_>, &[InputStep])],
) -> Option<Argument> {
    let (mut size, mut before, mut is_allocated) = (None, 0, false);
    for object in &unrolled.objects {
        match &object.kind {
            ObjectKind::Pointee(InputPlace::Parameter { call, index, path })
                if (Parameter { call: *call, index: *index }) == parameter =>
            {
                if !path.is_empty() {
                    return None;
                }
                size = Some((object.size, object.ty.unwrap_or(to)));
                (before, is_allocated) = (object.before, object.is_allocated);
            }
            _ => {}
        }
    }
    let Some((size, element)) = size else { return Some(Argument::Null) };
    let stride = program.types.size_of(element).unwrap_or(1);
    let inside = mine.iter().filter_map(|(given, path)| match path.split_first() {
        Some((InputStep::Pointee(number), rest)) => Some((*given, number * stride, rest)),
        _ => None,
    });
    let mut content = vec![Some(0); usize::try_from(size).ok()?];
    // Other pointers to the object differ only in the pointer itself.
    for (given, offset, rest) in inside {
        put(program, &mut content, given, PathStart { offset, ty: element }, rest)?;
    }
    Some(match (before, is_allocated) {
        (0, false) => Argument::Object(content),
        (offset, is_allocated) => Argument::Inside { content, offset, is_allocated },
    })
}

fn bytes<'a>(
    program: &Program,
    (size, ty): (u64, TypeId),
    parts: impl Iterator<Item = (&'a Given<'a>, &'a [InputStep])>,
) -> Option<Vec<Option<u32>>> {
    let mut content = vec![Some(0); usize::try_from(size).ok()?];
    for (given, path) in parts {
        put(program, &mut content, given, PathStart { offset: 0, ty }, path)?;
    }
    Some(content)
}

/// Bytes of a variable that the interpreter is given.
const MAX_GLOBAL: usize = 1 << 24;

fn globals(program: &Program, given: &[Given<'_>]) -> Option<Vec<(GlobalId, Vec<Option<u32>>)>> {
    let mut found: Vec<(GlobalId, Vec<Option<u32>>)> = Vec::new();
    let mut places: FxHashMap<GlobalId, usize> = FxHashMap::default();
    for given in given {
        let InputPlace::Global { global, path } = &given.input.place else { continue };
        let at = match places.get(global) {
            Some(at) => *at,
            None => {
                let size = program.types.size_of(program.globals[global.index()].ty)?;
                let size = usize::try_from(size).ok().filter(|size| *size <= MAX_GLOBAL)?;
                found.push((*global, vec![Some(0); size]));
                places.insert(*global, found.len() - 1);
                found.len() - 1
            }
        };
        let start = PathStart { offset: 0, ty: program.globals[global.index()].ty };
        put(program, &mut found[at].1, given, start, path)?;
    }
    Some(found)
}

/// Where a path starts: at an object of this type, at an offset in the content.
#[derive(Clone, Copy)]
pub(crate) struct PathStart {
    pub offset: u64,
    pub ty: TypeId,
}

/// Writes a value at the end of a path.
pub(crate) fn put(
    program: &Program,
    content: &mut [Option<u32>],
    given: &Given<'_>,
    start: PathStart,
    path: &[InputStep],
) -> Option<()> {
    if given.input.part != InputPart::Value {
        return None;
    }
    let types = &program.types;
    let (mut offset, mut ty, mut range) = (start.offset, start.ty, None);
    for step in path {
        match *step {
            InputStep::Field(record, number) => {
                let field = types.record(record).fields.get(number as usize)?;
                offset += field.offset;
                (ty, range) = (field.ty, field.bits);
            }
            InputStep::Index(number) => {
                let Type::Array(element, _) = types.get(ty) else { return None };
                offset += number * types.size_of(*element)?;
                ty = *element;
            }
            InputStep::Pointee(_) => return None,
        }
    }
    let char_bits = types.model.char_bits;
    let (range, bits) = match range {
        Some(range) => (range, given.bits),
        None => {
            let size = types.size_of(given.input.ty)?;
            let width = u32::try_from(size).ok()? * char_bits;
            let format = types.int_format(given.input.ty);
            let bits = match format {
                Some(format) if format.is_signed => ints::to_signed(given.bits, format.width) as u128,
                _ => given.bits,
            };
            (BitRange { start: 0, width }, bits)
        }
    };
    for at in 0..range.width {
        let (number, bit) = types.model.byte_order.position(range, at, char_bits);
        let byte = content.get_mut(usize::try_from(offset).ok()? + number)?;
        let mask = 1_u32 << bit;
        let old = byte.unwrap_or(0);
        let is_set = at < 128 && bits >> at & 1 == 1;
        *byte = Some(if is_set { old | mask } else { old & !mask });
    }
    Some(())
}
