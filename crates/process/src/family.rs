//! Tells which processes belong to which run, and ends those that outlive it.
//!
//! We are a child-subreaper: when a process of a run ends, its children become ours. So
//! a daemon that left its group and session still shows up in our list of children. The
//! kernel gives orphans to the first living thread of the subreaper, the main thread
//! (`find_alive_thread` in kernel/exit.c), so one file lists them all. Several runs may be active, and their
//! orphans are told apart by, in this order:
//!
//! 1. the process group, which is the number of the run's direct child;
//! 2. the mark, an environment variable with the run's number, which all descendants inherit;
//! 3. nothing: a daemon that cleared its environment. It is killed once no other run is active.
//!
//! Two kinds of children are never touched: those that existed before the first runner, and those in our own
//! process group, which other code of this process started.

use std::collections::{BTreeMap, HashSet};
use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::os::unix::process::ExitStatusExt;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{
    Pid, PidfdFlags, Resource, Rlimit, Signal, WaitId, WaitIdOptions, getpgrp, getpid, getrlimit, pidfd_open,
    set_child_subreaper, setrlimit, waitid,
};

use crate::procfs::{self, Stat, Variable};
use crate::sys::{self, Reaped};
use crate::tree::{self, MAX_TREE, Tree};

/// How long a sweep tries before it gives up on processes that do not die (another user's, or stuck in the kernel).
const SWEEP_LIMIT: Duration = Duration::from_secs(5);
/// How long a sweep waits for a killed process before it lists all of them again.
const SWEEP_WAIT: Duration = Duration::from_millis(10);
/// How many living orphans one pass of a sweep examines. Meanwhile, the others may fork.
const SWEEP_BATCH: usize = 128;
/// How long a sweep sleeps when there is no particular process to wait for.
const SWEEP_PAUSE: Duration = Duration::from_micros(200);
/// How long we try to reap a direct child after SIGKILL.
const REAP_LIMIT: Duration = Duration::from_secs(1);
const REAP_PAUSE: Duration = Duration::from_millis(1);

/// The number of a run, unique in this process.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct RunId(u64);

/// All children of this process.
///
/// One for the process, not one for each runner: subreaping is a property of the process, and
/// two runners that do not know of each other would sweep each other's children.
pub(crate) struct Family {
    state: Mutex<State>,
    /// Children of the main thread.
    orphans: File,
    own_group: Pid,
    mark_name: String,
}

#[derive(Default)]
struct State {
    n_runs: u64,
    /// Spawns in progress, whose children exist but are not in `active` yet.
    n_spawning: usize,
    /// Each active run with its direct child, which is also its process group.
    active: BTreeMap<RunId, Member>,
    /// Children that do not belong to runs, and processes we could not kill.
    spared: HashSet<Pid>,
    /// Whether we had children before the first run; then an orphan without a mark may be from them.
    has_foreign: bool,
}

#[derive(Default)]
struct Member {
    group: Option<Pid>,
    /// The direct child is dead and reaped; its number may be taken by an orphan.
    is_reaped: bool,
}

/// A run from before its spawn to the end of its sweep.
pub(crate) struct Membership {
    family: &'static Family,
    id: RunId,
}

