//! The worker: takes leases of runs whose programs it has, and reports the results.

mod desk;
mod execute;
mod lease;
mod listen;
mod registry;

pub use execute::MachineLimits;
pub use registry::FleetProgram;

use crate::address::Address;
use crate::error::{FleetError, TaskError};
use crate::link::{Epoch, Link, or_lost};
use crate::objects::Objects;
use crate::protocol::{BuildId, Hello, ItemNumber, Notice, PROTOCOL, RunName, WorkerName};
use async_nats::jetstream::consumer::PullConsumer;
use desk::Desks;
use futures_util::StreamExt;
use nub_process::{Cancel, Runner};
use registry::{Entry, Site};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::Notify;
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};

/// How long one request for a lease is valid, with one run and with several.
const PULL: [Duration; 2] = [Duration::from_secs(2), Duration::from_millis(200)];
/// A run that was not announced for this long is over.
const FORGET: Duration = Duration::from_secs(20);
/// How often a worker checks for cancellation, and its runs.
const LOOK_UP: Duration = Duration::from_millis(50);
/// Pause before a failed request is repeated.
const RETRY: Duration = Duration::from_millis(200);

/// Work other than runs of programs, which the crate that starts a worker knows about.
pub trait TaskHandler: Send + Sync {
    /// The kinds of tasks that it understands.
    fn kinds(&self) -> Vec<String>;

    /// Does a task; `file` is empty if it has none.
    ///
    /// # Errors
    /// Why it cannot be done, here or anywhere.
    fn run(&self, kind: &str, body: &[u8], file: &[u8], cancel: &Cancel) -> Result<Vec<u8>, TaskError>;
}

/// The settings of a worker.
pub struct WorkerOptions {
    /// Where the server is.
    pub address: Address,
    /// How many runs it does in parallel.
    pub slots: usize,
    /// Programs that others may run.
    pub programs: Vec<FleetProgram>,
    /// The folder that programs run in and that relative paths start at.
    pub folder: PathBuf,
    /// Where programs are looked for, as in `PATH`.
    pub search_path: OsString,
    /// A private folder for files.
    pub temp: PathBuf,
    /// What runs may use.
    pub limits: MachineLimits,
    /// Does tasks, which are not runs of programs.
    pub tasks: Arc<dyn TaskHandler>,
    /// Starts programs.
    pub runner: Arc<Runner>,
}

/// What a worker reports about itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum WorkerNews {
    /// It has joined with these programs.
    Joined(Hello),
    /// It works on a run whose coordinator is on this host.
    Helps(String),
    /// A run is over, or its coordinator is gone.
    Done(String),
    /// A run needs another build of a program.
    OtherBuild(String),
    /// A run does not trust this worker.
    Quarantined(String),
    /// The connection to the server was lost and is restored.
    Back,
}

/// Why a worker cannot run a program for others.
#[derive(Debug, thiserror::Error)]
enum EntryError {
    #[error("`{0}` is not registered here")]
    Unregistered(String),
    #[error("`{0}` is a different build here")]
    OtherBuild(String),
    #[error(transparent)]
    Registration(#[from] FleetError),
}

/// A run that was announced.
struct KnownRun {
    notice: Notice,
    heard: Instant,
    can: Ability,
    /// Its queue, and the connection on which it was found: a server that was unreachable may have lost it.
    consumer: Option<(Epoch, PullConsumer)>,
}

/// Whether this worker can work on a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Ability {
    Able,
    Unable,
}

