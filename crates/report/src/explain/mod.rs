//! The result of `nub explain` in a form that every output is made of, and that JSON is written from. Fields are only ever added.

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

/// The version of the JSON. Removing a field or changing its meaning raises it.
pub const VERSION: u32 = 1;

/// All that is known about one failure.
#[derive(Clone, Debug, JsonSchema, Serialize)]
pub struct ExplainReport {
    /// Of the format.
    pub version: u32,
    /// Name and version of this program.
    pub tool: String,
    /// The runs and what is between them.
    #[serde(flatten)]
    pub explanation: Explanation,
    /// Likely fault locations: lines by whether changing one of them alone fixes the failing runs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ranking: Option<Ranking>,
    /// Why there is no ranking, if it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub no_ranking: Option<String>,
    /// Whether the compiled program did the same.
    pub compiled: Compiled,
    /// How near it is to what is known to be faulty, if something is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reference: Option<Reference>,
}

/// What the compiled program did with the runs.
#[derive(Clone, PartialEq, Eq, Debug, JsonSchema, Serialize)]
#[serde(tag = "state", content = "reason", rename_all = "kebab-case")]
pub enum Compiled {
    /// Both runs ended as they should.
    Confirmed,
    /// It was not asked, for this reason.
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

/// What came of it.
#[derive(Clone, PartialEq, Eq, Debug, JsonSchema, Serialize)]
#[serde(tag = "answer", rename_all = "kebab-case")]
pub enum Explanation {
    /// No run up to the bound breaks an assertion.
    NoViolation {
        /// Rounds of each loop.
        unwind: u32,
        /// No run is longer.
        is_complete: bool,
        /// Properties that were looked at.
        n_properties: usize,
        /// What nobody asked for, and some run violates: it goes no further, so it might have reached what was asked for.
        #[serde(skip_serializing_if = "Option::is_none")]
        ends_before: Option<PropertyText>,
        /// What is taken for granted, as C leaves it open.
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
        /// Rounds of each loop.
        unwind: u32,
        /// What is taken for granted, as C leaves it open.
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

/// For programs.
pub fn properties_json(list: &[PropertyText]) -> String {
    indented(&PropertiesDocument { version: VERSION, tool: TOOL, properties: list })
}

/// The schema of what [`properties_json`] returns.
pub fn properties_schema() -> Schema {
    crate::schema_of::<PropertiesDocument<'_>>()
}
