//! Options of `nub cover`.

use crate::commands::c_program::LoadArgs;
use crate::commands::explain::args::checked;
use crate::commands::fleet::FleetArgs;
use crate::sat_solver::SatSolverArgs;
use crate::values::{TalkArgs, choices, percent, run_time, total_time};
use clap::{Args, Subcommand};
use nub_jobs::explain_values::check_kind;
use nub_jobs::{
    CompiledReplay, CoverJob, CoverageCriterion, EncodeJob, Failure, FunctionOptions, JobRequest,
    McdcReading, ProgramOptions, ProjectJob, TestHarness,
};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What the command does, for its help.
pub const ABOUT: &str = "\
Find the fewest tests that cover a C function.

Every goal of the criterion is covered by a test, proved infeasible, or reported as beyond the bounds on loops and \
memory, or as open if the time limit was reached. The number of tests is proved minimal, or a lower bound is given. No \
test has undefined behaviour. Expected results are what was observed, which need not be right: check them.";

/// Examples, for its help.
pub const EXAMPLES: &str = "\
Examples:
  nub cover date.c -f check_date_validity              MC/DC, with decisions and conditions
  nub cover date.c -f check_date_validity -c decision  fewer tests
  nub cover date.c --mcdc masking --json               as gcc measures it; for programs
  nub cover loop.c -f gcd --unwind 4 --max-time 10     bounds on loops and time
  nub cover date.c -o tests.c -o why.md                tests in C, and a report for auditors
  nub cover date.c --tests mine.csv                    what your tests reach, and the fewest to add
  nub cover --project build -o coverage                every function of a project
  nub cover -- cc -Iinclude -c date.c                  every function of a file, compiled like this
  nub cover --project build --on nats://hub:4222       the same on other machines
  nub cover encode date.c -n 19 -o date.cnf            for a SAT solver of your own
  nub cover decode answer.txt date.cnf                 and back";

/// Options of `nub cover`.
#[derive(Args, Clone, Debug)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub struct CoverArgs {
    #[command(subcommand)]
    pub command: Option<CoverCommand>,
    #[command(flatten)]
    pub program: Option<ProgramArgs>,
    // Not inside `program`: clap does not set optional groups that are nested.
    #[command(flatten)]
    pub load: LoadArgs,
    #[command(flatten)]
    pub sat: SatSolverArgs,
    #[command(flatten)]
    pub run: CoverRunArgs,
    #[command(flatten)]
    pub project: ProjectArgs,
    #[command(flatten)]
    pub fleet: FleetArgs,
}

/// Encoding and decoding, for use with an external SAT solver.
#[derive(Subcommand, Clone, Debug)]
pub enum CoverCommand {
    /// Write clauses that are satisfiable if N tests can reach every feasible goal
    Encode(Box<EncodeArgs>),
    /// Turn the answer of a SAT solver to such clauses into tests
    Decode(DecodeArgs),
    /// Cover some functions of one file: what `nub cover --project` starts
    #[command(hide = true)]
    Unit {
        /// The file that describes the task
        task: PathBuf,
        #[command(flatten)]
        talk: TalkArgs,
    },
}

/// All functions of a project.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Projects")]
pub struct ProjectArgs {
    /// Cover every function of a project: FOLDER has the compile_commands.json that CMake or bear wrote. With --out FOLDER, a run that was
    /// interrupted continues
    #[arg(long, value_name = "FOLDER", group = "files", conflicts_with_all =
        ["input", "tests", "max_tests", "ub", "mutants", "csv", "html", "folder", "calls"])]
    pub project: Option<PathBuf>,
    /// Cover every function of the C files that COMMAND compiles, as it compiles them: nub cover -- cc -Iinclude -c a.c
    #[arg(last = true, value_name = "COMMAND", group = "files", conflicts_with_all =
        ["input", "tests", "max_tests", "ub", "mutants", "csv", "html", "folder", "calls"])]
    pub compile: Vec<String>,
    /// Time limit for each function; --max-time limits the whole project [default: 20s]
    #[arg(long, value_name = "TIME", value_parser = run_time, requires = "files")]
    pub function_time: Option<Duration>,
    /// Number of functions covered in parallel [default: number of cores]
    #[arg(short, long, value_name = "N", requires = "files")]
    pub jobs: Option<std::num::NonZeroUsize>,
    /// Only files whose path contains TEXT
    #[arg(long, value_name = "TEXT", requires = "files")]
    pub only: Option<String>,
    /// Only functions whose lines have changed since git revision REV
    #[arg(long, value_name = "REV", requires = "files")]
    pub changed_since: Option<String>,
    /// Cover only N functions, spread evenly over the project, as a sample of a large one
    #[arg(long, value_name = "N", requires = "files")]
    pub sample: Option<std::num::NonZeroUsize>,
}

