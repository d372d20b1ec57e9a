//! Reports of an explanation: for people, programs, code review tools and browsers. One format, one file; all are functions of [`ExplainReport`].

mod cause;
mod columns;
mod json;
mod place;
mod properties;
mod ranking;
mod reference;
mod runs;
mod sarif;
mod text;
mod trace;

pub use cause::{cause_json, cause_schema, cause_text};
pub use json::{json, json_schema};
pub use properties::{properties, properties_json, properties_schema};
pub use reference::Reference;
pub use sarif::sarif;
pub use text::{Detail, report_text, text};

use crate::session::Explanation;
use nub_repair::Ranking;
use schemars::JsonSchema;
use serde::Serialize;

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
        let tool = concat!("nub ", env!("CARGO_PKG_VERSION")).to_owned();
        ExplainReport {
            version: VERSION,
            tool,
            explanation,
            ranking: None,
            no_ranking: None,
            compiled,
            reference: None,
        }
    }
}
