//! Memos: damage, contradictions, and the limit on size.

#![allow(clippy::unwrap_used)]

use std::ops::Range;
use std::path::Path;
use std::time::{Duration, Instant};

use nub_store::{Memo, MemoKey, RealFs, Remembered};
use nub_test_kit::FaultFs;

const PATH: &str = "/memo";
const ENTRY_BYTES: usize = 40;

fn key(number: usize) -> MemoKey {
    let mut key = [0; 32];
    key[..8].copy_from_slice(&number.to_le_bytes());
    key
}

fn verdict(number: usize) -> Remembered {
    if number.is_multiple_of(3) { Remembered::Fails } else { Remembered::Passes }
}

fn fill(fs: &FaultFs, numbers: Range<usize>, limit: usize) {
    let mut memo = Memo::open_with_limit(fs, Path::new(PATH), limit).unwrap();
    numbers.for_each(|number| memo.insert(key(number), verdict(number)).unwrap());
}

fn open(fs: &FaultFs) -> Memo {
    Memo::open(fs, Path::new(PATH)).unwrap()
}

/// How many of the keys have an answer; the answers must be correct.
fn n_known(memo: &Memo, mut numbers: Range<usize>) -> usize {
    let is_right = |number| memo.get(&key(number)).is_none_or(|found| found == verdict(number));
    assert!(numbers.clone().all(is_right));
    numbers.by_ref().filter(|&number| memo.get(&key(number)).is_some()).count()
}

fn len_on_disk(fs: &FaultFs) -> usize {
    fs.state().bytes(PATH).unwrap().len()
}

#[test]
fn remembers_across_opens() {
    let fs = FaultFs::new();
    fill(&fs, 0..250, 1_000);
    fill(&fs, 200..300, 1_000);
    let memo = open(&fs);
    assert_eq!((memo.len(), n_known(&memo, 0..400)), (300, 300));
    assert_eq!(len_on_disk(&fs), 300 * ENTRY_BYTES, "nothing is written twice");
}

/// Times are given, not measured.
#[test]
fn a_kill_loses_the_verdicts_of_a_second_at_most() {
    let fs = FaultFs::new();
    let mut memo = open(&fs);
    let start = Instant::now();
    let mut at = |millis, number| {
        memo.insert_at(start + Duration::from_millis(millis), key(number), verdict(number)).unwrap();
        len_on_disk(&fs) / ENTRY_BYTES
    };
    assert_eq!(at(0, 0), 1, "every run leaves a verdict behind");
    assert_eq!([at(1, 1), at(999, 2)], [1, 1]);
    assert_eq!(at(1_000, 3), 4);
    // Many verdicts within a second are written together.
    assert_eq!((4..103).map(|number| at(1_500, number)).max(), Some(4));
    assert_eq!(at(1_500, 103), 104);
    assert_eq!(at(1_999, 104), 104);
    assert_eq!([at(5_000, 105), at(10_000, 106)], [106, 107], "a slow command");
    assert_eq!(at(10_001, 107), 107);
    std::mem::forget(memo);
    assert_eq!(n_known(&open(&fs), 0..200), 107);
}

#[test]
fn one_changed_byte_costs_one_entry() {
    let fs = FaultFs::new();
    fill(&fs, 0..4, 1_000);
    let bytes = fs.state().bytes(PATH).unwrap().to_owned();
    for position in 0..bytes.len() {
        // 0x16 turns `F` into `P` and back: the most dangerous damage.
        for flip in [1, 0x16, 0xff] {
            let mut damaged = bytes.clone();
            damaged[position] ^= flip;
            let memo = open(&FaultFs::new().with_file(PATH, &damaged, 0o600));
            assert_eq!((memo.len(), n_known(&memo, 0..4)), (3, 3), "byte {position}");
        }
    }
}

#[test]
fn entries_after_a_torn_one_are_found() {
    let fs = FaultFs::new();
    fill(&fs, 0..3, 1_000);
    let bytes = fs.state().bytes(PATH).unwrap().to_owned();
    for end in 0..bytes.len() {
        let fs = FaultFs::new().with_file(PATH, &bytes[..end], 0o600);
        fill(&fs, 3..5, 1_000);
        assert_eq!(n_known(&open(&fs), 0..5), end / ENTRY_BYTES + 2);
    }
}

#[test]
fn contradictions_are_not_answered() {
    let fs = FaultFs::new();
    let mut memo = open(&fs);
    for verdict in [Remembered::Fails, Remembered::Passes, Remembered::Passes] {
        memo.insert(key(1), verdict).unwrap();
    }
    assert_eq!(memo.get(&key(1)), None);
    drop(memo);
    assert_eq!(open(&fs).get(&key(1)), None, "nor after a restart");

    // Shortening the file must not keep only one of two contradicting entries.
    let memo = Memo::open_with_limit(&fs, Path::new(PATH), 2).unwrap();
    assert_eq!(memo.get(&key(1)), None);
}

#[test]
fn the_size_is_bounded() {
    let fs = FaultFs::new();
    let limit = 100;
    fill(&fs, 0..500, limit);
    assert_eq!(len_on_disk(&fs), limit * ENTRY_BYTES);
    let memo = Memo::open_with_limit(&fs, Path::new(PATH), limit).unwrap();
    assert_eq!((memo.len(), n_known(&memo, 50..100)), (50, 50), "the newer half stays");

    let garbage = FaultFs::new().with_file(PATH, &vec![b'F'; limit * ENTRY_BYTES], 0o600);
    fill(&garbage, 0..1, limit);
    assert_eq!(len_on_disk(&garbage), ENTRY_BYTES);
}

#[test]
fn only_what_an_earlier_run_knew_is_answered() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("memo");
    let mut memo = Memo::open(&RealFs, &path).unwrap();
    memo.insert([1; 32], Remembered::Fails).unwrap();
    assert_eq!((memo.get(&[1; 32]), memo.len()), (None, 0));
    drop(memo);
    let mut memo = Memo::open(&RealFs, &path).unwrap();
    assert_eq!(memo.get(&[1; 32]), Some(Remembered::Fails));
    memo.insert([1; 32], Remembered::Passes).unwrap();
    assert_eq!(memo.get(&[1; 32]), None, "a contradiction counts at once");
}
