//! The story of one run that fails: what to trust, what to keep, and when to be content with less.

use crate::closest::{Closest, Passing};
use crate::convention::Counted;
use crate::expected::expected;
use crate::failing::Failing;
use crate::keeping::keeping_antecedent;
use crate::one_step::one_step;
use crate::options::{Antecedents, Options, Slicing};
use crate::reach::reached;
use crate::scene::Scene;
use crate::session::Refusal;
use crate::story::{Assumed, AssumedBy, Note, Story};
use crate::tell::Telling;
use crate::trust::Trusted;
use crate::unwinding::{closer, further};

/// The closest run that passes and what it tells; `None` if no run passes.
pub(crate) fn story(
    scene: &mut Scene<'_>,
    failing: &Failing,
    options: &Options,
) -> Result<Option<Story>, Refusal> {
    let found = within(scene, failing, options)?;
    let is_enough = |found: &Story| !found.notes.contains(&Note::NoRunReaches);
    if found.as_ref().is_some_and(is_enough) || scene.unrolled.over.is_empty() {
        return found.map(|found| closer(scene, failing, found, options)).transpose();
    }
    further(scene, failing, found, options)
}

/// The closest run with everything that keeps it interesting.
fn keeping(
    scene: &mut Scene<'_>,
    failing: &Failing,
    trusted: &Trusted,
    options: &Options,
) -> Result<Option<Story>, Refusal> {
    let mut telling = Telling::new(scene, failing, trusted.clone(), options);
    let Some(found) = keeping_expected(&mut telling, options)? else { return Ok(None) };
    if options.antecedents == Antecedents::Free {
        return Ok(Some(found.story));
    }
    keeping_antecedent(scene, failing, trusted, found, options).map(Some)
}

/// The same with a fixed bound. Specification code does not count unless nothing is left then.
pub(crate) fn within(
    scene: &mut Scene<'_>,
    failing: &Failing,
    options: &Options,
) -> Result<Option<Story>, Refusal> {
    let tiers = Trusted::tiers(scene.source.program, &scene.unrolled, &failing.property, &options.trust);
    let n_tiers = tiers.len();
    let mut last: Option<Story> = None;
    for (number, trusted) in (1..).zip(tiers) {
        // If nothing counts there is nothing to tell, and the search can be spared.
        if number < n_tiers && is_all_trusted(scene, &trusted, options) {
            continue;
        }
        let found = match (keeping(scene, failing, &trusted, options), last.take()) {
            // What is known is worth more than nothing.
            (Err(Refusal::Stopped(_)), Some(last)) => return Ok(Some(with_user(last, false, options))),
            (found, _) => found?,
        };
        let Some(found) = found else { return Ok(None) };
        let has_lines = found.slices.iter().any(|slice| !slice.is_empty())
            || (options.max_slices == 0 && !found.deltas.is_empty());
        // If only what is expected changes, the harness would not tell more.
        let is_last = number == n_tiers || found.notes.contains(&Note::NoRunKeepsExpected);
        if has_lines || is_last {
            let mut found = with_user(found, number > 1, options);
            found.notes.extend(has_idle_weight(scene, options).then_some(Note::IdleWeight));
            return Ok(Some(found));
        }
        last = Some(found);
    }
    Ok(None)
}

/// No value that could differ is left: the program is one function, which holds the property.
fn is_all_trusted(scene: &Scene<'_>, trusted: &Trusted, options: &Options) -> bool {
    let counted = Counted::new(scene.source.program, &scene.unrolled, trusted, &options.weights);
    counted.positions.is_empty()
}

/// A line was given a weight, and nothing of it is in any run.
fn has_idle_weight(scene: &Scene<'_>, options: &Options) -> bool {
    let line = |found: &nub_unroll::Assignment| found.origin.map(|origin| origin.position.line);
    let is_there = |wanted: u32| scene.unrolled.assignments.iter().any(|found| line(found) == Some(wanted));
    options.weights.lines.iter().any(|(wanted, _)| !is_there(*wanted))
}

