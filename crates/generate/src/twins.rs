//! Twins: a copy of a node with swapped operands, and a node over both.
//!
//! ```text
//! 5 concat 4 1 2         there         7 concat 4 2 1
//!                                      8 xor 4 5 7
//! ```
//!
//! Rewrite rules look for operands that are similar. Random operands rarely are: among two thousand files of `concat`,
//! `and` and `zero`, at most 27 had such a pair by chance.

use crate::builder::Generator;
use crate::dag::FormulaNode;
use crate::kinds::{OperatorGroup, OperatorKind};
use nub_btor::{BtorNodeId, Sort, Tag};

/// How many nodes to try.
const MAX_TRIES: usize = 8;

impl Generator {
    /// Adds a twin of some node, and a node over the two. False if no node has a twin.
    pub(crate) fn add_twin(&mut self) -> bool {
        for _ in 0..MAX_TRIES {
            let id = BtorNodeId::new(self.rng.below(self.dag.len() as u32) as usize);
            let node = *self.dag.node(id);
            let Some(twin) = self.swapped(&node) else { continue };
            let Some(kind) = self.kind_over(node.sort) else { continue };
            let twin = self.add(twin);
            // Either may come first: rules are rarely written for both orders.
            let (first, second) = if self.rng.percent(50) { (id, twin) } else { (twin, id) };
            let children = [self.edge(first), self.edge(second), crate::dag::no_ref()];
            let signature = kind.group.signature(node.sort, &self.config, &mut self.rng);
            let both = self.node(kind.tag, &signature, children);
            self.add(both);
            return true;
        }
        false
    }

    /// The node with two of its operands swapped, if that is well sorted.
    fn swapped(&self, node: &FormulaNode) -> Option<FormulaNode> {
        let sort = |at: usize| self.dag.node(node.children[at].node()).sort;
        let (one, other) = match node.arity() {
            2 => (0, 1),
            3 => (1, 2),
            _ => return None,
        };
        if sort(one) != sort(other) && node.tag != Tag::Concat {
            return None;
        }
        let mut twin = *node;
        twin.children.swap(one, other);
        Some(twin)
    }

    /// A kind that accepts two operands of this sort.
    fn kind_over(&mut self, sort: Sort) -> Option<OperatorKind> {
        let fits = |kind: &&OperatorKind| match kind.group {
            OperatorGroup::Arithmetic | OperatorGroup::Compare => {
                !sort.is_array() && kind.group.takes_width(sort.width(), &self.config)
            }
            OperatorGroup::Logic => sort == Sort::BIT,
            OperatorGroup::ArrayCompare => sort.is_array(),
            _ => false,
        };
        let fitting: Vec<OperatorKind> = self.kinds.iter().filter(fits).copied().collect();
        (!fitting.is_empty()).then(|| self.rng.pick(&fitting))
    }
}

#[cfg(test)]
mod tests {
    use crate::{GenerateConfig, Generator};
    use nub_btor::Tag;

    #[test]
    fn twins_meet_in_a_node_over_both() {
        let config = GenerateConfig {
            twins: 40,
            noarrays: true,
            nodes: 60,
            only: vec![Tag::Concat, Tag::Xor],
            more_ops: true,
            ..GenerateConfig::default()
        };
        let mut generator = Generator::new(config).unwrap();
        let mut n_pairs = 0;
        for seed in 0..20 {
            let dag = generator.formula(seed).unwrap();
            for node in dag.nodes.iter().filter(|node| node.tag == Tag::Xor) {
                let [one, other] = [0, 1].map(|at| *dag.node(node.children[at].node()));
                let is_pair = one.tag == Tag::Concat && other.tag == Tag::Concat;
                n_pairs += usize::from(
                    is_pair && one.children[0] == other.children[1] && one.children[1] == other.children[0],
                );
            }
        }
        assert!(n_pairs > 20, "{n_pairs}");
    }
}
