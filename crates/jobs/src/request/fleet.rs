//! Requests about other machines.

use crate::plain;
use nub_fleet::Address;
use serde::{Deserialize, Serialize, Serializer};
use std::path::PathBuf;
use std::time::Duration;

/// Where the server is that other machines have joined. Without a URL everything runs here.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct FleetOptions {
    /// `nats://HOST:PORT`. A password in it is not stored.
    #[serde(serialize_with = "without_password")]
    pub on: Option<String>,
    /// A file with credentials.
    pub credentials: Option<PathBuf>,
    /// A file with the seed of an nkey.
    pub nkey: Option<PathBuf>,
    /// The certificate of the server's authority.
    pub authority: Option<PathBuf>,
    /// Our own certificate.
    pub certificate: Option<PathBuf>,
    /// The key of the client certificate.
    pub key: Option<PathBuf>,
    /// How long to wait for the first worker that can help.
    #[serde(with = "plain::some_seconds")]
    pub patience: Option<Duration>,
}

impl FleetOptions {
    pub(crate) fn paths_mut(&mut self) -> impl Iterator<Item = &mut PathBuf> {
        let login = self.credentials.iter_mut().chain(&mut self.nkey);
        login.chain(&mut self.authority).chain(&mut self.certificate).chain(&mut self.key)
    }
}

fn without_password<S: Serializer>(url: &Option<String>, serializer: S) -> Result<S::Ok, S::Error> {
    match url {
        Some(url) => serializer.serialize_some(&Address { url: url.clone(), ..Address::default() }.shown()),
        None => serializer.serialize_none(),
    }
}

/// Work for others: take leases until told to stop.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct WorkerJob {
    /// The server.
    pub fleet: FleetOptions,
    /// Number of parallel runs; by default the number of cores.
    pub jobs: Option<usize>,
    /// Stop after this time.
    #[serde(with = "plain::some_seconds")]
    pub max_time: Option<Duration>,
}

/// Run a server, and restart it when it ends.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct HubJob {
    /// The interface that it listens on.
    pub host: String,
    /// The port.
    pub port: u16,
    /// A folder for its data.
    pub folder: PathBuf,
    /// A user who may connect.
    pub user: Option<String>,
    /// A file whose first line is the user's password.
    pub password_file: Option<PathBuf>,
    /// A certificate.
    pub certificate: Option<PathBuf>,
    /// The key of the certificate.
    pub key: Option<PathBuf>,
}

impl Default for HubJob {
    fn default() -> HubJob {
        HubJob {
            host: "127.0.0.1".to_owned(),
            port: 4222,
            folder: PathBuf::from("nub-hub"),
            user: None,
            password_file: None,
            certificate: None,
            key: None,
        }
    }
}

/// Show the machines that have joined a server.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct FleetStatusJob {
    /// The server.
    pub fleet: FleetOptions,
    /// Report every event of every run until told to stop.
    pub follow: bool,
    /// As JSON.
    pub json: bool,
}
