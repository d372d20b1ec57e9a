//! The options of `nub reduce`. Help, man page, completions and the reference are made from this table.

use crate::terminal::ColorChoice;
use clap::{Args, ValueEnum};
use nub_reduce::strategies::dag::Algorithm;
use nub_reduce::strategies::{Mutators, Recursion};
use nub_smtlib::Layout;
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;
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
    pub output: OutputArgs,
}

/// What counts as the failure.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "What counts as the failure")]
pub struct OracleArgs {
    /// Ask this script instead of comparing with the first run: exit status 0 means that the failure is there. It runs in
    /// a fresh folder that holds the candidate under its own name, and gets its path as last argument
    #[arg(long, value_name = "SCRIPT", conflicts_with_all = ["shell", "match_out", "match_err", "ignore_output",
        "ignore_out", "ignore_err", "cross_check", "hang", "slower_than", "times_slower"])]
    pub test: Option<OsString>,
    /// Feed the file on standard input instead of naming it
    #[arg(long)]
    pub stdin: bool,
    /// CMD is one string for `sh -c`
    #[arg(long)]
    pub shell: bool,
    /// Standard output must contain this text, or match this /regex/; other output does not matter then
    #[arg(long, value_name = "TEXT")]
    pub match_out: Option<String>,
    /// Standard error must contain this text, or match this /regex/; other output does not matter then
    #[arg(long, value_name = "TEXT")]
    pub match_err: Option<String>,
    /// Only the exit status or signal counts
    #[arg(long)]
    pub ignore_output: bool,
    /// Standard output does not matter
    #[arg(long)]
    pub ignore_out: bool,
    /// Standard error does not matter
    #[arg(long)]
    pub ignore_err: bool,
    /// A second command that must keep doing what it did on the original; for wrong answers: `--cross-check 'cvc5 -q'`
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
    /// Seconds that one run may take [default: follows from the first run, and shrinks with the file]
    #[arg(long, value_name = "S", value_parser = seconds)]
    pub timeout: Option<Duration>,
    /// As --timeout, for the second command
    #[arg(long, value_name = "S", value_parser = seconds, requires = "cross_check")]
    pub cross_timeout: Option<Duration>,
    /// Seconds of processor time that one run may take
    #[arg(long, value_name = "S", value_parser = seconds)]
    pub cpu: Option<Duration>,
    /// Megabytes of memory that one run may take, all its processes together
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(u64).range(1..))]
    pub memory: Option<u64>,
    /// The failure is that CMD does not end within --timeout [default then: 5 s]
    #[arg(long)]
    pub hang: bool,
    /// The failure is that CMD takes at least this many seconds
    #[arg(long, value_name = "S", value_parser = seconds, conflicts_with = "hang")]
    pub slower_than: Option<Duration>,
    /// The failure is that CMD takes at least K times as long as the command given by --than
    #[arg(long, value_name = "K", value_parser = factor, requires = "than", conflicts_with_all = ["hang", "slower_than"])]
    pub times_slower: Option<f64>,
    /// The fast command for --times-slower
    #[arg(long, value_name = "CMD", requires = "times_slower")]
    pub than: Option<String>,
    /// Outputs must be the same byte by byte, not just of the same kind
    #[arg(long)]
    pub exact: bool,
    /// Start although the original does not fail every time; votes decide then
    #[arg(long)]
    pub flaky: bool,
}

/// How the input is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub enum FormatName {
    /// By its content
    #[default]
    Auto,
    /// SMT-LIB 2 and its dialects
    Smtlib,
    /// BTOR of 2008
    Btor,
    /// BTOR2
    Btor2,
    /// DIMACS: cnf, wcnf, qdimacs
    Dimacs,
    /// Lines, brackets, words, bytes
    Text,
}

/// Which passes, in which order.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub enum StrategyName {
    /// Everything that pays, big steps first
    #[default]
    Auto,
    /// As ddSMT 1: scopes, commands, terms, in rounds
    Ddsmt,
    /// Only rules that keep the meaning of the formula
    Sound,
    /// Only the rules of --rules
    Rules,
    /// On graphs (BTOR, BTOR2, SMT-LIB terms): partitions of nodes and their complements
    Ddmin,
    /// On graphs: ddmin on one level after the other
    Hdd,
    /// On graphs: hdd, then bfs while it pays
    #[value(name = "hdd+", alias = "hddplus")]
    HddPlus,
    /// On graphs: hdd while it pays
    #[value(name = "hdd*", alias = "hddstar")]
    HddStar,
    /// On graphs: every node once, from the roots
    Bfs,
    /// On graphs: whole layers
    Lw,
    /// On graphs: edges to deeper nodes, all of them
    #[value(alias = "cref")]
    Changeref,
    /// On graphs: edges to deeper nodes by binary search
    #[value(name = "changeref+", alias = "cbref")]
    ChangerefPlus,
    /// On graphs: halved partitions
    Deltabtor,
}

