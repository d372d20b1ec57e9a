//! Sends leases: groups waiting items, puts their base file into the object store and the lease into the queue.

use super::dispatch::{Dispatcher, Note};
use super::packing::{MAX_LEASE_TEXT, Packed};
use crate::frame;
use crate::link::{Link, Patience, Unsent};
use crate::objects::Objects;
use crate::protocol::{Lease, LeaseNumber, PROTOCOL};
use crate::splices::Base;
use bytes::Bytes;
use std::sync::Arc;
use tokio::sync::mpsc::UnboundedSender;

impl Dispatcher {
    /// Sends the waiting items.
    pub(super) fn send_leases(&mut self) {
        let n_slots: usize = self.workers.values().map(|hello| hello.slots).sum();
        let len = self.ledger.lease_len(n_slots);
        while self.ledger.has_waiting() {
            let now = self.now();
            let mut packed: Vec<Packed> = Vec::new();
            let mut n_bytes = 0;
            let packer = &mut self.packer;
            let next = self.ledger.next_lease(len, now, |number, asked| {
                let one = packer.pack(number, &asked.wanted);
                n_bytes += one.n_bytes();
                let name = |packed: &Packed| packed.base.as_ref().map(|(name, _)| name.clone());
                let fits =
                    packed.first().is_none_or(|first| name(first) == name(&one) && n_bytes <= MAX_LEASE_TEXT);
                if fits {
                    packed.push(one);
                }
                fits
            });
            let Some(lease) = next else { return };
            self.send(lease, packed);
        }
    }

    fn send(&self, lease: LeaseNumber, packed: Vec<Packed>) {
        let base = packed.first().and_then(|first| first.base.clone());
        let mut blobs = Vec::new();
        let mut items = Vec::with_capacity(packed.len());
        for one in packed {
            items.push(one.item);
            blobs.extend(one.blobs);
        }
        let name = base.as_ref().map(|(name, _)| name.clone());
        let message = Lease { protocol: PROTOCOL, run: self.run.clone(), lease, base: name, items };
        if let Some((name, base)) = &base {
            self.objects.note(name, base.bytes().len());
        }
        let upload = base.filter(|(name, _)| !self.uploaded.contains(name));
        let (link, objects, notes) = (self.link.clone(), self.objects.clone(), self.notes.clone());
        let payload = frame::encode(&message, &blobs);
        tokio::spawn(async move {
            if let Err(unsent) = deliver(&link, &objects, &notes, upload, &message, &payload.into()).await {
                let _ = notes.send(Note::Refused(unsent.to_string()));
            }
        });
    }
}

/// Puts the base of a lease into the store, then the lease into its queue.
async fn deliver(
    link: &Link,
    objects: &Objects,
    notes: &UnboundedSender<Note>,
    upload: Option<(String, Arc<Base>)>,
    lease: &Lease,
    payload: &Bytes,
) -> Result<(), Unsent> {
    if let Some((name, base)) = upload {
        objects.put_patiently(base.bytes()).await?;
        let _ = notes.send(Note::Uploaded(name));
    }
    let id = format!("{}-lease-{}", lease.run.0, lease.lease.0);
    let subject = format!("nub.lease.{}", lease.run.0);
    let mut patience = Patience::new(link);
    loop {
        let result = link.publish(&subject, &id, payload).await;
        if !patience.goes_on(link, &result).await {
            return result;
        }
    }
}
