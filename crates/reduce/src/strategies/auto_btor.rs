//! `auto` for BTOR and BTOR2.
//!
//! Four stages, each on the small rest that the previous one leaves:
//!
//! 1. properties, and a descent from the roots that turns unneeded nodes into leaves ([`super::dag::descend`]): about one ask per
//!    node that stays;
//! 2. edits of many nodes at once, with few asks: widths, equal nodes, operators that constants have made superfluous;
//! 3. single edits: nodes replaced by others, operands, operators, signs;
//! 4. edits that seldom succeed. After any success it starts again at 2.
//!
//! An edit that would remove everything that a failed one removed is not asked: if a node cannot become a leaf, nor can a node that
//! is its only user; if a node cannot be replaced by the next node below it, it cannot be replaced by deeper ones either. That is
//! true for failures that need a structure. Where signs matter it need not be, and stage 4 asks more.
//!
//! At the end, ids are renumbered without gaps and lines are sorted.

use super::dag::descend;
use super::rounds::all;
use super::schemes::{Coarsely, Singly};
use crate::btor::Btor;
use crate::{Engine, ReductionStop};
use nub_edits::Pass;
use nub_edits::btor::{
    BtorBand, BtorView,
    absorb::Absorb,
    bound::Bound,
    bypass::BtorBypass,
    constants::BtorConstants,
    equalities::Equalities,
    hoist::{BtorHoist, HoistReach},
    justice::Justice,
    literals::BtorLiterals,
    merge_nodes::MergeNodes,
    merge_sorts::MergeSorts,
    negations::Negations,
    operands::Operands,
    operators::BtorOperators,
    properties::BtorProperties,
    renumber::BtorRenumber,
    reorder::Reorder,
    states::States,
    tidy::BtorTidy,
    unused::BtorUnused,
    widths::Widths,
};
use nub_edits::dag::REPLACEMENTS;

type Auto<'e> = Engine<'e, Btor>;

/// With more lines than this, edits are asked in groups.
const LARGE: usize = 96;
/// Nodes whose removal removes at most this many lines form the last band.
const LAST_BAND: usize = 3;

/// Reduces to a fixpoint of all passes.
pub fn auto_btor(engine: &mut Auto<'_>) -> Result<(), ReductionStop> {
    engine.pass(&BtorTidy::Comments)?;
    all(engine, PROPERTIES)?;
    descend(engine)?;
    loop {
        while round(engine)? {}
        if !last(engine)? {
            break;
        }
    }
    // Last, because with new ids no candidate is in the cache.
    all(engine, &[&BtorRenumber, &Reorder::MostUsedFirst, &Reorder::Alphabet])?;
    Ok(())
}

/// Stages 2 and 3.
fn round(engine: &mut Auto<'_>) -> Result<bool, ReductionStop> {
    let mut changed = all(engine, PROPERTIES)?;
    changed |= many(engine)?;
    if is_large(engine) {
        changed |= bands(engine)?;
    }
    if engine.pass(&Coarsely { pass: &Negations, halvings: 0 })? || !signs_matter(engine) {
        changed |= all(engine, WORDS)?;
    }
    changed |= structure(engine)?;
    changed |= all(engine, WORDS)?;
    changed |= all(engine, DETAILS)?;
    Ok(changed)
}

/// Stage 3 except leaves, signs, operators and details.
fn structure(engine: &mut Auto<'_>) -> Result<bool, ReductionStop> {
    let mut changed = false;
    let passes: [&dyn Pass<BtorView>; 3] =
        [&BtorHoist { band: BtorBand::ALL, reach: HoistReach::Nearest }, &Operands::Shared, &Equalities];
    for pass in passes {
        if if is_large(engine) { engine.pass(pass)? } else { engine.pass(&Singly(pass))? } {
            changed = true;
            many(engine)?;
        }
    }
    Ok(changed)
}

/// Whether much is left after the descent: there is no property to start from, or the failure needs more than a few
/// paths.
fn is_large(engine: &mut Auto<'_>) -> bool {
    n_lines(engine) > LARGE
}

fn n_lines(engine: &mut Auto<'_>) -> usize {
    engine.noted(|engine| engine.view().file().lines().len())
}

/// Nodes in groups, starting with those whose removal removes most lines.
fn bands(engine: &mut Auto<'_>) -> Result<bool, ReductionStop> {
    let mut changed = false;
    let mut max = n_lines(engine);
    while max > 0 {
        let min = if max <= LAST_BAND { 1 } else { max / 2 + 1 };
        let band = BtorBand { max, min, ..BtorBand::ALL };
        for with in REPLACEMENTS {
            changed |= engine.pass(&BtorConstants { band, with })?;
        }
        if min == 1 {
            break;
        }
        max = (max / 2).min(n_lines(engine));
    }
    Ok(changed)
}

/// Stage 2, to its end.
fn many(engine: &mut Auto<'_>) -> Result<bool, ReductionStop> {
    let mut changed = false;
    while all(
        engine,
        &[&Widths::Whole, &MergeSorts, &MergeNodes::Equal, &Coarsely { pass: &BtorBypass, halvings: 1 }],
    )? {
        changed = true;
    }
    Ok(changed)
}

/// Stage 4. Where signs matter, edits that failed on a larger file are asked again.
fn last(engine: &mut Auto<'_>) -> Result<bool, ReductionStop> {
    if !signs_matter(engine) {
        return seldom(engine, BtorBand::LOWEST, &[]);
    }
    let [far, complements] =
        [HoistReach::Far, HoistReach::Complements].map(|reach| BtorHoist { band: BtorBand::ALL, reach });
    engine.state.retry_failed = true;
    let changed = seldom(engine, BtorBand::ALL, &[&far, &complements, &Operands::Shared, &Equalities]);
    engine.state.retry_failed = false;
    changed
}

/// Passes that seldom succeed, up to the first success.
fn seldom(
    engine: &mut Auto<'_>,
    band: BtorBand,
    more: &[&dyn Pass<BtorView>],
) -> Result<bool, ReductionStop> {
    let [zero, ones, variable] = REPLACEMENTS.map(|with| BtorConstants { band, with });
    let some: [&dyn Pass<BtorView>; 4] = [&zero, &ones, &variable, &BtorOperators::Several];
    for pass in [&Absorb as &dyn Pass<BtorView>].iter().chain(more).chain(&some) {
        if engine.pass(&Singly(*pass))? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether a sign could not be dropped, or there was none to try.
fn signs_matter(engine: &mut Auto<'_>) -> bool {
    engine.noted(|engine| {
        let signs = engine.stats().passes.get(Negations.name());
        signs.is_none_or(|signs| signs.asks > signs.accepted || signs.asks == 0)
    })
}

/// Passes on the properties, on which everything else depends.
const PROPERTIES: &[&dyn Pass<BtorView>] =
    &[&BtorProperties::Roots, &Justice, &BtorProperties::Assignments, &Bound, &BtorUnused];

/// Passes on leaves, signs and operators: with fewer of them more candidates are equivalent.
const WORDS: &[&dyn Pass<BtorView>] = &[&MergeNodes::Leaves, &Negations, &BtorOperators::Simplest];

/// Passes that change few lines at a time.
const DETAILS: &[&dyn Pass<BtorView>] =
    &[&Widths::Classes, &States, &BtorLiterals, &BtorTidy::Symbols, &BtorTidy::Comments];
