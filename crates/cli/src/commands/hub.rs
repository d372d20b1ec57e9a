//! `nub hub`: a NATS server that workers can join.

use crate::exit::Exit;
use crate::front::{self, CommandDisplay};
use crate::reporter::Form;
use crate::signals::FirstSignal;
use crate::values::TalkArgs;
use clap::Args;
use nub_jobs::{HubJob, JobRequest};
use std::path::PathBuf;

pub const ABOUT: &str = "\
Start and supervise a NATS server that workers can join.

`nats-server` is found on PATH, configured with a folder for its streams, started again when it ends, and stopped by Ctrl-C. Its \
folder is kept for the next time. If you already have a NATS server with JetStream, you need no hub. To listen on an interface that \
others can reach, a user and a password are required.";

pub const EXAMPLES: &str = "\
Examples:
  nub hub                                                            for workers on this machine
  nub hub --listen 0.0.0.0 --user me --password-file secret.txt      for workers on other machines";

/// Options of `nub hub`.
#[derive(Args, Clone, Debug)]
pub struct HubArgs {
    /// The interface to listen on
    #[arg(long, value_name = "HOST", default_value = "127.0.0.1")]
    pub listen: String,
    /// The port to listen on
    #[arg(long, value_name = "N", default_value_t = 4222)]
    pub port: u16,
    /// Folder for the server's streams and configuration
    #[arg(long, value_name = "DIR", default_value = "nub-hub")]
    pub folder: PathBuf,
    /// The user who may connect
    #[arg(long, value_name = "NAME", requires = "password_file")]
    pub user: Option<String>,
    /// A file whose first line is the user's password
    #[arg(long, value_name = "FILE", requires = "user")]
    pub password_file: Option<PathBuf>,
    /// A certificate, for TLS connections
    #[arg(long, value_name = "FILE", requires = "tls_key")]
    pub tls_cert: Option<PathBuf>,
    /// The key of the certificate
    #[arg(long, value_name = "FILE", requires = "tls_cert")]
    pub tls_key: Option<PathBuf>,
    #[command(flatten)]
    pub talk: TalkArgs,
}

/// Runs the command.
pub fn run(args: &HubArgs) -> Exit {
    let request = JobRequest::Hub(HubJob {
        host: args.listen.clone(),
        port: args.port,
        folder: args.folder.clone(),
        user: args.user.clone(),
        password_file: args.password_file.clone(),
        certificate: args.tls_cert.clone(),
        key: args.tls_key.clone(),
    });
    let display = CommandDisplay::document(args.talk.manner(Form::Text), FirstSignal::Finishes);
    front::run(request, display, |_, _| Ok(Exit::DONE))
}
