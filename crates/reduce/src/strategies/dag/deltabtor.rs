//! `deltabtor` ([Vida08] §4.2, fig. 4.3): halves partitions, without complements and without starting again.
//!
//! First everything but the roots, then the halves, and so on to single nodes: at most 6n asks.

use super::{Algorithm, Simplify, Trial, replaceable};
use crate::{Engine, ReductionStop, SubjectFormat};
use nub_edits::dag::{Dag, DagNode, Graph};

pub(super) fn deltabtor<F>(engine: &mut Engine<'_, F>, simplify: Simplify) -> Result<(), ReductionStop>
where
    F: SubjectFormat,
    F::View: Dag,
{
    let mut size = usize::MAX;
    loop {
        let graph = Graph::new(engine.view());
        let is_root = |node: &DagNode| graph.roots().len() == 1 && graph.roots().contains(node);
        let nodes: Vec<DagNode> =
            replaceable(engine.view(), graph.pre_order()).into_iter().filter(|node| !is_root(node)).collect();
        size = size.min(nodes.len());
        if size == 0 {
            return Ok(());
        }
        let mut trial = Trial::new(engine, Algorithm::Deltabtor.name(), simplify);
        for partition in nodes.chunks(size) {
            trial.replace(partition)?;
        }
        trial.end();
        if size == 1 {
            return Ok(());
        }
        size /= 2;
    }
}
