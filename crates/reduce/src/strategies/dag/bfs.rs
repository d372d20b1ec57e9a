//! `bfs` ([Vida08] §4.3.1): every node once, the children of a node before their children.
//!
//! The thesis prints a recursive procedure without a mark on visited nodes, and states 3n asks at most; a node that is
//! shared must be marked for that, as `changeref` does.

use super::{Algorithm, Simplify, Trial};
use crate::{Engine, ReductionStop, SubjectFormat};
use nub_edits::dag::{Dag, DagNode, Graph};

pub(super) fn bfs<F>(engine: &mut Engine<'_, F>, simplify: Simplify) -> Result<(), ReductionStop>
where
    F: SubjectFormat,
    F::View: Dag,
{
    sweep(engine, Algorithm::Bfs.name(), simplify)
}

/// One traversal from the roots, under the name of the algorithm that asks for it.
pub(super) fn sweep<F>(
    engine: &mut Engine<'_, F>,
    name: &'static str,
    simplify: Simplify,
) -> Result<(), ReductionStop>
where
    F: SubjectFormat,
    F::View: Dag,
{
    let graph = Graph::new(engine.view());
    let mut trial = Trial::new(engine, name, simplify);
    let mut tried = vec![false; trial.view().n_nodes()];
    let mut stack: Vec<DagNode> = Vec::new();
    // Roots have no parent that would try them: if there are several, each may be removed.
    for &root in graph.roots().iter().rev() {
        if !trial.replace(&[root])? {
            stack.push(root);
        }
    }
    while let Some(node) = stack.pop() {
        let mut kept = Vec::new();
        for edge in graph.children(node) {
            if !std::mem::replace(&mut tried[edge.to.index()], true) && !trial.replace(&[edge.to])? {
                kept.push(edge.to);
            }
        }
        stack.extend(kept.into_iter().rev());
    }
    trial.end();
    Ok(())
}
