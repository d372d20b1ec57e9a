//! The complete traces of both runs, as in figures 5, 6, 8 and 9 of the paper: the states of a run, and the values of all variables, including those
//! that it does not compute.

use crate::story::{DeltaKind, TraceValue};
use std::fmt::Write;

/// Both runs, one after the other.
pub(super) fn text(trace: &[TraceValue]) -> String {
    let failing = |value: &TraceValue| (value.failing.clone(), value.is_executed_failing);
    let passing = |value: &TraceValue| (value.passing.clone(), value.is_executed_passing);
    run("failing", trace, failing) + &run("passing", trace, passing)
}

fn run(name: &str, trace: &[TraceValue], of: impl Fn(&TraceValue) -> (String, bool)) -> String {
    let mut out = format!("\nStates of the {name} run:\n");
    let mut number = 0;
    for value in trace {
        let (shown, is_executed) = of(value);
        let is_state = !matches!(value.kind, DeltaKind::Phi | DeltaKind::Guard);
        if is_executed && is_state {
            number += 1;
            let place = super::place::long(&value.place);
            // Writing to a string does not fail.
            let _ =
                writeln!(out, "  State {number} {place}\n    {} = {shown} ({})", value.what, named(value));
        }
    }
    let _ = writeln!(out, "\nValues of the {name} run (in parentheses: not executed):");
    for value in trace {
        let (shown, is_executed) = of(value);
        let shown = match (value.kind, shown.as_str()) {
            (DeltaKind::Guard, "0") => "FALSE".to_owned(),
            (DeltaKind::Guard, _) => "TRUE".to_owned(),
            _ if is_executed => shown,
            _ => format!("({shown})"),
        };
        let _ = writeln!(out, "  {} = {shown}", named(value));
    }
    out
}

/// `most#2`, or `guard#3 (a < b)`.
pub(super) fn named(value: &TraceValue) -> String {
    match value.kind {
        DeltaKind::Guard => format!("guard#{} ({})", value.version, value.what),
        _ => format!("{}#{}", value.what, value.version),
    }
}
