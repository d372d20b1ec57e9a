//! The wall-time limit, which adapts to the runs.
//!
//! Starts at 1.5 x (golden + 1 s). As accepted candidates get faster, the limit falls: to the larger of 4 x
//! and + 1 s of the slowest of the last three accepted runs, never above the first limit. For hangs it stays
//! the same: there the limit defines the failure.
//!
//! A run that it stops counts as passing, so it should be far above what failing runs take on a machine that the workers keep fully busy.
//! With 2 x and 0.3 s `cvc5-issue12648` (0.03 s per run) made different asks with 4, 16 and 64 workers than with one, and with 64 it gave a
//! different result; with a fixed limit of 60 s this did not happen with 16 and 64. So this limit is the likely cause, but each was a
//! single run on a loaded machine, and it has not been shown that 4 x and 1 s are enough: no limit in wall time makes verdicts independent
//! of the load. A `--timeout` that is long enough does.

use std::sync::Mutex;
use std::time::Duration;

/// Accepted runs that are remembered. One lucky fast run must not set the limit.
const N_REMEMBERED: usize = 3;
const FACTOR: u32 = 4;
const LEAST_SLACK: Duration = Duration::from_secs(1);
const START_SLACK: Duration = Duration::from_secs(1);

/// A limit that only falls. Shared by threads.
#[derive(Debug)]
pub struct WallLimit {
    first: Duration,
    adapts: bool,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    accepted: Vec<Duration>,
    lowered: Option<Duration>,
}

impl WallLimit {
    /// A limit that stays.
    #[must_use]
    pub fn fixed(limit: Duration) -> WallLimit {
        WallLimit { first: limit, adapts: false, state: Mutex::default() }
    }

    /// The limit that follows from the slowest golden run.
    #[must_use]
    pub fn from_golden(golden: Duration) -> WallLimit {
        WallLimit { first: (golden + START_SLACK).mul_f64(1.5), adapts: true, state: Mutex::default() }
    }

    /// The limit now.
    #[must_use]
    pub fn current(&self) -> Duration {
        self.lock().lowered.unwrap_or(self.first)
    }

    /// The limit at the start; confirmations use it.
    #[must_use]
    pub fn first(&self) -> Duration {
        self.first
    }

    /// An accepted candidate took this long.
    pub fn accepted(&self, wall: Duration) {
        if !self.adapts {
            return;
        }
        let mut state = self.lock();
        if state.accepted.len() == N_REMEMBERED {
            state.accepted.remove(0);
        }
        state.accepted.push(wall);
        if state.accepted.len() < N_REMEMBERED {
            return;
        }
        let slowest = state.accepted.iter().max().copied().unwrap_or(wall);
        let wanted = (slowest * FACTOR).max(slowest + LEAST_SLACK);
        let limit = state.lowered.unwrap_or(self.first).min(wanted);
        state.lowered = Some(limit);
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, State> {
        // The state is consistent after every line above, so a poisoned lock can be used.
        self.state.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(n: u64) -> Duration {
        Duration::from_millis(n)
    }

    #[test]
    fn falls_and_never_rises() {
        let limit = WallLimit::from_golden(ms(1000));
        assert_eq!(limit.current(), ms(3000));
        for _ in 0..3 {
            limit.accepted(ms(500));
        }
        assert_eq!(limit.current(), ms(2000));
        limit.accepted(ms(10));
        assert_eq!(limit.current(), ms(2000), "the slowest of the last three counts");
        limit.accepted(ms(10));
        limit.accepted(ms(10));
        assert_eq!(limit.current(), ms(1010));
        for _ in 0..3 {
            limit.accepted(ms(5000));
        }
        assert_eq!(limit.current(), ms(1010));
        assert_eq!(limit.first(), ms(3000));
    }

    #[test]
    fn fixed_stays() {
        let limit = WallLimit::fixed(ms(700));
        for _ in 0..9 {
            limit.accepted(ms(1));
        }
        assert_eq!(limit.current(), ms(700));
    }
}