impl Family {
    /// The family of this process.
    pub(crate) fn get() -> io::Result<&'static Family> {
        static FAMILY: OnceLock<Family> = OnceLock::new();
        if let Some(family) = FAMILY.get() {
            return Ok(family);
        }
        let opened = Family::open()?;
        Ok(FAMILY.get_or_init(|| opened))
    }

    fn open() -> io::Result<Family> {
        let own = getpid();
        sys::keep_dead_children();
        set_child_subreaper(Some(own))?;
        forbid_cores();
        let orphans = File::open(format!("/proc/{own}/task/{own}/children")).map_err(|error| {
            io::Error::new(error.kind(), format!("cannot list child processes in /proc: {error}"))
        })?;
        let stat = procfs::stat(own).ok_or_else(|| io::Error::other("cannot read /proc/self/stat"))?;
        let spared: HashSet<Pid> = procfs::children(&stat).into_iter().collect();
        let state = State { has_foreign: !spared.is_empty(), spared, ..State::default() };
        // The pid in the name allows a nub that runs inside one of our oracles to add its own mark next to
        // ours. The width is fixed because the size of the environment shifts a program's stack, and the
        // behaviour of buggy programs can depend on that.
        let mark_name = format!("NUB_RUN_{:08x}", own.as_raw_nonzero());
        Ok(Family { state: Mutex::new(state), orphans, own_group: getpgrp(), mark_name })
    }

    /// Opens a run whose child is about to be spawned.
    pub(crate) fn enter(&'static self) -> Membership {
        let mut state = self.lock();
        state.n_runs += 1;
        state.n_spawning += 1;
        let id = RunId(state.n_runs);
        state.active.insert(id, Member::default());
        Membership { family: self, id }
    }

    /// A panic in another run must not end ours; each change of the state is complete in itself.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The orphans that a run must kill: its own and, if no other run is active, all others. At most `most`
    /// living ones. Processes in `killed` need no further check.
    fn orphans_of(&self, state: &mut State, run: RunId, killed: &Killed, most: usize) -> Orphans {
        let mut orphans = Orphans::default();
        // Most runs leave no processes. If no other run is active, checking that takes one system call.
        if state.active.len() == 1 && state.spared.is_empty() && has_no_child() {
            return orphans;
        }
        let mut listed = Vec::new();
        // Cannot fail once opened. All reaping is done under the lock, so that no entry disappears while the
        // kernel writes the list: it would then skip another one.
        let _ = procfs::read_children(&self.orphans, &mut listed);
        state.spared.retain(|pid| listed.contains(pid));
        let unknown = listed.into_iter().filter(|&pid| !state.knows(pid));
        for orphan in unknown.filter_map(procfs::stat) {
            if orphans.alive.len() == most {
                break;
            }
            match self.claim(state, run, &orphan) {
                _ if killed.contains(&orphan.name()) => orphans.add(orphan),
                Claim::Ours => orphans.add(orphan),
                Claim::Unclear => orphans.has_unclear = true,
                Claim::NotOurs => {}
            }
        }
        orphans
    }

    /// Whether this run must end an orphan that is not in the state.
    fn claim(&self, state: &State, run: RunId, orphan: &Stat) -> Claim {
        let claim = |is_ours| if is_ours { Claim::Ours } else { Claim::NotOurs };
        if let Some(owner) = state.owner_of_group(orphan.group) {
            return claim(owner == run);
        }
        let is_elsewhere = orphan.group != Some(self.own_group);
        if orphan.is_zombie {
            // A dead process has no environment. Any run may reap it, unless a spawn is in progress: it could
            // be the child of that spawn, already dead.
            return claim(state.n_spawning == 0 && is_elsewhere);
        }
        let is_alone = state.active.len() == 1 && !state.has_foreign && is_elsewhere;
        match procfs::variable(orphan.pid, &self.mark_name) {
            Variable::Set(value) => {
                let owner = parse_run(&value).filter(|owner| state.active.contains_key(owner));
                claim(owner.is_none_or(|owner| owner == run))
            }
            Variable::Unclear if !is_alone => Claim::Unclear,
            Variable::Unclear | Variable::Unset => claim(is_alone),
        }
    }
}

/// Processes that a sweep has killed, so that they are recognised when they are dead and their mark is gone.
type Killed = HashSet<(Pid, u64)>;

/// How a run is related to an orphan.
enum Claim {
    Ours,
    NotOurs,
    Unclear,
}

/// The orphans a run must end.
#[derive(Default)]
struct Orphans {
    dead: Vec<Stat>,
    alive: Vec<Stat>,
    /// For some others it is not yet known whose they are.
    has_unclear: bool,
}

fn parse_run(value: &[u8]) -> Option<RunId> {
    u64::from_str_radix(std::str::from_utf8(value).ok()?, 16).ok().map(RunId)
}

impl State {
    fn knows(&self, pid: Pid) -> bool {
        let is_direct = |member: &Member| member.group == Some(pid) && !member.is_reaped;
        self.spared.contains(&pid) || self.active.values().any(is_direct)
    }

    fn group_of(&self, run: RunId) -> Option<Pid> {
        self.active.get(&run).and_then(|member| member.group)
    }

    fn owner_of_group(&self, group: Option<Pid>) -> Option<RunId> {
        group?;
        self.active.iter().find(|(_, member)| member.group == group).map(|(&id, _)| id)
    }
}

impl Membership {
    /// The mark to put into the environment of the run.
    pub(crate) fn mark(&self) -> (OsString, OsString) {
        (self.family.mark_name.clone().into(), format!("{:016x}", self.id.0).into())
    }

    /// Records the child. Call exactly once, also when the spawn failed.
    pub(crate) fn spawned(&self, child: Option<Pid>) {
        let mut state = self.family.lock();
        state.n_spawning -= 1;
        // A run that is being swept may have had the same number, if its group is now empty.
        for member in state.active.values_mut().filter(|member| child.is_some() && member.group == child) {
            member.group = None;
        }
        if let Some(member) = state.active.get_mut(&self.id) {
            member.group = child;
        }
    }

