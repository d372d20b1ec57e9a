//! Signals and kills: what is on disk afterwards, and how a run continues.

#![allow(clippy::disallowed_methods, clippy::unwrap_used, clippy::print_stdout)] // tests start programs and write files

mod common;

use common::{Bench, Run, names};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

const RUN_FOLDER: &str = "bug.reduced.smt2.nub";

fn start(bench: &Bench, args: &[&str]) -> Child {
    bench.command(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

fn signal(child: &Child, name: &str) {
    let status = Command::new("kill").args([format!("-{name}"), child.id().to_string()]).status().unwrap();
    assert!(status.success());
}

fn wait_for(condition: impl Fn() -> bool) {
    let start = Instant::now();
    while !condition() {
        assert!(start.elapsed() < Duration::from_secs(600), "waited in vain");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Fails immediately on files with the needle; on others it hangs and ignores SIGTERM.
const DEAF: &str =
    "#!/bin/sh\n[ -s \"$1\" ] || exit 0\ngrep -q bvudiv \"$1\" && exit 7\ntrap '' TERM INT\nsleep 60\n";

fn check_signal(name: &str, number: i32) {
    let bench = Bench::new();
    bench.program("solver", DEAF);
    let child = start(&bench, &["reduce", "bug.smt2", "-j2", "--timeout", "60", "--", "./solver"]);
    wait_for(|| bench.path("bug.reduced.smt2").exists());
    std::thread::sleep(Duration::from_millis(300));
    let sent = Instant::now();
    signal(&child, name);
    let run = Run::of(child.wait_with_output().unwrap());
    assert!(sent.elapsed() < Duration::from_secs(30), "half of their sleep: {:?}", sent.elapsed());
    assert_eq!((run.code, run.signal), (None, Some(number)), "{run:#?}");
    assert!(run.stderr.contains("continue with --resume"), "{}", run.stderr);
    assert!(run.stdout.starts_with("bug.reduced.smt2\n"), "{}", run.stdout);
    assert!(bench.read("bug.reduced.smt2").contains("bvudiv"));
    assert_eq!(
        names(&bench.path(RUN_FOLDER)),
        ["events.jsonl", "job.json", "journal", "lock", "memo"],
        "no temporary entries"
    );
}

#[test]
fn interrupt_leaves_the_best_file() {
    check_signal("INT", 2);
}

#[test]
fn terminate_leaves_the_best_file() {
    check_signal("TERM", 15);
}

#[test]
fn interrupt_before_the_first_step() {
    let bench = Bench::new();
    bench.program("solver", "#!/bin/sh\ntrap '' TERM INT\n: > started\nsleep 60\n");
    let child = start(&bench, &["reduce", "bug.smt2", "--", "./solver"]);
    wait_for(|| bench.path("started").exists());
    signal(&child, "INT");
    let run = Run::of(child.wait_with_output().unwrap());
    assert_eq!(run.signal, Some(2), "{run:#?}");
    assert_eq!(bench.names(), ["bug.smt2", "solver", "started", "test.sh"]);
}

/// Whether a process has opened a file.
fn has_open(child: &Child, path: &std::path::Path) -> bool {
    let path = path.canonicalize().unwrap();
    let open = std::fs::read_dir(format!("/proc/{}/fd", child.id()));
    open.is_ok_and(|open| {
        open.flatten().any(|entry| std::fs::read_link(entry.path()).is_ok_and(|to| to == path))
    })
}

#[test]
fn one_signal_is_enough_while_a_pipe_is_read() {
    for args in [
        &["reduce", "pipe", "--", "./test.sh"][..],
        &["reduce", "bug.smt2", "--strategy", "rules", "--rules", "pipe", "--", "./solver"],
        &["reduce", "pipe", "--compare-strategies", "--", "./test.sh"],
        &["doctor", "pipe", "--", "./test.sh"],
        &["explain", "pipe"],
        &["cover", "pipe"],
        &["solve", "pipe"],
        &["convert", "pipe", "--to", "smt2"],
    ] {
        let bench = Bench::new();
        bench.program("solver", "#!/bin/sh\nexit 3\n");
        assert!(Command::new("mkfifo").arg(bench.path("pipe")).status().unwrap().success());
        // Opened for both directions, so that reading waits for us.
        let ours = std::fs::File::options().read(true).write(true).open(bench.path("pipe")).unwrap();
        let mut child = start(&bench, args);
        wait_for(|| has_open(&child, &bench.path("pipe")));
        signal(&child, "INT");
        let start = Instant::now();
        while child.try_wait().unwrap().is_none() {
            assert!(start.elapsed() < Duration::from_secs(600), "{args:?} waits for the pipe");
            std::thread::sleep(Duration::from_millis(5));
        }
        let run = Run::of(child.wait_with_output().unwrap());
        assert_eq!((run.code, run.signal), (None, Some(2)), "{args:?}: {run:#?}");
        drop(ours);
    }
}

#[test]
fn the_second_signal_leaves_the_best_file() {
    let bench = Bench::new();
    bench.program("solver", DEAF);
    let child = start(&bench, &["reduce", "bug.smt2", "-j2", "--timeout", "60", "--", "./solver"]);
    wait_for(|| bench.path("bug.reduced.smt2").exists());
    signal(&child, "TERM");
    signal(&child, "INT");
    let sent = Instant::now();
    let run = Run::of(child.wait_with_output().unwrap());
    assert!(sent.elapsed() < Duration::from_secs(30), "half of their sleep: {:?}", sent.elapsed());
    assert!(run.signal == Some(2) || run.signal == Some(15), "{run:#?}");
    assert!(bench.read("bug.reduced.smt2").contains("bvudiv"));
}

#[test]
fn a_signal_ends_the_compiler_and_removes_its_files() {
    let bench = Bench::new();
    bench.write("f.c", "int f(int x) { if (x > 3) return 1; return 0; }\n");
    bench.program("cc", "#!/bin/sh\ntrap '' TERM INT\necho $$ > started\nsleep 60\n");
    std::fs::create_dir(bench.path("temporary")).unwrap();
    let mut command = bench.command(&["cover", "f.c", "--cc", "./cc"]);
    command.env("TMPDIR", bench.path("temporary")).stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn().unwrap();
    wait_for(|| std::fs::read_to_string(bench.path("started")).is_ok_and(|text| text.ends_with('\n')));
    assert_ne!(names(&bench.path("temporary")), Vec::<String>::new());
    let sent = Instant::now();
    signal(&child, "INT");
    let run = Run::of(child.wait_with_output().unwrap());
    assert!(sent.elapsed() < Duration::from_secs(30), "half of their sleep: {:?}", sent.elapsed());
    assert_eq!((run.code, run.signal), (None, Some(2)), "{run:#?}");
    assert_eq!(names(&bench.path("temporary")), Vec::<String>::new());
    let compiler = bench.read("started");
    assert!(!std::path::Path::new("/proc").join(compiler.trim()).exists(), "{compiler} is alive");
}

/// The oracle of the kill tests writes a line with the checksum of every file it is asked about.
const LOGGING: &str = "#!/bin/sh\ncksum < \"$1\" >> \"$LOG\"\ngrep -q bvudiv \"$1\" && grep -q check-sat \"$1\" && exit 7\nexit 0\n";

struct Resumable {
    bench: Bench,
}

impl Resumable {
    fn new() -> Resumable {
        let bench = Bench::new();
        bench.program("solver", LOGGING);
        Resumable { bench }
    }

    fn command(&self, out: &str, jobs: &str, more: &[&str]) -> Command {
        let args = ["reduce", "bug.smt2", "-o", out, jobs, "--history", "-q"];
        let all = [&args[..], more, &["--", "./solver"]].concat();
        let mut command = self.bench.command(&all);
        command.env("LOG", self.bench.path("log")).stdout(Stdio::null()).stderr(Stdio::piped());
        command
    }

    fn log(&self) -> Vec<String> {
        std::fs::read_to_string(self.bench.path("log"))
            .unwrap_or_default()
            .lines()
            .map(str::to_owned)
            .collect()
    }

    /// A killed nub cannot end its oracle: waits until none runs any more, since one may be slow to write its line.
    fn settle(&self) {
        let own = self.bench.path("").into_os_string().into_encoded_bytes();
        let is_ours = |entry: &std::fs::DirEntry| {
            let line = std::fs::read(entry.path().join("cmdline")).unwrap_or_default();
            line.windows(own.len()).any(|window| window == own)
        };
        wait_for(|| {
            !std::path::Path::new("/proc").read_dir().unwrap().flatten().any(|entry| is_ours(&entry))
        });
    }

    /// Checksums of the steps accepted so far, as the oracle logs them.
    fn accepted(&self, out: &str) -> Vec<String> {
        let folder = self.bench.path(&format!("{out}.nub/history"));
        if !folder.exists() {
            return Vec::new();
        }
        // A step that was not renamed before a kill was not accepted yet.
        let names = names(&folder).into_iter().filter(|name| !name.starts_with('.'));
        names.map(|name| checksum(&folder.join(name))).collect()
    }

    /// Kills the run again and again, each time a little later, until it ends. Returns the number of kills.
    fn kill_and_resume(&self, out: &str, jobs: &str, delays_ms: &[u64]) -> usize {
        for round in 0..1000 {
            let more: &[&str] = if round == 0 { &[] } else { &["--resume"] };
            self.settle();
            let (n_logged, accepted) = (self.log().len(), self.accepted(out));
            let mut child = self.command(out, jobs, more).spawn().unwrap();
            let delay = delays_ms[round % delays_ms.len()] + 5 * round as u64;
            let killed = wait_or_kill(&mut child, Duration::from_millis(delay));
            let mut stderr = String::new();
            std::io::Read::read_to_string(child.stderr.as_mut().unwrap(), &mut stderr).unwrap();
            for asked in &self.log()[n_logged..] {
                assert!(!accepted.contains(asked), "an accepted step was asked again in round {round}");
            }
            if !killed {
                assert!(child.wait().unwrap().success(), "{stderr}");
                return round;
            }
            if let Ok(text) = std::fs::read_to_string(self.bench.path(out)) {
                assert!(text.contains("bvudiv") && text.contains("check-sat"), "{text}");
            }
        }
        panic!("never ended");
    }
}

fn checksum(path: &std::path::Path) -> String {
    let file = std::fs::File::open(path).unwrap();
    let output = Command::new("cksum").stdin(file).output().unwrap();
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

/// True if it had to be killed.
fn wait_or_kill(child: &mut Child, delay: Duration) -> bool {
    let start = Instant::now();
    while start.elapsed() < delay {
        if child.try_wait().unwrap().is_some() {
            return false;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    let was_running = child.try_wait().unwrap().is_none();
    child.kill().unwrap();
    child.wait().unwrap();
    was_running
}

/// Total number of kills; `NUB_FULL=1 cargo test -p nub-cli --release --test interrupt` is the full count.
fn n_kills_wanted() -> usize {
    if std::env::var_os("NUB_FULL").is_some_and(|value| value == "1") { 1_000 } else { 6 }
}

/// Kills and resumes one run until it ends, and compares with a run that was left alone. Returns the number of kills.
fn kill_and_compare(round: u64) -> usize {
    let run = Resumable::new();
    assert!(run.command("whole.smt2", "-j1", &[]).status().unwrap().success());
    // Other moments in every round.
    let delays = [60, 130, 90, 200].map(|delay| delay + (round * 37) % 101);
    // The number of workers does not matter, neither before nor after a kill.
    let jobs = ["-j1", "-j3"][round as usize % 2];
    let n_kills = run.kill_and_resume("out.smt2", jobs, &delays);
    let body = |name: &str| run.bench.read(name).replace("whole.smt2", "out.smt2");
    assert_eq!(body("whole.smt2"), body("out.smt2"));
    n_kills
}

#[test]
fn kill_and_resume_gives_the_same_bytes() {
    let (n_rounds, n_kills) = (AtomicU64::new(0), AtomicUsize::new(0));
    let kill_on = || {
        while n_kills.load(Ordering::Relaxed) < n_kills_wanted() {
            let n = kill_and_compare(n_rounds.fetch_add(1, Ordering::Relaxed));
            n_kills.fetch_add(n, Ordering::Relaxed);
        }
    };
    let n_threads = std::thread::available_parallelism().map_or(1, usize::from).min(8);
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..n_threads).map(|_| scope.spawn(kill_on)).collect();
        threads.into_iter().for_each(|thread| thread.join().unwrap());
    });
    println!("resume: {} kills in {} runs", n_kills.into_inner(), n_rounds.into_inner());
}

#[test]
fn kill_and_resume_with_two_jobs() {
    let run = Resumable::new();
    run.kill_and_resume("out.smt2", "-j2", &[70, 110]);
    assert!(run.bench.read("out.smt2").len() < 200);
}

#[test]
fn resume_needs_the_same_run() {
    let bench = Bench::new();
    bench.program("solver", DEAF);
    let child = start(&bench, &["reduce", "bug.smt2", "-j1", "--timeout", "60", "--", "./solver"]);
    wait_for(|| bench.path("bug.reduced.smt2").exists());
    signal(&child, "INT");
    child.wait_with_output().unwrap();
    let args = ["reduce", "bug.smt2", "--resume", "-j1", "--timeout", "50", "--", "./solver"];
    let run = bench.nub(&args).expect(3);
    assert!(run.stderr.contains("is not the same"), "{}", run.stderr);
    bench.write("bug.reduced.smt2", "something else");
    let args = ["reduce", "bug.smt2", "--resume", "-j1", "--timeout", "60", "--", "./solver"];
    let run = bench.nub(&args).expect(3);
    assert!(run.stderr.contains("is not what the run"), "{}", run.stderr);
    assert_eq!(bench.read("bug.reduced.smt2"), "something else");
}

/// A passing run is found quickly; proving that none is closer takes longer than anyone would wait.
const HASH: &str = "void __CPROVER_assert(int, const char *);
void f(unsigned a, unsigned b) {
  unsigned i, h = a;
  for (i = 0; i < 4; i++) { h = h * h + b; h = h ^ h >> 15; }
  __CPROVER_assert(h % 16 != 3, \"hash\");
}
";

#[test]
fn an_explanation_that_is_interrupted_tells_what_is_known() {
    let bench = Bench::new();
    bench.write("f.c", HASH);
    // A busy machine may need longer to find the runs.
    for seconds in [1, 4, 16, 64] {
        let child = start(&bench, &["explain", "f.c", "--no-native"]);
        std::thread::sleep(Duration::from_secs(seconds));
        signal(&child, "INT");
        let run = Run::of(child.wait_with_output().unwrap());
        assert_eq!((run.code, run.signal), (None, Some(2)), "{run:#?}");
        if run.stderr.contains("stopped before a failing or a passing run was found") {
            continue;
        }
        assert!(run.stdout.contains("\nDistance: at most "), "{}", run.stdout);
        assert!(run.stdout.contains("No fault localisation: stopped by a signal"), "{}", run.stdout);
        return;
    }
    panic!("no run was found");
}
