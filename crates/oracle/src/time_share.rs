//! The share of the full time limit that a run gets when the failure is that the command takes long.
//!
//! A run that takes longer than the limit takes longer than half of it. So a candidate that ends within a share of the time
//! certainly passes, while one that does not might still pass within the full time. A search can therefore use a short limit most
//! of the time and check with the full limit only occasionally.

use std::time::Duration;

/// The smallest share is 1/32: below that, a solver that is merely busy looks as if it hung.
const MOST_HALVINGS: u32 = 5;
/// A limit below this measures the machine rather than the run.
const LEAST_LIMIT: Duration = Duration::from_millis(100);
/// The limit is this many times what runs that end by themselves take.
const MARGIN: u32 = 4;

/// A share of the full time: all of it, a half, a quarter, and so on.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct TimeShare {
    halvings: u32,
}

impl TimeShare {
    /// All of it.
    pub const FULL: TimeShare = TimeShare { halvings: 0 };

    /// The share after halving the time `halvings` times.
    #[must_use]
    pub fn halved(halvings: u32) -> TimeShare {
        TimeShare { halvings: halvings.min(MOST_HALVINGS) }
    }

    /// The smallest share of `full` that is well above the times of runs that ended by themselves.
    #[must_use]
    pub fn above(quick: &[Duration], full: Duration) -> TimeShare {
        let quickest_limit = quick.iter().max().copied().unwrap_or_default().saturating_mul(MARGIN);
        let least = quickest_limit.max(LEAST_LIMIT);
        let fits = |share: &TimeShare| share.of(full) >= least;
        (1..=MOST_HALVINGS).rev().map(TimeShare::halved).find(fits).unwrap_or(TimeShare::FULL)
    }

    /// How often the time is halved.
    #[must_use]
    pub fn halvings(self) -> u32 {
        self.halvings
    }

    /// Whether this is all of it.
    #[must_use]
    pub fn is_full(self) -> bool {
        self == TimeShare::FULL
    }

    /// Whether this share is smaller than another.
    #[must_use]
    pub fn is_less_than(self, other: TimeShare) -> bool {
        self.halvings > other.halvings
    }

    /// Twice this share, and never more than all.
    #[must_use]
    pub fn doubled(self) -> TimeShare {
        TimeShare { halvings: self.halvings.saturating_sub(1) }
    }

    /// This share of a time.
    #[must_use]
    pub fn of(self, full: Duration) -> Duration {
        full / (1 << self.halvings)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(n: u64) -> Duration {
        Duration::from_millis(n)
    }

    #[test]
    fn a_share_is_well_above_what_quick_runs_take() {
        let chosen = |quick: &[Duration], full| TimeShare::above(quick, full).of(full);
        assert_eq!(chosen(&[], ms(32_000)), ms(1000), "a 32nd at least");
        assert_eq!(chosen(&[ms(20)], ms(5000)).as_micros(), 156_250);
        assert_eq!(chosen(&[ms(20), ms(100)], ms(5000)).as_micros(), 625_000);
        assert_eq!(chosen(&[ms(20)], ms(150)), ms(150), "too short to be shared");
        assert_eq!(chosen(&[ms(4000)], ms(5000)), ms(5000));
    }

    #[test]
    fn doubling_ends_with_the_full_time() {
        let mut share = TimeShare::halved(9);
        let mut limits = vec![share.of(ms(3200))];
        while !share.is_full() {
            share = share.doubled();
            limits.push(share.of(ms(3200)));
        }
        assert_eq!(limits, [ms(100), ms(200), ms(400), ms(800), ms(1600), ms(3200)]);
        assert_eq!(share.doubled(), TimeShare::FULL);
    }
}
