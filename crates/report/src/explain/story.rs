//! An explanation in the words of the source, ready to be printed or written as JSON.

use super::PropertyKind;
use crate::c_tests::TestCase;
use crate::ranking::CertificationResult;
use nub_bitvec::Value;
use schemars::JsonSchema;
use serde::Serialize;

/// A failing run, the closest passing run, and their differences.
#[derive(Clone, PartialEq, Eq, Debug, JsonSchema, Serialize)]
pub struct Story {
    /// The function under test.
    pub function: String,
    /// What is violated.
    pub property: PropertyText,
    /// How far loops were unrolled.
    pub unwind: u32,
    /// The failing run.
    pub failing: RunValues,
    /// The passing run.
    pub passing: RunValues,
    /// Inputs with different values in the passing run, in the order in which they are read. Inputs that it does not read are
    /// unchanged.
    pub changed_inputs: Vec<ChangedInput>,
    /// The distance of the closest run. The upper bound is the distance of the run that is shown.
    pub distance: Interval,
    /// The run was chosen by the size of its slice; another one may be closer.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub is_one_step: bool,
    /// Whether the proof that no run is closer was repeated independently and checked.
    pub checked: CertificationResult,
    /// How many values a run has.
    pub n_values: usize,
    /// All values of both runs, in execution order, including trusted code: the complete traces.
    pub trace: Vec<TraceValue>,
    /// Values that differ, in execution order.
    pub deltas: Vec<Delta>,
    /// The smallest sets of differences that change the outcome: positions in [`Story::deltas`].
    pub slices: Vec<Vec<usize>>,
    /// The list of slices is complete, and their size is proved minimal.
    pub has_all_slices: bool,
    /// The number of closest runs, up to the requested maximum; runs with the same differences count once.
    pub n_runs: usize,
    /// There are no further closest runs.
    pub has_all_runs: bool,
    /// Other passing runs: equally close, or the next closest if this one explains little.
    pub others: Vec<OtherRun>,
    /// What holds in both runs besides the assumptions of the program.
    pub assumptions: Vec<Assumed>,
    /// Functions that specify the expected result; their values do not count.
    pub trusted: Vec<String>,
    /// What a reader should know about this explanation.
    pub notes: Vec<ExplanationNote>,
}

/// Another passing run.
#[derive(Clone, PartialEq, Eq, Debug, JsonSchema, Serialize)]
pub struct OtherRun {
    /// The run.
    pub passing: RunValues,
    /// Its distance from the failing run.
    pub distance: usize,
    /// Values that differ, in execution order.
    pub deltas: Vec<Delta>,
    /// The smallest sets of differences that change the outcome: positions in `deltas`.
    pub slices: Vec<Vec<usize>>,
    /// This run's side of the complete traces: one for each of [`Story::trace`].
    pub trace: Vec<OtherValue>,
}

/// A value of another passing run.
#[derive(Clone, PartialEq, Eq, Debug, JsonSchema, Serialize)]
pub struct OtherValue {
    /// The value.
    pub value: String,
    /// The run computes it.
    pub is_executed: bool,
}

/// Something that is assumed.
#[derive(Clone, PartialEq, Eq, Debug, JsonSchema, Serialize)]
pub struct Assumed {
    /// In the words of the source.
    pub text: String,
    /// Where the assumption comes from.
    pub by: AssumedBy,
}

/// Where an assumption comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, JsonSchema, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum AssumedBy {
    /// The user.
    User,
    /// Added because the closest run only made the antecedent of the property false.
    Antecedent,
    /// The property compares with a value that only trusted code computes, so this value must not change.
    Expected,
}

