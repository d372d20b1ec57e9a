//! nub's own strategy: large steps first, then everything that pays off, to a fixpoint.
//!
//! Three stages, each run to its own fixpoint before the next, and all repeated after a later one has succeeded:
//! commands and scopes; terms from the largest to the smallest; rewrites of the whole file and the endgame. An edit
//! that failed is not asked again while its context stays the same; at the end it is asked once more if the rest of
//! the file has become smaller since. Finally, the search descends a second time in another order.

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
    indices::Indices, info_values::InfoValues, isolate::Isolate, join::Join, let_inline::LetInline,
    literals::SmtLiterals, logic::Logic, match_cases::MatchCases, merge_symbols::MergeSymbols,
    names::SmtNames, operators::SmtOperators, quantifiers::SmtQuantifiers, reals::Reals,
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
    /// As few bytes as possible; one line per command.
    Compact,
    /// With conventional white space.
    Pretty,
}

/// Reduces to a fixpoint of all passes, at which every edit has been asked on the final file. On a file that stays
/// large, that holds only for commands: kinds of term edits that never succeed are abandoned.
pub fn auto(engine: &mut Auto<'_>, layout: ResultLayout) -> Result<(), ReductionStop> {
    auto_with(engine, layout, &[])
}

/// Like [`auto`], with more passes at the end of each round.
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

/// Where the second descent starts, as a multiple of the size that was reached, and the seed of its order. This one
/// takes 0.5 times the asks of the first descent and gains 2.5 %, on some files a third. A further one from three times
/// the size took 0.4 times the asks and gained 0.2 % (110 failures).
const AGAIN_FROM: usize = 6;
const AGAIN_SEED: u64 = 2;
/// For larger results it is not worth it: the loss by an unlucky order is a smaller share, and asks take
/// longer.
const MAX_AGAIN: usize = 400;

/// Descends a second time in another order, with at most as many asks as the first descent. If it finds something
/// smaller, it continues to its end.
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

/// Repeats rounds while they change anything, if the first one leaves at most `max_bytes`.
fn go_down(engine: &mut Auto<'_>, max_bytes: usize) -> Result<(), ReductionStop> {
    while other_round(engine)? && engine.size() <= max_bytes {}
    Ok(())
}

/// Whether any edit of a pass was accepted on this file. Polishing passes ask often and seldom gain; a second descent
/// skips them unless they succeeded on this file.
fn has_paid(engine: &mut Auto<'_>, pass: &dyn Pass<SmtView>) -> bool {
    engine.noted(|engine| engine.stats().passes.get(pass.name()).is_some_and(|stats| stats.accepted > 0))
}

/// A round that changes the shape of terms and declarations before their size.
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
    // Every command is asked; term edits may be skipped on a large file if none of their kind succeeds.
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

/// Passes that change declarations and the shape of terms.
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

/// Passes that polish a file that is already small.
const ENDGAME: &[&dyn Pass<SmtView>] = &[
    &Compound,
    &Rewrites,
    &Indices,
    &SmtOperators,
    &Logic,
    &HoistRest,
    &Join,
    &InfoValues,
    &Tokens,
    &SmtNames,
    &SmtTidy,
];

/// Numbers are halved or reduced by less, so one pass over them is not enough.
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
