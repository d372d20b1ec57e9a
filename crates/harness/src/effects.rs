//! What a test compares after the call: memory behind pointers, and global variables.

use crate::entry::entry;
use crate::floats::equality;
use crate::places::{Places, global_name, has_name, is_stream, object_name};
use crate::setup::{call_of, literal};
use nub_bitvec::Value;
use nub_c_ir::{Program, Type, TypeId};
use nub_unroll::{InputPlace, ObjectKind, OutputValue, Unrolled};

/// Conditions in C that hold after the last of `n_calls` calls; `values` are those of [`Unrolled::outputs`], as far as they can be compared. What a test
/// cannot name is omitted, such as memory behind an argument of a call that it does not make.
pub fn effects(
    program: &Program,
    unrolled: &Unrolled,
    n_calls: usize,
    values: &[Option<Value>],
) -> Vec<String> {
    let places = Places { program, unrolled };
    let is_made = |output: &OutputValue| (call_of(&output.place) as usize) < n_calls;
    let pairs = unrolled.outputs.iter().zip(values).filter(|(output, _)| is_made(output));
    pairs.filter_map(|(output, value)| condition(&places, output, value.as_ref()?)).collect()
}

fn condition(places: &Places<'_>, output: &OutputValue, value: &Value) -> Option<String> {
    let target = places.lvalue(&output.place, Some(output.ty))?;
    match places.program.types.get(output.ty) {
        Type::Int(_) | Type::Float(_) => Some(equality(&target, &literal(places.program, output.ty, value))),
        Type::Pointer(to) if is_object(places.program, *to) => pointer(places, &target, value),
        _ => None,
    }
}

fn is_object(program: &Program, to: TypeId) -> bool {
    !matches!(program.types.get(to), Type::Function(_))
}

/// `p == 0`, or the object and offset it points to. For objects that a test does not know, such as those of `malloc`, only that it is not null.
fn pointer(places: &Places<'_>, target: &str, value: &Value) -> Option<String> {
    let address = value.to_u64()?;
    if address == 0 {
        return Some(format!("{target} == 0"));
    }
    Some(match address_in_test(places, address) {
        Some(there) => format!("(const char *){target} == {there}"),
        None => format!("{target} != 0"),
    })
}

/// A returned pointer, as an expression that it must equal; `None` for objects that a test does not know.
pub fn returned_pointer(program: &Program, unrolled: &Unrolled, ty: TypeId, value: &Value) -> Option<String> {
    let Type::Pointer(to) = program.types.get(ty) else { return None };
    if !is_object(program, *to) {
        return None;
    }
    match value.to_u64()? {
        0 => Some("0".to_owned()),
        address => {
            let there = address_in_test(&Places { program, unrolled }, address)?;
            Some(format!("(const void *)({there})"))
        }
    }
}

/// A call before the last one: the statements that make it, and the condition on what it returned, if that can be compared.
pub fn earlier_call(
    program: &Program,
    unrolled: &Unrolled,
    number: usize,
    args: &[String],
    value: Option<&Value>,
) -> (Vec<String>, Option<String>) {
    let function = program.function(unrolled.function);
    let entry = entry(program, unrolled.function);
    let name = match &entry {
        Some(entry) => entry.name.as_str(),
        None if function.name == "main" => crate::c_file::MAIN,
        None => function.name.as_str(),
    };
    let call = format!("{name}({})", args.join(", "));
    let expected = value.and_then(|value| match program.types.get(function.result) {
        Type::Int(_) | Type::Float(_) => Some(literal(program, function.result, value)),
        _ => returned_pointer(program, unrolled, function.result, value),
    });
    match expected {
        Some(expected) => {
            let result = format!("result{}", number + 1);
            // Types have no qualifiers here; a pointer to this converts from any pointer to an object.
            let ty = match program.types.get(function.result) {
                Type::Pointer(_) => "const volatile void *".to_owned(),
                _ => format!("__typeof__({}) ", program.types.spell_in_test(function.result)),
            };
            // The value may be unused, if the program ends later.
            let lines = vec![format!("{ty}{result} = {call};"), format!("(void){result};")];
            (lines, Some(equality(&result, &expected)))
        }
        None => (vec![format!("{call};")], None),
    }
}

/// An address as an expression of type `const char *`.
pub(crate) fn address_in_test(places: &Places<'_>, address: u64) -> Option<String> {
    let (object, offset) = places.unrolled.object_at(address)?;
    let found = &places.unrolled.objects[object.index()];
    let start = match &found.kind {
        ObjectKind::Pointee(InputPlace::Read { .. } | InputPlace::Uninitialised { .. }) => return None,
        // The library has allocated it.
        ObjectKind::Pointee(_) if found.ty.is_some_and(|ty| is_stream(places.program, ty)) => return None,
        ObjectKind::Pointee(_) => object_name(object.index()),
        ObjectKind::Global(global) => {
            let global = &places.program.globals[global.index()];
            has_name(global).then(|| format!("&{}", global_name(global)))?
        }
        _ => return None,
    };
    Some(match offset {
        0 => format!("(const char *){start}"),
        _ => format!("(const char *){start} + {offset}"),
    })
}
