//! Campaigns: inputs, solvers, findings, groups.

mod answers;
mod batch;
mod bench;
pub mod campaign;
mod coverage;
mod examine;
mod fate;
mod finding;
mod groups;
mod hunt;
mod judge;
mod lane;
mod language;
mod options;
mod reduction;
mod solver;
mod source;
mod stack;
mod swarm;
mod tally;
mod verify;

pub use answers::{Answer, Language, NoAnswer, Reading, elements, marker, read_answers, split_batch};
pub use bench::{Bench, BenchError, RunLimits};
pub use coverage::{operator_names, operators};
pub use examine::{Examined, Found, Plan, Trouble, examine, examine_alone};
pub use fate::{Fate, Message, Observation, observe, signal_name};
pub use finding::{About, Authority, Finding, Kind, Severity, about};
pub use groups::{
    Group, GroupKey, GroupState, Groups, KnownError, KnownList, KnownState, normalise_message, refine,
};
pub use hunt::{Audience, Conduct, HuntError, hunt};
pub use judge::{
    Case, CoreVerdict, ErrorClass, Judgement, ModelVerdict, RunView, Standing, class_of_error, judge,
    standing,
};
pub use lane::{Lane, Run};
pub use options::{Batch, OptionSet, Probe, Table, TableError};
pub use reduction::{Effort, NotReduced, Reduced, reduce};
pub use solver::{Role, Solver};
pub use source::{Input, Origin, Source};
pub use stack::{have_common_origin, informative, read_stack};
pub use tally::{SolverTally, Tally};