/// What the tasks of a worker share.
pub(crate) struct Shop {
    link: Link,
    objects: Objects,
    options: WorkerOptions,
    desks: Desks,
    name: WorkerName,
    host: String,
    entries: Mutex<BTreeMap<String, Entry>>,
    runs: Mutex<BTreeMap<RunName, KnownRun>>,
    under_way: Mutex<BTreeMap<(RunName, ItemNumber), Cancel>>,
    n_reports: AtomicU64,
    news: UnboundedSender<WorkerNews>,
    /// A run was announced, or is over.
    changed: Notify,
    stop: Cancel,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // The content is consistent whenever the lock is released.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Works until `stop` is raised. Leases in progress then go to other workers immediately.
///
/// # Errors
/// If there is no server, it rejects our login, or a program cannot be registered.
pub fn work(
    options: WorkerOptions,
    stop: &Cancel,
    tell: &mut dyn FnMut(WorkerNews),
) -> Result<(), FleetError> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| FleetError::Here(error.to_string()))?;
    runtime.block_on(async {
        let (news_end, mut news) = unbounded_channel();
        let shop = Arc::new(Shop::open(options, stop.clone(), news_end).await?);
        let hello = shop.hello();
        tell(WorkerNews::Joined(hello));
        let listener = tokio::spawn(listen::listen(shop.clone()));
        let slots: Vec<_> =
            (0..shop.options.slots.max(1)).map(|_| tokio::spawn(serve(shop.clone()))).collect();
        while !stop.is_cancelled() {
            if let Some(error) = shop.link.rejection() {
                lock(&shop.under_way).values().for_each(Cancel::cancel_now);
                return Err(error);
            }
            if let Ok(Some(news)) = tokio::time::timeout(LOOK_UP, news.recv()).await {
                tell(news);
            }
            shop.forget_old_runs();
        }
        lock(&shop.under_way).values().for_each(Cancel::cancel_now);
        shop.changed.notify_waiters();
        // Slots give back their leases. If the server is unreachable, they would try for minutes.
        let handed_back = async {
            for slot in slots {
                let _ = slot.await;
            }
        };
        shop.link.part(handed_back).await;
        listener.abort();
        Ok(())
    })
}

impl Shop {
    async fn open(
        options: WorkerOptions,
        stop: Cancel,
        news: UnboundedSender<WorkerNews>,
    ) -> Result<Shop, FleetError> {
        let mut entries = BTreeMap::new();
        let site =
            Site { folder: &options.folder, search_path: &options.search_path, runner: &options.runner };
        for program in &options.programs {
            entries.insert(program.name.clone(), Entry::find(program, &site)?);
        }
        let link = Link::open(&options.address).await?;
        let inbox = link.client.new_inbox();
        Ok(Shop {
            objects: Objects::new(link.clone()),
            desks: Desks::new(options.temp.clone(), options.folder.clone()),
            name: WorkerName(inbox.rsplit('.').next().unwrap_or(&inbox).to_owned()),
            host: crate::host_name(),
            entries: Mutex::new(entries),
            runs: Mutex::default(),
            under_way: Mutex::default(),
            n_reports: AtomicU64::new(0),
            changed: Notify::new(),
            link,
            options,
            news,
            stop,
        })
    }

    fn hello(&self) -> Hello {
        Hello {
            protocol: PROTOCOL,
            worker: self.name.clone(),
            host: self.host.clone(),
            nub: env!("CARGO_PKG_VERSION").to_owned(),
            slots: self.options.slots.max(1),
            programs: lock(&self.entries).values().map(|entry| entry.build.clone()).collect(),
            tasks: self.options.tasks.kinds(),
        }
    }

    /// The program, if it is exactly this build. If its file was replaced on disk, it is hashed again.
    fn entry(&self, program: &str, build: &BuildId) -> Result<Entry, EntryError> {
        let unregistered = || EntryError::Unregistered(program.to_owned());
        let mut entries = lock(&self.entries);
        let entry = entries.get_mut(program).ok_or_else(unregistered)?;
        if !entry.is_current() {
            let registered = self.options.programs.iter().find(|it| it.name == program);
            let registered = registered.ok_or_else(unregistered)?;
            let (folder, search_path) = (&self.options.folder, &self.options.search_path);
            let site = Site { folder, search_path, runner: &self.options.runner };
            *entry = Entry::find(registered, &site)?;
        }
        if entry.build.id != *build {
            return Err(EntryError::OtherBuild(program.to_owned()));
        }
        Ok(entry.clone())
    }

