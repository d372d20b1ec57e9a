//! What an oracle says, and the trait every oracle implements.

use std::time::Duration;

use nub_process::Cancel;

use crate::TimeShare;

/// Whether the failure is still present.
///
/// `Fails` is the good answer for a reducer: the candidate still shows the bug.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// The failure is still present.
    Fails,
    /// The failure is gone.
    Passes,
    /// The oracle cannot tell. Never remembered, never accepted.
    Unsure(Doubt),
}

impl Verdict {
    /// True only for [`Verdict::Fails`].
    #[must_use]
    pub fn fails(&self) -> bool {
        matches!(self, Verdict::Fails)
    }

    /// True for an answer worth remembering: `Fails` or `Passes`.
    #[must_use]
    pub fn is_sure(&self) -> bool {
        !matches!(self, Verdict::Unsure(_))
    }
}

/// Why a verdict is [`Verdict::Unsure`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Doubt {
    /// The run was cancelled before it ended.
    Cancelled,
    /// The environment failed: a file could not be written or a program not started. The text says what.
    Environment(String),
    /// Repeated runs on the same bytes disagreed.
    Disagreement,
    /// A measured time lies too close to the threshold to call.
    NearThreshold,
}

/// A verdict and what it cost.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OracleAnswer {
    /// What the oracle says.
    pub verdict: Verdict,
    /// Time from start to end, over all runs this answer needed.
    pub wall: Duration,
    /// Processor time of those runs.
    pub cpu: Duration,
    /// The time of the longest of those runs: time limits are derived from it.
    pub longest: Duration,
}

impl OracleAnswer {
    /// An answer that cost nothing.
    #[must_use]
    pub fn free(verdict: Verdict) -> OracleAnswer {
        OracleAnswer::of_one_run(verdict, Duration::ZERO, Duration::ZERO)
    }

    /// An answer that needed one run.
    #[must_use]
    pub fn of_one_run(verdict: Verdict, wall: Duration, cpu: Duration) -> OracleAnswer {
        OracleAnswer { verdict, wall, cpu, longest: wall }
    }
}

/// What was done with a worker's idle time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum IdleTime {
    /// A run was started. Another one may be due.
    Used,
    /// There was nothing to do.
    NothingDue,
}

/// Something that can tell whether a candidate still fails.
///
/// Called by many workers at once. The candidate is the bytes given; an oracle never relies on files from an
/// earlier ask.
pub trait Oracle: Sync {
    /// Judges `candidate`. Returns soon after `cancel` is raised, then with `Unsure(Cancelled)`.
    fn ask(&self, candidate: &[u8], cancel: &Cancel) -> OracleAnswer;

    /// Like [`Oracle::ask`], but with a share of the full time, for failures that are about taking long: `Passes` holds for
    /// the full time as well, `Fails` may not. Other oracles ignore the share.
    fn ask_within(&self, _share: TimeShare, candidate: &[u8], cancel: &Cancel) -> OracleAnswer {
        self.ask(candidate, cancel)
    }

    /// The smallest share of the time that is worth asking with.
    fn least_share(&self) -> TimeShare {
        TimeShare::FULL
    }

    /// Whether runs on the same bytes have disagreed: then answers given before may be wrong.
    fn has_disagreed(&self) -> bool {
        false
    }

    /// Makes a run that is due but that no answer waits for. Called by idle workers.
    fn use_idle_time(&self, _cancel: &Cancel) -> IdleTime {
        IdleTime::NothingDue
    }

    /// The hash of everything that the verdict on `candidate` depends on: of its bytes, and of whatever else may change between two
    /// sessions.
    fn identity(&self, candidate: &[u8]) -> [u8; 32] {
        *blake3::hash(candidate).as_bytes()
    }

    /// A candidate that took this long was accepted. An automatic time limit may follow it.
    fn took(&self, _wall: Duration) {}
}

impl<O: Oracle + ?Sized> Oracle for &O {
    fn ask(&self, candidate: &[u8], cancel: &Cancel) -> OracleAnswer {
        (**self).ask(candidate, cancel)
    }

    fn ask_within(&self, share: TimeShare, candidate: &[u8], cancel: &Cancel) -> OracleAnswer {
        (**self).ask_within(share, candidate, cancel)
    }

    fn least_share(&self) -> TimeShare {
        (**self).least_share()
    }

    fn has_disagreed(&self) -> bool {
        (**self).has_disagreed()
    }

    fn use_idle_time(&self, cancel: &Cancel) -> IdleTime {
        (**self).use_idle_time(cancel)
    }

    fn identity(&self, candidate: &[u8]) -> [u8; 32] {
        (**self).identity(candidate)
    }

    fn took(&self, wall: Duration) {
        (**self).took(wall);
    }
}
