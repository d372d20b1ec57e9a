//! SMT-LIB 2 scripts over all theories, from a seed.
//!
//! [`Scripts`] writes the script of a seed; [`ScriptConfig`] has the options, [`Theories`] says what may occur. The
//! operators come only from the table of `nub_smtlib`: an operator that is added there is generated here.
//!
//! For one script, `setup` draws sorts, a part of the operators and the logic; `datatypes` and `functions` declare and define;
//! `commands` and `incremental` make assertions. Each assertion is a frame of the `arena`, in which terms `grow` bottom-up (by
//! `instantiate`, by `rules`, or as `binders`), are tested and combined, and are printed with `let` for shared terms (`print`).
//! `literals` prefers corner cases; `evaluate` computes a model if one must be known; `dialect` lists what solvers do not support.
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

    /// Appends the script of a seed. Its first line is a comment with the command that reproduces it. O(terms).
    ///
    /// An error is always a bug in the generator.
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

    /// Names of the operators that scripts may use.
    pub fn operators(&self) -> impl Iterator<Item = &'static str> + '_ {
        self.catalog.all().map(|op| op.name)
    }
}

impl std::fmt::Debug for Scripts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Scripts").field("config", &self.config).finish_non_exhaustive()
    }
}
