//! Runs tests in the compiled program, under sanitizers: the compiler and the machine decide.

use crate::context::JobContext;
use crate::control::JobControl;
use crate::failure::{Failure, FailureKind};
use crate::handle::Job;
use crate::request::ProgramOptions;
use nub_c_ir::DataModel;
use nub_harness::SANITIZER_EXIT;
use nub_process::{Cancel, ChildInput, Command, ProcessEnd, ProcessLimits, ProcessOutcome, Runner};
use nub_store::{Scratch, TempRoot};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// Why a compiled program may behave differently from the model although both are right.
pub const OPEN_ORDER: &str =
    "it behaves differently, because C does not define the order of calls in one expression";

/// Alignment is not checked: a pointer to a member of a packed structure need not be aligned, and the machines that such code is written
/// for allow that.
const SANITIZED: [&str; 5] =
    ["-w", "-O0", "-fsanitize=undefined,address", "-fno-sanitize=alignment", "-fno-sanitize-recover=all"];

/// Time limit for compiling, and for running all tests of a file.
const MAX_SECONDS: u64 = 60;
/// The variables that sanitizers read their options from.
const SANITIZER_OPTIONS: [&str; 2] = ["ASAN_OPTIONS", "UBSAN_OPTIONS"];
/// The data model of the machines that nub runs on.
const HOST_MODEL: &str = "lp64";

/// Compiles C files with tests and runs them. Stopping the job leaves nothing behind.
pub struct Native {
    pub(super) options: ProgramOptions,
    runner: Arc<Runner>,
    cancel: Cancel,
    room: Arc<Room>,
    /// When everything must have ended.
    end: OnceLock<Instant>,
}

/// The folder for the files.
#[derive(Default)]
struct Room {
    /// Locked while a program runs.
    files: Mutex<Option<Files>>,
    /// Set when the job was stopped: nothing may be written or started any more.
    is_closed: AtomicBool,
}

struct Files {
    scratch: Scratch,
    /// Keeps the folder of `scratch`.
    _root: TempRoot,
}

/// Why a program for another machine cannot run on this one.
fn not_here(options: &ProgramOptions) -> String {
    let model = options.model();
    let is_short = DataModel::NAMES.contains(&model) || Path::new(model).exists();
    let other = if is_short { model } else { "that of the program" };
    format!("the data model of this machine is {HOST_MODEL}, not {other}")
}

/// What lines of compilers and linkers contain that say what is wrong.
const TELLING: [&str; 5] =
    ["error:", "undefined reference", "undefined symbol", "multiple definition", "cannot find"];

/// Why tests of a program cannot be run here; `None` if they can. Only runs the compiler with `--version`.
pub fn why_not(job: &Job, options: &ProgramOptions) -> Option<String> {
    if options.model() != HOST_MODEL {
        return Some(not_here(options));
    }
    match Native::new(options, &job.context, &job.control) {
        Ok(native) => native.why_not(),
        Err(failure) => Some(failure.message),
    }
}

/// What the failure of a compiler is about, in one line: that of its message which says what is wrong. The first ones often only say where: `In function`,
/// `In file included from`. The last one of a linker says that it has failed.
pub fn in_one_line(failure: &Failure) -> String {
    let Some((what, said)) = failure.message.split_once('\n') else { return failure.message.clone() };
    let is_summary = |line: &str| line.starts_with("collect2:") || line.starts_with("clang");
    let is_telling = |line: &&str| !is_summary(line) && TELLING.iter().any(|telling| line.contains(telling));
    let line = said.lines().find(is_telling).or_else(|| said.lines().next()).unwrap_or_default();
    format!("{what}: {}", line.trim())
}

impl Native {
    /// A folder for the files, and a runner.
    pub fn new(
        options: &ProgramOptions,
        context: &JobContext,
        control: &JobControl,
    ) -> Result<Native, Failure> {
        if options.model() != HOST_MODEL {
            return Err(Failure::usage(not_here(options)));
        }
        let runner = context.runner()?;
        let (cancel, room, end) = (Cancel::new(), Arc::default(), OnceLock::new());
        let native = Native { options: options.clone(), runner, cancel, room, end };
        let (cancel, room) = (native.cancel.clone(), Arc::clone(&native.room));
        control.clean_with(move || {
            room.is_closed.store(true, Ordering::SeqCst);
            cancel.cancel_now();
            drop(room.lock().take());
        });
        let mut files = native.room.lock();
        let root = TempRoot::open(&context.temp)?;
        *files = Some(Files { scratch: Scratch::new(root.path(), 0)?, _root: root });
        drop(files);
        Ok(native)
    }

    /// Why there is no compiler; `None` if there is one.
    pub fn why_not(&self) -> Option<String> {
        match self.run(self.options.compiler(), vec!["--version".into()], ChildInput::Null) {
            Ok(outcome) if outcome.end == ProcessEnd::Exit(0) => None,
            _ => Some(format!("there is no C compiler `{}`", self.options.compiler().display())),
        }
    }

    /// Compilers and programs are stopped after this time, which includes pauses. Counted from the first such call.
    pub fn end_within(&self, time: Duration) {
        self.end.get_or_init(|| Instant::now() + time);
    }

