//! Runs on other machines: here other processes, and a server that is killed as well.

#![allow(clippy::unwrap_used, clippy::disallowed_methods)] // tests may panic and write files

mod campaign;
mod clocks;
#[path = "../common/mod.rs"]
mod common;
mod cover;
mod errors;
mod full_disk;
mod hub;
mod kills;
mod login;
mod site;
mod trust;

use common::{CRASHING, script};
use site::{Process, Site, nub};
use std::path::Path;
use std::time::Duration;

const SETTINGS: &str = "[programs]\nsolver = \"./solver\"\ntest = \"./test.sh\"\n";

/// Three machines, and the result of a reduction on one machine.
fn three_machines(site: &Site) -> (Vec<std::path::PathBuf>, String) {
    std::fs::write(site.path("bug.smt2"), script(24)).unwrap();
    site::program(&site.path("solver"), CRASHING);
    let local = ["reduce", "bug.smt2", "-j", "1", "--no-header", "-o", "local.smt2", "-q", "--", "./solver"];
    site.nub(&local).expect(0);
    let scripts = [("solver", CRASHING), ("test.sh", common::TEST)];
    let machines = ["a", "b", "c"].map(|name| site.machine(name, SETTINGS, &scripts)).to_vec();
    (machines, std::fs::read_to_string(site.path("local.smt2")).unwrap())
}

fn remote_args<'a>(url: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let args = ["reduce", "bug.smt2", "--on", url, "--wait-time", "60", "--no-header", "-o", "remote.smt2"];
    [&args[..], more].concat()
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap()
}

#[test]
fn three_machines_find_what_one_finds() {
    let Some(site) = Site::open(&[]) else { return };
    let (machines, expected) = three_machines(&site);
    let _workers: Vec<Process> = machines.iter().map(|machine| site.worker(machine, &[])).collect();
    let run = site.nub(&remote_args(&site.url(), &["--", "@solver"])).expect(0);
    assert_eq!(read(&site.path("remote.smt2")), expected);
    assert!(run.stderr.contains("@solver is `"), "the build is named: {run:#?}");
    assert!(run.stdout.contains("solver remote.smt2"), "the registered command reproduces it: {run:#?}");
    assert!(!run.stdout.contains("@solver"), "{run:#?}");
    // A script runs in a fresh folder there, too.
    let args = ["-q", "--test", "@test"];
    site.nub(&remote_args(&site.url(), &args)).expect(0);
    let local =
        ["reduce", "bug.smt2", "-j", "1", "--no-header", "-o", "local.smt2", "-q", "--test", "a/test.sh"];
    site.nub(&local).expect(0);
    assert_eq!(read(&site.path("remote.smt2")), read(&site.path("local.smt2")));
    let status = site.nub(&["status", "--on", &site.url()]).expect(0);
    assert!(status.stdout.contains("3 workers, 6 slots; 0 leases"), "nothing is left: {status:#?}");
}

/// The worker cannot return its lease, and the run cannot announce its end; both still end.
#[test]
fn worker_and_run_end_when_told_though_the_server_is_away() {
    let Some(mut site) = Site::open(&[]) else { return };
    std::fs::write(site.path("bug.smt2"), script(8)).unwrap();
    let endless = "#!/bin/sh\n[ \"$1\" = --version ] && exit 0\ntouch started\nexec sleep 1000\n";
    let machine = site.machine("a", SETTINGS, &[("solver", endless), ("test.sh", common::TEST)]);
    let mut worker = site.worker(&machine, &[]);
    let url = site.url();
    let args = remote_args(&url, &["-q", "--timeout", "900", "--hang", "--", "@solver"]);
    let mut run = Process::start(nub(site.folder.path()).args(args).stdout(std::process::Stdio::null()));
    while !machine.join("started").exists() && !run.is_over() {
        std::thread::sleep(Duration::from_millis(20));
    }
    assert!(!run.is_over(), "the worker is at work on a lease");
    site.kill_server();
    hub::send("-TERM", &worker.id().to_string());
    worker.wait();
    hub::send("-TERM", &run.id().to_string());
    run.wait();
}
