//! kill -9 at any moment leaves the best file intact and still failing, and at most one accepted step is
//! lost.

use crate::common::{Bench, names};
use crate::{count, events, processes_with, wait_for};
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;
use std::process::{Child, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Fails with the needles. One process per ask, so that a run is short and a kill interrupts nub more often than its
/// oracle.
const SOLVER: &str = r#"#!/bin/sh
while read -r line || [ "$line" ]; do
  case $line in *bvudiv*) divides=1 ;; esac
  case $line in *check-sat*) checks=1 ;; esac
done < "$1"
[ "$divides$checks" = 11 ] && exit 7
exit 0
"#;

/// A run whose events go to a file, so that a kill does not lose them.
struct Victim {
    bench: Bench,
    child: Child,
}

impl Victim {
    fn new() -> Victim {
        let bench = Bench::new();
        bench.program("solver", SOLVER);
        let events = fs::File::create(bench.path("events")).unwrap();
        let args =
            ["reduce", "bug.smt2", "-o", "out.smt2", "--json", "-q", "--history", "-j2", "--", "./solver"];
        let child = bench.command(&args).stdout(events).stderr(Stdio::null()).spawn().unwrap();
        Victim { bench, child }
    }

    fn in_run_folder(&self, name: &str) -> PathBuf {
        self.bench.path("out.smt2.nub").join(name)
    }

    fn is_running(&mut self) -> bool {
        self.child.try_wait().unwrap().is_none()
    }

    /// Kills the process, and checks the files. True if it was killed in time.
    fn kill_and_check(mut self, at: &str) -> bool {
        let was_running = self.is_running();
        self.child.kill().unwrap();
        self.child.wait().unwrap();
        // The oracles of a killed nub end by themselves; their folder is removed after that.
        let folder = self.bench.path("").display().to_string();
        wait_for("orphaned oracles", || processes_with(&folder).is_empty());
        let original = self.bench.read("bug.smt2");
        let events = events(&self.bench.read("events"));
        let sizes: Vec<u64> = events
            .iter()
            .filter(|event| event["type"] == "accepted")
            .map(|event| event["bytes"].as_u64().unwrap())
            .collect();
        let Ok(text) = fs::read_to_string(self.bench.path("out.smt2")) else {
            assert!(sizes.len() <= 1, "{at}: {} steps were accepted and none is on disk", sizes.len());
            return was_running;
        };
        assert!(text.contains("bvudiv") && text.contains("check-sat"), "{at}: does not fail: {text}");
        let n_open = text.matches('(').count();
        assert_eq!(n_open, text.matches(')').count(), "{at}: torn: {text}");
        let body = text.strip_prefix("; nub").map_or(&text[..], |_| text.split_once('\n').unwrap().1);
        assert!(body.len() < original.len(), "{at}");
        if let [.., before_last, _] = sizes[..] {
            assert!(body.len() as u64 <= before_last + 1, "{at}: {} bytes after steps {sizes:?}", body.len());
        }
        was_running
    }
}

/// Kills at a fraction of the time that a whole run takes. False if nub had ended by itself before.
fn kill_at(fraction: f64, whole_run: Duration) -> bool {
    let mut victim = Victim::new();
    let deadline = Instant::now() + whole_run.mul_f64(fraction);
    while Instant::now() < deadline && victim.is_running() {
        std::thread::sleep(Duration::from_micros(200));
    }
    victim.kill_and_check(&format!("{fraction:.3} of {whole_run:?}"))
}

/// How long a run takes here and now.
fn time_of_whole_run() -> Duration {
    let start = Instant::now();
    Victim::new().child.wait().unwrap();
    start.elapsed()
}

