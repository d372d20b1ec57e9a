//! Which members of unions among the inputs a run sets, see [`crate::variants`].

use crate::unrolled::{InputPart, InputPlace, InputStep, InputVariable, Unrolled};

impl Unrolled {
    /// Whether the place belongs to the members that are set, of all unions in its object; `number` is the value of an input. What a pointer in
    /// another member leads to is set too: another pointer may lead there.
    pub fn is_set(&self, place: &InputPlace, number: impl Fn(usize) -> u64) -> bool {
        let (InputPlace::Parameter { path, .. } | InputPlace::Global { path, .. }) = place else {
            return true;
        };
        if !self.inputs.iter().any(|input| matches!(input.part, InputPart::Member(..))) {
            return true;
        }
        let start =
            path.iter().rposition(|step| matches!(step, InputStep::Pointee(_))).map_or(0, |last| last + 1);
        path.iter().enumerate().skip(start).all(|(at, step)| {
            let InputStep::Field(record, member) = step else { return true };
            let is_its = |input: &InputVariable| match &input.part {
                InputPart::Member(of, _) => of == record && is_start(&input.place, place, at),
                _ => false,
            };
            let choice = self.inputs.iter().position(is_its);
            choice.is_none_or(|choice| chosen(&self.inputs[choice], number(choice)) == Some(*member))
        })
    }
}

/// The member that an input chooses.
fn chosen(input: &InputVariable, number: u64) -> Option<u32> {
    let InputPart::Member(_, members) = &input.part else { return None };
    let at = usize::try_from(number).unwrap_or(usize::MAX);
    members.get(at).or(members.last()).copied()
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