/// What a reader should know about an explanation.
#[derive(Clone, Copy, PartialEq, Eq, Debug, JsonSchema, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ExplanationNote {
    /// No passing run reaches the property.
    NoRunReaches,
    /// No passing run keeps the expected value; this one changes it.
    NoRunKeepsExpected,
    /// No passing run keeps the antecedent of the property; this one makes it false.
    NoRunKeepsAntecedent,
    /// The changes that suffice are inputs alone: this explains little.
    Poor,
    /// No difference in the program itself is needed to pass: there is no slice to show.
    NothingOfProgram,
    /// Without specification code no difference remained, so its values are counted here.
    TrustGivenUp,
    /// There are more slices than requested.
    MoreSlices,
    /// There are more closest runs than requested.
    MoreRuns,
    /// The passing run needs more loop iterations than the given bound.
    MoreRounds,
    /// A closer run with more loop iterations is not excluded.
    BoundReached,
    /// A line that was given a weight has no values.
    IdleWeight,
    /// Signed overflow wraps around, as with `-fwrapv`.
    OverflowWraps,
    /// Both runs depend on bits of a NaN that C leaves unspecified.
    MadeNans,
    /// C leaves unspecified which of two zeros `fmin` and `fmax` return.
    ZeroOfTwo,
    /// C leaves the accuracy of `math.h` functions unspecified.
    MathResults,
    /// Runs in which an allocation of a possible size fails are not considered.
    PossibleAllocationsSucceed,
    /// Runs in which an allocation fails are not considered.
    AllocationsSucceed,
    /// The time limit was reached before the needed differences were found.
    SlicesStopped,
    /// The time limit was reached before a run that keeps the antecedent or the expected value was found or
    /// excluded.
    KeepingStopped,
}

impl ExplanationNote {
    /// As a sentence.
    pub fn text(self) -> &'static str {
        match self {
            ExplanationNote::NoRunReaches => {
                "No passing run reaches the violated property: the passing run shown leaves before it."
            }
            ExplanationNote::NoRunKeepsExpected => {
                "No passing run keeps the expected value: the run shown changes what is expected."
            }
            ExplanationNote::NoRunKeepsAntecedent => {
                "No passing run keeps the antecedent of the property: the run shown makes it false."
            }
            ExplanationNote::Poor => "The changes that suffice are inputs alone, so this explains little.",
            ExplanationNote::NothingOfProgram => {
                "No difference in the program itself is needed to pass, so there is no slice to show."
            }
            ExplanationNote::TrustGivenUp => {
                "Without specification code no difference remained, so its values are counted here."
            }
            ExplanationNote::MoreSlices => "There are more slices than requested.",
            ExplanationNote::MoreRuns => "There are more closest runs than requested.",
            ExplanationNote::MoreRounds => "The passing run needs more loop iterations than the given bound.",
            ExplanationNote::BoundReached => "A closer run with more loop iterations is not excluded.",
            ExplanationNote::IdleWeight => {
                "A line with a given weight has no values, so the weight has no effect."
            }
            ExplanationNote::OverflowWraps => {
                "Signed overflow wraps around (--wrapv): compile tests with -fwrapv."
            }
            ExplanationNote::MadeNans => "This holds if no bit of a NaN that arithmetic produces matters.",
            ExplanationNote::ZeroOfTwo => {
                "This holds if `fmin` and `fmax` of two zeros return the one that glibc returns."
            }
            ExplanationNote::MathResults => {
                "This holds if functions of `math.h` are at most 8 units in the last place outside their ranges."
            }
            ExplanationNote::PossibleAllocationsSucceed => {
                "This holds if every allocation of at most half of the address space succeeds."
            }
            ExplanationNote::AllocationsSucceed => {
                "This holds if every allocation succeeds (--allocations-succeed)."
            }
            ExplanationNote::KeepingStopped => {
                "Undecided whether a passing run keeps the expected value: time limit reached."
            }
            ExplanationNote::SlicesStopped => "Undecided which differences are needed: time limit reached.",
        }
    }
}

/// Bounds on a minimum.
#[derive(Clone, Copy, PartialEq, Eq, Debug, JsonSchema, Serialize)]
pub struct Interval {
    /// The minimum is at least this.
    pub lower: usize,
    /// The minimum is at most this.
    pub upper: usize,
}

impl Interval {
    /// The minimum is known.
    pub fn is_proved(self) -> bool {
        self.lower == self.upper
    }
}

