//! Everything that nub can do, as jobs: a typed request in, a stream of typed events out.
//!
//! [`start`] takes a [`JobRequest`], plain data that can be serialised, and a [`JobContext`], the environment of the job. The
//! [`JobHandle`] that it returns delivers [`JobEvent`]s while the job runs, can stop, pause and observe it, and at the end
//! returns its [`JobEnd`]: a typed result, or a [`Failure`] with its kind, its place and a hint. A job that has a folder
//! leaves its request and its events there, and [`JobFolder::open`] reads them back.
//!
//! The command line turns arguments into requests and events into lines; a page turns forms into requests and events into
//! pictures. Neither uses more than the public interface of this crate.
//!
//! ```
//! use nub_jobs::{JobContext, JobRequest, JobResult, RulesJob, start};
//!
//! let folder = tempfile::tempdir()?;
//! let file = folder.path().join("my.rules");
//! # #[allow(clippy::disallowed_methods)]
//! std::fs::write(&file, "(rule twice ((x Bool)) (not (not x)) x)")?;
//! let request = JobRequest::Rules(RulesJob { file, ..RulesJob::default() });
//! let handle = start(request, JobContext::of_process().unwrap());
//! let end = handle.join();
//! assert!(matches!(&end.result, Ok(JobResult::Rules(claims)) if claims[0].is_sound));
//! assert_eq!(end.exit_code(), 0);
//! # Ok::<(), std::io::Error>(())
//! ```

mod c_program;
mod context;
mod control;
mod convert;
mod cover;
mod doctor;
mod events;
mod explain;
mod failure;
mod fleet;
mod folder;
mod format;
mod fuzz;
mod generate;
mod graph;
mod handle;
mod input;
mod pages;
mod plain;
mod project;
mod quantity;
mod reduce;
mod request;
mod result;
mod rules;
mod run;
mod sanitize;
mod sat_solver;
mod schema;
mod settings;
mod similar_names;
mod solve;
mod ticker;
mod timer;
mod unreadable;
mod unsynced;
mod vocabulary;
mod words;

pub use c_program::{BlockOutline, FlowEdge, FunctionOutline, outline};
pub use context::{JobContext, StandardInput};
pub use control::{JobControl, JobState, Phase};
pub use explain::values as explain_values;
pub use failure::{Failure, FailureKind};
pub use folder::{JobFolder, JobRecord};
pub use format::FileFormat;
pub use graph::{FileGraph, GraphEdge, GraphNode, file_graph};
pub use handle::{JobEnd, JobHandle, start};
pub use nub_report::JobEvent;
pub use pages::{CoveredProgram, EndedJob, JobForm, ReducedFiles, ReducedResult, job_form};
pub use project::project_table;
pub use quantity::{NotPercent, TimeError, parse_percent, parse_run_time, parse_time};
pub use reduce::{DDSMT_MUTATORS, DDSMT_THEORIES, DdsmtMutator, DdsmtSupport, DdsmtSwitches};
pub use request::*;
pub use result::{
    CompareResult, DoctorResult, ExplainResult, FuzzResult, JobResult, ReduceResult, RuleClaim, SearchCounts,
    SolveAnswer,
};
pub use sanitize::sanitize;
pub use schema::JsonDocument;
pub use settings::{KEYS as SETTING_KEYS, Setting, SettingKey, Settings};
pub use vocabulary::{Vocabulary, Word};
pub use words::{SplitError, quote as quote_word, split as split_words};

/// The number of cores, the default number of parallel runs.
fn all_cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Seconds rounded to milliseconds.
fn rounded(seconds: f64) -> f64 {
    (seconds * 1000.0).round() / 1000.0
}
