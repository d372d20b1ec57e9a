//! The result of `nub explain`, from which all outputs, including JSON, are made. Fields may be added but not removed.

mod cause;
mod property;
mod score;
mod story;

pub use cause::{Causal, CausalAnswer, Neighbour, cause_json, cause_schema};
pub use property::PropertyKind;
pub use score::{AgainstRun, FileLine, Reference, Score};
pub use story::{
    Assumed, AssumedBy, ChangedInput, Delta, DeltaKind, ExplanationNote, InputValue, Interval, OtherRun,
    OtherValue, PropertyText, RunValues, Story, StoryPlace, TraceValue,
};

use crate::indented;
use crate::ranking::Ranking;
use schemars::{JsonSchema, Schema};
use serde::Serialize;

/// Name and version of this program.
const TOOL: &str = concat!("nub ", env!("CARGO_PKG_VERSION"));

/// The version of the JSON. It is incremented when a field is removed or changes its meaning.
pub const VERSION: u32 = 1;

/// All that is known about one failure.
#[derive(Clone, Debug, JsonSchema, Serialize)]
pub struct ExplainReport {
    /// The version of the format.
    pub version: u32,
    /// Name and version of this program.
    pub tool: String,
    /// The two runs and their differences.
    #[serde(flatten)]
    pub explanation: Explanation,
    /// Likely fault locations: lines by whether changing one of them alone fixes the failing runs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ranking: Option<Ranking>,
    /// Why there is no ranking, if it was requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub no_ranking: Option<String>,
    /// Whether the compiled program agrees.
    pub compiled: Compiled,
    /// How close the explanation is to the lines known to be faulty, if any are given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reference: Option<Reference>,
}

/// What the compiled program did with the runs.
#[derive(Clone, PartialEq, Eq, Debug, JsonSchema, Serialize)]
#[serde(tag = "state", content = "reason", rename_all = "kebab-case")]
pub enum Compiled {
    /// Both runs ended as they should.
    Confirmed,
    /// It was not run, for this reason.
    NotRun(String),
}

impl ExplainReport {
    /// A report with the explanation alone.
    pub fn new(explanation: Explanation, compiled: Compiled) -> ExplainReport {
        ExplainReport {
            version: VERSION,
            tool: TOOL.to_owned(),
            explanation,
            ranking: None,
            no_ranking: None,
            compiled,
            reference: None,
        }
    }
}

/// The outcome of the search.
#[derive(Clone, PartialEq, Eq, Debug, JsonSchema, Serialize)]
#[serde(tag = "answer", rename_all = "kebab-case")]
pub enum Explanation {
    /// No run up to the bound violates a property.
    NoViolation {
        /// How often each loop was unrolled.
        unwind: u32,
        /// No run is longer than the bound.
        is_complete: bool,
        /// Number of properties checked.
        n_properties: usize,
        /// A property that was not requested but that some run violates. Such a run ends there, so it might otherwise
        /// have reached a requested property.
        #[serde(skip_serializing_if = "Option::is_none")]
        ends_before: Option<PropertyText>,
        /// Assumptions where C leaves the behaviour open.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        #[schemars(default)]
        premises: Vec<String>,
    },
    /// Some run fails, and none up to the bound passes.
    NoPassingRun {
        /// What is violated.
        property: PropertyText,
        /// The failing run.
        failing: Box<RunValues>,
        /// How often each loop was unrolled.
        unwind: u32,
        /// No run is longer than the bound.
        is_complete: bool,
        /// Assumptions where C leaves the behaviour open.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        #[schemars(default)]
        premises: Vec<String>,
    },
    /// A failing run, and the closest passing run.
    Explained(Box<Story>),
}

/// One object, indented.
pub fn explain_json(report: &ExplainReport) -> String {
    indented(report)
}

/// The schema of what [`explain_json`] returns.
pub fn explain_schema() -> Schema {
    crate::schema_of::<ExplainReport>()
}

/// What `nub explain --list --json` prints.
#[derive(JsonSchema, Serialize)]
struct PropertiesDocument<'p> {
    version: u32,
    tool: &'static str,
    properties: &'p [PropertyText],
}

/// The JSON text.
pub fn properties_json(list: &[PropertyText]) -> String {
    indented(&PropertiesDocument { version: VERSION, tool: TOOL, properties: list })
}

/// The schema of what [`properties_json`] returns.
pub fn properties_schema() -> Schema {
    crate::schema_of::<PropertiesDocument<'_>>()
}
