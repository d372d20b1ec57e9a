//! Checks that reported steps are on disk, and that a resumed session does not lose them.
#![allow(clippy::unwrap_used, clippy::disallowed_methods)] // tests

use nub_oracle::{Confirmation, Oracle, OracleAnswer, Verdict};
use nub_process::Cancel;
use nub_reduce::plain::Plain;
use nub_reduce::search::With;
use nub_reduce::session::{
    Cancels, Finished, Identity, ReductionPlan, ReductionStart, SessionOracle, open_folder, run,
};
use nub_reduce::strategies::auto_plain;
use nub_reduce::{AcceptedStep, Engine, Quiet, ReduceConfig, ReductionObserver, StepError};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// Fails with every seventh line of the original; every candidate is identified by its bytes.
struct Lines;

const N_LINES: usize = 60;

fn original() -> Vec<u8> {
    (0..N_LINES).map(|line| format!("line number {line} of many\n")).collect::<String>().into_bytes()
}

fn fails(text: &[u8]) -> bool {
    let text = String::from_utf8_lossy(text);
    (0..N_LINES).step_by(7).all(|line| text.contains(&format!("number {line} ")))
}

impl Oracle for Lines {
    fn ask(&self, candidate: &[u8], _cancel: &Cancel) -> OracleAnswer {
        OracleAnswer::free(if fails(candidate) { Verdict::Fails } else { Verdict::Passes })
    }
}

impl SessionOracle for Lines {
    fn key(&self, bytes: &[u8]) -> [u8; 32] {
        *blake3::hash(bytes).as_bytes()
    }

    fn accepted(&self, _bytes: &Arc<Vec<u8>>, _wall: Option<Duration>) {}

    fn confirm(&self, bytes: &[u8], n: u32, cancel: &Cancel) -> Confirmation {
        Confirmation::collect(n, || self.ask(bytes, cancel).verdict)
    }

    fn is_flaky(&self) -> bool {
        false
    }
}

/// A folder of its own, removed at the end.
struct Place(PathBuf);

