//! Requests about a failing C program.

use super::{CompiledReplay, ProgramOptions};
use crate::plain;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::time::Duration;

/// Explain why an assertion of a C program fails, by the closest passing run.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct ExplainJob {
    /// A C file.
    pub input: PathBuf,
    /// Where runs start; by default `main` if there is one, or the only function.
    pub function: Option<String>,
    /// How the file is read.
    pub program: ProgramOptions,
    /// The failing run.
    pub failing: FailingRunOptions,
    /// The passing run.
    pub passing: PassingRunOptions,
    /// What is written.
    pub output: ExplainOutput,
    /// Global variables are inputs too.
    pub globals: bool,
    /// Runs in which an allocation fails are omitted.
    pub allocations_succeed: bool,
    /// Every pointer parameter points to separate memory.
    pub no_aliases: bool,
    /// Elements of the array that a pointer parameter points to; [default: 8 numbers, or one object of any other type].
    pub elements: Option<u64>,
    /// Stop after this time, with the closest run so far and the bounds on the distance.
    #[serde(with = "plain::some_seconds")]
    pub max_time: Option<Duration>,
    /// Which SAT solver to use: `cadical`, `own`, or a command; by default CaDiCaL.
    pub sat_solver: Option<String>,
    /// Keeps request, events and `report.json`.
    pub folder: Option<PathBuf>,
}

/// Which failing run.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct FailingRunOptions {
    /// Iterations of each loop, and depth of recursion.
    pub unwind: u32,
    /// Only this property.
    pub property: Option<String>,
    /// Only properties of these kinds. By default assertions, and if none can fail, all kinds except
    /// unwinding.
    pub kinds: Vec<String>,
    /// Only properties at this line.
    pub line: Option<u32>,
    /// Reaching a label with one of these names is a violation.
    pub error_labels: Vec<String>,
    /// List the properties, and do nothing else.
    pub list: bool,
    /// A variable that is read before it is written is an input, not a violation.
    pub uninitialised_inputs: bool,
    /// Inputs of the failing run: `NAME=VALUE`, or `@FILE` with a JSON object.
    pub inputs: Vec<String>,
    /// Answer only whether the failure depends on this condition, `EXPR @ [FILE:]LINE`.
    pub cause: Option<String>,
    /// The failing run that executes the fewest statements.
    pub shortest: bool,
}

impl Default for FailingRunOptions {
    fn default() -> FailingRunOptions {
        FailingRunOptions {
            unwind: 8,
            property: None,
            kinds: Vec::new(),
            line: None,
            error_labels: Vec::new(),
            list: false,
            uninitialised_inputs: false,
            inputs: Vec::new(),
            cause: None,
            shortest: false,
        }
    }
}

/// Which passing run, and what of the difference is shown.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct PassingRunOptions {
    /// Both runs satisfy these conditions, `EXPR @ [FILE:]LINE`.
    pub assume: Vec<String>,
    /// Accept any passing run, even one that only makes the antecedent of `!a || b` false.
    pub free_antecedent: bool,
    /// Code that specifies the expected result: functions or files.
    pub trust: Vec<String>,
    /// No code is trusted.
    pub trust_nothing: bool,
    /// Weights of differences: `guards=N`, `inputs=N`, `phis=N`, `others=N`, or `LINE=N`.
    pub weights: Vec<String>,
    /// List at most this many sets of differences that suffice; with 0 only the differences.
    pub slices: usize,
    /// Choose the run so that few differences suffice, not the closest one.
    pub one_step: bool,
    /// Skip fault localisation.
    pub no_repair: bool,
    /// Stop fault localisation after this time.
    #[serde(with = "plain::seconds")]
    pub repair_time: Duration,
    /// Look for this many closest runs.
    pub closest: usize,
    /// Unroll loops up to this many iterations while a closer run is possible.
    pub max_unwind: u32,
}

impl Default for PassingRunOptions {
    fn default() -> PassingRunOptions {
        PassingRunOptions {
            assume: Vec::new(),
            free_antecedent: false,
            trust: Vec::new(),
            trust_nothing: false,
            weights: Vec::new(),
            slices: 16,
            one_step: false,
            no_repair: false,
            repair_time: Duration::from_secs(20),
            closest: 1,
            max_unwind: 12,
        }
    }
}

/// What is written.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct ExplainOutput {
    /// The explanation as SARIF 2.1.0.
    pub sarif: Option<PathBuf>,
    /// A page.
    pub html: Option<PathBuf>,
    /// A folder for both runs as C tests.
    pub tests: Option<PathBuf>,
    /// Whether the runs are compiled and replayed.
    pub replay: CompiledReplay,
    /// A correct version of the file: lines that differ are faulty.
    pub reference: Option<PathBuf>,
    /// More faulty lines, `[FILE:]LINE`.
    pub faulty: Vec<String>,
}

impl ExplainJob {
    pub(crate) fn paths_mut(&mut self, change: &mut dyn FnMut(&mut PathBuf)) {
        change(&mut self.input);
        self.program.paths_mut(change);
        let output = &mut self.output;
        let optional =
            [&mut output.sarif, &mut output.html, &mut output.tests, &mut output.reference, &mut self.folder];
        optional.into_iter().flatten().for_each(&mut *change);
        for input in &mut self.failing.inputs {
            if let Some(file) = input.strip_prefix('@') {
                let mut path = PathBuf::from(file);
                change(&mut path);
                *input = format!("@{}", path.to_string_lossy());
            }
        }
    }
}