/// Options of `nub cover encode`.
#[derive(Args, Clone, Debug)]
pub struct EncodeArgs {
    #[command(flatten)]
    pub program: ProgramArgs,
    #[command(flatten)]
    pub load: LoadArgs,
    #[command(flatten)]
    pub sat: SatSolverArgs,
    /// The number of tests
    #[arg(short = 'n', long, value_name = "N")]
    pub tests: usize,
    /// The file to write, in DIMACS format; comments say which literals are the bits of which input [default: the name of the C file, with
    /// `.cnf`]
    #[arg(short, long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

/// Options of `nub cover decode`.
#[derive(Args, Clone, Debug)]
pub struct DecodeArgs {
    /// What the solver printed or wrote: PicoSAT, MiniSat, CaDiCaL, Kissat and the like
    #[arg(value_name = "ANSWER")]
    pub answer: PathBuf,
    /// The file that `nub cover encode` wrote
    #[arg(value_name = "FILE.cnf")]
    pub cnf: PathBuf,
}

/// The function under test and its goals.
#[derive(Args, Clone, Debug)]
pub struct ProgramArgs {
    /// A C file. It is preprocessed with `cc -E` unless that was done already
    #[arg(value_name = "FILE")]
    pub input: Option<PathBuf>,
    /// The function under test; may be omitted if FILE has only one. In a project, only functions with this name
    #[arg(short, long, value_name = "NAME")]
    pub function: Option<String>,
    /// What the tests should reach; several criteria are separated by commas
    #[arg(short, long, value_name = "CRITERION", value_delimiter = ',', default_value = "mcdc",
        ignore_case = true, value_parser = choices::<CoverageCriterion>())]
    pub criterion: Vec<CoverageCriterion>,
    /// When a pair of tests shows that a condition decides the outcome on its own
    #[arg(long, value_name = "VARIANT", default_value = "unique-cause", value_parser = choices::<McdcReading>())]
    pub mcdc: McdcReading,
    /// For MC/DC, require only the pairs of tests that show each condition, not the outcomes of `switch` or of conditions that cannot be shown
    #[arg(long)]
    pub mcdc_pairs_only: bool,
    /// Treat `&&` and `||` as if they evaluated both operands: every condition of an executed decision has a value
    #[arg(long)]
    pub evaluate_all: bool,
    /// For every comparison of numbers, also require runs in which the left operand equals the right one, is just above it,
    /// and is just below it
    #[arg(long)]
    pub boundaries: bool,
    /// Unroll each loop N times; by default as often as it helps, up to 64
    #[arg(long, value_name = "N")]
    pub unwind: Option<u32>,
    /// Stop after this time, with the best tests so far and the bounds on their number
    #[arg(long, value_name = "TIME", value_parser = total_time)]
    pub max_time: Option<Duration>,
    /// Seed of the search; the same seed gives the same tests
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
    /// Global variables are inputs too, not only parameters
    #[arg(long)]
    pub globals: bool,
    /// Call the function up to N times in a row: tests become sequences of calls, which reach code that depends on static variables
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=16))]
    pub calls: u32,
    /// Assume that pointer parameters never alias each other or a global variable
    #[arg(long)]
    pub no_aliases: bool,
    /// Number of elements that a pointer parameter points to; by default 8, doubled up to 64 as long as that helps
    #[arg(long, value_name = "N")]
    pub elements: Option<u64>,
    /// Refuse calls of functions without a body, instead of letting tests define what they return and write
    #[arg(long)]
    pub no_stubs: bool,
}

