//! Requests for a reduction, and for a comparison of strategies.

use super::fleet::FleetOptions;
use crate::format::FileFormat;
use crate::plain;
use crate::vocabulary::{Vocabulary, vocabulary};
use nub_oracle::FileFeed;
use nub_reduce::AllowedCandidates;
use nub_reduce::strategies::Recursion;
use nub_reduce::strategies::dag::Algorithm;
use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

/// Find the smallest file that still shows the failure.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct ReduceJob {
    /// The file that makes the program fail.
    pub input: PathBuf,
    /// The program and its arguments. `{}` is the file; without it the file is appended. With a test: arguments of the script.
    #[serde(with = "plain::words")]
    pub command: Vec<OsString>,
    /// What counts as the failure.
    pub oracle: FailureOptions,
    /// How to search.
    pub search: SearchOptions,
    /// What is written.
    pub output: ReduceOutput,
    /// Where the command runs.
    pub fleet: FleetOptions,
}

/// Run several strategies on the same files, and compare them.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct CompareJob {
    /// The first file, the command, and what all strategies share. Limits apply to each strategy on each file.
    pub reduction: ReduceJob,
    /// More files.
    pub more: Vec<PathBuf>,
    /// The strategies; by default all that fit the format, and the chain of the algorithms on graphs.
    pub strategies: Vec<StrategyName>,
}

/// What counts as the failure.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct FailureOptions {
    /// Run this script instead of comparing with the first run: exit status 0 means that the failure still
    /// occurs.
    pub test: Option<PathBuf>,
    /// Pass the file on standard input, not as a path.
    pub stdin: bool,
    /// The command is one string for `sh -c`.
    pub shell: bool,
    /// Standard output must contain this text, or match this /regex/; other output is then ignored.
    pub match_out: Option<String>,
    /// Standard error must contain this text, or match this /regex/; other output is then ignored.
    pub match_err: Option<String>,
    /// Ignore standard output.
    pub ignore_out: bool,
    /// Ignore standard error.
    pub ignore_err: bool,
    /// A second command that must behave as it did on the original.
    pub cross_check: Option<String>,
    /// As `match_out`, for the second command.
    pub cross_match_out: Option<String>,
    /// As `match_err`, for the second command.
    pub cross_match_err: Option<String>,
    /// Compare only the exit status or signal of the second command.
    pub cross_ignore_output: bool,
    /// Time limit per run; by default derived from the first run.
    #[serde(with = "plain::some_seconds")]
    pub timeout: Option<Duration>,
    /// As `timeout`, for the second command.
    #[serde(with = "plain::some_seconds")]
    pub cross_timeout: Option<Duration>,
    /// Processor time that one run may take.
    #[serde(with = "plain::some_seconds")]
    pub cpu: Option<Duration>,
    /// Megabytes of memory that one run may take, all its processes together.
    pub memory: Option<u64>,
    /// The failure is that the command does not end within the time limit.
    pub hang: bool,
    /// The failure is that the command takes at least this time.
    #[serde(with = "plain::some_seconds")]
    pub slower_than: Option<Duration>,
    /// The failure is that the command takes at least this many times as long as the command `than`.
    pub times_slower: Option<f64>,
    /// The fast command for `times_slower`.
    pub than: Option<String>,
    /// Outputs must be the same byte for byte, not just of the same kind.
    pub exact: bool,
    /// Start even if the original does not always fail; several runs then vote.
    pub flaky: bool,
}

