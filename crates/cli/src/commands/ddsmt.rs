//! `ddsmt IN OUT CMD…`: the command line of ddSMT 2, for scripts that have it.
//!
//! Runs when the program is called `ddsmt` (a link to nub is enough) or as `nub ddsmt`. Every option does what it does in
//! ddSMT 2.0.6 or is refused by name; `docs/ddsmt.md` has the differences. As there: one job by default, no header in the
//! result, nothing on standard output, candidates may be ill formed, IN and OUT may be the same file. Exit status: 0 also
//! when nothing could be reduced, 1 for what goes wrong, 2 for wrong options.
//!
//! The files: `options` (the command line), `mutators` (switches and the passes they choose), `config` (`--dump-config`),
//! `unchecked` (no oracle at all).

mod config;
mod mutators;
mod options;
mod unchecked;

use super::reduce;
use super::reduce::args::{FormatName, Manner, OracleArgs, OutputArgs, ReduceArgs, SearchArgs};
use super::reduce::paths::read_input;
use crate::exit::{Exit, Failure};
use crate::render::{failure_text, from_diagnostic};
use crate::terminal::Paint;
use clap::FromArgMatches;
use clap::error::ErrorKind;
use mutators::Switches;
use nub_reduce::strategies::{Mutators, Scheme};
use nub_smtlib::{Layout, Script, print};
use options::{Ddsmt, command};
use std::ffi::OsString;
use std::sync::Arc;

/// The version whose command line this is comes first, as there; then ours.
const VERSION: &str = concat!("2.0.6 (nub ", env!("CARGO_PKG_VERSION"), ")");

/// The command line, for the help.
pub fn run(args: &[OsString]) -> Exit {
    let matches = match command(false).try_get_matches_from(args) {
        Ok(matches) => matches,
        Err(error) => return usage(&error, args),
    };
    let parsed = Ddsmt::from_arg_matches(&matches).map_err(|error| Failure::usage(error.to_string()));
    let result = parsed.and_then(|args| start(&args, &Switches::of(&matches)?));
    result.unwrap_or_else(|failure| {
        eprint!("{}", failure_text(&failure, Paint::Plain));
        match failure.exit {
            Exit::Usage => Exit::Usage,
            exit => as_ddsmt(exit),
        }
    })
}

/// Help and version, or what is wrong with the arguments.
fn usage(error: &clap::Error, args: &[OsString]) -> Exit {
    match error.kind() {
        ErrorKind::DisplayVersion => println!("{VERSION}"),
        ErrorKind::DisplayHelp if args.iter().any(|word| word.to_string_lossy().starts_with("--help-")) => {
            // A broken pipe ends quietly.
            let _ = command(true).print_help();
        }
        _ => _ = error.print(),
    }
    if error.use_stderr() { Exit::Usage } else { Exit::Done }
}

fn start(args: &Ddsmt, switches: &Switches) -> Result<Exit, Failure> {
    refuse_debugging(args)?;
    if args.options.dump_config {
        println!("{}", config::dump(args, switches));
    }
    if args.options.parser_test {
        return Ok(parser_test(args));
    }
    if args.debug.check_loops {
        eprintln!(
            "note: --check-loops: every accepted script is smaller than the one before, so none comes twice"
        );
    }
    let problem = match () {
        () if !args.infile.is_file() => {
            Some(format!("the input file {} is not a regular file", args.infile.display()))
        }
        () if args.cmd.is_empty() => Some("no command was given".to_owned()),
        () => None,
    };
    if let Some(message) = problem {
        let hint = "ddsmt [<options>] <infile> <outfile> <cmd> [<cmd options>]";
        return Err(Failure::new(Exit::NotReduced, message).with_hint(hint));
    }
    if std::fs::metadata(&args.infile).is_ok_and(|file| file.len() == 0) {
        return Ok(not_reduced());
    }
    let mutators = Mutators::new(&switches.enabled(), switches.is_all(), switches.direction, scheme(args));
    let args_of_reduce = args.to_reduce(mutators);
    let exit = match args.checker.unchecked {
        true => unchecked::run(&args_of_reduce)?,
        false => reduce::run(&args_of_reduce),
    };
    Ok(if exit == Exit::NotReduced { not_reduced() } else { as_ddsmt(exit) })
}

