//! `ddsmt IN OUT CMD…`: the command line of ddSMT 2, for scripts that have it.
//!
//! Runs when the program is called `ddsmt` (a link to nub is enough) or as `nub ddsmt`. Options that choose among ddSMT's own
//! mutators and strategies are accepted and do nothing, with a note. As there: one job by default, no header in the
//! result, exit status 0 also when nothing could be reduced.

use super::reduce::args::{OracleArgs, OutputArgs, ReduceArgs, SearchArgs, seconds};
use crate::exit::{Exit, Failure};
use clap::{ArgAction, Args, CommandFactory, FromArgMatches, Parser};
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

/// Theories and mutators of ddSMT 2.0.6: `--NAME` and `--no-NAME`.
const SWITCHES: &str = "core binary-reduction constants erase-node merge-children substitute-children replace-by-variable \
    sort-children arithmetic arith-negate-relations arith-constants arith-split-nary-relations \
    arith-strengthen-relations bv bv-norm-constants bv-zero-concat bv-double-negation bv-elim-bvcomp bv-eval-extend \
    bv-extract-constants bv-extract-zeroextend bv-merge-reduced-bw bv-ite-to-bvcomp bv-reflexive-nand \
    bv-simp-constants bv-to-bool bv-zeroextend-pred bv-reduce-bitwidth bv-merge-extend boolean bool-de-morgan \
    bool-double-negations bool-false-eq bool-implications bool-negate-quants bool-xor-binary bool-xor-constants \
    datatypes dt-rm-constructor dt-rm-datatype dt-rm-identity fp fp-short-sort smtlib check-sat-assuming \
    eliminate-variables inline-functions introduce-fresh-variables let-elimination let-substitution \
    remove-annotation remove-recursive-function simplify-logic simplify-quoted-symbols simplify-symbol-names strings \
    seq-nth-unit str-contains-to-concat str-index-not-found str-replace-all str-constants";
/// The version whose command line this is, and ours.
const VERSION: &str = concat!("2.0.6 (nub ", env!("CARGO_PKG_VERSION"), ")");
const USAGE: &str = "ddsmt [<options>] <infile> <outfile> <cmd> [<cmd options>]";

/// The options that nub understands.
#[derive(Parser, Clone, Debug)]
#[command(name = "ddsmt", version = VERSION, override_usage = USAGE, about = "nub with the command line of ddSMT 2",
    infer_long_args = true, max_term_width = 100, args_override_self = true)]
struct Ddsmt {
    /// The input file
    infile: PathBuf,
    /// The output file
    outfile: PathBuf,
    /// The command and its arguments
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, required = true)]
    cmd: Vec<OsString>,
    #[command(flatten)]
    options: Options,
    #[command(flatten)]
    ignored: Ignored,
}

#[derive(Args, Clone, Debug)]
struct Options {
    /// More messages
    #[arg(short, action = ArgAction::Count)]
    verbose: u8,
    /// Fewer messages
    #[arg(short, action = ArgAction::Count)]
    quiet: u8,
    /// Runs at once
    #[arg(short, long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: u16,
    /// Megabytes per run
    #[arg(long, value_name = "MB")]
    memout: Option<u64>,
    /// Seconds per run
    #[arg(long, value_name = "S", value_parser = seconds)]
    timeout: Option<Duration>,
    /// Only the exit status counts
    #[arg(long)]
    ignore_output: bool,
    /// Standard output does not matter
    #[arg(long)]
    ignore_out: bool,
    /// Standard error does not matter
    #[arg(long)]
    ignore_err: bool,
    /// Standard error must contain this text
    #[arg(long, value_name = "TEXT")]
    match_err: Option<String>,
    /// Standard output must contain this text
    #[arg(long, value_name = "TEXT")]
    match_out: Option<String>,
    /// A second command that must keep doing what it did
    #[arg(short = 'c', long, value_name = "CMD")]
    cross_check: Option<String>,
    /// As --timeout, for the second command
    #[arg(long, value_name = "S", value_parser = seconds)]
    timeout_cc: Option<Duration>,
    /// As --ignore-output, for the second command
    #[arg(long)]
    ignore_output_cc: bool,
    /// As --match-err, for the second command
    #[arg(long, value_name = "TEXT")]
    match_err_cc: Option<String>,
    /// As --match-out, for the second command
    #[arg(long, value_name = "TEXT")]
    match_out_cc: Option<String>,
    /// Only read the input and write it to the output
    #[arg(long)]
    parser_test: bool,
    /// Print what was understood
    #[arg(long)]
    dump_config: bool,
    /// Not supported: accept every change without a run
    #[arg(long)]
    unchecked: bool,
    /// As --help
    #[arg(long, action = ArgAction::Help)]
    help_all: Option<bool>,
}

