//! The coordinator: a run whose items are done by the workers that have joined.

mod answers;
mod command_runner;
mod dispatch;
mod incoming;
mod ledger;
pub(crate) mod muster;
mod outgoing;
mod packing;
mod spot_check;
mod trust;
mod unpack;

pub use muster::RunNeeds;

use crate::address::Address;
use crate::error::FleetError;
use crate::protocol::{Build, ItemNumber, RunStatus};
use answers::AnswerBook;
pub use answers::Distrust;
pub use command_runner::REGISTERED;
use dispatch::{Asked, Order, Plan, Reply};
use nub_process::Cancel;
pub use packing::TaskFile;
use packing::Wanted;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;
use tokio::sync::mpsc::UnboundedSender;

/// How often a thread that waits for an answer checks for cancellation.
const LOOK_UP: Duration = Duration::from_millis(10);

/// A run on other machines. Threads may share it; every method that asks blocks until it has the answer.
///
/// It is a [`nub_process::CommandRunner`], so an oracle need not know where its commands run. The program of a command is
/// its registered name on the workers, and its only argument is the file.
pub struct RemoteRun {
    orders: UnboundedSender<Order>,
    thread: Option<JoinHandle<()>>,
    started: Started,
    n_items: AtomicU64,
    answers: Arc<Mutex<AnswerBook>>,
}

/// What is known once a run has begun.
#[derive(Clone, Debug)]
pub(crate) struct Started {
    pub builds: BTreeMap<String, Build>,
    pub n_slots: usize,
    pub n_workers: usize,
    pub round_trip: Duration,
}

impl RemoteRun {
    /// Connects, finds the workers that can do the run, and starts it. `about` is shown to observers.
    ///
    /// # Errors
    /// If there is no server, no suitable worker, or the workers have different builds.
    pub fn open(address: &Address, needs: &RunNeeds, about: &str) -> Result<RemoteRun, FleetError> {
        let (orders, orders_end) = tokio::sync::mpsc::unbounded_channel();
        let (tell, told) = channel();
        let answers = Arc::<Mutex<AnswerBook>>::default();
        let plan = Plan {
            address: address.clone(),
            needs: needs.clone(),
            about: about.to_owned(),
            book: answers.clone(),
        };
        let thread = std::thread::Builder::new()
            .name("fleet".to_owned())
            .spawn(move || dispatch::run(plan, orders_end, &tell))
            .map_err(|error| FleetError::Here(format!("cannot start a thread: {error}")))?;
        let started =
            told.recv().map_err(|_| FleetError::Here("the connection ended at once".to_owned()))??;
        Ok(RemoteRun { orders, thread: Some(thread), started, n_items: AtomicU64::new(0), answers })
    }

    /// Number of slots of all workers when this run started.
    #[must_use]
    pub fn n_slots(&self) -> usize {
        self.started.n_slots
    }

    /// Number of workers that could do this run when it started.
    #[must_use]
    pub fn n_workers(&self) -> usize {
        self.started.n_workers
    }

    /// The programs of the run, each with the one build that all its workers have.
    #[must_use]
    pub fn builds(&self) -> &BTreeMap<String, Build> {
        &self.started.builds
    }

    /// How many asks should be in progress if one takes `run`: enough that no slot waits for the network, and no more than the
    /// server can handle.
    #[must_use]
    pub fn n_under_way(&self, run: Duration) -> usize {
        // A lease takes four trips over the network: the lease, the question which items are needed, its
        // answer, and the report.
        let trips = self.started.round_trip.as_secs_f64() * 4.0;
        let run = run.as_secs_f64().max(1e-4);
        let useful = self.started.n_slots as f64 * (1.0 + (trips / run).min(MAX_AHEAD));
        let carried = (LEASES_PER_SECOND * run).max(ALWAYS_CARRIED);
        useful.min(carried).round() as usize
    }

    /// Has a task done by some worker.
    ///
    /// # Errors
    /// The worker's message; `None` if it was cancelled.
    pub fn task(&self, kind: &str, body: Vec<u8>, cancel: &Cancel) -> Result<Vec<u8>, Option<String>> {
        self.do_task(Wanted::Task { kind: kind.to_owned(), body: Arc::new(body), file: None }, cancel)
    }

