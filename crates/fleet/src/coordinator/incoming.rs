//! Reads reports from their stream in order, and keeps trying while the server is unreachable.

use super::dispatch::Note;
use super::unpack::{Heard, unpack};
use crate::frame;
use crate::link::{Link, Patience, Unsent, or_lost};
use crate::objects::Objects;
use crate::protocol::{LeaseReport, RunName};
use async_nats::Subscriber;
use bytes::Bytes;
use futures_util::StreamExt;
use std::time::Duration;
use tokio::sync::mpsc::UnboundedSender;

/// How long one request for messages is valid.
const EXPIRES: Duration = Duration::from_secs(2);
/// Messages of one request.
const BATCH: usize = 256;
/// Pause before a failed request is repeated.
const RETRY: Duration = Duration::from_millis(200);

/// Where reports go.
#[derive(Clone)]
pub(super) struct News {
    pub(super) heard: UnboundedSender<Heard>,
    pub(super) notes: UnboundedSender<Note>,
}

/// Receives reports that workers send directly because the server's disk is full.
pub(super) async fn hear_directly(mut reports: Subscriber, link: Link, objects: Objects, news: News) {
    while let Some(message) = reports.next().await {
        let Ok((report, blobs)) = frame::decode::<LeaseReport>(&message.payload) else { continue };
        if news.heard.send(unpack(report, blobs, &objects).await).is_err() {
            return;
        }
        if let Some(reply) = message.reply {
            let _ = link.client.publish(reply, Bytes::new()).await;
        }
    }
}

/// Forwards reports of workers to the receiver until it is closed.
pub(super) async fn follow(link: Link, run: RunName, objects: Objects, news: News) {
    let News { heard, notes } = news;
    let mut patience = Patience::new(&link);
    while !heard.is_closed() {
        let mut epoch = link.epoch.clone();
        epoch.mark_unchanged();
        let Some(reader) = link.report_consumer(&run.0).await else {
            // A server whose disk is full may disable streams.
            let made = link.ensure_streams().await.map_err(|error| Unsent::Refused(error.to_string()));
            if !patience.goes_on(&link, &made).await
                && let Err(unsent) = made
            {
                let _ = notes.send(Note::Refused(unsent.to_string()));
            }
            tokio::time::sleep(RETRY).await;
            continue;
        };
        patience = Patience::new(&link);
        // Until this consumer fails, or the server was unreachable and may have lost it.
        let mut is_lost = false;
        while !is_lost
            && let Ok(mut batch) = reader.batch().max_messages(BATCH).expires(EXPIRES).messages().await
        {
            while let Some(message) = or_lost(&mut epoch, batch.next()).await {
                let Ok(message) = message else {
                    is_lost = true;
                    break;
                };
                // A message that cannot be read was not written by a worker of this version.
                if let Ok((report, blobs)) = frame::decode::<LeaseReport>(&message.payload) {
                    let said = unpack(report, blobs, &objects).await;
                    if heard.send(said).is_err() {
                        return;
                    }
                }
                // Acknowledging removes it from the server's disk. If it is delivered twice, it still counts
                // once.
                let _ = message.ack().await;
            }
            is_lost |= heard.is_closed() || epoch.has_changed().unwrap_or(true);
        }
        tokio::time::sleep(RETRY).await;
    }
}
