//! What the user asked for, as plain data. The command line fills it.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use crate::{FileFeed, Pattern};

/// A command the user gave. `{}`, also inside a word, stands for the candidate's path.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Invocation {
    /// A program and its arguments; no shell. Without any `{}` the path is appended. Must not be empty.
    Words(Vec<OsString>),
    /// One string for `sh -c`; `{}` becomes the quoted path, appended if missing.
    Shell(OsString),
}

impl<S: Into<OsString>, const N: usize> From<[S; N]> for Invocation {
    fn from(words: [S; N]) -> Invocation {
        Invocation::Words(words.into_iter().map(Into::into).collect())
    }
}

/// How an oracle reports that the failure is still present.
#[derive(Clone, Debug)]
pub enum Convention {
    /// The convention of ddSMT: the command behaves on the candidate as it did on the original. Runs in the
    /// user's folder.
    Golden {
        /// The solver.
        command: Invocation,
    },
    /// The convention of C-Reduce: the script exits with 0. Runs in a fresh folder that contains only the
    /// candidate.
    Script {
        /// The script; relative to the user's folder, or on `PATH` if without a slash.
        path: OsString,
        /// Its arguments before the candidate's path; `{}` works here too.
        args: Vec<OsString>,
    },
}

/// Which parts of a golden run must stay the same, besides exit status or signal.
///
/// If a pattern is given, only patterns are compared; otherwise the class of each stream that is not ignored.
#[derive(Clone, Debug, Default)]
pub struct Expect {
    /// Standard output must contain this.
    pub match_out: Option<Pattern>,
    /// Standard error must contain this.
    pub match_err: Option<Pattern>,
    /// Standard output may be anything.
    pub ignore_out: bool,
    /// Standard error may be anything.
    pub ignore_err: bool,
    /// Streams are compared byte by byte, as ddSMT does, not by their class.
    pub exact: bool,
}

impl Expect {
    /// Only the exit status is compared (`--ignore-output`).
    #[must_use]
    pub fn status_only() -> Expect {
        Expect { ignore_out: true, ignore_err: true, ..Expect::default() }
    }

    /// Whether the user gave no such option.
    #[must_use]
    pub fn is_default(&self) -> bool {
        self.match_out.is_none() && self.match_err.is_none() && !self.ignore_out && !self.ignore_err
    }
}

/// A second command that must keep its own golden outcome.
#[derive(Clone, Debug)]
pub struct CrossCheck {
    /// The other solver; runs only if the first command failed in the same way.
    pub command: Invocation,
    /// Which parts of its outcome must stay the same.
    pub expect: Expect,
    /// Its time limit.
    pub time: TimeLimit,
}

/// How long one run may take.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum TimeLimit {
    /// Derived from the golden run; shrinks as accepted runs get shorter.
    #[default]
    Auto,
    /// Exactly this.
    Fixed(Duration),
}

/// The failure is that the command is slow.
#[derive(Clone, Debug)]
pub enum Slow {
    /// Takes at least this long.
    AtLeast(Duration),
    /// Takes at least `factor` times as long as another command on the same file.
    TimesAsLongAs {
        /// How many times; at least 1.
        factor: f64,
        /// The fast one.
        other: Invocation,
    },
}

/// What to do about a flaky oracle.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum FlakyPolicy {
    /// Refuse to start when runs on the original disagree.
    #[default]
    Refuse,
    /// Start anyway (`--flaky`); the original must fail in at least one of seven runs.
    Allow,
}

/// Where the programs of an oracle are.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ProgramPlace {
    /// On this machine: they are looked for before anything runs.
    #[default]
    Here,
    /// Wherever the runner runs them: a program is a name that the runner knows.
    Elsewhere,
}

/// Everything that decides a verdict, and where runs happen.
#[derive(Clone, Debug)]
pub struct OracleConfig {
    /// Golden or script.
    pub convention: Convention,
    /// Pass the candidate on standard input; then no path is appended.
    pub stdin: bool,
    /// Which parts of the golden outcome must stay the same. Unused for scripts.
    pub expect: Expect,
    /// A second command with its own golden outcome. Unused for scripts.
    pub cross_check: Option<CrossCheck>,
    /// Time limit of one run.
    pub time: TimeLimit,
    /// Processor time of one run.
    pub cpu: Option<Duration>,
    /// Resident bytes of one run, all its processes together.
    pub memory: Option<u64>,
    /// Limit on the bytes of each stream.
    pub output: Option<u64>,
    /// The failure is that the command does not end within the limit. Golden only.
    pub hang: bool,
    /// The failure is that the command is slow. Golden only.
    pub slow: Option<Slow>,
    /// What to do when the original does not always fail.
    pub flaky: FlakyPolicy,
    /// How many runs may be in progress at once while the oracle is created. Affects only how long that
    /// takes.
    pub at_once: usize,
    /// The original's file name: candidates have it too. A plain name, no slashes.
    pub keep_name: String,
    /// Variables set for every run, on top of our own environment.
    pub env: Vec<(OsString, OsString)>,
    /// Variables of our own environment that may change an outcome; only [`crate::RealOracle::key`] reads them.
    pub key_env: Vec<(OsString, OsString)>,
    /// The value of `PATH`.
    pub search_path: OsString,
    /// Where the programs are.
    pub programs: ProgramPlace,
    /// The user's folder: golden runs happen here, relative programs are looked up here. Absolute.
    pub folder: PathBuf,
    /// An existing private folder for candidates, used by this oracle alone. Absolute.
    pub temp: PathBuf,
}

impl OracleConfig {
    /// A config with defaults for everything but the convention and the folders.
    #[must_use]
    pub fn new(
        convention: Convention,
        folder: PathBuf,
        temp: PathBuf,
        search_path: OsString,
    ) -> OracleConfig {
        OracleConfig {
            convention,
            stdin: false,
            expect: Expect::default(),
            cross_check: None,
            time: TimeLimit::Auto,
            cpu: None,
            memory: None,
            output: Some(1 << 30),
            hang: false,
            slow: None,
            flaky: FlakyPolicy::Refuse,
            at_once: 1,
            keep_name: "input.smt2".to_owned(),
            env: Vec::new(),
            key_env: Vec::new(),
            search_path,
            programs: ProgramPlace::Here,
            folder,
            temp,
        }
    }

    /// How the commands get the candidate.
    #[must_use]
    pub fn feed(&self) -> FileFeed {
        if self.stdin { FileFeed::Stdin } else { FileFeed::Path }
    }
}
