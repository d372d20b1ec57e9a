//! Run folders: the lock, leftovers, and what stays at the end.

#![allow(clippy::disallowed_methods, clippy::unwrap_used)]

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use nub_store::{
    AfterRun, ErrorKind, Memo, RealFs, Remembered, RunFolder, Scratch, StoreError, Unsuitable, commit,
};

fn new_path() -> (tempfile::TempDir, PathBuf) {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("bug.smt2.nub");
    (home, path)
}

fn names(folder: &Path) -> Vec<String> {
    let entries = folder.read_dir().unwrap();
    let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn the_second_nub_is_refused_and_told_whom_to_blame() {
    let (_home, path) = new_path();
    let run = RunFolder::open(&path).unwrap();
    let error = RunFolder::open(&path).unwrap_err();
    assert!(matches!(error, StoreError::Busy { pid: Some(pid), .. } if pid == std::process::id()));
    assert_eq!(error.kind(), ErrorKind::Refused);
    assert!(error.to_string().contains("bug.smt2.nub is in use by another nub (process "), "{error}");
    assert!(error.hint().is_some());
    assert!(run.temp_root().is_dir(), "the refused one removed nothing");
    drop(run);
    RunFolder::open(&path).unwrap();
}

#[test]
fn leftovers_of_a_killed_run_go_and_its_results_stay() {
    let (_home, path) = new_path();
    fs::create_dir_all(path.join("tmp/nub-1-0/w0/ask0")).unwrap();
    for name in ["lock", "journal", "memo", ".memo.nub-1-0", "tmp/nub-1-0.lock", "tmp/nub-1-0/w0/x"] {
        fs::write(path.join(name), "x").unwrap();
    }
    let run = RunFolder::open(&path).unwrap();
    assert_eq!(names(&path), ["journal", "lock", "memo", "tmp"]);
    assert_eq!(names(&path.join("tmp")).len(), 2, "one root and its lock");
    assert_eq!(fs::read(run.memo_path()).unwrap(), b"x");
}

#[test]
fn a_clean_end_keeps_or_removes() {
    let (home, path) = new_path();
    let run = RunFolder::open(&path).unwrap();
    Scratch::new(run.temp_root(), 0).unwrap().write("a", b"a").unwrap();
    commit(&RealFs, &run.memo_path(), b"memo").unwrap();
    run.finish(AfterRun::Keep).unwrap();
    assert_eq!(names(&path), ["lock", "memo"]);

    RunFolder::open(&path).unwrap().finish(AfterRun::Remove).unwrap();
    assert!(names(home.path()).is_empty());
}

#[test]
fn files_of_the_user_are_never_removed() {
    let (_home, path) = new_path();
    let run = RunFolder::open(&path).unwrap();
    fs::write(path.join("notes.txt"), "mine").unwrap();
    run.finish(AfterRun::Remove).unwrap();
    assert_eq!(names(&path), ["notes.txt"]);

    let error = RunFolder::open(&path).unwrap_err();
    assert!(matches!(error, StoreError::Unsuitable { reason: Unsuitable::Foreign, .. }), "{error}");
    assert_eq!(names(&path), ["notes.txt"]);
    assert!(RunFolder::open(&path.join("notes.txt")).is_err());
    assert_eq!(fs::read(path.join("notes.txt")).unwrap(), b"mine");
}

#[test]
fn a_drop_is_like_a_kill_but_cleaner() {
    let (_home, path) = new_path();
    let run = RunFolder::open(&path).unwrap();
    let temp_root = run.temp_root().to_owned();
    assert!(temp_root.is_absolute());
    fs::write(run.journal_path(), "").unwrap();
    drop(run);
    assert!(!temp_root.exists());
    assert_eq!(names(&path), ["journal", "lock", "tmp"]);
}

#[test]
fn many_openers_one_owner_at_a_time() {
    let (_home, path) = new_path();
    let n_owners = AtomicUsize::new(0);
    let work = || match RunFolder::open(&path) {
        Ok(run) => {
            assert_eq!(n_owners.fetch_add(1, Ordering::SeqCst), 0);
            fs::write(run.memo_path(), "x").unwrap();
            n_owners.fetch_sub(1, Ordering::SeqCst);
            run.finish(AfterRun::Remove).unwrap();
        }
        Err(StoreError::Busy { .. }) => std::thread::yield_now(),
        Err(error) => panic!("{error}"),
    };
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| (0..50).for_each(|_| work()));
        }
    });
}

#[test]
fn memo_survives_in_the_run_folder() {
    let (_home, path) = new_path();
    let run = RunFolder::open(&path).unwrap();
    Memo::open(&RealFs, &run.memo_path()).unwrap().insert([7; 32], Remembered::Fails).unwrap();
    let memo = Memo::open(&RealFs, &run.memo_path()).unwrap();
    assert_eq!(memo.get(&[7; 32]), Some(Remembered::Fails));
}
