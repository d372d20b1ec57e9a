//! Ours: big steps first, then everything that pays, to a fixpoint.
//!
//! Three stages, each run to its own fixpoint before the next, and all again after a later one has succeeded:
//! commands and scopes; terms from the largest to the smallest; rewrites of the whole file and the endgame. An
//! edit that failed is not asked again while its surroundings stay the same; when nothing else is left, it is asked
//! once more if the rest of the file has become smaller since. Last, the search goes down again on another way.

use super::rounds::{all, to_fixpoint};
use crate::engine::Way;
use crate::smt::SmtLib;
use crate::{Engine, ReductionStop};
use nub_edits::Pass;
use nub_edits::smtlib::{
    SmtBand, SmtView, annotations::Annotations, arguments::Arguments, arity::Arity, array_sorts::ArraySorts,
    assuming::Assuming, bv_width::BvWidth, bypass::SmtBypass, commands::Commands, compound::Compound,
    constants::SmtConstants, datatypes::Datatypes, define_inline::DefineInline, eliminate::Eliminate,
    flatten::Flatten, fp_format::FpFormat, fresh::Fresh, hoist::SmtHoist, hoist_rest::HoistRest,
    indices::Indices, isolate::Isolate, join::Join, let_inline::LetInline, literals::SmtLiterals,
    logic::Logic, match_cases::MatchCases, merge_symbols::MergeSymbols, names::SmtNames,
    operators::SmtOperators, quantifiers::SmtQuantifiers, reals::Reals,
    replace_by_variable::ReplaceByVariable, retype_sorts::Retype, rewrites::Rewrites, scopes::Scopes,
    sort_inline::SortInline, squeeze::Squeeze, symbols::Symbols, tidy::SmtTidy, tokens::Tokens,
    truncate::Truncate, unused::SmtUnused,
};

type Auto<'e> = Engine<'e, SmtLib>;

/// Terms of at most this many bytes form the last band.
const LAST_BAND: usize = 12;

/// What the result looks like.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ResultLayout {
    /// As few bytes as possible; a line per command.
    Compact,
    /// Blanks where people expect them.
    Pretty,
}

/// Reduces to a fixpoint of all passes, at which every edit has been asked on the final file. Of a file that stays large
/// only every command has: terms whose kind never succeeded are given up.
pub fn auto(engine: &mut Auto<'_>, layout: ResultLayout) -> Result<(), ReductionStop> {
    auto_with(engine, layout, &[])
}

/// As [`auto`], with more passes at the end of each round.
pub fn auto_with(
    engine: &mut Auto<'_>,
    layout: ResultLayout,
    more: &[Box<dyn Pass<SmtView>>],
) -> Result<(), ReductionStop> {
    to_the_end(engine, more)?;
    other_way(engine, more)?;
    if layout == ResultLayout::Compact {
        engine.pass(&Squeeze)?;
    }
    Ok(())
}

fn to_the_end(engine: &mut Auto<'_>, more: &[Box<dyn Pass<SmtView>>]) -> Result<(), ReductionStop> {
    engine.pass(&SmtTidy)?;
    engine.pass(&Truncate)?;
    to_fixpoint(engine, |engine| round(engine, more))
}

/// Where the other way down begins, in multiples of what was reached, and the seed of its order. A second one from three
/// times the size cost 0.4 times the asks of the first descent and gained 0.2 % (110 failures); this one costs 0.5 times
/// and gains 2.5 %, on some a third.
const AGAIN_FROM: usize = 6;
const AGAIN_SEED: u64 = 2;
/// Larger results are not worth it: the share that an unlucky order costs falls with size, and asks are dearer.
const MAX_AGAIN: usize = 400;

/// Goes down again on another way, at most as long as the first. If it leads to something smaller it is gone to its end.
fn other_way(engine: &mut Auto<'_>, more: &[Box<dyn Pass<SmtView>>]) -> Result<(), ReductionStop> {
    let bytes = engine.size();
    if bytes > MAX_AGAIN {
        return Ok(());
    }
    let max_asks = engine.noted(|engine| engine.stats().asks);
    let way = Way { bytes: AGAIN_FROM * bytes, seed: AGAIN_SEED, max_asks };
    if engine.again(&way, |engine| go_down(engine, 2 * bytes))? {
        to_fixpoint(engine, |engine| round(engine, more))?;
    }
    Ok(())
}

