//! The bookkeeping of a run: what was asked, what is in progress, what was answered. Uses no network and no clock.
//!
//! Messages may be lost, duplicated or late. The ledger makes sure that each answer counts once: an item is open until
//! the first valid report on it, and later reports are ignored. An item that no worker has is put into a new lease.

use crate::protocol::{ItemNumber, LeaseNumber, RunName, RunStatus, WorkerName};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::time::Duration;

/// Target duration of a lease.
const LEASE_TIME: Duration = Duration::from_secs(1);
/// Items in a lease.
const MAX_ITEMS: usize = 256;
/// Factor by which the weight of a measured time decreases with each later one.
const FADING: f64 = 0.9;
/// How many workers may decline an item before the caller gets an error.
const MAX_DECLINED: u32 = 20;

/// An item that is not answered yet.
struct Open<T> {
    work: T,
    /// The lease that contains it; `None` while it waits.
    lease: Option<LeaseNumber>,
    n_declined: u32,
}

/// Items that were sent in one lease.
struct Sent {
    items: Vec<ItemNumber>,
    /// When its worker last reported, or when it was sent.
    heard: Duration,
}

/// The bookkeeping of a run. `T` is what an item asks for.
pub(crate) struct Ledger<T> {
    open: BTreeMap<ItemNumber, Open<T>>,
    waiting: VecDeque<ItemNumber>,
    sent: BTreeMap<LeaseNumber, Sent>,
    n_leases: u64,
    quarantined: BTreeSet<WorkerName>,
    /// Seconds that an item takes.
    seconds: Option<f64>,
    pub status: RunStatus,
}

/// Whether a report on an item counts.
#[derive(PartialEq, Eq, Debug)]
pub(crate) enum Worth<T> {
    /// The first valid one; contains what was asked for.
    First(T),
    /// The item was answered or dropped before, or the worker is not trusted.
    Nothing,
}

/// What happens to an item that a worker declined.
#[derive(PartialEq, Eq, Debug)]
pub(crate) enum Decline<T> {
    /// It waits for another worker.
    Again,
    /// Too many have declined it.
    GivenUp(T),
    /// It is no longer needed.
    Nothing,
}

impl<T> Ledger<T> {
    /// The empty ledger of a run.
    pub(crate) fn new(run: &RunName, about: String) -> Ledger<T> {
        let status =
            RunStatus { run: run.0.clone(), host: crate::host_name(), about, ..RunStatus::default() };
        Ledger {
            open: BTreeMap::new(),
            waiting: VecDeque::new(),
            sent: BTreeMap::new(),
            n_leases: 0,
            quarantined: BTreeSet::new(),
            seconds: None,
            status,
        }
    }

    /// Adds an item. Its number must be new.
    pub(crate) fn ask(&mut self, number: ItemNumber, work: T) {
        self.status.asked += 1;
        self.open.insert(number, Open { work, lease: None, n_declined: 0 });
        self.waiting.push_back(number);
    }

    /// Removes an item that is no longer needed. True if it was open.
    pub(crate) fn drop_item(&mut self, number: ItemNumber) -> bool {
        let is_open = self.close(number).is_some();
        self.status.dropped += u64::from(is_open);
        is_open
    }

    fn close(&mut self, number: ItemNumber) -> Option<T> {
        let open = self.open.remove(&number)?;
        if let Some(lease) = open.lease {
            self.leave(lease, number);
        }
        Some(open.work)
    }

    fn leave(&mut self, lease: LeaseNumber, number: ItemNumber) {
        if let Some(sent) = self.sent.get_mut(&lease) {
            sent.items.retain(|other| *other != number);
            if sent.items.is_empty() {
                self.sent.remove(&lease);
            }
        }
    }

    /// How many items a lease should have so that it takes about a second and no worker is left without one.
    pub(crate) fn lease_len(&self, n_slots: usize) -> usize {
        let by_time = match self.seconds {
            Some(seconds) if seconds > 0.0 => (LEASE_TIME.as_secs_f64() / seconds) as usize,
            _ => 1,
        };
        let fair = self.waiting.len().div_ceil(n_slots.max(1));
        by_time.min(fair).clamp(1, MAX_ITEMS)
    }

    /// The next waiting items as a lease, at most `len` of them, as long as `fits` accepts them; it must accept
    /// the first.
    pub(crate) fn next_lease(
        &mut self,
        len: usize,
        now: Duration,
        mut fits: impl FnMut(ItemNumber, &T) -> bool,
    ) -> Option<LeaseNumber> {
        let lease = LeaseNumber(self.n_leases);
        let mut items = Vec::new();
        while items.len() < len {
            let Some(number) = self.waiting.front().copied() else { break };
            // Dropped items leave the queue here.
            if let Some(open) = self.open.get_mut(&number) {
                if !fits(number, &open.work) {
                    break;
                }
                open.lease = Some(lease);
                items.push(number);
            }
            self.waiting.pop_front();
        }
        if items.is_empty() {
            return None;
        }
        self.n_leases += 1;
        self.status.leases += 1;
        self.sent.insert(lease, Sent { items, heard: now });
        Some(lease)
    }

