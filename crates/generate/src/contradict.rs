//! Unsatisfiable by construction: f and not f', where f' is f rewritten.
//!
//! The whole graph is copied once, bottom-up. Each node is replaced by an equivalent one from [`crate::rewrite`] or kept; a
//! node that is kept and whose children are unchanged is shared. A solver must prove that both sides are equal, which is
//! the typical task of equivalence checking.

use crate::builder::Generator;
use crate::dag::FormulaNode;
use nub_btor::{BtorNodeId, Ref, Tag};

/// How often, in percent, a node is rewritten if there is a rule for it.
const REWRITE_PERCENT: u32 = 60;

impl Generator {
    /// Turns an edge that may hold into one that never holds.
    pub(crate) fn contradict(&mut self, root: Ref) -> Ref {
        let n_nodes = self.dag.len();
        // By node: an equivalent edge.
        let mut twins: Vec<Ref> = Vec::with_capacity(n_nodes);
        for idx in 0..n_nodes {
            let twin = self.twin(BtorNodeId::new(idx), &twins);
            twins.push(twin);
        }
        let twin = twins[root.node().index()] ^ root.negated();
        self.join(Tag::And, root, twin.complement())
    }

    fn twin(&mut self, id: BtorNodeId, twins: &[Ref]) -> Ref {
        let node = *self.dag.node(id);
        let mut copy = node;
        for child in &mut copy.children[..node.arity()] {
            *child = twins[child.node().index()] ^ child.negated();
        }
        if self.rng.percent(REWRITE_PERCENT) {
            let write = self.write_below(&node, twins);
            if let Some(twin) = self.rewrite(&copy, write) {
                return twin;
            }
        }
        if copy == node { id.into() } else { self.dag.push(copy).into() }
    }

    /// The rewritten operands of the `write` that a `read` reads from.
    fn write_below(&self, node: &FormulaNode, twins: &[Ref]) -> Option<[Ref; 3]> {
        let write = self.dag.node(node.edges().first()?.node());
        let is_read_of_write = node.tag == Tag::Read && write.tag == Tag::Write;
        is_read_of_write.then(|| write.children.map(|edge| twins[edge.node().index()] ^ edge.negated()))
    }
}
