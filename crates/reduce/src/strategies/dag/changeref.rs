//! `changeref` and `changeref+` ([Vida08] §4.3.3, §4.3.4): edges that skip the middle of the graph.
//!
//! ```text
//! root -> and -> or -> xor -> a        root -> xor -> a
//! ```
//!
//! Each edge is pointed at other nodes of the same sort, deeper in the graph. `changeref` tries all, the deepest first:
//! quadratic on a chain of writes (fig. 4.5). `changeref+` tries the middle one, then the middle of the half nearer to the
//! root, and so on: n log n.

use super::{Algorithm, Simplify, Trial};
use crate::{Engine, ReductionStop, SubjectFormat};
use nub_edits::dag::{Dag, DagEdge, DagNode, Graph};
use std::cmp::Reverse;

pub(super) fn changeref<F>(engine: &mut Engine<'_, F>, simplify: Simplify) -> Result<(), ReductionStop>
where
    F: SubjectFormat,
    F::View: Dag,
{
    every_edge(engine, Algorithm::Changeref, simplify, |candidates| candidates.to_vec())
}

pub(super) fn changeref_plus<F>(engine: &mut Engine<'_, F>, simplify: Simplify) -> Result<(), ReductionStop>
where
    F: SubjectFormat,
    F::View: Dag,
{
    every_edge(engine, Algorithm::ChangerefPlus, simplify, towards_the_root)
}

/// The candidates that the binary search tries as long as it fails. They are sorted deepest first; the search starts
/// in the middle and continues in the less deep half.
fn towards_the_root(candidates: &[DagNode]) -> Vec<DagNode> {
    let mut rest = candidates;
    let mut met = Vec::new();
    while !rest.is_empty() {
        let middle = rest.len() / 2;
        met.push(rest[middle]);
        rest = &rest[middle + 1..];
    }
    met
}

/// Visits every node once from the roots and tries its edges, in the order that `pick` makes of the candidates.
fn every_edge<F>(
    engine: &mut Engine<'_, F>,
    algorithm: Algorithm,
    simplify: Simplify,
    pick: impl Fn(&[DagNode]) -> Vec<DagNode>,
) -> Result<(), ReductionStop>
where
    F: SubjectFormat,
    F::View: Dag,
{
    let mut graph = Graph::new(engine.view());
    let by_sort = nodes_by_sort(engine.view(), &graph);
    let mut trial = Trial::new(engine, algorithm.name(), simplify);
    let mut visited = vec![false; trial.view().n_nodes()];
    let mut stack: Vec<DagNode> = graph.roots().iter().rev().copied().collect();
    while let Some(node) = stack.pop() {
        if std::mem::replace(&mut visited[node.index()], true) {
            continue;
        }
        for index in 0..graph.children(node).len() {
            let edge = graph.children(node)[index];
            for to in pick(&deeper(trial.view(), &graph, &by_sort, edge.to)) {
                let target = DagEdge { to, negated: edge.negated };
                if trial.redirect(node, index, target)? {
                    graph.redirect(node, index, target);
                    break;
                }
            }
        }
        stack.extend(graph.children(node).iter().rev().map(|edge| edge.to));
    }
    trial.end();
    Ok(())
}

/// Reached nodes with their sorts, sorted by sort.
fn nodes_by_sort(view: &impl Dag, graph: &Graph) -> Vec<(u32, DagNode)> {
    let sorted = graph.pre_order().iter().filter_map(|&node| Some((view.sort(node)?, node)));
    let mut nodes: Vec<(u32, DagNode)> = sorted.collect();
    nodes.sort_unstable();
    nodes
}

/// Nodes of the same sort at a greater depth, the deepest first. They cannot create a cycle: every ancestor of a node
/// is less deep than the node.
fn deeper(view: &impl Dag, graph: &Graph, by_sort: &[(u32, DagNode)], child: DagNode) -> Vec<DagNode> {
    let (Some(sort), Some(depth)) = (view.sort(child), graph.depth(child)) else { return Vec::new() };
    let start = by_sort.partition_point(|(other, _)| *other < sort);
    let same = by_sort[start..].iter().take_while(|(other, _)| *other == sort).map(|(_, node)| *node);
    let mut nodes: Vec<DagNode> = same.filter(|&node| graph.depth(node) > Some(depth)).collect();
    nodes.sort_by_key(|&node| (Reverse(graph.depth(node)), node));
    nodes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_nearer_to_the_root() {
        let nodes: Vec<DagNode> = (0..8).map(DagNode).collect();
        assert_eq!(towards_the_root(&nodes), [DagNode(4), DagNode(6), DagNode(7)]);
        assert_eq!(towards_the_root(&[]), []);
    }
}