vocabulary! {
    /// Which passes, in which order.
    StrategyName {
        /// All passes that help, big steps first
        Auto: "auto",
        /// As ddSMT 1: scopes, commands, terms, in rounds; candidates may be ill-formed
        Ddsmt: "ddsmt",
        /// Only rules that preserve the meaning of the formula
        Sound: "sound",
        /// Only the rules of --rules
        Rules: "rules",
        /// On graphs (BTOR, BTOR2, SMT-LIB terms): remove partitions of nodes, or all other nodes
        Ddmin: "ddmin",
        /// On graphs: ddmin on one level after the other
        Hdd: "hdd",
        /// On graphs: hdd, then bfs as long as it helps
        HddPlus: "hdd+" | "hddplus",
        /// On graphs: hdd as long as it helps
        HddStar: "hdd*" | "hddstar",
        /// On graphs: try every node once, breadth first from the roots
        Bfs: "bfs",
        /// On graphs: remove whole layers
        Lw: "lw",
        /// On graphs: redirect edges to deeper nodes, one by one
        Changeref: "changeref" | "cref",
        /// On graphs: redirect edges to deeper nodes, by binary search
        ChangerefPlus: "changeref+" | "cbref",
        /// On graphs: remove partitions of nodes, halving them
        Deltabtor: "deltabtor",
    }
}

vocabulary! {
    /// Whether constants are propagated.
    Simplification {
        /// After every change
        On: "on",
        /// Never
        Off: "off",
    }
}

/// How to search.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct SearchOptions {
    /// The format of the input; by default it is detected from the content.
    pub format: Option<FileFormat>,
    /// Which passes, in which order.
    pub strategy: StrategyName,
    /// A chain of strategies instead of one.
    pub combine: Vec<StrategyName>,
    /// A file of rewriting rules.
    pub rules: Option<PathBuf>,
    /// Refuse rules that are not proved to preserve the meaning, and use the others only at proved widths.
    pub sound_only: bool,
    /// With algorithms on graphs: simplify after every change.
    pub simplify: Option<Simplification>,
    /// With the strategy `sound`: all orders in which the rules can be applied.
    pub recursive: bool,
    /// Maximum number of states that `recursive` asks.
    pub max_states: u64,
    /// Number of parallel runs; by default the number of cores.
    pub jobs: Option<u16>,
    /// The seed for the order in which changes of equal rank are tried.
    pub seed: u64,
    /// Candidates may be ill-formed or ill-sorted.
    pub any: bool,
    /// Never change what contains one of these texts or matches one of these /regexes/.
    pub keep: Vec<String>,
    /// Stop after this many runs.
    pub max_asks: Option<u64>,
    /// Stop after this time.
    #[serde(with = "plain::some_seconds")]
    pub max_time: Option<Duration>,
    /// The mutators of `nub ddsmt`, instead of a strategy.
    pub mutators: Option<DdsmtMutators>,
}

impl Default for SearchOptions {
    fn default() -> SearchOptions {
        SearchOptions {
            format: None,
            strategy: StrategyName::Auto,
            combine: Vec::new(),
            rules: None,
            sound_only: false,
            simplify: None,
            recursive: false,
            max_states: Recursion::MAX_STATES as u64,
            jobs: None,
            seed: 0,
            any: false,
            keep: Vec::new(),
            max_asks: None,
            max_time: None,
            mutators: None,
        }
    }
}

vocabulary! {
    /// How ddSMT 2 tries the changes of its mutators.
    DdsmtScheme {
        /// In groups, one mutator after the other
        Ddmin: "ddmin",
        /// One by one, from the largest terms to the smallest
        Hierarchical: "hierarchical",
        /// All that nub can do
        Hybrid: "hybrid",
    }
}

vocabulary! {
    /// Which variables replace others.
    VariableOrder {
        /// Those with larger names
        Increasing: "inc",
        /// Those with smaller names
        Decreasing: "dec",
    }
}

/// The mutators of ddSMT 2 that are enabled, and how they are tried.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct DdsmtMutators {
    /// Their names.
    pub enabled: Vec<String>,
    /// Nothing was disabled.
    pub is_all: bool,
    /// Which variables replace others, if given.
    pub order: Option<VariableOrder>,
    /// How changes are tried.
    pub scheme: DdsmtScheme,
}

