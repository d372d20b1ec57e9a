//! A connection to the server, with the streams that runs need.

use crate::address::Address;
use crate::error::FleetError;
use async_nats::connection::State;
use async_nats::jetstream::consumer::{AckPolicy, DeliverPolicy, PullConsumer, pull};
use async_nats::jetstream::context::{Context, PublishErrorKind};
use async_nats::jetstream::object_store::{self, ObjectStore};
use async_nats::jetstream::stream::{Config, DiscardPolicy, RetentionPolicy, StorageType};
use async_nats::{Client, ClientError, ConnectErrorKind, ConnectOptions, Event, HeaderMap};
use bytes::Bytes;
use std::error::Error;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};
use tokio::sync::watch;

pub(crate) const LEASES: &str = "NUB_LEASES";
pub(crate) const REPORTS: &str = "NUB_REPORTS";
pub(crate) const EVENTS: &str = "NUB_EVENTS";
pub(crate) const OBJECTS: &str = "nub-objects";

/// A lease whose worker shows no sign of life for this long is given to another one.
const ACK_WAIT: Duration = Duration::from_secs(5);
/// How often a worker reports that it is working on a lease.
pub(crate) const HEARTBEAT: Duration = Duration::from_secs(1);
/// Within this time the server drops duplicates of a message.
const DUPLICATE_WINDOW: Duration = Duration::from_secs(120);
/// Data of a dead run is dropped after this time.
const KEPT: Duration = Duration::from_secs(24 * 3600);
/// An unused consumer is dropped after this time.
const IDLE_CONSUMER: Duration = Duration::from_secs(3600);
/// How many events are kept for later observers.
const MAX_EVENTS: i64 = 100_000;
/// Pause between attempts to reach an unreachable server.
const RETRY: Duration = Duration::from_millis(200);
const CONNECT_LIMIT: Duration = Duration::from_secs(5);
/// How often the server is pinged. After three missing replies a stalled connection is closed and opened again.
const PING: Duration = Duration::from_secs(5);
/// Limit on unacknowledged leases.
const MAX_ACK_PENDING: i64 = 100_000;

/// Errors by which the server rejects a login.
const REJECTIONS: [ConnectErrorKind; 2] =
    [ConnectErrorKind::Authentication, ConnectErrorKind::AuthorizationViolation];
/// After this many rejections in a row we give up.
const MAX_REJECTED: u32 = 5;

/// How often a wait for the end of the connection checks.
const LOOK_UP: Duration = Duration::from_millis(50);
/// Time limit for the clean-up on the server at the end.
const FAREWELL: Duration = Duration::from_secs(10);

/// The number of a connection.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Epoch(u64);

/// Why something could not be stored on the server.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Unsent {
    /// The server refused, usually because its disk is full.
    Refused(String),
    /// There was no answer.
    Unheard(String),
}

impl std::fmt::Display for Unsent {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (Unsent::Refused(why) | Unsent::Unheard(why)) = self;
        f.write_str(why)
    }
}

/// How long an operation is retried: as long as the server is unreachable, and for a while if it refuses or does not answer. A server that
/// cannot write to its disk may not even refuse.
pub(crate) struct Patience {
    epoch: Epoch,
    /// Number of connections on which the operation failed. A server that is stuck accepts new connections but never
    /// answers on them.
    n_connections: usize,
    /// Since when the connection has been alive without success.
    since: Instant,
    n_failed: usize,
    n_attempts: usize,
}

impl Patience {
    pub(crate) fn new(link: &Link) -> Patience {
        let (epoch, since) = (link.epoch_now(), Instant::now());
        Patience { epoch, n_connections: 0, since, n_failed: 0, n_attempts: 0 }
    }

    /// Waits after a failed attempt; false if there should be no further one.
    pub(crate) async fn goes_on<T>(&mut self, link: &Link, result: &Result<T, Unsent>) -> bool {
        if result.is_ok() {
            return false;
        }
        let is_away = link.is_away();
        if self.epoch != link.epoch_now() || is_away {
            let (n_connections, n_attempts) = (self.n_connections, self.n_attempts);
            *self = Patience { n_connections, n_attempts, ..Patience::new(link) };
        }
        self.n_connections += usize::from(self.n_failed == 0 && !is_away);
        self.n_failed += usize::from(!is_away);
        self.n_attempts += 1;
        let is_refused = self.n_failed >= MIN_FAILED && self.since.elapsed() >= REFUSAL;
        let is_stuck = self.n_connections >= MAX_CONNECTIONS;
        if is_refused || is_stuck || self.n_attempts >= MAX_ATTEMPTS {
            return false;
        }
        tokio::time::sleep(RETRY).await;
        true
    }
}

