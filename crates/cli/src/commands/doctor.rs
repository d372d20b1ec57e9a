//! `nub doctor`: lists the installed solvers or, given a file and a command, checks whether that oracle can
//! be used.

use super::reduce::args::OracleArgs;
use crate::exit::Exit;
use crate::front::{self, CommandDisplay};
use crate::reporter::Form;
use crate::signals::FirstSignal;
use crate::values::TalkArgs;
use clap::Args;
use nub_jobs::{DoctorJob, JobRequest};
use std::ffi::OsString;
use std::path::PathBuf;

/// Options of `nub doctor`.
#[derive(Args, Clone, Debug)]
pub struct DoctorArgs {
    /// The file that makes the program fail
    #[arg(value_name = "IN")]
    pub input: Option<PathBuf>,
    /// The program and its arguments, after `--`
    #[arg(last = true, value_name = "CMD")]
    pub command: Vec<OsString>,
    #[command(flatten)]
    pub oracle: OracleArgs,
    #[command(flatten)]
    pub talk: TalkArgs,
}

/// Runs the command.
pub fn run(args: &DoctorArgs) -> Exit {
    let manner = args.talk.manner(Form::Text);
    let (input, command) = (args.input.clone(), args.command.clone());
    let request = JobRequest::Doctor(Box::new(DoctorJob { input, command, oracle: args.oracle.options() }));
    let stage = CommandDisplay::document(manner, FirstSignal::Finishes);
    front::run(request, stage, |result, _| Ok(Exit::Code(result.exit_code())))
}
