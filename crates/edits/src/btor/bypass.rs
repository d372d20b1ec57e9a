//! Replaces a node by its only operand that is not a constant: this is the value of the node if its constants are neutral.
//!
//! ```text
//! 3 ones 1
//! 5 and 1 4 3
//! 6 or 1 5 2        =>        6 or 1 4 2
//! ```
//!
//! One edit per node, so that one ask can remove a whole chain if its operators do not matter; [`super::hoist`] has the other cases.

use super::{BtorView, LineRef, constant};
use crate::{Edit, Pass};
use nub_bitvec::Value;
use nub_btor::{LineId, Tag};

/// See the module.
pub struct BtorBypass;

impl Pass<BtorView> for BtorBypass {
    fn name(&self) -> &'static str {
        "bypass"
    }

    fn edits(&self, view: &BtorView) -> Vec<Edit> {
        let edit = |line| bypass(view, line).and_then(|by| view.replace_uses(line, by));
        view.lines().rev().filter(|&line| view.is_node(line)).filter_map(edit).collect()
    }
}

/// The replacement of a node.
pub(super) fn bypass(view: &BtorView, line: LineId) -> Option<LineRef> {
    let is_constant = |to: LineId| view.tag(to).is_some_and(Tag::is_constant);
    let mut rest = view.nodes_of(line).enumerate().filter(|(_, at)| !at.line.is_some_and(is_constant));
    let (place, operand) = rest.next()?;
    let to = operand.line.filter(|&to| view.sort(to) == view.sort(line))?;
    if rest.any(|(_, other)| (other.line, other.negated) != (operand.line, operand.negated)) {
        return None;
    }
    let mut constants = view.nodes_of(line).filter(|at| at.line.is_some_and(is_constant));
    let constant = constants.next().and_then(|at| {
        let value = constant::any_value(view, at.line?)?;
        Some(if at.negated { value.not() } else { value })
    });
    let negated = is_complement(view.tag(line)?, place, constant.as_ref());
    Some(LineRef { to, negated: operand.negated ^ negated })
}

/// Whether an operator is the complement of its operand at `place` if the other one is this constant. Comparisons are treated
/// as on one bit, because only then the sorts fit.
fn is_complement(tag: Tag, place: usize, constant: Option<&Value>) -> bool {
    let is_zero = constant.is_some_and(Value::is_zero);
    let is_ones = constant.is_some_and(Value::is_ones);
    match tag {
        Tag::Not | Tag::Nand | Tag::Nor => true,
        Tag::Eq | Tag::Iff | Tag::Xnor => is_zero,
        Tag::Neq | Tag::Xor => is_ones,
        Tag::Implies => place == 0,
        Tag::Ult | Tag::Ugte => (place == 0) == (tag == Tag::Ult),
        Tag::Ugt | Tag::Ulte => (place == 0) == (tag == Tag::Ulte),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::btor::testing::each;

    #[test]
    fn the_operand_that_is_no_constant() {
        let text = "1 ones 1\n2 var 1\n3 var 1\n4 and 1 -2 1\n5 or 1 4 3\n6 root 1 5\n";
        assert_eq!(each(&BtorBypass, text), ["2 var 1\n3 var 1\n5 or 1 -2 3\n6 root 1 5\n"]);
    }

    #[test]
    fn the_complement_where_the_constant_makes_it_one() {
        for (operator, left) in [
            ("eq 1 2 1", "-2"),
            ("xor 1 2 1", "2"),
            ("neq 1 -2 -1", "2"),
            ("ult 1 1 2", "2"),
            ("ult 1 2 -1", "-2"),
        ] {
            let text = format!("1 zero 1\n2 var 1\n3 {operator}\n4 root 1 3\n").replace("neq", "ne");
            assert_eq!(each(&BtorBypass, &text), [format!("2 var 1\n4 root 1 {left}\n")], "{operator}");
        }
    }

    #[test]
    fn a_complement_needs_no_constant() {
        assert_eq!(
            each(&BtorBypass, "1 var 8\n2 not 8 -1\n3 redor 1 2\n4 root 1 3\n"),
            ["1 var 8\n3 redor 1 1\n4 root 1 3\n"]
        );
    }

    #[test]
    fn a_node_over_two_others_stays() {
        assert!(each(&BtorBypass, "1 var 8\n2 var 8\n3 add 8 1 2\n4 root 8 3\n").is_empty());
    }
}
