//! Whether a failure depends on a predicate, in two lines or as JSON.

use super::place::{inputs, long};
use crate::cause::Causal;
use std::fmt::Write;

/// For people.
pub fn cause_text(found: &Causal) -> String {
    let mut out = format!("{}\n", found.sentence());
    // Writing to a string does not fail.
    if let Some(property) = &found.property {
        let _ = writeln!(out, "Violated: {} ({})", property.text, long(&property.place));
    }
    let runs = [
        ("Failing run:           ", found.failing.as_ref()),
        ("Passing run without it:", found.without_both.as_ref().map(|near| &near.run)),
        ("Failing run without it:", found.without_cause.as_ref().map(|near| &near.run)),
    ];
    for (name, run) in runs {
        if let Some(run) = run {
            let _ = writeln!(out, "{name} {}", inputs(run));
        }
    }
    out
}
