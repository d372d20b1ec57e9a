//! Simulations with a flaky oracle. Seeded, and with simulated run times, so that the figures are the same
//! everywhere.

use super::*;
use crate::FlakyPolicy;
use nub_random::Rng;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Fails with probability `p` in a thousand on files that hold an `x`, never on others.
struct Flaky {
    rng: Mutex<Rng>,
    p: u64,
    /// What a run claims to take, per byte of the file.
    wall_per_byte: Duration,
    n_runs: AtomicU64,
}

impl Flaky {
    fn new(seed: u64, p: u64, wall_per_byte: Duration) -> Flaky {
        Flaky { rng: Mutex::new(Rng::new(seed)), p, wall_per_byte, n_runs: AtomicU64::new(0) }
    }
}

impl Oracle for Flaky {
    fn ask(&self, candidate: &[u8], _cancel: &Cancel) -> OracleAnswer {
        self.n_runs.fetch_add(1, Ordering::Relaxed);
        let fails = candidate.contains(&b'x') && self.rng.lock().unwrap().below(1000) < self.p;
        let verdict = if fails { Verdict::Fails } else { Verdict::Passes };
        let wall = self.wall_per_byte * u32::try_from(candidate.len()).unwrap();
        OracleAnswer::of_one_run(verdict, wall, wall)
    }
}

/// Starts as a session does: two runs on the original. `None` if they already disagree or both pass.
fn start(inner: Flaky, policy: FlakyPolicy, original: &[u8]) -> Option<VotingOracle<Flaky>> {
    let cancel = Cancel::new();
    let wall = inner.wall_per_byte * u32::try_from(original.len()).unwrap();
    let confirmation = Confirmation::collect(2, || inner.ask(original, &cancel).verdict);
    let watch = WatchLevel::new(policy, wall);
    confirmation
        .is_full()
        .then(|| VotingOracle::new(inner, original, Stability::Steady { n: 2 }, Votes::default(), watch))
}

const N_SESSIONS: u64 = 5_000;

/// How many sessions are not labelled flaky within `n_asks` asks, of which one in `every` contains the bug. A run
/// takes `wall`.
fn n_missed(policy: FlakyPolicy, (n_asks, every): (u32, u32), wall: Duration) -> u64 {
    let cancel = Cancel::new();
    let is_missed = |seed: &u64| {
        let Some(oracle) = start(Flaky::new(seed * 7_919, 900, wall), policy, b"x") else { return false };
        for ask_idx in 0..n_asks {
            let candidate: &[u8] = if ask_idx % every == 0 { b"x" } else { b"y" };
            let _ = oracle.ask(candidate, &cancel);
            if oracle.flakiness().is_flaky() {
                return false;
            }
        }
        true
    };
    (0..N_SESSIONS).filter(is_missed).count() as u64
}

#[track_caller]
fn check_99_of_100(policy: FlakyPolicy, asks: (u32, u32), wall: Duration) {
    let n_missed = n_missed(policy, asks, wall);
    assert!(n_missed * 100 <= N_SESSIONS, "{n_missed} of {N_SESSIONS}: {policy:?} {asks:?} {wall:?}");
    assert!(n_missed > 0, "47 runs cannot be that sure: the simulation is wrong");
}

#[test]
fn labelled_within_20_asks_in_99_of_100_runs() {
    for every in [1, 2, 5, 20] {
        let asks = (crate::PROBATION_ASKS, every);
        for wall in [Duration::from_millis(1), Duration::from_secs(1)] {
            check_99_of_100(FlakyPolicy::Allow, asks, wall);
        }
        check_99_of_100(FlakyPolicy::Refuse, asks, Duration::from_millis(1));
    }
}

#[test]
fn unsuspected_slow_oracles_are_labelled_within_450_asks() {
    check_99_of_100(FlakyPolicy::Refuse, (450, 5), Duration::from_secs(1));
    // One in three within 20 already, most of them by the two runs at the start.
    assert!(n_missed(FlakyPolicy::Refuse, (20, 2), Duration::from_secs(1)) * 3 < N_SESSIONS * 2);
}

#[test]
fn steady_oracles_are_never_labelled_and_cost_a_tenth_more() {
    for (policy, n_extra) in [(FlakyPolicy::Allow, 45), (FlakyPolicy::Refuse, 20)] {
        let oracle = start(Flaky::new(1, 1000, Duration::from_secs(1)), policy, b"x").unwrap();
        for _ in 0..100 {
            assert!(oracle.ask(b"x", &Cancel::new()).verdict.fails());
            assert!(!oracle.ask(b"y", &Cancel::new()).verdict.fails());
        }
        assert!(!oracle.flakiness().is_flaky());
        assert_eq!(oracle.inner().n_runs.load(Ordering::Relaxed), 2 + 200 + n_extra);
    }
}

