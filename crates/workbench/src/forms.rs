//! Requests of the page, as its forms send them.
//!
//! A form names files by their root and programs by their names. It is not a command line, and no field of it ever
//! becomes one.

use serde::{Deserialize, Serialize};

/// Reduce a file, as `nub reduce`.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct ReduceForm {
    /// The file.
    pub file: String,
    /// The registered program that fails.
    pub program: String,
    /// A strategy by its name; empty for the default.
    pub strategy: String,
    /// A second registered program whose behaviour must not change.
    pub cross_check: String,
    /// Text or `/regex/` that standard output must contain.
    pub match_out: String,
    /// Text or `/regex/` that standard error must contain.
    pub match_err: String,
    /// Only the exit status or signal is compared.
    pub ignore_output: bool,
    /// The failure is that the program does not end.
    pub hang: bool,
    /// Simplify the graph after every change.
    pub simplify: bool,
    /// Seconds for one run.
    pub timeout: Option<f64>,
    /// Megabytes for one run.
    pub memory: Option<u64>,
    /// Total time limit in seconds.
    pub max_time: Option<f64>,
    /// Maximum number of runs.
    pub max_runs: Option<u64>,
    /// Number of parallel runs.
    pub jobs: Option<usize>,
    /// Seed.
    pub seed: Option<u64>,
}

/// Compare strategies on a file, as `nub reduce --compare-strategies`.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct CompareForm {
    /// The file.
    pub file: String,
    /// The registered program that fails.
    pub program: String,
    /// Strategies by name; none for all that fit.
    pub strategies: Vec<String>,
    /// Seconds for each strategy.
    pub max_time: Option<f64>,
    /// Runs for each strategy.
    pub max_runs: Option<u64>,
}

/// Cover a function, as `nub cover`.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct CoverForm {
    /// The C file.
    pub file: String,
    /// The function; empty if there is only one.
    pub function: String,
    /// A criterion by its name; empty for the default.
    pub criterion: String,
    /// A reading of MC/DC by its name; empty for the default.
    pub mcdc: String,
    /// Also cover boundary values of comparisons.
    pub boundaries: bool,
    /// Global variables are inputs.
    pub globals: bool,
    /// Tests are sequences of up to this many calls.
    pub calls: Option<u32>,
    /// Maximum number of iterations of each loop.
    pub unwind: Option<u32>,
    /// Total time limit in seconds.
    pub max_time: Option<f64>,
    /// Which mutants the tests detect, and the fewest tests that detect the rest.
    pub mutants: bool,
    /// At most this many new tests.
    pub max_tests: Option<u32>,
    /// Existing tests, as JSON.
    pub tests: Option<serde_json::Value>,
    /// Only computes something for the page to show: not listed among the jobs.
    pub is_probe: bool,
}

/// Explain a failing assertion, as `nub explain`.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct ExplainForm {
    /// The C file.
    pub file: String,
    /// Where runs start; empty for the default.
    pub function: String,
    /// Only the property with this id.
    pub property: String,
    /// `EXPR @ LINE`: what both runs satisfy.
    pub assume: Vec<String>,
    /// Maximum number of iterations of each loop.
    pub unwind: Option<u32>,
    /// How many closest passing runs to find.
    pub closest: Option<u32>,
    /// Functions whose values do not count towards the distance.
    pub trust: Vec<String>,
}

/// Search for solver bugs, as `nub fuzz`.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct FuzzForm {
    /// Registered programs that are solvers.
    pub solvers: Vec<String>,
    /// A format, with theories for SMT-LIB: `smt2:bv,arrays`; empty for the default.
    pub generate: String,
    /// Nodes of each input.
    pub nodes: Option<u32>,
    /// Variables of each input.
    pub vars: Option<u32>,
    /// The largest width.
    pub maxwidth: Option<u32>,
    /// The first seed.
    pub seed: Option<u64>,
    /// Total time limit in seconds.
    pub max_time: Option<f64>,
    /// Maximum number of inputs.
    pub max_inputs: Option<u64>,
    /// Maximum number of groups of findings.
    pub max_groups: Option<u64>,
    /// Seconds for one run of a solver.
    pub timeout: Option<f64>,
}

/// Generate a formula, as `nub generate`.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct GenerateForm {
    /// A format by its name.
    pub to: String,
    /// Seed.
    pub seed: Option<u64>,
    /// Nodes.
    pub nodes: Option<u32>,
    /// Depth.
    pub depth: Option<u32>,
    /// Variables.
    pub vars: Option<u32>,
    /// Arrays.
    pub arrays: Option<u32>,
    /// Writes to arrays.
    pub writes: Option<u32>,
    /// The smallest width.
    pub minwidth: Option<u32>,
    /// The largest width.
    pub maxwidth: Option<u32>,
    /// The largest width of indices and elements.
    pub arrmaxwidth: Option<u32>,
    /// Sharing in percent.
    pub dag: Option<u32>,
    /// Clauses per variable.
    pub clauses: Option<f64>,
    /// No arrays.
    pub noarrays: bool,
    /// A CNF layer on top of the formula.
    pub cnf: bool,
    /// Only clauses.
    pub cnfonly: bool,
    /// All operators at least once.
    pub all: bool,
    /// The old BTOR format.
    pub oldformat: bool,
}

/// Anything that the page can start.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub(crate) enum Form {
    /// A reduction.
    Reduce(ReduceForm),
    /// A comparison of strategies.
    Compare(CompareForm),
    /// Tests for a function.
    Cover(CoverForm),
    /// An explanation.
    Explain(ExplainForm),
    /// A campaign.
    Fuzz(FuzzForm),
    /// A new formula.
    Generate(GenerateForm),
}

impl Form {
    /// The `nub` command that does the same.
    pub fn kind(&self) -> &'static str {
        match self {
            Form::Reduce(_) => "reduce",
            Form::Compare(_) => "compare",
            Form::Cover(_) => "cover",
            Form::Explain(_) => "explain",
            Form::Fuzz(_) => "fuzz",
            Form::Generate(_) => "generate",
        }
    }

    /// Whether it only computes something for the page to show, and is not a job of the user.
    pub fn is_probe(&self) -> bool {
        matches!(self, Form::Cover(form) if form.is_probe)
    }

    /// The file it is about, as the page names it.
    pub fn file(&self) -> &str {
        match self {
            Form::Reduce(form) => &form.file,
            Form::Compare(form) => &form.file,
            Form::Cover(form) => &form.file,
            Form::Explain(form) => &form.file,
            Form::Fuzz(_) | Form::Generate(_) => "",
        }
    }

    /// The programs that it names.
    pub fn programs(&self) -> Vec<&str> {
        match self {
            Form::Reduce(form) => vec![&form.program],
            Form::Compare(form) => vec![&form.program],
            Form::Fuzz(form) => form.solvers.iter().map(String::as_str).collect(),
            Form::Cover(_) | Form::Explain(_) | Form::Generate(_) => Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Form;

    #[test]
    fn a_form_has_no_room_for_a_command() {
        for extra in ["command", "cmd", "args", "shell", "test", "cc"] {
            let text = format!(r#"{{"kind":"reduce","file":"a","program":"b","{extra}":"touch x"}}"#);
            assert!(serde_json::from_str::<Form>(&text).is_err(), "{extra}");
        }
    }
}
