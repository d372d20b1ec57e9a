//! Turns a node into a constant or a variable, which removes everything that only this node needs.
//!
//! ```text
//! 5 add 8 3 4        =>        5 zero 8
//! ```

use super::BtorView;
use super::band::BtorBand;
use crate::dag::{Dag, DagNode, Replacement};
use crate::{Edit, Pass};

/// See the module.
#[derive(Clone, Copy, Debug)]
pub struct BtorConstants {
    /// Which nodes to replace.
    pub band: BtorBand,
    /// The replacement.
    pub with: Replacement,
}

impl Pass<BtorView> for BtorConstants {
    fn name(&self) -> &'static str {
        self.with.pass()
    }

    fn edits(&self, view: &BtorView) -> Vec<Edit> {
        let nodes = self.band.nodes(view).into_iter();
        nodes
            .filter_map(|line| view.replace(DagNode(line.index() as u32), self.with))
            .map(|one| one.edit)
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::btor::testing::{each, first};

    fn constants(with: Replacement) -> BtorConstants {
        BtorConstants { band: BtorBand::ALL, with }
    }

    #[test]
    fn a_node_becomes_a_leaf_and_its_operands_go() {
        let text = "1 var 8\n2 var 8\n3 add 8 1 2\n4 redor 1 3\n5 root 1 4\n";
        assert_eq!(each(&constants(Replacement::Zero), text)[1], "3 zero 8\n4 redor 1 3\n5 root 1 4\n");
        assert_eq!(first(&constants(Replacement::Ones), text), "4 ones 1\n5 root 1 4\n");
        assert_eq!(first(&constants(Replacement::Variable), text), "4 var 1\n5 root 1 4\n");
    }

    #[test]
    fn an_initial_value_becomes_a_state_and_not_an_input() {
        let text = "1 sort bitvec 1\n2 one 1\n3 not 1 2\n4 state 1\n5 init 1 4 3\n6 bad 4\n";
        let found = each(&constants(Replacement::Variable), text);
        assert!(
            found.contains(&"1 sort bitvec 1\n3 state 1\n4 state 1\n5 init 1 4 3\n6 bad 4\n".to_owned()),
            "{found:?}"
        );
    }
}
