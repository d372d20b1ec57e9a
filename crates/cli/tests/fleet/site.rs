//! A NATS server, workers in folders of their own, and what is needed to kill them.

use crate::common::Run;
use nub_test_kit::{find_tool, missing_tool};
use std::net::{TcpListener, TcpStream};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// Attempts to reach a server after its start. A busy machine needs several.
const MAX_ATTEMPTS: usize = 1200;
const RETRY: Duration = Duration::from_millis(50);

/// A process that does not outlive the test.
pub struct Process(Child);

impl Process {
    pub fn start(command: &mut Command) -> Process {
        Process(command.stdin(Stdio::null()).spawn().unwrap())
    }

    /// Its number.
    pub fn id(&self) -> u32 {
        self.0.id()
    }

    /// Like `kill -9`.
    pub fn kill(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }

    /// Waits for its end.
    pub fn wait(&mut self) -> Option<i32> {
        self.0.wait().unwrap().code()
    }

    /// Waits for its end, and returns what it has printed.
    pub fn output(mut self) -> std::process::Output {
        let read = |stream: Option<&mut dyn std::io::Read>| {
            let mut bytes = Vec::new();
            stream.map(|stream| stream.read_to_end(&mut bytes).unwrap());
            bytes
        };
        // At most one of them is a pipe; otherwise the other could fill up.
        let stdout = read(self.0.stdout.as_mut().map(|stream| stream as _));
        let stderr = read(self.0.stderr.as_mut().map(|stream| stream as _));
        std::process::Output { status: self.0.wait().unwrap(), stdout, stderr }
    }

    pub fn is_over(&mut self) -> bool {
        self.0.try_wait().unwrap().is_some()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}

/// A folder with a server that keeps its streams there.
pub struct Site {
    pub folder: tempfile::TempDir,
    port: u16,
    extra: Vec<String>,
    server: Option<Process>,
}

impl Site {
    /// Starts a server, or prints that none is installed.
    pub fn open(extra: &[&str]) -> Option<Site> {
        if find_tool("nats-server").is_none() {
            missing_tool("nats-server");
            return None;
        }
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let folder = tempfile::tempdir().unwrap();
        let extra = extra.iter().map(|word| (*word).to_owned()).collect();
        let mut site = Site { folder, port, extra, server: None };
        site.start_server();
        Some(site)
    }

    pub fn start_server(&mut self) {
        let mut command = Command::new("nats-server");
        let port = self.port.to_string();
        command
            .args(["-a", "127.0.0.1", "-p", &port, "-js", "-sd"])
            .arg(self.path("jetstream"))
            .args(&self.extra);
        command.stdout(Stdio::null()).stderr(Stdio::null());
        self.server = Some(Process::start(&mut command));
        for _ in 0..MAX_ATTEMPTS {
            if TcpStream::connect(("127.0.0.1", self.port)).is_ok() {
                return;
            }
            std::thread::sleep(RETRY);
        }
        panic!("the server does not answer");
    }

    /// Starts the server, which is not running, with other options.
    pub fn restart_with(&mut self, extra: &[&str]) {
        self.extra = extra.iter().map(|word| (*word).to_owned()).collect();
        self.start_server();
    }

    pub fn kill_server(&mut self) {
        self.server = None;
    }

    pub fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// A folder for a worker, with programs as `nub.toml` registers them and scripts.
    pub fn machine(&self, name: &str, settings: &str, scripts: &[(&str, &str)]) -> PathBuf {
        let folder = self.path(name);
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("nub.toml"), settings).unwrap();
        for (name, text) in scripts {
            program(&folder.join(name), text);
        }
        folder
    }

    /// Starts a worker there.
    pub fn worker(&self, machine: &Path, env: &[(&str, &str)]) -> Process {
        let mut command = nub(machine);
        command.args(["worker", "--join", &self.url(), "-j", "2", "-q"]).envs(env.iter().copied());
        Process::start(command.stdout(Stdio::null()))
    }

    /// Runs `nub` in the folder of the site.
    pub fn nub(&self, args: &[&str]) -> Run {
        Run::of(nub(self.folder.path()).args(args).stdin(Stdio::null()).output().unwrap())
    }
}

/// The built program, to be run in a folder.
pub fn nub(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_nub"));
    command.current_dir(folder).env_remove("NO_COLOR");
    // Environment variables about servers are for other clients.
    for name in ["URL", "USER", "PASSWORD", "TOKEN", "CREDS", "NKEY", "CA", "CERT", "KEY"] {
        command.env_remove(format!("NATS_{name}"));
    }
    command
}

pub fn program(path: &Path, text: &str) {
    std::fs::write(path, text).unwrap();
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
}
