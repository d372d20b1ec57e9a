//! Work on several threads, and functions in processes of their own.
//!
//! Each process covers a few functions of one file, so that the file is parsed once for all of them. If it crashes, hangs or takes
//! too much memory, only the current function is lost; another process continues with the next one.

use super::task::{FunctionRecord, UnitTask, read_record};
use crate::failure::Failure;
use nub_process::{Cancel, ChildInput, Command, ProcessEnd, ProcessLimits, Runner, signal_name};
use nub_report::{FunctionOutcome, FunctionState};
use nub_store::{RealFs, commit};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The readers of C recurse to a limit, which needs more than the usual stack of a thread.
const STACK_BYTES: usize = 64 << 20;
/// Memory of one process.
const MAX_BYTES: u64 = 4 << 30;
/// A function is stopped after this many times its time limit plus [`GRACE`]: the search ends by itself, but building formulas and
/// compiling tests may not.
const MAX_SHARES: u32 = 3;
/// Extra time for starting the process, parsing, and a busy machine.
const GRACE: Duration = Duration::from_secs(30);
/// Time between two checks for a record.
const TICK: Duration = Duration::from_millis(20);

/// Calls `work` on each item, on `n_threads` threads; returns the results in the order of the items.
pub fn in_parallel<I: Sync, R: Send>(n_threads: usize, items: &[I], work: impl Fn(&I) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let results: Mutex<Vec<(usize, R)>> = Mutex::new(Vec::with_capacity(items.len()));
    let take = || {
        while let Some((index, item)) =
            Some(next.fetch_add(1, Ordering::Relaxed)).and_then(|index| Some((index, items.get(index)?)))
        {
            let result = work(item);
            results.lock().unwrap_or_else(PoisonError::into_inner).push((index, result));
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..n_threads.clamp(1, items.len().max(1)) {
            std::thread::Builder::new()
                .stack_size(STACK_BYTES)
                .spawn_scoped(scope, take)
                .expect("threads can be started");
        }
    });
    let mut results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
    results.sort_by_key(|(index, _)| *index);
    results.into_iter().map(|(_, result)| result).collect()
}

/// Starts processes for tasks.
pub struct WorkerPool {
    /// The `nub` program.
    program: PathBuf,
    runner: Arc<Runner>,
    /// Ends all of them.
    stop: Cancel,
    /// Memory of one process.
    max_bytes: u64,
    /// For the files that tell processes what to do.
    folder: PathBuf,
    n_started: AtomicUsize,
}

impl WorkerPool {
    /// A pool that keeps its files in a folder.
    pub fn new(program: PathBuf, runner: Arc<Runner>, stop: Cancel, folder: &Path) -> WorkerPool {
        let (folder, n_started) = (folder.to_owned(), AtomicUsize::new(0));
        WorkerPool { program, runner, stop, max_bytes: MAX_BYTES, folder, n_started }
    }

    /// The same with at most this much memory for each process.
    pub fn with_memory(self, max_bytes: u64) -> WorkerPool {
        WorkerPool { max_bytes: max_bytes.min(self.max_bytes), ..self }
    }

    /// Covers all functions of a task, and reports each as soon as it is done.
    pub fn run<T: Fn(FunctionRecord)>(&self, mut task: UnitTask, tell: &T) -> Result<(), Failure> {
        while !task.functions.is_empty() {
            if self.stop.is_cancelled() {
                return task.tell_not_run(tell);
            }
            let n_done = self.run_once(&task, tell)?;
            task.functions.drain(..n_done);
        }
        Ok(())
    }

