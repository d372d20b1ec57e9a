//! The processes of one run: what they use together, and signals to all of them.

use rustix::process::{Pid, PidfdFlags, Signal, kill_process_group, pidfd_open, pidfd_send_signal};

use crate::procfs::{self, Stat};

/// How many processes one walk visits. A tree this large is far beyond any sensible task limit.
pub(crate) const MAX_TREE: usize = 1 << 16;

/// Some or all living processes at and below the given roots.
pub(crate) struct Tree {
    pub processes: Vec<Stat>,
    /// Whether the walk ended early because there are more than `most` processes.
    pub has_more: bool,
}

/// Finds the living processes at and below the given roots, but not more than `most`.
///
/// The bound matters against fork bombs: with thousands of runnable processes, we get so little processor
/// time that a complete walk takes seconds, and the bomb grows meanwhile.
pub(crate) fn walk(roots: impl IntoIterator<Item = Pid>, most: usize) -> Tree {
    let mut processes = Vec::new();
    let mut open: Vec<Pid> = roots.into_iter().collect();
    while let Some(pid) = open.pop() {
        if processes.len() + open.len() >= most {
            return Tree { processes, has_more: true };
        }
        let Some(stat) = procfs::stat(pid).filter(|stat| !stat.is_zombie) else { continue };
        open.extend(procfs::children(&stat));
        processes.push(stat);
    }
    Tree { processes, has_more: false }
}

/// Sends the signals to each process of a tree, and to each process group led from inside it.
///
/// The groups matter for programs that fork quickly: a signal to a group is atomic,
/// while a child forked after the walk is not in `tree`. A group whose leader is not in
/// the tree is left alone, because others may be in it.
pub(crate) fn signal(tree: &[Stat], signals: &[Signal]) {
    for seen in tree {
        let Ok(process) = pidfd_open(seen.pid, PidfdFlags::empty()) else { continue };
        // Checks that it is still the process we saw, not a later one with the same number.
        if procfs::stat(seen.pid).is_none_or(|now| now.name() != seen.name()) {
            continue;
        }
        for &signal in signals {
            // Failing is fine: it ended by itself, or it is another user's and the sweep gives up on it.
            if seen.group == Some(seen.pid) {
                let _ = kill_process_group(seen.pid, signal);
            }
            let _ = pidfd_send_signal(&process, signal);
        }
    }
}
