//! Replaces a state by its initial value, or keeps it constant, so that fewer steps matter.
//!
//! ```text
//! 4 state 1
//! 5 init 1 4 3
//! 6 next 1 4 7        =>        every use of 4 is 3, and 4, 5, 6 go
//! ```

use super::{BtorView, LineRef};
use crate::{Edit, Pass};
use nub_btor::{LineId, OperandKind, Tag};

/// See the module.
pub struct States;

impl Pass<BtorView> for States {
    fn name(&self) -> &'static str {
        "states"
    }

    fn edits(&self, view: &BtorView) -> Vec<Edit> {
        let states = view.lines().filter(|&line| view.assignments(line).next().is_some());
        states.flat_map(|state| [by_initial(view, state), to_itself(view, state)]).flatten().collect()
    }
}

/// Replaces the state by its initial value.
fn by_initial(view: &BtorView, state: LineId) -> Option<Edit> {
    let init = view.assignments(state).find(|&line| view.tag(line) == Some(Tag::Init))?;
    let value = view.nodes_of(init).next()?;
    view.replace_uses(state, LineRef { to: value.line?, negated: value.negated })
}

/// Makes the state keep its value: `next S s s`.
fn to_itself(view: &BtorView, state: LineId) -> Option<Edit> {
    let next = view.assignments(state).find(|&line| view.tag(line) != Some(Tag::Init))?;
    let value = view.operands(next).iter().find(|operand| operand.kind == OperandKind::Node)?;
    (value.line != Some(state)).then(|| Edit::replace(value.span, view.reference(state.into())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::btor::testing::each;

    #[test]
    fn the_initial_value_in_its_place_or_no_change() {
        let text = "1 sort bitvec 1\n2 zero 1\n3 state 1\n4 init 1 3 2\n5 not 1 3\n6 next 1 3 5\n7 bad 3\n";
        assert_eq!(
            each(&States, text),
            [
                "1 sort bitvec 1\n2 zero 1\n7 bad 2\n".to_owned(),
                "1 sort bitvec 1\n2 zero 1\n3 state 1\n4 init 1 3 2\n6 next 1 3 3\n7 bad 3\n".to_owned()
            ]
        );
    }

    #[test]
    fn a_state_that_keeps_its_value_can_go() {
        let text = "1 sort bitvec 1\n2 zero 1\n3 state 1\n4 init 1 3 2\n6 next 1 3 3\n7 bad 3\n";
        assert_eq!(each(&States, text), ["1 sort bitvec 1\n2 zero 1\n7 bad 2\n"]);
    }
}
