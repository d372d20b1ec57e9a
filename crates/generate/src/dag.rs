//! The generated graph: one compact record per node, children first.
//!
//! This is not `nub_btor::BtorModel`: that one serves readers and translators, this one is built and printed a hundred
//! thousand times per second, in buffers that are reused. [`crate::to_model`] converts it.

use nub_bitvec::Value;
use nub_btor::{BtorNodeId, LineShape, Ref, Sort, Tag, WidthRule};

/// Fills unused entries of [`FormulaNode::children`].
#[inline]
pub(crate) fn no_ref() -> Ref {
    Ref::from(BtorNodeId::new(0))
}

/// One node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FormulaNode {
    /// Its operator.
    pub tag: Tag,
    /// Its sort.
    pub sort: Sort,
    /// The first [`FormulaNode::arity`] of these are its children.
    pub children: [Ref; 3],
    /// Upper and lower bound of a slice, number of added bits of an extension, index of a constant in [`FormulaDag::values`].
    pub params: [u32; 2],
}

impl FormulaNode {
    /// How many children it has.
    #[inline]
    pub fn arity(&self) -> usize {
        arity(self.tag)
    }

    /// Its children.
    #[inline]
    pub fn edges(&self) -> &[Ref] {
        &self.children[..self.arity()]
    }

    /// True for nodes that only change a width; they are avoided as children.
    #[inline]
    pub fn is_extension(&self) -> bool {
        matches!(self.tag, Tag::Slice | Tag::Uext | Tag::Sext)
    }
}

/// How many children an operator has.
#[inline]
pub fn arity(tag: Tag) -> usize {
    match tag.op().shape {
        LineShape::Nodes(n) => usize::from(n),
        LineShape::Slice | LineShape::Extend => 1,
        LineShape::Indexed => 3,
        _ => 0,
    }
}

/// The initial and the next value of a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FormulaState {
    /// The leaf that is the state.
    pub node: BtorNodeId,
    /// Its initial value: a constant that is defined before the state.
    pub init: Option<BtorNodeId>,
    /// Its next value.
    pub next: Option<Ref>,
}

/// A formula, or a transition system if it has states.
#[derive(Clone, Default, Debug)]
pub struct FormulaDag {
    /// All nodes, children first.
    pub nodes: Vec<FormulaNode>,
    /// The bits of `const`, `constd` and `consth`.
    pub values: Vec<Value>,
    /// The one-bit node that is asserted; in a system with states, the bad state.
    pub root: Option<Ref>,
    /// What holds in every step of a system.
    pub constraints: Vec<Ref>,
    /// Leaves that are states.
    pub states: Vec<FormulaState>,
    /// Variables of the CNF layer, if there is one.
    pub n_cnf_vars: u32,
    /// Clauses of the CNF layer.
    pub n_clauses: u32,
}

impl FormulaDag {
    /// Removes all nodes, but keeps the memory.
    pub(crate) fn clear(&mut self) {
        self.nodes.clear();
        self.values.clear();
        self.root = None;
        self.constraints.clear();
        self.states.clear();
        (self.n_cnf_vars, self.n_clauses) = (0, 0);
    }

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// True if nothing has been generated.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The id that the next node gets.
    pub(crate) fn next_id(&self) -> BtorNodeId {
        BtorNodeId::new(self.nodes.len())
    }

    /// The record of a node.
    #[inline]
    pub fn node(&self, id: BtorNodeId) -> &FormulaNode {
        &self.nodes[id.index()]
    }

    /// Appends a node; its children must already exist.
    #[inline]
    pub(crate) fn push(&mut self, node: FormulaNode) -> BtorNodeId {
        let id = self.next_id();
        debug_assert!(node.edges().iter().all(|edge| edge.node() < id));
        self.nodes.push(node);
        id
    }

    /// Appends a leaf.
    pub(crate) fn push_leaf(&mut self, tag: Tag, sort: Sort) -> BtorNodeId {
        self.push(FormulaNode { tag, sort, children: [no_ref(); 3], params: [0; 2] })
    }

    /// Appends an operator without numbers.
    pub(crate) fn push_op(&mut self, tag: Tag, sort: Sort, edges: &[Ref]) -> BtorNodeId {
        let mut children = [no_ref(); 3];
        children[..edges.len()].copy_from_slice(edges);
        self.push(FormulaNode { tag, sort, children, params: [0; 2] })
    }

    /// The bits of a constant of any kind; `None` if the node is not one.
    pub fn constant(&self, id: BtorNodeId) -> Option<Value> {
        let node = self.node(id);
        Some(match node.tag {
            Tag::Zero => Value::zero(node.sort.width()),
            Tag::One => Value::one(node.sort.width()),
            Tag::Ones => Value::ones(node.sort.width()),
            tag if tag.rule() == WidthRule::Constant => self.values[node.params[0] as usize].clone(),
            _ => return None,
        })
    }
}
