//! Choosing children (section 2.3).
//!
//! Nodes of the right sort come first, those without a parent before the others, depending on the DAG tendency; slices and
//! extensions are avoided. If no node has the width, any node is taken, and a slice or an extension is put in between:
//!
//! ```text
//! 7 add 4 ? 2         no node has 4 bits, node 3 has 2     7 uext 4 3 2
//!                                                          8 add 4 7 2
//! ```

use crate::builder::Generator;
use crate::dag::no_ref;
use crate::kinds::{Signature, extension, slice};
use nub_btor::{NodeId, Ref, Sort, Tag};

impl Generator {
    /// Children for all operands.
    pub(crate) fn children(&mut self, signature: &Signature) -> [Ref; 3] {
        let mut children = [no_ref(); 3];
        for (child, &sort) in children.iter_mut().zip(signature.operands()) {
            let id = self.child(sort);
            // At once, so that a lonely node does not become both children of one parent.
            self.candidates.take(id);
            *child = self.edge(id);
        }
        children
    }

    fn child(&mut self, sort: Sort) -> NodeId {
        match self.candidates.choose(sort, self.config.choice(), &mut self.rng) {
            Some(id) => id,
            None => self.repaired(sort),
        }
    }

    /// A slice or an extension of some other node, with this sort.
    fn repaired(&mut self, sort: Sort) -> NodeId {
        let vectors = self.candidates.vectors();
        let (to, false) = (sort.width(), sort.is_array() || vectors.is_empty()) else {
            return self.add_variable(sort);
        };
        let from = self.rng.pick(vectors);
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

    /// A node of this sort, or a new variable if there is none.
    pub(crate) fn child_or_variable(&mut self, sort: Sort) -> NodeId {
        match self.candidates.choose(sort, self.config.choice(), &mut self.rng) {
            Some(id) => id,
            None => self.add_variable(sort),
        }
    }

    fn add_variable(&mut self, sort: Sort) -> NodeId {
        let tag = if sort.is_array() { Tag::Array } else { Tag::Var };
        self.add_leaf(tag, sort)
    }
}