    /// Items that are not answered yet.
    pub(crate) fn open_items(&self) -> Vec<ItemNumber> {
        self.open.keys().copied().collect()
    }

    /// What an open item asks for.
    pub(crate) fn work(&self, number: ItemNumber) -> Option<&T> {
        self.open.get(&number).map(|open| &open.work)
    }

    /// The items of a worker's lease that are still needed.
    pub(crate) fn wanted(&mut self, lease: LeaseNumber, now: Duration) -> Vec<ItemNumber> {
        match self.sent.get_mut(&lease) {
            Some(sent) => {
                sent.heard = now;
                sent.items.clone()
            }
            None => Vec::new(),
        }
    }

    /// Handles a report that an item was done.
    pub(crate) fn done(
        &mut self,
        number: ItemNumber,
        worker: &WorkerName,
        host: &str,
        took: Duration,
    ) -> Worth<T> {
        if self.quarantined.contains(worker) {
            self.put_back(number);
            return Worth::Nothing;
        }
        let Some(work) = self.close(number) else {
            self.status.doubled += 1;
            return Worth::Nothing;
        };
        let took = took.as_secs_f64();
        self.seconds = Some(self.seconds.map_or(took, |mean| FADING * mean + (1.0 - FADING) * took));
        self.status.answered += 1;
        *self.status.by_worker.entry(author(worker, host)).or_default() += 1;
        Worth::First(work)
    }

    /// Answers of a worker so far.
    pub(crate) fn n_answers_of(&self, worker: &WorkerName, host: &str) -> u64 {
        self.status.by_worker.get(&author(worker, host)).copied().unwrap_or(0)
    }

    /// Handles a report that a worker declined an item.
    pub(crate) fn declined(&mut self, number: ItemNumber) -> Decline<T> {
        let Some(open) = self.open.get_mut(&number) else { return Decline::Nothing };
        open.n_declined += 1;
        if open.n_declined > MAX_DECLINED {
            return self.close(number).map_or(Decline::Nothing, Decline::GivenUp);
        }
        self.put_back(number);
        Decline::Again
    }

    /// Puts an item back to wait for another lease, at the front of the queue because it has waited longest.
    pub(crate) fn put_back(&mut self, number: ItemNumber) {
        let Some(lease) = self.open.get_mut(&number).and_then(|open| open.lease.take()) else { return };
        self.leave(lease, number);
        self.waiting.push_front(number);
    }

    /// Requeues the items of leases whose workers have been silent since `since`: the server may have lost
    /// them.
    pub(crate) fn send_again(&mut self, since: Duration) {
        let silent = self.sent.values().filter(|sent| sent.heard <= since);
        let items: Vec<ItemNumber> = silent.flat_map(|sent| sent.items.clone()).collect();
        self.status.again += self.sent.values().filter(|sent| sent.heard <= since).count() as u64;
        items.into_iter().rev().for_each(|number| self.put_back(number));
    }

    /// Ignores the worker's answers from now on.
    pub(crate) fn quarantine(&mut self, worker: &WorkerName) -> bool {
        self.quarantined.insert(worker.clone())
    }

    pub(crate) fn quarantined(&self) -> &BTreeSet<WorkerName> {
        &self.quarantined
    }

    pub(crate) fn has_waiting(&self) -> bool {
        !self.waiting.is_empty()
    }
}