vocabulary! {
    /// How an SMT-LIB script is printed at the end.
    ScriptLayout {
        /// A command per line
        Lines: "lines",
        /// Broken after 78 columns
        Wrapped: "wrapped",
        /// A part per line
        Pretty: "pretty",
    }
}

/// What is written.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct ReduceOutput {
    /// The result; by default the input's name with `.reduced` before its extension.
    pub out: Option<PathBuf>,
    /// No comment at the top of the result that says how to reproduce.
    pub no_header: bool,
    /// Keep conventional white space, at the cost of a few bytes.
    pub pretty: bool,
    /// Continue the run that was interrupted.
    pub resume: bool,
    /// Keep every accepted step in the run folder.
    pub history: bool,
    /// Folder for lock, journal and temporary files; by default `OUT.nub`.
    pub run_folder: Option<PathBuf>,
    /// Do not remove the run folder at the end.
    pub keep_run_folder: bool,
    /// Also write a page: size over time and over runs, every accepted step, the result as text and graph.
    pub html: Option<PathBuf>,
    /// The result may replace the input, as in ddSMT.
    pub in_place: bool,
    /// Print the result in a new layout, as ddSMT does.
    pub layout: Option<ScriptLayout>,
    /// Run nothing: every candidate counts as failing.
    pub unchecked: bool,
    /// List the commands that would be run, and do nothing else.
    pub dry_run: bool,
}

impl FailureOptions {
    /// How the commands get the file.
    pub(crate) fn feed(&self) -> FileFeed {
        if self.stdin { FileFeed::Stdin } else { FileFeed::Path }
    }
}

impl SearchOptions {
    /// Whether to simplify after every change.
    pub fn simplifies(&self) -> bool {
        self.simplify == Some(Simplification::On)
    }

    /// Which candidates every strategy may ask; see also [`StrategyName::allowed_candidates`].
    pub(crate) fn allowed_candidates(&self) -> AllowedCandidates {
        if self.any { AllowedCandidates::Any } else { AllowedCandidates::WellFormed }
    }

    /// The strategies of the run, in order.
    pub fn strategies(&self) -> Vec<StrategyName> {
        if self.combine.is_empty() { vec![self.strategy] } else { self.combine.clone() }
    }

    /// Strategy and variants as text, which must be the same for a run to be resumed.
    pub(crate) fn strategy_words(&self) -> String {
        let strategy: Vec<&str> = self.strategies().into_iter().map(Vocabulary::word).collect();
        let variant = |is_on: bool, name: &str| if is_on { format!(" {name}") } else { String::new() };
        strategy.join(",") + &variant(self.recursive, "recursive") + &variant(self.simplifies(), "simplify")
    }
}

impl StrategyName {
    /// ddSMT 1 drops declarations that are in use, so its candidates may be ill-formed.
    pub(crate) fn allowed_candidates(self) -> AllowedCandidates {
        if self == StrategyName::Ddsmt { AllowedCandidates::Any } else { AllowedCandidates::WellFormed }
    }

    /// The name of an algorithm on graphs.
    pub(crate) fn of(algorithm: Algorithm) -> Option<StrategyName> {
        StrategyName::WORDS.iter().map(|word| word.value).find(|name| name.algorithm() == Some(algorithm))
    }

    /// The algorithm on graphs with this name.
    pub(crate) fn algorithm(self) -> Option<Algorithm> {
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

impl ReduceJob {
    pub(crate) fn paths_mut(&mut self, change: &mut dyn FnMut(&mut PathBuf)) {
        change(&mut self.input);
        // A script without a slash is searched for on `PATH`, as in a shell.
        let script = self.oracle.test.as_mut().filter(|path| path.components().count() > 1);
        let optional = [
            &mut self.search.rules,
            &mut self.output.out,
            &mut self.output.run_folder,
            &mut self.output.html,
        ];
        let fleet = self.fleet.paths_mut();
        script.into_iter().chain(optional.into_iter().flatten()).chain(fleet).for_each(change);
    }
}