/// Whether the rules of constants are applied.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum SimplifyChoice {
    /// After every change
    On,
    /// Never
    Off,
}

impl SearchArgs {
    /// Whether to simplify after every change.
    pub fn simplifies(&self) -> bool {
        self.simplify == Some(SimplifyChoice::On)
    }

    /// ddSMT 1 drops declarations that are in use: it cannot be held to well-formed candidates.
    pub fn allows_anything(&self) -> bool {
        self.any || self.strategies().contains(&StrategyName::Ddsmt)
    }

    /// The strategies of the run, in order.
    pub fn strategies(&self) -> Vec<StrategyName> {
        if self.combine.is_empty() { vec![self.strategy] } else { self.combine.clone() }
    }

    /// Whether strategies are compared instead of a file reduced.
    pub fn is_comparison(&self) -> bool {
        self.compare_strategies.is_some()
    }

    /// Strategy and variants in words: what must be the same for a run to be resumed.
    pub fn strategy_words(&self) -> String {
        let combined: Vec<&str> = self.combine.iter().map(|name| name.word()).collect();
        let strategy = if combined.is_empty() { self.strategy.word().to_owned() } else { combined.join(",") };
        let variant = |is_on: bool, name: &str| if is_on { format!(" {name}") } else { String::new() };
        strategy + &variant(self.recursive, "recursive") + &variant(self.simplifies(), "simplify")
    }
}

impl StrategyName {
    /// As on the command line.
    pub fn word(self) -> &'static str {
        match self {
            StrategyName::Auto => "auto",
            StrategyName::Ddsmt => "ddsmt",
            StrategyName::Sound => "sound",
            StrategyName::Rules => "rules",
            name => name.algorithm().map_or("", Algorithm::name),
        }
    }

    /// The name of an algorithm on graphs.
    pub fn of(algorithm: Algorithm) -> Option<StrategyName> {
        StrategyName::value_variants().iter().copied().find(|name| name.algorithm() == Some(algorithm))
    }

    /// The algorithm on graphs that goes by this name.
    pub fn algorithm(self) -> Option<Algorithm> {
        Some(match self {
            StrategyName::Auto | StrategyName::Ddsmt | StrategyName::Sound | StrategyName::Rules => {
                return None;
            }
            StrategyName::Ddmin => Algorithm::Ddmin,
            StrategyName::Hdd => Algorithm::Hdd,
            StrategyName::HddPlus => Algorithm::HddPlus,
            StrategyName::HddStar => Algorithm::HddStar,
            StrategyName::Bfs => Algorithm::Bfs,
            StrategyName::Lw => Algorithm::Lw,
            StrategyName::Changeref => Algorithm::Changeref,
            StrategyName::ChangerefPlus => Algorithm::ChangerefPlus,
            StrategyName::Deltabtor => Algorithm::Deltabtor,
        })
    }
}

