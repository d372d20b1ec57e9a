//! The closest run that reaches the property and keeps the value that is expected, if there is one.

use crate::closest_run::{Closest, Passing};
use crate::expected::expected;
use crate::one_step::one_step;
use crate::options::{Antecedents, Options, Slicing};
use crate::reach::reached;
use crate::render_story::Telling;
use crate::session::Refusal;
use crate::story::{Assumed, AssumedBy, Note, Story};

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
        let is_kept = telling.bounded.are_true(&[wanted.kept.plain], &first.inputs) == [true];
        let mut keeping = telling.search(&options.limits)?;
        let limits = options.limits.telling(&options.bounds);
        let kept = match is_kept {
            true => Ok(Some(first.clone())),
            false => keeping.next(&telling.bounded.unrolled.pool, &limits),
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
    if let Some(kept) = reached(telling.bounded, telling.failing) {
        telling.kept.push(kept);
        let mut search = telling.search(&options.limits)?;
        if let Some(first) = search.next(&telling.bounded.unrolled.pool, &limits)? {
            return Ok(Some((search, first)));
        }
        telling.kept.pop();
        notes.push(Note::NoRunReaches);
    }
    let mut search = telling.search(&options.limits)?;
    let first = search.next(&telling.bounded.unrolled.pool, &limits)?;
    Ok(first.map(|first| (search, first)))
}
