//! The thread of a run: it receives orders, sends leases, receives reports and sends answers.

use super::Started;
use super::answers::AnswerBook;
use super::incoming;
use super::ledger::{Decline, Ledger, Worth};
use super::muster::{Crew, RunNeeds, muster};
use super::packing::{Packer, Wanted};
use super::spot_check::{Finding, is_checked};
use super::unpack::{Heard, RemoteOutcome, Said};
use crate::address::Address;
use crate::error::FleetError;
use crate::link::{LEASES, Link, REPORTS};
use crate::objects::Objects;
use crate::protocol::{
    BuildId, Hello, ItemNumber, LeaseNumber, Notice, PROTOCOL, RunName, RunStatus, WorkerName,
};
use async_nats::Subscriber;
use futures_util::StreamExt;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

/// How often a run is announced.
const NOTICE: Duration = Duration::from_secs(2);
/// A lease is sent again if its worker is silent for this long. Workers report which leases they have every few
/// seconds.
const SILENCE: Duration = Duration::from_secs(60);

/// An item and the channel to whoever waits for its answer.
pub(crate) struct Asked {
    pub wanted: Wanted,
    pub reply: Sender<Reply>,
}

/// The answer that the waiting thread receives.
pub(crate) enum Reply {
    Ran(WorkerName, Box<RemoteOutcome>),
    Task(Vec<u8>),
    Failed(String),
}

/// What the thread is told.
pub(crate) enum Order {
    Ask(ItemNumber, Asked),
    Drop(ItemNumber),
    Status(Sender<RunStatus>),
    Show(String),
    /// Replies when no spot check is in progress.
    Settle(Sender<()>),
    Close,
}

/// Messages to the thread from its own asynchronous tasks.
pub(super) enum Note {
    /// The server accepts no more data.
    Refused(String),
    /// A base is in the store.
    Uploaded(String),
    Checked(Finding),
}

/// What a run is made of, before there is a connection.
pub(crate) struct Plan {
    pub address: Address,
    pub needs: RunNeeds,
    pub about: String,
    pub book: Arc<Mutex<AnswerBook>>,
}

/// Runs the thread until it is told to close.
pub(crate) fn run(plan: Plan, orders: UnboundedReceiver<Order>, tell: &Sender<Result<Started, FleetError>>) {
    let runtime = match tokio::runtime::Builder::new_current_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => return drop(tell.send(Err(FleetError::Here(error.to_string())))),
    };
    runtime.block_on(async move {
        match Dispatcher::start(plan).await {
            Err(error) => drop(tell.send(Err(error))),
            Ok((dispatcher, started, ears)) => {
                let _ = tell.send(Ok(started));
                dispatcher.work(orders, ears).await;
            }
        }
    });
}

pub(super) struct Dispatcher {
    pub(super) link: Link,
    pub(super) objects: Objects,
    pub(super) run: RunName,
    pub(super) notice: Notice,
    pub(super) ledger: Ledger<Asked>,
    pub(super) packer: Packer,
    pub(super) uploaded: BTreeSet<String>,
    /// The known workers that can do this run.
    pub(super) workers: BTreeMap<WorkerName, Hello>,
    pub(super) notes: UnboundedSender<Note>,
    pub(super) book: Arc<Mutex<AnswerBook>>,
    pub(super) began: Instant,
    pub(super) n_shown: u64,
    pub(super) n_checking: usize,
    /// Callers that wait until no spot check is in progress.
    pub(super) settling: Vec<Sender<()>>,
    /// Why asks are no longer answered.
    pub(super) is_over: Option<String>,
}

/// The subscriptions of the thread.
struct Ears {
    heard: UnboundedReceiver<Heard>,
    notes: UnboundedReceiver<Note>,
    wanted: Subscriber,
    hellos: Subscriber,
    questions: Subscriber,
}

