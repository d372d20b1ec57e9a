//! Inputs of a test for the interpreter: bytes of objects from values of their parts.

use nub_bitvec::{Assignment, Datum, Value, evaluate};
use nub_c_ir::{Argument, FunctionId, Inputs, Program, Type, TypeId};
use nub_unroll::{Input, InputPart, InputPlace, InputStep, ObjectKind, Unrolled};

/// What the interpreter cannot be given.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unsupported {
    /// A pointer inside of an object that is an input.
    PointerInObject,
    /// An object that is never written.
    Uninitialised,
}

/// A part of an object: where it is, and its bits if it is a bit-field.
struct Part {
    offset: u64,
    bits: Option<nub_c_ir::BitRange>,
}

/// The inputs of a run.
pub fn inputs(program: &Program, unrolled: &Unrolled, values: &[Value]) -> Result<Inputs, Unsupported> {
    let mut made = Inputs::default();
    let params = program.function(unrolled.function).params();
    for (index, param) in params.iter().enumerate() {
        made.arguments.push(argument(program, unrolled, values, index, param.ty)?);
    }
    let mut assignment = Assignment::new();
    for (input, value) in unrolled.inputs.iter().zip(values) {
        assignment.set(input.term, Datum::Bits(value.clone()));
    }
    for (input, value) in unrolled.inputs.iter().zip(values) {
        match &input.place {
            InputPlace::Parameter { .. } => {}
            InputPlace::Read { .. } => {
                if evaluate(&unrolled.pool, &assignment, &[input.guard])[0].is_true() {
                    made.values.push(to_bits(value));
                }
            }
            InputPlace::Global { global, path } => {
                let ty = program.globals[global.index()].ty;
                let at = made.globals.iter().position(|(id, _)| id == global).unwrap_or_else(|| {
                    let size = program.types.size_of(ty).unwrap_or(0) as usize;
                    made.globals.push((*global, vec![Some(0); size]));
                    made.globals.len() - 1
                });
                write(program, ty, path, input, value, &mut made.globals[at].1)?;
            }
            InputPlace::Uninitialised { .. } => return Err(Unsupported::Uninitialised),
        }
    }
    Ok(made)
}

/// The bits of a value of at most 128.
pub fn to_bits(value: &Value) -> u128 {
    value.bits().take(128).enumerate().fold(0, |all, (index, bit)| all | u128::from(bit) << index)
}

fn argument(
    program: &Program,
    unrolled: &Unrolled,
    values: &[Value],
    index: usize,
    ty: TypeId,
) -> Result<Argument, Unsupported> {
    let own = || {
        unrolled.inputs.iter().zip(values).filter_map(move |(input, value)| match &input.place {
            InputPlace::Parameter { index: at, path } if *at == index => Some((input, value, path)),
            _ => None,
        })
    };
    let root = own().find(|(_, _, path)| path.is_empty());
    match program.types.get(ty) {
        Type::Pointer(to) => {
            match root.map(|(input, value, _)| (&input.part, value)) {
                Some((InputPart::NotNull, value)) if value.is_zero() => return Ok(Argument::Null),
                Some((InputPart::Function(functions), value)) => {
                    let at = to_bits(value).min(functions.len().max(1) as u128 - 1) as usize;
                    return Ok(functions
                        .get(at)
                        .map_or(Argument::Null, |id: &FunctionId| Argument::Function(*id)));
                }
                _ => {}
            }
            let is_it = |place: &InputPlace| match place {
                InputPlace::Parameter { index: at, path } => *at == index && path.is_empty(),
                _ => false,
            };
            let is_target = |kind: &ObjectKind| matches!(kind, ObjectKind::Pointee(place) if is_it(place));
            let object = unrolled.objects.iter().find(|object| is_target(&object.kind));
            let Some(object) = object else { return Ok(Argument::Null) };
            let mut bytes = vec![Some(0); object.size as usize];
            for (input, value, path) in own().filter(|(_, _, path)| !path.is_empty()) {
                let Some((InputStep::Pointee(element), rest)) = path.split_first() else { continue };
                let size = program.types.size_of(*to).unwrap_or(1);
                let start = (element * size) as usize;
                write(program, *to, rest, input, value, bytes.get_mut(start..).unwrap_or_default())?;
            }
            Ok(Argument::Object(bytes))
        }
        Type::Record(_) => {
            let mut bytes = vec![Some(0); program.types.size_of(ty).unwrap_or(0) as usize];
            for (input, value, path) in own() {
                write(program, ty, path, input, value, &mut bytes)?;
            }
            Ok(Argument::Record(bytes))
        }
        _ => Ok(Argument::Int(root.map_or(0, |(_, value, _)| to_bits(value)))),
    }
}

/// Writes a value into the bytes of an object, little end first.
fn write(
    program: &Program,
    ty: TypeId,
    path: &[InputStep],
    input: &Input,
    value: &Value,
    bytes: &mut [Option<u32>],
) -> Result<(), Unsupported> {
    if input.part != InputPart::Value {
        return Err(Unsupported::PointerInObject);
    }
    let part = part(program, ty, path).ok_or(Unsupported::PointerInObject)?;
    let width = program.model.char_bits as usize;
    let first = part.bits.map_or(0, |range| range.start as usize);
    for (index, bit) in value.bits().enumerate() {
        let at = first + index;
        let Some(byte) = bytes.get_mut(part.offset as usize + at / width) else { break };
        let old = byte.unwrap_or(0);
        let mask = 1u32 << (at % width);
        *byte = Some(if bit { old | mask } else { old & !mask });
    }
    Ok(())
}

/// The place of a part; none behind a pointer.
fn part(program: &Program, mut ty: TypeId, path: &[InputStep]) -> Option<Part> {
    let mut found = Part { offset: 0, bits: None };
    for step in path {
        match step {
            InputStep::Pointee(_) => return None,
            InputStep::Field(record, field) => {
                let field = program.types.record(*record).fields.get(*field as usize)?;
                found.offset += field.offset;
                found.bits = field.bits;
                ty = field.ty;
            }
            InputStep::Index(index) => {
                let Type::Array(element, _) = program.types.get(ty) else { return None };
                found.offset += index * program.types.size_of(*element)?;
                ty = *element;
            }
        }
    }
    Some(found)
}
