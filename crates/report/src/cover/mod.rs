//! The result of `nub cover`, from which all outputs, including JSON, are made. Fields may be added but not removed.

mod criterion;
mod mutants;
mod words;

pub use crate::c_tests::{Read, StubArgument, StubCall, Stubs, TestInput};
pub use criterion::{Criterion, Mcdc};
pub use mutants::{MutantReport, MutantState, MutationReport};
pub use words::{
    CheckState, CoverState, EarlyStop, GoalKind, NativeResult, ObservedEnd, OverflowReading, ProofKind,
};

use schemars::{JsonSchema, Schema};
use serde::Serialize;

/// What `nub cover --json` prints: one report, or a list of them if several functions or criteria were asked for.
#[derive(JsonSchema, Serialize)]
#[serde(untagged)]
enum CoverDocument<'r> {
    One(&'r CoverReport),
    Several(&'r [CoverReport]),
}

/// The reports, indented.
pub fn cover_json(reports: &[CoverReport]) -> String {
    let document = match reports {
        [report] => CoverDocument::One(report),
        reports => CoverDocument::Several(reports),
    };
    crate::indented(&document)
}

/// The schema of what [`cover_json`] returns.
pub fn cover_schema() -> Schema {
    crate::schema_of::<CoverDocument<'_>>()
}

/// What `nub cover` found for one function and criterion.
#[derive(Clone, PartialEq, Debug, JsonSchema, Serialize)]
pub struct CoverReport {
    /// The version of this format.
    pub version: u32,
    /// The function under test.
    pub function: String,
    /// The file that contains it.
    pub file: String,
    /// The line of its name.
    pub line: u32,
    /// The criterion.
    pub criterion: Criterion,
    /// The variant of MC/DC; absent for other criteria.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mcdc: Option<Mcdc>,
    /// True if conditions that C skips count as evaluated.
    pub evaluate_all: bool,
    /// What happens on signed overflow, if it is not treated as undefined: tests must then be compiled with `-fwrapv`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub signed_overflow: Option<OverflowReading>,
    /// How often each loop was unrolled; absent if no loop can run longer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unwind: Option<u32>,
    /// How many elements each input pointer points to; absent if no run needs more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub elements: Option<u64>,
    /// Numbers of goals.
    pub summary: Summary,
    /// How many of the tests, at the beginning of the list, are the user's; the others complete them.
    pub n_existing: usize,
    /// With a limit on the number of tests: no set of that size reaches more goals than this.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub best_grade: Option<usize>,
    /// At least this many tests are necessary, not counting the user's own.
    pub lower_bound: usize,
    /// The number of tests is proved minimal for the goals that are decided.
    pub is_minimal: bool,
    /// How minimality was proved; a proof by copies holds only within the unwinding bound, if there is one.
    pub proof: ProofKind,
    /// Goals no two of which can be reached by the same test.
    pub clique: Vec<Incompatible>,
    /// Weights of goals, where they prove more than the clique.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub weights: Option<NeedWeights>,
    /// Which mutants the tests kill, if that was requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mutation: Option<MutationReport>,
    /// The tests: those for the goals, then those that only kill mutants.
    pub tests: Vec<TestReport>,
    /// The goals, in the order of the text.
    pub goals: Vec<GoalReport>,
    /// Each place of possible undefined behaviour, if that was requested.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub undefined_behaviour: Vec<Undefined>,
    /// The result of the compiled tests. Absent if they were not requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub native: Option<NativeResult>,
    /// Why the search ended early.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stopped: Option<EarlyStop>,
    /// Number of calls of the SAT solver.
    pub n_questions: u64,
    /// What the compiled tests need besides the program.
    #[serde(skip)]
    pub stubs: Stubs,
    /// The compiled tests may need to be linked with `-lm`.
    #[serde(skip)]
    pub needs_math_library: bool,
}

impl CoverReport {
    /// The compiler option that the tests need.
    pub fn compiler_option(&self) -> Option<&'static str> {
        self.signed_overflow.map(|OverflowReading::Wraps| "-fwrapv")
    }

    /// Whether boundary goals were requested and there are some.
    pub fn has_boundaries(&self) -> bool {
        self.goals.iter().any(|goal| goal.kind == GoalKind::Boundary)
    }

    /// Tests for the goals: all but those that only kill mutants.
    pub fn n_coverage_tests(&self) -> usize {
        self.tests.len() - self.mutation.as_ref().map_or(0, |mutation| mutation.more_tests)
    }
}

/// Numbers of goals.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, JsonSchema, Serialize)]
pub struct Summary {
    /// All.
    pub goals: usize,
    /// Reached by the tests.
    pub covered: usize,
    /// Proved to be reached by no run, whatever the caller.
    pub infeasible: usize,
    /// Proved to be reached by no run if the assumptions in [`GoalReport::premises`] hold.
    pub infeasible_if: usize,
    /// Reached only by runs with undefined behaviour.
    pub undefined: usize,
    /// Reached by no run within the bounds on loops and memory.
    pub beyond_bound: usize,
    /// Can be reached, but not with the number of tests allowed.
    pub left_out: usize,
    /// Not decided.
    pub open: usize,
}

impl Summary {
    /// The goals of one state.
    pub fn count(&self, state: CoverState) -> usize {
        match state {
            CoverState::Covered => self.covered,
            CoverState::Infeasible => self.infeasible,
            CoverState::InfeasibleIf => self.infeasible_if,
            CoverState::Undefined => self.undefined,
            CoverState::BeyondBound => self.beyond_bound,
            CoverState::LeftOut => self.left_out,
            CoverState::Open => self.open,
        }
    }

