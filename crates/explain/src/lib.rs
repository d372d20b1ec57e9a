//! Why an assertion of a C program fails, by the closest passing run.
//!
//! [`explain`] finds a run that violates an assertion, then a passing run that differs in as few values as possible, with the proof that fewer are
//! impossible, and finally which of these differences are needed: the *slices*. The method is that of Groce, Chaki, Kroening and Strichman (Error
//! explanation with distance metrics, 2006).
//!
//! ```
//! use nub_explain::{Explanation, ExplainOptions, ProgramSource, explain};
//!
//! let text = b"void __CPROVER_assert(int, const char *);
//!     void f(int a) { int b = a; if (a > 3) b = 0; __CPROVER_assert(b == a, \"\"); }";
//! let (unit, _) = nub_c_syntax::parse(text);
//! let (program, _) = nub_c_ir::lower(&unit, &nub_c_ir::DataModel::lp64());
//! let f = program.function_by_name("f").unwrap();
//! let source = ProgramSource { program: &program, text, file: "" };
//! let Ok(Explanation::Explained(story)) = explain(source, f, &ExplainOptions::default()) else { panic!() };
//! assert!(story.distance.is_proved());
//! ```
//!
//! **What counts** (`convention`): one value per input, assignment, phi, guard, argument and returned value, whether or not it is executed. Distances
//! depend on this, so it is defined there, and checked by counting all runs of random programs. Specification code (`trust`) does not count.
//!
//! **What is kept.** A run that passes because the property does not apply to it explains nothing. So a passing run reaches the property that is
//! violated (`reach`), and the antecedent of an implication (`antecedent`) and the value that a reference computes (`expected`) are kept if any
//! passing run allows it.
//!
//! **What is needed** (`slices`, on the definitions of [`nub_unroll::Ssa`]): the smallest sets of differences that change the outcome, all of them.
//! `one_step` selects the run by the size of its slice instead; its file says why that is only an option.
//!
//! **The files.** A `bounded_program` is a program with all its runs up to a bound, `system` its SAT copy. `property` names what can fail,
//! `failing_run` finds a run that fails (`small` its inputs, `tried_runs` and `tried_floats` some without a solver), `closest_run` those that pass
//! (`near` their inputs, `sum` the weights). `render_story` builds the story of one question, `unwinding` repeats it with more and more iterations of
//! loops, as long as there could be a closer run, `passing_run` decides what to trust within one bound, `keep_expected` and `keep_antecedent` what a
//! passing run has to keep. `insert_conditions` inserts conditions of the user into the source, `marks` finds them again in the unrolled program,
//! `errors` marks places that no run may reach, `unwritten` assigns values to uninitialised variables; `cause` decides whether a predicate is a
//! cause. `order` detects where C leaves the order of calls open, `addresses` which programs depend on addresses. `given_inputs` reads the inputs
//! that the user gives. `replay` checks every run in the interpreter. `describe` and `story` express the result in source terms, `output` prints it.
//!
//! **What is checked.** Every run is replayed by the interpreter. That no run is closer, or fails any more, is proved again from the start, and the
//! proof is checked (`certify`).
//!
//! **Known weaknesses.** Pointers into one object at different offsets are followed without their variable, so a slice may miss them. A reference is
//! recognised by its name or by where it is called; [`Trust::These`] states it explicitly.

mod addresses;
mod antecedent;
mod bounded_program;
mod cases;
mod cause;
mod closest_run;
mod convention;
mod describe;
mod errors;
mod expected;
mod failing_run;
mod given_inputs;
mod insert_conditions;
mod keep_antecedent;
mod keep_expected;
mod marks;
mod metric;
mod near;
mod one_step;
mod options;
pub mod output;
mod passing_run;
pub mod pdg;
mod property;
mod ranges;
mod reach;
mod relaxed;
mod render_story;
mod replay;
mod session;
mod slices;
mod small;
mod story;
mod sum;
mod system;
mod tried_floats;
mod tried_runs;
mod trust;
mod unwinding;
mod unwritten;
mod values;

pub use addresses::looks_at_addresses;
pub use cause::{Causal, CausalAnswer, Neighbour, cause};
pub use errors::with_errors;
pub use metric::distance;
pub use nub_c_ir::ProgramSource;
pub use nub_repair as repair;
pub use nub_sat::certify::CertificationResult;
pub use options::{
    Antecedents, Counterexample, ExplainOptions, MetricWeights, Predicate, PropertyFilter, Slicing, Trust,
};
pub use output::text;
pub use property::{PropertyKind, extra_check, property_kind};
pub use session::{ExplainRefusal, Explanation, explain, properties};
pub use story::{
    Assumed, AssumedBy, ChangedInput, Delta, DeltaKind, ExplanationNote, InputValue, Interval, OtherRun,
    OtherValue, PropertyText, RunValues, Story, StoryPlace, TraceValue,
};
pub use unwritten::unwritten_as_inputs;
