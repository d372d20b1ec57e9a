//! Turns the user's request into the options of the workbench: folders, files, and the programs that the page
//! may run.

use crate::examples::{CRASH_PROGRAM, CRASH_SCRIPT};
use crate::options::{DEFECTIVE, RegisteredProgram, WorkbenchOptions};
use nub_jobs::{Failure, Settings, split_words};
use nub_store::{RealFs, commit, create_folder};
use std::path::{Path, PathBuf};

/// Solvers that are registered by their own names if they are installed.
const SOLVERS: [&str; 5] = ["z3", "cvc5", "bitwuzla", "boolector", "yices-smt2"];

/// What the user asks for.
#[derive(Clone, Debug, Default)]
pub struct WorkbenchRequest {
    /// Files to open and folders to look into; without any, the current folder.
    pub paths: Vec<PathBuf>,
    /// Programs that the page may run, as `NAME=COMMAND`.
    pub programs: Vec<String>,
    /// Port of the loopback interface; 0 is any free one.
    pub port: u16,
    /// The folder for jobs, pasted files and examples; without it, `.nub-workbench` in the first folder.
    pub state: Option<PathBuf>,
    /// The executable of nub, which examples run.
    pub nub: PathBuf,
}

impl WorkbenchRequest {
    /// The options: paths are found, programs split into words, and the folder for jobs is created.
    ///
    /// # Errors
    /// If a path or a program is wrong, or the folder cannot be created.
    pub fn options(self, settings: &Settings) -> Result<WorkbenchOptions, Failure> {
        let (folders, files) = folders_and_files(&self.paths)?;
        let state = self.state.unwrap_or_else(|| folders[0].join(".nub-workbench"));
        create_folder(&RealFs, &state)?;
        let mut programs =
            self.programs.iter().map(|text| registered(text)).collect::<Result<Vec<_>, _>>()?;
        programs.extend(of_settings(settings)?);
        programs
            .extend(SOLVERS.into_iter().filter(|name| is_installed(name)).map(|name| plain(name, &[name])));
        programs.extend(example_programs(&state, &self.nub)?);
        let state = absolute(&state);
        Ok(WorkbenchOptions { folders, files, state, programs, port: self.port, nub: self.nub })
    }
}

/// The given folders, and the folders of the given files.
fn folders_and_files(paths: &[PathBuf]) -> Result<(Vec<PathBuf>, Vec<PathBuf>), Failure> {
    let (mut folders, mut files) = (Vec::new(), Vec::new());
    for path in paths {
        let found = path.canonicalize();
        let path =
            found.map_err(|error| Failure::usage(format!("cannot open {}: {error}", path.display())))?;
        if path.is_dir() {
            folders.push(path);
        } else {
            folders.extend(path.parent().map(Path::to_owned));
            files.push(path);
        }
    }
    if folders.is_empty() {
        folders.push(absolute(Path::new(".")));
    }
    Ok((folders, files))
}

fn absolute(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

/// `NAME=COMMAND`, split as a shell would. A program with a slash is relative to the current folder, wherever
/// it runs.
fn registered(text: &str) -> Result<RegisteredProgram, Failure> {
    let wrong = |why: &str| {
        Failure::usage(format!("--program {text}: {why}")).with_hint("--program NAME='COMMAND ARGUMENTS'")
    };
    let (name, command) = text.split_once('=').ok_or_else(|| wrong("there is no `=`"))?;
    let mut command = split_words(command).map_err(|error| wrong(&error.to_string()))?;
    let first =
        command.first_mut().filter(|_| !name.is_empty()).ok_or_else(|| wrong("name or command is empty"))?;
    if first.to_string_lossy().contains('/') {
        *first = absolute(Path::new(&*first)).into_os_string();
    }
    Ok(RegisteredProgram { name: name.to_owned(), command })
}

/// Programs of `nub.toml`.
fn of_settings(settings: &Settings) -> Result<Vec<RegisteredProgram>, Failure> {
    let programs =
        settings.iter().filter_map(|(key, setting)| Some((key.strip_prefix("programs.")?, setting)));
    programs.map(|(name, setting)| registered(&format!("{name}={}", setting.value))).collect()
}

fn is_installed(name: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(name).is_file())
}

fn plain(name: &str, words: &[&str]) -> RegisteredProgram {
    RegisteredProgram { name: name.to_owned(), command: words.iter().map(Into::into).collect() }
}

/// The solvers of the examples: one that crashes, and one with a wrong rule.
fn example_programs(state: &Path, nub: &Path) -> Result<[RegisteredProgram; 2], Failure> {
    let script = state.join("crash.sh");
    commit(&RealFs, &script, CRASH_SCRIPT.as_bytes())?;
    let script = absolute(&script).to_string_lossy().into_owned();
    let nub = nub.to_string_lossy();
    Ok([plain(CRASH_PROGRAM, &["sh", &script]), plain(DEFECTIVE, &[&nub, "solve", "--planted-defect"])])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_have_names() {
        let program = registered("new=z3 -st 'a b'").unwrap();
        assert_eq!((program.name.as_str(), program.command.len()), ("new", 3));
        for wrong in ["z3", "=z3", "a=", "a='"] {
            assert!(registered(wrong).is_err(), "{wrong}");
        }
    }
}