    /// Goals about which nothing is known: not decided in time, or beyond a bound.
    pub fn undecided(&self) -> usize {
        self.open + self.beyond_bound
    }

    /// Percentage of covered goals among those that are not proved infeasible.
    pub fn percent(&self) -> f64 {
        let n = self.goals - self.infeasible;
        if n == 0 { 100.0 } else { 100.0 * self.covered as f64 / n as f64 }
    }
}

/// A member of the clique.
#[derive(Clone, PartialEq, Eq, Debug, JsonSchema, Serialize)]
pub struct Incompatible {
    /// The goal that needs it.
    pub goal: String,
    /// What a test must do.
    pub text: String,
}

/// Weights of what tests must do. Divided by the most that one test does, their sum is a lower bound on the number of tests.
#[derive(Clone, PartialEq, Eq, Debug, JsonSchema, Serialize)]
pub struct NeedWeights {
    /// What tests must do.
    pub needs: Vec<WeightedNeed>,
    /// One test does at most this, by weight.
    pub most: u64,
}

/// Something that a test must do, and its weight.
#[derive(Clone, PartialEq, Eq, Debug, JsonSchema, Serialize)]
pub struct WeightedNeed {
    /// The goal that needs it.
    pub goal: String,
    /// What a test must do.
    pub text: String,
    /// What it weighs.
    pub weight: u64,
}

/// A place of possible undefined behaviour: a goal of its own with `--ub`.
#[derive(Clone, PartialEq, Eq, Debug, JsonSchema, Serialize)]
pub struct Undefined {
    /// A stable identifier.
    pub id: String,
    /// The result.
    pub state: CheckState,
    /// Unproved assumptions of the claim: all of them must hold.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub premises: Vec<Premise>,
    /// The rule of C.
    pub rule: String,
    /// Where it is violated.
    pub line: u32,
    /// Where it is violated.
    pub column: u32,
    /// Inputs that violate it, without undefined behaviour before.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub inputs: Vec<TestInput>,
    /// The behaviour is defined by C, and the check was requested by name.
    pub is_defined: bool,
    /// True if the interpreter ran it and stopped there.
    pub is_replayed: bool,
}

/// A test.
#[derive(Clone, PartialEq, Eq, Debug, JsonSchema, Serialize)]
pub struct TestReport {
    /// The number of the test, from 1.
    pub number: usize,
    /// All inputs by name.
    pub inputs: Vec<TestInput>,
    /// Arguments of the call as C expressions.
    pub args: Vec<String>,
    /// C statements before the call.
    pub pre: String,
    /// C statements after `pre`: the calls before the last one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub earlier: Vec<String>,
    /// Observed, not specified: the values returned by the calls before the last one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub earlier_results: Vec<String>,
    /// Values that the function reads while it runs, and where they come from.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub reads: Vec<Read>,
    /// Inputs that a test in C cannot set: static variables of functions.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unset: Vec<String>,
    /// Addresses of the registers that the function writes through pointers.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub registers: Vec<u64>,
    /// Observed, not specified: how the test ended.
    pub observed_end: ObservedEnd,
    /// Observed, not specified: the value returned. A pointer is shown as C would write its target, such as `NULL` or `&list[2]`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub observed_result: Option<String>,
    /// The same as a C expression.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub observed_literal: Option<String>,
    /// Observed, not specified: memory behind pointers and globals that the function changed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub effects: Vec<TestInput>,
    /// Observed, not specified: the calls of stubs, in order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub calls: Vec<StubCall>,
    /// Conditions in C that a test compares after the call.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub after: Vec<String>,
    /// True if the interpreter ran it and agrees. The interpreter does not support inputs that point into an
    /// object.
    pub is_replayed: bool,
    /// Ids of the goals that it reaches, alone or with another test.
    pub goals: Vec<String>,
    /// What it executes in the file of the function, each place once: in order if it was replayed, by line if not.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub path: Vec<PathStep>,
}

/// A statement that a test executes, or a condition that it evaluates.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct PathStep {
    /// Where it is.
    pub line: u32,
    /// Where it is.
    pub column: u32,
    /// The text of the condition, if it is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub condition: Option<String>,
    /// Its value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outcome: Option<bool>,
    /// How often the test executes it, or evaluates it to this value.
    pub times: u64,
}

impl TestReport {
    /// The value that was returned, or how else it ended.
    pub fn observed(&self) -> &str {
        self.observed_result.as_deref().unwrap_or(self.observed_end.word())
    }
}

/// An assumption about callers, other files or a device.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, JsonSchema, Serialize)]
pub struct Premise {
    /// The assumption as text.
    pub text: String,
    /// The option that removes the assumption, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lifted_by: Option<String>,
}

impl std::fmt::Display for Premise {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.lifted_by {
            Some(option) => write!(f, "{} (lifted by {option})", self.text),
            None => f.write_str(&self.text),
        }
    }
}

/// A goal.
#[derive(Clone, PartialEq, Eq, Debug, JsonSchema, Serialize)]
pub struct GoalReport {
    /// A stable identifier.
    pub id: String,
    /// What kind of goal it is.
    pub kind: GoalKind,
    /// Where it is.
    pub line: u32,
    /// Where it is.
    pub column: u32,
    /// The source.
    pub text: String,
    /// The wanted outcome: `true`, `decides`.
    pub wanted: String,
    /// The result.
    pub state: CoverState,
    /// Unproved assumptions of the claim: all of them must hold.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub premises: Vec<Premise>,
    /// The tests that cover it: one, or two of which the first makes the condition true.
    pub tests: Vec<usize>,
    /// Why it is not covered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}
