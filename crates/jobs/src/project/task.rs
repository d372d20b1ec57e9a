//! The task of a worker process, and the records that it writes.

use super::coverage::Execution;
use super::links::ProjectLinks;
use super::unit::{Unit, UnitFunction};
use crate::failure::Failure;
use crate::plain;
use crate::request::{CompiledReplay, FunctionOptions, ProgramOptions, ProjectJob};
use nub_report::{FunctionOutcome, FunctionState, GoalCounts};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Changes whenever records of an earlier version would be misread.
const RECORD_VERSION: u32 = 3;

/// Some functions of one file, for one process.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct UnitTask {
    /// What reports call the file.
    pub name: String,
    /// The file.
    pub file: PathBuf,
    /// How it was read.
    pub program: ProgramOptions,
    /// Its preprocessed text.
    pub text: PathBuf,
    /// The options for each function.
    pub function: FunctionOptions,
    /// Time for each.
    #[serde(with = "plain::seconds")]
    pub function_time: Duration,
    /// Whether tests are compiled and run.
    pub replay: CompiledReplay,
    /// The file that says which file defines which function; `None` if this file calls no function of another
    /// one.
    pub links: Option<PathBuf>,
    /// The functions, in the order in which they are covered.
    pub functions: Vec<FunctionTask>,
}

/// One function of a task.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct FunctionTask {
    /// Its name.
    pub name: String,
    /// The line of its name.
    pub line: u32,
    /// Its goals, as far as they can be listed.
    pub n_goals: u64,
    /// Where the record is written.
    pub record: PathBuf,
}

/// The stored result of a function: as long as its key is the same, it need not be covered again.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct FunctionRecord {
    /// What the project reports.
    pub outcome: FunctionOutcome,
    /// What its tests execute.
    pub executions: Vec<Execution>,
    /// The goals that no test covers.
    pub uncovered: Vec<UncoveredGoal>,
    /// Other files whose bodies the answer uses, with the hashes of their texts.
    pub linked_files: Vec<(String, String)>,
    /// Its tests as a C file that includes the file under test by its name; none if they cannot be compiled.
    pub tests: Option<String>,
}

/// A goal that no test covers.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct UncoveredGoal {
    /// Its line, from 1.
    pub line: u32,
    /// Its column, from 1.
    pub column: u32,
    /// What kind of goal it is.
    pub kind: String,
    /// The source text, such as `x > 3`.
    pub goal: String,
    /// The wanted outcome, such as `true`.
    pub wanted: String,
    /// The result.
    pub state: String,
    /// What is known about it, with assumptions.
    pub why: String,
}

impl FunctionRecord {
    /// A function without an answer.
    pub fn unanswered(outcome: FunctionOutcome) -> FunctionRecord {
        let (executions, uncovered, linked_files) = (Vec::new(), Vec::new(), Vec::new());
        FunctionRecord { outcome, executions, uncovered, linked_files, tests: None }
    }

    /// Whether a later run reuses it; failures are tried again.
    pub fn is_final(&self) -> bool {
        matches!(self.outcome.state, FunctionState::Answered | FunctionState::Refused)
    }
}

impl UnitTask {
    /// The same file with these functions.
    pub fn new(request: &ProjectJob, unit: &Unit, functions: Vec<FunctionTask>) -> UnitTask {
        let function = FunctionOptions {
            input: unit.file.clone(),
            max_time: Some(request.function_time),
            ..request.function.clone()
        };
        UnitTask {
            name: unit.name.clone(),
            file: unit.file.clone(),
            program: unit.program.clone(),
            text: unit.text.clone(),
            function,
            function_time: request.function_time,
            replay: request.replay,
            links: None,
            functions,
        }
    }

    /// A task for each function.
    pub fn each(&self) -> impl Iterator<Item = UnitTask> {
        self.functions.iter().map(|function| UnitTask { functions: vec![function.clone()], ..self.clone() })
    }

    /// Reports that no function of the task was run, because everything was stopped.
    pub fn tell_not_run(&self, tell: &impl Fn(FunctionRecord)) -> Result<(), Failure> {
        for function in &self.functions {
            let why = "the run was stopped".to_owned();
            tell(FunctionRecord::unanswered(self.unanswered(function, FunctionState::NotRun, why)));
        }
        Ok(())
    }

    /// A function of the task without an answer.
    pub fn unanswered(&self, function: &FunctionTask, state: FunctionState, why: String) -> FunctionOutcome {
        let open = function.n_goals;
        FunctionOutcome {
            file: self.name.clone(),
            function: function.name.clone(),
            line: u64::from(function.line),
            state,
            counts: GoalCounts { goals: open, open, ..GoalCounts::default() },
            why: Some(why),
            place: None,
            linked: Vec::new(),
            stubs: Vec::new(),
            seconds: 0.0,
        }
    }
}

/// A function of a file as a task: the path of its record is a hash of everything that the result depends on.
pub fn function_task(
    request: &ProjectJob,
    unit: &Unit,
    function: &UnitFunction,
    links: &ProjectLinks,
    records: &Path,
) -> FunctionTask {
    // Only where bodies are defined; the record has the hashes of their texts.
    let elsewhere: Vec<(&str, &str)> =
        links.of_unit(unit).map(|(name, definer)| (name, definer.name.as_str())).collect();
    let asked = FunctionOptions { input: PathBuf::new(), max_time: None, ..request.function.clone() };
    let key = serde_json::json!([
        RECORD_VERSION,
        env!("CARGO_PKG_VERSION"),
        unit.hash,
        unit.name,
        unit.program,
        function.name,
        asked,
        request.function_time.as_secs_f64(),
        request.replay,
        elsewhere,
    ]);
    let hash = blake3::hash(key.to_string().as_bytes()).to_hex();
    FunctionTask {
        name: function.name.clone(),
        line: function.line,
        n_goals: function.n_goals,
        record: records.join(format!("{}.json", &hash.as_str()[..32])),
    }
}

/// The record of a function, if there is a complete one.
pub fn read_record(function: &FunctionTask) -> Option<FunctionRecord> {
    serde_json::from_slice(&std::fs::read(&function.record).ok()?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_answers_and_refusals_are_final() {
        use FunctionState::{Answered, Crashed, NotRun, OutOfMemory, Refused, TimedOut};
        let outcome = |state| FunctionOutcome {
            file: "a.c".into(),
            function: "f".into(),
            line: 1,
            state,
            counts: GoalCounts::default(),
            why: None,
            place: None,
            linked: Vec::new(),
            stubs: Vec::new(),
            seconds: 0.0,
        };
        let is_final = |state: &FunctionState| FunctionRecord::unanswered(outcome(*state)).is_final();
        assert!([Answered, Refused].iter().all(is_final));
        assert!(![Crashed, NotRun, OutOfMemory, TimedOut].iter().any(is_final));
    }
}
