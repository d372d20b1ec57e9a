//! Which node is asked next, and what follows from the answers.

use nub_edits::dag::{Dag, DagNode, Graph, Operator, Replacement};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A node that may be removed, and what replaces it.
#[derive(Clone, Copy)]
pub(super) struct Test {
    pub(super) node: DagNode,
    pub(super) with: Replacement,
    pub(super) rank: Rank,
}

/// The rank of a node among the undecided operands of its parent.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Rank {
    Tallest,
    Lowest,
    Only,
}

/// Which of several operands is asked first.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum First {
    Tallest,
    Lowest,
}

/// What is known about a node.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Status {
    Open,
    /// It was replaced by a leaf.
    Cut,
    /// Needed: it was asked and cannot be replaced.
    Kept,
    /// Assumed to be needed, without an ask.
    Assumed,
}

impl Status {
    fn stays(self) -> bool {
        matches!(self, Status::Kept | Status::Assumed)
    }
}

/// The graph of the parsed subject.
pub(super) struct Shape {
    graph: Graph,
    parents: Vec<Vec<DagNode>>,
    /// Operands that are not leaves, the lowest first.
    operands: Vec<Vec<DagNode>>,
    /// The replacement of a node under its first parent; `None` for leaves and nodes that must stay.
    with: Vec<Option<Replacement>>,
}

impl Shape {
    /// O(nodes + edges), plus sorting.
    pub(super) fn new(view: &impl Dag) -> Shape {
        let graph = Graph::new(view);
        let n_nodes = view.n_nodes();
        let (mut parents, mut with) = (vec![Vec::new(); n_nodes], vec![None; n_nodes]);
        let mut seen = vec![false; n_nodes];
        for &node in graph.pre_order() {
            for (index, edge) in graph.children(node).iter().enumerate() {
                parents[edge.to.index()].push(node);
                // Decided at the first edge to a node, not at every edge: a constant may have very many.
                if !std::mem::replace(&mut seen[edge.to.index()], true) {
                    let wanted = neutral(view.operator(node), index, edge.negated);
                    let can_be = |with: &Replacement| view.replace(edge.to, *with).is_some();
                    with[edge.to.index()] = [wanted, Replacement::Variable].into_iter().find(can_be);
                }
            }
        }
        let height = heights(&graph, n_nodes);
        for (node, with) in with.iter_mut().enumerate() {
            // Replacing a leaf by another leaf gains nothing here.
            *with = with.filter(|_| height[node] > 0);
        }
        let mut operands = vec![Vec::new(); n_nodes];
        for &node in graph.pre_order() {
            let children = graph.children(node).iter().map(|edge| edge.to);
            let mut inner: Vec<DagNode> = children.filter(|to| with[to.index()].is_some()).collect();
            inner.sort_unstable_by_key(|to| (height[to.index()], *to));
            inner.dedup();
            operands[node.index()] = inner;
        }
        Shape { graph, parents, operands, with }
    }

    fn operands(&self, node: DagNode) -> &[DagNode] {
        &self.operands[node.index()]
    }

    fn parents(&self, node: DagNode) -> &[DagNode] {
        &self.parents[node.index()]
    }

    fn test(&self, node: DagNode, rank: Rank) -> Option<Test> {
        Some(Test { node, with: self.with[node.index()]?, rank })
    }
}

/// The length of the longest path down from each node.
fn heights(graph: &Graph, n_nodes: usize) -> Vec<u32> {
    let mut by_depth = graph.pre_order().to_vec();
    by_depth.sort_by_key(|&node| Reverse(graph.depth(node)));
    let mut height = vec![0; n_nodes];
    for node in by_depth {
        let below = graph.children(node).iter().map(|edge| height[edge.to.index()] + 1);
        height[node.index()] = below.max().unwrap_or(0);
    }
    height
}

/// The neutral constant of an operator: with it, the result depends only on the other operands.
fn neutral(operator: Option<Operator>, index: usize, negated: bool) -> Replacement {
    let is_ones = match operator {
        Some(Operator::And | Operator::Nand | Operator::Eq) => true,
        Some(Operator::Implies) => index == 0,
        _ => false,
    };
    if is_ones == negated { Replacement::Zero } else { Replacement::Ones }
}

/// The progress of the descent.
#[derive(Clone)]
pub(super) struct Frontier {
    pub(super) first: First,
    status: Vec<Status>,
    /// Nodes that stay and whose operands are not all decided, by depth.
    open: BinaryHeap<Reverse<(u32, DagNode)>>,
    /// Nodes all of whose operands are decided.
    is_left: Vec<bool>,
    /// Nodes that were assumed to be needed although nothing below them is.
    doubtful: Vec<DagNode>,
}

impl Frontier {
    pub(super) fn new(shape: &Shape) -> Frontier {
        let n_nodes = shape.parents.len();
        let mut frontier = Frontier {
            first: First::Tallest,
            status: vec![Status::Open; n_nodes],
            open: BinaryHeap::new(),
            is_left: vec![false; n_nodes],
            doubtful: Vec::new(),
        };
        for &root in shape.graph.roots() {
            frontier.decide(shape, root, Status::Kept);
        }
        frontier
    }

    /// The next node to ask; the same one again until it is decided.
    pub(super) fn next(&mut self, shape: &Shape) -> Option<Test> {
        loop {
            if let Some(&node) = self.doubtful.last() {
                if self.status(node) == Status::Assumed && self.is_reached(shape, node) {
                    return shape.test(node, Rank::Only);
                }
                self.doubtful.pop();
                continue;
            }
            let &Reverse((_, node)) = self.open.peek()?;
            let operands = shape.operands(node).iter().copied();
            let rest: Vec<DagNode> = operands.clone().filter(|&to| self.status(to) == Status::Open).collect();
            let is_needed = self.status(node).stays() && self.is_reached(shape, node);
            match rest[..] {
                [.., last] if is_needed && rest.len() > 1 && self.first == First::Tallest => {
                    return shape.test(last, Rank::Tallest);
                }
                [first, _, ..] if is_needed => return shape.test(first, Rank::Lowest),
                [last] if is_needed && operands.clone().any(|to| self.status(to).stays()) => {
                    return shape.test(last, Rank::Only);
                }
                [last] if is_needed => self.decide(shape, last, Status::Assumed),
                _ => {
                    self.open.pop();
                    self.leave(shape, node);
                }
            }
        }
    }

    /// Records what is known about a node.
    pub(super) fn decide(&mut self, shape: &Shape, node: DagNode, status: Status) {
        let was_assumed = self.status(node) == Status::Assumed;
        self.status[node.index()] = status;
        if status != Status::Cut && !was_assumed {
            self.open.push(Reverse((shape.graph.depth(node).unwrap_or(0), node)));
        }
        if status == Status::Cut && was_assumed {
            for &by in shape.parents(node) {
                if self.is_left[by.index()] {
                    self.leave(shape, by);
                }
            }
        }
    }

    /// Called when all operands of a node are decided.
    fn leave(&mut self, shape: &Shape, node: DagNode) {
        self.is_left[node.index()] = true;
        let all_went = shape.operands(node).iter().all(|&to| self.status(to) == Status::Cut);
        if all_went && self.status(node) == Status::Assumed {
            self.doubtful.push(node);
        }
    }

    fn status(&self, node: DagNode) -> Status {
        self.status[node.index()]
    }

    fn is_reached(&self, shape: &Shape, node: DagNode) -> bool {
        let parents = shape.parents(node);
        parents.is_empty() || parents.iter().any(|&by| self.status(by).stays())
    }
}
