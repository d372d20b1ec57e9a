//! The command line of ddSMT 2 as a request to reduce.
//!
//! Every option does what it does in ddSMT 2.0.6 or is refused by name; `docs/ddsmt.md` lists the differences. This
//! crate parses the options and translates them; the caller prints, runs the request and chooses exit codes.
//!
//! The files: `options` (the options), `mutators` (switches, whose order matters), `request` (what to run), `config`
//! (`--dump-config`).
//!
//! ```
//! let words = ["ddsmt", "in.smt2", "out.smt2", "--match-out", "/x/", "solver"].map(Into::into);
//! let call = nub_ddsmt::DdsmtCall::read(&words).unwrap();
//! assert!(call.problem().is_some(), "there is no such file");
//! assert!(call.request().oracle.exact);
//! ```

mod config;
mod mutators;
mod options;
mod request;

use clap::FromArgMatches;
use nub_jobs::{DdsmtSwitches, Failure, ReduceJob};
use nub_smtlib::{Script, print};
use options::DdsmtOptions;
use std::cmp::Ordering;
use std::ffi::OsString;

/// A parsed command line.
#[derive(Debug)]
pub struct DdsmtCall {
    options: DdsmtOptions,
    switches: DdsmtSwitches,
}

/// Why a command line cannot be used.
#[derive(Debug)]
pub enum DdsmtUsage {
    /// Help or the version was asked for, or an option is wrong.
    Clap(clap::Error),
    /// An option that nub refuses.
    Refused(Failure),
}

/// The command line with its help, including that of the mutators.
pub fn full_command() -> clap::Command {
    options::command(options::MutatorHelp::Shown)
}

impl DdsmtCall {
    /// Parses the words; the first is the name of the program.
    pub fn read(words: &[OsString]) -> Result<DdsmtCall, DdsmtUsage> {
        let command = options::command(options::MutatorHelp::Hidden);
        let matches = command.try_get_matches_from(words).map_err(DdsmtUsage::Clap)?;
        let options = DdsmtOptions::from_arg_matches(&matches).map_err(DdsmtUsage::Clap)?;
        let switches = mutators::switches(&matches).map_err(DdsmtUsage::Refused)?;
        request::refuse_debugging(&options).map_err(DdsmtUsage::Refused)?;
        Ok(DdsmtCall { options, switches })
    }

    /// The options as ddSMT prints them, if `--dump-config` is given.
    pub fn config(&self) -> Option<String> {
        self.options.form.dump_config.then(|| config::dump(&self.options, &self.switches))
    }

    /// The input as ddSMT prints it, if only `--parser-test` is requested. ddSMT stops at a surplus `)` and drops an
    /// unfinished command; both are errors here.
    pub fn parser_test(&self) -> Option<Result<Vec<u8>, Failure>> {
        self.options.form.parser_test.then(|| {
            let path = &self.options.infile;
            let text = std::fs::read(path)
                .map_err(|error| Failure::usage(format!("cannot read {}: {error}", path.display())))?;
            let (script, diagnostics) = Script::parse(&text);
            match diagnostics.first() {
                Some(first) => Err(Failure::from_diagnostic(path, &text, first)),
                None => Ok(print(&script, request::printed(&self.options))),
            }
        })
    }

    /// A message to print before the search.
    pub fn note(&self) -> Option<&'static str> {
        let text =
            "--check-loops: every accepted script is smaller than the one before, so none can occur twice";
        self.options.debug.check_loops.then_some(text)
    }

    /// Why the search cannot start.
    pub fn problem(&self) -> Option<Failure> {
        let path = &self.options.infile;
        let message = if !path.is_file() {
            format!("the input file {} is not a regular file", path.display())
        } else if self.options.cmd.is_empty() {
            "no command was given".to_owned()
        } else {
            return None;
        };
        Some(Failure::usage(message).with_hint(options::USAGE))
    }

    /// Whether there is nothing to reduce.
    pub fn is_input_empty(&self) -> bool {
        std::fs::metadata(&self.options.infile).is_ok_and(|file| file.len() == 0)
    }

    /// Whether output is less than, equal to or greater than normal.
    pub fn verbosity(&self) -> Ordering {
        self.options.form.verbose.cmp(&self.options.form.quiet)
    }

    /// The reduction to run.
    pub fn request(&self) -> ReduceJob {
        request::request(&self.options, &self.switches)
    }
}
