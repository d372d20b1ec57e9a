//! The story of one run that fails: what to trust, what to keep, and when to be content with less.

use crate::antecedent::{Antecedent, antecedents};
use crate::closest::Passing;
use crate::convention::Counted;
use crate::expected::expected;
use crate::failing::Failing;
use crate::instrument::instrument;
use crate::one_step::one_step;
use crate::options::{Antecedents, Options, Slicing};
use crate::scene::Scene;
use crate::session::Refusal;
use crate::story::{Assumed, AssumedBy, Note, Story};
use crate::tell::Telling;
use crate::trust::Trusted;
use crate::unwinding::closer;

/// The closest run that passes and what it tells; `None` if no run passes.
pub(crate) fn story(
    scene: &mut Scene<'_>,
    failing: &Failing,
    options: &Options,
) -> Result<Option<Story>, Refusal> {
    let Some(found) = within(scene, failing, options)? else { return Ok(None) };
    closer(scene, failing, found, options).map(Some)
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
        let found = match (keeping_antecedent(scene, failing, &trusted, options), last.take()) {
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

/// Once more with the antecedent of the property assumed, if the closest run makes only that false.
fn keeping_antecedent(
    scene: &mut Scene<'_>,
    failing: &Failing,
    trusted: &Trusted,
    options: &Options,
) -> Result<Option<Story>, Refusal> {
    let Some((mut story, first)) = keeping_expected(scene, failing, trusted, options)? else {
        return Ok(None);
    };
    if options.antecedents == Antecedents::Free {
        return Ok(Some(story));
    }
    let candidates = antecedents(scene.source, &scene.unrolled, &failing.property);
    let mut has_tried = false;
    for candidate in candidates {
        let found = match assuming(scene, failing, &first, trusted, candidate, options) {
            Err(Refusal::Stopped(_)) => {
                story.notes.push(Note::KeepingStopped);
                return Ok(Some(story));
            }
            found => found?,
        };
        match found {
            Assuming::Found(found) => return Ok(Some(*found)),
            Assuming::NoRun => has_tried = true,
            Assuming::NoNeed => return Ok(Some(story)),
            Assuming::NotPossible => {}
        }
    }
    if has_tried {
        story.notes.push(Note::NoRunKeepsAntecedent);
    }
    Ok(Some(story))
}

/// What came of an assumption.
enum Assuming {
    Found(Box<Story>),
    /// No run that passes keeps it.
    NoRun,
    /// The closest run keeps it anyway.
    NoNeed,
    /// It does not hold in the run that fails either, or cannot be said at this place.
    NotPossible,
}

fn assuming(
    scene: &Scene<'_>,
    failing: &Failing,
    first: &Passing,
    trusted: &Trusted,
    candidate: Antecedent,
    options: &Options,
) -> Result<Assuming, Refusal> {
    let Antecedent { text, insertion } = candidate;
    let Ok(changed) = instrument(scene.source, &[insertion]) else { return Ok(Assuming::NotPossible) };
    let source = changed.source(scene.source);
    let function = changed.function(scene.source, scene.unrolled.function)?;
    let config = nub_unroll::Config { unwind: scene.unwind, ..options.unroll.clone() };
    let mut other = Scene::new(source, function, &config)?;
    let is_same = other.unrolled.inputs.len() == scene.unrolled.inputs.len();
    let broken = other.broken(&failing.property.id, &failing.inputs);
    let Some(property) = broken.filter(|_| is_same && other.keeps_assumptions(&failing.inputs)) else {
        return Ok(Assuming::NotPossible);
    };
    if other.keeps_assumptions(&first.inputs) {
        return Ok(Assuming::NoNeed);
    }
    let failing = Failing { property, inputs: failing.inputs.clone() };
    let Some((mut story, _)) = keeping_expected(&mut other, &failing, trusted, options)? else {
        return Ok(Assuming::NoRun);
    };
    story.assumptions.push(Assumed { text, by: AssumedBy::Antecedent });
    Ok(Assuming::Found(Box::new(story)))
}

/// The closest run, and the closest that keeps what is expected if that is another one and there is one.
fn keeping_expected(
    scene: &mut Scene<'_>,
    failing: &Failing,
    trusted: &Trusted,
    options: &Options,
) -> Result<Option<(Story, Passing)>, Refusal> {
    let mut telling = Telling::new(scene, failing, trusted.clone(), options);
    let mut search = telling.search()?;
    let Some(mut first) = search.next(&options.limits.telling(&options.bounds))? else { return Ok(None) };
    let (mut assumptions, mut notes) = (Vec::new(), Vec::new());
    let wanted = if options.antecedents == Antecedents::Kept { expected(&mut telling) } else { None };
    if let Some(wanted) = wanted {
        telling.kept.push(wanted.kept);
        let is_kept = telling.scene.are_true(&[wanted.kept.plain], &first.inputs) == [true];
        let mut keeping = telling.search()?;
        let kept = if is_kept {
            Ok(Some(first.clone()))
        } else {
            keeping.next(&options.limits.telling(&options.bounds))
        };
        match kept {
            Ok(Some(kept)) => {
                (search, first) = (keeping, kept);
                let assumed = Assumed { text: wanted.text, by: AssumedBy::Expected };
                assumptions.extend((!is_kept).then_some(assumed));
            }
            Ok(None) => notes.push(Note::NoRunKeepsExpected),
            Err(Refusal::Stopped(_)) => notes.push(Note::KeepingStopped),
            Err(other) => return Err(other),
        }
        if !notes.is_empty() {
            telling.kept.clear();
        }
    }
    if options.slicing == Slicing::OneStep {
        match one_step(&mut telling, &options.limits) {
            // The bound on the distance is that of the closest run.
            Ok(found) => first.inputs = found.unwrap_or(first.inputs),
            Err(Refusal::Stopped(_)) => notes.push(Note::SlicesStopped),
            Err(other) => return Err(other),
        }
    }
    let mut story = telling.story(&mut search, &first, options)?;
    story.assumptions = assumptions;
    story.notes.splice(0..0, notes);
    Ok(Some((story, first)))
}
