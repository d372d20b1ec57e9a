//! Stopping runs from another thread.

use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use rustix::event::{EventfdFlags, eventfd};

/// A request to stop, shared by clones. It cannot be withdrawn: use a new one for new runs.
///
/// The first stage, [`cancel`](Cancel::cancel), stops runs as a limit does: SIGTERM, the grace period,
/// SIGKILL. The second, [`cancel_now`](Cancel::cancel_now), skips the grace period.
///
/// Work can also be paused: until it is resumed, [`is_cancelled`](Cancel::is_cancelled) does not return, so all code that
/// checks for cancellation waits there, and no run is started. A run that is already in progress continues, under its limits.
#[derive(Clone, Debug)]
pub struct Cancel {
    stages: Arc<Stages>,
    gate: Arc<Gate>,
}

#[derive(Debug)]
struct Stages {
    soft: Event,
    hard: Event,
}

impl Cancel {
    /// A request that has not been raised.
    #[must_use]
    pub fn new() -> Cancel {
        Cancel { stages: Arc::new(Stages { soft: Event::new(), hard: Event::new() }), gate: Arc::default() }
    }

    /// Another request, which is paused together with this one.
    #[must_use]
    pub fn sibling(&self) -> Cancel {
        Cancel { gate: Arc::clone(&self.gate), ..Cancel::new() }
    }

    /// Pauses all work that checks this request or its siblings, until [`resume`](Cancel::resume) or a request to
    /// stop.
    pub fn pause(&self) {
        *self.gate.closed() = true;
        self.gate.is_closed.store(true, Ordering::SeqCst);
    }

    /// Lets paused work continue.
    pub fn resume(&self) {
        *self.gate.closed() = false;
        self.gate.is_closed.store(false, Ordering::SeqCst);
        self.gate.opened.notify_all();
    }

    /// Whether work is paused.
    #[must_use]
    pub fn is_paused(&self) -> bool {
        self.gate.is_closed.load(Ordering::SeqCst)
    }

    /// Stops current runs, and those that start later.
    pub fn cancel(&self) {
        self.stages.soft.raise();
        self.gate.wake();
    }

    /// Stops current runs without waiting for their grace period.
    pub fn cancel_now(&self) {
        self.stages.hard.raise();
        self.stages.soft.raise();
        self.gate.wake();
    }

    /// Whether [`cancel`](Cancel::cancel) or [`cancel_now`](Cancel::cancel_now) was called. Waits while work is paused.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        if self.is_paused() {
            let mut closed = self.gate.closed();
            while *closed && !self.stages.soft.is_raised() {
                closed = self.gate.opened.wait(closed).unwrap_or_else(PoisonError::into_inner);
            }
        }
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

/// Closed while work is paused.
#[derive(Debug, Default)]
struct Gate {
    closed: Mutex<bool>,
    opened: Condvar,
    /// The same as `closed`, so that checking an open gate needs no lock.
    is_closed: AtomicBool,
}

impl Gate {
    fn closed(&self) -> MutexGuard<'_, bool> {
        self.closed.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes waiting threads check whether they should stop. Takes the lock, so that no thread is between its check
    /// and its wait.
    fn wake(&self) {
        let closed = self.closed();
        self.opened.notify_all();
        drop(closed);
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
    /// `None` if no descriptor was available; then the poll loop checks the flag periodically.
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
