//! `nub status`: which workers and runs there are.

use super::fleet::CredentialArgs;
use crate::exit::Exit;
use crate::front::{self, CommandDisplay};
use crate::reporter::Form;
use crate::signals::FirstSignal;
use crate::values::TalkArgs;
use clap::Args;
use nub_jobs::{FleetStatusJob, JobRequest};

pub const ABOUT: &str = "\
List the workers that have joined a NATS server, the programs they may run, and the runs that use them.

With --follow, every event of every run is printed as it happens, one JSON object per line (docs/json.md).";

pub const EXAMPLES: &str = "\
Examples:
  nub status --on nats://hub:4222              workers, their programs, and runs
  nub status --on nats://hub:4222 --follow     and then events as they happen";

/// Options of `nub status`.
#[derive(Args, Clone, Debug)]
pub struct StatusArgs {
    /// The NATS server: nats://HOST:PORT or tls://HOST:PORT [default: NATS_URL, or `url` below [nats] in nub.toml]
    #[arg(long, value_name = "URL")]
    pub on: Option<String>,
    /// Print events until Ctrl-C
    #[arg(long)]
    pub follow: bool,
    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub credentials: CredentialArgs,
    #[command(flatten)]
    pub talk: TalkArgs,
}

/// Runs the command.
pub fn run(args: &StatusArgs) -> Exit {
    let request = JobRequest::FleetStatus(FleetStatusJob {
        fleet: args.credentials.options(args.on.clone()),
        follow: args.follow,
        json: args.json,
    });
    let form = if args.json { Form::Json } else { Form::Text };
    let display = CommandDisplay::document(args.talk.manner(form), FirstSignal::Finishes);
    front::run(request, display, |_, _| Ok(Exit::DONE))
}
