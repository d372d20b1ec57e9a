//! What a power loss may leave: everything synced, and any subset of the rest.
//!
//! Real file systems preserve some order between unsynced changes, but not the same one. The model preserves
//! none, so code that survives here survives on all of them. It is the model of ALICE (Pillai et al., OSDI
//! 2014, section 3) with writes as small as the caller of [`FaultFs`](crate::FaultFs) asks for.

use std::collections::BTreeSet;

use crate::disk::{Change, Disk, DiskState};

/// Of the unsynced changes, the latest ones, up to this number, are lost and kept in every combination;
/// earlier ones only all together.
const MAX_SUBSET_BITS: usize = 12;

/// All states that may be found after a power loss right after the last of `changes`.
pub(crate) fn states_after_loss(initial: &Disk, changes: &[Change]) -> BTreeSet<DiskState> {
    let (durable, pending): (Vec<usize>, Vec<usize>) =
        (0..changes.len()).partition(|&idx| is_durable(changes, idx));
    // Pending changes never precede durable ones of the same file or folder, so the durable ones
    // can all be applied first.
    let mut base = initial.clone();
    durable.iter().for_each(|&idx| base.apply(&changes[idx]));

    let n_old = pending.len().saturating_sub(MAX_SUBSET_BITS);
    let (old, recent) = pending.split_at(n_old);
    let mut states = BTreeSet::new();
    for kept_old in [&[][..], old] {
        for subset in 0_u32..1 << recent.len() {
            let mut disk = base.clone();
            let kept_recent = recent.iter().enumerate().filter(|(bit, _)| subset & (1 << bit) != 0);
            let kept = kept_old.iter().chain(kept_recent.map(|(_, idx)| idx));
            kept.for_each(|&idx| disk.apply(&changes[idx]));
            states.insert(disk.state());
        }
        if old.is_empty() {
            break;
        }
    }
    states
}

fn is_durable(changes: &[Change], idx: usize) -> bool {
    changes[idx + 1..].iter().any(|later| covers(later, &changes[idx]))
}

fn covers(sync: &Change, change: &Change) -> bool {
    match (sync, change) {
        (Change::SyncFile(synced), Change::Write(id, ..) | Change::Mode(id, _)) => synced == id,
        (Change::SyncData(synced), Change::Write(id, ..)) => synced == id,
        (Change::SyncFolder(synced), Change::Names(folder, _)) => synced == folder,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use std::io;
    use std::path::Path;

    use nub_store::{FileSystem, write_all};

    use crate::FaultFs;

    const OLD: &[u8] = b"old content";
    const NEW: &[u8] = b"new content";

    #[derive(Clone, Copy)]
    enum Step {
        Write,
        SyncFile,
        Rename,
        SyncFolder,
    }

    fn replace_by(fs: &FaultFs, steps: &[Step]) -> io::Result<()> {
        let (temp, path) = (Path::new("/temp"), Path::new("/file"));
        let mut file = fs.create_new(temp, 0o600)?;
        for step in steps {
            match step {
                Step::Write => write_all(file.as_mut(), NEW)?,
                Step::SyncFile => file.sync()?,
                Step::Rename => fs.rename(temp, path)?,
                Step::SyncFolder => fs.sync_folder(Path::new("/"))?,
            }
        }
        Ok(())
    }

    /// Whether some power loss leaves neither old nor new content, or not the new one at the end.
    fn is_caught(steps: &[Step]) -> bool {
        let fs = FaultFs::new().with_file("/file", OLD, 0o600).short_writes(4);
        replace_by(&fs, steps).unwrap();
        assert_eq!(fs.state().bytes("/file"), Some(NEW));
        let allowed = |n_changes| if n_changes == fs.n_changes() { vec![NEW] } else { vec![OLD, NEW] };
        (0..=fs.n_changes()).any(|n_changes| {
            let is_allowed = |bytes| allowed(n_changes).contains(&bytes);
            let states = fs.states_after_loss(n_changes);
            states.iter().any(|state| !state.bytes("/file").is_some_and(is_allowed))
        })
    }

    /// The model is useful only if it catches known mistakes.
    #[test]
    fn every_missing_or_misplaced_sync_is_caught() {
        use Step::{Rename, SyncFile, SyncFolder, Write};
        assert!(!is_caught(&[Write, SyncFile, Rename, SyncFolder]));
        assert!(is_caught(&[Write, Rename, SyncFolder]));
        assert!(is_caught(&[Write, SyncFile, Rename]));
        assert!(is_caught(&[SyncFile, Write, Rename, SyncFolder]));
        assert!(is_caught(&[Write, SyncFile, SyncFolder, Rename]));
        assert!(is_caught(&[Rename, Write, SyncFile, SyncFolder]));
    }

    #[test]
    fn lost_pieces_leave_holes() {
        let fs = FaultFs::new().short_writes(1);
        let mut file = fs.create_new(Path::new("/file"), 0o600).unwrap();
        fs.sync_folder(Path::new("/")).unwrap();
        write_all(file.as_mut(), b"abc").unwrap();
        let states = fs.states_after_loss(fs.n_changes());
        let found: Vec<_> = states.iter().map(|state| state.bytes("/file").unwrap()).collect();
        assert_eq!(found, [&b""[..], b"\x00\x00c", b"\x00b", b"\x00bc", b"a", b"a\x00c", b"ab", b"abc"]);
    }

    #[test]
    fn many_pieces_stay_countable() {
        let fs = FaultFs::new().short_writes(1);
        let mut file = fs.create_new(Path::new("/file"), 0o600).unwrap();
        write_all(file.as_mut(), &[b'x'; 40]).unwrap();
        assert!(fs.states_after_loss(fs.n_changes()).len() <= 2 << super::MAX_SUBSET_BITS);
    }
}