    /// Stops what is running, and starts nothing more.
    pub fn cancel(&self) {
        self.cancel.cancel_now();
    }

    /// Writes a file into the folder.
    pub(super) fn write(&self, name: &str, bytes: &[u8]) -> Result<PathBuf, Failure> {
        match &*self.room.lock() {
            Some(files) => Ok(files.scratch.write(name, bytes)?),
            None => Err(stopped()),
        }
    }

    /// Runs a program to its end.
    pub(super) fn run(
        &self,
        program: OsString,
        args: Vec<OsString>,
        input: ChildInput,
    ) -> Result<ProcessOutcome, Failure> {
        // Leaks do not matter for the tests, and leak detection takes a third of the time of a small program. A report must not look like a call of `exit`.
        let options = format!("detect_leaks=0:exitcode={SANITIZER_EXIT}");
        let env = SANITIZER_OPTIONS.map(|name| (name.into(), options.clone().into())).into();
        let command = Command { program, args, folder: None, env, input };
        let most = Duration::from_secs(MAX_SECONDS);
        let left = self.end.get().map(|end| end.saturating_duration_since(Instant::now()));
        let wall = Some(left.map_or(most, |left| left.min(most)));
        let limits = ProcessLimits { wall, ..ProcessLimits::default() };
        let files = self.room.lock();
        let outcome = self.runner.run(&command, &limits, &self.cancel);
        drop(files);
        if self.room.is_closed.load(Ordering::SeqCst) {
            return Err(stopped());
        }
        outcome.map_err(|error| Failure::new(FailureKind::Environment, error.to_string()))
    }

    /// Compiles this C file and runs it: it must exit with 0. Anything else is a bug in nub.
    pub fn check(&self, text: &str) -> Result<(), Failure> {
        let file = self.write("tests.c", text.as_bytes())?;
        let program = file.with_extension("run");
        self.compile(&file, &program)?;
        let outcome = self.run(program.into_os_string(), Vec::new(), ChildInput::Null)?;
        if outcome.end == ProcessEnd::Exit(0) {
            return Ok(());
        }
        if outcome.end == ProcessEnd::WallLimit {
            return Err(Failure::new(FailureKind::Environment, "running the tests took too long"));
        }
        let said = String::from_utf8_lossy(&outcome.stdout.bytes).into_owned()
            + &String::from_utf8_lossy(&outcome.stderr.bytes);
        let message = format!("the compiled program disagrees with the tests\n{}", said.trim_end());
        Err(Failure::new(FailureKind::Internal, message))
    }

    fn compile(&self, file: &Path, program: &Path) -> Result<(), Failure> {
        let mut words: Vec<OsString> = SANITIZED.map(OsString::from).into();
        words.extend(self.options.language_words());
        words.extend(self.options.compiler_words());
        words.extend(["-o".into(), program.as_os_str().to_owned(), file.as_os_str().to_owned()]);
        // For functions of `math.h`; last, because linkers resolve missing symbols in later libraries.
        words.push("-lm".into());
        let outcome = self.run(self.options.compiler(), words, ChildInput::Null)?;
        if outcome.end == ProcessEnd::Exit(0) {
            return Ok(());
        }
        if outcome.end == ProcessEnd::WallLimit {
            return Err(Failure::new(FailureKind::Environment, "compiling the tests took too long"));
        }
        let said = String::from_utf8_lossy(&outcome.stderr.bytes).trim_end().to_owned();
        Err(Failure::new(FailureKind::Environment, format!("the tests could not be compiled\n{said}")))
    }
}

impl Drop for Native {
    fn drop(&mut self) {
        // Whoever stops the job also takes this lock.
        drop(self.room.lock().take());
    }
}

impl Room {
    fn lock(&self) -> MutexGuard<'_, Option<Files>> {
        // A panic elsewhere leaves the folder usable.
        self.files.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn stopped() -> Failure {
    Failure::new(FailureKind::Environment, "stopped")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(said: &str) -> String {
        let message = format!("the tests could not be compiled\n{said}");
        in_one_line(&Failure::new(FailureKind::Environment, message))
    }

    #[test]
    fn the_line_that_says_what_is_wrong_is_kept() {
        let linker = "/usr/bin/ld: /tmp/cc1.o: in function `f':\n\
            f.c:3: undefined reference to `g'\ncollect2: error: ld returned 1 exit status";
        assert_eq!(line(linker), "the tests could not be compiled: f.c:3: undefined reference to `g'");
        let compiler = "In file included from tests.c:2:\nf.c: In function 'f':\n\
            f.c:3:5: error: 'x' undeclared\n    3 |     x = 1;";
        assert_eq!(line(compiler), "the tests could not be compiled: f.c:3:5: error: 'x' undeclared");
        let library = "/usr/bin/ld: cannot find -lq: No such file\nclang: error: linker command failed";
        assert!(line(library).ends_with("cannot find -lq: No such file"), "{}", line(library));
        assert!(line("clang: error: no such file").ends_with("clang: error: no such file"));
        assert_eq!(in_one_line(&Failure::new(FailureKind::Environment, "stopped")), "stopped");
    }
}
