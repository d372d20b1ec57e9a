//! Time limits. Below this crate there is no clock: a limit is a cancellation.

use nub_process::Cancel;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

/// How often a timer checks whether the job is paused.
const TICK: Duration = Duration::from_millis(50);

/// Raises a cancellation when a time has passed, until it is dropped. Pauses do not count.
pub struct Timer {
    _stop: Option<Sender<()>>,
}

impl Timer {
    /// Starts a timer. A limit of zero is reached immediately, not when a thread is scheduled.
    #[must_use]
    pub fn start(time: Duration, cancel: &Cancel) -> Timer {
        if time.is_zero() {
            cancel.cancel();
            return Timer { _stop: None };
        }
        let (stop, stopped) = channel::<()>();
        let cancel = cancel.clone();
        std::thread::spawn(move || {
            let mut left = time;
            while !left.is_zero() {
                let before = Instant::now();
                if stopped.recv_timeout(left.min(TICK)) == Err(RecvTimeoutError::Disconnected) {
                    return;
                }
                if !cancel.is_paused() {
                    left = left.saturating_sub(before.elapsed());
                }
            }
            cancel.cancel();
        });
        Timer { _stop: Some(stop) }
    }

    /// Starts a timer if there is a limit.
    #[must_use]
    pub fn within(limit: Option<Duration>, cancel: &Cancel) -> Option<Timer> {
        limit.map(|time| Timer::start(time, cancel))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_passes_unless_paused_or_dropped() {
        let (now, soon, dropped) = (Cancel::new(), Cancel::new(), Cancel::new());
        let _now = Timer::start(Duration::ZERO, &now);
        assert!(now.is_cancelled());
        drop(Timer::start(Duration::from_millis(1), &dropped));
        soon.pause();
        let _soon = Timer::start(Duration::from_millis(1), &soon);
        std::thread::sleep(3 * TICK);
        assert!(!dropped.is_cancelled());
        soon.resume();
        while !soon.is_cancelled() {
            std::thread::yield_now();
        }
    }
}
