//! Campaigns: inputs, solvers, findings, groups.
//!
//! A *unit* is a range of seeds. [`examine`] makes its inputs from a [`FuzzSource`], gives each to every [`FuzzedSolver`] of a
//! [`UnitPlan`], judges their answers ([`judge`]) and runs whatever looks wrong again, alone. What is reproduced is a
//! [`ReproducedFinding`]. A
//! [`campaign::Campaign`] records it, assigns it to a group ([`Groups`]) and reduces the first of each group ([`reduce`]), with "the
//! same solver does the same thing again" as the oracle. [`hunt`] runs all of this with several workers until it is told to stop.
//!
//! Reading and judging are pure: an [`Observation`] is a function of what a process printed and how it ended, a
//! [`Judgement`] one of the observations.
//!
//! ```
//! use nub_fuzz::{PrintedAnswer, FuzzCase, Judgement, Language, RunView, judge, observe};
//! use nub_process::{ProcessEnd, ProcessOutcome, CapturedOutput, Usage};
//!
//! let says = |answer: &str| {
//!     let stdout = CapturedOutput { bytes: answer.into(), total: answer.len() as u64 };
//!     let outcome = ProcessOutcome { end: ProcessEnd::Exit(0), stdout, stderr: CapturedOutput::default(), usage: Usage::default() };
//!     observe(&outcome, Language::SmtLib)
//! };
//! let (wrong, right) = (says("unsat\n"), says("sat\n"));
//! let view = |solver, is_reference, observation| RunView {
//!     solver, options: String::new(), is_reference, observation, model: None, core: None, proof: None,
//! };
//! let runs = [view("new", false, &wrong), view("nub", true, &right)];
//! let Judgement::Findings(found) = judge(&FuzzCase { runs: &runs, ..FuzzCase::default() }) else { panic!() };
//! assert_eq!(found[0].1.title(), "new: answers unsat, but the input is sat (model checked by the built-in evaluator)");
//! # assert_eq!(right.reading.answers, [PrintedAnswer::Sat]);
//! ```
//!
//! The files: `source`, `swarm` (inputs); `solver`, `options/` (programs); `bench`, `batch`, `lane` (running); `answers`, `fate`,
//! `stack` (reading); `judge/`, `verify`, `vouch`, `support`, `decide`, `finding` (judging); `groups/` (which are one bug); `examine` (a unit); `reduction`; `campaign/`
//! (the folder); `hunt` (workers); `tally`, `coverage` (counting).

mod answers;
mod batch;
mod bench;
pub mod campaign;
mod coverage;
mod decide;
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
mod support;
mod swarm;
mod tally;
mod verify;
mod vouch;
mod wire;

pub use answers::{
    Language, NoAnswer, PrintedAnswer, PrintedAnswers, elements, marker, read_answers, split_batch,
};
pub use bench::{Bench, BenchError, RunLimits};
pub use coverage::{operator_names, operators};
pub use examine::{Examined, ReproducedFinding, Trouble, UnitPlan, examine, examine_alone};
pub use fate::{Fate, Message, Observation, observe};
pub use finding::{About, Authority, Finding, FindingKind, FindingSeverity, about};
pub use groups::{
    FindingGroup, GroupKey, GroupState, Groups, KnownError, KnownFault, KnownList, KnownState,
    normalise_message, refine,
};
pub use hunt::{Audience, Conduct, HuntElsewhere, HuntError, hunt};
pub use judge::{
    CoreVerdict, ErrorClass, FuzzCase, Judgement, ModelVerdict, ProofVerdict, RunView, Standing,
    class_of_error, judge, standing,
};
pub use lane::{Lane, SolverRun};
pub use options::{Batch, OptionSet, Probe, Table, TableError, TableFault};
pub use reduction::{NotReduced, Reduced, ReductionEffort, reduce};
pub use solver::{Feed, FuzzedSolver, SolverRole};
pub use source::{FuzzInput, FuzzSource, InputError, InputOrigin};
pub use stack::{have_common_origin, informative, read_stack};
pub use support::Support;
pub use tally::{OperatorTally, SolverTally, Tally};
pub use wire::{SentFinding, SentReduction, SentUnit};
