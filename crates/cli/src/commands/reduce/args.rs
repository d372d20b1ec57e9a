//! The options of `nub reduce`. Help, man page, completions and the reference are made from this table.

use crate::commands::fleet::FleetArgs;
use crate::values::{TalkArgs, choices, run_time, total_time};
use clap::Args;
use nub_jobs::{
    CompareJob, FailureOptions, FileFormat, JobRequest, ReduceJob, ReduceOutput, SearchOptions,
    Simplification, StrategyName,
};
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

/// Options of `nub reduce`.
#[derive(Args, Clone, Debug)]
pub struct ReduceArgs {
    /// The file that makes the program fail
    #[arg(value_name = "IN")]
    pub input: PathBuf,

    /// More files, for --compare-strategies
    #[arg(value_name = "MORE", hide = true)]
    pub more: Vec<PathBuf>,

    /// The program and its arguments, after `--`. `{}` stands for the file; without it the file is appended.
    /// With --test: arguments of the script
    #[arg(last = true, value_name = "CMD")]
    pub command: Vec<OsString>,

    #[command(flatten)]
    pub oracle: OracleArgs,
    #[command(flatten)]
    pub search: SearchArgs,
    #[command(flatten)]
    pub output: ReduceOutputArgs,
    #[command(flatten)]
    pub fleet: FleetArgs,
}

/// What counts as the failure.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "What counts as the failure")]
pub struct OracleArgs {
    /// Run this script instead of comparing with the first run: exit status 0 means that the failure still occurs. It runs in
    /// a fresh folder that contains the candidate under the name of IN, and gets the path as its last argument
    #[arg(long, value_name = "SCRIPT", conflicts_with_all = ["shell", "match_out", "match_err", "ignore_output",
        "ignore_out", "ignore_err", "cross_check", "hang", "slower_than", "times_slower"])]
    pub test: Option<PathBuf>,
    /// Pass the file on standard input, not as a path
    #[arg(long)]
    pub stdin: bool,
    /// CMD is one string for `sh -c`
    #[arg(long)]
    pub shell: bool,
    /// Standard output must contain this text, or match this /regex/; the rest of the output is ignored
    #[arg(long, value_name = "TEXT")]
    pub match_out: Option<String>,
    /// Standard error must contain this text, or match this /regex/; the rest of the output is ignored
    #[arg(long, value_name = "TEXT")]
    pub match_err: Option<String>,
    /// Compare only the exit status or signal
    #[arg(long)]
    pub ignore_output: bool,
    /// Ignore standard output
    #[arg(long)]
    pub ignore_out: bool,
    /// Ignore standard error
    #[arg(long)]
    pub ignore_err: bool,
    /// A second command that must behave as it did on the original; for wrong answers: `--cross-check 'cvc5 -q'`
    #[arg(long, value_name = "CMD")]
    pub cross_check: Option<String>,
    /// As --match-out, for the second command
    #[arg(long, value_name = "TEXT", requires = "cross_check")]
    pub cross_match_out: Option<String>,
    /// As --match-err, for the second command
    #[arg(long, value_name = "TEXT", requires = "cross_check")]
    pub cross_match_err: Option<String>,
    /// As --ignore-output, for the second command
    #[arg(long, requires = "cross_check")]
    pub cross_ignore_output: bool,
    /// Time limit per run [default: derived from the first run; falls as the file shrinks]
    #[arg(long, value_name = "TIME", value_parser = run_time)]
    pub timeout: Option<Duration>,
    /// As --timeout, for the second command
    #[arg(long, value_name = "TIME", value_parser = run_time, requires = "cross_check")]
    pub cross_timeout: Option<Duration>,
    /// Processor time limit per run
    #[arg(long, value_name = "TIME", value_parser = run_time)]
    pub cpu: Option<Duration>,
    /// Memory limit per run in megabytes, for all its processes together
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(u64).range(1..))]
    pub memory: Option<u64>,
    /// The failure is that CMD does not end within --timeout [default then: 5 s]; most runs get a fraction of it, and every step that
    /// counts is confirmed with the full limit
    #[arg(long)]
    pub hang: bool,
    /// The failure is that CMD takes at least this time
    #[arg(long, value_name = "TIME", value_parser = run_time, conflicts_with = "hang")]
    pub slower_than: Option<Duration>,
    /// The failure is that CMD takes at least K times as long as the command given by --than
    #[arg(long, value_name = "K", value_parser = factor, requires = "than", conflicts_with_all = ["hang", "slower_than"])]
    pub times_slower: Option<f64>,
    /// The fast command for --times-slower
    #[arg(long, value_name = "CMD", requires = "times_slower")]
    pub than: Option<String>,
    /// Outputs must be the same byte for byte, not just of the same kind
    #[arg(long)]
    pub exact: bool,
    /// Start even if the original does not fail every time; repeated runs then decide by majority
    #[arg(long)]
    pub flaky: bool,
}

