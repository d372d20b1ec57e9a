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
use std::time::Duration;
use tokio::sync::watch;

pub(crate) const LEASES: &str = "NUB_LEASES";
pub(crate) const RESULTS: &str = "NUB_RESULTS";
pub(crate) const EVENTS: &str = "NUB_EVENTS";
const OBJECTS: &str = "nub-objects";

/// A lease whose worker shows no sign of life for this long is given to another one.
const ACK_WAIT: Duration = Duration::from_secs(5);
/// How often a worker says that it is at work.
pub(crate) const HEARTBEAT: Duration = Duration::from_secs(1);
/// Within this time the server drops a message that it has already.
const DUPLICATE_WINDOW: Duration = Duration::from_secs(120);
/// What a dead run leaves is dropped after this time.
const KEPT: Duration = Duration::from_secs(24 * 3600);
/// A consumer that nobody asks is dropped after this time.
const IDLE_CONSUMER: Duration = Duration::from_secs(3600);
/// Events that are kept for those who look later.
const MAX_EVENTS: i64 = 100_000;
/// Between attempts to reach a server that is away.
const RETRY: Duration = Duration::from_millis(200);
const CONNECT_LIMIT: Duration = Duration::from_secs(5);
/// How often the server is asked for a sign of life. A connection that stalls without an end is given up when three have not come, and made again.
const PING: Duration = Duration::from_secs(5);
/// Leases that are with workers at once.
const MAX_ACK_PENDING: i64 = 100_000;

/// What the server says to those whom it does not let in.
const REJECTIONS: [ConnectErrorKind; 2] =
    [ConnectErrorKind::Authentication, ConnectErrorKind::AuthorizationViolation];
/// Rejections in a row after which we are not let in any more.
const MAX_REJECTED: u32 = 5;

/// How often one who waits for the end of the connection looks.
const LOOK_UP: Duration = Duration::from_millis(50);
/// What the last things with the server may take.
const FAREWELL: Duration = Duration::from_secs(10);

/// The number of a connection.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Epoch(u64);

/// When a stream was made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct StreamBirth(String);

/// Which messages are removed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum PurgeRange {
    All,
    /// Those before the one with this number.
    Before(u64),
}

/// A connection. Clones share it.
#[derive(Clone)]
pub(crate) struct Link {
    pub client: Client,
    pub context: Context,
    /// How often the connection was made; a change means that the server was away.
    pub epoch: watch::Receiver<u64>,
    /// True once the server does not know us any more.
    is_closed: watch::Receiver<bool>,
    pub address: Address,
}

impl Link {
    /// Connects and sees that the streams exist.
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
                // The library goes on trying; nothing else than this text says why it fails.
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

    /// Makes the streams, unless they exist. A server that came back without its disk has none.
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
        let results =
            Config { name: RESULTS.to_owned(), subjects: vec!["nub.result.*".to_owned()], ..common.clone() };
        let events = Config {
            name: EVENTS.to_owned(),
            subjects: vec!["nub.event.*".to_owned()],
            max_messages: MAX_EVENTS,
            discard: DiscardPolicy::Old,
            ..common
        };
        for config in [leases, results, events] {
            let made = self.context.get_or_create_stream(config).await;
            made.map_err(|error| self.no_streams(&error))?;
        }
        self.objects().await.map(drop)
    }

    /// Where files are.
    pub(crate) async fn objects(&self) -> Result<ObjectStore, FleetError> {
        if let Ok(store) = self.context.get_object_store(OBJECTS).await {
            return Ok(store);
        }
        let config = object_store::Config {
            bucket: OBJECTS.to_owned(),
            max_age: KEPT,
            ..object_store::Config::default()
        };
        self.context.create_object_store(config).await.map_err(|error| self.no_streams(&error))
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

    /// Messages of a stream about one run, from the first on or from the next on.
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

    /// When a stream was made. A server that came back without its disk has another one of the same name.
    pub(crate) async fn born(&self, stream: &str) -> Option<StreamBirth> {
        let mut stream = match self.context.get_stream(stream).await {
            Ok(stream) => stream,
            Err(_) => return self.missing().await,
        };
        stream.info().await.ok().map(|info| StreamBirth(info.created.to_string()))
    }

    /// Removes messages of a stream about one run.
    pub(crate) async fn purge(&self, stream: &str, subject: &str, range: PurgeRange) {
        let Ok(stream) = self.context.get_stream(stream).await else { return };
        let purge = stream.purge().filter(subject);
        let _ = match range {
            PurgeRange::All => purge.await,
            PurgeRange::Before(sequence) => purge.sequence(sequence).await,
        };
    }

    /// How often the connection was made. What was made on the server under another number may be gone.
    pub(crate) fn epoch_now(&self) -> Epoch {
        Epoch(*self.epoch.borrow())
    }

    /// Why there is no connection, and none will be made: the server was away, and does not let us in any more.
    pub(crate) fn rejection(&self) -> Option<FleetError> {
        let rejected = || FleetError::Credentials { address: self.address.shown() };
        self.is_closed.borrow().then(rejected)
    }

    fn is_away(&self) -> bool {
        self.client.connection_state() != State::Connected
    }

    /// Returns when there is no connection.
    async fn away(&self) {
        while !self.is_away() {
            tokio::time::sleep(LOOK_UP).await;
        }
    }

    /// Does the last things with the server, unless it is away or takes too long: nobody waits for it in order to end.
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

    /// Something that should be on the server is not. Unless the server is away it has lost its disk: the streams are made again, for the next attempt.
    async fn missing<T>(&self) -> Option<T> {
        if !self.is_away() {
            let _ = self.ensure_streams().await;
        }
        None
    }

    /// Publishes to a stream until the server has it. Sent twice, it is kept once: `id` says that it is the same.
    pub(crate) async fn publish(&self, subject: String, id: &str, payload: Vec<u8>) -> Result<(), String> {
        let payload = Bytes::from(payload);
        let mut headers = HeaderMap::new();
        headers.insert("Nats-Msg-Id", id);
        let mut why = String::new();
        for _ in 0..PUBLISH_ATTEMPTS {
            let sent =
                self.context.publish_with_headers(subject.clone(), headers.clone(), payload.clone()).await;
            match sent {
                Ok(ack) => match ack.await {
                    Ok(_) => return Ok(()),
                    Err(error) => {
                        why = error.to_string();
                        if error.kind() == PublishErrorKind::StreamNotFound {
                            self.missing::<()>().await;
                        }
                    }
                },
                Err(error) => why = error.to_string(),
            }
            tokio::time::sleep(RETRY).await;
        }
        Err(why)
    }
}

/// What a request to the server gives, unless the connection is made again meanwhile: then nobody answers it any more.
pub(crate) async fn or_lost<T>(
    epoch: &mut watch::Receiver<u64>,
    answer: impl Future<Output = Option<T>>,
) -> Option<T> {
    tokio::select! {
        answer = answer => answer,
        _ = epoch.changed() => {
            // Whoever looks next sees the change as well.
            epoch.mark_changed();
            None
        }
    }
}

/// Attempts to hand a message over, each of which waits for the server for seconds, before somebody is told.
const PUBLISH_ATTEMPTS: usize = 300;

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

/// Whether TLS is what failed. The library calls that an error of input and output, as it is when a connection breaks.
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
