//! `nub convert`: between BTOR, BTOR2 and SMT-LIB, and unrolling.

use crate::exit::Exit;
use crate::front::{self, CommandDisplay};
use crate::reporter::Form;
use crate::signals::FirstSignal;
use crate::values::{TalkArgs, choices};
use clap::Args;
use nub_jobs::{ConvertJob, FileFormat, JobRequest};
use std::path::PathBuf;

/// Options of `nub convert`.
#[derive(Args, Clone, Debug)]
pub struct ConvertArgs {
    /// A BTOR or BTOR2 file; `-` is standard input
    #[arg(value_name = "IN")]
    pub input: PathBuf,
    /// File to write; by default, or with `-`, standard output
    #[arg(short, long, value_name = "OUT")]
    pub out: Option<PathBuf>,
    /// The format to write: smt2, btor or btor2 [default: by the extension of OUT]
    #[arg(long, value_name = "FORMAT", value_parser = choices::<FileFormat>(), hide_possible_values = true)]
    pub to: Option<FileFormat>,
    /// The format of IN: btor or btor2 [default: by its operators]
    #[arg(long, value_name = "FORMAT", value_parser = choices::<FileFormat>(), hide_possible_values = true)]
    pub from: Option<FileFormat>,
    /// Write steps 0 to K of a transition system as one formula: is a bad state reached?
    #[arg(long, value_name = "K")]
    pub unroll: Option<u32>,
    /// With --unroll: reached in exactly step K, not before
    #[arg(long, requires = "unroll")]
    pub exactly: bool,
    /// Write the same format, with ids from 1 without gaps and without comments
    #[arg(long)]
    pub renumber: bool,
    #[command(flatten)]
    pub talk: TalkArgs,
}

/// Runs the command.
pub fn run(args: &ConvertArgs) -> Exit {
    let manner = args.talk.manner(Form::Text);
    let args = args.clone();
    let request = JobRequest::Convert(ConvertJob {
        input: args.input,
        out: args.out,
        to: args.to,
        from: args.from,
        unroll: args.unroll,
        exactly: args.exactly,
        renumber: args.renumber,
    });
    let stage = CommandDisplay::document(manner, FirstSignal::Ends);
    front::run(request, stage, |_, _| Ok(Exit::DONE))
}
