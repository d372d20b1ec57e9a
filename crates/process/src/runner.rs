//! Starting, watching and ending a run.

use std::ffi::OsString;
use std::io;
use std::os::unix::process::ExitStatusExt;
use std::process::Child;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process_group};

use crate::cancel::Cancel;
use crate::command::Command;
use crate::family::Family;
use crate::limits::ProcessLimits;
use crate::outcome::{CapturedOutput, ProcessEnd, ProcessOutcome, Usage};
use crate::procfs;
use crate::sample::Sampler;
use crate::spawn;
use crate::sys::{self, Reaped};
use crate::watch::{Watch, WatchRules};

/// For shorter runs it is not worth reading how long they waited for a processor.
const SHORT: Duration = Duration::from_millis(20);

/// A program that could not be run at all. What a program does once it runs is a [`ProcessOutcome`].
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// There is no such program.
    #[error(
        "cannot run {}: there is no such program (a name without a slash is looked up on PATH; \
         for a file in this folder write ./{})",
        program.display(), program.display()
    )]
    NotFound {
        /// The program as given.
        program: OsString,
    },
    /// The file exists but is not executable.
    #[error(
        "cannot run {}: the file is not executable (try chmod +x; a script must begin with a line \
         such as #!/bin/sh)",
        program.display()
    )]
    NotExecutable {
        /// The program as given.
        program: OsString,
    },
    /// Any other error of the system.
    #[error("cannot run {}: {source}", program.display())]
    Other {
        /// The program as given.
        program: OsString,
        /// What the system said.
        source: io::Error,
    },
}

/// Runs commands, on this machine or elsewhere. Callers do not know where or how a command runs; a [`Runner`] runs it on this machine.
pub trait CommandRunner: Send + Sync {
    /// Runs a command to its end, or until a limit or `cancel` stops it. On return nothing that it started is alive.
    ///
    /// # Errors
    /// If the program could not be started.
    fn run(
        &self,
        command: &Command,
        limits: &ProcessLimits,
        cancel: &Cancel,
    ) -> Result<ProcessOutcome, RunError>;
}

impl CommandRunner for Runner {
    fn run(
        &self,
        command: &Command,
        limits: &ProcessLimits,
        cancel: &Cancel,
    ) -> Result<ProcessOutcome, RunError> {
        Runner::run(self, command, limits, cancel)
    }
}

/// Runs programs on this machine. Threads may share one, and several runners in one process cooperate.
///
/// The process that holds a runner must leave SIGPIPE ignored, as Rust does: a child may
/// close its input while we write to it.
pub struct Runner {
    family: &'static Family,
}

impl Runner {
    /// Makes this process the one that inherits orphaned descendants.
    ///
    /// # Errors
    /// If the system has no `/proc` or no child-subreaper.
    pub fn new() -> io::Result<Runner> {
        Family::get().map(|family| Runner { family })
    }

    /// Runs a command to its end, or until a limit or `cancel` stops it.
    ///
    /// On return all its processes are dead and reaped, daemons included. The exception is a process that
    /// cannot be killed (another user's, or stuck in the kernel): it is abandoned after a few seconds.
    ///
    /// # Errors
    /// If the program could not be started.
    pub fn run(
        &self,
        command: &Command,
        limits: &ProcessLimits,
        cancel: &Cancel,
    ) -> Result<ProcessOutcome, RunError> {
        let start = Instant::now();
        if cancel.is_cancelled() {
            return Ok(never_started());
        }
        let membership = self.family.enter();
        let mut child = match spawn::spawn(command, limits, &membership) {
            Ok(child) => child,
            Err(error) => {
                // Runs that ended meanwhile may have left unmarked orphans to this run, the last one.
                membership.sweep();
                return Err(error);
            }
        };
        let pid = Pid::from_child(&child);
        let watched =
            watch(&mut child, command, start, WatchRules { limits, cancel, membership: &membership });
        // Before the child is reaped, as long as the number of its group cannot be reused.
        let _ = kill_process_group(pid, Signal::KILL);
        let delay = if start.elapsed() >= SHORT { procfs::delay(pid) } else { Duration::ZERO };
        let reaped = membership.reap(pid);
        let strays = membership.sweep();
        let (end, stdout, stderr, sampler) =
            watched.map_err(|source| RunError::Other { program: command.program.clone(), source })?;
        let usage = Usage { delay, ..usage(start, reaped.as_ref(), &sampler, strays) };
        Ok(ProcessOutcome {
            end: end.unwrap_or_else(|| own_end(reaped.as_ref(), limits)),
            stdout,
            stderr,
            usage,
        })
    }
}

type Watched = (Option<ProcessEnd>, CapturedOutput, CapturedOutput, Sampler);

/// Watches the child to its end. After an error the child may be alive.
fn watch(child: &mut Child, command: &Command, start: Instant, rules: WatchRules<'_>) -> io::Result<Watched> {
    let mut watch = Watch::new(child, &command.input, start, rules)?;
    let end = watch.until_end()?;
    Ok((end, watch.stdout.into_output(), watch.stderr.into_output(), watch.sampler))
}

/// The end of a child that we did not stop.
fn own_end(reaped: Option<&Reaped>, limits: &ProcessLimits) -> ProcessEnd {
    // A child that was not reaped was killed and abandoned, so there was a reason to kill it.
    let Some(reaped) = reaped else { return ProcessEnd::Signal(Signal::KILL.as_raw()) };
    if let Some(code) = reaped.status.code() {
        return ProcessEnd::Exit(code);
    }
    let signal = reaped.status.signal().unwrap_or(0);
    // The kernel's own limit, our backup, sends SIGXCPU and a second later SIGKILL.
    let is_cpu_signal = signal == Signal::XCPU.as_raw() || signal == Signal::KILL.as_raw();
    if is_cpu_signal && limits.cpu.is_some_and(|limit| reaped.cpu > limit) {
        return ProcessEnd::CpuLimit;
    }
    ProcessEnd::Signal(signal)
}

fn usage(start: Instant, reaped: Option<&Reaped>, sampler: &Sampler, strays: u32) -> Usage {
    let max_resident = reaped.map_or(0, |reaped| reaped.max_resident);
    // Until its `exec` the child shares our memory, and the kernel counts it. If ours was larger than the
    // child's own peak, the kernel's figure is ours, and a sample is better.
    let is_ours = max_resident <= sys::own_max_resident() && sampler.peak_memory > 0;
    Usage {
        wall: start.elapsed(),
        cpu: reaped.map_or(Duration::ZERO, |reaped| reaped.cpu).max(sampler.cpu),
        peak_memory: if is_ours { sampler.peak_memory } else { max_resident.max(sampler.peak_memory) },
        strays,
        ..Usage::default()
    }
}

fn never_started() -> ProcessOutcome {
    ProcessOutcome {
        end: ProcessEnd::Cancelled,
        stdout: CapturedOutput::default(),
        stderr: CapturedOutput::default(),
        usage: Usage::default(),
    }
}
