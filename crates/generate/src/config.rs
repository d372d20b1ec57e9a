//! What to generate. The names are those of the thesis (section 2.3.1, appendix A.2.2).

use crate::kinds::possible_kinds;
use crate::ratio::Ratio;
use nub_btor::Tag;
use nub_btor::eval::MAX_BITS;
use std::fmt;

/// The widest bit-vector. Constants are printed in decimal too, which costs the square of the width.
pub const MAX_WIDTH: u32 = 4_096;
/// The widest array index. The standard puts no limit, but solvers that list all cells would not end.
pub const MAX_INDEX_WIDTH: u32 = 64;
/// The most nodes, and the most clauses, of one file.
pub const MAX_NODES: u32 = 50_000_000;
/// The longest clause of a DIMACS file.
pub const MAX_K: u32 = 64;
/// The longest clause if the file is to be unsatisfiable: a hidden parity constraint has 2^(k-1) clauses.
pub const MAX_K_UNSAT: u32 = 12;

/// Options of the generator. `Default` has the values of the thesis: those of section 2.3.1, and where it gives none
/// (arrays, writes, clauses) those of its first experiment.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GenerateConfig {
    /// `-n`: merging starts when there are this many nodes. Approximate: merging adds nodes.
    pub nodes: u32,
    /// `-d`: or when the graph is so deep.
    pub depth: u32,
    /// `-vars`: variables to start with.
    pub vars: u32,
    /// `-arrays`: arrays to start with.
    pub arrays: u32,
    /// `-writes`: writes that are made before anything else.
    pub writes: u32,
    /// `-minwidth`: of bit-vectors and array elements. Results of comparisons have one bit all the same.
    pub minwidth: u32,
    /// `-maxwidth`.
    pub maxwidth: u32,
    /// `-arrmaxwidth`: widest index of an array.
    pub arrmaxwidth: u32,
    /// `-dag`: how much is shared, from 0 for trees to 100. See [`crate::Generator`].
    pub dag: u32,
    /// `-all`: every kind of node that the widths allow occurs.
    pub all: bool,
    /// `-noarrays`.
    pub noarrays: bool,
    /// `-cnf`: merge with a 3-CNF over the one-bit nodes (section 2.3.2).
    pub cnf: bool,
    /// `-clauses`: clauses per variable of the CNF.
    pub clauses: Ratio,
    /// `-cnfonly`: `vars` variables of one bit and the CNF; no operators.
    pub cnfonly: bool,
    /// Not `-newformat`: version 2 of the format, with `nego` and with `cond` on arrays.
    pub oldformat: bool,
    /// Ours: operators that table 2.1 lacks: `one`, `ones`, `inc`, `dec`, `proxy`, and logic on whole words.
    pub more_ops: bool,
    /// Ours: constants to start with, mostly zeros, ones and their like.
    pub consts: u32,
    /// Ours: how often, in percent, a child is chosen among the first nodes of its sort, so that leaves meet each other often.
    pub early: u32,
    /// Ours: how often, in percent, a node gets a twin, and the two a node over both.
    pub twins: u32,
    /// Ours: how often, in percent, a reference to a bit-vector is negated. The thesis gives no number.
    pub negated: u32,
    /// Ours: how often, in percent, a node is said to have the value that it has in the planted assignment.
    pub pins: u32,
    /// Ours: no other operators than these, apart from what the layers at the end need. Empty: no limit.
    pub only: Vec<Tag>,
    /// Ours (section 6): this many nodes in each layer above the leaves; the last number goes on. Empty: no limit.
    pub per_layer: Vec<u32>,
    /// Ours: an answer by construction.
    pub status: Option<ExpectedStatus>,
    /// Ours: leaves that are states of a transition system.
    pub states: u32,
    /// Ours: constraints of a transition system.
    pub constraints: u32,
    /// Ours: literals per clause of a DIMACS file.
    pub k: u32,
}

/// The answer a solver must give.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ExpectedStatus {
    /// There is a model, and the generator knows it.
    Sat,
    /// There is none.
    Unsat,
}

impl ExpectedStatus {
    /// As solvers write it.
    pub fn name(self) -> &'static str {
        match self {
            ExpectedStatus::Sat => "sat",
            ExpectedStatus::Unsat => "unsat",
        }
    }
}

impl Default for GenerateConfig {
    fn default() -> GenerateConfig {
        GenerateConfig {
            nodes: 100,
            depth: 9_999,
            vars: 10,
            arrays: 3,
            writes: 5,
            minwidth: 1,
            maxwidth: 4,
            arrmaxwidth: 4,
            dag: 50,
            all: false,
            noarrays: false,
            cnf: false,
            clauses: Ratio::whole(4),
            cnfonly: false,
            oldformat: false,
            more_ops: false,
            consts: 0,
            early: 0,
            twins: 0,
            negated: 25,
            pins: 0,
            only: Vec::new(),
            per_layer: Vec::new(),
            status: None,
            states: 0,
            constraints: 0,
            k: 3,
        }
    }
}

/// Options that do not go together: which, and what is wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ConfigError {
    /// The option to change, without dashes.
    pub option: &'static str,
    /// Why it cannot be.
    pub message: String,
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "--{}: {}", self.option, self.message)
    }
}

impl std::error::Error for ConfigError {}

impl GenerateConfig {
    /// Arrays to start with, after `noarrays`.
    pub(crate) fn n_arrays(&self) -> u32 {
        if self.noarrays { 0 } else { self.arrays }
    }

