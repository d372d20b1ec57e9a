//! Promise: a power loss at any moment leaves the old or the new content, and no acknowledged journal record
//! is lost. Tested with every prefix of the changes and every subset of up to 12 unsynced ones.

#![allow(clippy::unwrap_used)]

use std::path::Path;

use nub_store::{
    FileSystem, Journal, JournalRecord, JournalRecordKind, Memo, Remembered, commit, create_folder,
};
use nub_test_kit::{DiskState, FaultFs};

const FILE: &str = "/bug.smt2";
const OLD: &[u8] = b"(assert false)(check-sat)(exit)";
const NEW: &[u8] = b"(assert false)";
const NEWER: &[u8] = b"(exit)";
/// Sizes of the pieces that can be lost independently.
const PIECES: [usize; 4] = [1, 3, 7, 1_000];

fn check_states(fs: &FaultFs, from: usize, check: impl Fn(&DiskState)) {
    for n_changes in from..=fs.n_changes() {
        fs.states_after_loss(n_changes).iter().for_each(&check);
    }
}

#[test]
fn commit_leaves_old_or_new() {
    for piece in PIECES {
        let fs = FaultFs::new().with_file(FILE, OLD, 0o640).short_writes(piece);
        commit(&fs, Path::new(FILE), NEW).unwrap();
        check_states(&fs, 0, |state| {
            let file = &state.files[Path::new(FILE)];
            assert!(file.bytes == OLD || file.bytes == NEW, "{file:?}");
            assert_eq!(file.mode, 0o640);
        });

        let acknowledged = fs.n_changes();
        commit(&fs, Path::new(FILE), NEWER).unwrap();
        check_states(&fs, acknowledged, |state| {
            let bytes = state.bytes(FILE).unwrap();
            assert!(bytes == NEW || bytes == NEWER, "{bytes:?}");
        });
        assert_eq!(fs.states_after_loss(fs.n_changes()).len(), 1, "nothing is left to lose");
    }
}

#[test]
fn commit_of_a_new_file_leaves_nothing_or_all() {
    for piece in PIECES {
        let fs = FaultFs::new().short_writes(piece);
        commit(&fs, Path::new(FILE), NEW).unwrap();
        check_states(&fs, 0, |state| {
            assert!(state.bytes(FILE).is_none_or(|bytes| bytes == NEW), "{state:?}");
        });
        check_states(&fs, fs.n_changes(), |state| assert_eq!(state.bytes(FILE), Some(NEW)));
    }
}

#[test]
fn commit_through_a_link() {
    let fs = FaultFs::new().with_file(FILE, OLD, 0o644).with_link("/link", "bug.smt2").short_writes(3);
    commit(&fs, Path::new("/link"), NEW).unwrap();
    check_states(&fs, 0, |state| {
        let bytes = state.bytes(FILE).unwrap();
        assert!(bytes == OLD || bytes == NEW);
        assert_eq!(state.links[Path::new("/link")], Path::new("bug.smt2"));
    });
}

#[test]
fn a_restart_after_any_loss_can_commit() {
    let fs = FaultFs::new().with_file(FILE, OLD, 0o644).short_writes(7);
    commit(&fs, Path::new(FILE), NEW).unwrap();
    check_states(&fs, 0, |state| {
        let restarted = FaultFs::from_state(state);
        commit(&restarted, Path::new(FILE), NEWER).unwrap();
        assert_eq!(restarted.read(Path::new(FILE)).unwrap(), NEWER);
    });
}

#[test]
fn a_created_folder_and_its_content_stay() {
    let fs = FaultFs::new();
    create_folder(&fs, Path::new("/run")).unwrap();
    commit(&fs, Path::new("/run/best"), NEW).unwrap();
    check_states(&fs, fs.n_changes(), |state| assert_eq!(state.bytes("/run/best"), Some(NEW)));
}

fn step(number: u64) -> JournalRecord {
    JournalRecord::new(JournalRecordKind::Step).with("pass", "a pass\n").with_number("asks", number)
}

/// The records in `state` are the first ones of the run, and at least `n_acknowledged`.
fn check_journal(state: &DiskState, n_acknowledged: u64) {
    let fs = FaultFs::from_state(state).short_writes(5);
    let (mut journal, found) = Journal::open(&fs, Path::new("/journal")).unwrap();
    let n_found = found.len() as u64;
    assert!(n_found >= n_acknowledged);
    assert_eq!(found, (0..n_found).map(step).collect::<Vec<_>>());

    // The journal can be continued after the damage, and returns the same records again.
    journal.append(&step(n_found)).unwrap();
    drop(journal);
    let (_, again) = Journal::open(&fs, Path::new("/journal")).unwrap();
    assert_eq!(again, (0..=n_found).map(step).collect::<Vec<_>>());
}

#[test]
fn journal_keeps_what_it_acknowledged() {
    for piece in [5, 11, 1_000] {
        let fs = FaultFs::new().short_writes(piece);
        let (mut journal, _) = Journal::open(&fs, Path::new("/journal")).unwrap();
        check_states(&fs, 0, |state| check_journal(state, 0));
        for number in 0..3 {
            let before = fs.n_changes();
            journal.append(&step(number)).unwrap();
            for n_changes in before..fs.n_changes() {
                let states = fs.states_after_loss(n_changes);
                states.iter().for_each(|state| check_journal(state, number));
            }
            check_states(&fs, fs.n_changes(), |state| check_journal(state, number + 1));
        }
    }
}

#[test]
fn best_is_never_older_than_the_journal_says() {
    // Reduce commits the best file first, then appends the step.
    let fs = FaultFs::new().short_writes(16);
    let (mut journal, _) = Journal::open(&fs, Path::new("/journal")).unwrap();
    for number in 0..3 {
        commit(&fs, Path::new("/best"), number.to_string().as_bytes()).unwrap();
        journal.append(&step(number)).unwrap();
    }
    check_states(&fs, 0, |state| {
        let (_, found) = Journal::open(&FaultFs::from_state(state), Path::new("/journal")).unwrap();
        let Some(last) = found.last() else { return };
        let best = String::from_utf8(state.bytes("/best").unwrap().to_owned()).unwrap();
        assert!(best.parse::<u64>().unwrap() >= last.number("asks").unwrap());
    });
}

#[test]
fn memo_forgets_but_never_lies() {
    let path = Path::new("/memo");
    let fs = FaultFs::new().short_writes(13);
    let mut memo = Memo::open(&fs, path).unwrap();
    for number in 0..4_u8 {
        let verdict = if number % 2 == 0 { Remembered::Fails } else { Remembered::Passes };
        memo.insert([number; 32], verdict).unwrap();
    }
    drop(memo);
    check_states(&fs, 0, |state| {
        let memo = Memo::open(&FaultFs::from_state(state), path).unwrap();
        assert!([None, Some(Remembered::Fails)].contains(&memo.get(&[2; 32])));
        assert!([None, Some(Remembered::Passes)].contains(&memo.get(&[3; 32])));
        assert!(memo.len() <= 4);
    });
}