impl Dispatcher {
    async fn start(plan: Plan) -> Result<(Dispatcher, Started, Ears), FleetError> {
        let link = Link::open(&plan.address).await?;
        let crew = muster(&link, &plan.needs).await?;
        let name = link.client.new_inbox();
        let run = RunName(name.rsplit('.').next().unwrap_or(&name).to_owned());
        let here = |error: &dyn std::fmt::Display| FleetError::Here(format!("cannot start the run: {error}"));
        let trip = Instant::now();
        link.lease_consumer(&run.0).await.ok_or_else(|| here(&"the server cannot create a consumer"))?;
        let round_trip = trip.elapsed();
        let subscribe =
            async |subject: String| link.client.subscribe(subject).await.map_err(|error| here(&error));
        let (heard_end, heard) = unbounded_channel();
        let (notes_end, notes) = unbounded_channel();
        let ears = Ears {
            heard,
            notes,
            wanted: subscribe(format!("nub.wanted.{}", run.0)).await?,
            hellos: subscribe("nub.hello".to_owned()).await?,
            questions: subscribe("nub.runs".to_owned()).await?,
        };
        let objects = Objects::of_run(link.clone());
        let news = incoming::News { heard: heard_end, notes: notes_end.clone() };
        tokio::spawn(incoming::follow(link.clone(), run.clone(), objects.clone(), news.clone()));
        let direct = subscribe(format!("nub.direct.{}", run.0)).await?;
        tokio::spawn(incoming::hear_directly(direct, link.clone(), objects.clone(), news));
        let started = started(&crew, round_trip);
        let dispatcher = Dispatcher {
            notice: Notice {
                protocol: PROTOCOL,
                run: run.clone(),
                host: crate::host_name(),
                needs: crew.needs(),
                tasks: plan.needs.tasks,
                quarantined: Vec::new(),
                is_over: false,
            },
            ledger: Ledger::new(&run, plan.about),
            packer: Packer::default(),
            uploaded: BTreeSet::new(),
            workers: crew.workers.into_iter().map(|hello| (hello.worker.clone(), hello)).collect(),
            notes: notes_end,
            book: plan.book,
            began: Instant::now(),
            n_shown: 0,
            n_checking: 0,
            settling: Vec::new(),
            is_over: None,
            link,
            objects,
            run,
        };
        dispatcher.announce().await;
        Ok((dispatcher, started, ears))
    }

    async fn work(mut self, mut orders: UnboundedReceiver<Order>, mut ears: Ears) {
        let mut tick = tokio::time::interval(NOTICE);
        let mut epoch = self.link.epoch.clone();
        epoch.mark_unchanged();
        loop {
            tokio::select! {
                order = orders.recv() => match order {
                    None | Some(Order::Close) => break,
                    Some(order) => self.take(order),
                },
                Some(heard) = ears.heard.recv() => self.hear(heard),
                Some(note) = ears.notes.recv() => self.note(note),
                Some(message) = ears.wanted.next() => self.tell_wanted(message),
                Some(message) = ears.hellos.next() => {
                    self.meet(&message.payload);
                    self.announce().await;
                }
                Some(message) = ears.questions.next() => self.tell_status(message),
                Ok(()) = epoch.changed() => self.come_back().await,
                _ = tick.tick() => {
                    if let Some(error) = self.link.rejection() {
                        self.give_up(error.to_string());
                    }
                    self.announce().await;
                    let since = self.now().saturating_sub(SILENCE);
                    if !since.is_zero() {
                        self.ledger.send_again(since);
                    }
                }
            }
            // Orders that arrived together are sent together.
            while let Ok(order) = orders.try_recv() {
                match order {
                    Order::Close => return self.close().await,
                    order => self.take(order),
                }
            }
            self.send_leases();
            if self.n_checking == 0 {
                for tell in self.settling.drain(..) {
                    let _ = tell.send(());
                }
            }
        }
        self.close().await;
    }

    pub(super) fn now(&self) -> Duration {
        self.began.elapsed()
    }

    fn take(&mut self, order: Order) {
        match order {
            Order::Ask(number, asked) => {
                self.ledger.ask(number, asked);
                if let Some(why) = &self.is_over {
                    self.fail(number, why.clone());
                }
            }
            Order::Drop(number) => {
                if self.ledger.drop_item(number) {
                    self.say(format!("nub.stop.{}", self.run.0), serde_json::to_vec(&[number]));
                }
            }
            Order::Status(tell) => drop(tell.send(self.ledger.status.clone())),
            Order::Show(line) => {
                self.n_shown += 1;
                let (link, id) = (self.link.clone(), format!("{}-event-{}", self.run.0, self.n_shown));
                let subject = format!("nub.event.{}", self.run.0);
                // Observers may miss a line; the run continues.
                tokio::spawn(async move { link.publish(&subject, &id, &line.into()).await });
            }
            Order::Settle(tell) => self.settling.push(tell),
            Order::Close => {}
        }
    }

    /// Sends a message that may be lost.
    pub(super) fn say(&self, subject: String, payload: serde_json::Result<Vec<u8>>) {
        let client = self.link.client.clone();
        if let Ok(payload) = payload {
            tokio::spawn(async move { client.publish(subject, payload.into()).await });
        }
    }

    async fn announce(&self) {
        if let Ok(payload) = serde_json::to_vec(&self.notice) {
            let _ = self.link.client.publish("nub.notice", payload.into()).await;
        }
    }

    fn meet(&mut self, payload: &[u8]) {
        let Ok(hello) = serde_json::from_slice::<Hello>(payload) else { return };
        let has = |(name, id): (&String, &BuildId)| {
            hello.programs.iter().any(|own| own.name == *name && own.id == *id)
        };
        let understands = |kind| hello.tasks.contains(kind);
        if hello.protocol == PROTOCOL
            && self.notice.needs.iter().all(has)
            && self.notice.tasks.iter().all(understands)
        {
            self.workers.insert(hello.worker.clone(), hello);
        }
    }

