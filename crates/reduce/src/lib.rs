//! Reduction: which edits to ask, in which groups, in which order.
//!
//! Only the strategies, which name their passes, depend on a file format. The parts:
//!
//! - [`SubjectFormat`]: how bytes become a view that passes can list edits on;
//! - [`Engine`]: takes the edits of a pass and finds a large subset that can be applied together with few asks;
//! - [`strategies`]: which passes, in which order (`auto`, `ddsmt`, `sound`);
//! - [`ReductionObserver`]: is notified of every accepted step (the command line commits it to disk and shows it).
//!
//! Everything is a function of the input, the options and the oracle's answers, with any number of workers.

mod ahead;
pub mod btor;
mod cache;
pub mod dimacs;
mod engine;
mod format;
mod groups;
mod keep;
mod layered;
mod order;
pub mod plain;
mod schedule;
pub mod search;
pub mod session;
pub mod smt;
mod standard;
mod stats;
pub mod strategies;
mod watch;
mod workers;

pub use engine::{Engine, ReduceConfig, ReductionStop, SecondLook};
pub use format::{AllowedCandidates, SubjectFormat};
pub use keep::Keep;
pub use order::is_smaller;
pub use standard::{Checked, has_standard_meaning, keeps_to_standard, questions_out_of_place};
pub use stats::{PassStats, ReductionStats, StageStats};
pub use watch::{AcceptedStep, Quiet, ReductionObserver, StepError};
pub use workers::{Answered, AskId, WaitPolicy, Workers};
