//! Starting the child.

use std::fs::File;
use std::io;
use std::os::unix::process::CommandExt;
use std::process::{Child, Stdio};
use std::time::Duration;

use rustix::io::Errno;
use rustix::process::{Pid, Resource, Rlimit, prlimit};

use crate::command::{ChildInput, Command};
use crate::family::Membership;
use crate::limits::ProcessLimits;
use crate::runner::RunError;

/// Starts the child in its own process group, with pipes, its mark and its limits.
pub(crate) fn spawn(
    command: &Command,
    limits: &ProcessLimits,
    membership: &Membership,
) -> Result<Child, RunError> {
    let spawned = start(command, membership);
    let pid = spawned.as_ref().ok().map(Pid::from_child);
    membership.spawned(pid);
    if let (Some(pid), Some(cpu)) = (pid, limits.cpu) {
        limit_cpu(pid, cpu);
    }
    spawned.map_err(|error| explain(command, error))
}

fn start(command: &Command, membership: &Membership) -> io::Result<Child> {
    let mut child = std::process::Command::new(&command.program);
    child.args(&command.args).process_group(0).stdout(Stdio::piped()).stderr(Stdio::piped());
    child.envs(command.env.iter().map(|(name, value)| (name, value)));
    let (mark, run) = membership.mark();
    child.env(mark, run);
    if let Some(folder) = &command.folder {
        child.current_dir(folder);
    }
    child.stdin(match &command.input {
        ChildInput::Null => Stdio::null(),
        ChildInput::Bytes(_) => Stdio::piped(),
        ChildInput::File(path) => File::open(path)
            .map_err(|error| {
                io::Error::new(io::ErrorKind::InvalidInput, format!("its input {}: {error}", path.display()))
            })?
            .into(),
    });
    child.spawn()
}

/// Sets the limit that the kernel enforces, a backup for the samples. It applies to each process separately,
/// so it is a little higher. The child has run for some microseconds by then, which is harmless.
fn limit_cpu(pid: Pid, cpu: Duration) {
    let seconds = cpu.as_secs().saturating_add(2);
    let backup = Rlimit { current: Some(seconds), maximum: Some(seconds.saturating_add(1)) };
    // Fails if the child ended already, or has a lower limit from our parent.
    let _ = prlimit(Some(pid), Resource::Cpu, backup);
}

/// Finds the cause of a spawn error: the kernel returns the same number for different causes.
fn explain(command: &Command, source: io::Error) -> RunError {
    let program = command.program.clone();
    let other = |text: String| RunError::Other { program: program.clone(), source: io::Error::other(text) };
    if let Some(folder) = command.folder.as_ref().filter(|folder| !folder.is_dir()) {
        return other(format!("its working folder {} is not a folder", folder.display()));
    }
    let path = command.folder.as_deref().unwrap_or(".".as_ref()).join(&program);
    let is_path = program.as_encoded_bytes().contains(&b'/');
    match source.raw_os_error().map(Errno::from_raw_os_error) {
        Some(Errno::NOENT) if is_path && path.exists() => other(
            "the file exists, but the interpreter or loader it names does not; check its first line"
                .to_owned(),
        ),
        Some(Errno::NOENT | Errno::NOTDIR) => RunError::NotFound { program },
        Some(Errno::ACCESS | Errno::NOEXEC | Errno::ISDIR) => RunError::NotExecutable { program },
        _ => RunError::Other { program, source },
    }
}