/// How to search.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "How to search")]
pub struct SearchArgs {
    /// The format of IN [default: by its content]
    #[arg(long, value_parser = choices::<FileFormat>(), value_name = "FORMAT")]
    pub format: Option<FileFormat>,
    /// Which passes, in which order
    #[arg(long, ignore_case = true, value_parser = choices::<StrategyName>(), default_value = "auto", value_name = "NAME")]
    pub strategy: StrategyName,
    /// Chain strategies: `--combine sound,rules,auto`. Algorithms on graphs are repeated as long as they help:
    /// `--combine ddmin,hdd,bfs,lw,changeref+,changeref`
    #[arg(
        long,
        value_name = "NAMES",
        value_delimiter = ',',
        ignore_case = true,
        value_parser = choices::<StrategyName>(),
        hide_possible_values = true,
        conflicts_with = "strategy"
    )]
    pub combine: Vec<StrategyName>,
    /// Rewriting rules of your own, for --strategy rules; auto uses them as well (docs/rules.md)
    #[arg(long, value_name = "FILE", conflicts_with = "compare_strategies")]
    pub rules: Option<PathBuf>,
    /// Refuse rules that are not proved to preserve the meaning, and use the others only at proved widths
    #[arg(long, requires = "rules")]
    pub sound_only: bool,
    /// With algorithms on graphs: propagate constants after every change. --compare-strategies tries both; with this option it always
    /// simplifies, with `=off` never
    #[arg(long, value_parser = choices::<Simplification>(), value_name = "WHEN", num_args = 0..=1, require_equals = true,
        default_missing_value = "on")]
    pub simplify: Option<Simplification>,
    /// Run several strategies on IN and the files after it, write nothing, and print for each the asks, the size, and the
    /// percent removed per ask; answers that are already known count as asks. Names follow `=`; without names, all strategies that fit the format and the chain of graph
    /// algorithms are compared. --max-time and --max-asks apply to each strategy on each file
    #[arg(long, value_name = "NAMES", value_delimiter = ',', num_args = 0.., require_equals = true,
        ignore_case = true, value_parser = choices::<StrategyName>(), hide_possible_values = true, conflicts_with_all = ["strategy", "combine"])]
    pub compare_strategies: Option<Vec<StrategyName>>,
    /// A further file for --compare-strategies; may be repeated; files may also follow IN
    #[arg(long, value_name = "FILE", requires = "compare_strategies")]
    pub and: Vec<PathBuf>,
    /// Print the comparison as CSV
    #[arg(long, requires = "compare_strategies", conflicts_with = "json")]
    pub csv: bool,
    /// With --strategy sound: the exhaustive variant, all orders in which the rules can be applied
    #[arg(long)]
    pub recursive: bool,
    /// Stop --recursive after testing N texts; there can be exponentially many
    #[arg(long, value_name = "N", default_value_t = SearchOptions::default().max_states, requires = "recursive",
        value_parser = clap::value_parser!(u64).range(1..))]
    pub max_states: u64,
    /// Number of parallel runs [default: all cores]; it does not change the result as long as the command answers consistently
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: Option<u16>,
    /// Seed for the order of equally good changes; another seed may give another result
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
    /// Candidates may be ill-formed or ill-sorted: for failures on bad input
    #[arg(long)]
    pub any: bool,
    /// Never change commands, lines or clauses that contain this text or match this /regex/; may be repeated
    #[arg(long, value_name = "PATTERN")]
    pub keep: Vec<String>,
    /// Stop after N runs, not counting speculative runs of --jobs that were not needed
    #[arg(long, value_name = "N")]
    pub max_asks: Option<u64>,
    /// Stop after this time
    #[arg(long, value_name = "TIME", value_parser = total_time)]
    pub max_time: Option<Duration>,
}

