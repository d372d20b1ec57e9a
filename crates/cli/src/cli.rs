//! The command line: which command, with which options.

use crate::commands::{
    completions, config, convert, cover, ddsmt, demo, doctor, explain, fuzz, generate, hub, man, reduce,
    rules, schema, solve, status, workbench, worker,
};
use crate::exit::{EXIT_CODES, Exit};
use crate::guess::{TYPICAL_CALLS, unknown_word, with_command};
use crate::render::failure_text;
use crate::reporter::{print, printed, tell};
use crate::terminal::{ColorChoice, Paint};
use crate::values::with_negative_numbers;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use nub_jobs::Failure;
use std::ffi::OsString;
use std::num::IntErrorKind;
use std::path::Path;

const ABOUT: &str =
    "Find, shrink and explain failures: fuzz solvers, reduce failing files, cover and explain C functions";

#[derive(Parser)]
#[command(name = "nub", version, about = ABOUT, after_help = EXIT_CODES, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Find the smallest file that still shows the failure
    #[command(long_about = REDUCE_ABOUT, after_help = REDUCE_EXAMPLES)]
    Reduce(Box<reduce::args::ReduceArgs>),
    /// Make valid random formulas: BTOR, BTOR2, SMT-LIB, DIMACS
    #[command(long_about = GENERATE_ABOUT, after_help = GENERATE_EXAMPLES)]
    Generate(Box<generate::args::GenerateArgs>),
    /// Look for bugs in solvers: crashes, hangs, wrong answers, invalid models; group and reduce the findings
    #[command(long_about = fuzz::args::ABOUT, after_help = fuzz::args::EXAMPLES)]
    Fuzz(Box<fuzz::args::FuzzArgs>),
    /// Check rewriting rules for `reduce --rules`: syntax, sorts, and whether they preserve the meaning
    #[command(long_about = rules::ABOUT, after_help = rules::EXAMPLES)]
    Rules(rules::RulesArgs),
    /// Translate between BTOR, BTOR2 and SMT-LIB; unroll transition systems
    #[command(long_about = CONVERT_ABOUT, after_help = CONVERT_EXAMPLES)]
    Convert(convert::ConvertArgs),
    /// Answer sat, unsat or unknown for a BTOR, BTOR2, SMT-LIB or DIMACS file, with models
    #[command(long_about = SOLVE_ABOUT, after_help = SOLVE_EXAMPLES)]
    Solve(solve::SolveArgs),
    /// Find the fewest tests that cover a C function, with a proof that they are the fewest
    #[command(long_about = cover::args::ABOUT, after_help = cover::args::EXAMPLES)]
    Cover(Box<cover::args::CoverArgs>),
    /// Explain why an assertion of a C program fails, by comparison with the closest passing run
    #[command(long_about = explain::args::ABOUT, after_help = explain::args::EXAMPLES)]
    Explain(Box<explain::args::ExplainArgs>),
    /// List installed solvers; with a file and a command, check whether they make a usable oracle
    #[command(after_help = DOCTOR_EXAMPLES)]
    Doctor(Box<doctor::DoctorArgs>),
    /// Show the settings of nub.toml and which file sets each
    #[command(long_about = config::ABOUT)]
    Config(config::ConfigArgs),
    /// Find, shrink, explain and cover built-in examples: all of nub in a minute, nothing to install
    Demo(demo::DemoArgs),
    /// Show nub in the browser: open, reduce, fuzz, cover and explain
    #[command(long_about = workbench::ABOUT, after_help = workbench::EXAMPLES)]
    Workbench(workbench::WorkbenchArgs),
    /// Run registered programs for other machines
    #[command(long_about = worker::ABOUT, after_help = worker::EXAMPLES)]
    Worker(worker::WorkerArgs),
    /// Start and supervise a NATS server that workers can join
    #[command(long_about = hub::ABOUT, after_help = hub::EXAMPLES)]
    Hub(hub::HubArgs),
    /// List the workers and runs of a NATS server
    #[command(long_about = status::ABOUT, after_help = status::EXAMPLES)]
    Status(status::StatusArgs),
    /// The command line of ddSMT 2: `nub ddsmt [OPTIONS] IN OUT CMD...`; a link named `ddsmt` does the same
    #[command(disable_help_flag = true)]
    Ddsmt {
        /// Options and arguments of ddSMT; --help lists them
        #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "ARGS")]
        args: Vec<OsString>,
    },
    /// Print the JSON schema of what nub prints with --json
    #[command(after_help = "Example:\n  nub schema cover > cover.schema.json")]
    Schema {
        /// The schema to print; by default, list the names
        name: Option<String>,
    },
    /// Print a completion script for a shell
    #[command(
        after_help = "Example:\n  nub completions bash > ~/.local/share/bash-completion/completions/nub"
    )]
    Completions {
        /// Which shell
        shell: clap_complete::Shell,
    },
    /// Print the manual page in roff
    #[command(after_help = "Example:\n  nub man reduce | man -l -")]
    Man {
        /// The command [default: the whole program]
        command: Option<String>,
    },
}

