//! A lease from its message to its acknowledgement.
//!
//! The message is acknowledged only when the server has the report on every item: if anything happens to this worker before that,
//! the server gives the lease to another one. While it works, the worker sends heartbeats and asks which items are still needed.

use super::execute::{self, Prepared};
use super::{Shop, lock};
use crate::frame;
use crate::link::{HEARTBEAT, Patience, Unsent};
use crate::protocol::{
    Done, ItemNumber, ItemWork, Lease, LeaseItem, LeaseNumber, LeaseReport, PROTOCOL, RunName,
};
use async_nats::RequestErrorKind;
use async_nats::jetstream::message::{AckKind, Acker, Message};
use bytes::Bytes;
use nub_process::{Cancel, ProcessEnd};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// Reports on short items are collected for this long and sent together.
const GATHER: Duration = Duration::from_millis(20);
/// Bytes of a report.
const MAX_REPORT: usize = 1 << 18;
/// Number of heartbeats between two requests for the items that are still needed.
const ASK_EVERY: u32 = 5;

/// Why a lease has no complete report.
#[derive(Debug, thiserror::Error)]
enum LeaseError {
    #[error("this worker was stopped")]
    Stopped,
    #[error("{0}")]
    Unsent(Unsent),
}

/// What the coordinator says about a lease.
enum Interest {
    /// These items are needed.
    In(BTreeSet<ItemNumber>),
    /// No answer in time: all items may be needed.
    Unknown,
    /// There is no coordinator.
    Dead,
}

async fn interest(shop: &Shop, run: &RunName, lease: LeaseNumber) -> Interest {
    let Ok(payload) = serde_json::to_vec(&lease) else { return Interest::Unknown };
    match shop.link.client.request(format!("nub.wanted.{}", run.0), payload.into()).await {
        Ok(reply) => serde_json::from_slice(&reply.payload).map_or(Interest::Unknown, Interest::In),
        Err(error) if error.kind() == RequestErrorKind::NoResponders => Interest::Dead,
        Err(_) => Interest::Unknown,
    }
}

/// Does all items of a lease and acknowledges it.
pub(crate) async fn work_off(shop: &Arc<Shop>, message: Message) {
    let (message, acker) = message.split();
    let acker = Arc::new(acker);
    let lease = match frame::decode::<Lease>(&message.payload) {
        Ok((lease, blobs)) if lease.protocol == PROTOCOL => (lease, blobs),
        _ => return drop(acker.ack_with(AckKind::Term).await),
    };
    let (run, number) = (lease.0.run.clone(), lease.0.lease);
    let wanted = match interest(shop, &run, number).await {
        Interest::In(items) => Some(items),
        Interest::Unknown => None,
        Interest::Dead => {
            shop.forget(&run);
            return drop(acker.ack_with(AckKind::Term).await);
        }
    };
    let heart = tokio::spawn(beat(shop.clone(), acker.clone(), lease.0.clone()));
    let result = work_items(shop, lease.0, lease.1, wanted).await;
    heart.abort();
    match result {
        Ok(()) => drop(acker.double_ack().await),
        // Another worker gets it immediately.
        Err(_) => drop(acker.ack_with(AckKind::Nak(None)).await),
    }
}

/// Sends heartbeats for the lease, and stops items that are no longer needed.
async fn beat(shop: Arc<Shop>, acker: Arc<Acker>, lease: Lease) {
    for n_beats in 1u32.. {
        tokio::time::sleep(HEARTBEAT).await;
        let _ = acker.ack_with(AckKind::Progress).await;
        if !n_beats.is_multiple_of(ASK_EVERY) {
            continue;
        }
        let unwanted = |number: &ItemNumber, interest: &Interest| match interest {
            Interest::In(items) => !items.contains(number),
            Interest::Unknown => false,
            Interest::Dead => true,
        };
        let interest = interest(&shop, &lease.run, lease.lease).await;
        let under_way = lock(&shop.under_way);
        for number in lease.items.iter().map(|item| item.number).filter(|number| unwanted(number, &interest))
        {
            if let Some(cancel) = under_way.get(&(lease.run.clone(), number)) {
                cancel.cancel_now();
            }
        }
    }
}

