//! A server and workers that can be killed.

use nub_fleet::{FleetProgram, MachineLimits, TaskError, TaskHandler, WorkerOptions};
use nub_process::{Cancel, Runner};
use nub_test_kit::{find_tool, missing_tool};
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

/// Attempts to reach a server after its start. A busy machine needs several.
const MAX_ATTEMPTS: usize = 1200;
const RETRY: Duration = Duration::from_millis(50);
/// The address of the server, for this program as a worker.
const WORKER: &str = "NUB_TEST_WORKER";
/// Its folder.
const FOLDER: &str = "NUB_TEST_FOLDER";

/// A process that does not outlive the test.
pub struct Process(Child);

impl Process {
    fn start(command: &mut Command) -> Process {
        Process(command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap())
    }

    /// Like `kill -9`.
    pub fn kill(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }

    /// Suspends it until [`Process::go_on`]. Its connections stay open.
    pub fn freeze(&self) {
        self.send("-STOP");
    }

    pub fn go_on(&self) {
        self.send("-CONT");
    }

    fn send(&self, signal: &str) {
        assert!(Command::new("kill").args([signal, &self.0.id().to_string()]).status().unwrap().success());
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}

/// The address of a server of this machine.
pub fn url(port: u16) -> String {
    format!("nats://127.0.0.1:{port}")
}

/// A folder with a server that keeps its streams there.
pub struct Server {
    folder: tempfile::TempDir,
    port: u16,
    /// More lines of its configuration.
    config: String,
    process: Option<Process>,
}

impl Server {
    /// Starts a server, or prints that none is installed.
    pub fn open(config: &str) -> Option<Server> {
        if find_tool("nats-server").is_none() {
            missing_tool("nats-server");
            return None;
        }
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let (folder, config) = (tempfile::tempdir().unwrap(), config.to_owned());
        let mut server = Server { folder, port, config, process: None };
        server.start();
        Some(server)
    }

    pub fn start(&mut self) {
        let store = self.path("jetstream");
        let lines = format!(
            "host: 127.0.0.1\nport: {}\njetstream {{\nstore_dir: \"{}\"\n{}\n}}\n",
            self.port,
            store.display(),
            self.config
        );
        std::fs::write(self.path("server.conf"), lines).unwrap();
        self.process =
            Some(Process::start(Command::new("nats-server").arg("-c").arg(self.path("server.conf"))));
        for _ in 0..MAX_ATTEMPTS {
            if TcpStream::connect(("127.0.0.1", self.port)).is_ok() {
                return;
            }
            std::thread::sleep(RETRY);
        }
        panic!("the server does not answer");
    }

    pub fn kill(&mut self) {
        self.process = None;
    }

    /// Removes all data of the server, which must not be running.
    pub fn wipe(&self) {
        std::fs::remove_dir_all(self.path("jetstream")).unwrap();
    }

    pub fn port(&self) -> u16 {
        self.port
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Starts this program again as a worker with a folder of its own, connecting to the port of the server
    /// or of a proxy.
    pub fn worker(&self, name: &str, port: u16) -> Process {
        let folder = self.path(name);
        std::fs::create_dir_all(folder.join("tmp")).unwrap();
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(["this_program_as_a_worker", "--exact"]).env(WORKER, url(port)).env(FOLDER, folder);
        Process::start(&mut command)
    }
}

struct NoTasks;

impl TaskHandler for NoTasks {
    fn kinds(&self) -> Vec<String> {
        Vec::new()
    }

    fn run(&self, kind: &str, _: &[u8], _: &[u8], _: &Cancel) -> Result<Vec<u8>, TaskError> {
        Err(TaskError::UnknownKind(kind.to_owned()))
    }
}

/// A worker with two slots that may run `cat`, until it is killed. Does nothing unless it was started as one.
pub fn work_if_asked() {
    let (Some(url), Some(folder)) = (std::env::var_os(WORKER), std::env::var_os(FOLDER)) else { return };
    let folder = PathBuf::from(folder);
    let address = nub_fleet::Address { url: url.into_string().unwrap(), ..Default::default() };
    let echo = FleetProgram { name: "echo".to_owned(), words: vec!["cat".into()] };
    let runner = Arc::new(Runner::new().unwrap());
    let options = || WorkerOptions {
        address: address.clone(),
        slots: 2,
        programs: vec![echo.clone()],
        temp: folder.join("tmp"),
        folder: folder.clone(),
        search_path: "/usr/bin:/bin".into(),
        limits: MachineLimits::default(),
        tasks: Arc::new(NoTasks),
        runner: runner.clone(),
    };
    // The server may be unreachable when a worker starts.
    while nub_fleet::work(options(), &Cancel::new(), &mut |_| {}).is_err() {
        std::thread::sleep(RETRY);
    }
}