const REDUCE_ABOUT: &str = "\
Find the smallest file that still shows the failure.

The command is run on the file first. What it does there is the failure: exit status or signal, and the \
messages, with addresses, times and paths masked. Then nub tries smaller and smaller files and keeps those \
on which the command does the same. The best file so far is always intact on disk.";

const REDUCE_EXAMPLES: &str = "\
Examples:
  nub reduce bug.smt2 -- z3 model_validate=true         a crash; the result is bug.reduced.smt2
  nub reduce bug.smt2 --match-err 'invalid model' -- z3 keep this message, whatever else changes
  nub reduce bug.smt2 --cross-check cvc5 -- z3          a wrong answer: z3 and cvc5 disagree
  nub reduce bug.smt2 --hang --timeout 5 -- z3          a hang
  nub reduce bug.btor --compare-strategies -- boolector how do the algorithms compare?
  nub reduce bug.smt2 --test ./interesting.sh           your own test; exit status 0: it fails";

const GENERATE_ABOUT: &str = "\
Make valid random formulas over bit-vectors and arrays.

A graph is built bottom-up: leaves, then nodes of random kinds over existing ones, each well sorted; then reads and \
reductions on top of unused nodes, and logical operators, or a CNF, that merge everything into one root. The first line \
of each file is the command that reproduces it.";

const GENERATE_EXAMPLES: &str = "\
Examples:
  nub generate                                        one BTOR file on standard output
  nub generate -n 1000 --count 500 --out d            500 files, d/0.btor to d/499.btor
  nub generate --to smt2 --count 100 | z3 -in         one stream for one solver process
  nub generate --unsat-share 50 -n 150 -- boolector   half of the files are unsatisfiable
  nub generate --status unsat --stats -- boolector    the answer is known by construction
  nub generate --to btor2 --states 5 --constraints 1  a transition system
  nub generate --to dimacs --vars 200 --clauses 4.26  random 3-SAT at its hardest";

const CONVERT_ABOUT: &str = "\
Translate between BTOR, BTOR2 and SMT-LIB.

Asserts all roots and constraints, and that some bad state holds. The result is equisatisfiable, and inputs keep their \
symbols. What the target format cannot express is refused, with the line. --unroll removes states: steps 0 to K become \
one formula, in which the input x of step 3 is x@3.";

const CONVERT_EXAMPLES: &str = "\
Examples:
  nub convert old.btor -o new.btor2                 BTOR to BTOR2; BTOR2 to BTOR works as well
  nub convert old.btor -o old.smt2                  for solvers that read SMT-LIB
  nub convert counter.btor2 --unroll 20 --to smt2 | z3 -in   a bad state within 20 steps?
  nub convert mess.btor --renumber -o tidy.btor     the same with consecutive ids and modern forms";

const SOLVE_ABOUT: &str = "\
Solve a file with the built-in solver: sat, unsat or unknown.

Formulas are quantifier-free, over bit-vectors, arrays and functions. Every `sat` has been checked: the model makes \
all assertions true in an evaluator that knows nothing of how it was found. Unsupported input is refused with its \
location, never skipped. A transition system needs --bound; `unsat` then means that no step up to the bound has a bad \
state.

The exit code is 10 for sat, 20 for unsat and 0 for unknown; for a script with several queries, the last one counts.";

const SOLVE_EXAMPLES: &str = "\
Examples:
  nub solve query.smt2                        answers the script's queries in order
  nub solve old.btor --model                  the answer and a value for every variable
  nub solve counter.btor2 --bound 20 --model  a BTOR2 witness, if a bad state is reachable
  nub generate --to dimacs --vars 200 --clauses 4.26 | nub solve - --max-time 10";