/// A search for tests.
#[derive(Args, Clone, Debug)]
pub struct CoverRunArgs {
    /// Existing tests, as CSV or JSON: they are measured, and the fewest others are added
    #[arg(long, value_name = "FILE")]
    pub tests: Option<PathBuf>,
    /// At most N tests, chosen to reach as many goals as possible
    #[arg(short = 'n', long, value_name = "N")]
    pub max_tests: Option<usize>,
    /// Exit with 1 if less than PERCENT of the goals not proved infeasible are covered
    #[arg(long, value_name = "PERCENT", value_parser = percent)]
    pub fail_under: Option<f64>,
    /// Undefined behaviour is a goal too: each place is reached by inputs, proved infeasible, or beyond the bound
    #[arg(long)]
    pub ub: bool,
    /// These checks are goals too: nan, inf, precision (floating-point arithmetic), or a kind of undefined behaviour by its
    /// name in `nub explain --check`
    #[arg(long = "check", value_name = "KIND", value_delimiter = ',', value_parser = |text: &str| checked(text, check_kind))]
    pub checks: Vec<String>,
    /// Make up to N mutants of the function and report which ones the tests detect; as few tests as possible are added to detect the rest
    #[arg(long, value_name = "N", num_args = 0..=1, require_equals = true, default_missing_value = "20")]
    pub mutants: Option<usize>,
    /// Also write a file; its name decides the format: tests.c, .json, .csv, .md (justification), .html, CMakeLists.txt (CTest). For a project
    /// the folder to write
    #[arg(short, long, value_name = "FILE")]
    pub out: Vec<PathBuf>,
    /// What kind of C file --out writes
    #[arg(long, value_name = "KIND", default_value = "plain", value_parser = choices::<TestHarness>())]
    pub harness: TestHarness,
    /// Fail if the tests cannot be compiled and run. Without this option they are compiled and run if a C compiler and the data
    /// model allow it. Sanitizers are on: undefined behaviour or a different result is an error
    #[arg(long)]
    pub native: bool,
    /// Do not compile the tests
    #[arg(long, conflicts_with = "native")]
    pub no_native: bool,
    /// Keep the request, the events and the report as JSON in this folder
    #[arg(long, value_name = "DIR")]
    pub folder: Option<PathBuf>,
    /// Print the report as JSON
    #[arg(long)]
    pub json: bool,
    /// Print the tests as CSV
    #[arg(long, conflicts_with = "json")]
    pub csv: bool,
    /// Also write an HTML page, like --out with a name that ends in .html
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    #[command(flatten)]
    pub talk: TalkArgs,
}

impl EncodeArgs {
    /// The clauses that are asked for.
    pub fn request(&self) -> EncodeJob {
        let function = self.program.options(&self.sat);
        let out = self.out.clone().unwrap_or_else(|| function.input.with_extension("cnf"));
        EncodeJob { function, program: self.load.options(), tests: self.tests, out }
    }
}

impl ProgramArgs {
    /// The function under test, for a request.
    pub fn options(&self, sat: &SatSolverArgs) -> FunctionOptions {
        let args = self.clone();
        FunctionOptions {
            input: args.input.unwrap_or_default(),
            function: args.function,
            criterion: args.criterion,
            mcdc: args.mcdc,
            mcdc_pairs_only: args.mcdc_pairs_only,
            evaluate_all: args.evaluate_all,
            boundaries: args.boundaries,
            unwind: args.unwind,
            max_time: args.max_time,
            seed: args.seed,
            globals: args.globals,
            calls: args.calls,
            no_aliases: args.no_aliases,
            elements: args.elements,
            no_stubs: args.no_stubs,
            sat_solver: sat.sat_solver.clone(),
        }
    }
}

impl CoverArgs {
    fn replay(&self) -> CompiledReplay {
        match (self.run.native, self.run.no_native) {
            (true, _) => CompiledReplay::Required,
            (_, true) => CompiledReplay::Never,
            _ => CompiledReplay::Possible,
        }
    }

    /// A search for tests of all functions of a project.
    pub fn project_request(&self, build: &Path) -> Result<JobRequest, Failure> {
        let out = match self.run.out.as_slice() {
            [] => None,
            [folder] => Some(folder.clone()),
            _ => return Err(Failure::usage("--project writes one folder: give --out once")),
        };
        let defaults = ProjectJob::default();
        let sat_solver = self.sat.sat_solver.clone();
        let function = self.program.as_ref().map(|program| program.options(&self.sat));
        Ok(JobRequest::Project(Box::new(ProjectJob {
            build: build.to_owned(),
            command: self.project.compile.clone(),
            function: function
                .unwrap_or_else(|| FunctionOptions { sat_solver, ..FunctionOptions::default() }),
            program: self.load.options(),
            function_time: self.project.function_time.unwrap_or(defaults.function_time),
            jobs: self.project.jobs.map(usize::from),
            only: self.project.only.clone(),
            changed_since: self.project.changed_since.clone(),
            sample: self.project.sample.map(usize::from),
            out,
            replay: self.replay(),
            fleet: self.fleet.options(),
        })))
    }

    /// A search for tests.
    pub fn request(&self, program: &ProgramArgs) -> JobRequest {
        let run = self.run.clone();
        let replay = self.replay();
        JobRequest::Cover(Box::new(CoverJob {
            function: program.options(&self.sat),
            program: ProgramOptions { checks: run.checks, ..self.load.options() },
            tests: run.tests,
            max_tests: run.max_tests,
            ub: run.ub,
            mutants: run.mutants,
            out: run.out,
            html: run.html,
            harness: run.harness,
            replay,
            folder: run.folder,
        }))
    }
}
