//! Covers functions of a project on other machines: a task is a few functions, and the preprocessed files of all are one
//! object.
//!
//! A task contains options and names, never a command: the worker starts its own nub, compiles nothing, and writes files below its own
//! temporary folder. Everything that the result depends on is in the object, so it is the same as on one machine.

use super::links::ProjectLinks;
use super::pool::WorkerPool;
use super::task::{FunctionRecord, FunctionTask, UnitTask};
use super::unit::Unit;
use crate::context::JobContext;
use crate::failure::{Failure, FailureKind};
use crate::fleet::open_run;
use crate::fuzz::elsewhere::OWN;
use crate::handle::Job;
use crate::plain;
use crate::request::{CompiledReplay, FunctionOptions, ProgramOptions, ProjectJob};
use nub_c_ir::DataModel;
use nub_fleet::{RemoteRun, RunNeeds, TaskError, TaskFile};
use nub_process::{Cancel, Runner};
use nub_store::{RealFs, Scratch, TempRoot, commit};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// The kind of these tasks.
pub(crate) const TASK: &str = "cover";
/// SAT solvers that every worker has.
const SAT_SOLVERS: [&str; 2] = ["cadical", "own"];
/// Size of the length field of a bundle's index, in bytes.
const LENGTH: usize = 8;

/// The request in a form that other machines can do.
///
/// # Errors
/// If it names a program or a file that only this machine has.
pub(super) fn for_others(job: &Job, request: &ProjectJob) -> Result<ProjectJob, Failure> {
    if request.replay == CompiledReplay::Required {
        return Err(Failure::usage("--native cannot be used with --on: workers compile nothing"));
    }
    check_options(&request.function, &request.program)?;
    if request.replay == CompiledReplay::Possible {
        job.events.note("the tests are not compiled, since workers compile nothing: as with --no-native");
    }
    Ok(ProjectJob { replay: CompiledReplay::Never, ..request.clone() })
}

fn check_options(function: &FunctionOptions, program: &ProgramOptions) -> Result<(), Failure> {
    let refuse = |what: &str| Err(Failure::usage(format!("{what} cannot be used on other machines")));
    if function.sat_solver.as_deref().is_some_and(|solver| !SAT_SOLVERS.contains(&solver)) {
        return refuse("--sat-solver with a command");
    }
    if DataModel::by_name(program.model()).is_none() {
        return refuse("--data-model with a file");
    }
    Ok(())
}

/// Where the files of a bundle are.
#[derive(Serialize, Deserialize)]
struct BundleIndex {
    /// Bytes of each.
    lens: Vec<usize>,
    /// Which file defines which function; texts are referred to by number.
    links: ProjectLinks,
}

/// A few functions, without paths or commands of this machine.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct SentTask {
    name: String,
    file: String,
    /// The number of its text.
    text: usize,
    program: ProgramOptions,
    function: FunctionOptions,
    #[serde(with = "plain::seconds")]
    function_time: Duration,
    is_linked: bool,
    /// Names, lines and numbers of goals.
    functions: Vec<(String, u32, u64)>,
}

/// The workers, and what they need to know about the project.
pub(super) struct RemoteCover {
    run: Arc<RemoteRun>,
    file: TaskFile,
    /// The path of each unit's text; its index is its number.
    texts: Vec<PathBuf>,
}

impl RemoteCover {
    /// Starts a run, if the request names a server.
    pub(super) fn open(job: &Job, request: &ProjectJob) -> Result<Option<Arc<RemoteRun>>, Failure> {
        let needs =
            RunNeeds { programs: vec![OWN.to_owned()], tasks: vec![TASK.to_owned()], ..RunNeeds::default() };
        open_run(job, &request.fleet, needs, &format!("cover --project {}", request.build.display()))
    }

