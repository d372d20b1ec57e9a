//! Stopping runs from another thread.

use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rustix::event::{EventfdFlags, eventfd};

/// A wish to stop, shared by clones. It is never taken back: use a new one for new runs.
///
/// The first stage, [`cancel`](Cancel::cancel), stops runs as a limit does: SIGTERM, the
/// grace period, SIGKILL. The second, [`cancel_now`](Cancel::cancel_now), skips the grace.
#[derive(Clone, Debug)]
pub struct Cancel {
    stages: Arc<Stages>,
}

#[derive(Debug)]
struct Stages {
    soft: Event,
    hard: Event,
}

impl Cancel {
    /// A wish not yet made.
    #[must_use]
    pub fn new() -> Cancel {
        Cancel { stages: Arc::new(Stages { soft: Event::new(), hard: Event::new() }) }
    }

    /// Stops current runs, and those that start later.
    pub fn cancel(&self) {
        self.stages.soft.raise();
    }

    /// Stops current runs without waiting for their grace period.
    pub fn cancel_now(&self) {
        self.stages.hard.raise();
        self.stages.soft.raise();
    }

    /// Whether [`cancel`](Cancel::cancel) or [`cancel_now`](Cancel::cancel_now) was called.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.stages.soft.is_raised()
    }

    /// Whether [`cancel_now`](Cancel::cancel_now) was called.
    #[must_use]
    pub fn is_cancelled_now(&self) -> bool {
        self.stages.hard.is_raised()
    }

    pub(crate) fn soft(&self) -> &Event {
        &self.stages.soft
    }

    pub(crate) fn hard(&self) -> &Event {
        &self.stages.hard
    }
}

impl Default for Cancel {
    fn default() -> Cancel {
        Cancel::new()
    }
}

/// A flag that can be polled. Once raised its descriptor stays readable, for every run.
#[derive(Debug)]
pub(crate) struct Event {
    raised: AtomicBool,
    /// `None` when we are out of descriptors; then the poll loop looks at the flag now and then.
    wake: Option<OwnedFd>,
}

impl Event {
    fn new() -> Event {
        let wake = eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK).ok();
        Event { raised: AtomicBool::new(false), wake }
    }

    fn raise(&self) {
        if self.raised.swap(true, Ordering::SeqCst) {
            return;
        }
        if let Some(wake) = &self.wake {
            // Cannot fail: the counter is zero, so there is room for one more.
            let _ = rustix::io::write(wake, &1u64.to_ne_bytes());
        }
    }

    pub(crate) fn is_raised(&self) -> bool {
        self.raised.load(Ordering::SeqCst)
    }

    pub(crate) fn descriptor(&self) -> Option<BorrowedFd<'_>> {
        self.wake.as_ref().map(AsFd::as_fd)
    }
}
