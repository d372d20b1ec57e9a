//! Public, versioned result types and their JSON.
//!
//! Every job reports what it does as a stream of [`JobEvent`]s; `nub reduce --json` and `nub fuzz --json` print one per
//! line. Every event has a `version` and a `type`; readers skip types and fields they do not know. A change that could
//! break a reader increments [`VERSION`]. `docs/json.md` is the description for users, and tests check it against the
//! types.
//!
//! ```
//! use nub_report::{Accepted, JobEvent};
//! let event =
//!     JobEvent::Accepted(Accepted { bytes: 120, asks: 7, accepted: 2, pass: "commands".into(), seconds: 0.25 });
//! assert_eq!(
//!     event.to_line(),
//!     r#"{"version":1,"type":"accepted","bytes":120,"asks":7,"accepted":2,"pass":"commands","seconds":0.25}"#
//! );
//! ```

pub mod c_tests;
mod compare;
mod comparison_text;
mod counted;
pub mod cover;
mod event;
pub mod explain;
mod fleet;
pub mod fuzz;
mod project;
pub mod ranking;
mod reduce;
mod reduce_text;
mod settings;

pub use compare::{
    ComparedFile, ComparedRun, ComparedStep, Comparison, FailedFile, Row, StrategyOutcome, comparison_schema,
};
pub use comparison_text::{csv as comparison_csv, tables as comparison_tables};
pub use counted::counted;
pub use event::{
    Document, FuzzProgress, JobEvent, NoteEvent, NoteLevel, Progress, ReduceProgress, SearchProgress,
    TextOutput, VERSION, WrittenFile, event_schema,
};
pub use fleet::{FleetReport, FleetRun, FleetWorker, WorkerProgram, fleet_schema};
pub use project::{FunctionOutcome, FunctionState, GoalCounts, ProjectReport, UnreadFile, project_schema};
pub use reduce::{
    Accepted, Confirmed, EndEvent, ErrorEvent, FilePlace, PassYield, Refused, Size, StageSize, StartEvent,
    StopReason,
};
pub use settings::{SettingEntry, SettingsReport, settings_schema};

/// The schema of what is printed: optional parts are not required.
fn schema_of<T: schemars::JsonSchema>() -> schemars::Schema {
    schemars::generate::SchemaSettings::default().for_serialize().into_generator().into_root_schema_for::<T>()
}

/// A document as `--json` prints it: indented, with a newline at the end.
fn indented(document: &impl serde::Serialize) -> String {
    let text = serde_json::to_string_pretty(document);
    text.map_or_else(|error| format!("{{\"error\": \"{error}\"}}\n"), |text| text + "\n")
}
