//! The result of `nub cover` in a form that every output is made of, and that JSON is written from. Fields are only ever added.

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
    /// Of this format.
    pub version: u32,
    /// The function under test.
    pub function: String,
    /// The file that it is in, and its line.
    pub file: String,
    /// The line of its name.
    pub line: u32,
    /// What was asked for.
    pub criterion: Criterion,
    /// For MC/DC only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mcdc: Option<Mcdc>,
    /// True if all conditions count as evaluated.
    pub evaluate_all: bool,
    /// What a signed result does that does not fit its type, if that is not undefined: tests have to be compiled with `-fwrapv` then.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub signed_overflow: Option<OverflowReading>,
    /// Rounds that each loop was unrolled to; absent if there are no loops, or none that could run longer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unwind: Option<u32>,
    /// Elements that pointers of the start were given; absent if no run goes further.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub elements: Option<u64>,
    /// Numbers of goals.
    pub summary: Summary,
    /// How many tests, the first ones, are the user's; the others complete them.
    pub n_existing: usize,
    /// With a limit on the number of tests: no set of that size reaches more goals than this.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub best_grade: Option<usize>,
    /// Fewer tests do not do; beside the user's own, if there are any.
    pub lower_bound: usize,
    /// The size is proved to be the smallest, for the goals that are decided.
    pub is_minimal: bool,
    /// Why; by copies only within the unwinding, if there is one.
    pub proof: ProofKind,
    /// Goals of which no test meets two.
    pub clique: Vec<Incompatible>,
    /// What the tests notice of small faults, if that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mutation: Option<MutationReport>,
    /// The tests: those for the goals, then those that only kill mutants.
    pub tests: Vec<TestReport>,
    /// The goals, in the order of the text.
    pub goals: Vec<GoalReport>,
    /// Each place where a rule of C could be broken, if it was asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub undefined_behaviour: Vec<Undefined>,
    /// What the compiled tests did. Absent if nobody tried.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub native: Option<NativeResult>,
    /// Why the search ended early.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stopped: Option<EarlyStop>,
    /// Questions to the SAT solver.
    pub n_questions: u64,
    /// What the compiled tests need beside the program.
    #[serde(skip)]
    pub stubs: Stubs,
    /// The compiled tests may need the library of `math.h`.
    #[serde(skip)]
    pub needs_math_library: bool,
}

impl CoverReport {
    /// What a compiler has to be told so that the tests mean what they say.
    pub fn compiler_option(&self) -> Option<&'static str> {
        self.signed_overflow.map(|OverflowReading::Wraps| "-fwrapv")
    }

    /// Comparisons were asked for their boundaries, and there are some.
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
    /// Proved to be reached by no run, whoever calls the function.
    pub infeasible: usize,
    /// Proved to be reached by no run if what [`GoalReport::premises`] says is true.
    pub infeasible_if: usize,
    /// Reached only by runs with undefined behaviour.
    pub undefined: usize,
    /// Reached by no run within the unwinding.
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

    /// Goals of which nothing is known: not decided in time, or beyond a bound.
    pub fn undecided(&self) -> usize {
        self.open + self.beyond_bound
    }

    /// Covered goals of all that are not proved infeasible, in percent.
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

/// A rule of C at a place where it could be broken: a goal of its own with `--ub`.
#[derive(Clone, PartialEq, Eq, Debug, JsonSchema, Serialize)]
pub struct Undefined {
    /// Stable.
    pub id: String,
    /// What came of it.
    pub state: CheckState,
    /// What the claim rests on that nobody has proved: all of it must hold.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub premises: Vec<Premise>,
    /// The rule.
    pub rule: String,
    /// Where it is broken.
    pub line: u32,
    /// Where it is broken.
    pub column: u32,
    /// Inputs that do it, and break no rule before.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub inputs: Vec<TestInput>,
    /// C says what happens there: it was asked for by name.
    pub is_defined: bool,
    /// True if the interpreter ran it and stopped there.
    pub is_replayed: bool,
}

/// A test.
#[derive(Clone, PartialEq, Eq, Debug, JsonSchema, Serialize)]
pub struct TestReport {
    /// From 1.
    pub number: usize,
    /// All inputs by name.
    pub inputs: Vec<TestInput>,
    /// Arguments of the call as C expressions.
    pub args: Vec<String>,
    /// C statements before the call.
    pub pre: String,
    /// C statements after these: the calls before the last one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub earlier: Vec<String>,
    /// What was observed, not what is right: the values that the calls before the last one returned.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub earlier_results: Vec<String>,
    /// What the function reads while it runs: who supplies it, and the value.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub reads: Vec<Read>,
    /// Inputs that a test in C cannot set: static variables of functions.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unset: Vec<String>,
    /// What was observed, not what is right.
    pub observed_end: ObservedEnd,
    /// What was observed, not what is right: the value returned.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub observed_result: Option<String>,
    /// The same as a C expression.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub observed_literal: Option<String>,
    /// What was observed, not what is right: memory behind pointers and globals that the function changed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub effects: Vec<TestInput>,
    /// What was observed, not what is right: the calls of stubs, in order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub calls: Vec<StubCall>,
    /// Conditions in C that a test compares after the call.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub after: Vec<String>,
    /// True if the interpreter ran it and agrees. It cannot be given a pointer inside of an object.
    pub is_replayed: bool,
    /// Ids of the goals that it reaches, alone or with another test.
    pub goals: Vec<String>,
    /// The run of the interpreter: what it executed in the file of the function, each once, in order. Empty if it was not replayed.
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
    /// The condition as it is written, if it is one.
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

/// Something that is taken for granted of callers, of other files or of a device.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, JsonSchema, Serialize)]
pub struct Premise {
    /// In words.
    pub text: String,
    /// What does without it: an option, if there is one.
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
    /// Stable.
    pub id: String,
    /// What kind of goal it is.
    pub kind: GoalKind,
    /// Where it is.
    pub line: u32,
    /// Where it is.
    pub column: u32,
    /// The source.
    pub text: String,
    /// What is wanted of it: `true`, `decides`.
    pub wanted: String,
    /// What came of it.
    pub state: CoverState,
    /// What the claim rests on that nobody has proved: all of it must hold.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub premises: Vec<Premise>,
    /// The tests that show it: one, or two of which the first has the condition true.
    pub tests: Vec<usize>,
    /// Why it is not covered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}
