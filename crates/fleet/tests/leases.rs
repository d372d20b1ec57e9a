//! Many leases with random kills of workers and of the server: nothing is lost, nothing counts twice.
//!
//! Workers are processes, so that they can be killed: this program, started again for one of its tests.

#![allow(clippy::unwrap_used, clippy::disallowed_methods)] // A test may stop at what it does not expect, and starts programs.

mod common;

use common::{Process, Server};
use nub_fleet::{Address, RemoteRun, RunNeeds};
use nub_process::{Cancel, ChildInput, Command, CommandRunner, ProcessEnd, ProcessLimits};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Items, kills, and threads that ask.
fn sizes() -> (u64, u64, u64) {
    match std::env::var_os("NUB_FULL").is_some_and(|value| value == "1") {
        true => (10_000, 50, 16),
        false => (300, 6, 8),
    }
}

/// A small generator of numbers, the same in every run.
fn next(state: &mut u64) -> u64 {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    *state >> 33
}

#[test]
fn this_program_as_a_worker() {
    common::work_if_asked();
}

/// Every kill takes the server's disk along: streams, consumers, files and leases under way are gone, and so are reports that nobody has read.
#[test]
fn a_server_that_returns_with_an_empty_disk() {
    let Some(mut server) = Server::open() else { return };
    let _workers = ["a", "b"].map(|name| server.worker(name));
    let address = Address { url: server.url(), ..Address::default() };
    let patience = Duration::from_secs(60);
    let needs = RunNeeds { programs: vec!["echo".to_owned()], tasks: Vec::new(), patience };
    let run = RemoteRun::open(&address, &needs, "an empty disk").unwrap();
    let (n_items, n_wipes) = (120, 3);
    let (taken, answered) = (AtomicU64::new(0), AtomicU64::new(0));
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                while let item = taken.fetch_add(1, Ordering::SeqCst)
                    && item < n_items
                {
                    ask(&run, item);
                    answered.fetch_add(1, Ordering::SeqCst);
                }
            });
        }
        for wipe in 1..=n_wipes {
            while answered.load(Ordering::SeqCst) < wipe * n_items / (n_wipes + 1) {
                std::thread::sleep(Duration::from_millis(5));
            }
            server.kill();
            server.wipe();
            server.start();
        }
    });
    let status = run.status();
    assert_eq!((status.asked, status.answered, status.dropped), (n_items, n_items, 0), "{status:?}");
}

#[test]
fn many_leases_and_random_kills() {
    let Some(mut server) = Server::open() else { return };
    let (n_items, n_kills, n_askers) = sizes();
    let names = ["a", "b", "c", "d"];
    let mut workers: Vec<Process> = names.iter().map(|name| server.worker(name)).collect();
    let address = Address { url: server.url(), ..Address::default() };
    let patience = Duration::from_secs(60);
    let needs = RunNeeds { programs: vec!["echo".to_owned()], tasks: Vec::new(), patience };
    let run = RemoteRun::open(&address, &needs, "many leases").unwrap();
    let (taken, answered) = (AtomicU64::new(0), AtomicU64::new(0));
    let trips = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..n_askers {
            scope.spawn(|| {
                while let item = taken.fetch_add(1, Ordering::SeqCst)
                    && item < n_items
                {
                    let trip = ask(&run, item);
                    trips.lock().unwrap().push(trip);
                    answered.fetch_add(1, Ordering::SeqCst);
                }
            });
        }
        let mut state = 7;
        for kill in 0..n_kills {
            // Spread over the run, by its progress and not by a clock.
            while answered.load(Ordering::SeqCst) < kill * n_items / (n_kills + 1) {
                std::thread::sleep(Duration::from_millis(5));
            }
            match next(&mut state) % 5 {
                0 => {
                    server.kill();
                    server.start();
                }
                number => {
                    let one = (number - 1) as usize;
                    workers[one].kill();
                    workers[one] = server.worker(names[one]);
                }
            }
        }
    });
    let status = run.status();
    assert_eq!((status.asked, status.answered, status.dropped), (n_items, n_items, 0), "{status:?}");
    assert_eq!(status.by_worker.values().sum::<u64>(), n_items, "each answer has one author: {status:?}");
    println!(
        "{n_items} items, {n_kills} kills: {} leases, {} sent again, {} doubled reports ignored, {} spot checks",
        status.leases, status.again, status.doubled, status.checks
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

/// Has the text of an item echoed, which no other item has. Returns what the way there and back took.
fn ask(run: &RemoteRun, item: u64) -> Duration {
    let began = Instant::now();
    let text = format!("item {item}\n");
    let command = Command {
        program: "@echo".into(),
        args: Vec::new(),
        folder: None,
        env: Vec::new(),
        input: ChildInput::Bytes(text.as_bytes().into()),
    };
    let outcome = run.run(&command, &ProcessLimits::default(), &Cancel::new()).unwrap();
    assert_eq!(outcome.end, ProcessEnd::Exit(0));
    assert_eq!(outcome.stdout.bytes, text.as_bytes(), "the answer to another item");
    began.elapsed().saturating_sub(outcome.usage.wall)
}
