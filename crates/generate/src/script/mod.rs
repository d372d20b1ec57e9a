//! SMT-LIB 2 scripts over all theories, from a seed.
//!
//! [`Scripts`] writes the script of a seed; [`ScriptConfig`] has the options, [`Theories`] says what may occur. The
//! operators come from the table of `nub_smtlib` and from nowhere else: a line there is an operator here.
//!
//! One script: `setup` draws sorts, a part of the operators and the logic; `datatypes` and `functions` declare and define;
//! `commands` and `incremental` make assertions, each of them a frame of the `arena` in which terms `grow` bottom-up (by
//! `instantiate`, by `rules`, or as `binders`), are tested and joined, and printed with `let` for what is shared (`print`).
//! `literals` likes corners; `evaluate` knows a model where one is wanted; `dialect` knows what solvers do not read.
//!
//! ```
//! use nub_generate::{ScriptConfig, Scripts};
//!
//! let config = ScriptConfig { theories: "ints,uf".parse().unwrap(), terms: 30, ..ScriptConfig::default() };
//! let mut text = Vec::new();
//! Scripts::new(config).unwrap().write(7, &mut text).unwrap();
//! assert!(text.starts_with(b"; nub generate --seed 7 --to smt2 --theories ints,uf -n 30\n(set-logic QF_UF"));
//! ```

mod arena;
mod binders;
mod builder;
mod catalog;
mod commands;
mod config;
mod datatypes;
mod dialect;
mod evaluate;
mod float_values;
mod functions;
mod grow;
mod incremental;
mod instantiate;
mod literals;
mod logic;
mod print;
mod rules;
mod setup;
mod theories;
mod universe;

pub use config::{Arithmetic, MAX_TERMS, ScriptConfig};
pub use dialect::{ScriptDialect, solver_options};
pub use theories::{Fragment, Theories, UnknownTheory};

use crate::config::ConfigError;
use crate::error::Mistake;
use builder::Builder;
use catalog::Catalog;
use nub_random::Rng;

/// Scripts of one configuration.
pub struct Scripts {
    config: ScriptConfig,
    catalog: Catalog,
    options: String,
}

impl Scripts {
    /// Scripts with these options.
    pub fn new(config: ScriptConfig) -> Result<Scripts, ConfigError> {
        config.check()?;
        let (catalog, options) = (Catalog::new(&config), config.options());
        Ok(Scripts { config, catalog, options })
    }

    /// Appends the script of a seed. Its first line is a comment with the command that makes it again. O(terms).
    ///
    /// Only a mistake of ours is an error.
    pub fn write(&self, seed: u64, out: &mut Vec<u8>) -> Result<(), Mistake> {
        out.extend_from_slice(format!("; nub generate --seed {seed}{}\n", self.options).as_bytes());
        let mut builder = Builder::new(&self.config, &self.catalog, Rng::new(seed));
        builder.write(out);
        builder.mistake.map_or(Ok(()), Err)
    }

    /// The options.
    pub fn config(&self) -> &ScriptConfig {
        &self.config
    }

    /// Names of the operators that scripts may have.
    pub fn operators(&self) -> impl Iterator<Item = &'static str> + '_ {
        self.catalog.all().map(|op| op.name)
    }
}

impl std::fmt::Debug for Scripts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Scripts").field("config", &self.config).finish_non_exhaustive()
    }
}
