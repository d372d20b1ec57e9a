//! The server's disk becomes full in the middle of a reduction.

use crate::common::{CRASHING, Run};
use crate::site::{Process, Site, nub};
use crate::{SETTINGS, read, remote_args, three_machines};
use std::process::Stdio;
use std::time::Duration;

/// Counts its runs, and from the twentieth on waits until it may go on.
const WAITING: &str = "#!/bin/sh\n\
[ \"$1\" = --version ] && exit 0\n\
echo run >> runs\n\
while [ ! -e go ] && [ $(wc -l < runs) -ge 20 ]; do sleep 0.05; done\n";

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
    assert!(!run.is_over(), "it is in the middle");
    // The server comes back with what it had, and has room for nothing else.
    site.kill_server();
    let config = site.path("full.conf");
    std::fs::write(&config, "jetstream {\nmax_file_store: 1\n}\n").unwrap();
    site.restart_with(&["-c", &config.to_string_lossy()]);
    std::fs::write(machine.join("go"), "").unwrap();
    let ended = Run::of(run.output());
    assert_eq!(ended.code, Some(4), "{ended:#?}");
    assert!(ended.stderr.contains("takes no more data, probably because its disk is full"), "{ended:#?}");
    site.kill_server();
    site.restart_with(&[]);
    site.nub(&remote_args(&url, &["-q", "--resume", "--", "@solver"])).expect(0);
    assert_eq!(read(&site.path("remote.smt2")), expected);
}
