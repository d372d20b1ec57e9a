//! `flock` on files that are created and removed.
//!
//! A lock shows that its owner is alive more reliably than a process number: the kernel releases it whenever
//! the owner dies, process numbers are reused, and two containers that share a folder have different numbers
//! for the same process. There is one race: if a lock file is removed after another process has opened it but
//! before it locks it, that process holds a lock that nobody else can see. So after locking, we check that
//! the path still names the file we locked.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::Path;
use std::time::Duration;

use rustix::fs::{FlockOperation, OFlags, flock};
use rustix::io::Errno;

/// How often locking is tried again when the lock file disappears. An attempt fails only if another process
/// ends its run at that moment.
const MAX_LOCK_ATTEMPTS: usize = 100;

/// How long a lock outlives its owner at most, in waits of [`DEAD_OWNER_WAIT`]: a process that was killed while starting
/// another leaves a child that holds the lock until it calls `exec`. On a busy machine that takes a while.
const MAX_DEAD_OWNER_WAITS: usize = 500;
const DEAD_OWNER_WAIT: Duration = Duration::from_millis(10);

/// Longest prefix of a lock file that is read for the process number.
const MAX_PID_BYTES: u64 = 20;

/// Result of an attempt to lock.
pub(crate) enum Attempt {
    /// We hold the lock until the file is dropped.
    Locked(File),
    /// Another process holds it; with the process number found in the file.
    Busy(Option<u32>),
}

/// Locks the file at `path`, creating it if absent, and writes our process number into it.
pub(crate) fn acquire(path: &Path) -> io::Result<Attempt> {
    let mut n_waits = 0;
    let mut n_attempts = 0;
    while n_attempts < MAX_LOCK_ATTEMPTS {
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .custom_flags(safe_open_flags())
            .open(path)?;
        if !try_lock(&file)? {
            let owner = read_pid(&mut file);
            if n_waits == MAX_DEAD_OWNER_WAITS || !owner.is_some_and(is_dead) {
                return Ok(Attempt::Busy(owner));
            }
            n_waits += 1;
            std::thread::sleep(DEAD_OWNER_WAIT);
            continue;
        }
        if is_still_at(&file, path) {
            write_pid(&mut file);
            return Ok(Attempt::Locked(file));
        }
        n_attempts += 1;
    }
    Err(io::Error::other("the lock file keeps disappearing"))
}

/// Whether there is no process of this number. In another container there may be.
fn is_dead(pid: u32) -> bool {
    let pid = i32::try_from(pid).ok().and_then(rustix::process::Pid::from_raw);
    pid.is_some_and(|pid| rustix::process::test_kill_process(pid) == Err(Errno::SRCH))
}

/// Creates a new file and locks it before another process can mistake it for a leftover. `AlreadyExists` can
/// also mean that another process removed the file first; the caller then picks another name.
pub(crate) fn create_locked(path: &Path, mode: u32) -> io::Result<File> {
    let file = OpenOptions::new().write(true).create_new(true).mode(mode).open(path)?;
    // On a file system without locks the file still works; only leftovers are not removed.
    let lost_race = matches!(try_lock(&file), Ok(false)) || !is_still_at(&file, path);
    if lost_race { Err(io::ErrorKind::AlreadyExists.into()) } else { Ok(file) }
}

/// Locks an existing regular file of ours whose owner is dead. `None` if the owner is alive, the file is
/// gone, or it is not ours.
pub(crate) fn acquire_abandoned(path: &Path) -> Option<File> {
    let file = OpenOptions::new().read(true).custom_flags(safe_open_flags()).open(path).ok()?;
    let metadata = file.metadata().ok()?;
    let ours = metadata.is_file() && metadata.uid() == rustix::process::geteuid().as_raw();
    (ours && try_lock(&file).ok()? && is_still_at(&file, path)).then_some(file)
}

/// A link in place of a lock file must not be followed, and a pipe must not block us.
fn safe_open_flags() -> i32 {
    (OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC).bits() as i32
}

fn try_lock(file: &File) -> io::Result<bool> {
    match flock(file, FlockOperation::NonBlockingLockExclusive) {
        Ok(()) => Ok(true),
        Err(Errno::WOULDBLOCK) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

fn is_still_at(file: &File, path: &Path) -> bool {
    match (file.metadata(), path.symlink_metadata()) {
        (Ok(open), Ok(named)) => open.dev() == named.dev() && open.ino() == named.ino(),
        _ => false,
    }
}

fn read_pid(file: &mut File) -> Option<u32> {
    let mut text = String::new();
    file.take(MAX_PID_BYTES).read_to_string(&mut text).ok()?;
    text.trim().parse().ok()
}

/// Best effort: on a full disk the lock still works, only the message lacks the number.
fn write_pid(file: &mut File) {
    let text = format!("{}\n", std::process::id());
    let _ = file.set_len(0).and_then(|()| file.rewind()).and_then(|()| file.write_all(text.as_bytes()));
}

#[cfg(test)]
#[allow(clippy::disallowed_methods)] // to get the number of a dead process, one must be started
mod tests {
    use super::*;

    /// A lock file that contains this process number but is locked by another process.
    fn held(path: &Path, pid: u32) -> File {
        std::fs::write(path, pid.to_string()).unwrap();
        let file = OpenOptions::new().read(true).write(true).open(path).unwrap();
        assert!(try_lock(&file).unwrap());
        file
    }

    #[test]
    fn the_lock_of_a_dead_owner_is_waited_for() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lock");
        let mut child = std::process::Command::new("true").spawn().unwrap();
        child.wait().unwrap();
        let file = held(&path, child.id());
        let holder = std::thread::spawn(move || {
            std::thread::sleep(5 * DEAD_OWNER_WAIT);
            drop(file);
        });
        assert!(matches!(acquire(&path).unwrap(), Attempt::Locked(_)));
        holder.join().unwrap();
    }

    #[test]
    fn the_lock_of_a_living_owner_is_busy() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lock");
        let own = std::process::id();
        let _file = held(&path, own);
        assert!(matches!(acquire(&path).unwrap(), Attempt::Busy(Some(pid)) if pid == own));
    }
}