/// What is written and shown.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "What is written and shown")]
pub struct ReduceOutputArgs {
    /// The result [default: IN with `.reduced` before its extension]
    #[arg(short, long, value_name = "OUT")]
    pub out: Option<PathBuf>,
    /// Omit the comment at the top of the result that says how to reproduce the failure
    #[arg(long)]
    pub no_header: bool,
    /// Keep conventional white space, at the cost of a few bytes
    #[arg(long)]
    pub pretty: bool,
    /// Continue the run that was interrupted, with the same input, command and options
    #[arg(long)]
    pub resume: bool,
    /// Keep every accepted step in the run folder
    #[arg(long)]
    pub history: bool,
    /// Folder for lock, journal and temporary files [default: OUT.nub]
    #[arg(long, value_name = "DIR")]
    pub run_folder: Option<PathBuf>,
    /// Do not remove the run folder at the end
    #[arg(long)]
    pub keep_run_folder: bool,
    /// Also write an HTML page: size over time and over runs, every accepted step with its changes, the result as text and graph; with
    /// --compare-strategies the curves of all strategies
    #[arg(long, value_name = "FILE", conflicts_with = "dry_run")]
    pub html: Option<PathBuf>,
    /// Events on standard output, one JSON object per line (docs/json.md)
    #[arg(long)]
    pub json: bool,
    /// Print the exact command and stop
    #[arg(long)]
    pub dry_run: bool,
    #[command(flatten)]
    pub talk: TalkArgs,
}

impl ReduceArgs {
    /// The request.
    pub fn request(&self) -> JobRequest {
        let more: Vec<PathBuf> = self.more.iter().chain(&self.search.and).cloned().collect();
        let reduction = ReduceJob {
            input: self.input.clone(),
            command: self.command.clone(),
            oracle: self.oracle.options(),
            search: self.search.options(),
            output: self.output.options(),
            fleet: self.fleet.options(),
        };
        match &self.search.compare_strategies {
            Some(strategies) => {
                JobRequest::Compare(Box::new(CompareJob { reduction, more, strategies: strategies.clone() }))
            }
            None => JobRequest::Reduce(Box::new(reduction)),
        }
    }
}

impl OracleArgs {
    /// What counts as the failure, for a request.
    pub fn options(&self) -> FailureOptions {
        let oracle = self.clone();
        FailureOptions {
            test: oracle.test,
            stdin: oracle.stdin,
            shell: oracle.shell,
            match_out: oracle.match_out,
            match_err: oracle.match_err,
            ignore_out: oracle.ignore_out || oracle.ignore_output,
            ignore_err: oracle.ignore_err || oracle.ignore_output,
            cross_check: oracle.cross_check,
            cross_match_out: oracle.cross_match_out,
            cross_match_err: oracle.cross_match_err,
            cross_ignore_output: oracle.cross_ignore_output,
            timeout: oracle.timeout,
            cross_timeout: oracle.cross_timeout,
            cpu: oracle.cpu,
            memory: oracle.memory,
            hang: oracle.hang,
            slower_than: oracle.slower_than,
            times_slower: oracle.times_slower,
            than: oracle.than,
            exact: oracle.exact,
            flaky: oracle.flaky,
        }
    }
}

impl SearchArgs {
    fn options(&self) -> SearchOptions {
        let search = self.clone();
        SearchOptions {
            format: search.format,
            strategy: search.strategy,
            combine: search.combine,
            rules: search.rules,
            sound_only: search.sound_only,
            simplify: search.simplify,
            recursive: search.recursive,
            max_states: search.max_states,
            jobs: search.jobs,
            seed: search.seed,
            any: search.any,
            keep: search.keep,
            max_asks: search.max_asks,
            max_time: search.max_time,
            mutators: None,
        }
    }
}

impl ReduceOutputArgs {
    fn options(&self) -> ReduceOutput {
        let output = self.clone();
        ReduceOutput {
            out: output.out,
            no_header: output.no_header,
            pretty: output.pretty,
            resume: output.resume,
            history: output.history,
            run_folder: output.run_folder,
            keep_run_folder: output.keep_run_folder,
            html: output.html,
            dry_run: output.dry_run,
            ..ReduceOutput::default()
        }
    }
}

#[derive(Debug, thiserror::Error)]
#[error("must be a number from 1 to 1000000")]
struct FactorError;

fn factor(text: &str) -> Result<f64, FactorError> {
    match text.parse::<f64>() {
        Ok(number) if (1.0..=1e6).contains(&number) => Ok(number),
        _ => Err(FactorError),
    }
}
