//! The report for people: the violation, the two runs, the changes in the format of the paper, and a table.

use super::columns::{aligned, cut};
use super::place::{inputs, long};
use super::runs::{Row, rows};
use super::{Compiled, ExplainReport, ranking, reference, trace};
use crate::property::PropertyKind;
use crate::session::Explanation;
use crate::story::{
    AssumedBy, ChangedInput, Delta, DeltaKind, ExplanationNote, Interval, OtherRun, PropertyText, Story,
};
use nub_report::counted;
use nub_sat::certify::CertificationResult;
use std::fmt::Write;

/// The largest number of rows of the table; the other formats have all.
const MAX_ROWS: usize = 40;
/// Longer names are cut.
const MAX_NAME: usize = 40;

/// What is rarely read, and shown on request.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Detail {
    /// The complete traces of both runs.
    pub has_trace: bool,
    /// Differences in code that neither run executes.
    pub has_unexecuted: bool,
}

/// The whole report. The answer comes first: the likely fault and its fix.
pub fn report_text(report: &ExplainReport, detail: Detail) -> String {
    match &report.explanation {
        Explanation::Explained(story) => {
            let mut out = report.ranking.as_ref().map_or_else(String::new, ranking::answer);
            out.push_str(&head(story));
            out.push_str(&replayed(story, &report.compiled));
            out.push_str(&conditions(story));
            out.push('\n');
            if let Some(ranking) = &report.ranking {
                out.push_str(&ranking::text(ranking));
                out.push('\n');
            }
            if let Some(reason) = &report.no_ranking {
                let _ = writeln!(out, "No fault localisation: {reason}.\n");
            }
            out.push_str(&differences(story, detail));
            out.push_str(&others(&story.others));
            if detail.has_trace {
                out.push_str(&trace::text(&story.trace));
            }
            out.push_str(&report.reference.as_ref().map_or_else(String::new, reference::text));
            out
        }
        Explanation::NoPassingRun { .. } => {
            let mut out = report.ranking.as_ref().map_or_else(String::new, ranking::answer);
            out.push_str(&text(&report.explanation));
            if let Some(ranking) = &report.ranking {
                let _ = write!(out, "\n{}", ranking::text(ranking));
            }
            if let Some(reason) = &report.no_ranking {
                let _ = writeln!(out, "\nNo fault localisation: {reason}.");
            }
            out
        }
        other => text(other),
    }
}

/// An explanation alone.
pub fn text(explanation: &Explanation) -> String {
    match explanation {
        Explanation::NoViolation { unwind, is_complete, n_properties, ends_before, premises } => {
            let how_far = if *is_complete {
                format!("for all runs; none needs more than {} of a loop", counted(*unwind, "iteration"))
            } else {
                format!(
                    "within {} of each loop; longer runs were not examined",
                    counted(*unwind, "iteration")
                )
            };
            let first = match *n_properties {
                0 if premises.is_empty() => {
                    "There is no property to check: no assertion is reached, and nothing can be undefined.\n"
                        .to_owned()
                }
                0 => format!("No violation: no property can fail ({how_far}).\n"),
                1 => format!("No violation: 1 property holds ({how_far}).\n"),
                n => format!("No violation: all {n} properties hold ({how_far}).\n"),
            };
            no_violation(first, ends_before.as_ref()) + &if_all(premises)
        }
        Explanation::NoPassingRun { property, failing, unwind, is_complete, premises } => {
            let hint = match property.kind {
                PropertyKind::Uninitialised => "If the value may be arbitrary, use --uninitialised-inputs.\n",
                _ => "",
            };
            let how_far = if *is_complete {
                String::new()
            } else {
                format!(" within {} of each loop", counted(*unwind, "iteration"))
            };
            format!(
                "Violated: {} ({})\nFails with: {}\nNo run passes{how_far}.\n{}{hint}",
                property.text,
                long(&property.place),
                inputs(failing),
                if_all(premises)
            )
        }
        Explanation::Explained(story) => {
            format!("{}\n{}", head(story), differences(story, Detail::default()))
        }
    }
}

/// What an answer depends on.
fn if_all(premises: &[String]) -> String {
    premises.iter().map(|premise| format!("Note: this holds if {premise}\n")).collect()
}

