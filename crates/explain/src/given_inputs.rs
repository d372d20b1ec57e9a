//! Inputs given by the user: by name, each once, each a value of its type.

use crate::bounded_program::BoundedProgram;
use crate::session::ExplainRefusal;
use nub_bitvec::Value;
use nub_unroll::input_names;

/// The values that the user gave, by the number of the input. An input is identified by the name of the variable that takes it, or by how it is read,
/// such as `nondet_int #2`.
pub(crate) fn given(
    bounded: &BoundedProgram<'_>,
    inputs: &[(String, i128)],
) -> Result<Vec<(usize, Value)>, ExplainRefusal> {
    let names = input_names(bounded.source.program, &bounded.unrolled);
    let mut found: Vec<(usize, Value)> = Vec::with_capacity(inputs.len());
    for (name, number) in inputs {
        let is_it = |index: &usize| names[*index] == *name || bounded.unrolled.inputs[*index].name == *name;
        let Some(index) = (0..names.len()).find(is_it) else {
            return Err(ExplainRefusal::UnknownInput { name: name.clone(), known: names });
        };
        if found.iter().any(|(other, _)| *other == index) {
            return Err(ExplainRefusal::InputTwice(name.clone()));
        }
        found.push((index, value(bounded, index, name, *number)?));
    }
    Ok(found)
}

/// The number as a value of the input's type, if it fits.
fn value(
    bounded: &BoundedProgram<'_>,
    index: usize,
    name: &str,
    number: i128,
) -> Result<Value, ExplainRefusal> {
    let input = &bounded.unrolled.inputs[index];
    let types = &bounded.source.program.types;
    let width = bounded.unrolled.pool.width(input.term);
    let is_signed = types.int_format(input.ty).is_some_and(|format| format.is_signed) && width > 1;
    let (least, most) = if is_signed {
        (Value::min_signed(width).to_signed_decimal(), Value::max_signed(width).to_signed_decimal())
    } else {
        ("0".to_owned(), Value::ones(width).to_decimal())
    };
    let bit = |at: u32| number >> at.min(127) & 1 == 1;
    let value = Value::from_bits((0..width).map(bit));
    let is_same = if is_signed {
        value.to_signed_decimal() == number.to_string()
    } else {
        value.to_decimal() == number.to_string()
    };
    if is_same {
        return Ok(value);
    }
    Err(ExplainRefusal::InputRange { name: name.to_owned(), ty: types.spell(input.ty), least, most })
}
