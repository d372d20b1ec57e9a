//! Subjects as graphs: the view on which every algorithm of [Vida08] §4 works, whether the format is BTOR, BTOR2 or the terms of
//! SMT-LIB.
//!
//! A [`Dag`] defines its nodes and how to write the only two changes that the algorithms make: a node becomes a leaf
//! ([`Dag::replace`]), or an edge is redirected ([`Dag::redirect`]). Depth, reachability and order are the same for
//! all formats ([`Graph`]), and so is `--simplify` ([`simplify`]).
//!
//! Changes are written together ([`Dag::write`]), because zeros are shared: "create a zero node for each bit-width" (§4.1.1 step
//! 4), and all ones is a negated reference to it.

mod changes;
mod graph;
mod rules;
mod simplify;

pub use changes::{Changes, is_free};

pub use graph::{Depth, Graph};
pub use rules::{KnownConstant, Operator, RuleOutcome, outcome};
pub use simplify::simplify;

use crate::{Edit, MergedEdits};
use nub_text::Span;

/// A node of a graph: a number below [`Dag::n_nodes`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct DagNode(pub u32);

impl DagNode {
    /// Its index in tables by node.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A reference to a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DagEdge {
    /// The node it points at.
    pub to: DagNode,
    /// True if the bitwise complement of the node is meant.
    pub negated: bool,
}

/// What replaces a subgraph, in the order in which they are tried (§4.1.1: zero, `-zero`, a new variable).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Replacement {
    /// All bits zero; `false`. A root is removed instead.
    Zero,
    /// All bits one; `true`.
    Ones,
    /// A variable used nowhere else.
    Variable,
}

impl Replacement {
    /// The name of the pass that uses it.
    pub fn pass(self) -> &'static str {
        match self {
            Replacement::Zero => "zeros",
            Replacement::Ones => "ones",
            Replacement::Variable => "variables",
        }
    }
}

/// All replacements, in their order.
pub const REPLACEMENTS: [Replacement; 3] = [Replacement::Zero, Replacement::Ones, Replacement::Variable];

/// A change and, if the format has separate declarations, the declaration of its new variable.
#[derive(Clone, Debug)]
pub struct DagSubstitution {
    /// The change.
    pub edit: Edit,
    /// A declaration, to be inserted at [`Dag::declaration_place`].
    pub declaration: Option<Vec<u8>>,
}

impl From<Edit> for DagSubstitution {
    fn from(edit: Edit) -> DagSubstitution {
        DagSubstitution { edit, declaration: None }
    }
}

/// A subject as a directed acyclic graph.
pub trait Dag {
    /// Whether an edge can express a complement. If not, the complement needs its own node.
    const NEGATED_EDGES: bool;

    /// Number of nodes, including unreachable ones.
    fn n_nodes(&self) -> usize;

    /// The nodes that nothing refers to and that keep all others alive: roots and properties, assertions; in the order of the text.
    fn roots(&self) -> Vec<DagNode>;

    /// The operands of a node, in order.
    fn children(&self, node: DagNode) -> Vec<DagEdge>;

    /// Equal numbers mean equal sorts. `None` if the sort is unknown; roots have none.
    fn sort(&self, node: DagNode) -> Option<u32>;

    /// Turns the node into a leaf. `None` if it is already that simple, or the sort has no such value. Each
    /// replacement of a node is simpler than the one after it in [`REPLACEMENTS`], and all are simpler than an
    /// operator, so repeated replacement terminates.
    fn replace(&self, node: DagNode, with: Replacement) -> Option<DagSubstitution>;

    /// Replaces operand `index` of `parent` by `target`, a node of the same sort. `None` if it cannot be used there: it
    /// is defined later, or uses variables that are not visible.
    fn redirect(&self, parent: DagNode, index: usize, target: DagEdge) -> Option<Edit>;

    /// Writes changes together, as splices on the text, and returns the declarations that they need, to be inserted at
    /// [`Dag::declaration_place`]. Nodes that are no longer used are not removed. Spans in `protected` (sorted) are not touched.
    /// Formats where constants are nodes share the zero of each sort; by default each change is written separately.
    fn write(&self, changes: &Changes, protected: &[Span]) -> (MergedEdits, Vec<u8>)
    where
        Self: Sized,
    {
        changes.one_by_one(self, protected)
    }

    /// The operator, if there are rules for it.
    fn operator(&self, node: DagNode) -> Option<Operator>;

    /// The value, if the node is a constant that the rules know.
    fn constant(&self, node: DagNode) -> Option<KnownConstant>;

    /// Where to insert declarations of fresh variables.
    fn declaration_place(&self) -> u32 {
        0
    }
}