/// Adds what the user knows anyway.
fn with_user(mut story: Story, has_given_up: bool, options: &Options) -> Story {
    let own = options.assume.iter().map(|found| Assumed { text: found.text.clone(), by: AssumedBy::User });
    story.assumptions.splice(0..0, own);
    // Of a program in one function there is nothing to say.
    if has_given_up && !story.trusted.is_empty() {
        story.notes.push(Note::TrustGivenUp);
    }
    // What needs no difference of the program is no explanation.
    if story.slices.iter().any(Vec::is_empty) {
        story.slices.clear();
        story.notes.retain(|note| *note != Note::Poor);
        story.notes.push(Note::NothingOfProgram);
    }
    story
}

/// What is found for one question.
pub(crate) struct Found {
    pub story: Story,
    /// The run that it is about.
    pub first: Passing,
}

/// The closest run that reaches the property, and the closest that keeps what is expected if that is another one and there is one.
pub(crate) fn keeping_expected(
    telling: &mut Telling<'_, '_>,
    options: &Options,
) -> Result<Option<Found>, Refusal> {
    let (mut assumptions, mut notes) = (Vec::new(), Vec::new());
    let Some((mut search, mut first)) = reaching(telling, &mut notes, options)? else { return Ok(None) };
    let wanted = if options.antecedents == Antecedents::Kept { expected(telling) } else { None };
    if let Some(wanted) = wanted {
        telling.kept.push(wanted.kept);
        let is_kept = telling.scene.are_true(&[wanted.kept.plain], &first.inputs) == [true];
        let mut keeping = telling.search(&options.limits)?;
        let limits = options.limits.telling(&options.bounds);
        let kept = match is_kept {
            true => Ok(Some(first.clone())),
            false => keeping.next(&telling.scene.unrolled.pool, &limits),
        };
        match kept {
            Ok(Some(kept)) => {
                (search, first) = (keeping, kept);
                let assumed = Assumed { text: wanted.text, by: AssumedBy::Expected };
                assumptions.extend((!is_kept).then_some(assumed));
            }
            Ok(None) | Err(Refusal::Stopped(_)) => {
                telling.kept.pop();
                notes.push(if kept.is_ok() { Note::NoRunKeepsExpected } else { Note::KeepingStopped });
            }
            Err(other) => return Err(other),
        }
    }
    if options.slicing == Slicing::OneStep {
        match one_step(telling, &options.limits) {
            // The bound on the distance is that of the closest run.
            Ok(found) => first.inputs = found.unwrap_or(first.inputs),
            Err(Refusal::Stopped(_)) => notes.push(Note::SlicesStopped),
            Err(other) => return Err(other),
        }
    }
    let mut story = telling.story(&mut search, &first, options)?;
    story.assumptions = assumptions;
    story.notes.splice(0..0, notes);
    Ok(Some(Found { story, first }))
}

/// The closest run that reaches the property. If none does, that is noted, and any passing run will do.
fn reaching(
    telling: &mut Telling<'_, '_>,
    notes: &mut Vec<Note>,
    options: &Options,
) -> Result<Option<(Closest, Passing)>, Refusal> {
    let limits = options.limits.telling(&options.bounds);
    if let Some(kept) = reached(telling.scene, telling.failing) {
        telling.kept.push(kept);
        let mut search = telling.search(&options.limits)?;
        if let Some(first) = search.next(&telling.scene.unrolled.pool, &limits)? {
            return Ok(Some((search, first)));
        }
        telling.kept.pop();
        notes.push(Note::NoRunReaches);
    }
    let mut search = telling.search(&options.limits)?;
    let first = search.next(&telling.scene.unrolled.pool, &limits)?;
    Ok(first.map(|first| (search, first)))
}
