//! Why an assertion of a C program fails, by the closest run that passes.
//!
//! [`explain`] finds a run that breaks an assertion, then a run that passes and differs in as few values as possible, with the proof
//! that fewer will not do, and at last which of these differences are needed: the *slices*. The method is that of Groce, Chaki, Kroening
//! and Strichman (Error explanation with distance metrics, 2006).
//!
//! ```
//! use nub_explain::{Explanation, Options, Source, explain};
//!
//! let text = b"void __CPROVER_assert(int, const char *);
//!     void f(int a) { int b = a; if (a > 3) b = 0; __CPROVER_assert(b == a, \"\"); }";
//! let (unit, _) = nub_c_syntax::parse(text);
//! let (program, _) = nub_c_ir::lower(&unit, &nub_c_ir::DataModel::lp64());
//! let f = program.function_by_name("f").unwrap();
//! let source = Source { program: &program, text, file: "" };
//! let Ok(Explanation::Explained(story)) = explain(source, f, &Options::default()) else { panic!() };
//! assert!(story.distance.is_proved());
//! ```
//!
//! **What counts** (`convention`): one value per input, assignment, phi, guard, argument and returned value, whether or not it is executed.
//! Distances depend on that, so it is fixed there and in the tests of the unroller.
//!
//! **What is weak.** Terms are simplified while they are made. Where that removes a variable from a condition (`held == 1` becomes the
//! condition of the branch that set `held`), a slice passes over this variable. Distances are not concerned.
//!
//! **The files.** `system` is the SAT copy of the unrolled function, `failing` finds the run that fails, `closest` the run that passes (`small` their inputs),
//! `slices` and `cuts` what of the difference is needed. `replay` lets the interpreter judge both runs. `describe` and `story` put it in
//! the words of the source, `text` prints it.

mod closest;
mod convention;
mod cuts;
mod describe;
mod failing;
mod replay;
mod session;
mod slices;
mod small;
mod story;
mod system;
mod text;

pub use describe::Source;
pub use session::{Explanation, Options, Refusal, explain};
pub use story::{Delta, DeltaKind, InputValue, Interval, Place, PropertyText, RunValues, Story};
pub use text::text;
