//! Observes a fleet: its workers, runs and events.

use crate::address::Address;
use crate::coordinator::muster::ask_all;
use crate::error::FleetError;
use crate::link::{EVENTS, LEASES, Link};
use crate::protocol::{Hello, RunStatus};
use async_nats::jetstream::consumer::DeliverPolicy;
use futures_util::StreamExt;
use nub_process::Cancel;
use std::time::Duration;

/// How long one request for events is valid.
const EXPIRES: Duration = Duration::from_secs(1);
/// Pause before a failed request is repeated.
const RETRY: Duration = Duration::from_millis(200);

/// A fleet at a moment.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FleetStatus {
    /// Workers that answered.
    pub workers: Vec<Hello>,
    /// Runs whose coordinators answered.
    pub runs: Vec<RunStatus>,
    /// Leases that wait or are with workers.
    pub leases: u64,
}

fn runtime() -> Result<tokio::runtime::Runtime, FleetError> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.map_err(|error| FleetError::Here(error.to_string()))
}

/// Asks all workers and coordinators for their status.
///
/// # Errors
/// If there is no server.
pub fn look(address: &Address) -> Result<FleetStatus, FleetError> {
    runtime()?.block_on(async {
        let link = Link::open(address).await?;
        let mut workers: Vec<Hello> = ask_all(&link, "nub.roll").await;
        workers.sort_by(|a, b| (&a.host, &a.worker).cmp(&(&b.host, &b.worker)));
        let mut runs: Vec<RunStatus> = ask_all(&link, "nub.runs").await;
        runs.sort_by(|a, b| a.run.cmp(&b.run));
        let leases = match link.context.get_stream(LEASES).await {
            Ok(mut stream) => stream.info().await.map_or(0, |info| info.state.messages),
            Err(_) => 0,
        };
        Ok(FleetStatus { workers, runs, leases })
    })
}

/// Passes on every new event of every run, as a line of JSON, until `stop` is raised.
///
/// # Errors
/// If there is no server.
pub fn follow_events(
    address: &Address,
    stop: &Cancel,
    tell: &mut dyn FnMut(&[u8]),
) -> Result<(), FleetError> {
    runtime()?.block_on(async {
        let link = Link::open(address).await?;
        let mut from = DeliverPolicy::New;
        while !stop.is_cancelled() {
            let Some(reader) = link.reader(EVENTS, "nub.event.*", from).await else {
                tokio::time::sleep(RETRY).await;
                continue;
            };
            while let Ok(mut batch) = reader.batch().max_messages(256).expires(EXPIRES).messages().await {
                while let Some(Ok(message)) = batch.next().await {
                    tell(&message.payload);
                    if let Ok(info) = message.info() {
                        from = DeliverPolicy::ByStartSequence { start_sequence: info.stream_sequence + 1 };
                    }
                }
                if stop.is_cancelled() {
                    return Ok(());
                }
            }
            tokio::time::sleep(RETRY).await;
        }
        Ok(())
    })
}
