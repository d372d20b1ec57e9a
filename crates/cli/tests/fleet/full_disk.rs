//! The server's disk is full: in the middle of a reduction, before a project is covered.

use crate::common::{CRASHING, Run};
use crate::site::{Process, Site, nub};
use crate::{SETTINGS, cover, read, remote_args, three_machines};
use std::process::Stdio;
use std::time::Duration;

/// Counts its runs, and from the twentieth on waits until it may continue.
const WAITING: &str = "#!/bin/sh\n\
[ \"$1\" = --version ] && exit 0\n\
echo run >> runs\n\
while [ ! -e go ] && [ $(wc -l < runs) -ge 20 ]; do sleep 0.05; done\n";

/// The server is restarted with its data but without free space. A worker has joined before, so that there are streams.
fn fill_disk(site: &mut Site) {
    let url = site.url();
    while !site.nub(&["status", "--on", &url]).stdout.starts_with("1 worker,") {}
    site.kill_server();
    let config = site.path("full.conf");
    std::fs::write(&config, "jetstream {\nmax_file_store: 1\n}\n").unwrap();
    site.restart_with(&["-c", &config.to_string_lossy()]);
}

fn make_room(site: &mut Site) {
    site.kill_server();
    site.restart_with(&[]);
}

fn assert_full(ended: &Run) {
    assert_eq!(ended.code, Some(4), "{ended:#?}");
    assert!(ended.stderr.contains("accepts no more data, probably because its disk is full"), "{ended:#?}");
}

#[test]
fn a_reduction_ends_when_the_disk_is_full_and_is_resumed() {
    let Some(mut site) = Site::open(&[]) else { return };
    let (_, expected) = three_machines(&site);
    let waiting = format!("{WAITING}{}", CRASHING.trim_start_matches("#!/bin/sh\n"));
    let machine = site.machine("d", SETTINGS, &[("solver", &waiting), ("test.sh", crate::common::TEST)]);
    let _worker = site.worker(&machine, &[]);
    let url = site.url();
    let mut command = nub(site.folder.path());
    command.args(remote_args(&url, &["--", "@solver"])).stdout(Stdio::null()).stderr(Stdio::piped());
    let mut run = Process::start(&mut command);
    let n_runs = || std::fs::read_to_string(machine.join("runs")).unwrap_or_default().lines().count();
    while n_runs() < 20 && !run.is_over() {
        std::thread::sleep(Duration::from_millis(20));
    }
    assert!(!run.is_over(), "the run is under way");
    fill_disk(&mut site);
    std::fs::write(machine.join("go"), "").unwrap();
    assert_full(&Run::of(run.output()));
    make_room(&mut site);
    site.nub(&remote_args(&url, &["-q", "--resume", "--", "@solver"])).expect(0);
    assert_eq!(read(&site.path("remote.smt2")), expected);
}

#[test]
fn a_project_is_not_covered_on_a_full_disk_and_is_when_there_is_room() {
    let Some(mut site) = Site::open(&[]) else { return };
    cover::write_project(&site);
    let here = cover::report(&site.nub(&cover::args("here", &[])).expect(0).stdout);
    let _worker = site.worker(&site.machine("a", "", &[]), &[]);
    fill_disk(&mut site);
    let url = site.url();
    let there = cover::args("there", &["--on", &url, "--wait-time", "60"]);
    assert_full(&site.nub(&there));
    make_room(&mut site);
    assert_eq!(cover::report(&site.nub(&there).expect(0).stdout), here);
}