    /// The widest bit-vector that can occur: an element, or an index.
    pub(crate) fn widest(&self) -> u32 {
        if self.n_arrays() > 0 { self.maxwidth.max(self.arrmaxwidth) } else { self.maxwidth }
    }

    /// Says what is wrong with the options, if anything is.
    pub fn check(&self) -> Result<(), ConfigError> {
        let within = |option, value: u32, low: u32, high: u32| {
            if (low..=high).contains(&value) {
                return Ok(());
            }
            Err(ConfigError { option, message: format!("{value} is not between {low} and {high}") })
        };
        within("nodes", self.nodes, 1, MAX_NODES)?;
        within("depth", self.depth, 1, u32::MAX)?;
        within("vars", self.vars, 0, MAX_NODES)?;
        within("arrays", self.arrays, 0, MAX_NODES)?;
        within("writes", self.writes, 0, MAX_NODES)?;
        within("minwidth", self.minwidth, 1, MAX_WIDTH)?;
        within("maxwidth", self.maxwidth, 1, MAX_WIDTH)?;
        within("arrmaxwidth", self.arrmaxwidth, 1, MAX_INDEX_WIDTH)?;
        within("dag", self.dag, 0, 100)?;
        within("consts", self.consts, 0, MAX_NODES)?;
        within("early", self.early, 0, 100)?;
        within("twins", self.twins, 0, 100)?;
        within("negated", self.negated, 0, 100)?;
        within("pins", self.pins, 0, 100)?;
        within("states", self.states, 0, MAX_NODES)?;
        within("constraints", self.constraints, 0, MAX_NODES)?;
        within("k", self.k, 1, MAX_K)?;
        for &limit in &self.per_layer {
            within("per-layer", limit, 1, MAX_NODES)?;
        }
        self.check_together()
    }

    fn check_together(&self) -> Result<(), ConfigError> {
        let fail = |option, message: &str| Err(ConfigError { option, message: message.to_owned() });
        let n_bits = 8 * u64::from(self.nodes) * u64::from(self.widest());
        if self.status == Some(ExpectedStatus::Sat) && n_bits > MAX_BITS {
            return fail("status", "too many or too wide nodes to evaluate");
        }
        if self.pins > 0 && self.status != Some(ExpectedStatus::Sat) {
            return fail("pins", "only with --status sat there is an assignment that gives values");
        }
        if self.minwidth > self.maxwidth {
            return fail("minwidth", &format!("{} is above --maxwidth {}", self.minwidth, self.maxwidth));
        }
        if possible_kinds(self).is_empty() {
            return fail("only", "the other options leave none of these operators");
        }
        if self.clauses.times(self.nodes.max(self.vars)) > MAX_NODES {
            return fail("clauses", &format!("more than {MAX_NODES} clauses would be possible"));
        }
        if self.status.is_some() && self.states > 0 {
            return fail("status", "a system with states has no status by construction");
        }
        if self.constraints > 0 && self.states == 0 {
            return fail("constraints", "only a system has constraints; add --states");
        }
        if self.states > 0 && self.cnfonly {
            return fail("states", "--cnfonly makes a formula without operators, thus without next states");
        }
        if self.states > 0 && self.oldformat {
            return fail("states", "the old format knows no states");
        }
        Ok(())
    }

    /// Says what is wrong if a DIMACS file is wanted.
    pub fn check_dimacs(&self) -> Result<(), ConfigError> {
        self.check()?;
        let fail = |option, message: String| Err(ConfigError { option, message });
        if self.vars < self.k {
            return fail("vars", format!("a clause of {} different variables needs as many", self.k));
        }
        if self.status == Some(ExpectedStatus::Unsat) && self.k > MAX_K_UNSAT {
            return fail("k", format!("at most {MAX_K_UNSAT} with --status unsat"));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_are_those_of_the_thesis() {
        let config = GenerateConfig::default();
        assert_eq!(config.check(), Ok(()));
        assert_eq!((config.depth, config.nodes, config.vars, config.dag), (9_999, 100, 10, 50));
        assert_eq!((config.minwidth, config.maxwidth, config.arrmaxwidth), (1, 4, 4));
    }

    #[test]
    fn bad_values_are_named() {
        let base = GenerateConfig::default;
        let cases = [
            (GenerateConfig { nodes: 0, ..base() }, "nodes"),
            (GenerateConfig { minwidth: 5, ..base() }, "minwidth"),
            (GenerateConfig { dag: 101, ..base() }, "dag"),
            (GenerateConfig { maxwidth: MAX_WIDTH + 1, ..base() }, "maxwidth"),
            (GenerateConfig { clauses: Ratio::whole(1_000), nodes: MAX_NODES, ..base() }, "clauses"),
            (GenerateConfig { states: 1, status: Some(ExpectedStatus::Sat), ..base() }, "status"),
            (GenerateConfig { constraints: 1, ..base() }, "constraints"),
            (GenerateConfig { pins: 1, ..base() }, "pins"),
            (GenerateConfig { per_layer: vec![3, 0], ..base() }, "per-layer"),
            (GenerateConfig { only: vec![Tag::Read], noarrays: true, ..base() }, "only"),
        ];
        for (config, option) in cases {
            assert_eq!(config.check().unwrap_err().option, option);
        }
        assert_eq!(GenerateConfig { vars: 2, ..base() }.check_dimacs().unwrap_err().option, "vars");
    }
}
