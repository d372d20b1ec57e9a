//! Edits on SMT-LIB scripts, one file per kind.
//!
//! All passes work on a [`SmtView`]: the script with its analysis. A pass never makes a well-sorted script
//! ill-sorted; if that is not obvious, the file says why.

mod band;
mod clean_up;
mod dag;
mod needs;
mod retype;
mod shapes;
mod standard;
mod up_to_names;
mod values;
mod variables;
mod view;

pub mod annotations;
pub mod arguments;
pub mod arity;
pub mod array_sorts;
pub mod assuming;
pub mod bv_width;
pub mod bypass;
pub mod commands;
pub mod compound;
pub mod constants;
pub mod datatypes;
pub mod ddsmt;
pub mod define_inline;
pub mod eliminate;
pub mod flatten;
pub mod fp_format;
pub mod fresh;
pub mod hoist;
pub mod hoist_rest;
pub mod indices;
pub mod info_values;
pub mod isolate;
pub mod join;
pub mod let_inline;
pub mod literals;
pub mod logic;
pub mod match_cases;
pub mod merge_symbols;
pub mod mutators;
pub mod names;
pub mod operators;
pub mod quantifiers;
pub mod reals;
pub mod replace_by_variable;
pub mod retype_sorts;
pub mod rewrites;
pub mod rules;
pub mod scopes;
pub mod sort_inline;
pub mod sound;
pub mod squeeze;
pub mod symbols;
pub mod tidy;
pub mod tokens;
pub mod truncate;
pub mod unused;

pub use band::SmtBand;
pub use clean_up::{clean_up, unreached};
pub use standard::Violations;
pub use up_to_names::up_to_names;
pub use view::SmtView;