fn no_violation(mut out: String, ends_before: Option<&PropertyText>) -> String {
    if let Some(property) = ends_before {
        let place = long(&property.place);
        let _ = writeln!(
            out,
            "Note: this holds for runs in which nothing else goes wrong first; some runs violate: {} ({place})",
            property.text
        );
    }
    out
}

fn head(story: &Story) -> String {
    let mut out = String::new();
    // Writing to a string does not fail.
    let _ = writeln!(out, "Violated: {} ({})", story.property.text, long(&story.property.place));
    if story.notes.contains(&ExplanationNote::NoRunReaches) {
        let _ = writeln!(out, "Note:     {}", ExplanationNote::NoRunReaches.text());
    }
    let _ = writeln!(out, "Failing run: {}", inputs(&story.failing));
    let _ = writeln!(out, "Passing run: {}", inputs(&story.passing));
    let _ = writeln!(out, "Changed inputs: {}", changed(story));
    let values = counted(story.n_values, "value");
    let distance = match story.distance.is_proved() {
        _ if story.is_one_step => {
            let Interval { lower, upper } = story.distance;
            format!(
                "{upper} of {values} (--one-step prefers the smallest slice; the minimum is at least {lower})"
            )
        }
        true if story.checked == CertificationResult::Checked => {
            format!("{} of {values} (minimal; proof checked)", story.distance.upper)
        }
        true => format!("{} of {values} (minimal; proof not checked)", story.distance.upper),
        false => {
            let Interval { lower, upper } = story.distance;
            format!("at most {upper} of {values} (stopped early; the minimum is at least {lower})")
        }
    };
    let _ = writeln!(out, "Distance: {distance}");
    let _ = match (story.n_runs, story.has_all_runs) {
        (1, _) => Ok(()),
        (n, true) => writeln!(out, "Closest:  {n} runs are equally close; different values change in each"),
        (n, false) => {
            writeln!(out, "Closest:  at least {n} runs are equally close; different values change in each")
        }
    };
    out
}

/// The inputs that differ.
pub(super) fn changed(story: &Story) -> String {
    let one = |found: &ChangedInput| format!("{} {} -> {}", found.name, found.before, found.after);
    if story.changed_inputs.is_empty() {
        "none".to_owned()
    } else {
        story.changed_inputs.iter().map(one).collect::<Vec<_>>().join(", ")
    }
}

/// What is assumed and trusted, and notes for the reader.
pub(super) fn conditions(story: &Story) -> String {
    let mut out = String::new();
    for assumed in &story.assumptions {
        let why = match assumed.by {
            AssumedBy::User => "requested",
            AssumedBy::Antecedent => {
                "otherwise the closest run would merely make the antecedent of the property false"
            }
            AssumedBy::Expected => "the expected value is kept",
        };
        let _ = writeln!(out, "Assumed:  {} ({why})", assumed.text);
    }
    if !story.trusted.is_empty() {
        let _ = writeln!(out, "Trusted:  {} (values there are not counted)", story.trusted.join(", "));
    }
    let is_said = |note: &&ExplanationNote| **note != ExplanationNote::NoRunReaches;
    for note in story.notes.iter().filter(is_said) {
        let _ = writeln!(out, "Note:     {}", note.text());
    }
    out
}

/// Other passing runs, with the changes that suffice.
fn others(runs: &[OtherRun]) -> String {
    let mut out = String::new();
    // A run without anything to report is not shown.
    let has_slice = |run: &&OtherRun| run.slices.first().is_some_and(|slice| !slice.is_empty());
    for run in runs.iter().filter(has_slice) {
        let _ =
            writeln!(out, "\nAnother run passes with: {} (distance {})", inputs(&run.passing), run.distance);
        let first = run.slices.first().map_or(&[][..], Vec::as_slice);
        first.iter().filter_map(|index| run.deltas.get(*index)).for_each(|found| delta(&mut out, found));
    }
    out
}

/// How the runs were replayed.
fn replayed(story: &Story, compiled: &Compiled) -> String {
    let is_interpreted = story.failing.is_replayed && story.passing.is_replayed;
    let unseen = match story.property.kind {
        PropertyKind::Unwinding => "the interpreter does not stop at a bound",
        _ => "the interpreter cannot be given such inputs or that much memory",
    };
    match (is_interpreted, compiled) {
        (true, Compiled::Confirmed) => {
            "Replayed: both runs, in the interpreter and in the compiled program\n".to_owned()
        }
        (true, Compiled::NotRun(reason)) => {
            format!("Replayed: both runs, in the interpreter; not in the compiled program: {reason}\n")
        }
        (false, Compiled::Confirmed) => {
            format!("Replayed: both runs, in the compiled program; {unseen}\n")
        }
        (false, Compiled::NotRun(reason)) => format!("Not replayed: {unseen}; not compiled: {reason}\n"),
    }
}