/// Rounds while they change anything, if the first one leaves at most this many bytes.
fn go_down(engine: &mut Auto<'_>, max_bytes: usize) -> Result<(), ReductionStop> {
    while other_round(engine)? && engine.size() <= max_bytes {}
    Ok(())
}

/// Whether anything that a pass offered was accepted on this file. What polishes asks often and seldom gains; on another
/// way down it is left out unless this file is one where it does.
fn has_paid(engine: &mut Auto<'_>, pass: &dyn Pass<SmtView>) -> bool {
    engine.noted(|engine| engine.stats().passes.get(pass.name()).is_some_and(|stats| stats.accepted > 0))
}

/// The shape of terms and declarations before their size.
fn other_round(engine: &mut Auto<'_>) -> Result<bool, ReductionStop> {
    let mut changed = coarse(engine)?;
    changed |= engine.pass(&MergeSymbols)?;
    changed |= all(engine, SHAPE)?;
    changed |= terms(engine)?;
    changed |= numbers(engine)?;
    for pass in ENDGAME {
        if pass.name() == SmtNames.name() || has_paid(engine, *pass) {
            changed |= engine.pass(*pass)?;
        }
    }
    Ok(changed)
}

fn round(engine: &mut Auto<'_>, more: &[Box<dyn Pass<SmtView>>]) -> Result<bool, ReductionStop> {
    // No command stays unasked; a term may, on a large file that none of its kind can leave.
    engine.state.may_give_up = false;
    let mut changed = coarse(engine)?;
    engine.state.may_give_up = true;
    changed |= terms(engine)?;
    changed |= all(engine, SHAPE)?;
    changed |= numbers(engine)?;
    changed |= all(engine, ENDGAME)?;
    for pass in more {
        changed |= engine.pass(pass.as_ref())?;
    }
    Ok(changed)
}

/// What acts on declarations and on the shape of terms.
const SHAPE: &[&dyn Pass<SmtView>] = &[
    &LetInline,
    &Flatten,
    &Isolate,
    &SmtBypass,
    &Arguments,
    &Symbols,
    &Assuming,
    &Annotations,
    &SmtQuantifiers,
    &DefineInline,
    &SortInline,
    &Arity,
    &MatchCases,
    &Datatypes,
    &MergeSymbols,
    &Eliminate,
    &ReplaceByVariable,
    &Fresh,
    &Retype,
    &Reals,
    &BvWidth,
    &FpFormat,
    &ArraySorts,
];

/// What polishes a file that is small already.
const ENDGAME: &[&dyn Pass<SmtView>] =
    &[&Compound, &Rewrites, &Indices, &SmtOperators, &Logic, &HoistRest, &Join, &Tokens, &SmtNames, &SmtTidy];

/// Numbers fall by half and by less, so one pass over them is not enough.
fn numbers(engine: &mut Auto<'_>) -> Result<bool, ReductionStop> {
    let mut changed = false;
    while engine.pass(&SmtLiterals)? {
        changed = true;
    }
    Ok(changed)
}

/// Commands and scopes.
fn coarse(engine: &mut Auto<'_>) -> Result<bool, ReductionStop> {
    let mut changed = engine.pass(&Scopes::Whole)?;
    changed |= engine.pass(&Commands::Asserts)?;
    changed |= engine.pass(&Commands::All)?;
    changed |= engine.pass(&Scopes::Pair)?;
    changed |= engine.pass(&Scopes::Pop)?;
    changed |= engine.pass(&SmtUnused)?;
    Ok(changed)
}

/// Terms, from the largest to the smallest.
fn terms(engine: &mut Auto<'_>) -> Result<bool, ReductionStop> {
    let mut changed = false;
    let mut max_bytes = engine.size();
    while max_bytes > 0 {
        let min_bytes = if max_bytes <= LAST_BAND { 1 } else { max_bytes / 2 + 1 };
        let bands = SmtBand::of_sizes(min_bytes, max_bytes);
        for band in engine.noted(|engine| bands.parts(engine.view())) {
            changed |= engine.pass(&SmtConstants { band, choice: 0 })?;
            changed |= engine.pass(&SmtHoist { band })?;
            changed |= engine.pass(&SmtConstants { band, choice: 1 })?;
        }
        if min_bytes == 1 {
            break;
        }
        max_bytes = (max_bytes / 2).min(engine.size());
    }
    Ok(changed)
}
