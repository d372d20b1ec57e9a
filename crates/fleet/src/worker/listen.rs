//! What a worker receives besides leases: status requests, notices, items that are no longer needed, spot
//! checks.

use super::{Shop, WorkerNews, lease, lock};
use crate::frame;
use crate::protocol::{ItemNumber, Lease, Notice, RunName};
use async_nats::{Message, Subscriber};
use futures_util::StreamExt;
use std::sync::Arc;
use std::time::Duration;

/// Pause before a failed subscription is repeated.
const RETRY: Duration = Duration::from_millis(200);

pub(crate) async fn listen(shop: Arc<Shop>) {
    let subjects = [
        "nub.roll".to_owned(),
        "nub.notice".to_owned(),
        "nub.stop.*".to_owned(),
        format!("nub.check.{}", shop.name.0),
    ];
    let mut ears = Vec::new();
    for subject in subjects {
        ears.push(subscribe(&shop, subject).await);
    }
    let Ok([mut roll, mut notices, mut stops, mut checks]) = <[Subscriber; 4]>::try_from(ears) else {
        return;
    };
    say_hello(&shop).await;
    let mut epoch = shop.link.epoch.clone();
    epoch.mark_unchanged();
    loop {
        tokio::select! {
            Some(message) = roll.next() => answer_roll(&shop, message).await,
            Some(message) = notices.next() => {
                if let Ok(notice) = serde_json::from_slice::<Notice>(&message.payload) {
                    shop.learn(notice);
                }
            }
            Some(message) = stops.next() => stop_items(&shop, &message),
            Some(message) = checks.next() => {
                let shop = shop.clone();
                tokio::spawn(async move { check(&shop, message).await });
            }
            Ok(()) = epoch.changed() => {
                shop.tell(WorkerNews::Back);
                let _ = shop.link.ensure_streams().await;
                say_hello(&shop).await;
            }
            else => return,
        }
    }
}

async fn subscribe(shop: &Shop, subject: String) -> Subscriber {
    loop {
        match shop.link.client.subscribe(subject.clone()).await {
            Ok(subscriber) => return subscriber,
            Err(_) => tokio::time::sleep(RETRY).await,
        }
    }
}

async fn say_hello(shop: &Shop) {
    if let Ok(payload) = serde_json::to_vec(&shop.hello()) {
        let _ = shop.link.client.publish("nub.hello", payload.into()).await;
    }
}

async fn answer_roll(shop: &Shop, message: Message) {
    if let (Some(reply), Ok(payload)) = (message.reply, serde_json::to_vec(&shop.hello())) {
        let _ = shop.link.client.publish(reply, payload.into()).await;
    }
}

fn stop_items(shop: &Shop, message: &Message) {
    let run = RunName(message.subject.rsplit('.').next().unwrap_or_default().to_owned());
    let Ok(items) = serde_json::from_slice::<Vec<ItemNumber>>(&message.payload) else { return };
    let under_way = lock(&shop.under_way);
    for number in items {
        if let Some(cancel) = under_way.get(&(run.clone(), number)) {
            cancel.cancel_now();
        }
    }
}

async fn check(shop: &Arc<Shop>, message: Message) {
    let Ok((lease, blobs)) = frame::decode::<Lease>(&message.payload) else { return };
    let (report, blobs) = lease::report_on(shop, lease, blobs).await;
    if let Some(reply) = message.reply {
        let _ = shop.link.client.publish(reply, frame::encode(&report, &blobs).into()).await;
    }
}