    /// Runs one process; returns how many functions have a result, or a reason why there is none.
    fn run_once<T: Fn(FunctionRecord)>(&self, task: &UnitTask, tell: &T) -> Result<usize, Failure> {
        let number = self.n_started.fetch_add(1, Ordering::Relaxed);
        let path = self.folder.join(format!("task{number}.json"));
        let text = serde_json::to_vec(task).map_err(|error| Failure::environment(error.to_string()))?;
        commit(&RealFs, &path, &text)?;
        let command = Command {
            program: self.program.clone().into_os_string(),
            args: vec!["cover".into(), "unit".into(), path.into_os_string(), "-q".into()],
            folder: None,
            env: Vec::new(),
            input: ChildInput::Null,
        };
        let limits = ProcessLimits { memory: Some(self.max_bytes), ..ProcessLimits::default() };
        let cancel = self.stop.sibling();
        let mut watch = RecordWatch { task, n_done: 0, since: Instant::now() };
        let outcome = std::thread::scope(|scope| {
            let run = scope.spawn(|| self.runner.run(&command, &limits, &cancel));
            while !run.is_finished() {
                watch.look(tell);
                if watch.is_late() || self.stop.is_cancelled() {
                    cancel.cancel_now();
                }
                std::thread::sleep(TICK);
            }
            run.join()
        });
        let Ok(outcome) = outcome else { return Err(Failure::environment("a thread was lost")) };
        let outcome = outcome.map_err(|error| Failure::environment(error.to_string()))?;
        watch.look(tell);
        let Some(function) = task.functions.get(watch.n_done) else { return Ok(watch.n_done) };
        if self.stop.is_cancelled() {
            return Ok(watch.n_done);
        }
        // If linking other files fails, the result without them must not be lost.
        if task.links.is_some() {
            let alone = UnitTask { links: None, functions: vec![function.clone()], ..task.clone() };
            self.run_once(&alone, tell)?;
            return Ok(watch.n_done + 1);
        }
        let seconds = crate::rounded(watch.since.elapsed().as_secs_f64());
        let (state, why) = reason(outcome.end, &outcome.stderr.bytes, self.max_bytes);
        let outcome = FunctionOutcome { seconds, ..task.unanswered(function, state, why) };
        tell(FunctionRecord::unanswered(outcome));
        Ok(watch.n_done + 1)
    }
}

/// The progress of a process, by the records that it has written.
struct RecordWatch<'t> {
    task: &'t UnitTask,
    n_done: usize,
    /// When the current function was started.
    since: Instant,
}

impl RecordWatch<'_> {
    fn look(&mut self, tell: &impl Fn(FunctionRecord)) {
        while let Some(record) = self.task.functions.get(self.n_done).and_then(read_record) {
            tell(record);
            self.n_done += 1;
            self.since = Instant::now();
        }
    }

    fn is_late(&self) -> bool {
        self.since.elapsed() > self.task.function_time * MAX_SHARES + GRACE
    }
}

/// Why a process has no result for its current function.
fn reason(end: ProcessEnd, said: &[u8], max_bytes: u64) -> (FunctionState, String) {
    let crashed = |how: String| (FunctionState::Crashed, how);
    match end {
        ProcessEnd::Cancelled | ProcessEnd::WallLimit | ProcessEnd::CpuLimit => {
            (FunctionState::TimedOut, "stopped: it exceeded its time limit".to_owned())
        }
        ProcessEnd::MemoryLimit => {
            (FunctionState::OutOfMemory, format!("stopped: more than {} MiB of memory", max_bytes >> 20))
        }
        ProcessEnd::Signal(number) => match signal_name(number) {
            Some(name) => crashed(format!("a bug in nub: {name}")),
            None => crashed(format!("a bug in nub: signal {number}")),
        },
        ProcessEnd::Exit(code) => {
            let said = String::from_utf8_lossy(said);
            let line = said.lines().next().unwrap_or("no message").to_owned();
            crashed(format!("the process exited with {code}: {line}"))
        }
        ProcessEnd::TaskLimit | ProcessEnd::OutputLimit => {
            crashed("a bug in nub: runaway process".to_owned())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_in_order() {
        let items: Vec<u32> = (0..100).collect();
        assert_eq!(
            in_parallel(4, &items, |item| item * 2),
            (0..100).map(|item| item * 2).collect::<Vec<_>>()
        );
        assert!(in_parallel(4, &[] as &[u32], |item| *item).is_empty());
    }

    #[test]
    fn every_end_of_a_process_is_a_state() {
        assert_eq!(reason(ProcessEnd::MemoryLimit, b"", 1 << 20).0, FunctionState::OutOfMemory);
        assert_eq!(reason(ProcessEnd::Cancelled, b"", 1 << 20).0, FunctionState::TimedOut);
        let (state, why) = reason(ProcessEnd::Signal(11), b"", 1 << 20);
        assert_eq!((state, why.contains("SIGSEGV")), (FunctionState::Crashed, true), "{why}");
        assert!(reason(ProcessEnd::Exit(4), b"error: no\nmore", 1 << 20).1.ends_with("4: error: no"));
    }
}
