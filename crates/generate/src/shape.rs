//! Shape control (section 6): a given number of nodes in each layer, where a node's layer is its depth.
//!
//! A layer is filled before the next one is begun. Each of its nodes has one child in the layer below, which puts it into
//! this layer, and the others anywhere below. Nodes of the layer under construction cannot be chosen. If no node
//! has the required sort, a new leaf is used: a slice or an extension would be a node of a layer that is already full.

use crate::builder::Generator;
use crate::dag::no_ref;
use crate::kinds::{NodeSignature, OperatorGroup, OperatorKind};
use nub_btor::{BtorNodeId, Ref, Sort, Tag};

/// How often to draw a kind for a given child before falling back to `not` or an equality of arrays, which always fit.
const MAX_DRAWS: usize = 64;
/// How many layers in a row may fail to use any of the required kinds.
const MAX_IDLE_LAYERS: usize = 16;
/// How often to redraw a child that already has a parent, depending on the DAG tendency.
const MAX_REDRAWS: usize = 4;

impl Generator {
    /// Adds layers until there are enough nodes or layers, and everything that the options require exists.
    pub(crate) fn grow_in_layers(&mut self) {
        let mut below = self.first_layer();
        let mut n_idle = 0;
        for layer in 0.. {
            let is_full = self.dag.len() >= self.n_wanted_nodes() || self.max_depth >= self.config.depth;
            if is_full && (self.wanted.is_empty() || n_idle >= MAX_IDLE_LAYERS) {
                break;
            }
            let limits = &self.config.per_layer;
            let n_nodes = limits[layer.min(limits.len() - 1)];
            let n_wanted = self.wanted.len();
            below = self.add_layer(&below, n_nodes, is_full);
            n_idle = if self.wanted.len() < n_wanted { 0 } else { n_idle + 1 };
        }
    }

    fn first_layer(&mut self) -> Vec<BtorNodeId> {
        if self.dag.is_empty() {
            let width = self.random_width();
            self.add_leaf(Tag::Var, Sort::Bits(width));
        }
        (0..self.dag.len()).map(BtorNodeId::new).collect()
    }

    /// Adds a layer above the nodes `below`, and returns its nodes.
    fn add_layer(&mut self, below: &[BtorNodeId], n_nodes: u32, beyond: bool) -> Vec<BtorNodeId> {
        let mut layer = Vec::with_capacity(n_nodes as usize);
        for _ in 0..n_nodes {
            if !beyond && self.dag.len() >= self.n_wanted_nodes() && !layer.is_empty() {
                break;
            }
            let child = self.child_below(below);
            let (tag, signature, place) = self.fitting(child);
            let children = self.children_with(&signature, place, child);
            let node = self.node(tag, &signature, children);
            layer.push(self.add_hidden(node));
        }
        for &id in &layer {
            self.candidates.show(id, self.dag.node(id).sort);
        }
        layer
    }

    fn child_below(&mut self, below: &[BtorNodeId]) -> BtorNodeId {
        let mut child = self.rng.pick(below);
        for _ in 0..MAX_REDRAWS {
            if self.candidates.is_parentless(child) || self.rng.percent(self.config.dag) {
                break;
            }
            child = self.rng.pick(below);
        }
        child
    }

    /// An operator that accepts `child` as an operand, and at which position. Required kinds come first.
    fn fitting(&mut self, child: BtorNodeId) -> (Tag, NodeSignature, usize) {
        let sort = self.dag.node(child).sort;
        if let Some(&kind) = self.wanted.front() {
            if let Some((signature, place)) = self.fit(kind, sort) {
                self.wanted.pop_front();
                return (kind.tag, signature, place);
            }
            // It will be tried again later.
            self.wanted.rotate_left(1);
        }
        for _ in 0..MAX_DRAWS {
            let kind = self.rng.pick(&self.kinds);
            if let Some((signature, place)) = self.fit(kind, sort) {
                return (kind.tag, signature, place);
            }
        }
        let (group, tag) = if sort.is_array() {
            (OperatorGroup::ArrayCompare, Tag::Eq)
        } else {
            (OperatorGroup::Unary, Tag::Not)
        };
        (tag, group.signature(sort, &self.config, &mut self.rng), 0)
    }

    fn fit(&mut self, kind: OperatorKind, child: Sort) -> Option<(NodeSignature, usize)> {
        let OperatorKind { group, .. } = kind;
        let operand = match (group.is_on_arrays(), child) {
            (_, _) if group == OperatorGroup::Constant => return None,
            (true, Sort::Array { .. }) => child,
            (true, Sort::Bits(_)) if self.candidates.arrays().is_empty() => return None,
            (true, Sort::Bits(_)) => self.random_array(),
            (false, Sort::Array { .. }) => return None,
            (false, Sort::Bits(width)) if group.takes_width(width, &self.config) => child,
            // The child becomes the condition.
            (false, Sort::Bits(_)) => Sort::Bits(group.random_width(&self.config, &mut self.rng)),
        };
        let signature = group.signature(operand, &self.config, &mut self.rng);
        let places = signature.operands().iter().filter(|sort| **sort == child).count();
        let nth = self.rng.below(places as u32) as usize;
        let mut fitting = signature.operands().iter().enumerate().filter(|(_, sort)| **sort == child);
        let place = fitting.nth(nth)?.0;
        Some((signature, place))
    }

    fn children_with(&mut self, signature: &NodeSignature, place: usize, child: BtorNodeId) -> [Ref; 3] {
        let mut children = [no_ref(); 3];
        self.candidates.take(child);
        for (idx, &sort) in signature.operands().iter().enumerate() {
            let id = if idx == place { child } else { self.child_or_leaf(sort) };
            self.candidates.take(id);
            children[idx] = self.edge(id);
        }
        children
    }

    fn child_or_leaf(&mut self, sort: Sort) -> BtorNodeId {
        let choice = self.choice();
        match self.candidates.choose(sort, choice, &mut self.rng) {
            Some(id) => id,
            None if sort.is_array() => self.add_leaf(Tag::Array, sort),
            None if self.rng.percent(50) => self.constant(Tag::Const, sort.width()),
            None => self.add_leaf(Tag::Var, sort),
        }
    }
}
