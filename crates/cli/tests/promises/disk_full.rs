//! A full disk loses nothing: the best file is intact, the message names what is kept, exit code 4.
//!
//! Every failing write, one by one, is in `crates/store/tests/disk_full.rs`; here it is a real file system without
//! free space.

use crate::common::{Bench, Run};
use crate::count;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A small memory-backed file system, unmounted when dropped.
struct SmallDisk {
    path: PathBuf,
}

impl SmallDisk {
    /// Needs root; otherwise prints why and returns `None`.
    fn mount(path: &Path, n_kib: usize) -> Option<SmallDisk> {
        fs::create_dir(path).unwrap();
        let size = format!("size={n_kib}k");
        let mut mount = Command::new("mount");
        let status =
            mount.args(["-t", "tmpfs", "-o", &size, "tmpfs"]).arg(path).stderr(Stdio::null()).status();
        if !status.is_ok_and(|status| status.success()) {
            println!("disk full: skipped: only root may mount a small disk here");
            return None;
        }
        Some(SmallDisk { path: path.to_owned() })
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(&self.path).status();
    }
}

/// Fills the disk after a number of runs, then behaves as usual.
const FILLING: &str = "#!/bin/sh\necho x >> \"$LOG\"\n\
    [ $(wc -l < \"$LOG\") -gt \"$AFTER\" ] && cat /dev/zero > \"$DISK/fill\" 2>/dev/null\n\
    grep -q bvudiv \"$1\" && grep -q check-sat \"$1\"\n";

fn check(n_kib: usize, after: usize) -> Option<Run> {
    let bench = Bench::new();
    // Above a page, so that every commit needs room.
    bench.write("bug.smt2", &crate::common::script(120));
    bench.program("test.sh", FILLING);
    let disk = SmallDisk::mount(&bench.path("disk"), n_kib)?;
    let args = ["reduce", "bug.smt2", "-o", "disk/out.smt2", "-j1", "--history", "--test", "./test.sh"];
    let mut command = bench.command(&args);
    command.env("LOG", bench.path("log")).env("AFTER", after.to_string()).env("DISK", &disk.path);
    let run = Run::of(command.output().unwrap());
    match fs::read_to_string(disk.path.join("out.smt2")) {
        Ok(text) => {
            assert!(
                text.contains("bvudiv") && text.contains("check-sat"),
                "{n_kib} KiB, {after} runs: {text}"
            );
            assert_eq!(text.matches('(').count(), text.matches(')').count(), "{text}");
            if run.code == Some(4) {
                assert!(run.stderr.contains("out.smt2 holds a file that still fails"), "{}", run.stderr);
            }
        }
        Err(_) if run.code == Some(4) => assert!(run.stderr.contains("untouched"), "{}", run.stderr),
        Err(_) => {}
    }
    assert!(run.code == Some(4) || run.code == Some(0), "{n_kib} KiB, {after} runs: {run:#?}");
    if run.code == Some(4) {
        assert!(run.stderr.contains("No space left"), "{}", run.stderr);
    }
    Some(run)
}

#[test]
fn the_best_file_is_kept_and_named() {
    let mut n_full = 0;
    let n_sizes = count(5, 60);
    for idx in 0..n_sizes {
        // The disk fills up after the first runs, a little later each time.
        let Some(run) = check(96, 3 + idx * 60 / n_sizes) else { return };
        n_full += usize::from(run.code == Some(4));
    }
    println!("disk full: {n_full} of {n_sizes} runs met a full disk");
    assert!(n_full * 2 > n_sizes, "{n_full} of {n_sizes}");
}

#[test]
fn no_room_at_all() {
    let bench = Bench::new();
    let Some(disk) = SmallDisk::mount(&bench.path("disk"), 4) else { return };
    let _ = Command::new("sh")
        .args(["-c", "cat /dev/zero > \"$0\" 2>/dev/null"])
        .arg(disk.path.join("fill"))
        .status();
    let run = bench.nub(&["reduce", "bug.smt2", "-o", "disk/out.smt2", "--", "./solver"]).expect(4);
    assert!(run.stderr.contains("disk/"), "{}", run.stderr);
    assert!(!disk.path.join("out.smt2").exists());
}