/// Results that wait to be sent.
#[derive(Default)]
struct Basket {
    items: Vec<(ItemNumber, Done)>,
    blobs: Vec<Vec<u8>>,
}

impl Basket {
    fn n_bytes(&self) -> usize {
        self.blobs.iter().map(Vec::len).sum()
    }
}

async fn work_items(
    shop: &Arc<Shop>,
    lease: Lease,
    blobs: Vec<Vec<u8>>,
    wanted: Option<BTreeSet<ItemNumber>>,
) -> Result<(), LeaseError> {
    let mut blobs = blobs.into_iter();
    let mut basket = Basket::default();
    let mut gathered = Instant::now();
    for item in &lease.items {
        let own: Vec<Vec<u8>> = blobs.by_ref().take(n_blobs(&item.work)).collect();
        if wanted.as_ref().is_some_and(|wanted| !wanted.contains(&item.number)) {
            continue;
        }
        let Some((done, more)) = work_item(shop, &lease, item, own).await else {
            if shop.stop.is_cancelled() {
                return Err(LeaseError::Stopped);
            }
            continue;
        };
        if basket.items.is_empty() {
            gathered = Instant::now();
        }
        basket.items.push((item.number, done));
        basket.blobs.extend(more);
        if gathered.elapsed() >= GATHER || basket.n_bytes() >= MAX_REPORT {
            send(shop, &lease, std::mem::take(&mut basket)).await?;
        }
    }
    send(shop, &lease, basket).await
}

async fn send(shop: &Shop, lease: &Lease, basket: Basket) -> Result<(), LeaseError> {
    if basket.items.is_empty() {
        return Ok(());
    }
    // Two reports on one lease, of two workers or of one that got it again, may be about different items: each is a message of its own.
    let id = format!("{}-report-{}", shop.name.0, shop.n_reports.fetch_add(1, Ordering::Relaxed));
    let report = report(shop, lease.lease, basket.items);
    let payload = Bytes::from(frame::encode(&report, &basket.blobs));
    let subject = format!("nub.report.{}", lease.run.0);
    let mut patience = Patience::new(&shop.link);
    loop {
        let mut result = shop.link.publish(&subject, &id, &payload).await;
        if result.is_err() && !shop.link.is_away() && tell_directly(shop, &lease.run, &payload).await {
            result = Ok(());
        }
        if !patience.goes_on(&shop.link, &result).await {
            return result.map_err(LeaseError::Unsent);
        }
    }
}

/// Sends a report directly to the coordinator, without using the server's disk.
async fn tell_directly(shop: &Shop, run: &RunName, payload: &Bytes) -> bool {
    shop.link.client.request(format!("nub.direct.{}", run.0), payload.clone()).await.is_ok()
}

fn report(shop: &Shop, lease: LeaseNumber, items: Vec<(ItemNumber, Done)>) -> LeaseReport {
    LeaseReport { lease, worker: shop.name.clone(), host: shop.host.clone(), items }
}

fn n_blobs(work: &ItemWork) -> usize {
    match work {
        ItemWork::Run { splices, .. } => splices.len(),
        ItemWork::Task { .. } => 1,
    }
}

/// Does a lease for this worker alone, which is not acknowledged.
pub(crate) async fn report_on(
    shop: &Arc<Shop>,
    lease: Lease,
    blobs: Vec<Vec<u8>>,
) -> (LeaseReport, Vec<Vec<u8>>) {
    let mut blobs = blobs.into_iter();
    let mut basket = Basket::default();
    for item in &lease.items {
        let own: Vec<Vec<u8>> = blobs.by_ref().take(n_blobs(&item.work)).collect();
        if let Some((done, more)) = work_item(shop, &lease, item, own).await {
            basket.items.push((item.number, done));
            basket.blobs.extend(more);
        }
    }
    (report(shop, lease.lease, basket.items), basket.blobs)
}

