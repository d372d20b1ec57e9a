//! Where asks run: threads of this process, or whatever else can run an oracle on bytes.

use nub_oracle::{Doubt, Oracle, OracleAnswer, Verdict};
use nub_process::Cancel;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread::Scope;
use std::time::{Duration, Instant};

/// How often a wait looks whether the whole reduction is to stop.
const LOOK_UP: Duration = Duration::from_millis(50);

/// Names an ask under way.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct AskId(pub u64);

/// An answered ask.
pub struct Answered {
    /// Which.
    pub id: AskId,
    /// What the oracle said; `Unsure(Cancelled)` if it was stopped.
    pub answer: OracleAnswer,
}

/// Whether to wait for an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WaitPolicy {
    /// Only what has arrived already.
    Now,
    /// Until one arrives.
    Wait,
}

/// Slots in which asks run at the same time. Every ask that was started is answered once, stopped ones included.
pub trait Workers {
    /// Asks at once.
    fn n_slots(&self) -> usize;

    /// Starts an ask. Called only while fewer than [`Workers::n_slots`] are unanswered.
    fn start(&mut self, id: AskId, candidate: &Arc<Vec<u8>>);

    /// Stops an ask that nobody needs any more.
    fn stop(&mut self, id: AskId);

    /// The next answer, or `None` if none is there or none is under way.
    fn next(&mut self, patience: WaitPolicy) -> Option<Answered>;

    /// Whether runs on the same bytes have disagreed: then answers given before may be wrong.
    fn has_disagreed(&self) -> bool {
        false
    }

    /// The time, from any beginning. It decides how far ahead asks are made, never what a search finds.
    fn now(&self) -> Duration;
}

struct Job {
    id: AskId,
    candidate: Arc<Vec<u8>>,
    cancel: Cancel,
}

/// What the threads share; must outlive the scope they run in.
pub(crate) struct Shared {
    jobs: Mutex<Receiver<Job>>,
}

/// The ends of the channels that [`Threads::start`] takes.
pub(crate) struct Ends {
    jobs: Sender<Job>,
    done_end: Sender<Answered>,
    done: Receiver<Answered>,
}

/// The channels of some threads: `Shared` for them, the rest for [`Threads::start`].
pub(crate) fn channels() -> (Shared, Ends) {
    let (jobs, job_end) = channel();
    let (done_end, done) = channel();
    (Shared { jobs: Mutex::new(job_end) }, Ends { jobs, done_end, done })
}

/// Threads that ask an oracle.
pub(crate) struct Threads<'e> {
    oracle: &'e dyn Oracle,
    /// Ends the whole reduction.
    cancel: &'e Cancel,
    n_slots: usize,
    jobs: Sender<Job>,
    done: Receiver<Answered>,
    under_way: BTreeMap<AskId, Cancel>,
    began: Instant,
}

impl<'e> Threads<'e> {
    /// Starts `n_slots` threads, which live as long as this does.
    pub(crate) fn start<'s>(
        scope: &'s Scope<'s, 'e>,
        shared: &'e Shared,
        ends: Ends,
        n_slots: usize,
        oracle: &'e dyn Oracle,
        cancel: &'e Cancel,
    ) -> Threads<'e> {
        let Ends { jobs, done_end, done } = ends;
        for _ in 0..n_slots {
            let done = done_end.clone();
            scope.spawn(move || work(shared, &done, oracle));
        }
        Threads { oracle, cancel, n_slots, jobs, done, under_way: BTreeMap::new(), began: Instant::now() }
    }

    fn wait(&self) -> Option<Answered> {
        loop {
            match self.done.recv_timeout(LOOK_UP) {
                Ok(answered) => return Some(answered),
                // The threads hold their ends as long as our own lives, so this is a time-out.
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {
                    if self.cancel.is_cancelled_now() {
                        self.under_way.values().for_each(Cancel::cancel_now);
                    } else if self.cancel.is_cancelled() {
                        self.under_way.values().for_each(Cancel::cancel);
                    }
                }
            }
        }
    }
}

impl Workers for Threads<'_> {
    fn n_slots(&self) -> usize {
        self.n_slots
    }

    fn start(&mut self, id: AskId, candidate: &Arc<Vec<u8>>) {
        let cancel = Cancel::new();
        self.under_way.insert(id, cancel.clone());
        // A closed channel would mean that all threads died, and they survive panics of the oracle.
        let _ = self.jobs.send(Job { id, candidate: candidate.clone(), cancel });
    }

    fn stop(&mut self, id: AskId) {
        if let Some(cancel) = self.under_way.get(&id) {
            cancel.cancel_now();
        }
    }

    fn next(&mut self, patience: WaitPolicy) -> Option<Answered> {
        if self.under_way.is_empty() {
            return None;
        }
        let answered = match patience {
            WaitPolicy::Now => self.done.try_recv().ok(),
            WaitPolicy::Wait => self.wait(),
        }?;
        self.under_way.remove(&answered.id);
        Some(answered)
    }

    fn has_disagreed(&self) -> bool {
        self.oracle.has_disagreed()
    }

    fn now(&self) -> Duration {
        self.began.elapsed()
    }
}

impl Drop for Threads<'_> {
    fn drop(&mut self) {
        self.under_way.values().for_each(Cancel::cancel_now);
    }
}

/// Asks an oracle whose panic costs that ask and no more.
pub(crate) fn ask(oracle: &dyn Oracle, candidate: &[u8], cancel: &Cancel) -> OracleAnswer {
    catch_unwind(AssertUnwindSafe(|| oracle.ask(candidate, cancel))).unwrap_or_else(|_| {
        OracleAnswer::free(Verdict::Unsure(Doubt::Environment(
            "the oracle panicked: a bug in nub".to_owned(),
        )))
    })
}

fn work(shared: &Shared, done: &Sender<Answered>, oracle: &dyn Oracle) {
    loop {
        let job = match shared.jobs.lock() {
            Ok(jobs) => jobs.recv(),
            Err(_) => return,
        };
        let Ok(Job { id, candidate, cancel }) = job else { return };
        let answer = match cancel.is_cancelled() {
            true => OracleAnswer::free(Verdict::Unsure(Doubt::Cancelled)),
            false => ask(oracle, &candidate, &cancel),
        };
        if done.send(Answered { id, answer }).is_err() {
            return;
        }
    }
}
