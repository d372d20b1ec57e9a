//! Unions among the inputs: a test sets one member, and nothing of the others.

use nub_bitvec::Value;
use nub_unroll::{InputPart, InputPlace, InputStep, InputVariable, Unrolled};

/// Whether the place belongs to the members that are set, of all unions on the way to it.
pub fn is_set(unrolled: &Unrolled, values: &[Value], place: &InputPlace) -> bool {
    let (InputPlace::Parameter { path, .. } | InputPlace::Global { path, .. }) = place else { return true };
    let has_choice = |input: &InputVariable| matches!(input.part, InputPart::Member(..));
    if !unrolled.inputs.iter().any(has_choice) {
        return true;
    }
    path.iter().enumerate().all(|(at, step)| match step {
        InputStep::Field(record, member) => {
            let is_its = |input: &InputVariable| match &input.part {
                InputPart::Member(of, _) => of == record && is_start(&input.place, place, at),
                _ => false,
            };
            let choice = unrolled.inputs.iter().position(is_its);
            choice.is_none_or(|choice| chosen(&unrolled.inputs[choice], &values[choice]) == Some(*member))
        }
        InputStep::Pointee(_) | InputStep::Index(_) => true,
    })
}

/// The member that an input chooses.
fn chosen(input: &InputVariable, value: &Value) -> Option<u32> {
    let InputPart::Member(_, members) = &input.part else { return None };
    let number = value.to_u64().and_then(|number| usize::try_from(number).ok());
    number.and_then(|number| members.get(number)).or(members.last()).copied()
}

/// Whether `start` is `place` without the steps from `length` on.
fn is_start(start: &InputPlace, place: &InputPlace, length: usize) -> bool {
    match (start, place) {
        (
            InputPlace::Parameter { call, index, path },
            InputPlace::Parameter { call: of, index: at, path: whole },
        ) => call == of && index == at && path.as_slice() == &whole[..length],
        (InputPlace::Global { global, path }, InputPlace::Global { global: of, path: whole }) => {
            global == of && path.as_slice() == &whole[..length]
        }
        _ => false,
    }
}
