//! Coverage of a whole project: every function with decisions of every file that its build compiles.
//!
//! In order: read the compilation database ([`database`]), preprocess and list the functions ([`unit`]), cover those that no earlier run has
//! covered, several at once, in processes of their own ([`pool`], [`worker`]), and put it together ([`table`]).

mod changed;
mod cobertura;
mod coverage;
mod database;
mod elsewhere;
mod html;
mod lcov;
mod links;
mod pool;
mod programs;
mod table;
mod task;
mod unit;
mod worker;
mod write;

pub(crate) use elsewhere::{CoverTasks, TASK as COVER_TASK};
pub use table::project_table;
pub(crate) use worker::cover_unit;

use crate::c_program::Targets;
use crate::failure::Failure;
use crate::handle::Job;
use crate::request::ProjectJob;
use crate::result::JobResult;
use changed::ChangedLines;
use database::{CompileCommand, read_command, read_database};
use elsewhere::{RemoteCover, for_others};
use links::ProjectLinks;
use nub_report::{Document, FunctionState, JobEvent, ProjectReport, UnreadFile};
use nub_store::{AfterRun, FileSystem, RealFs, RunFolder, TempRoot, commit, create_folder};
use pool::{WorkerPool, in_parallel};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use task::{FunctionRecord, UnitTask, function_task, read_record};
use unit::{Unit, UnitNames, read_unit, unit_names};
use write::write_all;

/// Maximum number of functions per process: with more, cores would be idle at the end; with fewer, files would be parsed more
/// often.
const MAX_FUNCTIONS_PER_PROCESS: usize = 8;

/// Covers all functions of a project.
pub(crate) fn cover_project(job: &Job, request: &ProjectJob) -> Result<JobResult, Failure> {
    let elsewhere = request.fleet.on.as_ref().map(|_| for_others(job, request)).transpose()?;
    let request = elsewhere.as_ref().unwrap_or(request);
    let mut commands = match request.command.as_slice() {
        [] => read_database(&request.build, &request.program)?,
        words => read_command(words, &request.program)?,
    };
    let mut targets = Targets::default();
    commands.iter_mut().for_each(|command| targets.resolve(job, &mut command.program));
    let remote = RemoteCover::open(job, request)?;
    let folder = Folder::open(job, request)?;
    let _timer = job.limit(request.function.max_time);
    let n_threads = request.jobs.unwrap_or_else(crate::all_cores);
    job.searching("preprocessing", "--max-time N stops with the functions so far");
    let (mut units, unread) = read_units(job, request, &commands, &folder, n_threads)?;
    let links = ProjectLinks::new(&units);
    units.retain(|unit| is_asked(request, &unit.file));
    check_function(request, &units)?;
    let mut report = ProjectReport { unread, ..ProjectReport::default() };
    report.without_decisions = units.iter().map(|unit| unit.without_decisions).sum();
    if let Some(revision) = &request.changed_since {
        report.unchanged = keep_changed(job, revision, &mut units)?;
    }
    if let Some(wanted) = request.sample {
        report.not_sampled = keep_sample(wanted, &mut units);
    }
    let Plan { tasks, mut records } = plan(job, request, &units, &links, &folder)?;
    report.remembered = records.len() as u64;
    let place = match remote {
        Some(run) => CoverPlace::Fleet(RemoteCover::new(run, &units, &links)?),
        None => CoverPlace::here(job, &folder)?,
    };
    records.extend(cover_all(job, tasks, &place, n_threads)?);
    finish(&mut report, &mut records, &units);
    if folder.is_kept() {
        write_all(job, &folder.path, &report, &units, &records)?;
    }
    if let Ok(content) = serde_json::to_value(&report) {
        job.events.send(JobEvent::Document(Document { of: "project".to_owned(), content }));
    }
    folder.close()?;
    Ok(JobResult::Project(Box::new(report)))
}

/// Where a run keeps its files.
struct Folder {
    path: PathBuf,
    kind: FolderKind,
}

enum FolderKind {
    /// The user's folder, whose content is reused.
    Kept(RunFolder),
    /// A temporary folder, if none was requested.
    Temporary { _root: TempRoot },
}

