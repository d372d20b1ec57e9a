//! Reductions of hangs: what a share of the time limit saves, and that only steps confirmed with the full limit count.
#![allow(clippy::unwrap_used, clippy::disallowed_methods)] // tests

use nub_oracle::{Confirmation, Doubt, Oracle, OracleAnswer, TimeShare, Verdict};
use nub_process::Cancel;
use nub_reduce::plain::Plain;
use nub_reduce::search::With;
use nub_reduce::session::{
    Cancels, Finished, Identity, ReductionPlan, ReductionStart, SessionOracle, open_folder, run,
};
use nub_reduce::strategies::auto_plain;
use nub_reduce::{AcceptedStep, Engine, Quiet, ReduceConfig, ReductionObserver, StepError};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// The time limit.
const FULL: Duration = Duration::from_secs(32);
const N_LINES: usize = 120;

/// How long the command takes on a text.
type Takes = fn(&[u8]) -> Duration;

/// A command with a simulated clock: how long it takes depends on the text.
struct Clockwork {
    takes: Takes,
    least_share: TimeShare,
    /// Time of all runs together.
    spent: Mutex<Duration>,
    /// When the search and the checks end.
    deadlines: Option<[(Duration, Cancel); 2]>,
}

impl Clockwork {
    fn new(takes: Takes, halvings: u32) -> Clockwork {
        let least_share = TimeShare::halved(halvings);
        Clockwork { takes, least_share, spent: Mutex::default(), deadlines: None }
    }

    /// With time limits for the search and for the checks, as a timer would have them.
    fn within(mut self, search: Duration, checks: Duration) -> Clockwork {
        self.deadlines = Some([(search, Cancel::new()), (checks, Cancel::new())]);
        self
    }

    /// Lets time pass while a command runs, until it ends or is cancelled.
    fn pass(&self, takes: Duration, cancel: &Cancel) -> Option<Verdict> {
        let mut spent = self.spent.lock().unwrap();
        let end = *spent + takes;
        for (at, deadline) in self.deadlines.iter().flatten() {
            if cancel.is_cancelled() {
                return Some(Verdict::Unsure(Doubt::Cancelled));
            }
            if *at <= end {
                *spent = (*spent).max(*at);
                deadline.cancel();
            }
        }
        if cancel.is_cancelled() {
            return Some(Verdict::Unsure(Doubt::Cancelled));
        }
        *spent = end;
        None
    }

    fn spent(&self) -> Duration {
        *self.spent.lock().unwrap()
    }

    fn hangs(&self, bytes: &[u8]) -> bool {
        (self.takes)(bytes) >= FULL
    }
}

impl Oracle for Clockwork {
    fn ask(&self, candidate: &[u8], cancel: &Cancel) -> OracleAnswer {
        self.ask_within(TimeShare::FULL, candidate, cancel)
    }

    fn ask_within(&self, share: TimeShare, candidate: &[u8], cancel: &Cancel) -> OracleAnswer {
        let (takes, limit) = ((self.takes)(candidate), share.of(FULL));
        let stopped = self.pass(takes.min(limit), cancel);
        let verdict = stopped.unwrap_or(if takes >= limit { Verdict::Fails } else { Verdict::Passes });
        OracleAnswer::of_one_run(verdict, takes.min(limit), Duration::ZERO)
    }

    fn least_share(&self) -> TimeShare {
        self.least_share
    }
}

impl SessionOracle for Clockwork {
    fn key(&self, bytes: &[u8]) -> [u8; 32] {
        *blake3::hash(bytes).as_bytes()
    }

    fn accepted(&self, bytes: &Arc<Vec<u8>>, _wall: Option<Duration>) {
        assert!(self.hangs(bytes), "what is accepted hangs");
    }

    fn confirm(&self, bytes: &[u8], n: u32, cancel: &Cancel) -> Confirmation {
        Confirmation::collect(n, || self.ask(bytes, cancel).verdict)
    }

    fn is_flaky(&self) -> bool {
        false
    }
}

fn original() -> Vec<u8> {
    (0..N_LINES).map(|line| format!("line number {line} of many\n")).collect::<String>().into_bytes()
}

fn has(text: &[u8], line: usize) -> bool {
    String::from_utf8_lossy(text).contains(&format!("number {line} "))
}