#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Accepted, without effect (and --[no-]THEORY, --[no-]MUTATOR)")]
struct Ignored {
    /// nub has one strategy for all three
    #[arg(long, value_parser = ["ddmin", "hierarchical", "hybrid"])]
    strategy: Option<String>,
    /// nub keeps the form of the input
    #[arg(long)]
    pretty_print: bool,
    /// nub keeps the form of the input
    #[arg(long)]
    wrap_lines: bool,
    /// nub has other passes
    #[arg(long)]
    disable_all: bool,
    /// nub has other passes
    #[arg(long, value_parser = ["inc", "dec"])]
    replace_by_variable_mode: Option<String>,
    /// Debugging of ddSMT
    #[arg(long)]
    check_loops: bool,
    /// Debugging of ddSMT
    #[arg(long)]
    profile: bool,
    /// Debugging of ddSMT
    #[arg(long)]
    dump_diffs: bool,
}

/// The whole command line, switches included.
pub fn command() -> clap::Command {
    let switches = SWITCHES.split_whitespace().flat_map(|name| [name.to_owned(), format!("no-{name}")]);
    switches.fold(Ddsmt::command(), |command, name| {
        let switch = clap::Arg::new(name.clone()).long(name).hide(true).action(ArgAction::Count);
        command.arg(switch)
    })
}

/// Runs with the arguments of ddSMT; the first is the program's name.
pub fn run(args: &[OsString]) -> Exit {
    let parsed = command().try_get_matches_from(args).and_then(|matches| {
        let ignored = SWITCHES
            .split_whitespace()
            .any(|name| matches.get_count(name) > 0 || matches.get_count(&format!("no-{name}")) > 0);
        Ddsmt::from_arg_matches(&matches).map(|args| (args, ignored))
    });
    let (args, ignores_switches) = match parsed {
        Ok(parsed) => parsed,
        Err(error) => {
            let _ = error.print();
            return if error.use_stderr() { Exit::Usage } else { Exit::Done };
        }
    };
    start(&args, ignores_switches).unwrap_or_else(|failure| {
        eprint!("{}", crate::render::failure_text(&failure, crate::terminal::Paint::Plain));
        failure.exit
    })
}

fn start(args: &Ddsmt, ignores_switches: bool) -> Result<Exit, Failure> {
    if args.options.unchecked {
        return Err(Failure::usage(
            "--unchecked accepts every change, so the result would be the empty file",
        ));
    }
    if ignores_switches || args.ignored.is_used() {
        eprintln!("note: options for ddSMT's strategies, mutators and debugging have no effect here");
    }
    if args.options.dump_config {
        println!("{args:#?}");
    }
    if args.options.parser_test {
        let text = super::reduce::paths::read_input(&args.infile)?;
        nub_store::commit(&nub_store::RealFs, &args.outfile, &text)?;
        return Ok(Exit::Done);
    }
    Ok(match super::reduce::run(&args.to_reduce()) {
        Exit::NotReduced => {
            eprintln!("warning: unable to minimize input file");
            Exit::Done
        }
        exit => exit,
    })
}

impl Ignored {
    fn is_used(&self) -> bool {
        let flags = [self.pretty_print, self.wrap_lines, self.disable_all];
        let debug = [self.check_loops, self.profile, self.dump_diffs];
        let is_hybrid = self.strategy.as_deref().is_none_or(|name| name == "hybrid");
        flags.contains(&true)
            || debug.contains(&true)
            || !is_hybrid
            || self.replace_by_variable_mode.is_some()
    }
}

impl Ddsmt {
    fn to_reduce(&self) -> ReduceArgs {
        let options = self.options.clone();
        ReduceArgs {
            input: self.infile.clone(),
            command: self.cmd.clone(),
            oracle: OracleArgs {
                match_out: options.match_out.map(plain_text),
                match_err: options.match_err.map(plain_text),
                ignore_output: options.ignore_output,
                exact: true,
                ignore_out: options.ignore_out,
                ignore_err: options.ignore_err,
                cross_check: options.cross_check,
                cross_match_out: options.match_out_cc.map(plain_text),
                cross_match_err: options.match_err_cc.map(plain_text),
                cross_ignore_output: options.ignore_output_cc,
                timeout: options.timeout,
                cross_timeout: options.timeout_cc,
                memory: options.memout.filter(|&megabytes| megabytes > 0),
                ..OracleArgs::default()
            },
            search: SearchArgs { jobs: Some(options.jobs), ..SearchArgs::default() },
            output: OutputArgs {
                out: Some(self.outfile.clone()),
                no_header: true,
                pretty: true,
                quiet: options.quiet > options.verbose,
                verbose: options.verbose > options.quiet,
                ..OutputArgs::default()
            },
        }
    }
}

/// ddSMT knows no regular expressions: `/x/` is text there.
fn plain_text(text: String) -> String {
    let is_regex = text.len() > 2 && text.starts_with('/') && text.ends_with('/');
    if !is_regex {
        return text;
    }
    let escaped: String =
        text.chars().flat_map(|c| if c.is_ascii_punctuation() { vec!['\\', c] } else { vec![c] }).collect();
    format!("/{escaped}/")
}
