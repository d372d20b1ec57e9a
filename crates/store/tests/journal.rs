//! Journals that were torn, damaged, or written into by others.

use std::path::Path;

use nub_store::{Journal, JournalRecord, JournalRecordKind, MAX_RECORD_BYTES, StoreError};
use nub_test_kit::FaultFs;

const PATH: &str = "/journal";

fn records() -> Vec<JournalRecord> {
    vec![
        JournalRecord::new(JournalRecordKind::Header)
            .with("command", "solver --opt\n")
            .with("hash", [0xff, 0]),
        JournalRecord::new(JournalRecordKind::Step).with("pass", "drop-command").with_number("size", 4711),
        JournalRecord::new(JournalRecordKind::End),
    ]
}

fn written() -> Vec<u8> {
    let fs = FaultFs::new();
    let (mut journal, _) = Journal::open(&fs, Path::new(PATH)).expect("an empty disk");
    records().iter().for_each(|record| journal.append(record).expect("room on the disk"));
    fs.state().bytes(PATH).expect("a journal").to_owned()
}

fn open(bytes: &[u8]) -> (Journal, Vec<JournalRecord>, FaultFs) {
    let fs = FaultFs::new().with_file(PATH, bytes, 0o600);
    let (journal, found) = Journal::open(&fs, Path::new(PATH)).expect("any bytes will do");
    (journal, found, fs)
}

#[test]
fn reads_what_was_written() {
    let (journal, found, _) = open(&written());
    assert_eq!(found, records());
    assert_eq!(journal.n_damaged(), 0);
}

#[test]
fn torn_at_every_byte() {
    let bytes = written();
    for end in 0..bytes.len() {
        let (mut journal, mut found, fs) = open(&bytes[..end]);
        assert_eq!(found, records()[..found.len()], "torn after {end} bytes");
        let n_newlines = bytes[..end].iter().filter(|&&byte| byte == b'\n').count();
        assert!(found.len() >= n_newlines);

        let next = JournalRecord::new(JournalRecordKind::Step).with_number("size", 1);
        journal.append(&next).unwrap();
        found.push(next);
        assert_eq!(Journal::open(&fs, Path::new(PATH)).unwrap().1, found);
    }
}

#[test]
fn a_damaged_line_costs_one_record() {
    let bytes = written();
    for position in 0..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[position] ^= 0x40;
        let (journal, found, _) = open(&damaged);
        // A damaged newline joins two records.
        let n_lost = if bytes[position] == b'\n' && position + 1 < bytes.len() { 2 } else { 1 };
        assert_eq!(found.len(), records().len() - n_lost, "byte {position}");
        assert!(found.iter().all(|record| records().contains(record)));
        assert!(journal.n_damaged() > 0);
    }
}

#[test]
fn garbage_is_skipped() {
    let (journal, found, _) = open(b"hello\n\x00\x00\n\xff\nv1 \nv1 0 step\n\n");
    assert!(found.is_empty());
    assert_eq!(journal.n_damaged(), 5);
}

#[test]
fn too_large_is_refused_before_writing() {
    let (mut journal, _, fs) = open(b"");
    let record = JournalRecord::new(JournalRecordKind::Header).with("command", vec![b'x'; MAX_RECORD_BYTES]);
    let error = journal.append(&record).unwrap_err();
    assert!(matches!(error, StoreError::TooLarge { .. }));
    assert_eq!(fs.state().bytes(PATH), Some(&b""[..]));
}
