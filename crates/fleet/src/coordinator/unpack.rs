//! Decodes reports: outcomes with their streams.

use crate::objects::{ObjectError, Objects};
use crate::protocol::{BuildId, Carried, Done, ItemNumber, LeaseReport, WorkerName};
use nub_process::{CapturedOutput, ProcessOutcome, Usage};
use std::time::Duration;

/// A run that a worker made.
#[derive(Clone, Debug)]
pub(crate) struct RemoteOutcome {
    pub outcome: ProcessOutcome,
    pub build: BuildId,
    /// The path of the file on the worker.
    pub file: String,
}

/// Why an output stream of a report cannot be read.
#[derive(Debug, thiserror::Error)]
enum StreamError {
    #[error("a report lacks a stream")]
    Missing,
    #[error(transparent)]
    Object(#[from] ObjectError),
}

/// What a worker says about an item.
pub(crate) enum Said {
    Ran(Box<RemoteOutcome>),
    Task(Vec<u8>),
    Failed(String),
    Declined(String),
    Missing(String),
    Refused(String),
}

/// What a worker says about some items.
pub(crate) struct Heard {
    pub worker: WorkerName,
    pub host: String,
    pub items: Vec<(ItemNumber, Said)>,
}

/// Reads a report. An item whose stream cannot be read must be asked again.
pub(crate) async fn unpack(report: LeaseReport, blobs: Vec<Vec<u8>>, objects: &Objects) -> Heard {
    let mut blobs = blobs.into_iter();
    let mut items = Vec::with_capacity(report.items.len());
    for (number, done) in report.items {
        let said = match done {
            Done::Failed(why) => Said::Failed(why),
            Done::Declined(why) => Said::Declined(why),
            Done::Missing(name) => Said::Missing(name),
            Done::Refused(why) => Said::Refused(why),
            Done::Task(carried) => match carry(carried, blobs.next(), objects).await {
                Ok(bytes) => Said::Task(bytes),
                Err(error) => Said::Declined(error.to_string()),
            },
            Done::Ran { build, end, wall, cpu, delay, peak_memory, strays, totals, file, streams } => {
                let [out, err] = streams;
                let out = carry(out, blobs.next(), objects).await;
                let err = carry(err, blobs.next(), objects).await;
                match (out, err) {
                    (Ok(out), Ok(err)) => {
                        let usage = Usage { wall, cpu, delay, peak_memory, strays };
                        let stdout = CapturedOutput { bytes: out, total: totals.0 };
                        let stderr = CapturedOutput { bytes: err, total: totals.1 };
                        let outcome = ProcessOutcome { end, stdout, stderr, usage };
                        Said::Ran(Box::new(RemoteOutcome { outcome, build, file }))
                    }
                    (Err(error), _) | (_, Err(error)) => Said::Declined(error.to_string()),
                }
            }
        };
        items.push((number, said));
    }
    Heard { worker: report.worker, host: report.host, items }
}

async fn carry(carried: Carried, blob: Option<Vec<u8>>, objects: &Objects) -> Result<Vec<u8>, StreamError> {
    match carried {
        Carried::Inline => blob.ok_or(StreamError::Missing),
        Carried::Object(name) => Ok(objects.get(&name).await?.to_vec()),
    }
}

impl Said {
    /// How long the item took.
    pub(crate) fn took(&self) -> Duration {
        match self {
            Said::Ran(ran) => ran.outcome.usage.wall,
            _ => Duration::ZERO,
        }
    }
}
