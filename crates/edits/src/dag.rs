//! Subjects as graphs: the one view on which every algorithm of [Vida08] §4 works, be it BTOR, BTOR2 or the terms of
//! SMT-LIB.
//!
//! A [`Dag`] says what its nodes are and how to write the only two changes the algorithms make: a node becomes a leaf
//! ([`Dag::replace`]), or an edge points elsewhere ([`Dag::redirect`]). Depth, reachability and order are the same for
//! all formats ([`Graph`]), and so is `--simplify` ([`simplify`]).
//!
//! Changes are written together ([`Dag::write`]), because zeros are shared: "create a zero node for each bit-width" (§4.1.1 step
//! 4), and ones are a negated reference to it.

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
    /// For tables by node.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A reference to a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DagEdge {
    /// The node it points at.
    pub to: DagNode,
    /// The bitwise complement of the node is meant.
    pub negated: bool,
}

/// What a sub-graph is replaced by, in the order in which it is tried (§4.1.1: zero, `-zero`, a new variable).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Replacement {
    /// All bits zero; `false`. A root is cut.
    Zero,
    /// All bits one; `true`.
    Ones,
    /// A variable used nowhere else.
    Variable,
}

impl Replacement {
    /// The name of the pass that does it.
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

/// A change, and the declaration of the variable it brings if the format keeps declarations apart.
#[derive(Clone, Debug)]
pub struct DagSubstitution {
    /// The change.
    pub edit: Edit,
    /// A declaration, to be put at [`Dag::declaration_place`].
    pub declaration: Option<Vec<u8>>,
}

impl From<Edit> for DagSubstitution {
    fn from(edit: Edit) -> DagSubstitution {
        DagSubstitution { edit, declaration: None }
    }
}

/// A subject as a directed acyclic graph.
pub trait Dag {
    /// Whether an edge can say "complement". If not, it needs a node of its own.
    const NEGATED_EDGES: bool;

    /// Number of nodes, the unreachable ones included.
    fn n_nodes(&self) -> usize;

    /// What nothing refers to and everything hangs on: roots and properties, assertions; in order of place.
    fn roots(&self) -> Vec<DagNode>;

    /// The operands of a node, in order.
    fn children(&self, node: DagNode) -> Vec<DagEdge>;

    /// Equal numbers mean equal sorts. `None` if it is not known; roots have none.
    fn sort(&self, node: DagNode) -> Option<u32>;

    /// The node becomes a leaf. `None` if it is as simple as that already, or the sort has no such value. Each
    /// replacement of a node is simpler than the one after it in [`REPLACEMENTS`], and all are simpler than an
    /// operator, so replacing ends.
    fn replace(&self, node: DagNode, with: Replacement) -> Option<DagSubstitution>;

    /// The operand `index` of `parent` becomes `target`, a node of the same sort. `None` if it cannot stand there: it
    /// is defined later, or uses variables that are not visible.
    fn redirect(&self, parent: DagNode, index: usize, target: DagEdge) -> Option<Edit>;

    /// Changes together, as splices on the text, and the declarations they bring, to be put at [`Dag::declaration_place`]. What
    /// nothing refers to any more is still there. A place in `protected` (sorted) is not touched. Formats where constants are
    /// nodes share the zero of each sort; by default each change is written on its own.
    fn write(&self, changes: &Changes, protected: &[Span]) -> (MergedEdits, Vec<u8>)
    where
        Self: Sized,
    {
        changes.one_by_one(self, protected)
    }

    /// The operator, if there are rules for it.
    fn operator(&self, node: DagNode) -> Option<Operator>;

    /// The value, if the node is a constant of which the rules know.
    fn constant(&self, node: DagNode) -> Option<KnownConstant>;

    /// Where declarations of fresh variables go.
    fn declaration_place(&self) -> u32 {
        0
    }
}
