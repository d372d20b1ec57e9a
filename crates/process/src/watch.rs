//! The poll loop: one thread waits for the end of a child, reads and writes its streams, and enforces its
//! limits.

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::process::Child;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, PidfdFlags, Signal, kill_process_group, pidfd_open};

use crate::cancel::{Cancel, Event};
use crate::command::ChildInput;
use crate::family::Membership;
use crate::limits::ProcessLimits;
use crate::outcome::ProcessEnd;
use crate::pipes::{Capture, Feed, Scratch};
use crate::procfs::{self, Stat};
use crate::sample::Sampler;
use crate::tree::{self, MAX_TREE};

/// How long we wait for a killed child; one that is stuck in the kernel is abandoned.
const KILL_LIMIT: Duration = Duration::from_secs(10);
/// A longer grace period is cut to this.
const LONGEST_GRACE: Duration = Duration::from_secs(24 * 60 * 60);
/// The wall limit is extended by at most this many times itself, and by at least this fraction of it.
const MAX_STRETCH: u32 = 8;
const MIN_STRETCH: u32 = 16;
/// For how many processes of a run we read how long they waited for a processor.
const MAX_LOOK: usize = 64;
/// How often we look at a cancel flag that could not get a descriptor.
const FLAG_PERIOD: Duration = Duration::from_millis(20);

/// The limits of a run, and which processes belong to it.
#[derive(Clone, Copy)]
pub(crate) struct WatchRules<'a> {
    pub limits: &'a ProcessLimits,
    pub cancel: &'a Cancel,
    pub membership: &'a Membership,
}

/// A child being watched.
pub(crate) struct Watch<'a> {
    limits: &'a ProcessLimits,
    cancel: &'a Cancel,
    membership: &'a Membership,
    start: Instant,
    child: Pid,
    process: OwnedFd,
    feed: Option<Feed>,
    pub stdout: Capture,
    pub stderr: Capture,
    scratch: Scratch,
    pub sampler: Sampler,
    phase: Phase,
    /// How much the wall limit has been extended.
    stretch: Duration,
}

/// How far the child is from its end. `at` is when the next phase begins.
#[derive(Clone, Copy)]
enum Phase {
    Running,
    /// Has SIGTERM, may clean up.
    Ending {
        reason: ProcessEnd,
        at: Instant,
    },
    /// Has SIGKILL.
    Killed {
        reason: ProcessEnd,
        at: Instant,
    },
}

