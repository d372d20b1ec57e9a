//! A server with a secret next to its folder, and a client that sends exactly the given bytes.

use nub_workbench::{RegisteredProgram, Workbench, WorkbenchOptions};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// A text that no answer may contain.
pub const SECRET: &str = "the-secret-that-must-stay-outside";

/// A running workbench in a folder of its own.
pub struct Server {
    /// `shown` is given to the workbench; `secret.txt` lies beside it.
    pub folder: tempfile::TempDir,
    /// Its port.
    pub port: u16,
    /// The cookie of a browser with a session.
    pub cookie: String,
    /// The second token.
    pub token: String,
    is_over: Arc<AtomicBool>,
    thread: Option<std::thread::JoinHandle<()>>,
}

/// An answer.
pub struct Answer {
    /// The HTTP status; 0 if the server closed the connection.
    pub status: u16,
    /// Headers and body, as they came.
    pub text: String,
}

impl Server {
    /// Starts it and opens a session for one browser.
    pub fn start() -> Server {
        let folder = tempfile::tempdir().unwrap();
        prepare(folder.path());
        let run_marker = folder.path().join("was-run");
        let program = folder.path().join("program.sh");
        std::fs::write(&program, format!("#!/bin/sh\ntouch '{}'\n", run_marker.display())).unwrap();
        std::fs::set_permissions(&program, PermissionsExt::from_mode(0o755)).unwrap();
        let options = WorkbenchOptions {
            folders: vec![folder.path().join("shown")],
            files: Vec::new(),
            state: folder.path().join("state"),
            programs: vec![RegisteredProgram { name: "registered".into(), command: vec![program.into()] }],
            port: 0,
            nub: PathBuf::from("nub"),
        };
        let listening = Workbench::new(options).bind().unwrap();
        let link = listening.link().unwrap();
        let port = link.split([':', '/']).nth(4).unwrap().parse().unwrap();
        let is_over = Arc::new(AtomicBool::new(false));
        let stop = Arc::clone(&is_over);
        let thread = std::thread::spawn(move || listening.serve(&|| stop.load(Ordering::SeqCst)).unwrap());
        let mut server = Server {
            folder,
            port,
            cookie: String::new(),
            token: String::new(),
            is_over,
            thread: Some(thread),
        };
        let query = link.split_once('?').unwrap().1;
        let answer = server.ask(&format!("GET /?{query} HTTP/1.1\r\n{}\r\n", server.host()));
        server.cookie = between(&answer.text, "set-cookie: ", ";").to_owned();
        let session = server.get("/api/session");
        server.token = between(&session.text, "\"token\":\"", "\"").to_owned();
        assert_eq!(server.token.len(), 64, "{}", session.text);
        server
    }

    /// The right `Host`, and the end of the connection after the answer.
    pub fn host(&self) -> String {
        format!("Host: 127.0.0.1:{}\r\nConnection: close\r\n", self.port)
    }

    /// Host, cookie and token: everything that our own page sends.
    pub fn ours(&self) -> String {
        format!(
            "{}Cookie: {}\r\nX-Nub-Token: {}\r\nContent-Type: application/json\r\n",
            self.host(),
            self.cookie,
            self.token
        )
    }

    /// Sends bytes and reads all that comes back.
    pub fn ask(&self, request: &str) -> Answer {
        self.ask_bytes(request.as_bytes())
    }

    /// As [`Self::ask`].
    pub fn ask_bytes(&self, request: &[u8]) -> Answer {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        // The server may answer and hang up before it has read everything.
        let _ = stream.write_all(request);
        let mut bytes = Vec::new();
        let _ = stream.read_to_end(&mut bytes);
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let status = text.split(' ').nth(1).and_then(|number| number.parse().ok()).unwrap_or(0);
        Answer { status, text }
    }

    /// What the page gets at an address.
    pub fn get(&self, address: &str) -> Answer {
        self.ask(&format!("GET {address} HTTP/1.1\r\n{}\r\n", self.ours()))
    }

    /// What the page gets for a change.
    pub fn post(&self, address: &str, body: &[u8]) -> Answer {
        let head =
            format!("POST {address} HTTP/1.1\r\n{}Content-Length: {}\r\n\r\n", self.ours(), body.len());
        self.ask_bytes(&[head.as_bytes(), body].concat())
    }

    /// Whether the registered program was run.
    pub fn was_run(&self) -> bool {
        self.folder.path().join("was-run").exists()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::SeqCst);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// A folder to serve, a secret beside it, and links that lead out.
fn prepare(folder: &Path) {
    let shown = folder.join("shown");
    std::fs::create_dir_all(shown.join("inner")).unwrap();
    std::fs::write(folder.join("secret.txt"), SECRET).unwrap();
    std::fs::write(shown.join("open.txt"), "open").unwrap();
    std::os::unix::fs::symlink(folder.join("secret.txt"), shown.join("link")).unwrap();
    std::os::unix::fs::symlink("../secret.txt", shown.join("relative")).unwrap();
    std::os::unix::fs::symlink(folder, shown.join("folder-link")).unwrap();
    std::os::unix::fs::symlink("inner/../../secret.txt", shown.join("winding")).unwrap();
    std::os::unix::fs::symlink("open.txt", shown.join("inside")).unwrap();
}

fn between<'text>(text: &'text str, before: &str, after: &str) -> &'text str {
    let rest = text.split_once(before).unwrap_or_else(|| panic!("no `{before}` in {text}")).1;
    rest.split_once(after).unwrap().0
}
