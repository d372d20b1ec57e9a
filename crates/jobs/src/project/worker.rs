//! One process of a project: covers some functions of one file, one after another.
//!
//! The file is parsed once. After each function its record is written, so that the waiting process can see its progress, even after a
//! crash.

use super::coverage::{MAIN_FILE, executions};
use super::links::{LinkAttempt, LinkSource, LinkedProgram};
use super::task::{FunctionRecord, FunctionTask, UncoveredGoal, UnitTask};
use crate::c_program::{LoadedProgram, Preprocessed};
use crate::cover::{complete, cover_function};
use crate::failure::{Failure, FailureKind};
use crate::handle::Job;
use crate::input::read;
use crate::request::{CompiledReplay, CoverJob, FunctionOptions, UnitJob};
use crate::result::JobResult;
use nub_c_syntax::link::UnitExports;
use nub_cover::report::{CoverReport, CoverState, GoalReport, NativeResult};
use nub_report::{FunctionOutcome, FunctionState, GoalCounts};
use nub_store::{RealFs, commit};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::time::{Duration, Instant};

/// Share of a function's time for an attempt with bodies from other files. The rest is for an attempt without
/// them.
const LINKED_SHARE: f64 = 0.5;

/// Share of a function's time that must be left for an attempt with other values of global variables.
const GLOBALS_SHARE: f64 = 0.25;

/// Covers the functions of a task.
pub(crate) fn cover_unit(job: &Job, request: &UnitJob) -> Result<JobResult, Failure> {
    let task: UnitTask = from_json(&request.task)?;
    let preprocessed = Preprocessed { text: read(&task.text)?, original: None };
    let mut worker = UnitWorker {
        loaded: LoadedProgram::of_text(job, &task.file, &task.program, preprocessed)?,
        links: None,
        job,
        task: &task,
    };
    if let Some(path) = &task.links {
        let own = UnitExports::new(&worker.loaded.text);
        let source = LinkSource::new(from_json(path)?);
        worker.links = own.map(|own| UnitLinks { own, source });
    }
    let parsed = worker.loaded.program.clone();
    for function in &task.functions {
        if job.control.is_cancelled() {
            break;
        }
        worker.loaded.program = parsed.clone();
        let record = worker.cover(function);
        let text = serde_json::to_vec(&record).unwrap_or_default();
        commit(&RealFs, &function.record, &text)?;
    }
    Ok(JobResult::Told)
}

fn from_json<T: serde::de::DeserializeOwned>(path: &Path) -> Result<T, Failure> {
    serde_json::from_slice(&read(path)?)
        .map_err(|error| Failure::usage(format!("{}: {error}", path.display())))
}

/// A file whose functions are covered.
struct UnitWorker<'w> {
    job: &'w Job,
    task: &'w UnitTask,
    loaded: LoadedProgram,
    /// Absent if it calls no function of another file.
    links: Option<UnitLinks>,
}

/// The files that a file may be linked with.
struct UnitLinks {
    /// What the file declares itself.
    own: UnitExports,
    /// The files with functions that it calls.
    source: LinkSource,
}

/// The result of an attempt.
struct Attempt {
    record: FunctionRecord,
    /// Nothing stopped it, and the compiled tests agree, if that was requested.
    is_settled: bool,
}