/// A worker as text.
fn author(worker: &WorkerName, host: &str) -> String {
    format!("{host} {}", worker.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn ledger() -> Ledger<u64> {
        Ledger::new(&RunName("r".to_owned()), String::new())
    }

    fn worker() -> WorkerName {
        WorkerName("w".to_owned())
    }

    fn lease(ledger: &mut Ledger<u64>, len: usize) -> Option<(LeaseNumber, Vec<ItemNumber>)> {
        let lease = ledger.next_lease(len, Duration::ZERO, |_, _| true)?;
        Some((lease, ledger.wanted(lease, Duration::ZERO)))
    }

    #[test]
    fn leases_last_about_a_second_and_leave_nobody_without_work() {
        let mut ledger = ledger();
        (0..100).for_each(|work| ledger.ask(ItemNumber(work), work));
        assert_eq!(ledger.lease_len(4), 1, "nothing is known of their times");
        let (_, items) = lease(&mut ledger, 1).unwrap();
        ledger.done(items[0], &worker(), "h", Duration::from_millis(100));
        assert_eq!(ledger.lease_len(1), 10);
        assert_eq!(ledger.lease_len(50), 2, "all slots get some");
        (100..1100).for_each(|work| ledger.ask(ItemNumber(work), work));
        ledger.seconds = Some(0.0001);
        assert_eq!(ledger.lease_len(1), MAX_ITEMS);
        ledger.seconds = Some(30.0);
        assert_eq!(ledger.lease_len(1), 1);
    }

    #[test]
    fn what_is_dropped_is_not_wanted() {
        let mut ledger = ledger();
        let numbers: Vec<ItemNumber> = (0..3).map(ItemNumber).collect();
        numbers.iter().for_each(|number| ledger.ask(*number, number.0));
        let (number, _) = lease(&mut ledger, 3).unwrap();
        assert!(ledger.drop_item(numbers[1]));
        assert!(!ledger.drop_item(numbers[1]));
        assert_eq!(ledger.wanted(number, Duration::ZERO), [numbers[0], numbers[2]]);
        assert_eq!(ledger.done(numbers[1], &worker(), "h", Duration::ZERO), Worth::Nothing);
        assert_eq!(ledger.wanted(LeaseNumber(99), Duration::ZERO), []);
    }

    #[test]
    fn quarantined_workers_are_not_believed() {
        let mut ledger = ledger();
        let number = ItemNumber(7);
        ledger.ask(number, 7);
        lease(&mut ledger, 1);
        ledger.quarantine(&worker());
        assert_eq!(ledger.done(number, &worker(), "h", Duration::ZERO), Worth::Nothing);
        assert!(ledger.has_waiting());
        lease(&mut ledger, 1);
        let honest = WorkerName("honest".to_owned());
        assert_eq!(ledger.done(number, &honest, "h", Duration::ZERO), Worth::First(7));
    }

    #[test]
    fn an_item_that_everybody_declines_is_given_up() {
        let mut ledger = ledger();
        let number = ItemNumber(7);
        ledger.ask(number, 7);
        for _ in 0..MAX_DECLINED {
            lease(&mut ledger, 1);
            assert_eq!(ledger.declined(number), Decline::Again);
        }
        lease(&mut ledger, 1);
        assert_eq!(ledger.declined(number), Decline::GivenUp(7));
        assert_eq!(ledger.declined(number), Decline::Nothing);
    }

    /// What may happen to a lease.
    #[derive(Clone, Copy, Debug)]
    enum Fate {
        Done,
        Doubled,
        Lost,
        Declined,
        Late,
    }

    fn fate() -> impl Strategy<Value = Fate> {
        prop_oneof![
            Just(Fate::Done),
            Just(Fate::Doubled),
            Just(Fate::Lost),
            Just(Fate::Declined),
            Just(Fate::Late)
        ]
    }

    proptest! {
        /// Whatever happens to leases, every item is answered exactly once.
        #[test]
        fn nothing_is_lost_and_nothing_counts_twice(
            n_items in 1u64..60,
            len in 1usize..8,
            fates in proptest::collection::vec(fate(), 1..200),
        ) {
            let mut ledger = ledger();
            (0..n_items).for_each(|work| ledger.ask(ItemNumber(work), work));
            let mut answers = BTreeMap::<u64, u32>::new();
            let mut late: Vec<ItemNumber> = Vec::new();
            let hear = |ledger: &mut Ledger<u64>, number, answers: &mut BTreeMap<u64, u32>| {
                if let Worth::First(work) = ledger.done(number, &worker(), "h", Duration::ZERO) {
                    *answers.entry(work).or_default() += 1;
                }
            };
            for fate in fates.into_iter().chain(std::iter::repeat_n(Fate::Done, n_items as usize * 20)) {
                let Some((_, items)) = lease(&mut ledger, len) else {
                    ledger.send_again(Duration::ZERO);
                    continue;
                };
                for number in items {
                    match fate {
                        Fate::Done => hear(&mut ledger, number, &mut answers),
                        Fate::Doubled => (0..2).for_each(|_| hear(&mut ledger, number, &mut answers)),
                        Fate::Lost => {}
                        Fate::Declined => drop(ledger.declined(number)),
                        Fate::Late => late.push(number),
                    }
                }
            }
            late.into_iter().for_each(|number| hear(&mut ledger, number, &mut answers));
            prop_assert_eq!(answers.len() as u64 + count_given_up(&ledger, n_items, &answers), n_items);
            prop_assert!(answers.values().all(|&n| n == 1), "{:?}", answers);
        }
    }

    /// Items that were given up because too many declined them.
    fn count_given_up(ledger: &Ledger<u64>, n_items: u64, answers: &BTreeMap<u64, u32>) -> u64 {
        let is_gone =
            |work: &u64| !answers.contains_key(work) && !ledger.open.values().any(|open| open.work == *work);
        (0..n_items).filter(is_gone).count() as u64
    }
}
