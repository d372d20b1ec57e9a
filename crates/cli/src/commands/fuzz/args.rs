//! The options of `nub fuzz`.

use crate::commands::fleet::FleetArgs;
use crate::commands::generate::args::GenerateArgs;
use crate::sat_solver::SatSolverArgs;
use crate::values::{TalkArgs, run_time, total_time};
use clap::{Args, Parser, Subcommand};
use nub_jobs::{
    CampaignAction, CampaignJob, Failure, FuzzJob, GeneratedInputs, InputOptions, JobRequest, SolverOptions,
    split_words,
};
use std::num::NonZeroU64;
use std::path::PathBuf;
use std::time::Duration;

/// What `nub fuzz --help` says first.
pub const ABOUT: &str = "\
Look for bugs in solvers: crashes, failed assertions, hangs, wrong answers, invalid models.

Inputs are generated, or mutated from given files, all from one seed. Every solver gets every input; wrong answers are \
found by the status that the generator knows, by evaluating models, by the built-in solver, and by comparing solvers. An \
input on which something looks wrong is run again by itself. Findings with the same message, stack or reduced file are one group, and the first of \
each group is reduced immediately. A killed campaign can be continued with the same command.";

/// Examples below the help.
pub const EXAMPLES: &str = "\
Examples:
  nub fuzz -s z3 --max-time 600                         ten minutes, all theories
  nub fuzz -s z3 -s cvc5 --generate smt2:strings,ints   they check each other
  nub fuzz -s old=./z3-4.8.7 -s new=./z3 --mutate seeds mutants of your own files
  nub fuzz -s boolector --generate btor                 against the built-in solver
  nub fuzz status nub-campaign                          what was done and found
  nub fuzz replay nub-campaign 17 --out d               the inputs of unit 17 again
  nub fuzz export nub-campaign regressions              reduced files and a script that runs them";

/// Options of `nub fuzz`.
#[derive(Args, Clone, Debug)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub struct FuzzArgs {
    #[command(subcommand)]
    pub command: Option<FuzzCommand>,
    #[command(flatten)]
    pub run: FuzzRunArgs,
}

/// What else can be done with a campaign.
#[derive(Subcommand, Clone, Debug)]
pub enum FuzzCommand {
    /// Show what a campaign, running or not, has done and found
    Status {
        /// The campaign's folder
        #[arg(value_name = "DIR")]
        campaign: PathBuf,
        /// As one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Generate the inputs of a unit again, byte for byte, and run the solvers on them
    Replay {
        /// The campaign's folder
        #[arg(value_name = "DIR")]
        campaign: PathBuf,
        /// The unit, as in a report
        #[arg(value_name = "UNIT")]
        unit: u64,
        /// Write the inputs into this folder and run nothing
        #[arg(short, long, value_name = "DIR")]
        out: Option<PathBuf>,
    },
    /// Add the findings of another campaign with the same solvers and inputs
    Merge {
        /// The campaign to add them to
        #[arg(value_name = "DIR")]
        campaign: PathBuf,
        /// The campaign to take them from
        #[arg(value_name = "OTHER")]
        other: PathBuf,
    },
    /// Write a folder with the reduced files and a script that runs them without nub
    Export {
        /// The campaign's folder
        #[arg(value_name = "DIR")]
        campaign: PathBuf,
        /// The folder to write
        #[arg(value_name = "OUT")]
        out: PathBuf,
    },
    /// Write the campaign's index.html again
    Report {
        /// The campaign's folder
        #[arg(value_name = "DIR")]
        campaign: PathBuf,
    },
}

/// A campaign.
#[derive(Args, Clone, Debug)]
pub struct FuzzRunArgs {
    #[command(flatten)]
    pub solvers: SolverArgs,
    #[command(flatten)]
    pub inputs: InputArgs,
    #[command(flatten)]
    pub stop: StopArgs,
    #[command(flatten)]
    pub output: FuzzOutputArgs,
    #[command(flatten)]
    pub fleet: FleetArgs,
}

/// What is tested.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "What is tested")]
pub struct SolverArgs {
    /// A solver: `z3`, or with a name of your own `new=./build/z3 -st`. `{}` stands for the input; without it the input is
    /// appended. Give several and they check each other
    #[arg(long = "solver", short = 's', value_name = "[NAME=]CMD", required = true)]
    pub solvers: Vec<String>,
    /// Pass inputs on standard input, except to commands with `{}`
    #[arg(long)]
    pub stdin: bool,
    /// Do not use the built-in solver, which supports bit-vectors, arrays and functions, BTOR and DIMACS
    #[arg(long)]
    pub no_built_in: bool,
    /// Do not try options of the solvers
    #[arg(long)]
    pub no_options: bool,
    /// Options of a solver to try, instead of the built-in table: NAME=FILE, see `docs/fuzzing.md`
    #[arg(long, value_name = "NAME=FILE")]
    pub options: Vec<String>,
    /// Time that a solver may take for one input
    #[arg(long, value_name = "TIME", default_value = "5s", value_parser = run_time)]
    pub timeout: Duration,
    /// Megabytes that a solver may use
    #[arg(long, value_name = "MB", default_value_t = 2048)]
    pub memory: u64,
    #[command(flatten)]
    pub sat: SatSolverArgs,
}

/// What they are tested with.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Inputs")]
pub struct InputArgs {
    /// What to generate: a format (`smt2`, `btor`, `btor2`, `dimacs`) with options that change from seed to seed, for SMT-LIB with
    /// theories (`smt2:bv,arrays`); or the options of `nub generate` (`'--to btor -n 50 --cnf'`). Default: the first
    /// format that all solvers read
    #[arg(long, value_name = "SPEC", allow_hyphen_values = true)]
    pub generate: Vec<String>,
    /// Mutate the files of this folder and below
    #[arg(long, value_name = "DIR")]
    pub mutate: Vec<PathBuf>,
    /// Seed of the first input
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
    /// Inputs per unit: if nub is killed, unfinished units are lost; a solver that takes batches gets a whole unit in one process
    #[arg(long, value_name = "N", default_value = "20")]
    pub unit: NonZeroU64,
}

/// When to stop.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "When to stop (default: Ctrl-C)")]
pub struct StopArgs {
    /// After this time; running reductions are finished
    #[arg(long, value_name = "TIME", value_parser = total_time)]
    pub max_time: Option<Duration>,
    /// After N inputs, including those of earlier runs of the campaign
    #[arg(long, value_name = "N")]
    pub max_inputs: Option<u64>,
    /// After N groups of findings
    #[arg(long, value_name = "N")]
    pub max_groups: Option<usize>,
    /// Limit on the solver time of one reduction
    #[arg(long, value_name = "TIME", default_value = "2m", value_parser = run_time)]
    pub reduce_time: Option<Duration>,
}

/// Where results go.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Output")]
pub struct FuzzOutputArgs {
    /// The campaign's folder. An existing campaign is continued
    #[arg(
        long = "out",
        short = 'o',
        visible_alias = "campaign",
        value_name = "DIR",
        default_value = "nub-campaign"
    )]
    pub campaign: PathBuf,
    /// Number of workers [default: number of cores]
    #[arg(long, short, value_name = "N")]
    pub jobs: Option<std::num::NonZeroUsize>,
    /// Events on standard output, one JSON object per line
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub talk: TalkArgs,
}

