//! The fewest tests that cover a C function, with proof.
//!
//! [`cover`] takes a function of a [`nub_c_ir::Program`] and gives a [`report::Report`]: tests that reach every goal of a
//! criterion that can be reached, the proof that no smaller set does, and the reason for every goal that cannot. The way there:
//!
//! - `goals` lists what the criterion asks, in terms of events such as "this condition is true";
//! - `encode` makes clauses of the unrolled function, with one atom per event;
//! - `search` finds runs, the fewest of them, and a clique of goals that no two tests can share: the proof;
//! - `observe` evaluates every test on the terms, `replay` runs it in the interpreter;
//! - `describe` and `build` put it into words, `output` onto paper.

mod build;
pub mod describe;
pub mod encode;
mod existing;
mod favourites;
pub mod goals;
mod observe;
pub mod output;
mod reasons;
mod replay;
pub mod report;
mod sample;
pub mod search;
mod session;
pub mod setup;
pub mod split;

pub use build::criterion_name;
pub use existing::{ExistingTest, read_tests};
pub use session::{Error, Options, Unwind, cover};
