//! The environment of a job: a folder, environment variables, a way to run programs.

use crate::failure::Failure;
use crate::fleet::NATS_VARIABLES;
use crate::settings::Settings;
use nub_process::Runner;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

/// Variables that change what solvers and scripts do.
const KEY_VARIABLES: [&str; 7] =
    ["PATH", "HOME", "LANG", "LC_ALL", "LD_LIBRARY_PATH", "LD_PRELOAD", "ASAN_OPTIONS"];

/// Whether `-` may name standard input.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum StandardInput {
    /// It must not be read.
    #[default]
    Refused,
    /// The job may read it.
    Allowed,
}

/// Where and with what jobs run. Clones share the runner.
#[derive(Clone)]
pub struct JobContext {
    /// The folder that relative paths of a request start at, and that commands run in.
    pub folder: PathBuf,
    /// Where programs are looked for, as in `PATH`.
    pub search_path: OsString,
    /// Variables of the environment that change what programs do, for the identity of a run.
    pub key_variables: Vec<(OsString, OsString)>,
    /// Environment variables with the NATS server and how to log in to it.
    pub nats_variables: Vec<(&'static str, String)>,
    /// For temporary files.
    pub temp: PathBuf,
    /// The `nub` program, which is the built-in solver of a campaign.
    pub program: PathBuf,
    /// Whether `-` may name standard input.
    pub stdin: StandardInput,
    /// What the user typed to start the job, for its report and its folder; empty if nothing was typed.
    pub command_line: String,
    /// What the configuration files say.
    pub settings: Settings,
    runner: Arc<OnceLock<Arc<Runner>>>,
}

/// Where the user's configuration is: `$XDG_CONFIG_HOME/nub`, or `~/.config/nub`.
fn user_folder() -> Option<PathBuf> {
    let given = std::env::var_os("XDG_CONFIG_HOME").map(PathBuf::from).filter(|path| path.is_absolute());
    let usual = || std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".config"));
    given.or_else(usual).map(|folder| folder.join("nub"))
}

impl JobContext {
    /// The folder and the environment of this process.
    ///
    /// # Errors
    /// If the current folder does not exist, or a configuration file is invalid.
    pub fn of_process() -> Result<JobContext, Failure> {
        let folder = std::env::current_dir()
            .map_err(|error| Failure::environment(format!("cannot determine the current folder: {error}")))?;
        JobContext::in_folder(folder)
    }

    /// Another folder, with its configuration, and the environment of this process.
    ///
    /// # Errors
    /// If a configuration file is invalid.
    pub fn in_folder(folder: PathBuf) -> Result<JobContext, Failure> {
        let variable = |name: &str| Some((OsString::from(name), std::env::var_os(name)?));
        let settings = Settings::find(&folder, user_folder().as_deref())?;
        Ok(JobContext {
            folder,
            settings,
            search_path: std::env::var_os("PATH").unwrap_or_else(|| "/usr/bin:/bin".into()),
            key_variables: KEY_VARIABLES.into_iter().filter_map(variable).collect(),
            nats_variables: NATS_VARIABLES
                .into_iter()
                .filter_map(|name| Some((name, std::env::var(name).ok()?)))
                .collect(),
            temp: std::env::temp_dir(),
            // Without its own path, nub cannot start the built-in solver; the campaign reports that.
            program: std::env::current_exe().unwrap_or_default(),
            stdin: StandardInput::default(),
            command_line: String::new(),
            runner: Arc::default(),
        })
    }

    /// The same with another runner of programs.
    #[must_use]
    pub fn with_runner(self, runner: Arc<Runner>) -> JobContext {
        let cell = OnceLock::new();
        // A new cell is empty.
        let _ = cell.set(runner);
        JobContext { runner: Arc::new(cell), ..self }
    }

    /// The same, and `-` names standard input.
    #[must_use]
    pub fn with_stdin(self) -> JobContext {
        JobContext { stdin: StandardInput::Allowed, ..self }
    }

    /// The same, and reports say that this was typed.
    #[must_use]
    pub fn with_command_line(self, command_line: String) -> JobContext {
        JobContext { command_line, ..self }
    }

    /// What starts programs.
    pub(crate) fn runner(&self) -> Result<Arc<Runner>, Failure> {
        if let Some(runner) = self.runner.get() {
            return Ok(Arc::clone(runner));
        }
        let runner = Runner::new()
            .map_err(|error| Failure::environment(format!("cannot run programs here: {error}")))?;
        Ok(Arc::clone(self.runner.get_or_init(|| Arc::new(runner))))
    }

    /// Whether the folder is the current folder of this process.
    pub(crate) fn is_here(&self) -> bool {
        std::env::current_dir().is_ok_and(|here| here == self.folder)
    }

    /// Makes a path absolute, starting at the folder.
    pub(crate) fn rebase(&self, path: &mut PathBuf) {
        if path.as_path() != Path::new("-") && path.is_relative() {
            *path = self.folder.join(&*path);
        }
    }
}