    fn tell_wanted(&mut self, message: async_nats::Message) {
        let Ok(lease) = serde_json::from_slice::<LeaseNumber>(&message.payload) else { return };
        let wanted = self.ledger.wanted(lease, self.now());
        if let Some(reply) = message.reply {
            self.say(reply.to_string(), serde_json::to_vec(&wanted));
        }
    }

    fn tell_status(&mut self, message: async_nats::Message) {
        if let Some(reply) = message.reply {
            self.say(reply.to_string(), serde_json::to_vec(&self.ledger.status));
        }
    }

    /// Recovers after the server was unreachable. It may have lost what was not on its disk, or its whole disk, and workers may have
    /// dropped items because nobody answered for them.
    async fn come_back(&mut self) {
        let _ = self.link.ensure_streams().await;
        let _ = self.link.lease_consumer(&self.run.0).await;
        self.uploaded.clear();
        self.ledger.send_again(Duration::MAX);
        self.announce().await;
    }

    fn note(&mut self, note: Note) {
        match note {
            Note::Uploaded(name) => drop(self.uploaded.insert(name)),
            Note::Refused(why) => {
                let address = self.link.address.shown();
                self.give_up(FleetError::Full { address, reason: why }.to_string());
            }
            Note::Checked(finding) => {
                self.n_checking -= 1;
                self.take_finding(finding);
            }
        }
    }

    pub(super) fn host_of(&self, worker: &WorkerName) -> String {
        self.workers.get(worker).map_or_else(|| worker.0.clone(), |hello| hello.host.clone())
    }

    pub(super) fn lock_book(&self) -> std::sync::MutexGuard<'_, AnswerBook> {
        self.book.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Fails all asks from now on. This is permanent: if asks were answered again after some have failed, the search would not find what it
    /// finds on one machine.
    fn give_up(&mut self, why: String) {
        let why = self.is_over.get_or_insert(why).clone();
        for number in self.ledger.open_items() {
            self.fail(number, why.clone());
        }
    }

    fn fail(&mut self, number: ItemNumber, why: String) {
        let nobody = WorkerName(String::new());
        if let Worth::First(asked) = self.ledger.done(number, &nobody, "", Duration::ZERO) {
            let _ = asked.reply.send(Reply::Failed(why));
        }
    }

    fn hear(&mut self, heard: Heard) {
        let Heard { worker, host, items } = heard;
        for (number, said) in items {
            match said {
                Said::Declined(why) => self.decline(number, format!("{host}: {why}")),
                Said::Refused(why) => self.note(Note::Refused(why)),
                Said::Missing(name) => {
                    self.uploaded.remove(&name);
                    self.decline(number, format!("{host}: the object {name} cannot be read"));
                }
                said => self.answer(number, said, &worker, &host),
            }
        }
    }

    fn decline(&mut self, number: ItemNumber, why: String) {
        if let Decline::GivenUp(asked) = self.ledger.declined(number) {
            let _ = asked.reply.send(Reply::Failed(why));
        }
    }

    fn answer(&mut self, number: ItemNumber, said: Said, worker: &WorkerName, host: &str) {
        // A verdict from another build does not count.
        if let (Said::Ran(ran), Some(Wanted::Run(run))) =
            (&said, self.ledger.work(number).map(|asked| &asked.wanted))
            && ran.build != run.build
        {
            return self.ledger.put_back(number);
        }
        let Worth::First(asked) = self.ledger.done(number, worker, host, said.took()) else { return };
        let reply = match (said, &asked.wanted) {
            (Said::Ran(ran), Wanted::Run(run)) => {
                if is_checked(self.ledger.n_answers_of(worker, host)) {
                    self.check(run.clone(), worker, &ran);
                }
                Reply::Ran(worker.clone(), ran)
            }
            (Said::Task(bytes), _) => Reply::Task(bytes),
            (Said::Failed(why), _) => Reply::Failed(format!("{host}: {why}")),
            _ => Reply::Failed(format!("{host}: the report is not about what was asked")),
        };
        let _ = asked.reply.send(reply);
    }

    async fn close(mut self) {
        self.notice.is_over = true;
        self.link.part(self.clear()).await;
    }

    /// Announces that the run is over, and removes its data from the server.
    async fn clear(&self) {
        self.announce().await;
        for (stream, kind, consumer) in [(LEASES, "lease", "run"), (REPORTS, "report", "reports")] {
            self.link.purge(stream, &format!("nub.{kind}.{}", self.run.0)).await;
            let consumer = format!("{consumer}-{}", self.run.0);
            let _ = self.link.context.delete_consumer_from_stream(consumer, stream).await;
        }
        self.objects.clear().await;
    }
}

fn started(crew: &Crew, round_trip: Duration) -> Started {
    Started {
        builds: crew.builds.clone(),
        n_slots: crew.workers.iter().map(|hello| hello.slots).sum(),
        n_workers: crew.workers.len(),
        round_trip,
    }
}