/// Never ends if five lines are present; otherwise ends immediately.
fn endless(text: &[u8]) -> Duration {
    let hangs = [3, 40, 41, 77, 118].into_iter().all(|line| has(text, line));
    if hangs { FULL * 100 } else { Duration::from_millis(20) }
}

/// Twice as long with every third line: 32 seconds with eleven of them, more than a second with six.
fn doubling(text: &[u8]) -> Duration {
    let n = (0..N_LINES).step_by(3).filter(|line| has(text, *line)).count();
    Duration::from_millis(20) * (1 << n.min(20))
}

/// Without the last line, ends after three seconds whatever the rest: with a share of the time that looks like a
/// hang.
fn deceptive(text: &[u8]) -> Duration {
    match (has(text, 119), has(text, 60)) {
        (true, true) => FULL * 2,
        (true, false) => Duration::from_millis(20),
        (false, _) if text.len() > 40 => Duration::from_secs(3),
        (false, _) => Duration::from_millis(20),
    }
}

const CLOCKS: [(&str, Takes); 3] = [("endless", endless), ("doubling", doubling), ("deceptive", deceptive)];

/// A folder of its own, removed at the end.
struct Place(PathBuf);

impl Place {
    fn new(name: &str) -> Place {
        let path = std::env::temp_dir().join(format!("nub-provisional-{}-{name}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir(&path).unwrap();
        Place(path)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn reduce(
    place: &Place,
    clockwork: &Clockwork,
    start: ReductionStart,
    engine: ReduceConfig,
    watch: &mut dyn ReductionObserver,
) -> Finished {
    let original = original();
    let folder = open_folder(&place.0.join("out.txt.nub"), start).unwrap();
    let search = With { format: Plain::new(), strategy: |engine: &mut Engine<'_, Plain>| auto_plain(engine) };
    let plan = ReductionPlan {
        original: &original,
        search: &search,
        out: &place.0.join("out.txt"),
        folder: &folder,
        engine,
        header: None,
        layout: None,
        history: None,
        identity: Identity::new(&original),
        start,
    };
    let [search, checks] = match &clockwork.deadlines {
        Some(deadlines) => deadlines.each_ref().map(|(_, cancel)| cancel.clone()),
        None => [Cancel::new(), Cancel::new()],
    };
    run(&plan, clockwork, &Cancels { search: &search, checks: &checks, all: &Cancel::new() }, watch).unwrap()
}

/// Checks that every reported step hangs, and that the file is one of them.
struct Auditor<'a> {
    clockwork: &'a Clockwork,
    out: PathBuf,
    n_steps: usize,
}

impl ReductionObserver for Auditor<'_> {
    fn accepted(&mut self, _step: &AcceptedStep, bytes: &Arc<Vec<u8>>) -> Result<(), StepError> {
        assert!(self.clockwork.hangs(bytes), "a step of {} bytes", bytes.len());
        assert_eq!(std::fs::read(&self.out).unwrap(), **bytes, "on disk when it is told");
        self.n_steps += 1;
        Ok(())
    }
}

/// Final text, time in the command, and steps that counted.
fn audited(name: &str, takes: Takes, halvings: u32) -> (Vec<u8>, Duration, usize) {
    let (place, clockwork) = (Place::new(&format!("{name}-{halvings}")), Clockwork::new(takes, halvings));
    let mut auditor = Auditor { clockwork: &clockwork, out: place.0.join("out.txt"), n_steps: 0 };
    let finished = reduce(&place, &clockwork, ReductionStart::Fresh, ReduceConfig::default(), &mut auditor);
    assert_eq!(finished.stop, None);
    assert!(finished.confirmation.fails == finished.confirmation.n && clockwork.hangs(&finished.text));
    let n_steps = auditor.n_steps;
    (finished.text, clockwork.spent(), n_steps)
}

/// A real hang: most asks need only a share of the limit, and the result is the same.
#[test]
fn a_hang_costs_a_share_of_the_limit() {
    let (with_all, all, n_all) = audited("endless", endless, 0);
    let (with_share, share, n_share) = audited("endless", endless, 5);
    assert_eq!(with_share, with_all);
    println!("endless: {all:?} with all of the time, {share:?} with shares");
    assert!(share * 2 <= all, "{share:?} of {all:?}");
    assert!(n_share < n_all, "milestones alone are told: {n_share} of {n_all}");
}

/// The time falls with the size of the text, so that candidates that are too small still reach the short limit. Nothing is saved
/// if passing candidates take nearly the full time themselves, but nothing is lost either.
#[test]
fn steps_that_do_not_hold_are_taken_back() {
    for (name, takes) in [("doubling", doubling as Takes), ("deceptive", deceptive)] {
        let (with_all, all, _) = audited(name, takes, 0);
        let (with_share, share, _) = audited(name, takes, 5);
        assert!(with_share.len() <= with_all.len(), "{name}: {} of {}", with_share.len(), with_all.len());
        println!("{name}: {all:?}, {} bytes; {share:?}, {} bytes", with_all.len(), with_share.len());
        assert!(share <= all + all / 20, "{name}: {share:?} of {all:?}");
    }
}

/// If a run is stopped after any number of asks, the file hangs, and the resumed run ends as if it had not been
/// stopped.
#[test]
fn a_run_can_be_stopped_and_resumed_at_any_ask() {
    for (name, takes) in CLOCKS {
        let (expected, ..) = audited(name, takes, 4);
        for max_asks in [1, 7, 20, 33, 50, 81, 130] {
            let place = Place::new(&format!("{name}-stopped-{max_asks}"));
            let clockwork = Clockwork::new(takes, 4);
            let stopped = ReduceConfig { max_asks: Some(max_asks), ..ReduceConfig::default() };
            let begun = reduce(&place, &clockwork, ReductionStart::Fresh, stopped, &mut Quiet);
            assert!(clockwork.hangs(&begun.text), "{name}, {max_asks} asks");
            if begun.stop.is_none() {
                break;
            }
            // The share that was measured at the start is the one that counts.
            let clockwork = Clockwork::new(takes, 1);
            let ended =
                reduce(&place, &clockwork, ReductionStart::Resume, ReduceConfig::default(), &mut Quiet);
            assert_eq!(ended.text, expected, "{name}, {max_asks} asks");
        }
    }
}

/// The time limit applies to confirmations too: unconfirmed steps are reported and dropped, and a later run
/// continues.
#[test]
fn confirmations_keep_to_the_time_limit() {
    let mut n_cut = 0;
    for (name, takes) in CLOCKS {
        let (expected, all, _) = audited(name, takes, 3);
        for tenths in 1..10u32 {
            let (search, checks) = (all * tenths / 10, all * tenths / 10 + FULL / 2);
            let place = Place::new(&format!("{name}-limit-{tenths}"));
            let clockwork = Clockwork::new(takes, 3).within(search, checks);
            let begun =
                reduce(&place, &clockwork, ReductionStart::Fresh, ReduceConfig::default(), &mut Quiet);
            assert!(clockwork.spent() <= checks, "{name}: {:?} of {checks:?}", clockwork.spent());
            assert!(clockwork.hangs(&begun.text), "{name}, {search:?}");
            if begun.stop.is_none() {
                // The search was over in time, and the checks of its file were cut off.
                assert!(begun.unconfirmed.is_none() && begun.confirmation.n < 2, "{name}, {search:?}");
                continue;
            }
            if let Some(steps) = begun.unconfirmed {
                n_cut += 1;
                assert!(steps.n_steps > 0 && steps.bytes < begun.text.len() as u64, "{name}: {steps:?}");
            }
            let clockwork = Clockwork::new(takes, 1);
            let ended =
                reduce(&place, &clockwork, ReductionStart::Resume, ReduceConfig::default(), &mut Quiet);
            assert_eq!((ended.text, ended.unconfirmed), (expected.clone(), None), "{name}, {search:?}");
        }
    }
    assert!(n_cut > 0, "some confirmations were cut off");
}

#[test]
fn the_number_of_workers_does_not_matter() {
    for (name, takes) in CLOCKS {
        let (expected, ..) = audited(name, takes, 5);
        for jobs in [2, 7] {
            let (place, clockwork) =
                (Place::new(&format!("{name}-{jobs}-workers")), Clockwork::new(takes, 5));
            let config = ReduceConfig { jobs, ..ReduceConfig::default() };
            assert_eq!(
                reduce(&place, &clockwork, ReductionStart::Fresh, config, &mut Quiet).text,
                expected,
                "{name}"
            );
        }
    }
}
