//! Requests about the coverage of a C function.

use super::ProgramOptions;
use crate::plain;
use crate::vocabulary::vocabulary;
use nub_cover::goals;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::time::Duration;

vocabulary! {
    /// A coverage criterion.
    CoverageCriterion {
        /// Every statement is executed
        Statement: "statement",
        /// Every decision has every outcome: if, loops, ?:, switch, && and || elsewhere
        Decision: "decision" | "dc",
        /// Every condition, a leaf of a decision, is evaluated to true and to false
        Condition: "condition" | "cc",
        /// Both together
        ConditionDecision: "condition-decision" | "cdc",
        /// Every condition is shown to decide the outcome on its own; condition-decision is part of it
        Mcdc: "mcdc" | "mcdc-condition-decision" | "mcdc-cdc",
        /// Every path through the function is taken, with up to --unwind iterations of each loop
        Path: "path",
    }
}

vocabulary! {
    /// A reading of MC/DC.
    McdcReading {
        /// All other conditions equal, or skipped in one of the two tests: as clang measures it
        UniqueCause: "unique-cause",
        /// The condition alone decides in both tests: as gcc measures it
        Masking: "masking",
        /// All other conditions equal, and skipped in both tests or in neither
        Strict: "strict",
    }
}

vocabulary! {
    /// What kind of C file is written.
    #[derive(Default)]
    TestHarness {
        /// A program without dependencies
        #[default]
        Plain: "plain",
        /// For the Unity test framework
        Unity: "unity",
    }
}

/// Mutants that `--mutants` makes without a number.
pub const DEFAULT_MUTANTS: usize = 20;

/// The function under test and its goals.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct FunctionOptions {
    /// A C file.
    pub input: PathBuf,
    /// The function under test; not needed if there is only one.
    pub function: Option<String>,
    /// What the tests should reach.
    pub criterion: Vec<CoverageCriterion>,
    /// When a pair of tests shows that a condition decides the outcome on its own.
    pub mcdc: McdcReading,
    /// For MC/DC, require only the pairs of tests that show each condition.
    pub mcdc_pairs_only: bool,
    /// Treat `&&` and `||` as if they evaluated both operands.
    pub evaluate_all: bool,
    /// For every comparison of numbers, also require runs in which the left operand equals the right one, is just above it,
    /// and is just below it.
    pub boundaries: bool,
    /// Iterations of each loop; by default, as many as help.
    pub unwind: Option<u32>,
    /// Stop after this time, with the best tests so far and the bounds on their number.
    #[serde(with = "plain::some_seconds")]
    pub max_time: Option<Duration>,
    /// The seed for the order in which things are tried.
    pub seed: u64,
    /// Global variables are inputs too.
    pub globals: bool,
    /// Call the function up to this many times in a row.
    pub calls: u32,
    /// Every pointer parameter points to separate memory.
    pub no_aliases: bool,
    /// Elements of the array that a pointer parameter points to; by default, as many as help.
    pub elements: Option<u64>,
    /// Functions without a body are refused; otherwise tests define what they return and write.
    pub no_stubs: bool,
    /// Which SAT solver to use: `cadical`, `own`, or a command; by default CaDiCaL.
    pub sat_solver: Option<String>,
}

impl Default for FunctionOptions {
    fn default() -> FunctionOptions {
        FunctionOptions {
            input: PathBuf::new(),
            function: None,
            criterion: vec![CoverageCriterion::Mcdc],
            mcdc: McdcReading::UniqueCause,
            mcdc_pairs_only: false,
            evaluate_all: false,
            boundaries: false,
            unwind: None,
            max_time: None,
            seed: 0,
            globals: false,
            calls: 1,
            no_aliases: false,
            elements: None,
            no_stubs: false,
            sat_solver: None,
        }
    }
}

