//! Workers with a simulated clock: every ask takes one second of it, or a little more, and the search itself takes no time. So speed-ups
//! are computed, not measured, and do not depend on the machine.

use nub_oracle::{Doubt, Oracle, OracleAnswer, Verdict};
use nub_process::Cancel;
use nub_reduce::{Answered, AskId, WaitPolicy, Workers};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

const RUN: Duration = Duration::from_secs(1);

pub struct VirtualWorkers<'o> {
    oracle: &'o dyn Oracle,
    n_slots: usize,
    now: Duration,
    /// How much longer than the shortest the longest run takes.
    spread: Duration,
    /// When each ask ends, and what is answered then.
    under_way: BTreeMap<(Duration, AskId), OracleAnswer>,
}

impl<'o> VirtualWorkers<'o> {
    pub fn new(n_slots: usize, oracle: &'o dyn Oracle) -> VirtualWorkers<'o> {
        let (now, spread) = (Duration::ZERO, Duration::ZERO);
        VirtualWorkers { oracle, n_slots, now, spread, under_way: BTreeMap::new() }
    }

    /// Makes runs take different times, so that those that started together end one after another.
    #[allow(dead_code)] // not used by every test
    pub fn with_spread(self, spread: Duration) -> Self {
        VirtualWorkers { spread, ..self }
    }

    /// Seconds that have passed.
    pub fn seconds(&self) -> u64 {
        self.now.as_secs()
    }
}

impl Workers for VirtualWorkers<'_> {
    fn n_slots(&self) -> usize {
        self.n_slots
    }

    fn start(&mut self, id: AskId, candidate: &Arc<Vec<u8>>) {
        assert!(self.under_way.len() < self.n_slots, "no more asks than slots");
        let answer = self.oracle.ask(candidate, &Cancel::new());
        let run = RUN + self.spread.mul_f64((id.0 * 7 % 10) as f64 / 10.0);
        self.under_way.insert((self.now + run, id), OracleAnswer::of_one_run(answer.verdict, run, run));
    }

    fn stop(&mut self, id: AskId) {
        let stopped = self.under_way.keys().find(|(_, other)| *other == id).copied();
        if let Some(key) = stopped.and_then(|key| self.under_way.remove(&key).map(|_| key)) {
            let cancelled = OracleAnswer::free(Verdict::Unsure(Doubt::Cancelled));
            self.under_way.insert((self.now, key.1), cancelled);
        }
    }

    fn next(&mut self, patience: WaitPolicy) -> Option<Answered> {
        let (&(at, id), _) = self.under_way.first_key_value()?;
        let until = match patience {
            WaitPolicy::Now => self.now,
            WaitPolicy::Wait => at,
            WaitPolicy::Until(time) => time,
        };
        if at > until {
            self.now = self.now.max(until);
            return None;
        }
        self.now = self.now.max(at);
        let answer = self.under_way.remove(&(at, id))?;
        Some(Answered { id, answer })
    }

    fn now(&self) -> Duration {
        self.now
    }
}
