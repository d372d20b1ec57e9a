//! Options for generating scripts.

use super::dialect::ScriptDialect;
use super::theories::{Fragment, Theories};
use crate::config::{ConfigError, ExpectedStatus, MAX_WIDTH};
use crate::error::OptionError;
use std::fmt::{self, Write};
use std::str::FromStr;

/// Limit on the applications of one script.
pub const MAX_TERMS: u32 = 10_000_000;

/// Whether products of unknowns may occur.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Arithmetic {
    /// Determined by the seed.
    #[default]
    BySeed,
    /// Factors and divisors are numerals.
    Linear,
    /// Factors and divisors can be any terms.
    Nonlinear,
}

impl Arithmetic {
    /// All of them.
    pub const ALL: [Arithmetic; 3] = [Arithmetic::BySeed, Arithmetic::Linear, Arithmetic::Nonlinear];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Arithmetic::BySeed => "by-seed",
            Arithmetic::Linear => "linear",
            Arithmetic::Nonlinear => "nonlinear",
        }
    }
}

impl fmt::Display for Arithmetic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Arithmetic {
    type Err = OptionError;

    fn from_str(word: &str) -> Result<Arithmetic, OptionError> {
        let found = Arithmetic::ALL.into_iter().find(|arithmetic| arithmetic.name() == word);
        found.ok_or_else(|| OptionError::Arithmetic(word.to_owned()))
    }
}

/// Options of the generator of scripts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ScriptConfig {
    /// Which theories may occur.
    pub theories: Theories,
    /// The approximate number of applications of operators and functions.
    pub terms: u32,
    /// Number of assertions; incremental scripts distribute them over several levels.
    pub assertions: u32,
    /// The approximate maximum depth of terms, with shared terms expanded.
    pub depth: u32,
    /// Limit on the free constants of each sort. A sort without literals has at least one.
    pub vars: u32,
    /// The widest bit-vector. Floating-point formats also respect it, unless none would be left.
    pub max_width: u32,
    /// Several `check-sat` with `push`, `pop`, local declarations and `check-sat-assuming` in between.
    pub incremental: bool,
    /// `(set-option :produce-models true)`, `get-value` in between, and `get-model` after the last `check-sat`. After
    /// `unsat` a solver answers these with an error.
    pub models: bool,
    /// Named assertions and `get-unsat-core` after the last `check-sat`. After `sat` a solver answers with an error.
    pub cores: bool,
    /// Which operators may occur.
    pub dialect: ScriptDialect,
    /// Whether products of unknowns may occur.
    pub arithmetic: Arithmetic,
    /// An answer that is known by construction. `sat` is only possible with bit-vectors, floats and arrays, because our evaluator must
    /// know the values; `unsat` is possible with everything.
    pub status: Option<ExpectedStatus>,
}

impl Default for ScriptConfig {
    fn default() -> ScriptConfig {
        ScriptConfig {
            theories: Theories::CORE.with(Fragment::Bv),
            terms: 100,
            assertions: 6,
            depth: 9_999,
            vars: 4,
            max_width: 32,
            incremental: false,
            models: false,
            cores: false,
            dialect: ScriptDialect::default(),
            arithmetic: Arithmetic::default(),
            status: None,
        }
    }
}

impl ScriptConfig {
    /// Checks the options.
    pub fn check(&self) -> Result<(), ConfigError> {
        let within = |option, value: u32, low: u32, high: u32| {
            if (low..=high).contains(&value) {
                return Ok(());
            }
            Err(ConfigError { option, message: format!("{value} is not between {low} and {high}") })
        };
        within("nodes", self.terms, 1, MAX_TERMS)?;
        within("assertions", self.assertions, 1, MAX_TERMS)?;
        within("depth", self.depth, 1, u32::MAX)?;
        within("vars", self.vars, 0, MAX_TERMS)?;
        within("maxwidth", self.max_width, 1, MAX_WIDTH)?;
        let is_evaluated = |fragment| matches!(fragment, Fragment::Bv | Fragment::Fp | Fragment::Arrays);
        if self.status == Some(ExpectedStatus::Sat) {
            if let Some(other) = self.theories.iter().find(|fragment| !is_evaluated(*fragment)) {
                let message =
                    format!("`sat` is only supported for bv, fp and arrays, not for {}", other.name());
                return Err(ConfigError { option: "status", message });
            }
            if u64::from(self.terms) * u64::from(self.max_width) > MAX_EVALUATED_BITS {
                let message = "too many or too wide terms to evaluate".to_owned();
                return Err(ConfigError { option: "status", message });
            }
        }
        Ok(())
    }

    /// The options that differ from the defaults, in the syntax of `nub generate`: ` --theories bv,fp -n 50`.
    pub(super) fn options(&self) -> String {
        let default = ScriptConfig::default();
        let mut text = format!(" --to smt2 --theories {}", self.theories);
        let numbers = [
            ("-n", self.terms, default.terms),
            ("--assertions", self.assertions, default.assertions),
            ("-d", self.depth, default.depth),
            ("--vars", self.vars, default.vars),
            ("--maxwidth", self.max_width, default.max_width),
        ];
        for (name, value, _) in numbers.iter().filter(|(_, value, default)| value != default) {
            // Writing to a string cannot fail.
            let _ = write!(text, " {name} {value}");
        }
        let flags = [("--incremental", self.incremental), ("--models", self.models), ("--cores", self.cores)];
        for (name, _) in flags.iter().filter(|(_, is_set)| *is_set) {
            let _ = write!(text, " {name}");
        }
        if self.dialect != default.dialect {
            let _ = write!(text, " --dialect {}", self.dialect);
        }
        if self.arithmetic != default.arithmetic {
            let _ = write!(text, " --arithmetic {}", self.arithmetic.name());
        }
        if let Some(status) = self.status {
            let _ = write!(text, " --status {}", status.name());
        }
        text
    }
}

/// Limit on the bits of all values in a script with a known model.
const MAX_EVALUATED_BITS: u64 = 1 << 28;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bad_values_are_named() {
        let base = ScriptConfig::default;
        assert_eq!(base().check(), Ok(()));
        let sat = Some(ExpectedStatus::Sat);
        let cases = [
            (ScriptConfig { terms: 0, ..base() }, "nodes"),
            (ScriptConfig { assertions: 0, ..base() }, "assertions"),
            (ScriptConfig { depth: 0, ..base() }, "depth"),
            (ScriptConfig { max_width: 0, ..base() }, "maxwidth"),
            (ScriptConfig { status: sat, theories: Theories::all(), ..base() }, "status"),
            (ScriptConfig { status: sat, terms: MAX_TERMS, ..base() }, "status"),
        ];
        for (config, option) in cases {
            assert_eq!(config.check().unwrap_err().option, option);
        }
        let unsat = ScriptConfig { status: Some(ExpectedStatus::Unsat), theories: Theories::all(), ..base() };
        assert_eq!(unsat.check(), Ok(()));
    }

    #[test]
    fn only_what_differs_is_written() {
        assert_eq!(ScriptConfig::default().options(), " --to smt2 --theories bv");
        let config = ScriptConfig {
            theories: Theories::all(),
            terms: 7,
            incremental: true,
            dialect: ScriptDialect::Z3,
            arithmetic: Arithmetic::Linear,
            status: Some(ExpectedStatus::Unsat),
            ..ScriptConfig::default()
        };
        let expected =
            " --to smt2 --theories all -n 7 --incremental --dialect z3 --arithmetic linear --status unsat";
        assert_eq!(config.options(), expected);
    }
}
