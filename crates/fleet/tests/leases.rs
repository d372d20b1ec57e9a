//! Many leases with kills, cuts and stalls: no item is lost, none counts twice.
//!
//! Workers are processes, so that they can be killed: this program, started again for one of its tests. Each of them, and the
//! coordinator, connects through a proxy. Faults are triggered by the progress of the run, not by a clock.

#![allow(clippy::unwrap_used, clippy::disallowed_methods)] // tests may panic and start programs

mod common;
mod faults;
mod full_disk;

use common::Server;
use faults::{Fault, Field};
use nub_fleet::{Address, RemoteRun, RunNeeds, RunStatus};
use nub_process::{Cancel, ChildInput, Command, CommandRunner, ProcessEnd, ProcessLimits};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// How much a test does.
struct Size {
    n_leases: u64,
    n_faults: u64,
    n_askers: u64,
    n_servers: u64,
}

fn size() -> Size {
    if std::env::var_os("NUB_FULL").is_some_and(|value| value == "1") {
        Size { n_leases: 10_000, n_faults: 50, n_askers: 16, n_servers: 200 }
    } else {
        Size { n_leases: 300, n_faults: Fault::ALL.len() as u64, n_askers: 8, n_servers: 10 }
    }
}

#[test]
fn this_program_as_a_worker() {
    common::work_if_asked();
}

fn open(port: u16, about: &str) -> RemoteRun {
    let address = Address { url: common::url(port), ..Address::default() };
    let patience = Duration::from_secs(600);
    let needs = RunNeeds { programs: vec!["echo".to_owned()], tasks: Vec::new(), patience };
    RemoteRun::open(&address, &needs, about).unwrap()
}

/// The progress of the asking threads.
#[derive(Default)]
struct Tally {
    taken: AtomicU64,
    done: AtomicU64,
    failure: Mutex<Option<String>>,
}

impl Tally {
    /// Asks for one item after the other, as long as there is one.
    fn ask(&self, next: impl Fn(u64) -> Option<String>, run: &RemoteRun, done: impl Fn(Duration)) {
        while let Some(text) = next(self.taken.fetch_add(1, Ordering::SeqCst)) {
            match ask(run, &text) {
                Ok(trip) => {
                    self.done.fetch_add(1, Ordering::SeqCst);
                    done(trip);
                }
                Err(why) => {
                    self.failure.lock().unwrap().get_or_insert(why);
                    return;
                }
            }
        }
    }

    /// Waits until this many are done, or something has failed.
    fn wait_for(&self, n: u64) {
        self.wait_until(|| self.done.load(Ordering::SeqCst) >= n);
    }

    fn wait_until(&self, is_so: impl Fn() -> bool) {
        while !is_so() && self.failure.lock().unwrap().is_none() {
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// All were answered, each once.
    fn check(&self, run: &RemoteRun) -> RunStatus {
        assert_eq!(*self.failure.lock().unwrap(), None);
        let (n_items, status) = (self.done.load(Ordering::SeqCst), run.status());
        assert_eq!((status.asked, status.answered, status.dropped), (n_items, n_items, 0), "{status:?}");
        let by_worker = status.by_worker.values().sum::<u64>();
        assert_eq!(by_worker, n_items, "each answer has one author: {status:?}");
        status
    }
}

/// All of them find the streams missing and create them. Without a second look, about one server in fifty refuses one of them.
#[test]
fn programs_that_open_a_new_server_at_the_same_time() {
    const N_PROGRAMS: usize = 40;
    for _ in 0..size().n_servers {
        let Some(server) = Server::open("") else { return };
        let address = Address { url: common::url(server.port()), ..Address::default() };
        let failures: Vec<_> = std::thread::scope(|scope| {
            let looks: Vec<_> = (0..N_PROGRAMS).map(|_| scope.spawn(|| nub_fleet::look(&address))).collect();
            looks.into_iter().filter_map(|look| look.join().unwrap().err()).collect()
        });
        assert_eq!(failures, []);
    }
}

/// Every kill also wipes the server's disk: streams, consumers, files, current leases and unread reports are gone.
#[test]
fn a_server_that_returns_with_an_empty_disk() {
    let Some(mut server) = Server::open("") else { return };
    let _workers = ["a", "b"].map(|name| server.worker(name, server.port()));
    let run = open(server.port(), "an empty disk");
    let (n_items, n_wipes) = (120, 3);
    let tally = Tally::default();
    let next = |item| (item < n_items).then(|| format!("item {item}\n"));
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| tally.ask(next, &run, |_| {}));
        }
        for wipe in 1..=n_wipes {
            tally.wait_for(wipe * n_items / (n_wipes + 1));
            server.kill();
            server.wipe();
            server.start();
        }
    });
    tally.check(&run);
}

#[test]
fn many_leases_with_kills_cuts_and_stalls() {
    let Some(mut field) = Field::open(&["a", "b", "c", "d"]) else { return };
    let Size { n_leases, n_faults, n_askers, .. } = size();
    let run = open(field.coordinator.port(), "many leases");
    let (tally, leases) = (Tally::default(), AtomicU64::new(0));
    let trips = Mutex::new(Vec::new());
    let next = |item| (leases.load(Ordering::SeqCst) < n_leases).then(|| format!("item {item}\n"));
    let done = |trip| {
        trips.lock().unwrap().push(trip);
        leases.store(run.status().leases, Ordering::SeqCst);
    };
    std::thread::scope(|scope| {
        for _ in 0..n_askers {
            scope.spawn(|| tally.ask(next, &run, done));
        }
        let mut faults = faults::shuffled(7);
        for number in 0..n_faults {
            tally.wait_until(|| leases.load(Ordering::SeqCst) >= number * n_leases / (n_faults + 1));
            field.strike(faults.next());
        }
        tally.wait_until(|| leases.load(Ordering::SeqCst) >= n_faults * n_leases / (n_faults + 1));
        field.mend();
    });
    let status = tally.check(&run);
    assert!(status.leases >= n_leases, "{status:?}");
    println!(
        "{} items, {n_faults} faults: {} leases, {} sent again, {} doubled reports ignored, {} spot checks",
        status.answered, status.leases, status.again, status.doubled, status.checks
    );
    print_quantiles(trips.into_inner().unwrap());
}

/// The distribution that `bench/scale.py` needs.
#[allow(clippy::print_stdout)]
fn print_quantiles(mut trips: Vec<Duration>) {
    trips.sort();
    let at = |percent: usize| trips[(trips.len() - 1) * percent / 100].as_secs_f64();
    let quantiles: Vec<String> = (0..=20).map(|step| format!("{:.4}", at(step * 5))).collect();
    println!("seconds there and back, without the run, at 0, 5, ..., 100 %: {}", quantiles.join(", "));
}

/// Has the unique text of an item echoed. Returns the round-trip time.
fn ask(run: &RemoteRun, text: &str) -> Result<Duration, String> {
    let began = Instant::now();
    let command = Command {
        program: "@echo".into(),
        args: Vec::new(),
        folder: None,
        env: Vec::new(),
        input: ChildInput::Bytes(text.as_bytes().into()),
    };
    let outcome = run.run(&command, &ProcessLimits::default(), &Cancel::new());
    match outcome {
        Ok(outcome) if outcome.end == ProcessEnd::Exit(0) && outcome.stdout.bytes == text.as_bytes() => {
            Ok(began.elapsed().saturating_sub(outcome.usage.wall))
        }
        Ok(outcome) => Err(format!("{text:.20}: {:?}, {} bytes", outcome.end, outcome.stdout.bytes.len())),
        Err(error) => Err(format!("{text:.20}: {error}")),
    }
}
