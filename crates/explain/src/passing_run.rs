//! The story of one failing run within a fixed bound: what to trust, what to keep, and when to accept less.

use crate::bounded_program::BoundedProgram;
use crate::convention::Counted;
use crate::failing_run::Failing;
use crate::keep_antecedent::keeping_antecedent;
use crate::keep_expected::keeping_expected;
use crate::options::{Antecedents, ExplainOptions};
use crate::render_story::Telling;
use crate::session::ExplainRefusal;
use crate::story::{Assumed, AssumedBy, ExplanationNote, Story};
use crate::trust::Trusted;

/// The closest run, keeping everything that makes it meaningful.
fn keeping(
    bounded: &mut BoundedProgram<'_>,
    failing: &Failing,
    trusted: &Trusted,
    options: &ExplainOptions,
) -> Result<Option<Story>, ExplainRefusal> {
    let mut telling = Telling::new(bounded, failing, trusted.clone(), options);
    let Some(found) = keeping_expected(&mut telling, options)? else { return Ok(None) };
    if options.antecedents == Antecedents::Free {
        return Ok(Some(found.story));
    }
    keeping_antecedent(bounded, failing, trusted, found, options).map(Some)
}

/// The closest passing run and its story; `None` if no run passes. Specification code does not count unless nothing else is left.
pub(crate) fn within(
    bounded: &mut BoundedProgram<'_>,
    failing: &Failing,
    options: &ExplainOptions,
) -> Result<Option<Story>, ExplainRefusal> {
    let tiers = Trusted::tiers(bounded.source.program, &bounded.unrolled, &failing.property, &options.trust);
    let n_tiers = tiers.len();
    let mut last: Option<Story> = None;
    for (number, trusted) in (1..).zip(tiers) {
        // If nothing counts there is nothing to report, and the search is unnecessary.
        if number < n_tiers && is_all_trusted(bounded, &trusted, options) {
            continue;
        }
        let found = match (keeping(bounded, failing, &trusted, options), last.take()) {
            // The known result is better than nothing.
            (Err(ExplainRefusal::Stopped(_)), Some(last)) => {
                return Ok(Some(with_user(last, false, options)));
            }
            (found, _) => found?,
        };
        let Some(found) = found else { return Ok(None) };
        let has_lines = found.slices.iter().any(|slice| !slice.is_empty())
            || (options.max_slices == 0 && !found.deltas.is_empty());
        // If only the expected value changes, suspecting the harness would not help.
        let is_last = number == n_tiers || found.notes.contains(&ExplanationNote::NoRunKeepsExpected);
        if has_lines || is_last {
            let mut found = with_user(found, number > 1, options);
            found.notes.extend(has_idle_weight(bounded, options).then_some(ExplanationNote::IdleWeight));
            return Ok(Some(found));
        }
        last = Some(found);
    }
    Ok(None)
}

/// Whether no value that could differ is left: the program is one function, which contains the property.
fn is_all_trusted(bounded: &BoundedProgram<'_>, trusted: &Trusted, options: &ExplainOptions) -> bool {
    let counted = Counted::new(bounded.source.program, &bounded.unrolled, trusted, &options.weights);
    counted.positions.is_empty()
}

/// Whether a line was given a weight although none of its values is in any run.
fn has_idle_weight(bounded: &BoundedProgram<'_>, options: &ExplainOptions) -> bool {
    let line = |found: &nub_unroll::SsaAssignment| found.origin.map(|origin| origin.position.line);
    let is_there = |wanted: u32| bounded.unrolled.assignments.iter().any(|found| line(found) == Some(wanted));
    options.weights.lines.iter().any(|(wanted, _)| !is_there(*wanted))
}

/// Adds the assumptions of the user.
fn with_user(mut story: Story, has_given_up: bool, options: &ExplainOptions) -> Story {
    let own = options.assume.iter().map(|found| Assumed { text: found.text.clone(), by: AssumedBy::User });
    story.assumptions.splice(0..0, own);
    // For a program with one function there is nothing to report.
    if has_given_up && !story.trusted.is_empty() {
        story.notes.push(ExplanationNote::TrustGivenUp);
    }
    // If no difference of the program is needed, it is not an explanation.
    if story.slices.iter().any(Vec::is_empty) {
        story.slices.clear();
        story.notes.retain(|note| *note != ExplanationNote::Poor);
        story.notes.push(ExplanationNote::NothingOfProgram);
    }
    story
}