fn not_reduced() -> Exit {
    eprintln!("warning: unable to minimize input file");
    Exit::Done
}

/// Whatever goes wrong is 1 there, also an interrupt; other signals end the process.
fn as_ddsmt(exit: Exit) -> Exit {
    match exit {
        Exit::Usage | Exit::Refused | Exit::Environment => Exit::NotReduced,
        Exit::Signal(signal) if signal == signal_hook::consts::SIGINT => Exit::NotReduced,
        exit => exit,
    }
}

fn refuse_debugging(args: &Ddsmt) -> Result<(), Failure> {
    let refused = |option: &str, why: &str, hint: &str| {
        Err(Failure::usage(format!("{option} is not supported: {why}")).with_hint(hint))
    };
    if args.debug.profile {
        return refused(
            "--profile",
            "it profiles ddSMT's Python code",
            "omit it; `perf record` profiles nub",
        );
    }
    if args.debug.dump_diffs {
        let hint = "omit it; `nub reduce --history` keeps every accepted script";
        return refused("--dump-diffs", "nub writes no differences", hint);
    }
    Ok(())
}

/// Reads the input and prints it. ddSMT stops at a `)` too many and drops an unfinished command; both are errors here.
fn parser_test(args: &Ddsmt) -> Exit {
    let result = read_input(&args.infile).and_then(|text| {
        let (script, diagnostics) = Script::parse(&text);
        match diagnostics.first() {
            Some(first) => Err(from_diagnostic(&args.infile, &text, first)),
            None => Ok(print(&script, layout(args))),
        }
    });
    match result {
        Ok(text) => {
            // A broken pipe ends quietly.
            let _ = std::io::Write::write_all(&mut std::io::stdout(), &text);
            Exit::Done
        }
        Err(failure) => {
            eprint!("{}", failure_text(&failure, Paint::Plain));
            Exit::NotReduced
        }
    }
}

fn layout(args: &Ddsmt) -> Layout {
    match (args.options.pretty_print, args.options.wrap_lines) {
        (true, _) => Layout::Pretty,
        (_, true) => Layout::Wrapped,
        _ => Layout::Lines,
    }
}

fn scheme(args: &Ddsmt) -> Scheme {
    match args.options.strategy.as_str() {
        "ddmin" => Scheme::Ddmin,
        "hierarchical" => Scheme::Hierarchical,
        _ => Scheme::Hybrid,
    }
}

impl Ddsmt {
    fn to_reduce(&self, mutators: Mutators) -> ReduceArgs {
        let checker = self.checker.clone();
        ReduceArgs {
            input: self.infile.clone(),
            more: Vec::new(),
            command: self.cmd.clone(),
            oracle: OracleArgs {
                match_out: checker.match_out.map(plain_text),
                match_err: checker.match_err.map(plain_text),
                ignore_output: checker.ignore_output,
                exact: true,
                ignore_out: checker.ignore_out,
                ignore_err: checker.ignore_err,
                cross_check: checker.cross_check,
                cross_match_out: checker.match_out_cc.map(plain_text),
                cross_match_err: checker.match_err_cc.map(plain_text),
                cross_ignore_output: checker.ignore_output_cc,
                timeout: checker.timeout,
                cross_timeout: checker.timeout_cc,
                memory: checker.memout.filter(|&megabytes| megabytes > 0),
                ..OracleArgs::default()
            },
            search: SearchArgs {
                jobs: Some(checker.jobs),
                format: FormatName::Smtlib,
                any: true,
                mutators: Some(Arc::new(mutators)),
                ..SearchArgs::default()
            },
            output: OutputArgs {
                out: Some(self.outfile.clone()),
                no_header: true,
                pretty: true,
                quiet: self.options.quiet > self.options.verbose,
                verbose: self.options.verbose > self.options.quiet,
                manner: Manner::Ddsmt { layout: layout(self) },
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
