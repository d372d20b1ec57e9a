//! The options of commands that use other machines.

use crate::values::total_time;
use clap::Args;
use nub_jobs::FleetOptions;
use std::path::PathBuf;
use std::time::Duration;

/// Where the command runs.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Other machines (docs/machines.md)")]
pub struct FleetArgs {
    /// Use the workers that have joined this NATS server. A command is then `@NAME`, a program that is registered on their machines
    #[arg(long, value_name = "URL")]
    pub on: Option<String>,
    /// Wait this time for the first worker that can help [default: 10s]
    #[arg(long, value_name = "TIME", value_parser = total_time, requires = "on")]
    pub wait_time: Option<Duration>,
    #[command(flatten)]
    pub credentials: CredentialArgs,
}

/// How to log in to the server.
#[derive(Args, Clone, Debug, Default)]
pub struct CredentialArgs {
    /// A file with NATS credentials; a user and a password, or a token, can be in the URL. All of this can also be in the environment
    /// (NATS_CREDS, NATS_USER, ...) or in nub.toml
    #[arg(long, value_name = "FILE")]
    pub nats_creds: Option<PathBuf>,
    /// A file with the seed of an nkey
    #[arg(long, value_name = "FILE", conflicts_with = "nats_creds")]
    pub nats_nkey: Option<PathBuf>,
    /// The certificate of the server's certificate authority, for tls://
    #[arg(long, value_name = "FILE")]
    pub nats_ca: Option<PathBuf>,
    /// A client certificate, for servers that require one
    #[arg(long, value_name = "FILE")]
    pub nats_cert: Option<PathBuf>,
    /// The key of the client certificate
    #[arg(long, value_name = "FILE")]
    pub nats_key: Option<PathBuf>,
}

impl FleetArgs {
    /// The options as part of a request.
    pub fn options(&self) -> FleetOptions {
        FleetOptions { patience: self.wait_time, ..self.credentials.options(self.on.clone()) }
    }
}

impl CredentialArgs {
    /// The options for this server as part of a request.
    pub fn options(&self, url: Option<String>) -> FleetOptions {
        FleetOptions {
            on: url,
            credentials: self.nats_creds.clone(),
            nkey: self.nats_nkey.clone(),
            authority: self.nats_ca.clone(),
            certificate: self.nats_cert.clone(),
            key: self.nats_key.clone(),
            patience: None,
        }
    }
}
