//! `lw` ([Vida08] §4.3.2): whole layers of the graph, from the root down.
//!
//! As printed, the procedure does not go deeper after a layer that cannot be replaced by a variable, and would try
//! the same layer forever; here the depth always increases.

use super::{Algorithm, Simplify, Trial, replaceable};
use crate::{Engine, ReductionStop, SubjectFormat};
use nub_edits::dag::{Dag, Graph};

pub(super) fn lw<F>(engine: &mut Engine<'_, F>, simplify: Simplify) -> Result<(), ReductionStop>
where
    F: SubjectFormat,
    F::View: Dag,
{
    let mut depth = 0;
    loop {
        let graph = Graph::new(engine.view());
        if depth > graph.max_depth() {
            return Ok(());
        }
        let layer = replaceable(engine.view(), &graph.level(depth));
        if !layer.is_empty() {
            let mut trial = Trial::new(engine, Algorithm::Lw.name(), simplify);
            trial.replace(&layer)?;
            trial.end();
        }
        depth += 1;
    }
}
