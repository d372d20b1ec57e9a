//! How near the explanation is to what is known to be faulty.

use crate::pdg::{Line, Score};
use serde::Serialize;
use std::fmt::Write;

/// The explanation against faulty lines that are known.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Reference {
    /// The faulty lines.
    pub faulty: Vec<Line>,
    /// The lines of the slice; of all differences if there is no slice.
    pub slice: Option<Score>,
    /// The first lines of the ranking.
    pub ranking: Option<Score>,
}

/// A line for each list.
pub(super) fn text(reference: &Reference) -> String {
    let lines: Vec<String> =
        reference.faulty.iter().map(|line| format!("{}:{}", line.file, line.line)).collect();
    let mut out = format!("\nFaulty: {}\n", lines.join(" "));
    for (name, found) in [("ranking", &reference.ranking), ("slice", &reference.slice)] {
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
    out
}
