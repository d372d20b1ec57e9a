//! The closest run that reaches the property and keeps the expected value, if there is one.

use crate::closest_run::{Closest, Passing};
use crate::expected::expected;
use crate::one_step::one_step;
use crate::options::{Antecedents, ExplainOptions, Slicing};
use crate::reach::reached;
use crate::render_story::Telling;
use crate::session::ExplainRefusal;
use crate::story::{Assumed, AssumedBy, ExplanationNote, Story};
use nub_sat::SatStop;

/// Conflicts of each question for a run that keeps the expected value, for floating-point arithmetic: that there is none often depends on properties
/// of division that no solver learns quickly. An unknown result is reported.
const FLOAT_CONFLICTS: u64 = 3_000;

/// The result for one question.
pub(crate) struct Found {
    pub story: Story,
    /// The run to report.
    pub first: Passing,
}

/// The closest run that reaches the property, and the closest that keeps the expected value if that is another one and exists.
pub(crate) fn keeping_expected(
    telling: &mut Telling<'_, '_>,
    options: &ExplainOptions,
) -> Result<Option<Found>, ExplainRefusal> {
    let (mut assumptions, mut notes) = (Vec::new(), Vec::new());
    let Some((mut search, mut first)) = reaching(telling, &mut notes, options)? else { return Ok(None) };
    let wanted = if options.antecedents == Antecedents::Kept { expected(telling) } else { None };
    if let Some(wanted) = wanted {
        let is_kept = telling.bounded.are_true(&[wanted.kept.plain], &first.inputs) == [true];
        telling.kept.push(wanted.kept);
        let kept = match options.limits.cancel.is_cancelled() {
            // After the time limit a search would only build its clauses.
            true if is_kept => Ok(None),
            true => Err(ExplainRefusal::Stopped(SatStop::Cancelled)),
            false => keeping(telling, is_kept.then_some(&first), options).map(Some),
        };
        match kept {
            Ok(None) => {}
            Ok(Some((keeping, Some(kept)))) => {
                (search, first) = (keeping, kept);
                let assumed = Assumed { text: wanted.text, by: AssumedBy::Expected };
                assumptions.extend((!is_kept).then_some(assumed));
            }
            Ok(Some((_, None))) | Err(ExplainRefusal::Stopped(_)) => {
                telling.kept.pop();
                notes.push(if kept.is_ok() {
                    ExplanationNote::NoRunKeepsExpected
                } else {
                    ExplanationNote::KeepingStopped
                });
            }
            Err(other) => return Err(other),
        }
    }
    if options.slicing == Slicing::OneStep {
        match one_step(telling, &options.limits) {
            // The bound on the distance is that of the closest run.
            Ok(found) => first.inputs = found.unwrap_or(first.inputs),
            Err(ExplainRefusal::Stopped(_)) => notes.push(ExplanationNote::SlicesStopped),
            Err(other) => return Err(other),
        }
    }
    let mut story = telling.story(&mut search, &first, options)?;
    story.assumptions = assumptions;
    story.notes.splice(0..0, notes);
    Ok(Some(Found { story, first }))
}

/// A search that keeps what `telling` keeps now, with its first run; `known` is that run if it is already known.
fn keeping(
    telling: &mut Telling<'_, '_>,
    known: Option<&Passing>,
    options: &ExplainOptions,
) -> Result<(Closest, Option<Passing>), ExplainRefusal> {
    let mut search = telling.search(&options.limits)?;
    let limits = options.limits.telling(&options.bounds);
    let limits = if telling.bounded.source.program.computes_floats() {
        limits.with_conflicts(FLOAT_CONFLICTS)
    } else {
        limits
    };
    let first = match known {
        Some(known) => Some(known.clone()),
        None => search.next(&telling.bounded.unrolled.pool, &limits)?,
    };
    Ok((search, first))
}

/// The closest run that reaches the property. If none does, that is recorded, and any passing run is used.
fn reaching(
    telling: &mut Telling<'_, '_>,
    notes: &mut Vec<ExplanationNote>,
    options: &ExplainOptions,
) -> Result<Option<(Closest, Passing)>, ExplainRefusal> {
    let limits = options.limits.telling(&options.bounds);
    if let Some(kept) = reached(telling.bounded, telling.failing) {
        telling.kept.push(kept);
        let mut search = telling.search(&options.limits)?;
        if let Some(first) = search.next(&telling.bounded.unrolled.pool, &limits)? {
            return Ok(Some((search, first)));
        }
        telling.kept.pop();
        notes.push(ExplanationNote::NoRunReaches);
    }
    let mut search = telling.search(&options.limits)?;
    let first = search.next(&telling.bounded.unrolled.pool, &limits)?;
    Ok(first.map(|first| (search, first)))
}