    pub(super) fn new(
        run: Arc<RemoteRun>,
        units: &[Unit],
        links: &ProjectLinks,
    ) -> Result<RemoteCover, Failure> {
        let mut texts: Vec<PathBuf> = units.iter().map(|unit| unit.text.clone()).collect();
        let mut links = links.clone();
        links.texts_mut(|text| texts.push(text.clone()));
        texts.sort();
        texts.dedup();
        links.texts_mut(|text| *text = number_of(&texts, text).to_string().into());
        let contents = texts.iter().map(|path| crate::input::read(path)).collect::<Result<Vec<_>, _>>()?;
        let index = BundleIndex { lens: contents.iter().map(Vec::len).collect(), links };
        let index = serde_json::to_vec(&index).unwrap_or_default();
        let mut bundle = (index.len() as u64).to_le_bytes().to_vec();
        bundle.extend(index);
        bundle.extend(contents.into_iter().flatten());
        Ok(RemoteCover { run, file: TaskFile::new(bundle), texts })
    }

    /// How many runs workers can do in parallel.
    pub(super) fn n_slots(&self) -> usize {
        self.run.n_slots()
    }

    /// Covers all functions of a task, and reports each.
    pub(super) fn run(
        &self,
        task: &UnitTask,
        stop: &Cancel,
        tell: &impl Fn(FunctionRecord),
    ) -> Result<(), Failure> {
        let broken = |why: String| Failure::new(FailureKind::Environment, why);
        let sent = SentTask {
            name: task.name.clone(),
            file: task.file.to_string_lossy().into_owned(),
            text: number_of(&self.texts, &task.text),
            program: without_places(&task.program),
            function: FunctionOptions { input: PathBuf::new(), ..task.function.clone() },
            function_time: task.function_time,
            is_linked: task.links.is_some(),
            functions: task.functions.iter().map(|one| (one.name.clone(), one.line, one.n_goals)).collect(),
        };
        let body = serde_json::to_vec(&sent).map_err(|error| broken(error.to_string()))?;
        let answer = match self.run.task_with_file(TASK, body, &self.file, stop) {
            Ok(answer) => answer,
            Err(None) => return task.tell_not_run(tell),
            Err(Some(why)) => return Err(broken(why)),
        };
        let records: Vec<FunctionRecord> =
            serde_json::from_slice(&answer).map_err(|error| broken(error.to_string()))?;
        let is_asked = records.iter().map(|record| &record.outcome.function);
        if !is_asked.eq(task.functions.iter().map(|function| &function.name)) {
            return Err(broken("a worker sent functions that were not requested".to_owned()));
        }
        for (record, function) in records.into_iter().zip(&task.functions) {
            if record.is_final() {
                commit(&RealFs, &function.record, &serde_json::to_vec(&record).unwrap_or_default())?;
            }
            tell(record);
        }
        Ok(())
    }
}

fn number_of(texts: &[PathBuf], text: &Path) -> usize {
    texts.iter().position(|other| other == text).unwrap_or(usize::MAX)
}

/// How the text is parsed, without options for the preprocessor and compiler of this machine.
fn without_places(program: &ProgramOptions) -> ProgramOptions {
    ProgramOptions { cc: None, include: Vec::new(), define: Vec::new(), ..program.clone() }
}

/// Covers functions for other machines.
pub(crate) struct CoverTasks {
    context: JobContext,
    runner: Arc<Runner>,
    temp: PathBuf,
}

impl CoverTasks {
    pub(crate) fn new(context: JobContext, runner: Arc<Runner>, temp: PathBuf) -> CoverTasks {
        CoverTasks { context, runner, temp }
    }

    /// Does a task; returns the records of its functions.
    pub(crate) fn run(&self, body: &[u8], bundle: &[u8], cancel: &Cancel) -> Result<Vec<u8>, TaskError> {
        self.cover(body, bundle, cancel).map_err(|failure| TaskError::Failed(failure.message))
    }

    fn cover(&self, body: &[u8], bundle: &[u8], cancel: &Cancel) -> Result<Vec<u8>, Failure> {
        let unread = |what: &str| Failure::usage(format!("{what} cannot be read"));
        let sent: SentTask = serde_json::from_slice(body).map_err(|_| unread("the task"))?;
        check_options(&sent.function, &sent.program)?;
        self.check_time(sent.function_time)?;
        let root = TempRoot::open(&self.temp)?;
        let scratch = Scratch::new(root.path(), 0)?;
        let task = unpacked(sent, bundle, &scratch)?.ok_or_else(|| unread("the files of the task"))?;
        let stop = cancel.clone();
        let pool = WorkerPool::new(self.context.program.clone(), self.runner.clone(), stop, scratch.path());
        let pool = match self.context.settings.number::<u64>("limits.memory") {
            Some(megabytes) => pool.with_memory(megabytes.saturating_mul(1 << 20)),
            None => pool,
        };
        let records = std::cell::RefCell::new(Vec::new());
        pool.run(task, &|record| records.borrow_mut().push(record))?;
        Ok(serde_json::to_vec(&records.into_inner()).unwrap_or_default())
    }

