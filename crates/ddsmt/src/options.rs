//! The options of ddSMT 2, parsed as ddSMT does.

use clap::{ArgAction, Args, CommandFactory, Parser};
use nub_jobs::{DDSMT_MUTATORS, DDSMT_THEORIES, parse_run_time};
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

pub(crate) const USAGE: &str = "ddsmt [<options>] <infile> <outfile> <cmd> [<cmd options>]";
const MORE: &str = "--help-all lists the mutators. docs/ddsmt.md says what differs from ddSMT.";

/// The command line.
#[derive(Parser, Clone, Debug)]
#[command(name = "ddsmt", override_usage = USAGE, about = "nub with the command line of ddSMT 2", after_help = MORE,
    infer_long_args = true, max_term_width = 100, args_override_self = true, disable_version_flag = true, version = "2.0.6")]
pub struct DdsmtOptions {
    /// The input file (in SMT-LIB v2 format)
    pub infile: PathBuf,
    /// The output file; may be the input file
    pub outfile: PathBuf,
    /// The command (with optional arguments)
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    pub cmd: Vec<OsString>,
    #[command(flatten)]
    pub form: FormOptions,
    #[command(flatten)]
    pub checker: CheckerOptions,
    #[command(flatten)]
    pub debug: DebugOptions,
}

/// What is printed, and how the search works.
#[derive(Args, Clone, Debug)]
pub struct FormOptions {
    /// Print help with all mutators
    #[arg(long, action = ArgAction::Help)]
    help_all: Option<bool>,
    /// Print the version of ddSMT whose command line this is, and that of nub
    #[arg(long, action = ArgAction::Version)]
    version: Option<bool>,
    /// Increase verbosity
    #[arg(short, action = ArgAction::Count)]
    pub verbose: u8,
    /// Decrease verbosity
    #[arg(short, action = ArgAction::Count)]
    pub quiet: u8,
    /// Print the options, then continue
    #[arg(long)]
    pub dump_config: bool,
    /// Only read the input and print it; needs no command and writes no file
    #[arg(long)]
    pub parser_test: bool,
    /// Pretty-print the output file, one part per line
    #[arg(long)]
    pub pretty_print: bool,
    /// Break lines of the output file after 78 columns
    #[arg(long)]
    pub wrap_lines: bool,
    /// ddmin: groups of changes, one mutator after another. hierarchical: one change at a time, from the largest
    /// terms to the smallest. hybrid: everything that nub can do
    #[arg(long, value_parser = ["ddmin", "hierarchical", "hybrid"], default_value = "hybrid")]
    pub strategy: String,
    /// Disable all mutators
    #[arg(long)]
    pub disable_all: bool,
}

/// What defines the failure.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Checker arguments")]
pub struct CheckerOptions {
    /// Accept every change without running the command
    #[arg(long)]
    pub unchecked: bool,
    /// Number of parallel checks
    #[arg(short, long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: u16,
    /// Megabytes per run
    #[arg(long, value_name = "MB")]
    pub memout: Option<u64>,
    /// Seconds per run [default: derived from the first run]
    #[arg(long, value_name = "S", value_parser = parse_run_time)]
    pub timeout: Option<Duration>,
    /// Compare only the exit status
    #[arg(long)]
    pub ignore_output: bool,
    /// Ignore standard output
    #[arg(long)]
    pub ignore_out: bool,
    /// Ignore standard error
    #[arg(long)]
    pub ignore_err: bool,
    /// Standard error must contain this text
    #[arg(long, value_name = "TEXT")]
    pub match_err: Option<String>,
    /// Standard output must contain this text
    #[arg(long, value_name = "TEXT")]
    pub match_out: Option<String>,
    /// A second command that must keep its behaviour
    #[arg(short = 'c', long, value_name = "CMD")]
    pub cross_check: Option<String>,
    /// As --timeout, for the second command
    #[arg(long, value_name = "S", value_parser = parse_run_time)]
    pub timeout_cc: Option<Duration>,
    /// As --ignore-output, for the second command
    #[arg(long)]
    pub ignore_output_cc: bool,
    /// As --match-err, for the second command
    #[arg(long, value_name = "TEXT")]
    pub match_err_cc: Option<String>,
    /// As --match-out, for the second command
    #[arg(long, value_name = "TEXT")]
    pub match_out_cc: Option<String>,
}

/// Options for debugging ddSMT itself.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Debug arguments")]
pub struct DebugOptions {
    /// Fail if the same script is accepted twice (cannot happen: every script that nub accepts is smaller)
    #[arg(long)]
    pub check_loops: bool,
    /// Refused: profiles ddSMT's Python code
    #[arg(long)]
    pub profile: bool,
    /// Refused: `nub reduce --history` keeps every accepted script
    #[arg(long)]
    pub dump_diffs: bool,
}

/// Whether the help lists the mutators.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MutatorHelp {
    /// `--help-all`
    Shown,
    /// `--help`
    Hidden,
}

/// The whole command line, switches included.
pub fn command(mutators: MutatorHelp) -> clap::Command {
    let mut command = DdsmtOptions::command();
    for theory in DDSMT_THEORIES {
        let heading = format!("{theory} mutator arguments");
        command = add(command, theory, &format!("all {theory} mutators"), &heading, mutators);
        for mutator in DDSMT_MUTATORS.iter().filter(|mutator| mutator.theory == *theory) {
            command = add(command, mutator.name, &mutator.help(), &heading, mutators);
        }
        if *theory == "core" {
            command = command.arg(
                clap::Arg::new("replace-by-variable-mode")
                    .long("replace-by-variable-mode")
                    .value_parser(["inc", "dec"])
                    .default_value("inc")
                    .hide(mutators == MutatorHelp::Hidden)
                    .help_heading(heading)
                    .help(
                        "Replace constants by ones that are larger or smaller, in the order of their names",
                    ),
            );
        }
    }
    command
}

/// `--NAME`, shown as `--[no-]NAME` by its help, and `--no-NAME`.
fn add(
    command: clap::Command,
    name: &str,
    help: &str,
    heading: &str,
    mutators: MutatorHelp,
) -> clap::Command {
    let switch = |name: String| clap::Arg::new(name.clone()).long(name).action(ArgAction::SetTrue);
    let on = switch(name.to_owned()).hide(mutators == MutatorHelp::Hidden).help_heading(heading.to_owned());
    command.arg(on.help(format!("[--no-{name}] {help}"))).arg(switch(format!("no-{name}")).hide(true))
}