impl UnitWorker<'_> {
    /// Covers a function with the bodies of the functions that it calls, and with stubs if goals are left open; the better answer counts.
    fn cover(&mut self, function: &FunctionTask) -> FunctionRecord {
        let start = Instant::now();
        let parsed = self.loaded.program.clone();
        let (linked, files) = match self.links.as_ref().map(|links| self.link(links, function)) {
            Some(LinkAttempt { program, files }) => {
                (program.map(|program| self.cover_linked(program, function)), files)
            }
            None => (None, Vec::new()),
        };
        let mut record = match linked {
            Some(linked) if linked.is_settled => linked.record,
            linked => {
                let time = self.task.function_time.saturating_sub(start.elapsed());
                let stubbed = attempt(self.job, self.task, &mut self.loaded, function, time).record;
                let linked = linked.map(|attempt| attempt.record);
                linked.filter(|linked| worth(linked) > worth(&stubbed)).unwrap_or(stubbed)
            }
        };
        if let Some(other) = self.cover_later_states(function, &record, &parsed, start) {
            record = other;
        }
        record.outcome.seconds = crate::rounded(start.elapsed().as_secs_f64());
        record.linked_files = files;
        record
    }

    /// A module that has not been initialised may reach nothing but code that is not modelled, or a long loop. If that is all there is, global
    /// variables are inputs: the function is called later in the life of the program. Only tests that the compiled program confirms count.
    fn cover_later_states(
        &mut self,
        function: &FunctionTask,
        found: &FunctionRecord,
        parsed: &nub_c_ir::Program,
        start: Instant,
    ) -> Option<FunctionRecord> {
        let limit = self.task.function_time;
        let left = limit.saturating_sub(start.elapsed());
        let is_open = found.outcome.state == FunctionState::Answered && found.outcome.counts.open > 0;
        if !is_open || is_decided(found) || self.task.function.globals || left < limit.mul_f64(GLOBALS_SHARE)
        {
            return None;
        }
        let options = FunctionOptions { globals: true, ..self.task.function.clone() };
        let task = UnitTask { function: options, ..self.task.clone() };
        self.loaded.program = parsed.clone();
        let other = attempt(self.job, &task, &mut self.loaded, function, left).record;
        (is_decided(&other) && other.outcome.counts.confirmed > 0).then_some(other)
    }

    fn link(&self, links: &UnitLinks, function: &FunctionTask) -> LinkAttempt {
        match self.loaded.function(Some(&function.name)) {
            Ok(id) => links.source.link(&self.loaded, &links.own, &self.task.program, id),
            Err(_) => LinkAttempt::default(),
        }
    }

    fn cover_linked(&self, program: LinkedProgram, function: &FunctionTask) -> Attempt {
        let LinkedProgram { mut loaded, functions } = program;
        let time = self.task.function_time.mul_f64(LINKED_SHARE);
        let mut found = attempt(self.job, self.task, &mut loaded, function, time);
        found.record.outcome.linked = functions;
        found
    }
}

/// How much an attempt says about a function: whether there is an answer, whether its tests ran as observed, and how many goals are decided.
fn worth(record: &FunctionRecord) -> (bool, u64, u64) {
    let counts = &record.outcome.counts;
    let is_answered = record.outcome.state == FunctionState::Answered;
    (is_answered, counts.confirmed, counts.covered + counts.infeasible + counts.infeasible_if)
}

/// Whether something is known about a goal.
fn is_decided(record: &FunctionRecord) -> bool {
    let counts = &record.outcome.counts;
    counts.covered + counts.infeasible + counts.infeasible_if > 0
}

