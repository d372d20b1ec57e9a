//! A server that nub starts, restarts and stops.

use crate::site::{Process, nub};
use nub_test_kit::{find_tool, missing_tool};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Command, Stdio};

/// The processes that a process has started. The kernel lists them by the thread that started them.
fn children(pid: u32) -> Vec<String> {
    let threads = Path::new("/proc").join(pid.to_string()).join("task").read_dir().unwrap();
    let of_thread = |thread: std::io::Result<std::fs::DirEntry>| {
        std::fs::read_to_string(thread.unwrap().path().join("children")).unwrap_or_default()
    };
    threads
        .flat_map(|thread| of_thread(thread).split_whitespace().map(str::to_owned).collect::<Vec<_>>())
        .collect()
}

pub fn send(signal: &str, pid: &str) {
    assert!(Command::new("kill").args([signal, pid]).status().unwrap().success());
}

#[test]
fn a_hub_is_watched_over_and_stopped() {
    if find_tool("nats-server").is_none() {
        return missing_tool("nats-server");
    }
    let folder = tempfile::tempdir().unwrap();
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let mut command = nub(folder.path());
    command.args(["hub", "-q", "--port", &port.to_string(), "--folder", "hub"]);
    let mut hub = Process::start(command.stdout(Stdio::null()));
    let url = format!("nats://127.0.0.1:{port}");
    let answers =
        || nub(folder.path()).args(["status", "-q", "--on", &url]).output().unwrap().status.success();
    let wait = || assert!((0..600).any(|_| answers()), "the server does not answer");
    wait();
    let before = children(hub.id());
    assert_eq!(before.len(), 1, "the hub runs one server");
    send("-KILL", &before[0]);
    wait();
    assert_ne!(children(hub.id()), before, "another server is there");
    send("-TERM", &hub.id().to_string());
    hub.wait();
    assert!(TcpStream::connect(("127.0.0.1", port)).is_err(), "the server is stopped with its hub");
    assert!(folder.path().join("hub/nats-server.conf").exists());
}
