//! Worker, coordinator and server are killed in any order, again and again: the result is the same as on one
//! machine.

use crate::site::{Process, Site, nub};
use crate::{CRASHING, read, remote_args, script};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

/// What is killed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Victim {
    Worker,
    Coordinator,
    Server,
}

/// All orders.
const ORDERS: [[Victim; 3]; 6] = {
    use Victim::{Coordinator, Server, Worker};
    [
        [Worker, Coordinator, Server],
        [Coordinator, Server, Worker],
        [Server, Worker, Coordinator],
        [Worker, Server, Coordinator],
        [Server, Coordinator, Worker],
        [Coordinator, Worker, Server],
    ]
};

/// Runs between two rounds of kills.
const N_RUNS: u64 = 4;

/// The solver that leaves a byte for each of its runs.
fn counting() -> String {
    CRASHING.replace("#!/bin/sh\n", "#!/bin/sh\n[ \"$1\" = --version ] && exit 0\nprintf x >> runs\n")
}

fn n_runs(machines: &[PathBuf]) -> u64 {
    let len = |machine: &PathBuf| machine.join("runs").metadata().map_or(0, |data| data.len());
    machines.iter().map(len).sum()
}

fn coordinator(folder: &Path, url: &str, more: &[&str]) -> Process {
    let args = remote_args(url, &[&["-q"], more, &["--", "@solver"]].concat());
    Process::start(nub(folder).args(args).stdout(Stdio::null()))
}

#[test]
fn kills_in_any_order_change_nothing() {
    let Some(mut site) = Site::open(&[]) else { return };
    let (folder, url) = (site.folder.path().to_owned(), site.url());
    std::fs::write(site.path("bug.smt2"), script(24)).unwrap();
    crate::site::program(&site.path("solver"), CRASHING);
    let local = ["reduce", "bug.smt2", "-j", "1", "--no-header", "-o", "local.smt2", "-q", "--", "./solver"];
    site.nub(&local).expect(0);
    let settings = "[programs]\nsolver = \"./solver\"\n";
    let machines = ["a", "b", "c"].map(|name| site.machine(name, settings, &[("solver", &counting())]));
    let mut workers: Vec<Process> = machines.iter().map(|machine| site.worker(machine, &[])).collect();
    let mut run = coordinator(&folder, &url, &[]);
    for (round, order) in ORDERS.iter().enumerate() {
        // By progress and not by a clock.
        let n_before = n_runs(&machines);
        while n_runs(&machines) < n_before + N_RUNS {
            assert!(!run.is_over(), "there is something left to kill in round {round}");
            std::thread::sleep(Duration::from_millis(5));
        }
        let one = round % workers.len();
        for victim in order {
            match victim {
                Victim::Worker => workers[one].kill(),
                Victim::Coordinator => run.kill(),
                Victim::Server => site.kill_server(),
            }
        }
        site.start_server();
        workers[one] = site.worker(&machines[one], &[]);
        run = coordinator(&folder, &url, &["--resume"]);
    }
    assert_eq!(run.wait(), Some(0));
    assert_eq!(read(&site.path("remote.smt2")), read(&site.path("local.smt2")));
}
