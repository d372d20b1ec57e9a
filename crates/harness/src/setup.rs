//! A test as C: declarations and assignments before the calls, and their arguments.

use crate::case::read_kind;
use crate::entry::entry_arguments;
use crate::floats;
use crate::places::{Places, is_stream, object_name, parameter};
use crate::variable_arguments::RequestedArguments;
use nub_bitvec::Value;
use nub_c_ir::{FunctionId, Program, Type, TypeId};
use nub_report::c_tests::Read;
use nub_unroll::{Elsewhere, InputPart, InputPlace, InputVariable, Object, ObjectKind, Unrolled};

/// What comes before the call, and in it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Setup {
    /// Declarations and assignments, one per line.
    pub before: Vec<String>,
    /// The arguments of each call.
    pub calls: Vec<Vec<String>>,
    /// What the function reads while it runs.
    pub reads: Vec<Read>,
    /// Inputs that a test in C cannot set: variables that are read before they are written.
    pub unset: Vec<String>,
    /// The addresses of the registers that the function writes through pointers.
    pub registers: Vec<u64>,
}

/// Addresses of objects are multiples of this in the model of memory too: a program may depend on it.
const ALIGNED: &str = "__attribute__((aligned(16)))";
const ALIGNED_UNUSED: &str = "__attribute__((aligned(16), unused))";

/// The setup of a test. Scalar parameters are literals; everything else is built before the call. `is_read` says which inputs the run reads.
pub fn setup(program: &Program, unrolled: &Unrolled, values: &[Value], is_read: &[bool]) -> Setup {
    let mut setup = Setup { registers: unrolled.registers_written(values), ..Setup::default() };
    let n_calls = n_calls(unrolled, values);
    let requested = RequestedArguments::new(program, unrolled, values);
    for call in 0..n_calls {
        let mut args = arguments(program, unrolled, values, call, &mut setup.before);
        requested.pass(program, values, call, &mut setup.before, &mut args);
        setup.calls.push(args);
    }
    declare_objects(program, unrolled, values, n_calls, &requested, &mut setup);
    assign_inputs(program, unrolled, (values, is_read), &requested, &mut setup);
    setup.calls.iter_mut().for_each(|args| entry_arguments(program, unrolled.function, args));
    setup
}

/// The arguments of a call; declares those that are built before it.
fn arguments(
    program: &Program,
    unrolled: &Unrolled,
    values: &[Value],
    call: u32,
    before: &mut Vec<String>,
) -> Vec<String> {
    let mut args = Vec::new();
    for (index, param) in program.function(unrolled.function).params().iter().enumerate() {
        let argument = CallArgument { call, index, ty: param.ty };
        let text = declared_or_literal(program, unrolled, values, argument, before);
        let is_declared = text == parameter(call, index);
        let cast = if is_declared && needs_cast(program, unrolled.function, index) { "(void *)" } else { "" };
        args.push(format!("{cast}{text}"));
    }
    args
}

/// An argument of one of the calls.
#[derive(Clone, Copy)]
pub(crate) struct CallArgument {
    pub call: u32,
    /// Its number among the parameters.
    pub index: usize,
    pub ty: TypeId,
}

/// An argument of a call: a literal, or a variable that is declared before it.
pub(crate) fn declared_or_literal(
    program: &Program,
    unrolled: &Unrolled,
    values: &[Value],
    argument: CallArgument,
    before: &mut Vec<String>,
) -> String {
    let CallArgument { call, index, ty } = argument;
    let whole = unrolled.inputs.iter().position(|input| is_whole_parameter(input, call, index));
    let has_parts = has_parts(unrolled, call, index);
    match whole {
        Some(at) if !has_parts => literal(program, unrolled.inputs[at].ty, &values[at]),
        None if !has_parts && program.types.is_scalar(ty) => "0".to_owned(),
        _ => {
            // A part that no input sets, such as padding, is zero.
            let zero = if program.types.is_scalar(ty) { "0" } else { "{0}" };
            let name = parameter(call, index);
            before.push(format!("{} = {zero};", declaration(program, ty, &name)));
            name
        }
    }
}

