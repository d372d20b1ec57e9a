//! The files of a project: preprocesses and stores them, and lists their functions.

use super::changed::LineRange;
use super::coverage::FileCoverage;
use super::database::CompileCommand;
use crate::c_program::{LoadedProgram, Preprocessed, preprocess};
use crate::failure::Failure;
use crate::handle::Job;
use crate::request::{FunctionOptions, ProgramOptions};
use crate::sanitize::sanitize;
use nub_c_ir::{Body, FunctionId};
use nub_cover::goals::Criterion;
use nub_store::{RealFs, commit};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// A file of a project.
#[derive(Clone, PartialEq, Debug)]
pub struct Unit {
    /// Its name in reports.
    pub name: String,
    /// A unique name that can be used for a file or folder.
    pub id: String,
    /// The file.
    pub file: PathBuf,
    /// How it is read.
    pub program: ProgramOptions,
    /// Its preprocessed text, in the folder of the run.
    pub text: PathBuf,
    /// The hash of this text.
    pub hash: String,
    /// Its functions that have decisions.
    pub functions: Vec<UnitFunction>,
    /// How many others it has.
    pub without_decisions: u64,
    /// Everything that can be executed in it.
    pub coverage: FileCoverage,
    /// The functions that others can call, with bodies in it.
    pub defines: Vec<String>,
    /// The functions that it declares but does not define.
    pub lacks: Vec<String>,
}

/// A function of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnitFunction {
    /// Its name.
    pub name: String,
    /// The line of its name.
    pub line: u32,
    /// Its lines.
    pub lines: LineRange,
    /// Its goals; 0 if they cannot be listed.
    pub n_goals: u64,
}

/// Preprocesses a file, stores its text, and lists its functions.
pub fn read_unit(
    job: &Job,
    command: &CompileCommand,
    names: &UnitNames,
    options: &FunctionOptions,
    texts: &Path,
) -> Result<Unit, Failure> {
    let text = preprocess(&command.file, &command.program, &job.context)?;
    let text_path = texts.join(format!("{}.i", names.id));
    commit(&RealFs, &text_path, &text)?;
    let hash = blake3::hash(&text).to_hex().to_string();
    let preprocessed = Preprocessed { text, original: None };
    let loaded = LoadedProgram::of_text(job, &command.file, &command.program, preprocessed)?;
    let (mut functions, mut without_decisions) = (Vec::new(), 0);
    let own = loaded.unit_functions();
    let lacks = loaded.program.functions.iter().filter(|function| matches!(function.body, Body::Missing));
    let lacks = lacks.map(|function| function.name.clone()).collect();
    let coverage = FileCoverage::of_functions(&loaded.program, &own);
    for id in own {
        let function = loaded.program.function(id);
        if options.function.as_ref().is_some_and(|wanted| *wanted != function.name) {
            continue;
        }
        match n_goals(&loaded, id, options) {
            Some(0) => without_decisions += 1,
            counted => functions.push(UnitFunction {
                name: function.name.clone(),
                line: function.position.line,
                lines: loaded.lines_of(id).map_or(LineRange { first: 1, last: u32::MAX }, |lines| {
                    LineRange { first: *lines.start(), last: *lines.end() }
                }),
                n_goals: counted.unwrap_or(1),
            }),
        }
    }
    Ok(Unit {
        name: names.name.clone(),
        id: names.id.clone(),
        file: command.file.clone(),
        program: command.program.clone(),
        text: text_path,
        hash,
        functions,
        without_decisions,
        coverage,
        defines: loaded.external_functions(),
        lacks,
    })
}

/// The goals of a function; none if they cannot be listed.
fn n_goals(loaded: &LoadedProgram, function: FunctionId, options: &FunctionOptions) -> Option<u64> {
    let mut n_goals = 0;
    for reading in options.readings() {
        // The number of paths depends on the unrolling.
        if reading.criterion == Criterion::Path {
            return None;
        }
        n_goals += nub_cover::goals::goals(&loaded.program, function, reading).ok()?.len() as u64;
    }
    Some(n_goals)
}

/// The names of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnitNames {
    /// In reports: its path below the deepest folder that contains all files.
    pub name: String,
    /// A unique name that can be used for a file or folder.
    pub id: String,
}

/// The names of the files of a project.
pub fn unit_names(files: &[PathBuf]) -> Vec<UnitNames> {
    let mut shared: Option<Vec<_>> = None;
    for file in files {
        let folders: Vec<_> = file.parent().unwrap_or(Path::new("")).components().collect();
        let n_shared = shared
            .as_ref()
            .map_or(folders.len(), |shared| shared.iter().zip(&folders).take_while(|(a, b)| a == b).count());
        shared = Some(folders.into_iter().take(n_shared).collect());
    }
    let n_shared = shared.map_or(0, |shared| shared.len());
    let mut known = BTreeSet::new();
    let mut names = Vec::new();
    for file in files {
        let short: PathBuf = file.components().skip(n_shared).collect();
        let name = sanitize(short.as_os_str().as_encoded_bytes());
        let plain = |c: char| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' };
        let mut id: String = name.trim_end_matches(".c").chars().map(plain).collect();
        while !known.insert(id.clone()) {
            id.push('_');
        }
        names.push(UnitNames { name, id });
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_short_and_different() {
        let names = |files: &[&str]| -> Vec<String> {
            let files: Vec<PathBuf> = files.iter().map(PathBuf::from).collect();
            unit_names(&files).into_iter().map(|names| format!("{} {}", names.name, names.id)).collect()
        };
        assert_eq!(names(&["/p/src/a.c", "/p/src/sub/b.c"]), ["a.c a", "sub/b.c sub_b"]);
        assert_eq!(names(&["/p/lib/a.c", "/p/src/a.c"]), ["lib/a.c lib_a", "src/a.c src_a"]);
        assert_eq!(names(&["/p/a.c", "/p/x/a.c", "/p/x_a.c"]), ["a.c a", "x/a.c x_a", "x_a.c x_a_"]);
        assert!(names(&[]).is_empty());
    }
}
