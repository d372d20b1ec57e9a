//! What to generate. The names are those of the thesis (section 2.3.1, appendix A.2.2).

use crate::kinds::possible_kinds;
use crate::ratio::Ratio;
use nub_btor::Tag;
use nub_btor::eval::MAX_BITS;
use std::fmt;

/// The widest bit-vector. Constants may be printed in decimal, which costs the square of the width.
pub const MAX_WIDTH: u32 = 4_096;
/// The widest array index. The standard has no limit, but solvers that enumerate all elements would not terminate.
pub const MAX_INDEX_WIDTH: u32 = 64;
/// Limit on the nodes, and on the clauses, of one file.
pub const MAX_NODES: u32 = 50_000_000;
/// The longest clause of a DIMACS file.
pub const MAX_K: u32 = 64;
/// The longest clause of an unsatisfiable file: a hidden parity constraint has 2^(k-1) clauses.
pub const MAX_K_UNSAT: u32 = 12;

/// Options of the generator. `Default` has the values of the thesis: those of section 2.3.1 or, where it gives none
/// (arrays, writes, clauses), those of its first experiment.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GenerateConfig {
    /// `-n`: merging starts when there are this many nodes. Approximate: merging adds nodes.
    pub nodes: u32,
    /// `-d`: or when the graph has this depth.
    pub depth: u32,
    /// `-vars`: number of initial variables.
    pub vars: u32,
    /// `-arrays`: number of initial arrays.
    pub arrays: u32,
    /// `-writes`: number of writes that are added before anything else.
    pub writes: u32,
    /// `-minwidth`: minimum width of bit-vectors and array elements. Results of comparisons still have one bit.
    pub minwidth: u32,
    /// `-maxwidth`: maximum width of bit-vectors and array elements.
    pub maxwidth: u32,
    /// `-arrmaxwidth`: maximum width of an array index.
    pub arrmaxwidth: u32,
    /// `-dag`: how much to share, from 0 for trees to 100. See [`crate::Generator`].
    pub dag: u32,
    /// `-all`: every kind of node that the widths allow must occur.
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
    /// Extension: operators that are not in table 2.1: `one`, `ones`, `inc`, `dec`, `proxy`, and logic on whole words.
    pub more_ops: bool,
    /// Extension: number of initial constants, mostly simple ones such as zero and all ones.
    pub consts: u32,
    /// Extension: how often, in percent, a child is chosen among the first nodes of its sort, so that leaves are often combined.
    pub early: u32,
    /// Extension: how often, in percent, a node gets a twin, and a node over the two.
    pub twins: u32,
    /// Extension: how often, in percent, a reference to a bit-vector is negated. The thesis gives no number.
    pub negated: u32,
    /// Extension: how often, in percent, a node is asserted to have its value in the planted assignment.
    pub pins: u32,
    /// Extension: use only these operators, except for the layers at the end. If empty, all operators.
    pub only: Vec<Tag>,
    /// Extension (section 6): number of nodes in each layer above the leaves; the last number applies to all further layers. If empty,
    /// no limit.
    pub per_layer: Vec<u32>,
    /// Extension: an answer that is known by construction.
    pub status: Option<ExpectedStatus>,
    /// Extension: number of leaves that are states of a transition system.
    pub states: u32,
    /// Extension: number of constraints of a transition system.
    pub constraints: u32,
    /// Extension: literals per clause of a DIMACS file.
    pub k: u32,
}

/// The answer that a solver must give.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ExpectedStatus {
    /// There is a model, and the generator knows it.
    Sat,
    /// There is no model.
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

/// Options that are invalid or incompatible: which one, and what is wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ConfigError {
    /// The option to change, without dashes.
    pub option: &'static str,
    /// What is wrong.
    pub message: String,
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "--{}: {}", self.option, self.message)
    }
}

impl std::error::Error for ConfigError {}

impl GenerateConfig {
    /// Number of initial arrays; 0 with `noarrays`.
    pub(crate) fn n_arrays(&self) -> u32 {
        if self.noarrays { 0 } else { self.arrays }
    }

    /// The widest bit-vector that can occur: an element, or an index.
    pub(crate) fn widest(&self) -> u32 {
        if self.n_arrays() > 0 { self.maxwidth.max(self.arrmaxwidth) } else { self.maxwidth }
    }

    /// Checks the options.
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
            return fail("pins", "pins need the values of an assignment: add --status sat");
        }
        if self.minwidth > self.maxwidth {
            return fail("minwidth", &format!("{} is above --maxwidth {}", self.minwidth, self.maxwidth));
        }
        if possible_kinds(self).is_empty() {
            return fail("only", "the other options exclude all of these operators");
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
            return fail(
                "states",
                "--cnfonly makes a formula without operators, so there are no next states",
            );
        }
        if self.states > 0 && self.oldformat {
            return fail("states", "the old format has no states");
        }
        Ok(())
    }

    /// Checks the options for a DIMACS file.
    pub fn check_dimacs(&self) -> Result<(), ConfigError> {
        self.check()?;
        let fail = |option, message: String| Err(ConfigError { option, message });
        if self.vars < self.k {
            return fail(
                "vars",
                format!("a clause of {} different variables needs at least as many variables", self.k),
            );
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
