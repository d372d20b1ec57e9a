//! `ddmin` for graphs ([Vida08] §4.1.1, the numbered algorithm).
//!
//! The nodes, numbered depth first, are divided into partitions. Each partition is tried; if none can be
//! replaced, the complements are tried; then the number of partitions is doubled. After a success it starts again
//! with few partitions.
//!
//! The thesis prints `max(current DAG size, 2 * partitions)` in step 5; only `min` makes sense there. With two
//! partitions each is the complement of the other and complements are skipped, as fig. 4.1 does. It says nothing about a
//! graph of one node; here that node is tried.
//!
//! Up to O(n²) asks for each of the three replacements.

use super::{Algorithm, Simplify, Trial, replaceable};
use crate::{Engine, ReductionStop, SubjectFormat};
use nub_edits::dag::{Dag, DagNode, Graph};

pub(super) fn ddmin<F>(engine: &mut Engine<'_, F>, simplify: Simplify) -> Result<(), ReductionStop>
where
    F: SubjectFormat,
    F::View: Dag,
{
    let name = Algorithm::Ddmin.name();
    minimise(engine, name, simplify, |graph| graph.pre_order().to_vec())
}

/// Replaces as many as possible of the nodes that `pick` finds in the current graph.
pub(super) fn minimise<F>(
    engine: &mut Engine<'_, F>,
    name: &'static str,
    simplify: Simplify,
    pick: impl Fn(&Graph) -> Vec<DagNode>,
) -> Result<(), ReductionStop>
where
    F: SubjectFormat,
    F::View: Dag,
{
    let mut n_partitions = 1;
    let mut has_asked = false;
    loop {
        let nodes = replaceable(engine.view(), &pick(&Graph::new(engine.view())));
        if nodes.is_empty() || (n_partitions >= nodes.len() && has_asked) {
            return Ok(());
        }
        n_partitions = nodes.len().min(2 * n_partitions);
        has_asked = true;
        let mut trial = Trial::new(engine, name, simplify);
        let succeeded = any_partition(&mut trial, &nodes, n_partitions)?
            || (n_partitions > 2 && any_complement(&mut trial, &nodes, n_partitions)?);
        trial.end();
        if succeeded {
            (n_partitions, has_asked) = (1, false);
        }
    }
}

/// Steps 5 and 6: the first partition that can be replaced.
fn any_partition<F>(
    trial: &mut Trial<'_, '_, F>,
    nodes: &[DagNode],
    n_partitions: usize,
) -> Result<bool, ReductionStop>
where
    F: SubjectFormat,
    F::View: Dag,
{
    for partition in partitions(nodes, n_partitions) {
        if trial.replace(partition)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Step 7: all nodes but one partition.
fn any_complement<F>(
    trial: &mut Trial<'_, '_, F>,
    nodes: &[DagNode],
    n_partitions: usize,
) -> Result<bool, ReductionStop>
where
    F: SubjectFormat,
    F::View: Dag,
{
    let mut start = 0;
    for kept in partitions(nodes, n_partitions) {
        let complement = [&nodes[..start], &nodes[start + kept.len()..]].concat();
        start += kept.len();
        if trial.replace(&complement)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Parts of nearly equal size, the larger ones first.
fn partitions(nodes: &[DagNode], n_partitions: usize) -> impl Iterator<Item = &[DagNode]> {
    let (size, n_larger) = (nodes.len() / n_partitions, nodes.len() % n_partitions);
    (0..n_partitions).map(move |i| {
        let start = i * size + i.min(n_larger);
        &nodes[start..start + size + usize::from(i < n_larger)]
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_cover_everything_once() {
        let nodes: Vec<DagNode> = (0..10).map(DagNode).collect();
        let parts: Vec<usize> = partitions(&nodes, 4).map(<[DagNode]>::len).collect();
        assert_eq!(parts, [3, 3, 2, 2]);
        assert!(partitions(&nodes, 4).flatten().copied().eq(nodes.iter().copied()));
    }
}