impl FuzzRunArgs {
    /// A campaign.
    pub fn job(&self) -> Result<FuzzJob, Failure> {
        let args = self.clone();
        let generate = args.inputs.generate.into_iter().map(generated).collect::<Result<_, _>>()?;
        Ok(FuzzJob {
            solvers: SolverOptions {
                solvers: args.solvers.solvers,
                stdin: args.solvers.stdin,
                no_built_in: args.solvers.no_built_in,
                no_options: args.solvers.no_options,
                options: args.solvers.options,
                timeout: args.solvers.timeout,
                memory: args.solvers.memory,
                sat_solver: args.solvers.sat.sat_solver,
            },
            inputs: InputOptions {
                generate,
                mutate: args.inputs.mutate,
                seed: args.inputs.seed,
                unit: args.inputs.unit.get(),
            },
            max_time: args.stop.max_time,
            max_inputs: args.stop.max_inputs,
            max_groups: args.stop.max_groups,
            reduce_time: args.stop.reduce_time,
            campaign: args.output.campaign,
            jobs: args.output.jobs.map(usize::from),
            fleet: args.fleet.options(),
        })
    }
}

impl FuzzCommand {
    /// The request.
    pub fn request(&self) -> JobRequest {
        let (campaign, action) = match self.clone() {
            FuzzCommand::Status { campaign, .. } => (campaign, CampaignAction::Status),
            FuzzCommand::Replay { campaign, unit, out } => (campaign, CampaignAction::Replay { unit, out }),
            FuzzCommand::Merge { campaign, other } => (campaign, CampaignAction::Merge { other }),
            FuzzCommand::Export { campaign, out } => (campaign, CampaignAction::Export { out }),
            FuzzCommand::Report { campaign } => (campaign, CampaignAction::Report),
        };
        JobRequest::Campaign(CampaignJob { campaign, action })
    }
}

/// A string of options of `nub generate`.
#[derive(Parser)]
#[command(no_binary_name = true)]
struct GenerateWords {
    #[command(flatten)]
    args: GenerateArgs,
}

/// One `--generate`: a format, or options of `nub generate` in one string.
pub fn generated(spec: String) -> Result<GeneratedInputs, Failure> {
    if !spec.trim_start().starts_with('-') {
        return Ok(GeneratedInputs { spec, options: None });
    }
    let words = split_words(&spec).map_err(|error| Failure::usage(format!("--generate: {error}")))?;
    let parsed = GenerateWords::try_parse_from(words).map_err(|error| {
        let error = error.to_string();
        let first = error.lines().next().unwrap_or_default().trim_start_matches("error: ");
        Failure::usage(format!("--generate '{spec}': {first}"))
            .with_hint("`nub generate --help` lists the options")
    })?;
    Ok(GeneratedInputs { options: Some(Box::new(parsed.args.job())), spec })
}
