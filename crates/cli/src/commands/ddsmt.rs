//! `ddsmt IN OUT CMD…`: the command line of ddSMT 2, for scripts that use it.
//!
//! Runs when the program is called `ddsmt` (a link to nub is enough) or as `nub ddsmt`; [`nub_ddsmt`] reads the options.
//! As in ddSMT, nothing is printed on standard output. Exit status: 0 even if nothing could be reduced, 1 for errors, 2
//! for wrong options.

use super::reduce::{self, TableForm};
use crate::exit::Exit;
use crate::live::Talk;
use crate::render::failure_text;
use crate::reporter::{Form, Manner, print, printed, tell};
use crate::terminal::{ColorChoice, Paint};
use clap::error::ErrorKind;
use nub_ddsmt::{DdsmtCall, DdsmtUsage, full_command};
use nub_jobs::{Failure, JobRequest};
use std::cmp::Ordering;
use std::ffi::OsString;

/// The version of ddSMT first, as in ddSMT, then that of nub.
const VERSION: &str = concat!("2.0.6 (nub ", env!("CARGO_PKG_VERSION"), ")");

/// Parses the words and runs the command.
pub fn run(words: &[OsString]) -> Exit {
    match DdsmtCall::read(words) {
        Ok(call) => start(&call),
        Err(DdsmtUsage::Clap(error)) => usage(&error, words),
        Err(DdsmtUsage::Refused(failure)) => {
            complain(&failure);
            match failure.kind.into() {
                Exit::USAGE => Exit::USAGE,
                exit => as_ddsmt(exit),
            }
        }
    }
}

fn complain(failure: &Failure) {
    tell(&failure_text(failure, Paint::Plain));
}

/// Whatever goes wrong is 1.
fn or_complain(end: Result<Exit, Failure>) -> Exit {
    end.unwrap_or_else(|failure| {
        complain(&failure);
        Exit::NEGATIVE
    })
}

/// Prints help and version, or the error in the arguments.
fn usage(error: &clap::Error, words: &[OsString]) -> Exit {
    match error.kind() {
        ErrorKind::DisplayVersion => or_complain(print(format!("{VERSION}\n").as_bytes())),
        ErrorKind::DisplayHelp if words.iter().any(|word| word.to_string_lossy().starts_with("--help-")) => {
            or_complain(print(full_command().render_help().to_string().as_bytes()))
        }
        _ => {
            let written = error.print();
            if error.use_stderr() {
                Exit::USAGE
            } else {
                or_complain(printed(written.as_ref().copied(), Exit::DONE))
            }
        }
    }
}

fn start(call: &DdsmtCall) -> Exit {
    if let Some(config) = call.config() {
        let exit = or_complain(print(format!("{config}\n").as_bytes()));
        if exit != Exit::DONE {
            return exit;
        }
    }
    match call.parser_test() {
        Some(Ok(text)) => return or_complain(print(&text)),
        Some(Err(failure)) => {
            complain(&failure);
            return Exit::NEGATIVE;
        }
        None => {}
    }
    if let Some(note) = call.note() {
        tell(&format!("note: {note}\n"));
    }
    if let Some(failure) = call.problem() {
        complain(&failure);
        return Exit::NEGATIVE;
    }
    if call.is_input_empty() {
        return not_reduced();
    }
    let talk = match call.verbosity() {
        Ordering::Less => Talk::Quiet,
        Ordering::Equal => Talk::Normal,
        Ordering::Greater => Talk::Verbose,
    };
    let manner = Manner { form: Form::Silent, talk, color: ColorChoice::Auto };
    let request = JobRequest::Reduce(Box::new(call.request()));
    let exit = reduce::start(request, manner, TableForm::Text, in_manner);
    if exit == Exit::NEGATIVE { not_reduced() } else { as_ddsmt(exit) }
}

/// Marks hints about options that only `nub reduce` has.
fn in_manner(mut failure: Failure) -> Failure {
    let is_foreign =
        |hint: &String| hint.contains("--") || hint.contains("nub reduce") || hint.contains("-o");
    failure.hint = failure.hint.map(|hint| {
        if is_foreign(&hint) { format!("`nub reduce` has options for this: {hint}") } else { hint }
    });
    failure
}

fn not_reduced() -> Exit {
    tell("warning: unable to minimize input file\n");
    Exit::DONE
}

/// The exit status of ddSMT for every error, including an interrupt, is 1; other signals end the process.
fn as_ddsmt(exit: Exit) -> Exit {
    match exit {
        Exit::Code(2..=4) => Exit::NEGATIVE,
        Exit::Signal(signal) if signal == signal_hook::consts::SIGINT => Exit::NEGATIVE,
        exit => exit,
    }
}