const DOCTOR_EXAMPLES: &str = "\
Examples:
  nub doctor                                which solvers are on PATH, and their versions
  nub doctor bug.smt2 -- z3                 does it fail every time, in any folder, fast enough?
  nub doctor bug.smt2 --test ./test.sh      the same for a script";

/// Runs the command given by the arguments.
pub fn run(args: Vec<OsString>) -> Exit {
    let name = args.first().and_then(|word| Path::new(word).file_name());
    if name.is_some_and(|name| name == "ddsmt") {
        return ddsmt::run(&args);
    }
    if args.len() < 2 {
        return print(TYPICAL_CALLS.as_bytes()).unwrap_or_else(|failure| fail(&failure));
    }
    let args = with_command(crate::thesis_options::modern(args), &Cli::command());
    let matches = with_negative_numbers(Cli::command()).try_get_matches_from(&args);
    let cli = match matches.and_then(|matches| Cli::from_arg_matches(&matches)) {
        Ok(cli) => cli,
        Err(error) => return usage(&error, &args),
    };
    let result = match cli.command {
        Command::Reduce(args) => Ok(reduce::run(&args)),
        Command::Generate(args) => Ok(generate::run(&args)),
        Command::Fuzz(args) => fuzz::run(&args),
        Command::Rules(args) => rules::run(&args),
        Command::Convert(args) => Ok(convert::run(&args)),
        Command::Solve(args) => Ok(solve::run(&args)),
        Command::Cover(args) => cover::run(&args),
        Command::Explain(args) => Ok(explain::run(&args)),
        Command::Doctor(args) => Ok(doctor::run(&args)),
        Command::Config(args) => config::run(&args),
        Command::Demo(args) => demo::run(&args),
        Command::Workbench(args) => workbench::run(&args),
        Command::Worker(args) => Ok(worker::run(&args)),
        Command::Hub(args) => Ok(hub::run(&args)),
        Command::Status(args) => Ok(status::run(&args)),
        Command::Ddsmt { args } => Ok(ddsmt::run(&[vec!["ddsmt".into()], args].concat())),
        Command::Schema { name } => schema::run(name.as_deref()),
        Command::Completions { shell } => completions::run(shell, Cli::command()),
        Command::Man { command } => man::run(command.as_deref(), Cli::command()),
    };
    result.unwrap_or_else(|failure: Failure| fail(&failure))
}

fn fail(failure: &Failure) -> Exit {
    tell(&failure_text(failure, Paint::for_stderr(ColorChoice::Auto)));
    failure.kind.into()
}

/// Prints help and version, or the error in the arguments.
fn usage(error: &clap::Error, args: &[OsString]) -> Exit {
    let word = error.get(ContextKind::InvalidSubcommand);
    let is_first = |word: &ContextValue| args.get(1).is_some_and(|first| word.to_string().as_str() == first);
    if word.is_some_and(is_first) && error.get(ContextKind::SuggestedSubcommand).is_none() {
        return fail(&unknown_word(Path::new(&args[1])));
    }
    if let Some(text) = with_number_words(error) {
        tell(&text);
        return Exit::USAGE;
    }
    let written = error.print();
    if !error.use_stderr() {
        return printed(written.as_ref().copied(), Exit::DONE).unwrap_or_else(|failure| fail(&failure));
    }
    let is_reduce = args.get(1).is_some_and(|word| word == "reduce");
    let has_dashes = args.iter().any(|word| word == "--");
    if is_reduce && !has_dashes && error.kind() == ErrorKind::UnknownArgument {
        tell("\nhint: the command comes after `--`, as in `nub reduce bug.smt2 -- z3 -st`\n");
    }
    Exit::USAGE
}

/// The text of an error about a number, in words for users and not for programmers; `None` for other errors.
fn with_number_words(error: &clap::Error) -> Option<String> {
    let parsing = std::error::Error::source(error)?.downcast_ref::<std::num::ParseIntError>()?;
    let words = match parsing.kind() {
        IntErrorKind::PosOverflow | IntErrorKind::NegOverflow => "the number is too large",
        _ => "a whole number is expected",
    };
    Some(error.render().to_string().replace(&parsing.to_string(), words))
}

#[cfg(test)]
#[path = "../tests/laws/mod.rs"]
mod laws;