impl Folder {
    fn open(job: &Job, request: &ProjectJob) -> Result<Folder, Failure> {
        let folder = match &request.out {
            Some(path) => {
                let run = RunFolder::open(path)?;
                Folder { path: run.path().to_owned(), kind: FolderKind::Kept(run) }
            }
            None => {
                let root = TempRoot::open(&job.context.temp)?;
                Folder { path: root.path().to_owned(), kind: FolderKind::Temporary { _root: root } }
            }
        };
        for part in [folder.records(), folder.texts()] {
            create_folder(&RealFs, &part)?;
        }
        Ok(folder)
    }

    fn is_kept(&self) -> bool {
        matches!(self.kind, FolderKind::Kept(_))
    }

    fn records(&self) -> PathBuf {
        self.path.join("records")
    }

    fn texts(&self) -> PathBuf {
        self.path.join("preprocessed")
    }

    /// For files that no later run needs.
    fn scratch(&self) -> &Path {
        match &self.kind {
            FolderKind::Kept(run) => run.temp_root(),
            FolderKind::Temporary { .. } => &self.path,
        }
    }

    fn close(self) -> Result<(), Failure> {
        match self.kind {
            FolderKind::Kept(run) => Ok(run.finish(AfterRun::Keep)?),
            FolderKind::Temporary { .. } => Ok(()),
        }
    }
}

/// Preprocesses and parses all files. Those that cannot be read do not end the run.
fn read_units(
    job: &Job,
    request: &ProjectJob,
    commands: &[CompileCommand],
    folder: &Folder,
    n_threads: usize,
) -> Result<(Vec<Unit>, Vec<UnreadFile>), Failure> {
    let files: Vec<PathBuf> = commands.iter().map(|command| command.file.clone()).collect();
    let named: Vec<(&CompileCommand, UnitNames)> = commands.iter().zip(unit_names(&files)).collect();
    let texts = folder.texts();
    let read = |(command, names): &(&CompileCommand, UnitNames)| {
        read_unit(job, command, names, &request.function, &texts)
    };
    let (mut units, mut unread) = (Vec::new(), Vec::new());
    for (result, (command, names)) in in_parallel(n_threads, &named, read).into_iter().zip(&named) {
        match result {
            Ok(unit) => units.push(unit),
            // Only its bodies would have been used.
            Err(_) if !is_asked(request, &command.file) => {}
            Err(failure) => {
                job.events.warn(format!("{}: {}", names.name, failure.message));
                unread.push(UnreadFile { file: names.name.clone(), why: failure.message });
            }
        }
    }
    Ok((units, unread))
}

/// Whether functions of a file are to be covered. Other files are parsed too, because their functions may be
/// called.
fn is_asked(request: &ProjectJob, file: &Path) -> bool {
    request.only.as_ref().is_none_or(|only| file.to_string_lossy().contains(only))
}

fn check_function(request: &ProjectJob, units: &[Unit]) -> Result<(), Failure> {
    match &request.function.function {
        Some(wanted) if units.iter().all(|unit| unit.functions.is_empty()) => {
            Err(Failure::usage(format!("no file defines a function `{wanted}` with decisions")))
        }
        _ => Ok(()),
    }
}

/// Drops functions without a changed line since a revision; returns how many.
fn keep_changed(job: &Job, revision: &str, units: &mut [Unit]) -> Result<u64, Failure> {
    let Some(folder) = units.first().and_then(|unit| unit.file.parent().map(Path::to_owned)) else {
        return Ok(0);
    };
    let changed = ChangedLines::since(job, revision, &folder)?;
    let mut n_dropped = 0;
    for Unit { file, functions, .. } in units {
        let n_before = functions.len();
        functions.retain(|function| changed.has(file, function.lines));
        n_dropped += (n_before - functions.len()) as u64;
    }
    Ok(n_dropped)
}

/// Drops functions so that `wanted` remain, spread evenly over the text; returns how many were dropped.
fn keep_sample(wanted: usize, units: &mut [Unit]) -> u64 {
    let n_all: usize = units.iter().map(|unit| unit.functions.len()).sum();
    let wanted = wanted.min(n_all);
    // Keeps the last of each n_all / wanted functions.
    let mut at = 0;
    for unit in units {
        unit.functions.retain(|_| {
            at += 1;
            at * wanted / n_all > (at - 1) * wanted / n_all
        });
    }
    (n_all - wanted) as u64
}

