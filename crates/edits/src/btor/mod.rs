//! Edits on BTOR and BTOR2 files, one file per kind.
//!
//! All passes work on a [`BtorView`]: the lines with their sorts and uses. A pass keeps a well-formed file well
//! formed: sorts do not change, references lead to earlier lines, assignments of a state are removed with the state.
//!
//! In the new text of a splice on a reference every number is a reference, and no other splice contains numbers that are references:
//! [`clean_up`] relies on this. Passes that rewrite the whole file are the exception; they need no clean-up.

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
pub use view::{BtorView, LineRef, LineUse};