/// What the passing run does differently: the slice in the format of the paper, then everything as a table.
fn differences(story: &Story, detail: Detail) -> String {
    let mut out = String::new();
    let first = story.slices.first().map_or(&[][..], Vec::as_slice);
    if !first.is_empty() {
        let of = match (story.slices.len(), story.has_all_slices) {
            (1, true) => String::new(),
            (n, true) => format!(" (set 1 of {n} smallest sets)"),
            (n, false) => format!(" (set 1 of at least {n} smallest sets)"),
        };
        let _ = match first.len() {
            1 => writeln!(out, "This change suffices{of}:"),
            n => writeln!(out, "These {n} changes suffice{of}:"),
        };
        first.iter().filter_map(|index| story.deltas.get(*index)).for_each(|found| delta(&mut out, found));
        for (number, slice) in (2..).zip(story.slices.iter().skip(1)) {
            let _ = writeln!(out, "Or these (set {number} of {}):", story.slices.len());
            slice
                .iter()
                .filter_map(|index| story.deltas.get(*index))
                .for_each(|found| delta(&mut out, found));
        }
        out.push('\n');
    }
    let all = rows(story);
    let is_shown = |row: &Row<'_>| {
        let is_executed = row.delta.is_executed_before || row.delta.is_executed_after;
        is_executed || row.is_needed || detail.has_unexecuted
    };
    let n_all = all.len();
    let shown: Vec<Row<'_>> = all.into_iter().filter(is_shown).collect();
    out.push_str(&table(&shown));
    if let Some(hidden) = n_all.checked_sub(shown.len()).filter(|hidden| *hidden > 0) {
        let _ = writeln!(out, "  {hidden} more in code that neither run executes (--unexecuted shows them)");
    }
    out
}

fn delta(out: &mut String, delta: &Delta) {
    let Delta { what, version, before, after, .. } = delta;
    let line = delta.place.line.map_or_else(String::new, |line| format!("@{line}"));
    let never =
        if delta.is_executed_before || delta.is_executed_after { "" } else { ", executed by neither run" };
    let place = long(&delta.place);
    let _ = match delta.kind {
        DeltaKind::Guard => {
            let was = if before == "0" { "FALSE" } else { "TRUE" };
            writeln!(out, "  Guard changed: {what} (guard{line}#{version}) was {was}\n    {place}{never}")
        }
        _ => writeln!(
            out,
            "  Value changed: {what}{line}#{version} from {before} to {after}\n    {place}{never}"
        ),
    };
}

/// The runs side by side. `*` marks what is in the slice.
fn table(rows: &[Row<'_>]) -> String {
    let has_files = rows.iter().any(|row| row.delta.place.file != rows[0].delta.place.file);
    let has_brackets = rows.iter().any(|row| row.fails.starts_with('(') || row.passes.starts_with('('));
    let mut notes = Vec::new();
    if rows.iter().any(|row| row.is_needed) {
        notes.push("* suffices");
    }
    if has_brackets {
        notes.push("in parentheses: not executed");
    }
    let notes = if notes.is_empty() { String::new() } else { format!(" ({})", notes.join("; ")) };
    let mut cells = vec![["", "line", "function", "value", "fails", "passes"].map(str::to_owned).to_vec()];
    for row in rows.iter().take(MAX_ROWS) {
        let place = &row.delta.place;
        let line = place.line.map_or_else(String::new, |line| line.to_string());
        cells.push(vec![
            if row.is_needed { "*" } else { "" }.to_owned(),
            if has_files { format!("{}:{line}", place.file) } else { line },
            place.function.clone(),
            cut(&row.name(), MAX_NAME),
            row.fails.clone(),
            row.passes.clone(),
        ]);
    }
    let mut out = format!("The runs side by side, where they differ{notes}:\n{}", aligned(&cells, ""));
    if let Some(more) = rows.len().checked_sub(MAX_ROWS).filter(|more| *more > 0) {
        let _ = writeln!(out, "  and {more} more; --json and --html list all");
    }
    out
}
