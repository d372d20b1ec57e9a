//! Small edits: does another operator, constant, variable or condition in a statement let all runs pass?
//!
//! ```c
//! return own <= other;    the program
//! return own < other;     a small edit
//! ```
//!
//! Point repair says that some function of what a statement reads would be right. With a weak property nearly every statement has such a function.
//! But programs are nearly right: someone who wrote `<=` meant `<`, or forgot a condition that is checked elsewhere (the competent programmer
//! hypothesis of DeMillo, Lipton and Sayward, 1978). So a statement that one small edit makes right is the better suspect, and the edit tells the
//! reader more than a value at a point.
//!
//! 1. `candidates` lists edits of the statements that can repair some failing run; `writer` writes their texts.
//! 2. `schema` combines all edits into one program, in which an input selects one (mutant schemata, Untch, Offutt and Harrold, 1993). The
//!    interpreter runs the known runs with each: those that fail must pass, those that pass must still pass, and the share of the latter whose
//!    output changes is the damage.
//! 3. `proof`, for the best (`best`): the text with the edit is parsed again, and no run of it may fail. A run that fails is one more run that the
//!    other edits must pass. For the first lines the proof is generated again and checked.
//! 4. An edit that disables its statement (`vacuous`) does not count.
//! 5. Another type for a variable cannot be selected by an input, so each is a program of its own (`types`).
//! 6. If no single change is known to repair the program, two edits in different statements that do so together (`pairs`).

mod atoms;
mod best;
mod brackets;
mod candidates;
mod expressions;
mod float_numbers;
mod floats;
mod literals;
mod names;
mod offsets;
mod pairs;
mod patterns;
mod proof;
mod returned;
mod rules;
mod schema;
mod siblings;
mod trial;
mod types;
mod uses;
mod vacuous;
mod variables;
mod writer;

pub(super) use best::small_edits;
pub use candidates::EditKind;
pub(super) use candidates::Statement;
pub(super) use floats::with_math_names;
pub(super) use pairs::pair;
pub(super) use proof::Edited;
pub(super) use rules::{Broken, NOWHERE, rule_edits, with_names};
pub(super) use trial::{Known, Task, Tried};
pub(super) use types::{Retyped, type_edits};
