//! The report about mutants. Fields may be added but not removed.

use crate::counted;
use schemars::JsonSchema;
use serde::Serialize;

/// The results for the mutants of a function.
#[derive(Clone, PartialEq, Eq, Debug, JsonSchema, Serialize)]
pub struct MutationReport {
    /// Mutants that the tests for the criterion kill.
    pub killed: usize,
    /// Mutants that are known to differ: some test kills them, and the interpreter has confirmed it.
    pub differ: usize,
    /// Proved equivalent: no test distinguishes them from the original.
    pub equivalent: usize,
    /// Proved to differ only where their behaviour is undefined. They are not counted.
    pub undefined: usize,
    /// No test within the bounds distinguishes them; they may differ beyond the bounds or in what tests do
    /// not compare.
    pub beyond_bound: usize,
    /// Not decided.
    pub undecided: usize,
    /// Some runs exceed the bounds on loops or memory: the minimum number of tests holds only within the
    /// bounds.
    pub is_bounded: bool,
    /// A mutant that runs longer counts as killed.
    pub max_steps: u64,
    /// Number of tests, at the end of the list, that kill the mutants which the others do not.
    pub more_tests: usize,
    /// At least this many are necessary to kill them.
    pub lower_bound: usize,
    /// Their number is proved minimal.
    pub is_minimal: bool,
    /// Proved: no suite of the same size that reaches the same goals kills more of these mutants.
    pub is_most: bool,
    /// In the order of the text.
    pub mutants: Vec<MutantReport>,
}

impl MutationReport {
    /// Percentage of the differing mutants that the tests for the criterion kill.
    pub fn score(&self) -> f64 {
        if self.differ == 0 { 100.0 } else { 100.0 * self.killed as f64 / self.differ as f64 }
    }

    /// In one line: `13 of 17 mutants that differ are killed (76 %); 2 more tests kill the rest, the minimum (proved)`.
    pub fn headline(&self) -> String {
        let mut text = match self.differ {
            1 => format!("{} of 1 mutant that differs is killed", self.killed),
            n => format!("{} of {n} mutants that differ are killed", self.killed),
        };
        if self.differ > 0 {
            text.push_str(&format!(" ({:.0} %)", self.score()));
        }
        if self.is_most && self.killed < self.differ {
            text.push_str(", the most that as many tests can kill (proved)");
        }
        if self.more_tests > 0 {
            let tests = counted(self.more_tests, "more test");
            let verb = if self.more_tests == 1 { "kills" } else { "kill" };
            text.push_str(&format!("; {tests} {verb} the rest"));
            text.push_str(match (self.is_minimal, self.is_bounded) {
                (true, false) => ", the minimum (proved)",
                (true, true) => ", the minimum within the bounds (proved)",
                (false, _) => "",
            });
            if !self.is_minimal {
                text.push_str(&format!(", at least {} are necessary", self.lower_bound));
            }
        }
        let parts = [
            (self.equivalent, "equivalent"),
            (self.undefined, "differ only by undefined behaviour"),
            (self.beyond_bound, "not told apart within the bounds"),
            (self.undecided, "undecided"),
        ];
        for (n, what) in parts.into_iter().filter(|(n, _)| *n > 0) {
            text.push_str(&format!(", {n} {what}"));
        }
        text
    }
}

/// A mutant.
#[derive(Clone, PartialEq, Eq, Debug, JsonSchema, Serialize)]
pub struct MutantReport {
    /// An identifier that is stable as long as the source and the number of mutants do not change.
    pub id: String,
    /// Where the fault is.
    pub line: u32,
    /// Where the fault is.
    pub column: u32,
    /// The original text.
    pub was: String,
    /// The text of the mutant; empty if a statement is removed.
    pub now: String,
    /// The result.
    pub state: MutantState,
    /// The tests that kill it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tests: Vec<usize>,
    /// Why no test kills it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// The result for a mutant.
#[derive(Clone, Copy, PartialEq, Eq, Debug, JsonSchema, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum MutantState {
    /// Killed by a test, confirmed by the interpreter.
    Killed,
    /// Proved: no test distinguishes it from the original.
    Equivalent,
    /// Proved to differ only where its behaviour is undefined.
    Undefined,
    /// No test within the bounds distinguishes it from the original.
    BeyondBound,
    /// Not decided.
    Undecided,
}

impl MutantState {
    /// The state as text.
    pub fn plain(self) -> &'static str {
        match self {
            MutantState::Killed => "killed",
            MutantState::Equivalent => "equivalent",
            MutantState::Undefined => "undefined",
            MutantState::BeyondBound => "beyond the bounds",
            MutantState::Undecided => "undecided",
        }
    }
}
