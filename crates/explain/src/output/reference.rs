//! How close the explanation is to the known faulty lines.

use nub_report::counted;
use nub_report::explain::Reference;
use std::fmt::Write;

/// A line for each list.
pub(super) fn text(reference: &Reference) -> String {
    let lines: Vec<String> =
        reference.faulty.iter().map(|line| format!("{}:{}", line.file, line.line)).collect();
    let mut out = format!("\nFaulty: {}\n", lines.join(" "));
    let scores = [
        ("ranking", &reference.ranking),
        ("slice", &reference.slice),
        ("differences before slicing", &reference.differences),
        ("failing run alone", &reference.counterexample),
    ];
    for (name, found) in scores {
        // Writing to a string does not fail.
        let _ = match found {
            Some(score) => writeln!(
                out,
                "Score of the {name}: {:.2} forward, {:.2} in either direction; {} of {} lines, {}",
                score.forward,
                score.either,
                score.n_reported,
                score.n_nodes,
                if score.is_hit { "a faulty one among them" } else { "no faulty one among them" }
            ),
            None if name == "slice" => writeln!(out, "No score: no faulty line is executed."),
            None => Ok(()),
        };
    }
    let against =
        [("slice", &reference.slice_against_run), ("differences", &reference.differences_against_run)];
    for (name, found) in against {
        let Some(found) = found else { continue };
        let _ = writeln!(
            out,
            "Score of the {name} against the failing run: {:.2} forward, {:.2} in either direction; it executes {}",
            found.forward,
            found.either,
            counted(found.n_executed, "line")
        );
    }
    out
}