/// Whether an argument may have another type than its parameter: a function pointer and a pointer to a pointer lack the qualifiers of the program's,
/// an object may be a larger structure than declared, and a structure without a name has one here.
fn needs_cast(program: &Program, function: FunctionId, index: usize) -> bool {
    let function = program.function(function);
    let ty = function.locals[index].ty;
    let is_declared = match program.types.get(function.ty) {
        Type::Function(declared) => declared.params.get(index).is_none_or(|declared| *declared == ty),
        _ => true,
    };
    match program.types.pointee(ty).map(|to| program.types.get(to)) {
        Some(Type::Function(_) | Type::Pointer(_) | Type::Array(..) | Type::VariableArray(..)) => true,
        Some(Type::Record(record)) if !program.types.has_name(*record) => true,
        Some(_) => !is_declared,
        None => false,
    }
}

/// Whether the parameter is more than a number: a structure, or a pointer to something.
fn has_parts(unrolled: &Unrolled, call: u32, index: usize) -> bool {
    let path_of = |place: &InputPlace| match place {
        InputPlace::Parameter { call: of, index: at, path } if (*of, *at) == (call, index) => {
            Some(path.len())
        }
        _ => None,
    };
    let is_deep = |input: &InputVariable| match path_of(&input.place) {
        Some(length) => length > 0 || input.part != InputPart::Value,
        None => false,
    };
    let points = |kind: &ObjectKind| matches!(kind, ObjectKind::Pointee(place) if path_of(place).is_some());
    unrolled.inputs.iter().any(is_deep) || unrolled.objects.iter().any(|object| points(&object.kind))
}

pub(crate) fn is_whole_parameter(input: &InputVariable, call: u32, index: usize) -> bool {
    let place = InputPlace::Parameter { call, index, path: Vec::new() };
    input.place == place && input.part == InputPart::Value
}

/// Whether a test sets the place: it is not part of another member of a union than the one that is set, nor behind an argument of a call that is not
/// made.
pub fn is_set(unrolled: &Unrolled, values: &[Value], place: &InputPlace) -> bool {
    call_of(place) < n_calls(unrolled, values)
        && unrolled.is_set(place, |input| values[input].to_u64().unwrap_or(u64::MAX))
}

/// How many calls a test makes.
fn n_calls(unrolled: &Unrolled, values: &[Value]) -> u32 {
    let calls = unrolled.inputs.iter().position(|input| input.place == InputPlace::Calls);
    unrolled.calls_made(calls.map(|at| values[at].to_u64().unwrap_or(u64::MAX)))
}

/// The call that a place belongs to.
pub(crate) fn call_of(place: &InputPlace) -> u32 {
    match place {
        InputPlace::Parameter { call, .. } => *call,
        _ => 0,
    }
}

/// Objects that pointers point to, and the pointers.
fn declare_objects(
    program: &Program,
    unrolled: &Unrolled,
    values: &[Value],
    n_calls: u32,
    requested: &RequestedArguments<'_>,
    setup: &mut Setup,
) {
    let places = Places { program, unrolled };
    let is_set = |place: &InputPlace| is_set(unrolled, values, place);
    for (number, object) in unrolled.objects.iter().enumerate() {
        let ObjectKind::Pointee(place) = &object.kind else { continue };
        if !requested.has(place) {
            continue;
        }
        let Some(pointer) = places.target(place, None).filter(|_| call_of(place) < n_calls) else { continue };
        if object.ty.is_some_and(|ty| is_stream(program, ty)) {
            if !is_set(place) {
                continue;
            }
            // The library reads inside its own objects: zeros are not a valid stream.
            setup.before.push(format!("{pointer} = (void *)fopen(\"/dev/null\", \"r+\");"));
            continue;
        }
        let name = object_name(number);
        // Nothing in the test need lead to an object whose pointer is in a member of a union that the test does not set.
        let attributes = if is_set(place) { ALIGNED } else { ALIGNED_UNUSED };
        setup.before.extend(definition(program, object, &name, attributes));
        if is_set(place) {
            setup.before.push(format!("{pointer} = (void *){};", pointed(object, name)));
        }
    }
}

/// An object of the test. One that the program may free is allocated; a volatile pointer keeps it from being lost.
fn definition(program: &Program, object: &Object, name: &str, attributes: &str) -> Vec<String> {
    let element_size = object.ty.and_then(|ty| program.types.size_of(ty)).filter(|size| *size > 0);
    let (ty, n) = match (object.ty, element_size) {
        (Some(ty), Some(size)) => (program.types.spell_in_test(ty), object.size / size),
        _ => ("char".to_owned(), object.size),
    };
    let n = n.max(1);
    if object.is_allocated {
        vec![
            format!("static __typeof__({ty}) *volatile {name};"),
            format!("{name} = __builtin_calloc({n}, sizeof *{name});"),
        ]
    } else {
        vec![format!("static {attributes} __typeof__({ty}) {name}[{n}];")]
    }
}

