//! Requests for and about campaigns.

use super::{FailureOptions, FleetOptions, GenerateJob};
use crate::plain;
use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

/// Look for bugs in solvers.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct FuzzJob {
    /// What is tested.
    pub solvers: SolverOptions,
    /// What they are tested with.
    pub inputs: InputOptions,
    /// Stop after this time.
    #[serde(with = "plain::some_seconds")]
    pub max_time: Option<Duration>,
    /// Stop after this many inputs, including those of earlier runs of the campaign.
    pub max_inputs: Option<u64>,
    /// Stop after this many groups of findings.
    pub max_groups: Option<usize>,
    /// Limit on the solver time of one reduction.
    #[serde(with = "plain::some_seconds")]
    pub reduce_time: Option<Duration>,
    /// The campaign's folder. An existing campaign is continued.
    pub campaign: PathBuf,
    /// Number of workers; by default one per core.
    pub jobs: Option<usize>,
    /// Where units are examined.
    pub fleet: FleetOptions,
}

/// What is tested.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct SolverOptions {
    /// Solvers: `z3`, or with a name `new=./build/z3 -st`. `{}` is the input; without it the input is appended.
    pub solvers: Vec<String>,
    /// Pass inputs on standard input, except to commands with `{}`.
    pub stdin: bool,
    /// Do not use the built-in solver.
    pub no_built_in: bool,
    /// Do not try options of the solvers.
    pub no_options: bool,
    /// Options of a solver to try, instead of the built-in table: `NAME=FILE`.
    pub options: Vec<String>,
    /// Time that a solver may take for one input.
    #[serde(with = "plain::seconds")]
    pub timeout: Duration,
    /// Megabytes that a solver may use.
    pub memory: u64,
    /// Which SAT solver the built-in solver uses: `cadical`, `own`, or a command; by default CaDiCaL.
    pub sat_solver: Option<String>,
}

impl Default for SolverOptions {
    fn default() -> SolverOptions {
        SolverOptions {
            solvers: Vec::new(),
            stdin: false,
            no_built_in: false,
            no_options: false,
            options: Vec::new(),
            timeout: Duration::from_secs(5),
            memory: 2048,
            sat_solver: None,
        }
    }
}

/// What solvers are tested with.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct InputOptions {
    /// What to generate. By default, without files to mutate: the first format that all solvers read.
    pub generate: Vec<GeneratedInputs>,
    /// Mutate the files of these folders and below.
    pub mutate: Vec<PathBuf>,
    /// Seed of the first input.
    pub seed: u64,
    /// Inputs per unit.
    pub unit: u64,
}

impl Default for InputOptions {
    fn default() -> InputOptions {
        InputOptions { generate: Vec::new(), mutate: Vec::new(), seed: 0, unit: 20 }
    }
}

/// A kind of inputs to generate.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct GeneratedInputs {
    /// As it was written: a format (`smt2`, `btor`, `btor2`, `dimacs`), for SMT-LIB with theories (`smt2:bv,arrays`), or the options of
    /// `nub generate`.
    pub spec: String,
    /// The parsed options, if it is options.
    pub options: Option<Box<GenerateJob>>,
}

/// What else can be done with a campaign.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "action", rename_all = "kebab-case")]
pub enum CampaignAction {
    /// Report what it has done and found; it may be running.
    Status,
    /// Generate the inputs of a unit again, and run the solvers on them.
    Replay {
        /// The unit, as in a report.
        unit: u64,
        /// Write the inputs into this folder and run nothing.
        out: Option<PathBuf>,
    },
    /// Merge the findings of another campaign with the same solvers and inputs.
    Merge {
        /// The folder it comes from.
        other: PathBuf,
    },
    /// Write a folder with the reduced files and a script that runs them.
    Export {
        /// The folder to write.
        out: PathBuf,
    },
    /// Write the campaign's page again.
    Report,
}

/// Ask something about a campaign.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct CampaignJob {
    /// The campaign's folder.
    pub campaign: PathBuf,
    /// What to do.
    pub action: CampaignAction,
}

/// List the installed solvers; with a file and a command, check whether that oracle can be used.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct DoctorJob {
    /// The file that makes the program fail.
    pub input: Option<PathBuf>,
    /// The program and its arguments.
    #[serde(with = "plain::words")]
    pub command: Vec<OsString>,
    /// What counts as the failure.
    pub oracle: FailureOptions,
}

impl FuzzJob {
    pub(crate) fn paths_mut(&mut self, change: &mut dyn FnMut(&mut PathBuf)) {
        change(&mut self.campaign);
        self.inputs.mutate.iter_mut().chain(self.fleet.paths_mut()).for_each(change);
    }
}

impl CampaignJob {
    pub(crate) fn paths_mut(&mut self, change: &mut dyn FnMut(&mut PathBuf)) {
        change(&mut self.campaign);
        match &mut self.action {
            CampaignAction::Replay { out: Some(path), .. }
            | CampaignAction::Merge { other: path }
            | CampaignAction::Export { out: path } => change(path),
            _ => {}
        }
    }
}
