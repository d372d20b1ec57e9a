//! Passes on DIMACS files (cnf, wcnf, qdimacs), one file each, and the adjustments after a cut.
//!
//! - [`render`] keeps the counts of the header correct and the prefix free of empty blocks;
//! - [`clean_up`] removes variables from the prefix when their last use is removed.

pub mod check;
pub mod clauses;
mod clean_up;
pub mod comments;
mod fate;
pub mod flip;
pub mod header;
pub mod join_clauses;
pub mod literals;
pub mod merge_variables;
mod occurrences;
pub mod others;
pub mod quantified;
pub mod quantifiers;
mod render;
pub mod renumber;
pub mod replace_literals;
pub mod same_variables;
pub mod signs;
pub mod sort;
pub mod tidy;
pub mod top_weight;
pub mod variables;
mod view;
pub mod weights;

pub use clean_up::clean_up;
pub use occurrences::Occurrences;
pub use render::render;
pub use view::DimacsView;
