//! Options of `nub explain`.

use crate::commands::c_program::LoadArgs;
use crate::sat_solver::SatSolverArgs;
use crate::values::{TalkArgs, total_time};
use clap::Args;
use nub_jobs::explain_values::{file_line, input, kind, predicate, weight};
use nub_jobs::{CompiledReplay, ExplainJob, ExplainOutput, FailingRunOptions, JobRequest, PassingRunOptions};
use std::num::{NonZeroU64, NonZeroUsize};
use std::path::PathBuf;
use std::time::Duration;

/// What the command does, for its help.
pub const ABOUT: &str = "\
Explain why an assertion of a C program fails.

A failing run is compared with the closest passing run, the one that differs in the fewest values: inputs, \
assignments, branches, and values where paths meet. A proof shows that no passing run is closer. The differences that \
suffice to change the outcome are shown first. Both runs are replayed, in an interpreter and as compiled C, before \
anything is printed.

The exit code is 0 if a run is explained, and 1 if no property can fail or no run passes. Ctrl-C ends the search with the closest run so far.";

/// Examples, for its help.
pub const EXAMPLES: &str = "\
Examples:
  nub explain minmax.c                              the first assertion that can fail
  nub explain minmax.c --html why.html --tests d    a page, and both runs as C tests
  nub explain lock.c -f take --unwind 4             a function, with at most 4 iterations per loop
  nub explain lock.c --list                         what can be violated, by name
  nub explain lock.c --property take.bounds.1       one of them
  nub explain minmax.c --input a=1,b=0,c=1          this run instead of any failing run
  nub explain minmax.c --assume 'a < b @ 7'         only runs in which this holds at line 7
  nub explain minmax.c --trust check --json         `check` is right; for programs
  nub explain minmax.c --cause 'most < 3 @ 9'       does the failure depend on that?
  nub explain bad.c --reference good.c              how close the explanation is to the fault";

/// Options that only the report of a failure uses; they conflict with options that ask another question.
const REPORTS: [&str; 5] = ["sarif", "html", "tests", "reference", "faulty"];

/// Options of `nub explain`.
#[derive(Args, Clone, Debug)]
pub struct ExplainArgs {
    /// A C file. It is preprocessed with `cc -E` unless that was done already
    #[arg(value_name = "FILE")]
    pub input: PathBuf,
    /// Where runs start; `main` if there is one, or the only function
    #[arg(short, long, value_name = "NAME")]
    pub function: Option<String>,
    #[command(flatten)]
    pub failing: FailingArgs,
    #[command(flatten)]
    pub passing: PassingArgs,
    #[command(flatten)]
    pub output: ExplainOutputArgs,
    #[command(flatten)]
    pub load: LoadArgs,
    /// Global variables are inputs too
    #[arg(long)]
    pub globals: bool,
    /// Omit runs in which an allocation fails, even one of an impossible size; the report says so
    #[arg(long)]
    pub allocations_succeed: bool,
    /// Assume that pointer parameters never alias each other or a global variable
    #[arg(long)]
    pub no_aliases: bool,
    /// Elements of the array that a pointer parameter points to [default: 8 numbers, or one object of any other type]
    #[arg(long, value_name = "N")]
    pub elements: Option<NonZeroU64>,
    /// Stop after this time in total, with the closest run so far and bounds on the distance
    #[arg(long, value_name = "TIME", value_parser = total_time)]
    pub max_time: Option<Duration>,
    #[command(flatten)]
    pub sat: SatSolverArgs,
}

impl ExplainArgs {
    /// The request.
    pub fn request(&self) -> JobRequest {
        let args = self.clone();
        let replay = if args.output.no_native { CompiledReplay::Never } else { CompiledReplay::Possible };
        JobRequest::Explain(Box::new(ExplainJob {
            input: args.input,
            function: args.function,
            program: args.load.options(),
            failing: args.failing.options(),
            passing: args.passing.options(),
            output: ExplainOutput {
                sarif: args.output.sarif,
                html: args.output.html,
                tests: args.output.tests,
                replay,
                reference: args.output.reference,
                faulty: args.output.faulty,
            },
            globals: args.globals,
            allocations_succeed: args.allocations_succeed,
            no_aliases: args.no_aliases,
            elements: args.elements.map(NonZeroU64::get),
            max_time: args.max_time,
            sat_solver: args.sat.sat_solver,
            folder: args.output.folder,
        }))
    }
}

impl FailingArgs {
    fn options(self) -> FailingRunOptions {
        FailingRunOptions {
            unwind: self.unwind,
            property: self.property,
            kinds: self.kinds,
            line: self.line,
            error_labels: self.error_labels,
            list: self.list,
            uninitialised_inputs: self.uninitialised_inputs,
            inputs: self.inputs,
            cause: self.cause,
            shortest: self.shortest,
        }
    }
}

impl PassingArgs {
    fn options(self) -> PassingRunOptions {
        PassingRunOptions {
            assume: self.assume,
            free_antecedent: self.free_antecedent,
            trust: self.trust,
            trust_nothing: self.trust_nothing,
            weights: self.weights,
            slices: self.slices,
            one_step: self.one_step,
            no_repair: self.no_repair,
            repair_time: self.repair_time,
            closest: self.closest.get(),
            max_unwind: self.max_unwind,
        }
    }
}

/// The text itself, if it can be parsed.
pub fn checked<T, E>(text: &str, read: impl Fn(&str) -> Result<T, E>) -> Result<String, E> {
    read(text).map(|_| text.to_owned())
}