impl Place {
    fn new(name: &str) -> Place {
        let path = std::env::temp_dir().join(format!("nub-session-{}-{name}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir(&path).unwrap();
        Place(path)
    }

    fn out(&self) -> PathBuf {
        self.0.join("out.txt")
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn reduce(
    place: &Place,
    start: ReductionStart,
    max_asks: Option<u64>,
    watch: &mut dyn ReductionObserver,
) -> Finished {
    reduce_with(place, start, ReduceConfig { max_asks, ..ReduceConfig::default() }, watch)
}

fn reduce_with(
    place: &Place,
    start: ReductionStart,
    engine: ReduceConfig,
    watch: &mut dyn ReductionObserver,
) -> Finished {
    let original = original();
    let out = place.out();
    let folder = open_folder(&place.0.join("out.txt.nub"), start).unwrap();
    let search = With { format: Plain::new(), strategy: |engine: &mut Engine<'_, Plain>| auto_plain(engine) };
    let plan = ReductionPlan {
        original: &original,
        search: &search,
        out: &out,
        folder: &folder,
        engine,
        header: None,
        layout: None,
        history: Some("txt".to_owned()),
        identity: Identity::new(&original),
        start,
    };
    let (search, all) = (Cancel::new(), Cancel::new());
    run(&plan, &Lines, &Cancels { search: &search, checks: &all, all: &all }, watch).unwrap()
}

/// Compares every reported step with the disk.
struct Auditor<'a> {
    out: &'a Path,
    n_steps: usize,
    n_behind: usize,
}

impl ReductionObserver for Auditor<'_> {
    fn accepted(&mut self, _step: &AcceptedStep, bytes: &Arc<Vec<u8>>) -> Result<(), StepError> {
        self.n_steps += 1;
        self.n_behind += usize::from(std::fs::read(self.out).ok().as_ref() != Some(&**bytes));
        Ok(())
    }
}

/// A kill right after an event must find what the event promised, in this run or in one that resumed it.
#[test]
fn what_is_reported_is_on_disk() {
    let place = Place::new("reported");
    let out = place.out();
    let mut auditor = Auditor { out: &out, n_steps: 0, n_behind: 0 };
    let finished = reduce(&place, ReductionStart::Fresh, None, &mut auditor);
    assert!(auditor.n_steps > 5, "{} steps", auditor.n_steps);
    assert_eq!(auditor.n_behind, 0, "of {} reported steps", auditor.n_steps);
    assert_eq!(std::fs::read(&out).unwrap(), finished.text, "the last step is reported, too");
}

/// A resumed run first repeats what was done. If it is stopped before it has caught up, its best file is
/// larger than the one on disk.
#[test]
fn a_resumed_run_that_is_stopped_early_leaves_the_better_file() {
    let place = Place::new("resumed");
    let first = reduce(&place, ReductionStart::Fresh, Some(60), &mut nub_reduce::Quiet);
    assert!(first.stop.is_some() && first.reduced, "stopped half-way");
    let kept = std::fs::read(place.out()).unwrap();
    for max_asks in [1, 5, 20] {
        let again = reduce(&place, ReductionStart::Resume, Some(max_asks), &mut nub_reduce::Quiet);
        let now = std::fs::read(place.out()).unwrap();
        assert!(now.len() <= kept.len(), "{} bytes became {} after {max_asks} asks", kept.len(), now.len());
        assert!(again.reduced && again.text == now, "{max_asks}");
    }
    let last = reduce(&place, ReductionStart::Resume, None, &mut nub_reduce::Quiet);
    let whole = Place::new("whole");
    assert_eq!(
        last.text,
        reduce(&whole, ReductionStart::Fresh, None, &mut nub_reduce::Quiet).text,
        "as if never stopped"
    );
}

/// The search is a function of the verdicts, so it does not matter how many workers started it and how many
/// continue.
#[test]
fn a_run_can_be_resumed_with_another_number_of_workers() {
    let whole = Place::new("one");
    let expected = reduce(&whole, ReductionStart::Fresh, None, &mut nub_reduce::Quiet).text;
    for (name, first, second) in [("more", 1, 4), ("fewer", 5, 1), ("many", 3, 16)] {
        let place = Place::new(name);
        let stopped = ReduceConfig { jobs: first, max_asks: Some(60), ..ReduceConfig::default() };
        let begun = reduce_with(&place, ReductionStart::Fresh, stopped, &mut nub_reduce::Quiet);
        assert!(begun.stop.is_some() && begun.reduced, "stopped half-way");
        let rest = ReduceConfig { jobs: second, ..ReduceConfig::default() };
        let ended = reduce_with(&place, ReductionStart::Resume, rest, &mut nub_reduce::Quiet);
        assert_eq!(ended.text, expected, "{first} workers, then {second}");
        assert!(ended.remembered >= 60, "{} answers from the first run", ended.remembered);
    }
}

/// The form of the result and its confirmations do not depend on how many runs are made at the same time.
#[test]
fn the_last_runs_say_the_same_with_any_number_of_workers() {
    let outcome = |jobs: usize| {
        let place = Place::new(&format!("last-{jobs}"));
        let engine = ReduceConfig { jobs, ..ReduceConfig::default() };
        let finished = reduce_with(&place, ReductionStart::Fresh, engine, &mut Quiet);
        assert_eq!(std::fs::read(place.out()).unwrap(), finished.text);
        (finished.text, finished.confirmation, finished.flaky)
    };
    let (text, confirmation, flaky) = outcome(1);
    assert!(fails(&text) && confirmation.is_full() && confirmation.n == 2 && !flaky);
    for jobs in [2, 3, 16] {
        assert_eq!(outcome(jobs), (text.clone(), confirmation, flaky), "{jobs}");
    }
}
