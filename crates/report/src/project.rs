//! What `nub cover --project` reports about each function and about the project as a whole.

use schemars::{JsonSchema, Schema};
use serde::{Deserialize, Serialize};

/// The result for one function of a project.
#[derive(Clone, PartialEq, Debug, JsonSchema, Serialize, Deserialize)]
pub struct FunctionOutcome {
    /// The file that contains it, relative to the common folder of all files.
    pub file: String,
    /// Its name.
    pub function: String,
    /// The line of its name.
    pub line: u64,
    /// The result.
    pub state: FunctionState,
    /// Numbers of goals and tests. For a function without a result only the goals are known, if anything.
    pub counts: GoalCounts,
    /// Why there is no answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// The place in the source that is the reason, such as `inflate.c:120`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
    /// Functions of other files whose bodies the answer uses.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub linked: Vec<String>,
    /// Functions without a body: the tests define what they return.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stubs: Vec<String>,
    /// Time from start to end.
    pub seconds: f64,
}

/// The result for a function.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FunctionState {
    /// Every goal is covered, infeasible, or reported as beyond a bound or undecided.
    Answered,
    /// It contains something that nub does not support.
    Refused,
    /// It did not end within its time and was stopped.
    TimedOut,
    /// It needed more memory than one function may have, and was stopped.
    OutOfMemory,
    /// A bug in nub.
    Crashed,
    /// The run was stopped before this function.
    NotRun,
}

/// Numbers of goals and tests.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, JsonSchema, Serialize, Deserialize)]
pub struct GoalCounts {
    /// All goals.
    pub goals: u64,
    /// Reached by the tests.
    pub covered: u64,
    /// Proved to be reached by no run, or only by runs with undefined behaviour.
    pub infeasible: u64,
    /// Proved to be reached by no run if a stated assumption holds.
    pub infeasible_if: u64,
    /// Beyond a bound, or undecided.
    pub open: u64,
    /// Tests.
    pub tests: u64,
    /// Functions all of whose goals are decided, and whose number of tests is proved minimal.
    pub minimal: u64,
    /// Functions with tests whose number is proved minimal for the goals that are decided, while others are open or rest on an assumption.
    #[serde(default)]
    pub minimal_of_decided: u64,
    /// Functions whose tests were compiled and run, and whose results agree.
    pub confirmed: u64,
}

impl GoalCounts {
    /// Percentage of covered goals among those that are not proved infeasible.
    pub fn percent(&self) -> f64 {
        let n = self.goals.saturating_sub(self.infeasible);
        if n == 0 { 100.0 } else { 100.0 * self.covered as f64 / n as f64 }
    }

    /// For one function whose number of tests is proved minimal: counts it as minimal for all goals or only for the decided ones. Counts
    /// nothing if there is no test and all goals are open.
    pub fn note_fewest(&mut self) {
        let is_decided = self.open == 0 && self.infeasible_if == 0;
        self.minimal = u64::from(is_decided);
        self.minimal_of_decided = u64::from(!is_decided && self.tests > 0);
    }

    /// One word for what is known about the number of tests of one function.
    pub fn minimal_word(&self) -> &'static str {
        match (self.minimal, self.minimal_of_decided, self.tests) {
            (1.., ..) => "yes",
            (_, 1.., _) => "decided",
            (.., 0) => "-",
            _ => "no",
        }
    }
}

impl std::ops::AddAssign for GoalCounts {
    fn add_assign(&mut self, other: GoalCounts) {
        self.goals += other.goals;
        self.covered += other.covered;
        self.infeasible += other.infeasible;
        self.infeasible_if += other.infeasible_if;
        self.open += other.open;
        self.tests += other.tests;
        self.minimal += other.minimal;
        self.minimal_of_decided += other.minimal_of_decided;
        self.confirmed += other.confirmed;
    }
}

/// A file that could not be read.
#[derive(Clone, PartialEq, Eq, Debug, JsonSchema, Serialize, Deserialize)]
pub struct UnreadFile {
    /// Its name.
    pub file: String,
    /// Why.
    pub why: String,
}

/// The result for a project.
#[derive(Clone, PartialEq, Debug, Default, JsonSchema, Serialize, Deserialize)]
pub struct ProjectReport {
    /// Functions with decisions, by file and line.
    pub functions: Vec<FunctionOutcome>,
    /// Files that could not be preprocessed or parsed.
    pub unread: Vec<UnreadFile>,
    /// Functions without decisions: there is nothing to cover.
    pub without_decisions: u64,
    /// Functions that were not analysed because their lines have not changed.
    pub unchanged: u64,
    /// Functions that were not analysed because they are not part of the sample.
    #[serde(default)]
    pub not_sampled: u64,
    /// Functions whose result is from an earlier run.
    pub remembered: u64,
    /// The sums over all functions.
    pub total: GoalCounts,
    /// Functions with a result.
    pub answered: u64,
    /// Those of them whose goals are all open: it is only known that no test was found within the bounds and the time limit.
    #[serde(default)]
    pub undecided: u64,
}

/// The schema of a report.
pub fn project_schema() -> Schema {
    crate::schema_of::<ProjectReport>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_manual_names_every_field() {
        let manual = include_str!("../../../docs/json.md");
        let outcome = FunctionOutcome {
            file: "a.c".into(),
            function: "f".into(),
            line: 1,
            state: FunctionState::Refused,
            counts: GoalCounts::default(),
            why: Some("asm".into()),
            place: Some("a.c:1".into()),
            linked: vec!["g".into()],
            stubs: vec!["h".into()],
            seconds: 0.5,
        };
        let unread = vec![UnreadFile { file: "b.c".into(), why: "no".into() }];
        let report = ProjectReport { functions: vec![outcome], unread, ..ProjectReport::default() };
        let value = serde_json::to_value(&report).expect("plain data");
        let mut todo = vec![&value];
        while let Some(value) = todo.pop() {
            match value {
                serde_json::Value::Object(map) => {
                    for (name, value) in map {
                        assert!(
                            manual.contains(&format!("`{name}`")),
                            "docs/json.md says nothing about `{name}`"
                        );
                        todo.push(value);
                    }
                }
                serde_json::Value::Array(values) => todo.extend(values),
                _ => {}
            }
        }
        assert_eq!(serde_json::from_value::<ProjectReport>(value.clone()).expect("our own"), report);
    }

    #[test]
    fn the_fewest_tests_are_those_of_decided_goals() {
        let word = |goals, open, infeasible_if, tests| {
            let mut counts = GoalCounts { goals, open, infeasible_if, tests, ..GoalCounts::default() };
            let before = counts.minimal_word();
            counts.note_fewest();
            (before, counts.minimal_word(), counts.minimal + counts.minimal_of_decided)
        };
        assert_eq!(word(9, 0, 0, 4), ("no", "yes", 1));
        assert_eq!(word(9, 2, 0, 4), ("no", "decided", 1));
        assert_eq!(word(9, 0, 1, 4), ("no", "decided", 1));
        assert_eq!(word(9, 9, 0, 0), ("-", "-", 0));
        assert_eq!(word(9, 0, 0, 0), ("-", "yes", 1), "all are proved infeasible");
    }

    #[test]
    fn infeasible_goals_do_not_count() {
        let counts = GoalCounts { goals: 10, covered: 6, infeasible: 2, ..GoalCounts::default() };
        assert!((counts.percent() - 75.0).abs() < 1e-9);
        assert!((GoalCounts::default().percent() - 100.0).abs() < 1e-9);
    }
}