/// How to search.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "How to search")]
pub struct SearchArgs {
    /// How IN is read
    #[arg(long, value_enum, default_value_t, value_name = "NAME")]
    pub format: FormatName,
    /// Which passes, in which order
    #[arg(long, value_enum, default_value_t, value_name = "NAME")]
    pub strategy: StrategyName,
    /// Chain strategies: `--combine sound,rules,auto`. Algorithms on graphs run while they pay:
    /// `--combine ddmin,hdd,bfs,lw,changeref+,changeref`
    #[arg(
        long,
        value_name = "NAMES",
        value_delimiter = ',',
        hide_possible_values = true,
        conflicts_with = "strategy"
    )]
    pub combine: Vec<StrategyName>,
    /// Rewriting rules of your own, for --strategy rules; auto uses them as well (docs/rules.md)
    #[arg(long, value_name = "FILE", conflicts_with = "compare_strategies")]
    pub rules: Option<PathBuf>,
    /// Refuse rules that are not proved to keep the meaning, and use the others only at widths at which they are
    #[arg(long, requires = "rules")]
    pub sound_only: bool,
    /// With algorithms on graphs: simplify after every change, by the rules of constants. With --compare-strategies, which does
    /// both otherwise: only so, or with `=off` only without
    #[arg(long, value_enum, value_name = "WHEN", num_args = 0..=1, require_equals = true, default_missing_value = "on")]
    pub simplify: Option<SimplifyChoice>,
    /// Run several strategies on IN and the files after it, write nothing, and print how they did: asks, size, percent per ask.
    /// Names after `=`; without names all that fit the format, and the chain of the algorithms on graphs. --max-time and --max-asks
    /// hold for each strategy on each file
    #[arg(long, value_name = "NAMES", value_delimiter = ',', num_args = 0.., require_equals = true, hide_possible_values = true,
        conflicts_with_all = ["strategy", "combine"])]
    pub compare_strategies: Option<Vec<StrategyName>>,
    /// A further file for --compare-strategies; may be repeated, or stand after IN
    #[arg(long, value_name = "FILE", requires = "compare_strategies")]
    pub and: Vec<PathBuf>,
    /// The comparison as comma-separated values
    #[arg(long, requires = "compare_strategies", conflicts_with = "json")]
    pub csv: bool,
    /// With --strategy sound: the exhaustive variant, all orders in which the rules can be applied
    #[arg(long)]
    pub recursive: bool,
    /// Texts that --recursive asks for before it gives up; there can be exponentially many
    #[arg(long, value_name = "N", default_value_t = Recursion::MAX_STATES as u64, requires = "recursive",
        value_parser = clap::value_parser!(u64).range(1..))]
    pub max_states: u64,
    /// Runs at once [default: all cores]. The result does not depend on it
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: Option<u16>,
    /// Order in which changes of equal rank are tried; another seed may end in another small file
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
    /// Candidates may be ill-formed or ill-sorted: for failures on bad input
    #[arg(long)]
    pub any: bool,
    /// Never change commands, lines or clauses that contain this text or match this /regex/; may be repeated
    #[arg(long, value_name = "PATTERN")]
    pub keep: Vec<String>,
    /// Stop after this many runs, not counting those that --jobs makes ahead in vain
    #[arg(long, value_name = "N")]
    pub max_asks: Option<u64>,
    /// Stop after this many seconds
    #[arg(long, value_name = "S", value_parser = seconds)]
    pub max_time: Option<Duration>,
    /// What `nub ddsmt` chooses in the place of a strategy.
    #[arg(skip)]
    pub mutators: Option<Arc<Mutators>>,
}

/// What is written and shown.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "What is written and shown")]
pub struct OutputArgs {
    /// The result [default: IN with `.reduced` before its extension]
    #[arg(short, value_name = "OUT")]
    pub out: Option<PathBuf>,
    /// No comment at the top of the result that says how to reproduce
    #[arg(long)]
    pub no_header: bool,
    /// Keep blanks where people expect them, at the cost of a few bytes
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
    /// Events on standard output, one JSON object per line (docs/json.md)
    #[arg(long)]
    pub json: bool,
    /// Only errors and the result
    #[arg(short, long, conflicts_with = "verbose")]
    pub quiet: bool,
    /// Every accepted step and more about the oracle
    #[arg(short, long)]
    pub verbose: bool,
    /// When to use colour
    #[arg(long, value_enum, default_value_t, value_name = "WHEN")]
    pub color: ColorChoice,
    /// Print the exact command and stop
    #[arg(long)]
    pub dry_run: bool,
    /// Whose manners the output has.
    #[arg(skip)]
    pub manner: Manner,
}

/// Whose manners the output of a reduction has.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Manner {
    /// Ours: the result's path and the command on standard output; the input is never changed.
    #[default]
    Nub,
    /// ddSMT's: nothing on standard output, the result printed afresh, in the place of the input if that is asked for.
    Ddsmt {
        /// How the result is printed.
        layout: Layout,
    },
}

impl Manner {
    /// How the result is printed; as the search left it if not given.
    pub fn layout(self) -> Option<Layout> {
        match self {
            Manner::Nub => None,
            Manner::Ddsmt { layout } => Some(layout),
        }
    }

    /// Whether this is ddSMT's manner.
    pub fn is_ddsmt(self) -> bool {
        self != Manner::Nub
    }
}

/// Longest time that can be given: a week.
const MAX_SECONDS: f64 = 7.0 * 24.0 * 3600.0;

/// A positive number of seconds.
pub fn seconds(text: &str) -> Result<Duration, String> {
    let number: f64 = text.parse().map_err(|_| "not a number of seconds".to_owned())?;
    if number > 0.0 && number <= MAX_SECONDS {
        Ok(Duration::from_secs_f64(number))
    } else {
        Err("must be above 0 and at most a week".to_owned())
    }
}

fn factor(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(number) if (1.0..=1e6).contains(&number) => Ok(number),
        _ => Err("must be a number from 1 to 1000000".to_owned()),
    }
}