/// A connection. Clones share it.
#[derive(Clone)]
pub(crate) struct Link {
    pub client: Client,
    pub context: Context,
    /// How often the connection was established; a change means that the server was unreachable.
    pub epoch: watch::Receiver<u64>,
    /// True once the server rejects our login.
    is_closed: watch::Receiver<bool>,
    pub address: Address,
}

impl Link {
    /// Connects and makes sure that the streams exist.
    pub(crate) async fn open(address: &Address) -> Result<Link, FleetError> {
        let (epoch_end, epoch) = watch::channel(0);
        let (closed_end, is_closed) = watch::channel(false);
        let n_rejected = AtomicU32::new(0);
        let rejections = REJECTIONS.map(|kind| kind.to_string());
        let options = options(address).await?.event_callback(move |event| {
            match event {
                Event::Connected => {
                    n_rejected.store(0, Ordering::Relaxed);
                    epoch_end.send_modify(|epoch| *epoch += 1);
                }
                // The library keeps retrying; only this text says why it fails.
                Event::ClientError(ClientError::Other(why)) if rejections.contains(&why) => {
                    let n_before = n_rejected.fetch_add(1, Ordering::Relaxed);
                    closed_end.send_replace(n_before + 1 >= MAX_REJECTED);
                }
                _ => {}
            }
            async {}
        });
        let client = options.connect(&address.url).await.map_err(|error| failure(address, &error))?;
        let link = Link {
            context: async_nats::jetstream::new(client.clone()),
            client,
            epoch,
            is_closed,
            address: address.clone(),
        };
        link.ensure_streams().await?;
        Ok(link)
    }

    /// Creates the streams unless they exist. A server that came back with an empty disk has none.
    pub(crate) async fn ensure_streams(&self) -> Result<(), FleetError> {
        let common = Config {
            storage: StorageType::File,
            duplicate_window: DUPLICATE_WINDOW,
            max_age: KEPT,
            ..Config::default()
        };
        let leases = Config {
            name: LEASES.to_owned(),
            subjects: vec!["nub.lease.*".to_owned()],
            retention: RetentionPolicy::WorkQueue,
            ..common.clone()
        };
        let reports =
            Config { name: REPORTS.to_owned(), subjects: vec!["nub.report.*".to_owned()], ..leases.clone() };
        let events = Config {
            name: EVENTS.to_owned(),
            subjects: vec!["nub.event.*".to_owned()],
            max_messages: MAX_EVENTS,
            discard: DiscardPolicy::Old,
            ..common
        };
        for config in [leases, reports, events] {
            self.ensure_stream(config).await?;
        }
        self.objects().await.map(drop)
    }

    /// Creates a stream unless it exists. Programs that open a new server at the same time all find it missing and all create it;
    /// the server may refuse every request but the first, some versions because "subjects overlap". So a refusal
    /// counts only if the stream is still missing after it.
    async fn ensure_stream(&self, config: Config) -> Result<(), FleetError> {
        let name = config.name.clone();
        let Err(refusal) = self.context.get_or_create_stream(config).await else { return Ok(()) };
        self.context.get_stream(name).await.map(drop).map_err(|_| self.no_streams(&refusal))
    }

    /// Where files are. Its stream is created like the others.
    pub(crate) async fn objects(&self) -> Result<ObjectStore, FleetError> {
        if let Ok(store) = self.context.get_object_store(OBJECTS).await {
            return Ok(store);
        }
        let config = object_store::Config {
            bucket: OBJECTS.to_owned(),
            max_age: KEPT,
            ..object_store::Config::default()
        };
        match self.context.create_object_store(config).await {
            Ok(store) => Ok(store),
            Err(refusal) => {
                self.context.get_object_store(OBJECTS).await.map_err(|_| self.no_streams(&refusal))
            }
        }
    }

