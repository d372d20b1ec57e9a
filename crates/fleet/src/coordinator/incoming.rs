//! Reports as they come: read from their stream, in order, again and again while the server is away.

use super::unpack::{Heard, unpack};
use crate::frame;
use crate::link::{Link, PurgeRange, RESULTS, or_lost};
use crate::objects::Objects;
use crate::protocol::{LeaseReport, RunName};
use async_nats::jetstream::consumer::DeliverPolicy;
use futures_util::StreamExt;
use std::time::Duration;
use tokio::sync::mpsc::UnboundedSender;

/// How long one request for messages is valid.
const EXPIRES: Duration = Duration::from_secs(2);
/// Messages of one request.
const BATCH: usize = 256;
/// Before a failed request is made again.
const RETRY: Duration = Duration::from_millis(100);

/// Bytes of reports that are left on the server after they were read. Nobody reads them again, and the disk of the server is finite.
const MAX_LEFT: usize = 4 << 20;
/// What a report costs beside its content.
const OVERHEAD: usize = 256;

/// Sends what workers report to `heard`, until nobody listens.
pub(crate) async fn follow(link: Link, run: RunName, objects: Objects, heard: UnboundedSender<Heard>) {
    let subject = format!("nub.result.{}", run.0);
    let (mut next, mut born) = (1, None);
    while !heard.is_closed() {
        let mut epoch = link.epoch.clone();
        epoch.mark_unchanged();
        let now = link.born(RESULTS).await;
        if now != born {
            // The server came back without what it had. Reports that are read twice count once.
            (next, born) = (1, now);
        }
        let from = DeliverPolicy::ByStartSequence { start_sequence: next };
        let Some(reader) = link.reader(RESULTS, &subject, from).await else {
            tokio::time::sleep(RETRY).await;
            continue;
        };
        // Until something is wrong with this consumer, or the server was away and may have lost it.
        let mut is_lost = false;
        let mut n_left = 0;
        while !is_lost
            && let Ok(mut batch) = reader.batch().max_messages(BATCH).expires(EXPIRES).messages().await
        {
            while let Some(message) = or_lost(&mut epoch, batch.next()).await {
                let Ok(message) = message else {
                    is_lost = true;
                    break;
                };
                if let Ok(info) = message.info() {
                    next = next.max(info.stream_sequence + 1);
                }
                n_left += message.payload.len() + OVERHEAD;
                // What nobody can read was not written by a worker of this version.
                if let Ok((report, blobs)) = frame::decode::<LeaseReport>(&message.payload) {
                    let said = unpack(report, blobs, &objects).await;
                    if heard.send(said).is_err() {
                        return;
                    }
                }
            }
            if n_left > MAX_LEFT {
                link.purge(RESULTS, &subject, PurgeRange::Before(next)).await;
                n_left = 0;
            }
            is_lost |= heard.is_closed() || epoch.has_changed().unwrap_or(true);
        }
        tokio::time::sleep(RETRY).await;
    }
}
