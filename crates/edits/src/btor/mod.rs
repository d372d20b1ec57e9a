//! Edits on BTOR and BTOR2 files, one file per kind.
//!
//! All passes work on a [`BtorView`]: the lines with their sorts, and who uses what. A pass keeps a well-formed file well
//! formed: sorts stay, references lead to earlier lines, what a state is assigned goes with the state.
//!
//! Every number in the new text of a splice on a reference is a reference, and nothing else holds numbers that are:
//! that is what [`clean_up`] relies on. Passes that write the whole file again are the exception, and need no clean-up.

mod band;
mod canonical;
mod clean_up;
mod constant;
mod dag;
mod dominators;
mod inits;
mod shared_zeros;
#[cfg(test)]
mod testing;
mod view;

pub mod absorb;
pub mod bound;
pub mod bypass;
pub mod check;
pub mod constants;
pub mod equalities;
pub mod hoist;
pub mod justice;
pub mod literals;
pub mod merge_nodes;
pub mod merge_sorts;
pub mod negations;
pub mod operands;
pub mod operators;
pub mod properties;
pub mod renumber;
pub mod reorder;
pub mod states;
pub mod tidy;
pub mod unused;
pub mod widths;

pub use band::BtorBand;
pub use canonical::canonical;
pub use clean_up::{clean_up, unreached};
pub use dominators::Dominators;
pub use view::{BtorView, LineUse};
