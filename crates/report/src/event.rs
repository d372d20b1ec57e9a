//! The events of all jobs, as printed by `--json`, stored in a job's folder and shown by the page.

use crate::compare::ComparedRun;
use crate::fuzz::{CampaignState, GroupReport};
use crate::project::FunctionOutcome;
use crate::reduce::{Accepted, EndEvent, ErrorEvent, Refused, StartEvent};
use schemars::{JsonSchema, Schema};
use serde::{Deserialize, Serialize};

/// Version of all events.
pub const VERSION: u32 = 1;

/// One line of the stream.
#[derive(Clone, PartialEq, Debug, JsonSchema, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum JobEvent {
    /// The oracle fails on the original; the reduction begins.
    Start(StartEvent),
    /// A smaller file that still fails is on disk.
    Accepted(Accepted),
    /// The reduction ended, by itself or because it was stopped.
    End(Box<EndEvent>),
    /// A strategy that is compared with others has ended on a file.
    Compared(Box<ComparedRun>),
    /// A campaign found a new group.
    Found(GroupReport),
    /// The reduction of a group has finished.
    Reduced(GroupReport),
    /// A group could not be reproduced for its reduction, and is withdrawn.
    Withdrawn(GroupReport),
    /// The campaign ended, by itself or because it was stopped.
    Campaign(CampaignState),
    /// A function of a project has a result, or a reason why there is none.
    Function(FunctionOutcome),
    /// The result of a job as the JSON document that `--json` prints.
    Document(Document),
    /// A part of the result as text, such as the answers of `nub solve`, in their order.
    Output(TextOutput),
    /// A file was written.
    File(WrittenFile),
    /// A message for the user.
    Note(NoteEvent),
    /// The progress of the job, at most a few times per second; not stored in the job's folder.
    Progress(Progress),
    /// The job was not started.
    Refused(Refused),
    /// Something went wrong.
    Error(ErrorEvent),
}

/// One line of a stream of events.
#[derive(JsonSchema, Serialize)]
struct Line<'a> {
    /// The version of all events.
    version: u32,
    #[serde(flatten)]
    event: &'a JobEvent,
}

/// The schema of a line: an event and its version.
pub fn event_schema() -> Schema {
    crate::schema_of::<Line<'_>>()
}

impl JobEvent {
    /// The event as one line of JSON, without the newline.
    pub fn to_line(&self) -> String {
        serde_json::to_string(&Line { version: VERSION, event: self })
            .expect("plain structs with string keys always serialize")
    }

    /// Reads a line.
    ///
    /// # Errors
    /// If it is not an event of this version.
    pub fn from_line(line: &str) -> Result<JobEvent, serde_json::Error> {
        serde_json::from_str(line)
    }
}

/// See [`JobEvent::Document`].
#[derive(Clone, PartialEq, Debug, JsonSchema, Serialize, Deserialize)]
pub struct Document {
    /// What it describes: `cover`, `explain`, `compare`.
    pub of: String,
    /// The document.
    pub content: serde_json::Value,
}

/// See [`JobEvent::Output`].
#[derive(Clone, PartialEq, Eq, Debug, JsonSchema, Serialize, Deserialize)]
pub struct TextOutput {
    /// Lines, newlines included. Bytes that are not UTF-8 are replaced in JSON.
    #[serde(with = "lossy")]
    #[schemars(with = "String")]
    pub text: Vec<u8>,
}

/// See [`JobEvent::File`].
#[derive(Clone, PartialEq, Eq, Debug, JsonSchema, Serialize, Deserialize)]
pub struct WrittenFile {
    /// Where it is.
    pub path: String,
}

/// How important a note is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum NoteLevel {
    /// Shown with `-v` only.
    Detail,
    /// Shown unless `-q` is given.
    Note,
    /// Something may be wrong.
    Warning,
}

/// See [`JobEvent::Note`].
#[derive(Clone, PartialEq, Eq, Debug, JsonSchema, Serialize, Deserialize)]
pub struct NoteEvent {
    /// How important it is.
    pub level: NoteLevel,
    /// A sentence.
    pub message: String,
}

/// See [`JobEvent::Progress`].
#[derive(Clone, PartialEq, Debug, JsonSchema, Serialize, Deserialize)]
#[serde(tag = "job", rename_all = "kebab-case")]
pub enum Progress {
    /// Of a reduction.
    Reduce(ReduceProgress),
    /// Of a campaign.
    Fuzz(FuzzProgress),
    /// Of a search without numbers to report.
    Search(SearchProgress),
}

/// The progress of a reduction.
#[derive(Clone, PartialEq, Eq, Debug, JsonSchema, Serialize, Deserialize)]
pub struct ReduceProgress {
    /// Size of the original.
    pub start_bytes: u64,
    /// Size of the best file.
    pub bytes: u64,
    /// Runs of the oracle so far.
    pub asks: u64,
    /// The current pass.
    pub pass: String,
    /// Whether runs on the same bytes disagreed.
    pub flaky: bool,
}

/// The progress of a campaign.
#[derive(Clone, PartialEq, Eq, Debug, JsonSchema, Serialize, Deserialize)]
pub struct FuzzProgress {
    /// Inputs tried, including those of earlier runs.
    pub inputs: u64,
    /// Answers `sat` of all solvers.
    pub sat: u64,
    /// Answers `unsat` of all solvers.
    pub unsat: u64,
    /// Runs over the time limit, of all solvers.
    pub slow: u64,
    /// Groups of findings.
    pub groups: u64,
    /// Groups that are being reduced.
    pub reducing: u64,
}

/// What a search is doing.
#[derive(Clone, PartialEq, Eq, Debug, JsonSchema, Serialize, Deserialize)]
pub struct SearchProgress {
    /// A description.
    pub doing: String,
    /// How to avoid the rest of the search.
    pub hint: String,
}

/// Bytes as text.
mod lossy {
    use serde::{Deserialize, Deserializer, Serializer};

    pub fn serialize<S: Serializer>(text: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&String::from_utf8_lossy(text))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<u8>, D::Error> {
        String::deserialize(deserializer).map(String::into_bytes)
    }
}
