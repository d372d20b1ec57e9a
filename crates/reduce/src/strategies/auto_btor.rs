//! `auto` for BTOR and BTOR2.
//!
//! Properties first, then nodes by what hangs on them alone, each size by zero, by a node below, by ones, by a variable;
//! then narrower widths, and what merges nodes and shortens lines. Rounds repeat until nothing changes; a last round asks
//! again what failed on a larger file; then ids are made dense and lines put in order.

use super::dag::{Algorithm, Simplify, n_nodes, run};
use super::rounds::{all, to_fixpoint};
use crate::btor::Btor;
use crate::{Engine, Stop};
use nub_edits::Pass;
use nub_edits::btor::{
    Band, View, bound::Bound, constants::Constants, hoist::Hoist, justice::Justice, literals::Literals,
    merge_nodes::MergeNodes, merge_sorts::MergeSorts, negations::Negations, operands::Operands,
    operators::Operators, properties::Properties, renumber::Renumber, reorder::Reorder, states::States,
    tidy::Tidy, unused::Unused, widths::Widths,
};
use nub_edits::dag::Replacement;

type Auto<'e> = Engine<'e, Btor>;

/// Nodes from which on a graph is large.
const LARGE: usize = 64;
/// Nodes that take along at most this many lines form the last band.
const LAST_BAND: usize = 3;

/// Reduces to a fixpoint of all passes, at which every edit has been asked on the final file but for its ids.
pub fn auto_btor(engine: &mut Auto<'_>) -> Result<(), Stop> {
    engine.pass(&Tidy::Comments)?;
    all(engine, PROPERTIES)?;
    opening(engine)?;
    to_fixpoint(engine, round)?;
    // Last, since other ids make all candidates new to the cache.
    all(engine, &[&Renumber, &Reorder::MostUsedFirst, &Reorder::Alphabet])?;
    Ok(())
}

/// Two cheap walks over a large graph take most of it away: edges to the depths, then every node once from the roots.
fn opening(engine: &mut Auto<'_>) -> Result<(), Stop> {
    for algorithm in [Algorithm::ChangerefPlus, Algorithm::Bfs] {
        if n_nodes(engine.view()) >= LARGE {
            run(engine, algorithm, Simplify::Off)?;
        }
    }
    Ok(())
}

fn round(engine: &mut Auto<'_>) -> Result<bool, Stop> {
    let mut changed = all(engine, PROPERTIES)?;
    changed |= nodes(engine)?;
    changed |= all(engine, SHAPE)?;
    changed |= engine.pass(&Hoist { band: Band::ALL })?;
    changed |= engine.pass(&Constants { band: Band::ALL, with: Replacement::Variable })?;
    Ok(changed)
}

/// What everything hangs on.
const PROPERTIES: &[&dyn Pass<View>] =
    &[&Properties::Roots, &Justice, &Properties::Assignments, &Bound, &Unused];

/// What acts on few lines at a time.
const SHAPE: &[&dyn Pass<View>] = &[
    &Widths::Whole,
    &Widths::Classes,
    &MergeSorts,
    &MergeNodes::Equal,
    &States,
    &MergeNodes::Leaves,
    &Operands,
    &Negations,
    &Operators,
    &Literals,
    &Tidy::Symbols,
    &Tidy::Comments,
];

/// Nodes, from those that take most along to the smallest.
fn nodes(engine: &mut Auto<'_>) -> Result<bool, Stop> {
    let mut changed = false;
    let mut max = engine.view().file().lines().len();
    while max > 0 {
        let min = if max <= LAST_BAND { 1 } else { max / 2 + 1 };
        let band = Band { max, min };
        changed |= engine.pass(&Constants { band, with: Replacement::Zero })?;
        changed |= engine.pass(&Constants { band, with: Replacement::Ones })?;
        if min == 1 {
            break;
        }
        max = (max / 2).min(engine.view().file().lines().len());
    }
    Ok(changed)
}
