//! The report for people, in the manner of the paper.

use crate::session::Explanation;
use crate::story::{Delta, DeltaKind, Place, RunValues, Story};
use std::fmt::Write;

/// The explanation as text. First the differences of a smallest slice, then the others.
pub fn text(explanation: &Explanation) -> String {
    match explanation {
        Explanation::NoViolation { unwind, is_complete: true } => {
            format!("No assertion can fail (loops unrolled {unwind} times, which is enough for all runs).\n")
        }
        Explanation::NoViolation { unwind, is_complete: false } => {
            format!(
                "No assertion can fail within {unwind} rounds of each loop; longer runs were not looked at.\n"
            )
        }
        Explanation::NoPassingRun { property, failing, unwind } => {
            let place = place(&property.place);
            format!(
                "Violated: {} ({place})\nFails with: {}\nNo run passes within {unwind} rounds of each loop.\n",
                property.text,
                inputs(failing)
            )
        }
        Explanation::Explained(story) => story_text(story),
    }
}

fn story_text(story: &Story) -> String {
    let mut out = String::new();
    // Writing to a string does not fail.
    let _ = writeln!(out, "Violated: {} ({})", story.property.text, place(&story.property.place));
    let _ = writeln!(out, "Fails with:  {}", inputs(&story.failing));
    let _ = writeln!(out, "Passes with: {}", inputs(&story.passing));
    if !(story.failing.is_replayed && story.passing.is_replayed) {
        let _ = writeln!(out, "Not replayed: the interpreter cannot be given such inputs.");
    }
    let distance = match story.distance.is_proved() {
        true => format!("{}, proved to be the least", story.distance.upper),
        false => format!("{}, at least {}", story.distance.upper, story.distance.lower),
    };
    let _ = writeln!(out, "Distance: {distance}; {} values were compared\n", story.n_values);
    let first = story.slices.first().map_or(&[][..], Vec::as_slice);
    let n_slices = story.slices.len();
    let of = match (n_slices, story.has_all_slices) {
        (1, true) => String::new(),
        (n, true) => format!(", one of {n} smallest choices"),
        (n, false) => format!(", one of {n} or more choices"),
    };
    if !first.is_empty() {
        let _ = match first.len() {
            1 => writeln!(out, "This change suffices{of}:"),
            n => writeln!(out, "These {n} changes suffice{of}:"),
        };
        first.iter().for_each(|index| delta(&mut out, &story.deltas[*index]));
    }
    let rest: Vec<&Delta> = (0..story.deltas.len())
        .filter(|index| !first.contains(index))
        .map(|index| &story.deltas[index])
        .collect();
    if !rest.is_empty() {
        let _ = writeln!(out, "{}", if first.is_empty() { "Changed:" } else { "\nChanged as well:" });
        rest.iter().for_each(|found| delta(&mut out, found));
    }
    out
}

fn delta(out: &mut String, delta: &Delta) {
    let Delta { what, version, before, after, .. } = delta;
    let line = delta.place.line.map_or_else(String::new, |line| format!("@{line}"));
    let never =
        if delta.is_executed_before || delta.is_executed_after { "" } else { ", executed by neither run" };
    let place = place(&delta.place);
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

fn place(place: &Place) -> String {
    let file = if place.file.is_empty() { String::new() } else { format!("file {} ", place.file) };
    let line = place.line.map_or_else(String::new, |line| format!("line {line} "));
    format!("{file}{line}function {}", place.function)
}

fn inputs(run: &RunValues) -> String {
    let read = run.inputs.iter().filter(|input| input.is_read);
    let list: Vec<String> = read.map(|input| format!("{}={}", input.name, input.value)).collect();
    if list.is_empty() { "no inputs".to_owned() } else { list.join(" ") }
}
