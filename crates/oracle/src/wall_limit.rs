//! The wall limit that follows the runs.
//!
//! Starts at 1.5 x (golden + 1 s). As accepted candidates get faster, runs that would take long are stopped
//! sooner: max(4 x, + 1 s) of the slowest of the last three accepted runs, never above the first limit. For
//! hangs it stays: there the limit is the failure itself.
//!
//! A run that is stopped by it counts as one that passes, so it should be far above what failing runs take on a machine that the
//! workers themselves fill. With 2 x and 0.3 s `cvc5-issue12648` (0.03 s per run) needed other asks with 4, 16 and 64 workers than with one, and
//! with 64 it gave another result; with a fixed limit of 60 s it did not with 16 and 64. This limit is therefore the likely cause, but it was one run
//! each, on a loaded machine, and nobody has shown that 4 x and 1 s are enough: no limit that follows the clock makes verdicts independent
//! of the load. `--timeout` does, if it is long enough.

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
        // The state is whole after every line above, so a poisoned lock is as good as a sound one.
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