/// A property.
#[derive(Clone, PartialEq, Eq, Debug, JsonSchema, Serialize)]
pub struct PropertyText {
    /// Its name: `main.assertion.1`.
    pub id: String,
    /// What kind of rule it is.
    pub kind: PropertyKind,
    /// Its text, or the description of the user.
    pub text: String,
    /// Where it is; for an assertion inside a function that only checks, the place of the call.
    pub place: StoryPlace,
    /// The line of the assertion itself.
    #[serde(skip)]
    pub line: u32,
    /// The compiled program continues when it is violated, without a message.
    #[serde(skip)]
    pub is_silent: bool,
}

/// A place of the source.
#[derive(Clone, PartialEq, Eq, Debug, JsonSchema, Serialize)]
pub struct StoryPlace {
    /// The file after line markers; empty if there are none.
    pub file: String,
    /// The line; absent if there is none, such as for a phi.
    pub line: Option<u32>,
    /// The function.
    pub function: String,
}

/// The inputs of a run.
#[derive(Clone, PartialEq, Eq, Debug, JsonSchema, Serialize)]
pub struct RunValues {
    /// The inputs, in the order in which they are read.
    pub inputs: Vec<InputValue>,
    /// The interpreter ran it with the same outcome. False if the interpreter does not support such inputs.
    pub is_replayed: bool,
    /// The run as a test in C.
    #[serde(skip)]
    pub case: TestCase,
    /// All inputs, in the order in which the unrolled program has them.
    #[serde(skip)]
    pub values: Vec<Value>,
}

/// An input with its value.
#[derive(Clone, PartialEq, Eq, Debug, JsonSchema, Serialize)]
pub struct InputValue {
    /// The variable that holds it, or how it is read.
    pub name: String,
    /// In decimal.
    pub value: String,
    /// The exact value of a float in hexadecimal; for a NaN or an infinity, its bits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hex: Option<String>,
    /// The run reaches the place where it is read.
    pub is_read: bool,
}

/// An input with different values in the two runs.
#[derive(Clone, PartialEq, Eq, Debug, JsonSchema, Serialize)]
pub struct ChangedInput {
    /// The variable that holds it, or how it is read.
    pub name: String,
    /// In the failing run, in decimal.
    pub before: String,
    /// The exact value of a float, in hexadecimal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before_hex: Option<String>,
    /// In the passing run.
    pub after: String,
    /// The exact value of a float, in hexadecimal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after_hex: Option<String>,
}

/// What kind of value differs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, JsonSchema, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum DeltaKind {
    /// An input.
    Input,
    /// An assignment.
    Assignment,
    /// A value chosen where paths meet.
    Phi,
    /// A branch.
    Guard,
    /// An argument of a call.
    Argument,
    /// A returned value.
    Return,
}

/// A value in both runs.
#[derive(Clone, PartialEq, Eq, Debug, JsonSchema, Serialize)]
pub struct TraceValue {
    /// What it is.
    pub kind: DeltaKind,
    /// Where.
    pub place: StoryPlace,
    /// The variable, or the condition of a guard.
    pub what: String,
    /// Its number among the values of this variable or among all guards, from 0.
    pub version: usize,
    /// The value in the failing run.
    pub failing: String,
    /// The value in the passing run.
    pub passing: String,
    /// The failing run computes it.
    pub is_executed_failing: bool,
    /// The passing run computes it.
    pub is_executed_passing: bool,
}

/// A value that differs.
#[derive(Clone, PartialEq, Eq, Debug, JsonSchema, Serialize)]
pub struct Delta {
    /// What it is.
    pub kind: DeltaKind,
    /// Where.
    pub place: StoryPlace,
    /// The variable, or the condition of a guard.
    pub what: String,
    /// Its number among the values of this variable or among all guards, from 0.
    pub version: usize,
    /// The value in the failing run.
    pub before: String,
    /// The value in the passing run.
    pub after: String,
    /// Its weight in the distance.
    pub weight: u32,
    /// The failing run reaches it.
    pub is_executed_before: bool,
    /// The passing run reaches it.
    pub is_executed_after: bool,
}
