//! Choosing children (section 2.3).
//!
//! Nodes of the right sort are preferred and, depending on the DAG tendency, those without a parent; slices and
//! extensions are avoided. If no node has the width, any node is taken and wrapped in a slice or an extension. In a
//! tree, a node that has a parent cannot be a child; if there is no other node, a new variable is created:
//!
//! ```text
//! 7 add 4 ? 2         no node has 4 bits, node 3 has 2     7 uext 4 3 2
//!                                                          8 add 4 7 2
//! ```

use crate::builder::Generator;
use crate::dag::no_ref;
use crate::kinds::{NodeSignature, extension, slice};
use crate::pools::{Choice, Wish};
use nub_btor::{BtorNodeId, Ref, Sort, Tag};

/// Limit on the nodes inspected to find one without a parent.
const MAX_LOOKS: usize = 16;

impl Generator {
    /// Chooses children for all operands.
    pub(crate) fn children(&mut self, signature: &NodeSignature) -> [Ref; 3] {
        let mut children = [no_ref(); 3];
        for (child, &sort) in children.iter_mut().zip(signature.operands()) {
            let id = self.child(sort);
            // Done at once, so that a node without a parent does not become both children of one node.
            self.candidates.take(id);
            *child = self.edge(id);
        }
        children
    }

    fn child(&mut self, sort: Sort) -> BtorNodeId {
        let choice = self.choice();
        match self.candidates.choose(sort, choice, &mut self.rng) {
            Some(id) => id,
            None => self.repaired(sort, choice.wish),
        }
    }

    /// From which nodes to choose the next child. The DAG tendency is "the probability of a node having more than one parent"
    /// (section 2.3.1): below 50, some children are chosen as in a tree; above 50, some are chosen among nodes with one parent.
    pub(crate) fn choice(&mut self) -> Choice {
        let wish = match self.config.dag {
            50 => Wish::Any,
            dag @ 0..50 if self.rng.percent(2 * (50 - dag)) => Wish::Lonely,
            dag @ 51.. if self.rng.percent(2 * (dag - 50)) => Wish::Shared,
            _ => Wish::Any,
        };
        Choice { wish, early: self.config.early }
    }

    /// A slice or an extension of some other node that has this sort.
    fn repaired(&mut self, sort: Sort, wish: Wish) -> BtorNodeId {
        let vectors = self.candidates.vectors();
        let (to, false) = (sort.width(), sort.is_array() || vectors.is_empty()) else {
            return self.add_variable(sort);
        };
        let mut from = self.rng.pick(vectors);
        if wish == Wish::Lonely {
            // The latest nodes are the most likely to have no parent.
            let mut latest = vectors.iter().rev().take(MAX_LOOKS);
            let other =
                |&&id: &&BtorNodeId| self.candidates.is_parentless(id) && self.dag.node(id).sort != sort;
            match latest.find(other) {
                Some(&id) => from = id,
                None => return self.add_variable(sort),
            }
        }
        let width = self.dag.node(from).sort.width();
        let (tag, signature) = if width > to {
            (Tag::Slice, slice(width, to, &mut self.rng))
        } else {
            (self.rng.pick(&[Tag::Uext, Tag::Sext]), extension(width, to))
        };
        let edge = self.edge(from);
        let node = self.node(tag, &signature, [edge, no_ref(), no_ref()]);
        self.add(node)
    }

    /// A node of this sort, or a new variable if there is no such node.
    pub(crate) fn child_or_variable(&mut self, sort: Sort) -> BtorNodeId {
        let choice = self.choice();
        match self.candidates.choose(sort, choice, &mut self.rng) {
            Some(id) => id,
            None => self.add_variable(sort),
        }
    }

    fn add_variable(&mut self, sort: Sort) -> BtorNodeId {
        let tag = if sort.is_array() { Tag::Array } else { Tag::Var };
        self.add_leaf(tag, sort)
    }
}