fn attempt(
    job: &Job,
    task: &UnitTask,
    loaded: &mut LoadedProgram,
    function: &FunctionTask,
    time: Duration,
) -> Attempt {
    let request = CoverJob {
        function: FunctionOptions { max_time: Some(time), ..task.function.clone() },
        program: task.program.clone(),
        // Part of the time is for the compiler: a project keeps and counts the tests that were compiled.
        replay: match task.replay {
            CompiledReplay::Possible => CompiledReplay::Late,
            other => other,
        },
        ..CoverJob::default()
    };
    // A panic loses only this function.
    let result = catch_unwind(AssertUnwindSafe(|| {
        let id = loaded.function(Some(&function.name))?;
        complete(loaded, id, &task.function);
        cover_function(job, &request, loaded, id)
    }))
    .unwrap_or_else(|_| Err(Failure::new(FailureKind::Internal, "a bug in nub: the search panicked")));
    let reports = match result {
        Ok(reports) => reports,
        Err(failure) => {
            let record = FunctionRecord::unanswered(refused(task, function, &failure));
            return Attempt { record, is_settled: false };
        }
    };
    let tests = reports.first().and_then(|report| test_file(task, report));
    // Lines of an included file must not be taken for lines of this one.
    let is_here = loaded
        .function(Some(&function.name))
        .is_ok_and(|id| loaded.program.function(id).position.file == MAIN_FILE);
    let mut record = FunctionRecord {
        outcome: answered(task, function, &reports),
        executions: if tests.is_some() && is_here { executions(&reports) } else { Vec::new() },
        uncovered: reports.iter().flat_map(|report| &report.goals).filter_map(uncovered).collect(),
        linked_files: Vec::new(),
        tests,
    };
    let supplied = loaded.program.supplied.iter().map(|id| loaded.program.function(*id).name.clone());
    record.outcome.stubs = supplied.collect();
    let is_confirmed = |report: &CoverReport| {
        report.tests.is_empty()
            || task.replay == CompiledReplay::Never
            || report.native == Some(NativeResult::Confirmed)
    };
    let is_open = |goal: &GoalReport| goal.state == CoverState::Open;
    let is_settled = reports.iter().all(|report| is_confirmed(report) && !report.goals.iter().any(is_open));
    // If a body from another file is only partly supported, a stub reaches more.
    let is_known =
        loaded.function(Some(&function.name)).is_ok_and(|id| loaded.program.unmodelled(id).is_empty());
    Attempt { record, is_settled: is_settled && is_known }
}

/// The tests as a C file, unless it is known that it cannot be compiled.
fn test_file(task: &UnitTask, report: &CoverReport) -> Option<String> {
    let is_settable = report.tests.iter().any(|test| test.unset.is_empty());
    let is_refuted = matches!(report.native, Some(NativeResult::NotRun(_)));
    if !is_settable || is_refuted || report.stubs.obstacle.is_some() {
        return None;
    }
    let source = task.file.file_name()?.to_string_lossy();
    Some(nub_cover::output::c_file(report, &source))
}

/// What is known about a goal that no test covers.
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
        // A claim under an assumption is not counted as proved, even about undefined behaviour.
        let is_conditional =
            |goal: &&GoalReport| goal.state == CoverState::Undefined && !goal.premises.is_empty();
        let n_conditional = report.goals.iter().filter(is_conditional).count();
        let infeasible = summary.infeasible + summary.undefined - n_conditional;
        let infeasible_if = summary.infeasible_if + n_conditional;
        counts += GoalCounts {
            goals: summary.goals as u64,
            covered: summary.covered as u64,
            infeasible: infeasible as u64,
            infeasible_if: infeasible_if as u64,
            open: (summary.goals - summary.covered - infeasible - infeasible_if) as u64,
            tests: report.tests.len() as u64,
            ..GoalCounts::default()
        };
    }
    let is_confirmed = |report: &CoverReport| report.native == Some(NativeResult::Confirmed);
    if reports.iter().all(|report| report.is_minimal) {
        counts.note_fewest();
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_come_first_then_confirmed_tests_then_decided_goals() {
        let record = |state, confirmed, covered, infeasible| {
            let counts = GoalCounts { goals: 9, covered, infeasible, confirmed, ..GoalCounts::default() };
            FunctionRecord::unanswered(FunctionOutcome {
                file: "a.c".into(),
                function: "f".into(),
                line: 1,
                state,
                counts,
                why: None,
                place: None,
                linked: Vec::new(),
                stubs: Vec::new(),
                seconds: 0.0,
            })
        };
        let in_order = [
            record(FunctionState::Refused, 0, 0, 0),
            record(FunctionState::Answered, 0, 0, 0),
            record(FunctionState::Answered, 0, 4, 1),
            record(FunctionState::Answered, 1, 3, 0),
            record(FunctionState::Answered, 1, 3, 2),
        ];
        assert!(in_order.iter().map(worth).is_sorted_by(|one, next| one < next));
    }
}
