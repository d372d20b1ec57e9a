//! Removes roots, properties, and assignments of states.
//!
//! ```text
//! 7 constraint 5
//! 8 next 2 3 6          =>
//! 9 bad 4                             9 bad 4
//! ```

use super::BtorView;
use crate::{Edit, Grouping, Pass};
use nub_btor::{LineId, Tag};

/// Which lines to remove.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BtorProperties {
    /// `root`, `constraint`, `bad`, `fair`, `justice`, `output`.
    Roots,
    /// `init`, `next`, `anext`: then the state is unconstrained.
    Assignments,
}

impl Pass<BtorView> for BtorProperties {
    fn name(&self) -> &'static str {
        match self {
            BtorProperties::Roots => "properties",
            BtorProperties::Assignments => "assignments",
        }
    }

    fn grouping(&self) -> Grouping {
        Grouping::Complements
    }

    fn edits(&self, view: &BtorView) -> Vec<Edit> {
        let is_wanted = |line: &LineId| match self {
            BtorProperties::Roots => view.tag(*line).is_some_and(Tag::is_property),
            BtorProperties::Assignments => {
                matches!(view.tag(*line), Some(Tag::Init | Tag::Next | Tag::Anext))
            }
        };
        view.lines().filter(is_wanted).map(|line| view.cut_property(line)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::btor::testing::{each, first};

    #[test]
    fn each_with_what_only_it_needs() {
        let text = "1 sort bitvec 1\n2 input 1\n3 state 1\n4 next 1 3 2\n5 bad 3\n6 constraint 2\n";
        let left = [
            "1 sort bitvec 1\n2 input 1\n6 constraint 2\n",
            "1 sort bitvec 1\n2 input 1\n3 state 1\n4 next 1 3 2\n5 bad 3\n",
        ];
        assert_eq!(each(&BtorProperties::Roots, text), left);
        let free = "1 sort bitvec 1\n2 input 1\n3 state 1\n5 bad 3\n6 constraint 2\n";
        assert_eq!(each(&BtorProperties::Assignments, text), [free]);
    }

    #[test]
    fn a_root_that_is_used_leaves_its_operand() {
        let text = "1 var 1\n2 root 1 -1\n3 not 1 -2\n4 root 1 3\n";
        assert_eq!(first(&BtorProperties::Roots, text), "1 var 1\n3 not 1 1\n4 root 1 3\n");
    }
}
