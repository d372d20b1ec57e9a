//! `nub generate`: well-sorted formulas from a seed, in four formats, and SMT-LIB scripts over all theories.

pub mod args;

use crate::exit::Exit;
use crate::front::{self, CommandDisplay};
use crate::reporter::Form;
use crate::signals::FirstSignal;
use args::GenerateArgs;
use nub_jobs::{JobRequest, JobResult};

/// Runs the command. Statistics go to standard error if the files went to standard output.
pub fn run(args: &GenerateArgs) -> Exit {
    let stage = CommandDisplay::document(args.talk.manner(Form::Text), FirstSignal::Finishes);
    front::run(JobRequest::Generate(Box::new(args.job())), stage, |result, reporter| {
        if let JobResult::Generated { stats: Some(text) } = result {
            match args.output.out {
                Some(_) => reporter.result(text.as_bytes()),
                None => reporter.talk_line(text.trim_end()),
            }
        }
        Ok(Exit::DONE)
    })
}