    /// Handles a notice.
    fn learn(&self, notice: Notice) {
        let is_known = lock(&self.runs).contains_key(&notice.run);
        if notice.is_over || notice.protocol != PROTOCOL {
            if lock(&self.runs).remove(&notice.run).is_some_and(|run| run.can == Ability::Able) {
                self.tell(WorkerNews::Done(notice.host));
            }
            return;
        }
        let is_quarantined = notice.quarantined.contains(&self.name);
        let misses = self.misses(&notice);
        let can = if is_quarantined || misses.is_some() { Ability::Unable } else { Ability::Able };
        let was_able = lock(&self.runs).get(&notice.run).is_some_and(|run| run.can == Ability::Able);
        if is_quarantined && was_able {
            self.tell(WorkerNews::Quarantined(notice.host.clone()));
        } else if !is_known {
            self.tell(match misses {
                None => WorkerNews::Helps(notice.host.clone()),
                Some(program) => WorkerNews::OtherBuild(program),
            });
        }
        let mut runs = lock(&self.runs);
        let consumer = runs.remove(&notice.run).and_then(|run| run.consumer);
        runs.insert(notice.run.clone(), KnownRun { notice, heard: Instant::now(), can, consumer });
        drop(runs);
        self.changed.notify_waiters();
    }

    /// A program that a run needs and this worker does not have.
    fn misses(&self, notice: &Notice) -> Option<String> {
        let kinds = self.options.tasks.kinds();
        let lacks = |name: &&String| notice.needs.get(*name).is_some_and(|id| self.entry(name, id).is_err());
        notice.needs.keys().find(lacks).or(notice.tasks.iter().find(|kind| !kinds.contains(kind))).cloned()
    }

    fn tell(&self, news: WorkerNews) {
        let _ = self.news.send(news);
    }

    fn forget(&self, run: &RunName) {
        if let Some(known) = lock(&self.runs).remove(run) {
            self.tell(WorkerNews::Done(known.notice.host));
        }
    }

    /// Takes no more leases of a run until the next notice of it that this worker qualifies for.
    fn leave(&self, run: &RunName) {
        if let Some(known) = lock(&self.runs).get_mut(run) {
            known.can = Ability::Unable;
        }
    }

    fn forget_old_runs(&self) {
        let old = |run: &KnownRun| run.heard.elapsed() > FORGET;
        let names: Vec<RunName> =
            lock(&self.runs).iter().filter(|(_, run)| old(run)).map(|(name, _)| name.clone()).collect();
        names.iter().for_each(|name| self.forget(name));
    }

    /// Runs that this worker can work on.
    fn able_runs(&self) -> Vec<RunName> {
        let runs = lock(&self.runs);
        runs.iter().filter(|(_, run)| run.can == Ability::Able).map(|(name, _)| name.clone()).collect()
    }

    /// The queue of a run.
    async fn consumer(&self, run: &RunName) -> Option<PullConsumer> {
        let epoch = self.link.epoch_now();
        if let Some((found, consumer)) = lock(&self.runs).get(run)?.consumer.clone()
            && found == epoch
        {
            return Some(consumer);
        }
        let consumer = self.link.lease_consumer(&run.0).await?;
        if let Some(known) = lock(&self.runs).get_mut(run) {
            known.consumer = Some((epoch, consumer.clone()));
        }
        Some(consumer)
    }

    fn drop_consumer(&self, run: &RunName) {
        if let Some(known) = lock(&self.runs).get_mut(run) {
            known.consumer = None;
        }
    }
}

/// One slot: takes one lease after another, from all runs in turn.
async fn serve(shop: Arc<Shop>) {
    let mut turn = 0;
    while !shop.stop.is_cancelled() {
        let runs = shop.able_runs();
        let Some(run) = runs.get(turn % runs.len().max(1)).cloned() else {
            let _ = tokio::time::timeout(RETRY, shop.changed.notified()).await;
            continue;
        };
        turn += 1;
        let mut epoch = shop.link.epoch.clone();
        epoch.mark_unchanged();
        let Some(consumer) = shop.consumer(&run).await else {
            tokio::time::sleep(RETRY).await;
            continue;
        };
        let expires = PULL[usize::from(runs.len() > 1)];
        match consumer.batch().max_messages(1).expires(expires).messages().await {
            Ok(mut batch) => {
                while let Some(message) = or_lost(&mut epoch, batch.next()).await {
                    match message {
                        Ok(message) => lease::work_off(&shop, message).await,
                        Err(_) => shop.drop_consumer(&run),
                    }
                }
            }
            Err(_) => {
                shop.drop_consumer(&run);
                tokio::time::sleep(RETRY).await;
            }
        }
    }
}
