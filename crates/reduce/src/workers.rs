//! Where asks run: threads of this process, or anything else that can run an oracle on bytes.

use nub_oracle::{Doubt, IdleTime, Oracle, OracleAnswer, Verdict};
use nub_process::Cancel;
use std::collections::{BTreeMap, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::Scope;
use std::time::{Duration, Instant};

/// How often a wait checks whether the whole reduction must stop.
const LOOK_UP: Duration = Duration::from_millis(50);

/// Identifies an ask in progress.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct AskId(pub u64);

/// An answered ask.
pub struct Answered {
    /// Which ask.
    pub id: AskId,
    /// What the oracle said; `Unsure(Cancelled)` if it was stopped.
    pub answer: OracleAnswer,
}

/// Whether to wait for an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WaitPolicy {
    /// Do not wait: only an answer that has already arrived.
    Now,
    /// Wait until one arrives.
    Wait,
    /// Wait until one arrives or until this time ([`Workers::now`]).
    Until(Duration),
}

/// Slots in which asks run in parallel. Every started ask is answered exactly once, including stopped ones.
pub trait Workers {
    /// Number of parallel asks.
    fn n_slots(&self) -> usize;

    /// Starts an ask. Called only while fewer than [`Workers::n_slots`] are unanswered.
    fn start(&mut self, id: AskId, candidate: &Arc<Vec<u8>>);

    /// Stops an ask that is no longer needed.
    fn stop(&mut self, id: AskId);

    /// The next answer, or `None` if none has arrived or no ask is in progress.
    fn next(&mut self, patience: WaitPolicy) -> Option<Answered>;

    /// Whether runs on the same bytes have disagreed: then answers given before may be wrong.
    fn has_disagreed(&self) -> bool {
        false
    }

    /// The time since an arbitrary start. It decides how far asks are speculative, never what a search finds.
    fn now(&self) -> Duration;
}

struct Job {
    id: AskId,
    candidate: Arc<Vec<u8>>,
    cancel: Cancel,
}

/// What the threads share; must outlive the scope they run in.
#[derive(Default)]
pub(crate) struct Shared {
    board: Mutex<Board>,
    news: Condvar,
}

#[derive(Default)]
struct Board {
    jobs: VecDeque<Job>,
    /// Stops the run that an idle thread is making ([`Oracle::use_idle_time`]); one at a time.
    idle_run: Option<Cancel>,
    /// There may be work for an idle thread: an ask has been answered since one found nothing to do.
    may_be_due: bool,
    is_closed: bool,
}

/// What a thread does next.
enum Duty {
    Ask(Job),
    UseIdleTime(Cancel),
    Leave,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Board> {
        // Every change is complete when the lock is released, even by a panic.
        self.board.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Hands an ask over. If `is_last_slot`, no thread may be idle any more.
    fn add(&self, job: Job, is_last_slot: bool) {
        let mut board = self.lock();
        board.jobs.push_back(job);
        if is_last_slot {
            board.stop_idle_run();
        }
        self.news.notify_one();
    }

    /// Waits for something to do.
    fn next_duty(&self) -> Duty {
        let mut board = self.lock();
        loop {
            if board.is_closed {
                return Duty::Leave;
            }
            if let Some(job) = board.jobs.pop_front() {
                return Duty::Ask(job);
            }
            if board.idle_run.is_none() && std::mem::take(&mut board.may_be_due) {
                let cancel = Cancel::new();
                board.idle_run = Some(cancel.clone());
                return Duty::UseIdleTime(cancel);
            }
            board = self.news.wait(board).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn has_answered(&self) {
        self.lock().may_be_due = true;
    }

    fn has_used_idle_time(&self, used: IdleTime) {
        let mut board = self.lock();
        board.idle_run = None;
        board.may_be_due |= used == IdleTime::Used;
    }

    fn stop_idle_run(&self) {
        self.lock().stop_idle_run();
    }

    fn close(&self) {
        let mut board = self.lock();
        board.stop_idle_run();
        board.is_closed = true;
        self.news.notify_all();
    }
}

impl Board {
    fn stop_idle_run(&self) {
        if let Some(cancel) = &self.idle_run {
            cancel.cancel_now();
        }
    }
}

/// Threads that ask an oracle.
pub(crate) struct Threads<'e> {
    oracle: &'e dyn Oracle,
    /// Ends the whole reduction.
    cancel: &'e Cancel,
    n_slots: usize,
    shared: &'e Shared,
    done: Receiver<Answered>,
    under_way: BTreeMap<AskId, Cancel>,
    began: Instant,
}

impl<'e> Threads<'e> {
    /// Starts `n_slots` threads, which live as long as this does.
    pub(crate) fn start<'s>(
        scope: &'s Scope<'s, 'e>,
        shared: &'e Shared,
        n_slots: usize,
        oracle: &'e dyn Oracle,
        cancel: &'e Cancel,
    ) -> Threads<'e> {
        let (done_end, done) = channel();
        for _ in 0..n_slots {
            let done = done_end.clone();
            scope.spawn(move || work(shared, &done, oracle));
        }
        Threads { oracle, cancel, n_slots, shared, done, under_way: BTreeMap::new(), began: Instant::now() }
    }

    fn wait(&self, until: Duration) -> Option<Answered> {
        loop {
            let left = until.saturating_sub(self.now());
            match self.done.recv_timeout(LOOK_UP.min(left)) {
                Ok(answered) => return Some(answered),
                Err(_) if left.is_zero() => return None,
                // The threads keep their ends of the channel until they are told to exit, so this is a
                // time-out.
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {
                    if self.cancel.is_cancelled() {
                        self.shared.stop_idle_run();
                    }
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
        let is_last_slot = self.under_way.len() >= self.n_slots;
        self.shared.add(Job { id, candidate: candidate.clone(), cancel }, is_last_slot);
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
            WaitPolicy::Wait => self.wait(Duration::MAX),
            WaitPolicy::Until(time) => self.wait(time),
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
        self.shared.close();
    }
}

/// Asks an oracle; a panic loses only this ask.
pub(crate) fn ask(oracle: &dyn Oracle, candidate: &[u8], cancel: &Cancel) -> OracleAnswer {
    catch_unwind(AssertUnwindSafe(|| oracle.ask(candidate, cancel))).unwrap_or_else(|_| {
        OracleAnswer::free(Verdict::Unsure(Doubt::Environment(
            "the oracle panicked: a bug in nub".to_owned(),
        )))
    })
}

fn work(shared: &Shared, done: &Sender<Answered>, oracle: &dyn Oracle) {
    loop {
        match shared.next_duty() {
            Duty::Ask(Job { id, candidate, cancel }) => {
                let answer = if cancel.is_cancelled() {
                    OracleAnswer::free(Verdict::Unsure(Doubt::Cancelled))
                } else {
                    ask(oracle, &candidate, &cancel)
                };
                shared.has_answered();
                if done.send(Answered { id, answer }).is_err() {
                    return;
                }
            }
            Duty::UseIdleTime(cancel) => {
                let used = catch_unwind(AssertUnwindSafe(|| oracle.use_idle_time(&cancel)));
                shared.has_used_idle_time(used.unwrap_or(IdleTime::NothingDue));
            }
            Duty::Leave => return,
        }
    }
}
