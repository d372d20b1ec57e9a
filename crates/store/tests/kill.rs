//! Promise: kill -9 at any moment leaves the best file intact, loses at most the current step, and the next
//! start cleans up. The test starts itself as the process to kill.

#![allow(clippy::disallowed_methods, clippy::unwrap_used)]

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use nub_store::{
    AfterRun, Journal, JournalRecord, JournalRecordKind, RealFs, RunFolder, Scratch, commit, sweep_leftovers,
};

const VICTIM_FOLDER: &str = "NUB_TEST_VICTIM_FOLDER";
const N_KILLS: u64 = 40;
const N_REPEATS: usize = 2_000;

fn content(number: u64) -> Vec<u8> {
    format!("{number}\n").repeat(N_REPEATS).into_bytes()
}

/// The number that this content encodes, if it is complete.
fn whole_number(bytes: &[u8]) -> Option<u64> {
    let number = std::str::from_utf8(bytes).ok()?.lines().next()?.parse().ok()?;
    (bytes == content(number)).then_some(number)
}

/// Not a test by itself: does accepted steps until it is killed.
#[test]
fn victim() {
    let Some(folder) = std::env::var_os(VICTIM_FOLDER) else { return };
    let folder = Path::new(&folder);
    let run = RunFolder::open(&folder.join("run")).unwrap();
    let scratch = Scratch::new(run.temp_root(), 0).unwrap();
    let (mut journal, earlier) = Journal::open(&RealFs, &run.journal_path()).unwrap();
    let first = earlier.last().and_then(|record| record.number("step")).map_or(0, |number| number + 1);
    for number in first.. {
        scratch.write("candidate", &content(number)).unwrap();
        commit(&RealFs, &folder.join("output"), &content(number)).unwrap();
        journal.append(&JournalRecord::new(JournalRecordKind::Step).with_number("step", number)).unwrap();
    }
}

fn run_and_kill(folder: &Path, after: Duration) {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "victim"])
        .env(VICTIM_FOLDER, folder)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    std::thread::sleep(after);
    child.kill().unwrap();
    let status = child.wait().unwrap();
    assert_eq!(status.code(), None, "the victim ended by itself");
}

#[test]
fn killed_at_many_moments() {
    let folder = tempfile::tempdir().unwrap();
    let (run_path, output) = (folder.path().join("run"), folder.path().join("output"));
    let mut n_steps = 0;
    for round in 0..N_KILLS {
        run_and_kill(folder.path(), Duration::from_micros(2_000 + round * 7_919 % 20_000));
        let run = RunFolder::open(&run_path).unwrap();
        let (_, records) = Journal::open(&RealFs, &run.journal_path()).unwrap();
        sweep_leftovers(&output);
        assert!(folder.path().read_dir().unwrap().count() <= 2, "the folder is clean again");

        assert!(records.len() as u64 >= n_steps, "no record is lost");
        n_steps = records.len() as u64;
        assert!(records.iter().zip(0..).all(|(record, number)| record.number("step") == Some(number)));
        match fs::read(&output) {
            // The output may be ahead of the journal by the current step.
            Ok(bytes) => assert!((n_steps..=n_steps + 1).contains(&(whole_number(&bytes).unwrap() + 1))),
            Err(_) => assert_eq!(n_steps, 0),
        }
    }
    assert!(n_steps > 0, "the victim got something done");
    RunFolder::open(&run_path).unwrap().finish(AfterRun::Remove).unwrap();
    assert!(!run_path.exists());
}
