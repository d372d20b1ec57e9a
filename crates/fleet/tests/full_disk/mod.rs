//! A server whose disk is full: a run continues as long as it can, and otherwise ends with the server's
//! message.

use super::common::Server;
use nub_fleet::RemoteRun;

/// Bytes that a file of the tests has, at most: as an object and in a report it would fill much of the disk.
const MAX_FILE: usize = 200_000;

fn open(server: &Server) -> RemoteRun {
    super::open(server.port(), "a full disk")
}

/// Has a text echoed; returns why there is no answer.
fn ask(run: &RemoteRun, text: &str) -> Result<(), String> {
    super::ask(run, text).map(drop)
}

/// A text of this length, different for each number.
fn text(number: usize, len: usize) -> String {
    let line = format!("{number} {}\n", number * 7919);
    line.repeat(len / line.len() + 1)
}

/// All runs together send many times what the disk can hold, so data must be removed as soon as it was read.
#[test]
fn a_small_disk_is_enough_for_a_long_run() {
    let Some(server) = Server::open("max_file_store: 4MB") else { return };
    let _workers = ["a", "b"].map(|name| server.worker(name, server.port()));
    let run = open(&server);
    let failures: Vec<String> = std::thread::scope(|scope| {
        let asker = |first: usize| {
            let run = &run;
            move || (0..15).filter_map(|n| ask(run, &text(first + n, MAX_FILE)).err()).collect::<Vec<_>>()
        };
        let askers: Vec<_> = [100, 200].map(|first| scope.spawn(asker(first))).into_iter().collect();
        askers.into_iter().flat_map(|asker| asker.join().unwrap()).collect()
    });
    assert_eq!(failures, Vec::<String>::new());
    let status = run.status();
    assert_eq!((status.answered, status.dropped), (30, 0), "{status:?}");
}

/// Workers have joined, but no file reaches them.
#[test]
fn a_run_ends_when_the_disk_is_full() {
    let Some(server) = Server::open("max_file_store: 100KB") else { return };
    let _worker = server.worker("a", server.port());
    let run = open(&server);
    let why = ask(&run, &text(1, MAX_FILE)).unwrap_err();
    assert!(why.contains("accepts no more data"), "{why}");
    assert!(why.contains("resources"), "it says what the server said: {why}");
    // A small file would fit. But a search that continued without an answer must not get later ones.
    let later = ask(&run, &text(2, 10)).unwrap_err();
    assert!(later.contains("accepts no more data"), "{later}");
}

/// The disk has room for the file and the lease but not for the report: it is sent directly.
#[test]
fn reports_do_not_need_the_disk() {
    let Some(server) = Server::open("max_file_store: 32KB") else { return };
    let _worker = server.worker("a", server.port());
    let run = open(&server);
    for number in 0..3 {
        // The same file again: the store has it.
        assert_eq!(ask(&run, &text(1, 20_000)), Ok(()), "{number}");
    }
}
