//! Edges in one array, depth and order: what the algorithms query most often.

use super::{Dag, DagEdge, DagNode};

/// The length of the longest path from a root; `None` if the node is not reached (§4.3.2).
pub type Depth = Option<u32>;

/// The edges of a [`Dag`], which an algorithm may redirect while it runs. Building it costs O(nodes + edges).
pub struct Graph {
    /// Edges of node i: `edges[first[i]..first[i + 1]]`.
    edges: Vec<DagEdge>,
    first: Vec<u32>,
    roots: Vec<DagNode>,
    /// Roots first, children in order; every reached node once.
    pre_order: Vec<DagNode>,
    depth: Vec<Depth>,
}

impl Graph {
    /// The graph of a subject.
    pub fn new(dag: &impl Dag) -> Graph {
        let mut edges = Vec::new();
        let mut first = vec![0];
        for node in 0..dag.n_nodes() as u32 {
            edges.extend(dag.children(DagNode(node)));
            first.push(edges.len() as u32);
        }
        let mut graph = Graph { edges, first, roots: dag.roots(), pre_order: Vec::new(), depth: Vec::new() };
        graph.measure();
        graph
    }

    /// The operands of a node.
    pub fn children(&self, node: DagNode) -> &[DagEdge] {
        &self.edges[self.first[node.index()] as usize..self.first[node.index() + 1] as usize]
    }

    /// The roots.
    pub fn roots(&self) -> &[DagNode] {
        &self.roots
    }

    /// Reached nodes in preorder: "traverse the DAG using DFS thereby numbering nodes ascendingly" (§4.1.1).
    pub fn pre_order(&self) -> &[DagNode] {
        &self.pre_order
    }

    /// Depth of a node.
    pub fn depth(&self, node: DagNode) -> Depth {
        self.depth[node.index()]
    }

    /// Reached nodes of one depth, in preorder.
    pub fn level(&self, depth: u32) -> Vec<DagNode> {
        self.pre_order.iter().copied().filter(|&node| self.depth(node) == Some(depth)).collect()
    }

    /// The greatest depth.
    pub fn max_depth(&self) -> u32 {
        self.depth.iter().flatten().copied().max().unwrap_or(0)
    }

    /// Redirects an edge and recomputes order and depth: O(nodes + edges).
    pub fn redirect(&mut self, parent: DagNode, index: usize, target: DagEdge) {
        self.edges[self.first[parent.index()] as usize + index] = target;
        self.measure();
    }

    /// Removes a node's edges: it has become a leaf. Call [`Graph::measure`] after the last cut.
    pub fn cut(&mut self, node: DagNode) {
        // A removed edge points from a node to itself; such edges are skipped.
        let range = self.first[node.index()] as usize..self.first[node.index() + 1] as usize;
        self.edges[range].fill(DagEdge { to: node, negated: false });
    }

    /// Computes order and depth by one walk with an explicit stack.
    pub fn measure(&mut self) {
        let n_nodes = self.first.len() - 1;
        let post_order = self.walk(n_nodes);
        self.depth = vec![None; n_nodes];
        for &root in &self.roots {
            self.depth[root.index()] = Some(0);
        }
        // Parents come before children in reversed postorder, so one sweep finds the longest paths.
        for &node in post_order.iter().rev() {
            let Some(depth) = self.depth[node.index()] else { continue };
            for at in self.first[node.index()]..self.first[node.index() + 1] {
                let to = self.edges[at as usize].to;
                if to != node {
                    let known = &mut self.depth[to.index()];
                    *known = (*known).max(Some(depth + 1));
                }
            }
        }
    }

    /// Fills `pre_order` and returns the postorder.
    fn walk(&mut self, n_nodes: usize) -> Vec<DagNode> {
        let mut seen = vec![false; n_nodes];
        let (mut pre_order, mut post_order) = (Vec::new(), Vec::new());
        for &root in &self.roots {
            let mut stack = vec![(root, 0)];
            if std::mem::replace(&mut seen[root.index()], true) {
                continue;
            }
            pre_order.push(root);
            while let Some((node, next)) = stack.pop() {
                match self.children(node).get(next) {
                    None => post_order.push(node),
                    Some(&edge) => {
                        stack.push((node, next + 1));
                        if !std::mem::replace(&mut seen[edge.to.index()], true) {
                            pre_order.push(edge.to);
                            stack.push((edge.to, 0));
                        }
                    }
                }
            }
        }
        self.pre_order = pre_order;
        post_order
    }
}
