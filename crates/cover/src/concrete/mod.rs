//! Concrete runs: inputs are chosen, the function is executed, and what it reached is kept.
//!
//! A function that is too large to be unrolled within its time limit still has runs, each as cheap as what it executes. They begin with corner values
//! and the constants and texts of the program. An input list that leads to something new is kept and changed further, one or a few inputs at a time;
//! comparisons that the run made say which values to try next (grey-box fuzzing with comparison feedback). The machine is the one that unrolls
//! ([`nub_unroll::SingleRuns`]), so a run that is found is a run of the model like any other, and so are its tests.
//!
//! Finding nothing proves nothing.

mod changes;
mod dictionary;
mod happened;
mod search;
mod supplement;

pub(crate) use search::RunSearch;
pub(crate) use supplement::{ConcreteTest, Supplement};
