//! Implements `CommandRunner` for a run on other machines.

use super::RemoteRun;
use super::answers::RunKey;
use super::dispatch::Reply;
use super::packing::{Wanted, WantedRun};
use super::unpack::RemoteOutcome;
use crate::protocol::{InputRoute, RunPlace};
use nub_process::{
    Cancel, CapturedOutput, ChildInput, Command, CommandRunner, ProcessEnd, ProcessLimits, ProcessOutcome,
    RunError, Usage,
};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What the name of a registered program begins with in a command.
pub const REGISTERED: char = '@';
/// The name of a file that has none.
const NAMELESS: &str = "input";

/// Why a command cannot run on other machines.
#[derive(Debug, thiserror::Error)]
enum CommandError {
    #[error("`{0}` is not a program of this run")]
    Unregistered(String),
    #[error("a registered program gets a file and no other argument")]
    Arguments,
    #[error("{}: {source}", file.display())]
    File { file: PathBuf, source: io::Error },
}

impl CommandRunner for RemoteRun {
    fn run(
        &self,
        command: &Command,
        limits: &ProcessLimits,
        cancel: &Cancel,
    ) -> Result<ProcessOutcome, RunError> {
        let failed = |message: String| RunError::Other {
            program: command.program.clone(),
            source: io::Error::other(message),
        };
        if let Some(why) = self.distrust() {
            return Err(failed(why.to_string()));
        }
        let wanted = self.wanted(command, limits).map_err(|error| failed(error.to_string()))?;
        let key = key_of(&wanted);
        let replayed = self.book().replay(&key);
        let (worker, answer) = match replayed {
            Some(answer) => answer,
            None => match self.ask(Wanted::Run(Arc::new(wanted)), cancel) {
                None => return Ok(cancelled()),
                Some(Reply::Ran(worker, answer)) => (worker, *answer),
                Some(Reply::Failed(why)) => return Err(failed(why)),
                Some(Reply::Task(_)) => {
                    return Err(failed("a worker answered a run as if it were a task".to_owned()));
                }
            },
        };
        self.book().note(key, worker, answer.clone());
        Ok(as_if_here(answer, command.args.first().map(Path::new)))
    }
}

impl RemoteRun {
    /// The run that a command asks for.
    fn wanted(&self, command: &Command, limits: &ProcessLimits) -> Result<WantedRun, CommandError> {
        let name =
            command.program.to_str().and_then(|word| word.strip_prefix(REGISTERED)).unwrap_or_default();
        let build = self.builds().get(name).ok_or_else(|| CommandError::Unregistered(name.to_owned()))?;
        let (file, feed, content) = match (&command.input, command.args.as_slice()) {
            (ChildInput::Null, [file]) => {
                let file = Path::new(file);
                let unread = |source| CommandError::File { file: file.to_owned(), source };
                let content = std::fs::read(file).map_err(unread)?;
                (Some(file), InputRoute::Path, content)
            }
            (ChildInput::Bytes(bytes), []) => (None, InputRoute::Stdin, bytes.to_vec()),
            _ => return Err(CommandError::Arguments),
        };
        let is_fresh = file.is_some() && command.folder.as_deref() == file.and_then(Path::parent);
        let file_name = file.and_then(Path::file_name).map(|name| name.to_string_lossy().into_owned());
        Ok(WantedRun {
            program: name.to_owned(),
            build: build.id.clone(),
            file_name: file_name.unwrap_or_else(|| NAMELESS.to_owned()),
            feed,
            place: if is_fresh { RunPlace::Fresh } else { RunPlace::Registered },
            bounds: limits.into(),
            content: Arc::new(content),
        })
    }
}

/// What the answer depends on, without the limits: a search that starts over computes the same limits again.
fn key_of(wanted: &WantedRun) -> RunKey {
    let mut hasher = blake3::Hasher::new();
    let text = serde_json::to_vec(&(&wanted.program, &wanted.file_name, wanted.feed, wanted.place));
    hasher.update(&text.unwrap_or_default());
    hasher.update(&wanted.content);
    *hasher.finalize().as_bytes()
}

/// The outcome as it would have been on this machine: the remote path of the file is replaced by the local
/// one.
fn as_if_here(answer: RemoteOutcome, file: Option<&Path>) -> ProcessOutcome {
    let RemoteOutcome { mut outcome, file: remote, .. } = answer;
    if let Some(file) = file {
        for stream in [&mut outcome.stdout, &mut outcome.stderr] {
            rename(stream, Path::new(&remote), file);
        }
    }
    outcome
}

fn rename(stream: &mut CapturedOutput, remote: &Path, file: &Path) {
    let pairs = [Some((remote, file)), remote.parent().zip(file.parent())];
    for (from, to) in pairs.into_iter().flatten() {
        let (from, to) = (from.as_os_str().as_encoded_bytes(), to.as_os_str().as_encoded_bytes());
        let before = stream.bytes.len() as u64;
        stream.bytes = replace(&stream.bytes, from, to);
        stream.total = stream.total.saturating_sub(before) + stream.bytes.len() as u64;
    }
}

fn replace(text: &[u8], from: &[u8], to: &[u8]) -> Vec<u8> {
    let mut replaced = Vec::with_capacity(text.len());
    let mut at = 0;
    while at < text.len() {
        if !from.is_empty() && text[at..].starts_with(from) {
            replaced.extend_from_slice(to);
            at += from.len();
        } else {
            replaced.push(text[at]);
            at += 1;
        }
    }
    replaced
}

fn cancelled() -> ProcessOutcome {
    ProcessOutcome {
        end: ProcessEnd::Cancelled,
        stdout: CapturedOutput::default(),
        stderr: CapturedOutput::default(),
        usage: Usage::default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outputs_name_the_file_here() {
        let text = b"/w/3/a.smt2:1: bad; see /w/3/log".to_vec();
        let mut stream = CapturedOutput { total: text.len() as u64 + 5, bytes: text };
        rename(&mut stream, Path::new("/w/3/a.smt2"), Path::new("/here/tmp/a.smt2"));
        assert_eq!(stream.bytes, b"/here/tmp/a.smt2:1: bad; see /here/tmp/log");
        assert_eq!(stream.total, stream.bytes.len() as u64 + 5);
    }
}
