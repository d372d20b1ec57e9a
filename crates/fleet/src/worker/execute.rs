//! One item: reconstructs and checks the file, runs the program on it, and encodes the result.

use super::desk::Desk;
use super::registry::Entry;
use crate::link::Unsent;
use crate::objects::{Objects, hash};
use crate::protocol::{Carried, Done, InputRoute, ItemWork, RunBounds, RunPlace};
use crate::splices::{Splice, apply};
use nub_oracle::FileFeed;
use nub_process::{Cancel, ChildInput, ProcessEnd, ProcessLimits, ProcessOutcome, Runner};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// A stream of up to this many bytes is sent in the report itself.
const MAX_INLINE: usize = 1 << 15;
/// A stream of up to this many bytes can be sent there. A report has at least two streams, and NATS limits messages
/// to a megabyte.
const MAX_DIRECT: usize = 1 << 18;

/// What a run for another machine may use on this one. `None` is whatever was requested.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct MachineLimits {
    /// Time from start to end.
    pub wall: Option<Duration>,
    /// Resident bytes.
    pub memory: Option<u64>,
}

/// Why the file of an item cannot be reconstructed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ContentError {
    #[error("it is not a run")]
    NotARun,
    #[error("the splices do not fit the base")]
    Splices,
    #[error("the file has a different hash")]
    WrongHash,
}

/// A run of a program on a file, ready to go.
pub(crate) struct Prepared {
    pub entry: Entry,
    pub file_name: String,
    pub feed: InputRoute,
    pub place: RunPlace,
    pub bounds: RunBounds,
    pub content: Vec<u8>,
}

/// The content of an item's file: the base with its splices, if its hash is right.
pub(crate) fn content(work: &ItemWork, base: &[u8], texts: Vec<Vec<u8>>) -> Result<Vec<u8>, ContentError> {
    let ItemWork::Run { content, splices, .. } = work else { return Err(ContentError::NotARun) };
    let splice = |(&(start, end), text): (&(u64, u64), Vec<u8>)| {
        Some(Splice { start: usize::try_from(start).ok()?, end: usize::try_from(end).ok()?, text })
    };
    let splices: Option<Vec<Splice>> = splices.iter().zip(texts).map(splice).collect();
    let bytes = splices.and_then(|splices| apply(base, &splices)).ok_or(ContentError::Splices)?;
    if hash(&bytes) != *content {
        return Err(ContentError::WrongHash);
    }
    Ok(bytes)
}

impl Prepared {
    /// Runs the program. Blocks until it is done.
    pub(crate) fn run(&self, desk: &mut Desk, runner: &Runner, own: MachineLimits, cancel: &Cancel) -> Ran {
        let asked = ProcessLimits::from(self.bounds);
        let limits = ProcessLimits {
            wall: least(asked.wall, own.wall),
            memory: least(asked.memory, own.memory),
            ..asked
        };
        let feed = if self.feed == InputRoute::Stdin { FileFeed::Stdin } else { FileFeed::Path };
        let input = match self.feed {
            InputRoute::Stdin => ChildInput::Bytes(Arc::from(self.content.as_slice())),
            InputRoute::Path => ChildInput::Null,
        };
        let entry = &self.entry;
        let start = |file: &Path, folder: &Path, temp: &Path| {
            let command = nub_process::Command {
                program: entry.command.program().into(),
                args: entry.args(file, feed),
                folder: Some(folder.to_owned()),
                env: vec![("TMPDIR".into(), temp.into())],
                input: input.clone(),
            };
            (runner.run(&command, &limits, cancel), file.to_string_lossy().into_owned())
        };
        let (outcome, file) = match desk.with_file(self.place, &self.file_name, &self.content, start) {
            Ok((Ok(outcome), file)) => (outcome, file),
            Ok((Err(error), _)) => return Ran::Failed(error.to_string()),
            Err(error) => return Ran::Failed(error.to_string()),
        };
        // If our own limit, lower than the requested one, stopped the run, that says nothing about the
        // program.
        let cut = match outcome.end {
            ProcessEnd::WallLimit if limits.wall != asked.wall => Some("time limit"),
            ProcessEnd::MemoryLimit if limits.memory != asked.memory => Some("memory limit"),
            _ => None,
        };
        match cut {
            Some(what) => Ran::Declined(format!("the run was stopped by this machine's own {what}")),
            None => Ran::Done(Box::new(outcome), file),
        }
    }
}

/// The result of a run.
pub(crate) enum Ran {
    Done(Box<ProcessOutcome>, String),
    Failed(String),
    Declined(String),
}

fn least<T: Ord + Copy>(asked: Option<T>, own: Option<T>) -> Option<T> {
    match (asked, own) {
        (Some(asked), Some(own)) => Some(asked.min(own)),
        (asked, own) => asked.or(own),
    }
}

/// An outcome as part of a report, and its blobs.
pub(crate) async fn pack(entry: &Entry, ran: Ran, objects: &Objects) -> (Done, Vec<Vec<u8>>) {
    let (outcome, file) = match ran {
        Ran::Done(outcome, file) => (*outcome, file),
        Ran::Failed(why) => return (Done::Failed(why), Vec::new()),
        Ran::Declined(why) => return (Done::Declined(why), Vec::new()),
    };
    let totals = (outcome.stdout.total, outcome.stderr.total);
    let out = carry(outcome.stdout.bytes, objects).await;
    let err = carry(outcome.stderr.bytes, objects).await;
    let ((out, out_blob), (err, err_blob)) = match (out, err) {
        (Ok(out), Ok(err)) => (out, err),
        (Err(unsent), _) | (_, Err(unsent)) => return (uncarried(unsent), Vec::new()),
    };
    let usage = outcome.usage;
    let done = Done::Ran {
        build: entry.build.id.clone(),
        end: outcome.end,
        wall: usage.wall,
        cpu: usage.cpu,
        delay: usage.delay,
        peak_memory: usage.peak_memory,
        strays: usage.strays,
        totals,
        file,
        streams: [out, err],
    };
    (done, vec![out_blob, err_blob])
}

/// Long data is sent as an object or, if the server's disk is full and the data is short enough, in the
/// report.
pub(crate) async fn carry(bytes: Vec<u8>, objects: &Objects) -> Result<(Carried, Vec<u8>), Unsent> {
    if bytes.len() <= MAX_INLINE {
        return Ok((Carried::Inline, bytes));
    }
    if bytes.len() <= MAX_DIRECT
        && let Err(Unsent::Refused(_)) = objects.put(&bytes).await
    {
        return Ok((Carried::Inline, bytes));
    }
    Ok((Carried::Object(objects.put_patiently(&bytes).await?), Vec::new()))
}

/// What to report about a result that cannot be sent.
pub(crate) fn uncarried(unsent: Unsent) -> Done {
    match unsent {
        Unsent::Refused(why) => Done::Refused(why),
        Unsent::Unheard(why) => Done::Declined(why),
    }
}
