//! Hierarchical delta debugging ([Vida08] §4.1.2 to §4.1.4): `ddmin` on one level of the graph after another.
//!
//! A node is pruned as a whole sub-graph, not as one reference to it. The level of a node is its depth, the longest path
//! from a root. `hdd+` continues with `bfs` while that succeeds, `hdd*` repeats `hdd` while that succeeds.

use super::ddmin::minimise;
use super::{Algorithm, Simplify, bfs, while_smaller};
use crate::{Engine, ReductionStop, SubjectFormat};
use nub_edits::dag::{Dag, Graph};

pub(super) fn hdd<F>(engine: &mut Engine<'_, F>, simplify: Simplify) -> Result<(), ReductionStop>
where
    F: SubjectFormat,
    F::View: Dag,
{
    levels(engine, Algorithm::Hdd.name(), simplify)
}

pub(super) fn hdd_plus<F>(engine: &mut Engine<'_, F>, simplify: Simplify) -> Result<(), ReductionStop>
where
    F: SubjectFormat,
    F::View: Dag,
{
    let name = Algorithm::HddPlus.name();
    levels(engine, name, simplify)?;
    while_smaller(engine, |engine| bfs::sweep(engine, name, simplify))
}

pub(super) fn hdd_star<F>(engine: &mut Engine<'_, F>, simplify: Simplify) -> Result<(), ReductionStop>
where
    F: SubjectFormat,
    F::View: Dag,
{
    while_smaller(engine, |engine| levels(engine, Algorithm::HddStar.name(), simplify))
}

fn levels<F>(engine: &mut Engine<'_, F>, name: &'static str, simplify: Simplify) -> Result<(), ReductionStop>
where
    F: SubjectFormat,
    F::View: Dag,
{
    let mut level = 0;
    while level <= Graph::new(engine.view()).max_depth() {
        minimise(engine, name, simplify, |graph| graph.level(level))?;
        level += 1;
    }
    Ok(())
}