/// Where in its object a pointer points to.
fn pointed(object: &Object, name: String) -> String {
    match object.before {
        0 => name,
        bytes => format!("((char *){name} + {bytes})"),
    }
}

fn assign_inputs(
    program: &Program,
    unrolled: &Unrolled,
    (values, is_read): (&[Value], &[bool]),
    requested: &RequestedArguments<'_>,
    setup: &mut Setup,
) {
    let places = Places { program, unrolled };
    let is_set = |place: &InputPlace| is_set(unrolled, values, place);
    let mut late = Vec::new();
    for ((input, value), is_read) in unrolled.inputs.iter().zip(values).zip(is_read) {
        let is_argument = match &input.place {
            InputPlace::Parameter { call, index, path } => {
                let position = requested.position(*call, *index);
                match setup.calls.get(*call as usize).zip(position) {
                    Some((args, at)) => path.is_empty() && !args[at].ends_with(&parameter(*call, *index)),
                    // It belongs to a call that is not made, or to an argument that is not passed.
                    None => true,
                }
            }
            InputPlace::Calls => true,
            _ => false,
        };
        if is_argument || !is_set(&input.place) {
            continue;
        }
        if let InputPlace::Read { source, origin } = &input.place {
            if *is_read {
                let word = floats::word(program, input.ty, value);
                let value = word.unwrap_or_else(|| literal(program, input.ty, value));
                let ty = program.types.spell_in_test(input.ty);
                let statement = origin.statement.index();
                setup.reads.push(Read {
                    source: source.function().to_owned(),
                    kind: read_kind(program, source),
                    ty,
                    value,
                    statement,
                });
            }
            continue;
        }
        let Some(target) = places.target(&input.place, Some(input.ty)) else {
            if *is_read {
                setup.unset.push(input.name.clone());
            }
            continue;
        };
        match &input.part {
            InputPart::Value => {
                setup.before.push(format!("{target} = {};", literal(program, input.ty, value)));
            }
            InputPart::NotNull if value.is_zero() => late.push(format!("{target} = 0;")),
            InputPart::LeadsTo(_) if value.is_zero() => {}
            InputPart::LeadsTo(elsewhere) => {
                let shared = shared(program, unrolled, input, values, *elsewhere);
                late.push(format!("{target} = (void *){shared};"));
            }
            // Elements are set together with what the pointer points to; a member says which of the others are set.
            InputPart::Element(_) | InputPart::Member(..) | InputPart::NotNull => {}
            InputPart::Function(functions) => {
                let at = value.to_u64().map_or(usize::MAX, |at| at as usize).min(functions.len().max(1) - 1);
                let chosen: Option<&FunctionId> = functions.get(at);
                let name = chosen.map_or("0", |id| program.function(*id).name.as_str());
                // The types agree except for qualifiers, which are not modelled; callbacks have none.
                let cast = chosen.map(|_| format!("(__typeof__({target}))")).unwrap_or_default();
                setup.before.push(format!("{target} = {cast}{name};"));
            }
        }
    }
    // Other assignments go through these pointers, and inner ones through outer ones.
    setup.before.extend(late.into_iter().rev());
}

/// What a pointer points to if it has no object of its own.
fn shared(
    program: &Program,
    unrolled: &Unrolled,
    input: &InputVariable,
    values: &[Value],
    elsewhere: Elsewhere,
) -> String {
    let object = match elsewhere {
        Elsewhere::Address(address) => return format!("(__UINTPTR_TYPE__){address}u"),
        Elsewhere::Object(object) => object,
    };
    let found = &unrolled.objects[object.index()];
    let start = match &found.kind {
        ObjectKind::Global(global) => format!("&{}", program.globals[global.index()].name),
        _ => pointed(found, object_name(object.index())),
    };
    let is_element =
        |other: &InputVariable| other.place == input.place && other.part == InputPart::Element(object);
    let chosen = unrolled.inputs.iter().position(is_element);
    let number = chosen
        .map_or(0, |at| nub_c_ir::ints::to_signed(nub_unroll::to_bits(&values[at]), values[at].width()));
    let element = program.types.pointee(input.ty);
    let size = element.and_then(|ty| program.types.size_of(ty)).unwrap_or(1).max(1);
    let number = found.element_distance(size, number) / i128::from(size);
    match (number, element) {
        (0, _) | (_, None) => start,
        (number, Some(ty)) => {
            let sign = if number < 0 { '-' } else { '+' };
            let number = number.unsigned_abs();
            format!("((__typeof__({}) *){start} {sign} {number})", program.types.spell_in_test(ty))
        }
    }
}

