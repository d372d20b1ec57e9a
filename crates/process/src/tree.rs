//! The processes of one run: what they use together, and signals to all of them.

use rustix::process::{Pid, PidfdFlags, Signal, kill_process_group, pidfd_open, pidfd_send_signal};

use crate::procfs::{self, Stat};

/// Processes one walk visits. A tree this large has long passed any sensible task limit.
const MAX_TREE: usize = 1 << 16;

/// The living processes at and below the given roots, parents first.
pub(crate) fn walk(roots: impl IntoIterator<Item = Pid>) -> Vec<Stat> {
    let mut tree = Vec::new();
    let mut open: Vec<Pid> = roots.into_iter().collect();
    while let Some(pid) = open.pop() {
        let Some(stat) = procfs::stat(pid).filter(|stat| !stat.is_zombie) else { continue };
        if tree.len() == MAX_TREE {
            break;
        }
        open.extend(procfs::children(&stat));
        tree.push(stat);
    }
    tree
}

/// Sends the signals to each process of a tree, and to each process group led from inside it.
///
/// The groups matter for programs that fork quickly: a signal to a group is atomic,
/// while a child forked after the walk is not in `tree`. A group whose leader is not in
/// the tree is left alone, because others may be in it.
pub(crate) fn signal(tree: &[Stat], signals: &[Signal]) {
    for stat in tree {
        if stat.group == Some(stat.pid) {
            for &signal in signals {
                let _ = kill_process_group(stat.pid, signal);
            }
        }
        signal_one(stat, signals);
    }
}

/// Sends signals to the very process we saw, not to a later one with the same number.
fn signal_one(seen: &Stat, signals: &[Signal]) {
    let Ok(process) = pidfd_open(seen.pid, PidfdFlags::empty()) else { return };
    let now = procfs::stat(seen.pid);
    if now.is_some_and(|now| now.start_ticks == seen.start_ticks) {
        for &signal in signals {
            // It may have ended, or run under another user; the sweep decides what then.
            let _ = pidfd_send_signal(&process, signal);
        }
    }
}
