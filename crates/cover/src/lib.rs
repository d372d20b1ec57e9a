//! The fewest tests that cover a C function, with proof.
//!
//! [`cover`] takes a function of a [`nub_c_ir::Program`] and gives a [`report::CoverReport`]: tests that reach every goal of a
//! criterion that can be reached, the proof that no smaller set does, and the reason for every goal that cannot. The steps:
//!
//! - `goals` lists what the criterion requires, in terms of events such as "this condition is true";
//! - `encode` turns the unrolled function into clauses, with one atom per event;
//! - `search` finds runs, the fewest of them, and a clique of goals of which no test reaches two: the proof;
//! - `observe` evaluates every test on the terms, `replay` runs it in the interpreter;
//! - `describe` and `build` write the report, `output` formats it.
//!
//! ```
//! use nub_c_ir::{DataModel, lower};
//! use nub_cover::describe::SourceQuotes;
//! use nub_cover::goals::{Criterion, CriterionReading};
//! use nub_cover::{CoverOptions, cover};
//!
//! let text = b"int f(int a, int b) { if (a > 3 && b == 7) return 1; return 0; }";
//! let (unit, _) = nub_c_syntax::parse(text);
//! let (program, _) = lower(&unit, &DataModel::lp64());
//! let function = program.function_by_name("f").unwrap();
//! let options = CoverOptions { readings: vec![CriterionReading::new(Criterion::Mcdc)], ..CoverOptions::default() };
//! let reports = cover(SourceQuotes { program: &program, text }, function, &options).unwrap();
//! assert_eq!(reports[0].tests.len(), 3);
//! assert!(reports[0].is_minimal);
//! ```

mod build;
mod concrete;
pub mod describe;
pub mod encode;
mod existing;
mod favourites;
pub mod goals;
mod judge;
mod measure;
pub mod mutants;
mod observe;
mod options;
pub mod output;
mod premises;
mod reasons;
mod replay;
mod routes;
mod same_inputs;
mod sample;
pub mod search;
mod session;
pub mod split;
mod task;
mod undefined;
pub mod verdict;

pub use encode::UndefinedBehaviour;
pub use existing::{ExistingTest, GivenNumber, RunRefusal, TestFileError, read_tests};
pub use nub_report::cover as report;
pub use options::{CoverOptions, Error, LaterLimits, Memory, Unwind};
pub use session::cover;
