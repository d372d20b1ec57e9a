//! What goes wrong before anything runs: a message that says what to do, and an exit code.

use crate::common::{CRASHING, Run, script};
use crate::site::{Process, Site, program};
use std::net::TcpListener;

const SOLVER: &str = "[programs]\nsolver = \"./solver\"\n";

fn reduce(site: &Site, url: &str, more: &[&str]) -> Run {
    std::fs::write(site.path("bug.smt2"), script(8)).unwrap();
    let args = ["reduce", "bug.smt2", "--on", url, "--wait-time"];
    let run = site.nub(&[&args[..], more].concat());
    assert!(!site.path("bug.reduced.smt2").exists(), "nothing was written: {run:#?}");
    run
}

#[track_caller]
fn assert_says(run: &Run, message: &str, hint: &str) {
    assert!(run.stderr.contains(message), "{message}: {run:#?}");
    assert!(run.stderr.contains(hint), "{hint}: {run:#?}");
}

#[test]
fn no_server() {
    let Some(site) = Site::open(&[]) else { return };
    let nobody = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let url = format!("nats://me:secret@127.0.0.1:{nobody}");
    let run = reduce(&site, &url, &["1", "--", "@solver"]).expect(4);
    assert_says(&run, "no NATS server answers at nats://127.0.0.1:", "`nub hub` starts a server");
    assert!(!run.stderr.contains("secret"), "{run:#?}");
    site.nub(&["worker", "--join", &url]).expect(4);
    site.nub(&["status", "--on", &url]).expect(4);
    let run = site.nub(&["status", "--on", "ftp://x"]).expect(2);
    assert_says(&run, "not the address of a NATS server", "nats://HOST:PORT");
}

#[test]
fn bad_credentials() {
    let Some(site) = Site::open(&["--user", "me", "--pass", "secret"]) else { return };
    let bad = site.url().replace("nats://", "nats://me:wrong@");
    let run = reduce(&site, &bad, &["1", "--", "@solver"]).expect(4);
    assert_says(&run, "rejects the credentials", "--nats-creds FILE");
    site.nub(&["worker", "--join", &site.url()]).expect(4);
    let good = site.url().replace("nats://", "nats://me:secret@");
    let run = site.nub(&["status", "--on", &good]).expect(0);
    assert!(run.stdout.starts_with("0 workers, 0 slots"), "{run:#?}");
    std::fs::write(site.path("bad.creds"), "nothing").unwrap();
    let run = site.nub(&["status", "--on", &good, "--nats-creds", "bad.creds"]).expect(2);
    assert_says(&run, "cannot use the credentials in bad.creds", "nsc generate creds");
}

#[test]
fn no_jetstream() {
    let Some(site) = Site::open(&[]) else { return };
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let mut plain = std::process::Command::new("nats-server");
    plain.args(["-a", "127.0.0.1", "-p", &port.to_string()]).stderr(std::process::Stdio::null());
    let _server = Process::start(&mut plain);
    let url = format!("nats://127.0.0.1:{port}");
    let ask = || site.nub(&["status", "--on", &url]);
    let is_up = |run: &Run| !run.stderr.contains("no NATS server answers");
    let run = (0..200).map(|_| ask()).find(is_up).unwrap().expect(4);
    assert_says(&run, "cannot keep streams", "nats-server --jetstream");
}

#[test]
fn workers_without_the_program_or_with_another_build() {
    let Some(site) = Site::open(&[]) else { return };
    let url = site.url();
    let run = reduce(&site, &url, &["0", "--", "@solver"]).expect(3);
    assert_says(&run, "no worker has joined", "nub worker --join nats://127.0.0.1:");
    let run = reduce(&site, &url, &["0", "--", "z3", "-st"]).expect(2);
    assert_says(&run, "with --on, a command is the name of a program", "[programs]");
    let one = site.machine("one", SOLVER, &[("solver", CRASHING)]);
    let _one = site.worker(&one, &[]);
    let mut other = Vec::new();
    let status = || site.nub(&["status", "--on", &url]).stdout;
    while !status().starts_with("1 worker,") {}
    let run = reduce(&site, &url, &["0", "--", "@z4"]).expect(3);
    assert_says(&run, "no worker has a program `z4`", "solver");
    let two = site.machine("two", SOLVER, &[("solver", &format!("{CRASHING}# newer\n"))]);
    other.push(site.worker(&two, &[]));
    while !status().starts_with("2 workers,") {}
    let run = reduce(&site, &url, &["0", "--", "@solver"]).expect(3);
    assert_says(&run, "different builds of `solver`", "the same program on all of them");
    let broken = site.machine("broken", "[programs]\nsolver = \"./none\"\n", &[]);
    program(&broken.join("unused"), "");
    let run = Run::of(crate::nub(&broken).args(["worker", "--join", &url]).output().unwrap()).expect(2);
    assert_says(&run, "`solver` cannot be registered", "nub.toml");
}

#[test]
fn an_open_hub_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let run =
        Run::of(crate::nub(folder.path()).args(["hub", "--listen", "0.0.0.0"]).output().unwrap()).expect(3);
    assert_says(&run, "could run the workers' programs", "--password-file");
}