    /// Reaps the killed direct child. `None` if it does not die; later sweeps leave it alone then.
    pub(crate) fn reap(&self, child: Pid) -> Option<Reaped> {
        let start = Instant::now();
        loop {
            let mut state = self.family.lock();
            let reaped = sys::reap(child);
            if reaped.is_none() && start.elapsed() < REAP_LIMIT {
                // Only after an error of the watch; otherwise the child is already dead here.
                drop(state);
                std::thread::sleep(REAP_PAUSE);
                continue;
            }
            if reaped.is_none() {
                state.spared.insert(child);
            }
            if let Some(member) = state.active.get_mut(&self.id) {
                member.is_reaped = true;
            }
            return reaped;
        }
    }

    /// All living processes of the run: below its direct child, and its orphans.
    pub(crate) fn tree(&self, child: Pid, most: usize) -> Tree {
        let mut state = self.family.lock();
        let orphans = self.family.orphans_of(&mut state, self.id, &Killed::new(), most);
        // A run of several days may start many daemons; reap them before its end.
        for orphan in &orphans.dead {
            sys::reap(orphan.pid);
        }
        drop(state);
        tree::walk(orphans.alive.iter().map(|orphan| orphan.pid).chain([child]), most)
    }

    /// Ends all orphans of the run, closes the run, and returns how many were alive.
    ///
    /// The final check and closing the run happen under one lock. Otherwise two runs that end together could
    /// each leave an unmarked orphan to the other.
    pub(crate) fn sweep(self) -> u32 {
        let start = Instant::now();
        let mut strays = Killed::new();
        loop {
            let mut state = self.family.lock();
            let orphans = self.family.orphans_of(&mut state, self.id, &strays, SWEEP_BATCH);
            reap_strays(&orphans.dead, state.group_of(self.id), &mut strays);
            let is_late = start.elapsed() > SWEEP_LIMIT;
            if is_late || orphans.is_empty() {
                state.spared.extend(orphans.alive.iter().map(|orphan| orphan.pid));
                state.active.remove(&self.id);
                return u32::try_from(strays.len()).unwrap_or(u32::MAX);
            }
            // Includes the descendants of an orphan: they become our children only after its death.
            let tree = tree::walk(orphans.alive.iter().map(|orphan| orphan.pid), MAX_TREE);
            tree::signal(&tree.processes, &[Signal::KILL]);
            drop(state);
            strays.extend(tree.processes.iter().map(Stat::name));
            orphans.wait();
        }
    }
}

impl Orphans {
    fn add(&mut self, orphan: Stat) {
        if orphan.is_zombie { self.dead.push(orphan) } else { self.alive.push(orphan) }
    }

    fn is_empty(&self) -> bool {
        self.dead.is_empty() && self.alive.is_empty() && !self.has_unclear
    }

    /// Waits briefly for the first killed process to die, or for unclear ones to leave `exec`.
    fn wait(&self) {
        let first = self.alive.first().and_then(|first| pidfd_open(first.pid, PidfdFlags::empty()).ok());
        if let Some(process) = first {
            let timeout = Timespec::try_from(SWEEP_WAIT).ok();
            let _ = poll(&mut [PollFd::new(&process, PollFlags::IN)], timeout.as_ref());
        } else if self.has_unclear || !self.alive.is_empty() {
            std::thread::sleep(SWEEP_PAUSE);
        }
    }
}

impl Drop for Membership {
    /// For early returns and panics; a second removal after `sweep` does nothing.
    fn drop(&mut self) {
        self.family.lock().active.remove(&self.id);
    }
}

/// Reaps dead orphans. Those of the run's group that SIGKILL ended were alive until we killed the group.
fn reap_strays(dead: &[Stat], group: Option<Pid>, strays: &mut Killed) {
    for orphan in dead {
        let was_killed = |reaped: Reaped| reaped.status.signal() == Some(Signal::KILL.as_raw());
        if sys::reap(orphan.pid).is_some_and(was_killed) && orphan.group == group {
            strays.insert(orphan.name());
        }
    }
}

/// Turns core dumps off, for us and so for our children.
///
/// Set here and not after each spawn, because a child may fork before we reach it. One
/// byte, not zero: a core pattern that pipes to a program (apport, systemd-coredump)
/// ignores a zero limit, but the kernel does not start it for a limit of one.
fn forbid_cores() {
    let maximum = getrlimit(Resource::Core).maximum;
    let current = Some(maximum.map_or(1, |maximum| maximum.min(1)));
    // Cannot fail: the soft limit is not above the hard one, which stays.
    let _ = setrlimit(Resource::Core, Rlimit { current, maximum });
}

fn has_no_child() -> bool {
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    matches!(waitid(WaitId::All, options), Err(rustix::io::Errno::CHILD))
}
