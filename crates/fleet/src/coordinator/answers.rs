//! Answers by worker, so that those of a worker that was found to be wrong can be withdrawn.
//!
//! A search is a function of the answers. When a worker is quarantined, the search starts over. The answers of the other workers
//! are replayed to it in their order, and only what the wrong worker answered is asked again.

use super::unpack::RemoteOutcome;
use crate::protocol::WorkerName;
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// How many bytes of answers are kept; later ones are asked again if necessary.
const MAX_BYTES: usize = 64 << 20;
/// What an answer takes in addition to its streams.
const OVERHEAD: usize = 256;

/// What identifies a run of a program on a file.
pub(crate) type RunKey = [u8; 32];

/// Why answers are not to be trusted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Distrust {
    /// A worker's answers are wrong, and are not used any more. Start over without them.
    Quarantined(String),
    /// Two workers contradict each other, and it cannot be decided which one is wrong.
    Undecided(String),
}

impl std::fmt::Display for Distrust {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (Distrust::Quarantined(why) | Distrust::Undecided(why)) = self;
        f.write_str(why)
    }
}

type Answers = FxHashMap<RunKey, VecDeque<(WorkerName, RemoteOutcome)>>;

/// The answers so far.
#[derive(Default)]
pub(crate) struct AnswerBook {
    given: Answers,
    /// Answers from before the search started over, each for one ask.
    replay: Answers,
    n_bytes: usize,
    distrust: Option<(WorkerName, Distrust)>,
}

impl AnswerBook {
    /// Records an answer.
    pub(crate) fn note(&mut self, key: RunKey, worker: WorkerName, answer: RemoteOutcome) {
        let n_bytes = answer.outcome.stdout.bytes.len() + answer.outcome.stderr.bytes.len() + OVERHEAD;
        if self.n_bytes + n_bytes <= MAX_BYTES {
            self.n_bytes += n_bytes;
            self.given.entry(key).or_default().push_back((worker, answer));
        }
    }

    /// An answer from before the search started over.
    pub(crate) fn replay(&mut self, key: &RunKey) -> Option<(WorkerName, RemoteOutcome)> {
        let answers = self.replay.get_mut(key)?;
        let answer = answers.pop_front();
        if answers.is_empty() {
            self.replay.remove(key);
        }
        answer
    }

    /// Removes the answers of a worker that is no longer trusted.
    pub(crate) fn distrusts(&mut self, worker: WorkerName, why: Distrust) {
        self.distrust.get_or_insert((worker, why));
    }

    pub(crate) fn distrust(&self) -> Option<&Distrust> {
        self.distrust.as_ref().map(|(_, why)| why)
    }

    pub(crate) fn start_over(&mut self) {
        let Some((wrong, _)) = self.distrust.take() else { return };
        self.replay = std::mem::take(&mut self.given);
        self.n_bytes = 0;
        for answers in self.replay.values_mut() {
            answers.retain(|(worker, _)| *worker != wrong);
        }
        self.replay.retain(|_, answers| !answers.is_empty());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::BuildId;
    use nub_process::{CapturedOutput, ProcessEnd, ProcessOutcome, Usage};

    fn answer(code: i32) -> RemoteOutcome {
        let outcome = ProcessOutcome {
            end: ProcessEnd::Exit(code),
            stdout: CapturedOutput::default(),
            stderr: CapturedOutput::default(),
            usage: Usage::default(),
        };
        RemoteOutcome { outcome, build: BuildId(String::new()), file: String::new() }
    }

    #[test]
    fn answers_of_others_come_again_in_order_and_once() {
        let [wrong, right] = ["wrong", "right"].map(|name| WorkerName(name.to_owned()));
        let mut book = AnswerBook::default();
        for (worker, code) in [(&wrong, 9), (&right, 1), (&right, 2)] {
            book.note([0; 32], worker.clone(), answer(code));
        }
        book.note([1; 32], wrong.clone(), answer(9));
        assert!(book.replay(&[0; 32]).is_none(), "nothing has happened");
        let why = Distrust::Quarantined("it lies".to_owned());
        book.distrusts(wrong, why.clone());
        assert_eq!(book.distrust(), Some(&why));
        book.start_over();
        assert_eq!(book.distrust(), None);
        let mut next = || book.replay(&[0; 32]).map(|(_, answer)| answer.outcome.end);
        assert_eq!([next(), next(), next()], [Some(ProcessEnd::Exit(1)), Some(ProcessEnd::Exit(2)), None]);
        assert!(book.replay(&[1; 32]).is_none());
    }
}
