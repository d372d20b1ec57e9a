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
    /// Run the command on the workers that have joined this NATS server. The command is then `@NAME`, a program that is
    /// registered on their machines
    #[arg(long, value_name = "URL")]
    pub on: Option<String>,
    /// Wait this time for the first worker that can help [default: 10s]
    #[arg(long, value_name = "TIME", value_parser = total_time, requires = "on")]
    pub wait_time: Option<Duration>,
    #[command(flatten)]
    pub credentials: CredentialArgs,
}

/// Who we are to the server.
#[derive(Args, Clone, Debug, Default)]
pub struct CredentialArgs {
    /// A file with NATS credentials; a user and a password can also be in the URL
    #[arg(long, value_name = "FILE")]
    pub nats_creds: Option<PathBuf>,
    /// The certificate of the authority that vouches for the server, for tls://
    #[arg(long, value_name = "FILE")]
    pub nats_ca: Option<PathBuf>,
}

impl FleetArgs {
    /// For a request.
    pub fn options(&self) -> FleetOptions {
        FleetOptions { patience: self.wait_time, ..self.credentials.options(self.on.clone()) }
    }
}

impl CredentialArgs {
    /// For a request to this server.
    pub fn options(&self, url: Option<String>) -> FleetOptions {
        FleetOptions {
            on: url,
            credentials: self.nats_creds.clone(),
            authority: self.nats_ca.clone(),
            patience: None,
        }
    }
}