    /// Has a task done that needs a file.
    ///
    /// # Errors
    /// The worker's message; `None` if it was cancelled.
    pub fn task_with_file(
        &self,
        kind: &str,
        body: Vec<u8>,
        file: &TaskFile,
        cancel: &Cancel,
    ) -> Result<Vec<u8>, Option<String>> {
        let file = Some(file.clone());
        self.do_task(Wanted::Task { kind: kind.to_owned(), body: Arc::new(body), file }, cancel)
    }

    fn do_task(&self, wanted: Wanted, cancel: &Cancel) -> Result<Vec<u8>, Option<String>> {
        match self.ask(wanted, cancel) {
            Some(Reply::Task(bytes)) => Ok(bytes),
            Some(Reply::Failed(why)) => Err(Some(why)),
            Some(Reply::Ran(..)) => Err(Some("a worker answered a task as if it were a run".to_owned())),
            None => Err(None),
        }
    }

    /// The progress of the run.
    #[must_use]
    pub fn status(&self) -> RunStatus {
        let (tell, told) = channel();
        let _ = self.orders.send(Order::Status(tell));
        told.recv().unwrap_or_default()
    }

    /// Waits until all spot checks are done or `cancel` is raised. After that, no answer so far is known to be wrong.
    pub fn settle(&self, cancel: &Cancel) {
        let (tell, told) = channel();
        let _ = self.orders.send(Order::Settle(tell));
        while !cancel.is_cancelled() && told.recv_timeout(LOOK_UP) == Err(RecvTimeoutError::Timeout) {}
    }

    /// Publishes a line of JSON to observers.
    pub fn show(&self, line: String) {
        let _ = self.orders.send(Order::Show(line));
    }

    /// Why the answers so far cannot be trusted, if a worker with wrong answers was found. Until
    /// [`RemoteRun::start_over`] every further ask fails.
    #[must_use]
    pub fn distrust(&self) -> Option<Distrust> {
        self.book().distrust().cloned()
    }

    /// Allows asks again after a worker was quarantined. Earlier answers of the other workers are reused.
    pub fn start_over(&self) {
        self.book().start_over();
    }

    fn book(&self) -> std::sync::MutexGuard<'_, AnswerBook> {
        // The book is consistent after each of its methods.
        self.answers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Asks, and waits. `None` if it was cancelled.
    fn ask(&self, wanted: Wanted, cancel: &Cancel) -> Option<Reply> {
        if cancel.is_cancelled() {
            return None;
        }
        let number = ItemNumber(self.n_items.fetch_add(1, Ordering::Relaxed));
        let (reply, answer) = channel();
        let _ = self.orders.send(Order::Ask(number, Asked { wanted, reply }));
        let answer = wait(&answer, cancel);
        if answer.is_none() {
            let _ = self.orders.send(Order::Drop(number));
        }
        answer
    }
}

/// How many leases per second a server handles without queueing: half of the 1,200 that were measured end to end. With more asks in
/// progress, the one that the search needs waits behind speculative ones, and 1,000 slots are slower than 16 (`bench/scale.py --uncapped`).
const LEASES_PER_SECOND: f64 = 600.0;
/// This many asks may always be in progress.
const ALWAYS_CARRIED: f64 = 16.0;
/// Limit on asks in progress beyond one per slot, as a multiple of the slots.
const MAX_AHEAD: f64 = 3.0;

fn wait(answer: &Receiver<Reply>, cancel: &Cancel) -> Option<Reply> {
    loop {
        match answer.recv_timeout(LOOK_UP) {
            Ok(reply) => return Some(reply),
            Err(RecvTimeoutError::Timeout) if cancel.is_cancelled() => return None,
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => {
                return Some(Reply::Failed("the connection to the fleet has ended".to_owned()));
            }
        }
    }
}

impl Drop for RemoteRun {
    fn drop(&mut self) {
        let _ = self.orders.send(Order::Close);
        if let Some(thread) = self.thread.take() {
            // If that thread panicked, the callers have already received an error.
            let _ = thread.join();
        }
    }
}
