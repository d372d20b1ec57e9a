//! Runs a NATS server for users who have none: finds it on `PATH`, configures it, restarts it when it ends,
//! and stops it.

use crate::address::{Address, NatsLogin, TlsFiles};
use crate::error::FleetError;
use crate::link::Link;
use nub_process::{Cancel, ChildInput, Command, ProcessEnd, ProcessLimits, ProcessOutcome, Runner};
use nub_store::{RealFs, commit, create_folder};
use std::fmt::Write;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// The name of the server.
const PROGRAM: &str = "nats-server";
const CONFIG: &str = "nats-server.conf";
/// Largest message. Leases and reports have less than a megabyte.
const MAX_PAYLOAD: &str = "4MB";
/// A server that ends sooner than this after its start would probably do so again.
const SHORT: Duration = Duration::from_secs(5);
/// How many such short runs in a row are tolerated.
const MAX_SHORT: u32 = 3;
/// Time between SIGTERM and SIGKILL.
const GRACE: Duration = Duration::from_secs(5);
/// Time between two attempts to reach it.
const RETRY: Duration = Duration::from_millis(100);
/// Attempts to reach it after a start.
const MAX_ATTEMPTS: usize = 300;
/// Lines of its log that are shown when it does not start.
const N_LINES: usize = 5;

/// How a server is set up.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HubOptions {
    /// The interface that it listens on.
    pub host: String,
    /// The port.
    pub port: u16,
    /// A folder for its streams and its configuration.
    pub folder: PathBuf,
    /// The user and password that clients must give.
    pub login: Option<(String, String)>,
    /// A certificate and its key.
    pub tls: Option<(PathBuf, PathBuf)>,
}

impl HubOptions {
    /// The address for clients, without a password.
    #[must_use]
    pub fn shown(&self) -> String {
        let scheme = if self.tls.is_some() { "tls" } else { "nats" };
        let login = self.login.as_ref().map_or(String::new(), |(user, _)| format!("{user}:PASSWORD@"));
        let host = if is_any(&self.host) { crate::host_name() } else { self.host.clone() };
        format!("{scheme}://{login}{host}:{}", self.port)
    }

    /// Whether only programs of this machine can connect.
    #[must_use]
    pub fn is_local(&self) -> bool {
        matches!(self.host.as_str(), "localhost" | "::1") || self.host.starts_with("127.")
    }

    /// The configuration file.
    fn config(&self) -> Result<String, FleetError> {
        let mut text = String::from("# Written by `nub hub` at every start.\n");
        let folder = quoted(&self.folder.join("jetstream").to_string_lossy())?;
        let lines = [
            format!("host: {}", quoted(&self.host)?),
            format!("port: {}", self.port),
            format!("max_payload: {MAX_PAYLOAD}"),
            format!("jetstream {{ store_dir: {folder} }}"),
        ];
        for line in lines {
            let _ = writeln!(text, "{line}");
        }
        if let Some((user, password)) = &self.login {
            let _ = writeln!(
                text,
                "authorization {{ user: {}, password: {} }}",
                quoted(user)?,
                quoted(password)?
            );
        }
        if let Some((cert, key)) = &self.tls {
            let [cert, key] = [cert, key].map(|path| quoted(&path.to_string_lossy()));
            let _ = writeln!(text, "tls {{ cert_file: {}, key_file: {} }}", cert?, key?);
        }
        Ok(text)
    }
}

fn is_any(host: &str) -> bool {
    matches!(host, "0.0.0.0" | "::")
}

/// A string for the configuration file, which has no escape for quotes and backslashes.
fn quoted(text: &str) -> Result<String, FleetError> {
    if text.contains(['"', '\\', '\n', '\r']) {
        return Err(FleetError::Here(format!(
            "`{text}` has a quote, a backslash or a line break: nats-server cannot read it"
        )));
    }
    Ok(format!("\"{text}\""))
}

/// A server that this process runs and restarts.
pub struct Hub {
    options: HubOptions,
    config: PathBuf,
}

impl Hub {
    /// Writes the configuration.
    ///
    /// # Errors
    /// If the folder cannot be written.
    pub fn set_up(options: HubOptions) -> Result<Hub, FleetError> {
        let here = |error: nub_store::StoreError| FleetError::Here(error.to_string());
        create_folder(&RealFs, &options.folder).map_err(here)?;
        let config = options.folder.join(CONFIG);
        commit(&RealFs, &config, options.config()?.as_bytes()).map_err(here)?;
        Ok(Hub { options, config })
    }