/// Find the fewest tests that cover a C function.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct CoverJob {
    /// The function under test and its goals.
    pub function: FunctionOptions,
    /// How the file is read.
    pub program: ProgramOptions,
    /// Existing tests, as CSV or JSON: they are measured, and completed with the fewest others.
    pub tests: Option<PathBuf>,
    /// At most this many tests, chosen to reach as many goals as possible.
    pub max_tests: Option<usize>,
    /// Undefined behaviour is a goal too.
    pub ub: bool,
    /// How many mutants of the function are reported on, with the fewest tests that kill them; [`DEFAULT_MUTANTS`] if the user
    /// gives no number.
    pub mutants: Option<usize>,
    /// Files to write; their names say what: `.c`, `.json`, `.csv`, `.md`, `.html`, `.txt`, `CMakeLists.txt`.
    pub out: Vec<PathBuf>,
    /// A page to write, whatever its name.
    pub html: Option<PathBuf>,
    /// What kind of C file is written.
    pub harness: TestHarness,
    /// Whether the tests are compiled and run.
    pub replay: CompiledReplay,
    /// Keeps request, events and `report.json`.
    pub folder: Option<PathBuf>,
}

vocabulary! {
    /// Whether tests are compiled and run.
    #[derive(Default)]
    CompiledReplay {
        /// Where a C compiler and the data model allow it
        #[default]
        Possible: "possible",
        /// The same, and also if the time limit ended the search
        Late: "late",
        /// It is an error if that is not possible
        Required: "required",
        /// Never
        Never: "never",
    }
}

/// Write clauses that are satisfiable if a number of tests reach all goals that can be reached.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct EncodeJob {
    /// The function under test and its goals.
    pub function: FunctionOptions,
    /// How the file is read.
    pub program: ProgramOptions,
    /// The number of tests.
    pub tests: usize,
    /// The file to write, in DIMACS format.
    pub out: PathBuf,
}

/// Turn the answer of a SAT solver to such clauses into tests.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct DecodeJob {
    /// What the solver printed or wrote.
    pub answer: PathBuf,
    /// The clauses.
    pub cnf: PathBuf,
}

impl FunctionOptions {
    /// The criteria with their readings.
    pub(crate) fn readings(&self) -> Vec<goals::CriterionReading> {
        let mcdc = match self.mcdc {
            McdcReading::UniqueCause => goals::Mcdc::UniqueCause,
            McdcReading::Masking => goals::Mcdc::Masking,
            McdcReading::Strict => goals::Mcdc::Strict,
        };
        let evaluation =
            if self.evaluate_all { goals::EvaluationMode::All } else { goals::EvaluationMode::ShortCircuit };
        let boundaries =
            if self.boundaries { goals::BoundaryGoals::Added } else { goals::BoundaryGoals::Omitted };
        let reading = |criterion: &CoverageCriterion| {
            let criterion = match criterion {
                CoverageCriterion::Mcdc if self.mcdc_pairs_only => goals::Criterion::McdcPairs,
                other => other.goals(),
            };
            goals::CriterionReading { criterion, mcdc, evaluation, boundaries }
        };
        self.criterion.iter().map(reading).collect()
    }

    pub(crate) fn paths_mut(&mut self, change: &mut dyn FnMut(&mut PathBuf)) {
        change(&mut self.input);
    }
}

impl CoverJob {
    pub(crate) fn paths_mut(&mut self, change: &mut dyn FnMut(&mut PathBuf)) {
        self.function.paths_mut(change);
        self.program.paths_mut(change);
        let optional = [&mut self.tests, &mut self.html, &mut self.folder].into_iter().flatten();
        optional.chain(&mut self.out).for_each(change);
    }
}

impl CoverageCriterion {
    fn goals(self) -> goals::Criterion {
        match self {
            CoverageCriterion::Statement => goals::Criterion::Statement,
            CoverageCriterion::Decision => goals::Criterion::Decision,
            CoverageCriterion::Condition => goals::Criterion::Condition,
            CoverageCriterion::ConditionDecision => goals::Criterion::ConditionDecision,
            CoverageCriterion::Mcdc => goals::Criterion::Mcdc,
            CoverageCriterion::Path => goals::Criterion::Path,
        }
    }
}