/// The known results and the remaining work.
struct Plan {
    /// Functions that have to be covered, in groups for one process each.
    tasks: Vec<UnitTask>,
    /// Functions that an earlier run has covered.
    records: Vec<FunctionRecord>,
}

fn plan(
    job: &Job,
    request: &ProjectJob,
    units: &[Unit],
    links: &ProjectLinks,
    folder: &Folder,
) -> Result<Plan, Failure> {
    let path = folder.scratch().join("links.json");
    commit(&RealFs, &path, &serde_json::to_vec(links).unwrap_or_default())?;
    let mut plan = Plan { tasks: Vec::new(), records: Vec::new() };
    for unit in units {
        let mut open = Vec::new();
        for function in &unit.functions {
            let function = function_task(request, unit, function, links, &folder.records());
            match read_record(&function) {
                Some(record) if record.is_final() && links.are_current(&record.linked_files) => {
                    job.events.send(JobEvent::Function(record.outcome.clone()));
                    plan.records.push(record);
                }
                earlier => {
                    // A process that waits for the next record must not read this one instead.
                    if earlier.is_some() {
                        let path = &function.record;
                        RealFs
                            .remove_file(path)
                            .map_err(|error| Failure::environment(format!("{}: {error}", path.display())))?;
                    }
                    open.push(function);
                }
            }
        }
        let groups = open.chunks(MAX_FUNCTIONS_PER_PROCESS);
        let own_links = links.of_unit(unit).next().map(|_| path.clone());
        plan.tasks.extend(groups.map(|group| UnitTask {
            links: own_links.clone(),
            ..UnitTask::new(request, unit, group.to_vec())
        }));
    }
    Ok(plan)
}

/// Where functions are covered.
enum CoverPlace {
    Here(WorkerPool),
    Fleet(RemoteCover),
}

impl CoverPlace {
    fn here(job: &Job, folder: &Folder) -> Result<CoverPlace, Failure> {
        let (program, runner) = (job.context.program.clone(), job.context.runner()?);
        let stop = job.control.search().clone();
        Ok(CoverPlace::Here(WorkerPool::new(program, runner, stop, folder.scratch())))
    }
}

/// Covers the functions of all tasks, several at once.
fn cover_all(
    job: &Job,
    tasks: Vec<UnitTask>,
    place: &CoverPlace,
    n_threads: usize,
) -> Result<Vec<FunctionRecord>, Failure> {
    let n_all: usize = tasks.iter().map(|task| task.functions.len()).sum();
    let n_done = Arc::new(AtomicUsize::new(0));
    let shown = Arc::clone(&n_done);
    let doing = move || format!("{} of {n_all} functions", shown.load(Ordering::Relaxed));
    let _ticker = job.searching_with(doing, "--max-time N stops with the functions so far");
    let records = Mutex::new(Vec::with_capacity(n_all));
    let tell = |record: FunctionRecord| {
        n_done.fetch_add(1, Ordering::Relaxed);
        job.events.send(JobEvent::Function(record.outcome.clone()));
        records.lock().unwrap_or_else(PoisonError::into_inner).push(record);
    };
    let results = match place {
        CoverPlace::Here(pool) => in_parallel(n_threads, &tasks, |task| pool.run(task.clone(), &tell)),
        CoverPlace::Fleet(fleet) => {
            // A function may take longer than the rest together, so each is a task of its own.
            let tasks: Vec<UnitTask> = tasks.iter().flat_map(UnitTask::each).collect();
            let stop = job.control.search();
            in_parallel(fleet.n_slots(), &tasks, |task| fleet.run(task, stop, &tell))
        }
    };
    results.into_iter().collect::<Result<(), Failure>>()?;
    Ok(records.into_inner().unwrap_or_else(PoisonError::into_inner))
}

/// Sorts functions by file and line, and computes the totals.
fn finish(report: &mut ProjectReport, records: &mut [FunctionRecord], units: &[Unit]) {
    let place = |file: &str| units.iter().position(|unit| unit.name == file);
    records.sort_by_cached_key(|record| (place(&record.outcome.file), record.outcome.line));
    for FunctionRecord { outcome, .. } in records {
        report.total += outcome.counts;
        let (is_answered, counts) = (outcome.state == FunctionState::Answered, &outcome.counts);
        report.answered += u64::from(is_answered);
        report.undecided += u64::from(is_answered && counts.open == counts.goals);
        report.functions.push(outcome.clone());
    }
}
