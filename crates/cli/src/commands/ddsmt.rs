//! `ddsmt IN OUT CMD…`: the command line of ddSMT 2, for scripts that have it.
//!
//! Runs when the program is called `ddsmt` (a link to nub is enough) or as `nub ddsmt`. Every option does what it does in
//! ddSMT 2.0.6 or is refused by name; `docs/ddsmt.md` has the differences. As there: one job by default, no header in the
//! result, nothing on standard output, candidates may be ill formed, IN and OUT may be the same file. Exit status: 0 also
//! when nothing could be reduced, 1 for what goes wrong, 2 for wrong options.
//!
//! The files: `options` (the command line), `mutators` (switches and the passes they choose), `config` (`--dump-config`).

mod config;
mod mutators;
mod options;

use super::reduce::{self, TableForm};
use crate::exit::Exit;
use crate::live::Talk;
use crate::render::failure_text;
use crate::reporter::{Form, Manner};
use crate::terminal::{ColorChoice, Paint};
use clap::FromArgMatches;
use clap::error::ErrorKind;
use mutators::switches;
use nub_jobs::{
    DdsmtScheme, DdsmtSwitches, Failure, FailureOptions, FileFormat, JobRequest, ReduceJob, ReduceOutput,
    ScriptLayout, SearchOptions,
};
use nub_smtlib::{PrintLayout, Script, print};
use options::{Ddsmt, command};
use std::ffi::OsString;

/// The version whose command line this is comes first, as there; then ours.
const VERSION: &str = concat!("2.0.6 (nub ", env!("CARGO_PKG_VERSION"), ")");

/// The command line, for the help.
pub fn run(args: &[OsString]) -> Exit {
    let matches = match command(false).try_get_matches_from(args) {
        Ok(matches) => matches,
        Err(error) => return usage(&error, args),
    };
    let parsed = Ddsmt::from_arg_matches(&matches).map_err(|error| Failure::usage(error.to_string()));
    let result = parsed.and_then(|args| start(&args, &switches(&matches)?));
    result.unwrap_or_else(|failure| {
        eprint!("{}", failure_text(&failure, Paint::Plain));
        match failure.kind.into() {
            Exit::USAGE => Exit::USAGE,
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
    if error.use_stderr() { Exit::USAGE } else { Exit::DONE }
}

fn start(args: &Ddsmt, switches: &DdsmtSwitches) -> Result<Exit, Failure> {
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
        eprint!("{}", failure_text(&Failure::usage(message).with_hint(hint), Paint::Plain));
        return Ok(Exit::NEGATIVE);
    }
    if std::fs::metadata(&args.infile).is_ok_and(|file| file.len() == 0) {
        return Ok(not_reduced());
    }
    let talk = match args.options.verbose.cmp(&args.options.quiet) {
        std::cmp::Ordering::Less => Talk::Quiet,
        std::cmp::Ordering::Equal => Talk::Normal,
        std::cmp::Ordering::Greater => Talk::Verbose,
    };
    let manner = Manner { form: Form::Silent, talk, color: ColorChoice::Auto };
    let request = JobRequest::Reduce(Box::new(args.request(switches)));
    let exit = reduce::start(request, manner, TableForm::Text, in_manner);
    Ok(if exit == Exit::NEGATIVE { not_reduced() } else { as_ddsmt(exit) })
}

/// A hint about options that ddSMT's command line lacks says whose they are.
fn in_manner(mut failure: Failure) -> Failure {
    let is_foreign =
        |hint: &String| hint.contains("--") || hint.contains("nub reduce") || hint.contains("-o");
    failure.hint = failure.hint.map(|hint| match is_foreign(&hint) {
        true => format!("`nub reduce` has options for this: {hint}"),
        false => hint,
    });
    failure
}

fn not_reduced() -> Exit {
    eprintln!("warning: unable to minimize input file");
    Exit::DONE
}

/// Whatever goes wrong is 1 there, also an interrupt; other signals end the process.
fn as_ddsmt(exit: Exit) -> Exit {
    match exit {
        Exit::Code(2..=4) => Exit::NEGATIVE,
        Exit::Signal(signal) if signal == signal_hook::consts::SIGINT => Exit::NEGATIVE,
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
    let read = std::fs::read(&args.infile)
        .map_err(|error| Failure::usage(format!("cannot read {}: {error}", args.infile.display())));
    let result = read.and_then(|text| {
        let (script, diagnostics) = Script::parse(&text);
        match diagnostics.first() {
            Some(first) => Err(Failure::from_diagnostic(&args.infile, &text, first)),
            None => Ok(print(&script, printed(layout(args)))),
        }
    });
    match result {
        Ok(text) => {
            // A broken pipe ends quietly.
            let _ = std::io::Write::write_all(&mut std::io::stdout(), &text);
            Exit::DONE
        }
        Err(failure) => {
            eprint!("{}", failure_text(&failure, Paint::Plain));
            Exit::NEGATIVE
        }
    }
}

fn layout(args: &Ddsmt) -> ScriptLayout {
    match (args.options.pretty_print, args.options.wrap_lines) {
        (true, _) => ScriptLayout::Pretty,
        (_, true) => ScriptLayout::Wrapped,
        _ => ScriptLayout::Lines,
    }
}

fn printed(layout: ScriptLayout) -> PrintLayout {
    match layout {
        ScriptLayout::Pretty => PrintLayout::Pretty,
        ScriptLayout::Wrapped => PrintLayout::Wrapped,
        ScriptLayout::Lines => PrintLayout::Lines,
    }
}

fn scheme(args: &Ddsmt) -> DdsmtScheme {
    match args.options.strategy.as_str() {
        "ddmin" => DdsmtScheme::Ddmin,
        "hierarchical" => DdsmtScheme::Hierarchical,
        _ => DdsmtScheme::Hybrid,
    }
}

impl Ddsmt {
    fn request(&self, switches: &DdsmtSwitches) -> ReduceJob {
        let checker = self.checker.clone();
        ReduceJob {
            input: self.infile.clone(),
            command: self.cmd.clone(),
            oracle: FailureOptions {
                match_out: checker.match_out.map(plain_text),
                match_err: checker.match_err.map(plain_text),
                exact: true,
                ignore_out: checker.ignore_out || checker.ignore_output,
                ignore_err: checker.ignore_err || checker.ignore_output,
                cross_check: checker.cross_check,
                cross_match_out: checker.match_out_cc.map(plain_text),
                cross_match_err: checker.match_err_cc.map(plain_text),
                cross_ignore_output: checker.ignore_output_cc,
                timeout: checker.timeout,
                cross_timeout: checker.timeout_cc,
                memory: checker.memout.filter(|&megabytes| megabytes > 0),
                ..FailureOptions::default()
            },
            search: SearchOptions {
                jobs: Some(checker.jobs),
                format: Some(FileFormat::Smt2),
                any: true,
                mutators: Some(switches.request(scheme(self))),
                ..SearchOptions::default()
            },
            output: ReduceOutput {
                out: Some(self.outfile.clone()),
                no_header: true,
                pretty: true,
                in_place: true,
                layout: Some(layout(self)),
                unchecked: checker.unchecked,
                ..ReduceOutput::default()
            },
            ..ReduceJob::default()
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
