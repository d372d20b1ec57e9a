//! Asks under way: N workers, or the caller itself when there is one.

use nub_oracle::{Answer, Doubt, Oracle, Verdict};
use nub_process::Cancel;
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::Scope;

/// Names an ask.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Ticket(pub(crate) u64);

/// An answered ask.
pub(crate) struct Done {
    pub(crate) ticket: Ticket,
    pub(crate) bytes: Vec<u8>,
    pub(crate) answer: Answer,
}

struct Job {
    ticket: Ticket,
    bytes: Vec<u8>,
}

/// What the workers share; must outlive the scope they run in.
pub(crate) struct Shared {
    jobs: Mutex<Receiver<Job>>,
}

/// The asking end.
pub(crate) struct Pool<'e> {
    oracle: &'e dyn Oracle,
    cancel: &'e Cancel,
    n_workers: usize,
    jobs: Option<Sender<Job>>,
    done: Receiver<Done>,
    /// Answers of the caller's own asks, when there are no workers.
    own: VecDeque<Done>,
    n_open: usize,
    n_asked: u64,
}

/// The channels of a pool: `Shared` for the workers, the rest for [`Pool::start`].
pub(crate) fn channels() -> (Shared, Ends) {
    let (jobs, job_end) = channel();
    let (done_end, done) = channel();
    (Shared { jobs: Mutex::new(job_end) }, Ends { jobs, done_end, done })
}

/// See [`channels`].
pub(crate) struct Ends {
    jobs: Sender<Job>,
    done_end: Sender<Done>,
    done: Receiver<Done>,
}

impl<'e> Pool<'e> {
    /// Starts the workers; with one worker none is started and asks are answered by the caller, in order.
    pub(crate) fn start<'s>(
        scope: &'s Scope<'s, 'e>,
        shared: &'e Shared,
        ends: Ends,
        n_workers: usize,
        oracle: &'e dyn Oracle,
        cancel: &'e Cancel,
    ) -> Pool<'e> {
        let Ends { jobs, done_end, done } = ends;
        if n_workers > 1 {
            for _ in 0..n_workers {
                let done = done_end.clone();
                scope.spawn(move || work(shared, &done, oracle, cancel));
            }
        }
        let jobs = (n_workers > 1).then_some(jobs);
        Pool { oracle, cancel, n_workers, jobs, done, own: VecDeque::new(), n_open: 0, n_asked: 0 }
    }

    /// Starts an ask.
    pub(crate) fn submit(&mut self, bytes: Vec<u8>) -> Ticket {
        let ticket = Ticket(self.n_asked);
        self.n_asked += 1;
        self.n_open += 1;
        match &self.jobs {
            // A closed channel means all workers died of a panic; `take` will report it.
            Some(jobs) => drop(jobs.send(Job { ticket, bytes })),
            None => {
                let answer = ask(self.oracle, &bytes, self.cancel);
                self.own.push_back(Done { ticket, bytes, answer });
            }
        }
        ticket
    }

    /// Waits for the next answer, or `None` if no ask is under way.
    pub(crate) fn take(&mut self) -> Option<Done> {
        if self.n_open == 0 {
            return None;
        }
        self.n_open -= 1;
        match self.own.pop_front() {
            Some(done) => Some(done),
            None => {
                Some(self.done.recv().expect("workers live as long as the pool: it holds their job channel"))
            }
        }
    }

    /// True if another ask would find a free worker.
    pub(crate) fn has_room(&self) -> bool {
        self.n_open < self.n_workers
    }

    /// Whether the oracle has contradicted itself.
    pub(crate) fn has_disagreed(&self) -> bool {
        self.oracle.has_disagreed()
    }

    /// An ask answered at once, by the caller.
    pub(crate) fn ask_now(&self, bytes: &[u8]) -> Answer {
        ask(self.oracle, bytes, self.cancel)
    }
}

/// A panic in the oracle costs that ask, not the worker.
fn ask(oracle: &dyn Oracle, bytes: &[u8], cancel: &Cancel) -> Answer {
    catch_unwind(AssertUnwindSafe(|| oracle.ask(bytes, cancel))).unwrap_or_else(|_| {
        Answer::free(Verdict::Unsure(Doubt::Environment("the oracle panicked: a bug in nub".to_owned())))
    })
}

fn work(shared: &Shared, done: &Sender<Done>, oracle: &dyn Oracle, cancel: &Cancel) {
    loop {
        let job = match shared.jobs.lock() {
            Ok(jobs) => jobs.recv(),
            Err(_) => return,
        };
        let Ok(Job { ticket, bytes }) = job else { return };
        let answer = ask(oracle, &bytes, cancel);
        if done.send(Done { ticket, bytes, answer }).is_err() {
            return;
        }
    }
}
