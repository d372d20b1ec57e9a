//! `nub worker`: work for other machines.

use super::fleet::CredentialArgs;
use crate::exit::Exit;
use crate::front::{self, CommandDisplay};
use crate::reporter::Form;
use crate::signals::FirstSignal;
use crate::values::{TalkArgs, total_time};
use clap::Args;
use nub_jobs::{JobRequest, WorkerJob};
use std::time::Duration;

pub const ABOUT: &str = "\
Run registered programs for other machines.

A worker takes leases from a NATS server: files, and the name of a program. The command behind the name is in this machine's own \
nub.toml, below [programs]; command lines are never received. [limits] of nub.toml apply to every run. The hash and \
the version of each program are reported, so answers of different builds are never mixed. Ctrl-C returns unfinished work to \
the other workers.";

pub const EXAMPLES: &str = "\
Examples:
  nub worker --join nats://hub:4222                            all cores
  nub worker --join tls://me:secret@hub:4222 -j 4              four runs at once, with a password
  nub worker --join nats://hub:4222 --nats-creds ~/hub.creds   with credentials";

/// Options of `nub worker`.
#[derive(Args, Clone, Debug)]
pub struct WorkerArgs {
    /// The NATS server: nats://HOST:PORT or tls://HOST:PORT [default: NATS_URL, or `url` below [nats] in nub.toml]
    #[arg(long, value_name = "URL")]
    pub join: Option<String>,
    /// Number of parallel runs [default: number of cores]
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: Option<u16>,
    /// Stop after this time
    #[arg(long, value_name = "TIME", value_parser = total_time)]
    pub max_time: Option<Duration>,
    #[command(flatten)]
    pub credentials: CredentialArgs,
    #[command(flatten)]
    pub talk: TalkArgs,
}

/// Runs the command.
pub fn run(args: &WorkerArgs) -> Exit {
    let request = JobRequest::Worker(WorkerJob {
        fleet: args.credentials.options(args.join.clone()),
        jobs: args.jobs.map(usize::from),
        max_time: args.max_time,
    });
    let display = CommandDisplay::document(args.talk.manner(Form::Text), FirstSignal::Finishes);
    front::run(request, display, |_, _| Ok(Exit::DONE))
}