#[test]
fn extra_runs_cost_little_once_the_file_is_small() {
    // Every second ask fails and halves the file; a run takes 1 ms per byte.
    let original = vec![b'x'; 1024];
    let oracle = start(Flaky::new(1, 1000, Duration::from_millis(1)), FlakyPolicy::Allow, &original).unwrap();
    let (mut size, mut asked, mut extra) = (1024, Duration::ZERO, Duration::ZERO);
    for ask_idx in 0..30 {
        let byte = if ask_idx % 2 == 0 { b'x' } else { b'y' };
        size = if ask_idx % 2 == 0 { (size / 2).max(1) } else { size };
        let candidate = vec![byte; size];
        let answer = oracle.ask(&candidate, &Cancel::new());
        let first = Duration::from_millis(size as u64);
        (asked, extra) = (asked + first, extra + (answer.wall - first));
        assert_eq!(answer.longest, first, "a time limit follows one run, not the sum");
        if answer.verdict.fails() {
            oracle.accepted(&Arc::new(candidate.clone()));
        }
    }
    // Five early steps run twice, and forty runs on files of at most 16 bytes: less than the asks themselves.
    assert!(extra < asked.mul_f64(0.8), "{extra:?} beside {asked:?}");
    assert_eq!(oracle.inner().n_runs.load(Ordering::Relaxed), 2 + 30 + 45);
}

#[test]
fn votes_never_accept_a_passing_file_and_mostly_accept_a_failing_one() {
    let start = Stability::Flaky { fails: 5, n: 7 };
    let flaky = Flaky::new(3, 700, Duration::ZERO);
    let oracle = VotingOracle::new(flaky, b"xxxxxxxxxxxxxxxx", start, Votes::default(), WatchLevel::Off);
    let cancel = Cancel::new();
    let n_accepted = (0..1000).filter(|_| oracle.ask(b"x", &cancel).verdict.fails()).count();
    // Two of five at p = 0.7: 1 - 0.3^5 - 5 * 0.7 * 0.3^4 = 0.969.
    assert!(n_accepted > 940, "{n_accepted}");
    assert!((0..1000).all(|_| !oracle.ask(b"y", &cancel).verdict.fails()));
}

#[test]
fn idle_workers_find_flakiness_that_no_answer_waited_for() {
    let cancel = Cancel::new();
    let inner = Flaky::new(1, 1000, Duration::from_secs(1));
    let oracle = start(inner, FlakyPolicy::Refuse, b"x").unwrap().with_workers(2);
    assert_eq!(oracle.use_idle_time(&cancel), IdleTime::NothingDue);
    for _ in 0..12 {
        assert_eq!(oracle.ask(b"y", &cancel).wall, Duration::from_secs(1), "one run");
    }
    assert_eq!(oracle.use_idle_time(&cancel), IdleTime::Used);
    assert_eq!(oracle.use_idle_time(&cancel), IdleTime::NothingDue);
    assert!(!oracle.flakiness().is_flaky());
    // From now on no run fails: the next extra run notices.
    oracle.accepted(&Arc::new(b"y".to_vec()));
    for _ in 0..12 {
        let _ = oracle.ask(b"y", &cancel);
    }
    assert_eq!(oracle.use_idle_time(&cancel), IdleTime::Used);
    assert!(oracle.flakiness().is_flaky());
    assert_eq!(oracle.use_idle_time(&cancel), IdleTime::NothingDue, "votes decide now");
}

#[test]
fn small_gains_get_no_second_chance() {
    let start = Stability::Flaky { fails: 1, n: 7 };
    let votes = Votes { needed: 1, votes: 1, second_chance: 9 };
    let flaky = Flaky::new(3, 0, Duration::ZERO);
    let oracle = VotingOracle::new(flaky, b"xxxxxxxxxxxxxxxxxxxx", start, votes, WatchLevel::Off);
    let _ = oracle.ask(b"xxxxxxxxxxxxxxxxxxx", &Cancel::new());
    assert_eq!(oracle.inner().n_runs.load(Ordering::Relaxed), 1);
    let _ = oracle.ask(b"x", &Cancel::new());
    assert_eq!(oracle.inner().n_runs.load(Ordering::Relaxed), 11);
}
