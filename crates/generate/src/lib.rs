//! Well-sorted formulas from a seed.
//!
//! The generator of "Vida, *Random Test Case Generation and Delta Debugging for Bit-Vector Logic with Arrays*" (2008,
//! section 2.3, called the thesis here), with all its parameters, and more: files in four formats, shapes, transition
//! systems, and answers that are known by construction.
//!
//! [`Files`] writes the file of a seed; [`Generator`] makes the underlying graph, a [`FormulaDag`]; [`GenerateConfig`] has the options.
//! Everything is a function of options and seed: integers only, no hash order, no clock. The same seed gives the same bytes.
//!
//! ```
//! use nub_generate::{GenerateConfig, Files, FormulaFormat};
//!
//! let config = GenerateConfig { nodes: 20, noarrays: true, ..GenerateConfig::default() };
//! let mut files = Files::new(config, FormulaFormat::Btor).unwrap();
//! let mut text = Vec::new();
//! files.write(7, &mut text).unwrap();
//! assert!(text.starts_with(b"; nub generate --seed 7 -n 20 --noarrays\n1 var "));
//! ```
//!
//! The steps of one generation, each in the file of that name: `leaves`, `grow` (with `kinds`, table 2.1, and `children`) or
//! `shape`, `sequential`, `layers` (reads and reductions), then `merge` or `cnf_layer`; `plant` and `contradict` (with
//! `rewrite`) for a known answer. `pools` makes each choice O(1), so that a file costs O(nodes).

mod btor;
mod builder;
mod children;
mod cnf_layer;
mod config;
mod contradict;
mod dag;
mod digits;
mod error;
mod format;
mod grow;
mod header;
mod kcnf;
mod kinds;
mod layers;
mod leaves;
mod merge;
mod model;
mod mutate;
mod pins;
mod plant;
mod pools;
mod ratio;
mod rewrite;
mod script;
mod sequential;
mod shape;
mod share;
mod stats;
mod twins;

pub use btor::{Version, print_btor};
pub use builder::Generator;
pub use config::{
    ConfigError, ExpectedStatus, GenerateConfig, MAX_INDEX_WIDTH, MAX_K, MAX_K_UNSAT, MAX_NODES, MAX_WIDTH,
};
pub use dag::{FormulaDag, FormulaNode, FormulaState};
pub use error::{Mistake, OptionError, SeedError};
pub use format::{Files, FormulaFormat};
pub use kcnf::print_kcnf;
pub use kinds::{all_tags, tag_rows};
pub use model::to_model;
pub use mutate::{
    FormulaMutant, FormulaMutator, KindSet, MutateConfig, MutateDialect, MutationKind, QuantifierUse,
    Skipped, SourceFormat,
};
pub use ratio::Ratio;
pub use script::{
    Arithmetic, Fragment, MAX_TERMS, ScriptConfig, ScriptDialect, Scripts, Theories, UnknownTheory,
    solver_options,
};
pub use share::{bisect, from_table};
pub use stats::FormulaStats;
