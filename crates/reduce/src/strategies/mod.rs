//! Which passes, in which order.

pub mod auto;
pub mod auto_btor;
pub mod auto_dimacs;
pub mod auto_plain;
pub mod dag;
pub mod ddmin_list;
pub mod ddsmt;
pub mod mutators;
mod rounds;
pub mod rules;
mod schemes;
pub mod sound;
pub mod stage;
pub mod substitute;
mod substitution;

pub use auto_btor::auto_btor;
pub use auto_dimacs::auto_dimacs;
pub use auto_plain::auto_plain;
pub use ddmin_list::{ddmin_clauses, ddmin_lines, ddmin_list};
pub use ddsmt::ddsmt;
pub use mutators::{MutatorSelection, Mutators, Scheme, mutate};
pub use rules::rules;
pub use sound::{Recursion, sound};
pub use stage::stage;
