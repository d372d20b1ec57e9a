//! The three system calls rustix does not offer, and the only `unsafe` of nub.
#![allow(unsafe_code)]

use std::mem::MaybeUninit;
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;
use std::time::Duration;

use rustix::process::Pid;

/// A reaped child: how it ended and what it and the children it waited for used.
pub(crate) struct Reaped {
    pub status: ExitStatus,
    pub cpu: Duration,
    /// Largest resident size in bytes. Includes ours at the time of the spawn, because
    /// the child of a `vfork` shares our memory until it calls `exec`.
    pub max_resident: u64,
}

/// Reaps `pid` if it is dead; `None` if it is not, or is not our child.
pub(crate) fn reap(pid: Pid) -> Option<Reaped> {
    let mut status = 0;
    let mut usage = MaybeUninit::<libc::rusage>::zeroed();
    let raw_pid = pid.as_raw_nonzero().get();
    // SAFETY: both pointers are to live locals of the right type.
    let reaped = unsafe { libc::wait4(raw_pid, &mut status, libc::WNOHANG, usage.as_mut_ptr()) };
    if reaped != raw_pid {
        return None;
    }
    // SAFETY: zeroed is a valid rusage, and wait4 may have filled it since.
    let usage = unsafe { usage.assume_init() };
    Some(Reaped {
        status: ExitStatus::from_raw(status),
        cpu: duration(usage.ru_utime) + duration(usage.ru_stime),
        max_resident: kilobytes(usage.ru_maxrss),
    })
}

/// Our own largest resident size so far, in bytes.
pub(crate) fn own_max_resident() -> u64 {
    let mut usage = MaybeUninit::<libc::rusage>::zeroed();
    // SAFETY: the pointer is to a live local; zeroed is a valid rusage even if the call fails.
    let usage = unsafe {
        libc::getrusage(libc::RUSAGE_SELF, usage.as_mut_ptr());
        usage.assume_init()
    };
    kilobytes(usage.ru_maxrss)
}

/// Makes dead children wait for us to reap them.
///
/// If our parent ignores SIGCHLD, we inherit that across `exec`; the kernel would then reap our children
/// itself, and their exit status would be lost.
pub(crate) fn keep_dead_children() {
    // SAFETY: the default action involves no code of ours; nothing else in nub handles SIGCHLD.
    unsafe {
        let before = libc::signal(libc::SIGCHLD, libc::SIG_DFL);
        if before != libc::SIG_IGN && before != libc::SIG_ERR {
            libc::signal(libc::SIGCHLD, before);
        }
    }
}

fn duration(time: libc::timeval) -> Duration {
    let seconds = u64::try_from(time.tv_sec).unwrap_or(0);
    let micros = u64::try_from(time.tv_usec).unwrap_or(0);
    Duration::from_secs(seconds) + Duration::from_micros(micros)
}

fn kilobytes(count: libc::c_long) -> u64 {
    u64::try_from(count).unwrap_or(0).saturating_mul(1024)
}