    fn no_streams(&self, error: &dyn std::fmt::Display) -> FleetError {
        FleetError::NoJetStream { address: self.address.shown(), reason: error.to_string() }
    }

    /// The queue of a run, shared by its workers.
    pub(crate) async fn lease_consumer(&self, run: &str) -> Option<PullConsumer> {
        let config = pull::Config {
            durable_name: Some(format!("run-{run}")),
            filter_subject: format!("nub.lease.{run}"),
            ack_policy: AckPolicy::Explicit,
            ack_wait: ACK_WAIT,
            max_ack_pending: MAX_ACK_PENDING,
            inactive_threshold: IDLE_CONSUMER,
            ..pull::Config::default()
        };
        match self.context.create_consumer_on_stream(config, LEASES).await {
            Ok(consumer) => Some(consumer),
            Err(_) => self.missing().await,
        }
    }

    /// The reports on a run. Those that are acknowledged are removed.
    pub(crate) async fn report_consumer(&self, run: &str) -> Option<PullConsumer> {
        let config = pull::Config {
            durable_name: Some(format!("reports-{run}")),
            filter_subject: format!("nub.report.{run}"),
            ack_policy: AckPolicy::Explicit,
            max_ack_pending: MAX_ACK_PENDING,
            inactive_threshold: IDLE_CONSUMER,
            ..pull::Config::default()
        };
        match self.context.create_consumer_on_stream(config, REPORTS).await {
            Ok(consumer) => Some(consumer),
            Err(_) => self.missing().await,
        }
    }

    /// Messages of a stream, starting with the first one or only with new ones.
    pub(crate) async fn reader(
        &self,
        stream: &str,
        subject: &str,
        from: DeliverPolicy,
    ) -> Option<PullConsumer> {
        let config = pull::Config {
            filter_subject: subject.to_owned(),
            ack_policy: AckPolicy::None,
            deliver_policy: from,
            inactive_threshold: IDLE_CONSUMER,
            ..pull::Config::default()
        };
        match self.context.create_consumer_on_stream(config, stream).await {
            Ok(consumer) => Some(consumer),
            Err(_) => self.missing().await,
        }
    }

    /// Removes messages of a stream about one run.
    pub(crate) async fn purge(&self, stream: &str, subject: &str) {
        let Ok(stream) = self.context.get_stream(stream).await else { return };
        let _ = stream.purge().filter(subject).await;
    }

    /// Removes messages by their numbers. Some server versions keep counting messages that were purged by subject as used disk space.
    pub(crate) async fn delete(&self, stream: &str, messages: &[u64]) {
        let Ok(stream) = self.context.get_stream(stream).await else { return };
        for number in messages {
            let _ = stream.delete_message(*number).await;
        }
    }

    /// How often the connection was established. What was created on the server under another number may be
    /// gone.
    pub(crate) fn epoch_now(&self) -> Epoch {
        Epoch(*self.epoch.borrow())
    }

    /// Why there is no connection and no further attempt: the server was unreachable and now rejects our login.
    pub(crate) fn rejection(&self) -> Option<FleetError> {
        let rejected = || FleetError::Credentials { address: self.address.shown() };
        self.is_closed.borrow().then(rejected)
    }

    pub(crate) fn is_away(&self) -> bool {
        self.client.connection_state() != State::Connected
    }

    /// Returns when there is no connection.
    async fn away(&self) {
        while !self.is_away() {
            tokio::time::sleep(LOOK_UP).await;
        }
    }

    /// Does the final clean-up on the server, unless it is unreachable or takes too long: an exit must not wait for
    /// it.
    pub(crate) async fn part(&self, last_things: impl Future<Output = ()>) {
        let farewell = async {
            last_things.await;
            let _ = self.client.flush().await;
        };
        tokio::select! {
            () = farewell => {}
            () = self.away() => {}
            () = tokio::time::sleep(FAREWELL) => {}
        }
    }

    /// Called when something is missing on the server. If the server is reachable, it has lost its disk: creates the streams again for the
    /// next attempt.
    async fn missing<T>(&self) -> Option<T> {
        if !self.is_away() {
            let _ = self.ensure_streams().await;
        }
        None
    }