/// Options of the failing run.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "The failing run")]
pub struct FailingArgs {
    /// Unroll each loop, and each recursion, N times
    #[arg(long, value_name = "N", default_value_t = 8)]
    pub unwind: u32,
    /// Only this property; --list names them
    #[arg(long, value_name = "ID")]
    pub property: Option<String>,
    /// Only properties of these kinds: assertion, bounds, division, overflow, shift, conversion, nan, inf, precision, null, pointer,
    /// uninitialised, unreachable, unwinding. [default: assertions; if none can fail, every kind except nan, inf, precision and unwinding]
    #[arg(long = "check", value_name = "KIND", value_delimiter = ',', value_parser = |text: &str| checked(text, kind))]
    pub kinds: Vec<String>,
    /// Only properties at this line
    #[arg(long, value_name = "N")]
    pub line: Option<u32>,
    /// Reaching a label with this name is a violation
    #[arg(long = "error-label", value_name = "NAME")]
    pub error_labels: Vec<String>,
    /// List the properties, and do nothing else
    #[arg(long, conflicts_with_all = REPORTS)]
    pub list: bool,
    /// A variable that is read before it is written is an input, as in CBMC, and not a violation
    #[arg(long, conflicts_with = "tests")]
    pub uninitialised_inputs: bool,
    /// Inputs of the failing run; others are searched for. Decimal or 0x. @FILE reads a JSON object that maps names to numbers
    #[arg(long = "input", value_name = "NAME=VALUE", value_delimiter = ',', value_parser = |text: &str| checked(text, input))]
    pub inputs: Vec<String>,
    /// Only answer whether the failure depends on this C expression being true at the line
    #[arg(long, value_name = "EXPR @ [FILE:]LINE", value_parser = |text: &str| checked(text, predicate), conflicts_with_all = REPORTS)]
    pub cause: Option<String>,
    /// Choose the failing run that executes the fewest statements
    #[arg(long)]
    pub shortest: bool,
}

/// Options of the passing run and the differences.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "The passing run")]
pub struct PassingArgs {
    /// Both runs satisfy this C expression before the first statement of the line
    #[arg(long, value_name = "EXPR @ [FILE:]LINE", value_parser = |text: &str| checked(text, predicate))]
    pub assume: Vec<String>,
    /// Accept any passing run, even one that only makes the antecedent of `!a || b` false or changes the expected value
    #[arg(long)]
    pub free_antecedent: bool,
    /// Functions or files that are known to be right; their values do not count. By default the function that contains the assertion,
    /// and functions named like `reference` or `expected`
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub trust: Vec<String>,
    /// No code is trusted
    #[arg(long, conflicts_with = "trust")]
    pub trust_nothing: bool,
    /// Weight of a difference: guards=N, inputs=N, phis=N, others=N, or LINE=N. In the paper every weight is 1
    #[arg(long = "weight", value_name = "WHAT=N", value_delimiter = ',', value_parser = |text: &str| checked(text, weight))]
    pub weights: Vec<String>,
    /// List at most N choices of differences that suffice; 0 lists only the differences
    #[arg(long, value_name = "N", default_value_t = 16)]
    pub slices: usize,
    /// Choose the run for which the fewest differences suffice, not the closest run. Often worse; docs/explain.md says why
    #[arg(long)]
    pub one_step: bool,
    /// Skip fault localisation
    #[arg(long)]
    pub no_repair: bool,
    /// Stop fault localisation after this time, with what is known by then
    #[arg(long, value_name = "TIME", default_value = "20s", value_parser = total_time)]
    pub repair_time: Duration,
    /// Look for N closest runs
    #[arg(long, value_name = "N", default_value = "1")]
    pub closest: NonZeroUsize,
    /// Unroll loops up to N times while a closer run is possible
    #[arg(long, value_name = "N", default_value_t = 12)]
    pub max_unwind: u32,
}

/// What is printed and written.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Output")]
pub struct ExplainOutputArgs {
    /// Keep the request, the events and the report as JSON in this folder
    #[arg(long, value_name = "DIR")]
    pub folder: Option<PathBuf>,
    /// Print the explanation as JSON; docs/json.md describes it
    #[arg(long)]
    pub json: bool,
    /// Also write the explanation as SARIF 2.1.0, for editors and code review
    #[arg(long, value_name = "FILE")]
    pub sarif: Option<PathBuf>,
    /// Also write an HTML page: the source with the values of both runs side by side
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// Write both runs as C tests into this folder: fails.c and passes.c
    #[arg(long, value_name = "DIR")]
    pub tests: Option<PathBuf>,
    /// Also print the complete traces of both runs: their states and the values of all variables
    #[arg(long)]
    pub trace: bool,
    /// Also show differences in code that neither run executes
    #[arg(long)]
    pub unexecuted: bool,
    /// Do not compile the runs to replay them; the interpreter still replays them
    #[arg(long)]
    pub no_native: bool,
    /// A correct version of FILE; lines that differ are faulty. Reports whether the explanation names one of them, and how close it is (score of Renieris and Reiss)
    #[arg(long, value_name = "FILE")]
    pub reference: Option<PathBuf>,
    /// More faulty lines, for the score
    #[arg(long, value_name = "[FILE:]LINE", value_delimiter = ',', value_parser = |text: &str| checked(text, file_line))]
    pub faulty: Vec<String>,
    #[command(flatten)]
    pub talk: TalkArgs,
}
