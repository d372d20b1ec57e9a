//! Promise: a full disk loses nothing. Tested by making every operation fail, once or permanently, also in
//! the middle of a write.

use std::path::Path;

use nub_store::{
    FileSystem, Journal, JournalRecord, JournalRecordKind, Kept, Memo, Remembered, StoreError,
    check_writable, commit,
};
use nub_test_kit::{FaultFs, Lasting};

const FILE: &str = "/bug.smt2";
const OLD: &[u8] = b"(assert false)(check-sat)(exit)";
const NEW: &[u8] = b"(assert false)";
const ENOSPC: i32 = 28;
/// More operations than any run here has.
const MAX_OPERATIONS: usize = 1_000;

#[derive(Clone, Copy, PartialEq)]
enum Noticed {
    Yes,
    No,
}

/// Runs `run` on a disk that fails at operation 0, 1, 2, ... until the run ends before the fault.
fn for_every_fault(disk: impl Fn() -> FaultFs, run: impl Fn(&FaultFs) -> Noticed) {
    for lasting in [Lasting::Once, Lasting::Forever] {
        for piece in [4, 1_000] {
            let failing = |at| disk().short_writes(piece).failing(at, ENOSPC, lasting);
            let n_failed = (0..MAX_OPERATIONS).take_while(|&at| run(&failing(at)) == Noticed::Yes).count();
            assert!((3..MAX_OPERATIONS).contains(&n_failed), "{n_failed} operations failed");
        }
    }
}

#[test]
fn commit_keeps_the_old_content_and_says_so() {
    let disk = || FaultFs::new().with_file(FILE, OLD, 0o600);
    for_every_fault(disk, |fs| {
        let Err(error) = commit(fs, Path::new(FILE), NEW) else {
            assert_eq!(fs.read(Path::new(FILE)).unwrap(), NEW);
            return Noticed::No;
        };
        check_failed_commit(fs, &error);
        Noticed::Yes
    });
}

fn check_failed_commit(fs: &FaultFs, error: &StoreError) {
    let state = fs.state();
    assert_eq!(state.files.len(), 1, "no temporary file stays: {state:?}");
    let StoreError::Io { kept, .. } = error else { panic!("{error}") };
    let (expected, words) = match kept {
        Kept::Previous => (OLD, "the previous content is intact"),
        Kept::NewUnsynced => (NEW, "the new content is in place"),
        other => panic!("{other:?}"),
    };
    assert_eq!(state.bytes(FILE), Some(expected));
    let message = error.to_string();
    for part in [FILE, "No space left on device", words] {
        assert!(message.contains(part), "{message:?} lacks {part:?}");
    }
    assert!(error.hint().is_some_and(|hint| hint.contains("free some space")));
}

#[test]
fn commit_of_a_new_file_leaves_none() {
    for_every_fault(FaultFs::new, |fs| {
        let Err(error) = commit(fs, Path::new(FILE), NEW) else { return Noticed::No };
        let is_there = fs.state().files.contains_key(Path::new(FILE));
        let StoreError::Io { kept, .. } = error else { panic!("{error}") };
        assert_eq!(kept, if is_there { Kept::NewUnsynced } else { Kept::NoFile });
        assert_eq!(fs.state().files.len(), usize::from(is_there));
        Noticed::Yes
    });
}

#[test]
fn check_writable_notices_and_changes_nothing() {
    let disk = || FaultFs::new().with_file(FILE, OLD, 0o600);
    let full = disk().failing(0, ENOSPC, Lasting::Forever);
    assert!(check_writable(&full, Path::new(FILE)).is_err());
    assert_eq!(full.state(), disk().state());
    let free = disk();
    check_writable(&free, Path::new(FILE)).unwrap();
    assert_eq!(free.state(), disk().state());
}

fn step(number: u64) -> JournalRecord {
    JournalRecord::new(JournalRecordKind::Step).with_number("asks", number)
}

#[test]
fn journal_keeps_earlier_records_and_goes_on() {
    let path = Path::new("/journal");
    for_every_fault(FaultFs::new, |fs| {
        let Ok((mut journal, _)) = Journal::open(fs, path) else { return Noticed::Yes };
        let results: Vec<_> = (0..5).map(|number| journal.append(&step(number))).collect();
        let found = Journal::open(&FaultFs::from_state(&fs.state()), path).unwrap().1;
        for (result, number) in results.iter().zip(0..) {
            match result {
                Ok(()) => assert!(found.contains(&step(number)), "record {number} was acknowledged"),
                Err(error) => assert!(error.to_string().contains("all earlier journal records are intact")),
            }
        }
        assert!(found.is_sorted_by_key(|record| record.number("asks")));
        if results.iter().any(Result::is_err) { Noticed::Yes } else { Noticed::No }
    });
}

#[test]
fn memo_complains_once() {
    let fs = FaultFs::new().failing(1, ENOSPC, Lasting::Forever);
    let mut memo = Memo::open(&fs, Path::new("/memo")).unwrap();
    let mut n_errors = 0;
    for number in 0..=255_u8 {
        n_errors += usize::from(memo.insert([number; 32], Remembered::Fails).is_err());
    }
    assert_eq!(n_errors, 1);
    assert!(memo.flush().is_ok());
}
