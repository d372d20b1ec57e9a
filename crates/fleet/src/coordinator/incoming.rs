//! Reports as they come: read from their stream, in order, again and again while the server is away.

use super::unpack::{Heard, unpack};
use crate::frame;
use crate::link::{Link, RESULTS};
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

/// Sends what workers report to `heard`, until nobody listens.
pub(crate) async fn follow(link: Link, run: RunName, objects: Objects, heard: UnboundedSender<Heard>) {
    let subject = format!("nub.result.{}", run.0);
    let mut next = 1;
    while !heard.is_closed() {
        if link.last_sequence(RESULTS).await.is_some_and(|last| last + 1 < next) {
            // The server came back without what it had. Reports that are read twice count once.
            next = 1;
        }
        let from = DeliverPolicy::ByStartSequence { start_sequence: next };
        let Some(reader) = link.reader(RESULTS, &subject, from).await else {
            tokio::time::sleep(RETRY).await;
            continue;
        };
        // Until something is wrong with this consumer.
        while let Ok(mut batch) = reader.batch().max_messages(BATCH).expires(EXPIRES).messages().await {
            let mut is_lost = false;
            while let Some(message) = batch.next().await {
                let Ok(message) = message else {
                    is_lost = true;
                    break;
                };
                if let Ok(info) = message.info() {
                    next = next.max(info.stream_sequence + 1);
                }
                // What nobody can read was not written by a worker of this version.
                if let Ok((report, blobs)) = frame::decode::<LeaseReport>(&message.payload) {
                    let said = unpack(report, blobs, &objects).await;
                    if heard.send(said).is_err() {
                        return;
                    }
                }
            }
            if is_lost || heard.is_closed() {
                break;
            }
        }
        tokio::time::sleep(RETRY).await;
    }
}