    /// Returns an error if functions may take longer than this machine allows.
    fn check_time(&self, time: Duration) -> Result<(), Failure> {
        match self.context.settings.time("limits.timeout").filter(|limit| *limit < time) {
            Some(limit) => Err(Failure::usage(format!(
                "--function-time is {} s, and this worker's nub.toml allows {} s",
                time.as_secs_f64(),
                limit.as_secs_f64()
            ))),
            None => Ok(()),
        }
    }
}

/// The task with its files in a folder of this machine; an error if they are inconsistent.
fn unpacked(sent: SentTask, bundle: &[u8], scratch: &Scratch) -> Result<Option<UnitTask>, Failure> {
    let Some((mut links, contents)) = unbundled(bundle) else { return Ok(None) };
    let mut texts = Vec::new();
    for (number, content) in contents.into_iter().enumerate() {
        texts.push(scratch.write(format!("{number}.i"), content)?);
    }
    let mut is_whole = true;
    links.texts_mut(|text| {
        let number = text.to_str().and_then(|number| number.parse::<usize>().ok());
        match number.and_then(|number| texts.get(number)) {
            Some(path) => *text = path.clone(),
            None => is_whole = false,
        }
    });
    let Some(text) = texts.get(sent.text).cloned().filter(|_| is_whole) else { return Ok(None) };
    let links = if sent.is_linked {
        Some(scratch.write("links.json", &serde_json::to_vec(&links).unwrap_or_default())?)
    } else {
        None
    };
    let function = |(number, (name, line, n_goals)): (usize, (String, u32, u64))| FunctionTask {
        name,
        line,
        n_goals,
        record: scratch.path().join(format!("record{number}.json")),
    };
    let file = PathBuf::from(sent.file);
    Ok(Some(UnitTask {
        name: sent.name,
        function: FunctionOptions { input: file.clone(), ..sent.function },
        file,
        program: sent.program,
        text,
        function_time: sent.function_time,
        replay: CompiledReplay::Never,
        links,
        functions: sent.functions.into_iter().enumerate().map(function).collect(),
    }))
}

/// The links and the texts of a bundle.
fn unbundled(bundle: &[u8]) -> Option<(ProjectLinks, Vec<&[u8]>)> {
    let (len, rest) = bundle.split_at_checked(LENGTH)?;
    let len = usize::try_from(u64::from_le_bytes(len.try_into().ok()?)).ok()?;
    let (index, mut rest) = rest.split_at_checked(len)?;
    let BundleIndex { lens, links } = serde_json::from_slice(index).ok()?;
    let mut contents = Vec::with_capacity(lens.len());
    for len in lens {
        let (content, others) = rest.split_at_checked(len)?;
        contents.push(content);
        rest = others;
    }
    Some((links, contents))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_task_with_a_command_or_a_file_in_it_is_refused() {
        let (function, program) = (FunctionOptions::default(), ProgramOptions::default());
        assert!(check_options(&function, &program).is_ok());
        let solver = FunctionOptions { sat_solver: Some("sh -c x".to_owned()), ..function.clone() };
        assert!(check_options(&solver, &program).is_err());
        let model = ProgramOptions { data_model: Some("/etc/passwd".to_owned()), ..program };
        assert!(check_options(&function, &model).is_err());
    }

    #[test]
    fn a_bundle_that_is_cut_anywhere_is_noticed() {
        let index = BundleIndex { lens: vec![3, 2], links: ProjectLinks::default() };
        let index = serde_json::to_vec(&index).unwrap();
        let mut bundle = (index.len() as u64).to_le_bytes().to_vec();
        bundle.extend(index);
        bundle.extend(b"abcde");
        assert_eq!(unbundled(&bundle).unwrap().1, [b"abc".as_slice(), b"de"]);
        assert!((0..bundle.len()).all(|len| unbundled(&bundle[..len]).is_none()));
    }
}
