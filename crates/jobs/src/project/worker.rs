//! One process of a project: some functions of one file, one after the other.
//!
//! The file is parsed once. After each function its record is written, so that the process that waits can tell how far it is, also after this
//! one has crashed.

use super::coverage::executions;
use super::task::{FunctionRecord, FunctionTask, UncoveredGoal, UnitTask};
use crate::c_program::{LoadedProgram, Preprocessed};
use crate::cover::{complete, cover_function};
use crate::failure::{Failure, FailureKind};
use crate::handle::Job;
use crate::input::read;
use crate::request::{CoverJob, UnitJob};
use crate::result::JobResult;
use nub_cover::report::{CoverReport, CoverState, GoalReport, NativeResult};
use nub_report::{FunctionOutcome, FunctionState, GoalCounts};
use nub_store::{RealFs, commit};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::time::Instant;

/// Covers the functions of a task.
pub(crate) fn cover_unit(job: &Job, request: &UnitJob) -> Result<JobResult, Failure> {
    let task: UnitTask = serde_json::from_slice(&read(&request.task)?)
        .map_err(|error| Failure::usage(format!("{}: {error}", request.task.display())))?;
    let preprocessed = Preprocessed { text: read(&task.text)?, original: None };
    let mut loaded = LoadedProgram::of_text(job, &task.file, &task.program, preprocessed)?;
    let parsed = loaded.program.clone();
    for function in &task.functions {
        if job.control.is_cancelled() {
            break;
        }
        loaded.program = parsed.clone();
        let record = cover_one(job, &task, &mut loaded, function);
        let text = serde_json::to_vec(&record).unwrap_or_default();
        commit(&RealFs, &function.record, &text)?;
    }
    Ok(JobResult::Told)
}

fn cover_one(
    job: &Job,
    task: &UnitTask,
    loaded: &mut LoadedProgram,
    function: &FunctionTask,
) -> FunctionRecord {
    let start = Instant::now();
    let request = CoverJob {
        function: task.function.clone(),
        program: task.program.clone(),
        replay: task.replay,
        ..CoverJob::default()
    };
    // A panic costs this function, not those after it.
    let result = catch_unwind(AssertUnwindSafe(|| {
        let id = loaded.function(Some(&function.name))?;
        complete(loaded, id, &task.function);
        cover_function(job, &request, loaded, id)
    }))
    .unwrap_or_else(|_| Err(Failure::new(FailureKind::Internal, "a bug in nub: the search panicked")));
    let mut record = match &result {
        Ok(reports) => FunctionRecord {
            outcome: answered(task, function, reports),
            executions: executions(reports),
            uncovered: reports.iter().flat_map(|report| &report.goals).filter_map(uncovered).collect(),
            tests: reports.first().and_then(|report| test_file(task, report)),
        },
        Err(failure) => FunctionRecord::unanswered(refused(task, function, failure)),
    };
    record.outcome.seconds = crate::rounded(start.elapsed().as_secs_f64());
    record
}

/// The tests as a C file, unless something is known to be in the way of compiling it.
fn test_file(task: &UnitTask, report: &CoverReport) -> Option<String> {
    let is_settable = report.tests.iter().any(|test| test.unset.is_empty());
    let is_refuted = matches!(report.native, Some(NativeResult::NotRun(_)));
    if !is_settable || is_refuted || report.stubs.obstacle.is_some() {
        return None;
    }
    let source = task.file.file_name()?.to_string_lossy();
    Some(nub_cover::output::c_file(report, &source))
}

/// What is known of a goal that no test covers.
fn uncovered(goal: &GoalReport) -> Option<UncoveredGoal> {
    if goal.state == CoverState::Covered {
        return None;
    }
    let premises: Vec<String> = goal.premises.iter().map(ToString::to_string).collect();
    let mut why = goal.state.word().to_owned();
    if !premises.is_empty() {
        why = format!("{why} {}", premises.join(" and "));
    }
    if let Some(reason) = &goal.reason {
        why = format!("{why} ({reason})");
    }
    Some(UncoveredGoal {
        line: goal.line,
        column: goal.column,
        kind: goal.kind.word().to_owned(),
        goal: goal.text.clone(),
        wanted: goal.wanted.clone(),
        state: goal.state.word().to_owned(),
        why,
    })
}

fn answered(task: &UnitTask, function: &FunctionTask, reports: &[CoverReport]) -> FunctionOutcome {
    let mut counts = GoalCounts::default();
    for report in reports {
        let summary = &report.summary;
        let infeasible = summary.infeasible + summary.undefined;
        counts += GoalCounts {
            goals: summary.goals as u64,
            covered: summary.covered as u64,
            infeasible: infeasible as u64,
            infeasible_if: summary.infeasible_if as u64,
            open: (summary.goals - summary.covered - infeasible - summary.infeasible_if) as u64,
            tests: report.tests.len() as u64,
            minimal: 0,
            confirmed: 0,
        };
    }
    let is_confirmed = |report: &CoverReport| report.native == Some(NativeResult::Confirmed);
    counts.minimal = u64::from(reports.iter().all(|report| report.is_minimal));
    counts.confirmed = u64::from(reports.iter().any(is_confirmed));
    let state = FunctionState::Answered;
    FunctionOutcome { counts, why: None, ..task.unanswered(function, state, String::new()) }
}

fn refused(task: &UnitTask, function: &FunctionTask, failure: &Failure) -> FunctionOutcome {
    let state = match failure.kind {
        FailureKind::Internal => FunctionState::Crashed,
        _ => FunctionState::Refused,
    };
    let place = failure.place.as_ref().map(|place| {
        let is_own = Path::new(&place.path) == task.file;
        format!("{}:{}", if is_own { &task.name } else { &place.path }, place.line)
    });
    FunctionOutcome { place, ..task.unanswered(function, state, failure.message.clone()) }
}
