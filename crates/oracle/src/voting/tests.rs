//! Simulations with a flaky oracle. Seeded, so that the figures are the same everywhere.

use super::*;
use std::sync::atomic::{AtomicU64, Ordering};

/// Fails with probability `p` in a thousand on files that hold an `x`, never on others.
struct Flaky {
    state: AtomicU64,
    p: u64,
    n_runs: AtomicU64,
}

impl Flaky {
    fn new(seed: u64, p: u64) -> Flaky {
        Flaky { state: AtomicU64::new(seed), p, n_runs: AtomicU64::new(0) }
    }
}

/// One step of SplitMix64.
fn next(state: &AtomicU64) -> u64 {
    let mut z = state.fetch_add(0x9e37_79b9_7f4a_7c15, Ordering::Relaxed).wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

impl Oracle for Flaky {
    fn ask(&self, candidate: &[u8], _cancel: &Cancel) -> Answer {
        self.n_runs.fetch_add(1, Ordering::Relaxed);
        let fails = candidate.contains(&b'x') && next(&self.state) % 1000 < self.p;
        Answer::free(if fails { Verdict::Fails } else { Verdict::Passes })
    }
}

/// Starts as a session does: two runs on the original. `None` if they already disagree or both pass.
fn start(seed: u64, p: u64) -> Option<VotingOracle<Flaky>> {
    let inner = Flaky::new(seed, p);
    let confirmation = Confirmation::collect(2, || inner.ask(b"xx", &Cancel::new()).verdict);
    let options = (Votes::default(), Watch::Probation { runs: 45 });
    confirmation.is_full().then(|| VotingOracle::new(inner, b"xx", Stability::Steady { n: 2 }, options))
}

#[test]
fn labelled_within_20_asks_in_99_of_100_runs() {
    let n_sessions = 5_000;
    let mut n_missed = 0;
    for seed in 0..n_sessions {
        let Some(oracle) = start(seed * 7_919, 900) else { continue };
        let cancel = Cancel::new();
        for ask_idx in 0..20 {
            // Half of the candidates have lost the bug.
            let candidate: &[u8] = if ask_idx % 2 == 0 { b"x" } else { b"y" };
            let _ = oracle.ask(candidate, &cancel);
        }
        n_missed += u64::from(!oracle.flakiness().is_flaky());
    }
    assert!(n_missed * 100 <= n_sessions, "{n_missed} of {n_sessions} missed");
}

#[test]
fn steady_oracles_are_never_labelled_and_cost_45_more_runs() {
    let oracle = start(1, 1000).unwrap();
    for _ in 0..100 {
        assert!(oracle.ask(b"x", &Cancel::new()).verdict.fails());
        assert!(!oracle.ask(b"y", &Cancel::new()).verdict.fails());
    }
    assert!(!oracle.flakiness().is_flaky());
    assert_eq!(oracle.inner().n_runs.load(Ordering::Relaxed), 2 + 200 + 45);
}

#[test]
fn votes_never_accept_a_passing_file_and_mostly_accept_a_failing_one() {
    let start = Stability::Flaky { fails: 5, n: 7 };
    let options = (Votes::default(), Watch::Probation { runs: 45 });
    let oracle = VotingOracle::new(Flaky::new(3, 700), b"xxxxxxxxxxxxxxxx", start, options);
    let cancel = Cancel::new();
    let n_accepted = (0..1000).filter(|_| oracle.ask(b"x", &cancel).verdict.fails()).count();
    // Two of five at p = 0.7: 1 - 0.3^5 - 5 * 0.7 * 0.3^4 = 0.969.
    assert!(n_accepted > 940, "{n_accepted}");
    assert!((0..1000).all(|_| !oracle.ask(b"y", &cancel).verdict.fails()));
}

#[test]
fn small_gains_get_no_second_chance() {
    let start = Stability::Flaky { fails: 1, n: 7 };
    let options = (Votes { needed: 1, votes: 1, second_chance: 9 }, Watch::Off);
    let oracle = VotingOracle::new(Flaky::new(3, 0), b"xxxxxxxxxxxxxxxxxxxx", start, options);
    let _ = oracle.ask(b"xxxxxxxxxxxxxxxxxxx", &Cancel::new());
    assert_eq!(oracle.inner().n_runs.load(Ordering::Relaxed), 1);
    let _ = oracle.ask(b"x", &Cancel::new());
    assert_eq!(oracle.inner().n_runs.load(Ordering::Relaxed), 11);
}