#[test]
fn at_random_moments() {
    /// A whole run is timed again after this many kills: the load of the machine changes.
    const SERIES: usize = 25;
    let n_kills = count(10, 1000);
    let (n_tried, n_hit) = (AtomicUsize::new(0), AtomicUsize::new(0));
    // Kills that came too late do not count, but the number of attempts is limited.
    let goes_on =
        || n_hit.load(Ordering::Relaxed) < n_kills && n_tried.load(Ordering::Relaxed) < 2 * n_kills + SERIES;
    let kill_on = || {
        while goes_on() {
            let whole_run = time_of_whole_run();
            for _ in 0..SERIES {
                // Golden ratio steps: spread evenly whatever the count.
                let idx = n_tried.fetch_add(1, Ordering::Relaxed);
                let is_hit = kill_at((idx as f64 * 0.618_034).fract(), whole_run);
                n_hit.fetch_add(usize::from(is_hit), Ordering::Relaxed);
                if !goes_on() {
                    break;
                }
            }
        }
    };
    let n_threads = std::thread::available_parallelism().map_or(1, usize::from).min(8);
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..n_threads).map(|_| scope.spawn(kill_on)).collect();
        threads.into_iter().for_each(|thread| thread.join().unwrap());
    });
    let (n_tried, n_hit) = (n_tried.into_inner(), n_hit.into_inner());
    println!("kill: {n_hit} of {n_tried} random kills hit a running nub");
    assert!(n_hit >= n_kills, "{n_hit} of {n_tried}");
}

fn len(path: PathBuf) -> u64 {
    fs::metadata(path).map_or(0, |data| data.len())
}

fn inode(path: PathBuf) -> u64 {
    fs::metadata(path).map_or(0, |data| data.ino())
}

/// A moment around a write: the kill comes when the value changes for the n-th time.
struct Point {
    name: &'static str,
    value: fn(&Victim) -> u64,
    n_changes: usize,
}

const POINTS: [Point; 10] = [
    Point {
        name: "the run folder appears",
        value: |v| u64::from(v.in_run_folder("").exists()),
        n_changes: 1,
    },
    Point { name: "the lock is written", value: |v| len(v.in_run_folder("lock")), n_changes: 1 },
    Point { name: "the journal begins", value: |v| len(v.in_run_folder("journal")), n_changes: 1 },
    Point {
        name: "the first step is in the journal",
        value: |v| len(v.in_run_folder("journal")),
        n_changes: 2,
    },
    Point { name: "the first result appears", value: |v| inode(v.bench.path("out.smt2")), n_changes: 1 },
    Point { name: "the second result replaces it", value: |v| inode(v.bench.path("out.smt2")), n_changes: 2 },
    Point {
        name: "a fifth step is in the journal",
        value: |v| len(v.in_run_folder("journal")),
        n_changes: 6,
    },
    Point { name: "a file beside the result comes or goes", value: beside, n_changes: 5 },
    Point { name: "the memo grows", value: |v| len(v.in_run_folder("memo")), n_changes: 3 },
    Point { name: "the history grows", value: history, n_changes: 4 },
];

/// Changes when anything beside the result comes or goes.
fn beside(victim: &Victim) -> u64 {
    names(&victim.bench.path("")).len() as u64
}

fn history(victim: &Victim) -> u64 {
    fs::read_dir(victim.in_run_folder("history")).map_or(0, |entries| entries.count() as u64)
}

#[test]
fn at_aimed_points() {
    let (mut n_in_time, mut n_kills) = (0, 0);
    for _ in 0..count(1, 50) {
        for point in &POINTS {
            let mut victim = Victim::new();
            let (mut last, mut n_changes) = ((point.value)(&victim), 0);
            while n_changes < point.n_changes && victim.is_running() {
                let value = (point.value)(&victim);
                n_changes += usize::from(value != last);
                last = value;
            }
            n_kills += 1;
            n_in_time += usize::from(victim.kill_and_check(point.name));
        }
    }
    println!("kill: {n_in_time} of {n_kills} aimed kills hit a running nub");
    assert!(n_in_time * 2 > n_kills, "{n_in_time} of {n_kills}");
}