    /// Runs the server until `stop` is raised, starting it again when it ends. `ready` is called after every
    /// start.
    ///
    /// # Errors
    /// If the program does not exist or keeps ending.
    pub fn run<R: Fn() + Sync>(&self, runner: &Runner, stop: &Cancel, ready: &R) -> Result<(), FleetError> {
        let mut n_short = 0;
        while !stop.is_cancelled() {
            let began = Instant::now();
            let outcome = std::thread::scope(|scope| {
                let over = Cancel::new();
                let watched = over.clone();
                scope.spawn(move || {
                    if self.wait_until_ready(&watched) {
                        ready();
                    }
                });
                let outcome = self.start(runner, stop);
                over.cancel();
                outcome
            })?;
            if outcome.end == ProcessEnd::Cancelled {
                return Ok(());
            }
            n_short = if began.elapsed() < SHORT { n_short + 1 } else { 0 };
            if n_short >= MAX_SHORT {
                return Err(FleetError::Here(format!("nats-server keeps exiting: {}", last_lines(&outcome))));
            }
        }
        Ok(())
    }

    fn start(&self, runner: &Runner, stop: &Cancel) -> Result<ProcessOutcome, FleetError> {
        let command = Command {
            program: PROGRAM.into(),
            args: vec!["-c".into(), self.config.clone().into_os_string()],
            folder: None,
            env: Vec::new(),
            input: ChildInput::Null,
        };
        let limits = ProcessLimits {
            tasks: None,
            max_output: None,
            keep_output: 1 << 16,
            grace: GRACE,
            ..ProcessLimits::default()
        };
        runner.run(&command, &limits, stop).map_err(|error| FleetError::Here(error.to_string()))
    }

    /// Tries to connect until it works.
    fn wait_until_ready(&self, over: &Cancel) -> bool {
        let Ok(runtime) = tokio::runtime::Builder::new_current_thread().enable_all().build() else {
            return false;
        };
        let scheme = if self.options.tls.is_some() { "tls" } else { "nats" };
        let host = if is_any(&self.options.host) { "127.0.0.1" } else { &self.options.host };
        let url = format!("{scheme}://{host}:{}", self.options.port);
        let login = self.options.login.clone();
        let login = login.map(|(user, password)| NatsLogin::Password { user, password });
        let authority = self.options.tls.as_ref().map(|(cert, _)| cert.clone());
        let address = Address { url, login, tls: TlsFiles { authority, client: None } };
        runtime.block_on(async {
            for _ in 0..MAX_ATTEMPTS {
                if over.is_cancelled() {
                    return false;
                }
                match Link::open(&address).await {
                    Ok(_) => return true,
                    // The server answers; that its certificate cannot be verified here does not matter.
                    Err(FleetError::Tls { .. }) => return true,
                    Err(_) => tokio::time::sleep(RETRY).await,
                }
            }
            false
        })
    }
}

fn last_lines(outcome: &ProcessOutcome) -> String {
    let text = String::from_utf8_lossy(&outcome.stderr.bytes).into_owned();
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len().saturating_sub(N_LINES)..].join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(host: &str) -> HubOptions {
        HubOptions {
            host: host.to_owned(),
            port: 4222,
            folder: PathBuf::from("/var/hub"),
            login: None,
            tls: None,
        }
    }

    #[test]
    fn configurations() {
        let text = options("127.0.0.1").config().unwrap();
        assert!(text.contains("jetstream { store_dir: \"/var/hub/jetstream\" }"), "{text}");
        assert!(!text.contains("authorization"));
        let login = Some(("me".to_owned(), "secret".to_owned()));
        let text = HubOptions { login, ..options("0.0.0.0") }.config().unwrap();
        assert!(text.contains("authorization { user: \"me\", password: \"secret\" }"), "{text}");
        let login = Some(("me\" }".to_owned(), String::new()));
        assert!(HubOptions { login, ..options("0.0.0.0") }.config().is_err());
    }

    #[test]
    fn what_is_local_and_what_is_shown() {
        assert!(options("127.0.0.1").is_local() && options("localhost").is_local());
        assert!(!options("0.0.0.0").is_local() && !options("10.0.0.1").is_local());
        let login = Some(("me".to_owned(), "secret".to_owned()));
        assert_eq!(HubOptions { login, ..options("h") }.shown(), "nats://me:PASSWORD@h:4222");
    }
}