/// Does an item. `None` if it was stopped.
async fn work_item(
    shop: &Arc<Shop>,
    lease: &Lease,
    item: &LeaseItem,
    blobs: Vec<Vec<u8>>,
) -> Option<(Done, Vec<Vec<u8>>)> {
    let cancel = Cancel::new();
    let key = (lease.run.clone(), item.number);
    lock(&shop.under_way).insert(key.clone(), cancel.clone());
    // It was cancelled before it was in the table, so nobody would stop it.
    if shop.stop.is_cancelled() {
        cancel.cancel_now();
    }
    let done = match &item.work {
        ItemWork::Task { kind } => do_task(shop, lease, kind.clone(), blobs, cancel.clone()).await,
        ItemWork::Run { .. } => do_run(shop, lease, item, blobs, cancel.clone()).await,
    };
    lock(&shop.under_way).remove(&key);
    done.filter(|_| !cancel.is_cancelled())
}

async fn do_task(
    shop: &Arc<Shop>,
    lease: &Lease,
    kind: String,
    blobs: Vec<Vec<u8>>,
    cancel: Cancel,
) -> Option<(Done, Vec<Vec<u8>>)> {
    let file = match &lease.base {
        None => Arc::default(),
        Some(name) => match shop.objects.get(name).await {
            Ok(file) => file,
            Err(_) => return Some((Done::Missing(name.clone()), Vec::new())),
        },
    };
    let tasks = shop.options.tasks.clone();
    let body = blobs.into_iter().next().unwrap_or_default();
    let result = tokio::task::spawn_blocking(move || tasks.run(&kind, &body, &file, &cancel)).await;
    let bytes = match result {
        Ok(Ok(bytes)) => bytes,
        Ok(Err(error)) => return Some((Done::Failed(error.to_string()), Vec::new())),
        // A panic fails only this task.
        Err(error) => return Some((Done::Failed(error.to_string()), Vec::new())),
    };
    Some(match execute::carry(bytes, &shop.objects).await {
        Ok((carried, blob)) => (Done::Task(carried), vec![blob]),
        Err(unsent) => (execute::uncarried(unsent), Vec::new()),
    })
}

async fn do_run(
    shop: &Arc<Shop>,
    lease: &Lease,
    item: &LeaseItem,
    blobs: Vec<Vec<u8>>,
    cancel: Cancel,
) -> Option<(Done, Vec<Vec<u8>>)> {
    let ItemWork::Run { program, build, file_name, feed, place, bounds, .. } = &item.work else {
        return None;
    };
    let entry = match shop.entry(program, build) {
        Ok(entry) => entry,
        Err(error) => {
            // Otherwise this worker would get the same item again and again.
            shop.leave(&lease.run);
            return Some((Done::Declined(error.to_string()), Vec::new()));
        }
    };
    let name = lease.base.clone().unwrap_or_default();
    let Ok(base) = shop.objects.get(&name).await else { return Some((Done::Missing(name), Vec::new())) };
    let content = match execute::content(&item.work, &base, blobs) {
        Ok(content) => content,
        Err(error) => return Some((Done::Declined(error.to_string()), Vec::new())),
    };
    let (file_name, feed, place, bounds) = (file_name.clone(), *feed, *place, *bounds);
    let prepared = Prepared { entry: entry.clone(), file_name, feed, place, bounds, content };
    let inner = shop.clone();
    let ran = tokio::task::spawn_blocking(move || {
        let (runner, limits) = (&inner.options.runner, inner.options.limits);
        inner.desks.lend(|desk| prepared.run(desk, runner, limits, &cancel))
    });
    let ran = match ran.await {
        Ok(Ok(ran)) => ran,
        Ok(Err(error)) => execute::Ran::Declined(error.to_string()),
        Err(error) => execute::Ran::Declined(error.to_string()),
    };
    if let execute::Ran::Done(outcome, _) = &ran
        && outcome.end == ProcessEnd::Cancelled
    {
        return None;
    }
    Some(execute::pack(&entry, ran, &shop.objects).await)
}
