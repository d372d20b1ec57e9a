//! Requests about the coverage of all functions of a project.

use super::{CompiledReplay, FleetOptions, FunctionOptions, ProgramOptions};
use crate::plain;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::time::Duration;

/// Default time limit per function in seconds.
const FUNCTION_SECONDS: u64 = 20;

/// Find the fewest tests of every function of a project.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct ProjectJob {
    /// The folder with `compile_commands.json`, or the file itself.
    pub build: PathBuf,
    /// A command that compiles C files, instead of a folder: its words.
    pub command: Vec<String>,
    /// The options for each function. `max_time` applies to the whole project; if `function` is set, only that function is covered.
    pub function: FunctionOptions,
    /// How the files are parsed, in addition to their own commands.
    pub program: ProgramOptions,
    /// Time for each function.
    #[serde(with = "plain::seconds")]
    pub function_time: Duration,
    /// Number of functions that are covered in parallel; by default the number of cores.
    pub jobs: Option<usize>,
    /// Only files whose path contains this.
    pub only: Option<String>,
    /// Only functions whose lines have changed since this revision of git.
    pub changed_since: Option<String>,
    /// The number of functions that are covered, spread evenly over the project.
    pub sample: Option<usize>,
    /// The folder to write: results, and what is needed to continue after an interruption.
    pub out: Option<PathBuf>,
    /// Whether the tests are compiled and run.
    pub replay: CompiledReplay,
    /// Other machines that cover functions.
    pub fleet: FleetOptions,
}

impl Default for ProjectJob {
    fn default() -> ProjectJob {
        ProjectJob {
            build: PathBuf::new(),
            command: Vec::new(),
            function: FunctionOptions::default(),
            program: ProgramOptions::default(),
            function_time: Duration::from_secs(FUNCTION_SECONDS),
            jobs: None,
            only: None,
            changed_since: None,
            sample: None,
            out: None,
            replay: CompiledReplay::default(),
            fleet: FleetOptions::default(),
        }
    }
}

impl ProjectJob {
    pub(crate) fn paths_mut(&mut self, change: &mut dyn FnMut(&mut PathBuf)) {
        self.program.paths_mut(change);
        let own = std::iter::once(&mut self.build).chain(&mut self.out);
        own.chain(self.fleet.paths_mut()).for_each(change);
    }
}

/// Cover some functions of one file of a project: the task of a worker process of a [`ProjectJob`].
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct UnitJob {
    /// The file that describes the task.
    pub task: PathBuf,
}