/// `int *x[3]`, from the type as written in a cast.
fn declaration(program: &Program, ty: TypeId, name: &str) -> String {
    format!("__typeof__({}) {name}", program.types.spell_in_test(ty))
}

/// A value as a C literal of its type.
pub fn literal(program: &Program, ty: TypeId, value: &Value) -> String {
    if let Some(text) = floats::literal(program, ty, value) {
        return text;
    }
    let is_signed = program.types.int_format(ty).is_some_and(|format| format.is_signed);
    let width = value.width();
    let text = if is_signed { value.to_signed_decimal() } else { value.to_decimal() };
    match (is_signed, width) {
        (_, 65..) => wide_literal(value, is_signed),
        (true, 33..) if *value == Value::min_signed(width) => {
            format!("(-{}LL-1)", Value::max_signed(width).to_decimal())
        }
        (true, 32) if *value == Value::min_signed(width) => "(-2147483647-1)".to_owned(),
        (true, 33..) => format!("{text}LL"),
        (false, 33..) => format!("{text}ULL"),
        (false, 32) => format!("{text}u"),
        _ => text,
    }
}

/// C has no constants of more than 64 bits: this one is made of two halves.
fn wide_literal(value: &Value, is_signed: bool) -> String {
    let bits = nub_unroll::to_bits(value);
    let ty = if is_signed { "__int128" } else { "unsigned __int128" };
    let (high, low) = ((bits >> 64) as u64, bits as u64);
    match high {
        0 => format!("({ty}){low}ULL"),
        _ => format!("({ty})((unsigned __int128){high}ULL << 64 | {low}ULL)"),
    }
}

/// The number that a [`literal`] denotes, as 64 bits. `None` for any other text.
pub(crate) fn number(literal: &str) -> Option<i64> {
    let is_suffix = |letter: char| matches!(letter, 'u' | 'U' | 'L');
    if let Some(inner) = literal.strip_prefix('(').and_then(|rest| rest.strip_suffix("-1)")) {
        return inner.trim_end_matches(is_suffix).parse::<i64>().ok()?.checked_sub(1);
    }
    let digits = literal.trim_end_matches(is_suffix);
    digits.parse::<i64>().ok().or_else(|| digits.parse::<u64>().ok().map(u64::cast_signed))
}

/// A value in decimal, as its type interprets it. One bit is a truth value, whatever its type.
pub fn decimal(program: &Program, ty: TypeId, value: &Value) -> String {
    let is_whole = Some(value.width()) == program.types.float_format(ty).map(|format| format.width());
    if let Some(text) = floats::shown(program, ty, value).filter(|_| is_whole) {
        return text;
    }
    let is_signed = program.types.int_format(ty).is_some_and(|format| format.is_signed);
    if is_signed && value.width() > 1 { value.to_signed_decimal() } else { value.to_decimal() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_are_read_back() {
        let text = "int a; unsigned b; long c; unsigned long d; signed char e; unsigned char f; _Bool g;";
        let (unit, _) = nub_c_syntax::parse(text.as_bytes());
        let program = nub_c_ir::lower(&unit, &nub_c_ir::DataModel::lp64()).0;
        for global in &program.globals {
            let format = program.types.int_format(global.ty).unwrap();
            let width = format.width;
            let ends =
                [Value::min_signed(width), Value::max_signed(width), Value::zero(width), Value::ones(width)];
            for value in ends {
                let text = literal(&program, global.ty, &value);
                let extended = if format.is_signed {
                    value.sign_extend(64 - width)
                } else {
                    value.zero_extend(64 - width)
                };
                assert_eq!(number(&text), extended.to_u64().map(u64::cast_signed), "{} {text}", global.name);
            }
        }
        assert_eq!(["arg0", "", "(", "0x1", "f(1)", "99999999999999999999"].map(number), [None; 6]);
    }
}
