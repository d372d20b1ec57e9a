//! Whether a failure depends on a predicate.

use super::{Interval, PropertyText, RunValues, TOOL, VERSION};
use schemars::{JsonSchema, Schema};
use serde::Serialize;

/// Whether a failure depends on a predicate.
#[derive(Clone, PartialEq, Eq, Debug, JsonSchema, Serialize)]
pub struct Causal {
    /// The predicate.
    pub predicate: String,
    /// The violated property; absent if no run fails while the predicate is true.
    pub property: Option<PropertyText>,
    /// The run in which both are true.
    pub failing: Option<RunValues>,
    /// The closest run in which neither is.
    pub without_both: Option<Neighbour>,
    /// The closest run that fails although the predicate is false.
    pub without_cause: Option<Neighbour>,
    /// The answer.
    pub answer: CausalAnswer,
}

/// A run and its distance.
#[derive(Clone, PartialEq, Eq, Debug, JsonSchema, Serialize)]
pub struct Neighbour {
    /// The run.
    pub run: RunValues,
    /// Bounds on its distance from the failing run.
    pub distance: Interval,
}

/// Whether a failure depends on a predicate.
#[derive(Clone, Copy, PartialEq, Eq, Debug, JsonSchema, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum CausalAnswer {
    /// It does.
    Dependent,
    /// It does not.
    Independent,
    /// No run fails while the predicate is true.
    NeverTogether,
    /// Undecided: the time limit was reached.
    Unknown,
}

impl Causal {
    /// As a sentence.
    pub fn sentence(&self) -> String {
        let predicate = &self.predicate;
        let evidence = format!("{}; {}", self.without_both_text(), self.without_cause_text());
        match self.answer {
            CausalAnswer::Dependent => format!("The failure depends on `{predicate}`: {evidence}."),
            CausalAnswer::Independent => format!("The failure does not depend on `{predicate}`: {evidence}."),
            CausalAnswer::NeverTogether => format!("No run fails while `{predicate}` is true."),
            CausalAnswer::Unknown => {
                format!("Undecided whether the failure depends on `{predicate}`: time limit reached.")
            }
        }
    }
}

impl Causal {
    fn without_both_text(&self) -> String {
        match &self.without_both {
            Some(found) => {
                format!("the closest passing run without it has distance {}", found.distance_text())
            }
            None => "no run without it passes".to_owned(),
        }
    }

    fn without_cause_text(&self) -> String {
        match &self.without_cause {
            Some(found) => {
                format!("the closest failing run without it has distance {}", found.distance_text())
            }
            None => "no run without it fails".to_owned(),
        }
    }
}

impl Neighbour {
    fn distance_text(&self) -> String {
        match &self.distance {
            distance if distance.is_proved() => distance.upper.to_string(),
            distance => format!("{} to {}", distance.lower, distance.upper),
        }
    }
}

/// What `nub explain --cause --json` prints.
#[derive(JsonSchema, Serialize)]
struct CauseDocument<'c> {
    version: u32,
    tool: &'static str,
    #[serde(flatten)]
    found: &'c Causal,
}

/// The JSON text.
pub fn cause_json(found: &Causal) -> String {
    crate::indented(&CauseDocument { version: VERSION, tool: TOOL, found })
}

/// The schema of what [`cause_json`] returns.
pub fn cause_schema() -> Schema {
    crate::schema_of::<CauseDocument<'_>>()
}