    /// Publishes to a stream. Messages with the same `id` are kept only once.
    pub(crate) async fn publish(&self, subject: &str, id: &str, payload: &Bytes) -> Result<(), Unsent> {
        let mut headers = HeaderMap::new();
        headers.insert("Nats-Msg-Id", id);
        self.store(subject, headers, payload).await.map(drop)
    }

    /// Puts a message into the stream that its subject belongs to, and returns its number there.
    pub(crate) async fn store(
        &self,
        subject: &str,
        headers: HeaderMap,
        payload: &Bytes,
    ) -> Result<u64, Unsent> {
        let sent = self.context.publish_with_headers(subject.to_owned(), headers, payload.clone()).await;
        let stored = match sent {
            Ok(ack) => ack.await,
            Err(error) => Err(error),
        };
        let error = match stored {
            Ok(ack) => return Ok(ack.sequence),
            Err(error) => error,
        };
        let why = error.to_string();
        match error.kind() {
            PublishErrorKind::TimedOut | PublishErrorKind::BrokenPipe | PublishErrorKind::MaxAckPending => {
                Err(Unsent::Unheard(why))
            }
            // The stream is missing: the server has lost its disk, or has disabled streams because the disk
            // is full.
            PublishErrorKind::StreamNotFound if !self.is_away() => match self.ensure_streams().await {
                Ok(()) => Err(Unsent::Unheard(why)),
                Err(_) if self.is_away() => Err(Unsent::Unheard(why)),
                Err(error) => Err(Unsent::Refused(error.to_string())),
            },
            _ if self.is_away() => Err(Unsent::Unheard(why)),
            _ => Err(Unsent::Refused(why)),
        }
    }
}

/// The result of a request to the server, unless the connection is re-established meanwhile: then no answer will come.
pub(crate) async fn or_lost<T>(
    epoch: &mut watch::Receiver<u64>,
    answer: impl Future<Output = Option<T>>,
) -> Option<T> {
    tokio::select! {
        answer = answer => answer,
        _ = epoch.changed() => {
            // The next check must see the change as well.
            epoch.mark_changed();
            None
        }
    }
}

/// How many attempts to store something, each waiting several seconds for the server, are made before an
/// error is returned.
const MAX_ATTEMPTS: usize = 300;
/// How long a reachable server may refuse data before we give up. What fills its disk may be a run that ends soon.
const REFUSAL: Duration = Duration::from_secs(20);
/// Minimum number of failed attempts before giving up: the machine may have been suspended.
const MIN_FAILED: usize = 5;
/// How many connections may fail; each is closed after 15 s.
const MAX_CONNECTIONS: usize = 3;

async fn options(address: &Address) -> Result<ConnectOptions, FleetError> {
    let options = ConnectOptions::new()
        .connection_timeout(CONNECT_LIMIT)
        .ping_interval(PING)
        .reconnect_delay_callback(|_| RETRY)
        .name("nub");
    address.identify(options).await
}

fn failure(address: &Address, error: &async_nats::ConnectError) -> FleetError {
    let (shown, reason) = (address.shown(), error.to_string());
    if is_handshake(error) {
        return FleetError::Tls { address: shown, reason };
    }
    match error.kind() {
        ConnectErrorKind::ServerParse => FleetError::Address { address: shown, reason },
        ConnectErrorKind::Authentication | ConnectErrorKind::AuthorizationViolation => {
            FleetError::Credentials { address: shown }
        }
        ConnectErrorKind::Tls => FleetError::Tls { address: shown, reason },
        ConnectErrorKind::Dns
        | ConnectErrorKind::TimedOut
        | ConnectErrorKind::Io
        | ConnectErrorKind::MaxReconnects => FleetError::NoServer { address: shown, reason },
    }
}

/// Whether the TLS handshake failed. The library reports that as an I/O error, the same as for a broken connection.
fn is_handshake(error: &async_nats::ConnectError) -> bool {
    let mut next = error.source();
    while let Some(cause) = next {
        let inner = cause.downcast_ref::<std::io::Error>().and_then(std::io::Error::get_ref);
        if cause.is::<async_nats::rustls::Error>()
            || inner.is_some_and(|inner| inner.is::<async_nats::rustls::Error>())
        {
            return true;
        }
        next = cause.source();
    }
    false
}
