//! Which workers a run trusts: starts spot checks and acts on their findings.

use super::answers::Distrust;
use super::dispatch::{Dispatcher, Note};
use super::packing::WantedRun;
use super::spot_check::{Finding, SpotCheck};
use super::unpack::RemoteOutcome;
use crate::protocol::WorkerName;
use std::sync::Arc;

impl Dispatcher {
    pub(super) fn take_finding(&mut self, finding: Finding) {
        match finding {
            Finding::Nothing => {}
            Finding::Wrong(worker) => self.quarantine(worker),
            Finding::Disagree(a, b) => {
                let [a_host, b_host] = [&a, &b].map(|worker| self.host_of(worker));
                let why = format!(
                    "workers on {a_host} and {b_host} disagree about the same file, and there is no third worker to decide"
                );
                self.lock_book().distrusts(a, Distrust::Undecided(why));
            }
        }
    }

    fn quarantine(&mut self, worker: WorkerName) {
        if !self.ledger.quarantine(&worker) {
            return;
        }
        let host = self.host_of(&worker);
        self.workers.remove(&worker);
        self.notice.quarantined.push(worker.clone());
        self.ledger.status.quarantined.push(format!("{host} {}", worker.0));
        self.say("nub.notice".to_owned(), serde_json::to_vec(&self.notice));
        let why =
            format!("two other workers contradict the worker on {host}; its answers are no longer used");
        self.lock_book().distrusts(worker, Distrust::Quarantined(why));
    }

    pub(super) fn check(&mut self, wanted: Arc<WantedRun>, worker: &WorkerName, ran: &RemoteOutcome) {
        let is_other = |other: &&WorkerName| *other != worker && !self.ledger.quarantined().contains(*other);
        let mut others: Vec<WorkerName> = self.workers.keys().filter(is_other).cloned().collect();
        if others.is_empty() {
            return;
        }
        let turn = self.ledger.status.checks as usize % others.len();
        others.rotate_left(turn);
        self.ledger.status.checks += 1;
        self.n_checking += 1;
        let check = SpotCheck {
            link: self.link.clone(),
            objects: self.objects.clone(),
            run: self.run.clone(),
            wanted,
            worker: worker.clone(),
            answer: ran.clone(),
            others,
        };
        let notes = self.notes.clone();
        tokio::spawn(async move { notes.send(Note::Checked(check.make().await)) });
    }
}