impl<'a> Watch<'a> {
    pub(crate) fn new(
        child: &mut Child,
        input: &ChildInput,
        start: Instant,
        WatchRules { limits, cancel, membership }: WatchRules<'a>,
    ) -> io::Result<Watch<'a>> {
        let missing = || io::Error::other("a standard stream has no pipe");
        let feed = match (child.stdin.take(), input) {
            (Some(pipe), ChildInput::Bytes(bytes)) => Some(Feed::new(pipe.into(), bytes.clone())?),
            _ => None,
        };
        let pid = Pid::from_child(child);
        Ok(Watch {
            limits,
            cancel,
            membership,
            start,
            child: pid,
            process: pidfd_open(pid, PidfdFlags::empty())?,
            feed,
            stdout: Capture::new(child.stdout.take().ok_or_else(missing)?.into(), limits.keep_output)?,
            stderr: Capture::new(child.stderr.take().ok_or_else(missing)?.into(), limits.keep_output)?,
            scratch: Scratch::default(),
            sampler: Sampler::new(limits, start),
            phase: Phase::Running,
            stretch: Duration::ZERO,
        })
    }

    /// Waits until the child is dead (or abandoned) and returns why we stopped it, if we did.
    ///
    /// Does not wait for the end of the streams: background processes may hold them open.
    pub(crate) fn until_end(&mut self) -> io::Result<Option<ProcessEnd>> {
        if let Some(feed) = &mut self.feed {
            feed.write();
        }
        loop {
            if self.poll()? {
                break;
            }
            self.advance(Instant::now());
            if matches!(self.phase, Phase::Killed { at, .. } if Instant::now() >= at) {
                break;
            }
        }
        self.stdout.drain(&mut self.scratch);
        self.stderr.drain(&mut self.scratch);
        Ok(match self.phase {
            Phase::Running => self.passes_output().then_some(ProcessEnd::OutputLimit),
            Phase::Ending { reason, .. } | Phase::Killed { reason, .. } => Some(reason),
        })
    }

    /// Waits for the next event and moves bytes. Returns whether the child is dead.
    fn poll(&mut self) -> io::Result<bool> {
        let timeout = self.wake_at().map(|at| at.saturating_duration_since(Instant::now()));
        let timeout = timeout.and_then(|timeout| Timespec::try_from(timeout).ok());
        let mut polled = Vec::with_capacity(5);
        let process = add(&mut polled, Some(self.process.as_fd()), PollFlags::IN);
        let stdout = add(&mut polled, self.stdout.pipe.as_ref().map(AsFd::as_fd), PollFlags::IN);
        let stderr = add(&mut polled, self.stderr.pipe.as_ref().map(AsFd::as_fd), PollFlags::IN);
        let feed = self.feed.as_ref().and_then(|feed| feed.pipe.as_ref());
        let feed = add(&mut polled, feed.map(AsFd::as_fd), PollFlags::OUT);
        add(&mut polled, self.cancel_event().and_then(Event::descriptor), PollFlags::IN);
        rustix::io::retry_on_intr(|| poll(&mut polled, timeout.as_ref()))?;

        let is_ready = |slot: Option<usize>| slot.is_some_and(|slot| !polled[slot].revents().is_empty());
        let (process, stdout, stderr, feed) =
            (is_ready(process), is_ready(stdout), is_ready(stderr), is_ready(feed));
        if stdout {
            self.stdout.read(&mut self.scratch);
        }
        if stderr {
            self.stderr.read(&mut self.scratch);
        }
        if feed && let Some(feed) = &mut self.feed {
            feed.write();
        }
        Ok(process)
    }

    /// When to wake even if nothing happens; `None` for never.
    fn wake_at(&self) -> Option<Instant> {
        let flag = self.cancel_event().filter(|event| event.descriptor().is_none());
        let flag = flag.map(|_| Instant::now() + FLAG_PERIOD);
        let next = match self.phase {
            Phase::Running => self.wall_end(),
            Phase::Ending { at, .. } | Phase::Killed { at, .. } => Some(at),
        };
        let sample = match self.phase {
            Phase::Killed { .. } => None,
            _ => self.sampler.due(),
        };
        [flag, next, sample].into_iter().flatten().min()
    }

    fn wall_end(&self) -> Option<Instant> {
        // A limit too long for the clock counts as no limit.
        self.limits.wall.and_then(|wall| self.start.checked_add(wall.saturating_add(self.stretch)))
    }

    /// Extends the wall limit by the time that processes of the run were runnable but not scheduled, so that load on the
    /// machine does not stop a run. Measured only when the limit is reached; returns true if the run gets more time.
    fn stretches(&mut self, now: Instant) -> bool {
        let Some(wall) = self.limits.wall else { return false };
        let tree = self.membership.tree(self.child, MAX_LOOK);
        let delay = tree.processes.iter().map(|process| procfs::delay(process.pid)).max().unwrap_or_default();
        let stretch = delay.min(wall.saturating_mul(MAX_STRETCH));
        if stretch < self.stretch.saturating_add(wall / MIN_STRETCH) {
            return false;
        }
        self.stretch = stretch;
        self.wall_end().is_none_or(|end| now < end)
    }

    /// The event that would move us to the next phase.
    fn cancel_event(&self) -> Option<&Event> {
        match self.phase {
            Phase::Running => Some(self.cancel.soft()),
            Phase::Ending { .. } => Some(self.cancel.hard()),
            Phase::Killed { .. } => None,
        }
    }

    /// Moves to the next phase if it is time.
    fn advance(&mut self, now: Instant) {
        if let Phase::Running = self.phase
            && let Some(reason) = self.reason_to_stop(now)
        {
            let grace = if is_growth(reason) { Duration::ZERO } else { self.limits.grace };
            self.phase = Phase::Ending { reason, at: now + grace.min(LONGEST_GRACE) };
            if !grace.is_zero() {
                // A stopped process gets SIGTERM only after it continues.
                self.signal(&[Signal::TERM, Signal::CONT]);
            }
        }
        if let Phase::Ending { reason, at } = self.phase
            && (now >= at || self.cancel.hard().is_raised() || self.sample(now).is_some_and(is_growth))
        {
            self.phase = Phase::Killed { reason, at: now + KILL_LIMIT };
            self.signal(&[Signal::KILL]);
        }
    }

    fn reason_to_stop(&mut self, now: Instant) -> Option<ProcessEnd> {
        // Not `is_cancelled`, which waits while work is paused: the limits of a started run still apply.
        if self.cancel.soft().is_raised() {
            return Some(ProcessEnd::Cancelled);
        }
        if self.wall_end().is_some_and(|end| now >= end) && !self.stretches(now) {
            return Some(ProcessEnd::WallLimit);
        }
        if self.passes_output() {
            return Some(ProcessEnd::OutputLimit);
        }
        self.sample(now)
    }

    /// Samples the tree if it is time, and returns the limit that it exceeds.
    fn sample(&mut self, now: Instant) -> Option<ProcessEnd> {
        let is_due = self.sampler.due().is_some_and(|due| now >= due);
        is_due.then(|| self.sampler.sample(|most| self.membership.tree(self.child, most))).flatten()
    }

    fn passes_output(&self) -> bool {
        let total = self.stdout.total().max(self.stderr.total());
        self.limits.max_output.is_some_and(|most| total > most)
    }

    /// Signals all processes of the run: the group with one signal, and those that left it one by one.
    fn signal(&self, signals: &[Signal]) {
        // The child is not reaped, so its number and that of its group cannot be reused.
        let signal_group = |signal| {
            let _ = kill_process_group(self.child, signal);
        };
        let mut tree = match signals {
            [Signal::KILL] => tree::walk([self.child], MAX_TREE),
            _ => self.membership.tree(self.child, MAX_TREE),
        };
        let is_outside = |process: &Stat| process.group != Some(self.child);
        if signals == [Signal::KILL] && (tree.has_more || tree.processes.iter().any(is_outside)) {
            // Processes that left the group must be found before it dies, while they are still descendants of the child.
            // The group is stopped meanwhile, because a process that forks quickly would outrun the walk. Orphans can wait
            // for the sweep. This is done only if necessary: if we were killed now, the group would stay stopped forever.
            signal_group(Signal::STOP);
            tree = tree::walk([self.child], MAX_TREE);
        }
        signals.iter().copied().for_each(signal_group);
        tree::signal(&tree.processes, signals);
    }
}

/// Limits on what a tree uses at one moment. During a grace period it could use more.
fn is_growth(reason: ProcessEnd) -> bool {
    matches!(reason, ProcessEnd::MemoryLimit | ProcessEnd::TaskLimit)
}

/// Adds a descriptor to a poll list, if there is one, and returns its place.
fn add<'a>(
    list: &mut Vec<PollFd<'a>>,
    descriptor: Option<BorrowedFd<'a>>,
    flags: PollFlags,
) -> Option<usize> {
    list.push(PollFd::from_borrowed_fd(descriptor?, flags));
    Some(list.len() - 1)
}
