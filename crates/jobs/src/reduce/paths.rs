//! Which files a reduction reads and writes.

use crate::failure::Failure;
use crate::handle::Job;
use crate::input::read;
use crate::request::ReduceJob;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// The files of one reduction.
pub struct Paths {
    /// The result.
    pub out: PathBuf,
    /// Lock, journal, temporary files.
    pub run_folder: PathBuf,
}

impl Paths {
    /// The paths given by the options, or their defaults.
    pub fn new(request: &ReduceJob) -> Result<Paths, Failure> {
        let out = request.output.out.clone().unwrap_or_else(|| default_out(&request.input));
        if is_same_file(&out, &request.input) && !request.output.in_place {
            return Err(Failure::usage(format!("{} is the input itself", out.display()))
                .with_hint("nub never changes its input: name another file with -o"));
        }
        let run_folder = request.output.run_folder.clone().unwrap_or_else(|| with_suffix(&out, ".nub"));
        Ok(Paths { out, run_folder })
    }
}

/// Whether two paths lead to one existing file.
pub fn is_same_file(one: &Path, other: &Path) -> bool {
    matches!((one.canonicalize(), other.canonicalize()), (Ok(one), Ok(other)) if one == other)
}

/// `bug.smt2` becomes `bug.reduced.smt2`.
fn default_out(input: &Path) -> PathBuf {
    let mut name = OsString::from(input.file_stem().unwrap_or_default());
    name.push(".reduced");
    if let Some(extension) = input.extension() {
        name.push(".");
        name.push(extension);
    }
    input.with_file_name(name)
}

fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}

/// The input, or why it cannot be read.
pub fn read_input(job: &Job, path: &Path) -> Result<Vec<u8>, Failure> {
    let bytes = job.control.while_reading(|| read(path))?;
    if bytes.is_empty() {
        let failure = Failure::usage(format!("{} is empty: there is nothing to reduce", path.display()));
        return Err(failure.with_hint("name the file that makes the program fail"));
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn default_names() {
        let name = |input| default_out(Path::new(input)).to_string_lossy().into_owned();
        assert_eq!(name("a/bug.smt2"), "a/bug.reduced.smt2");
        assert_eq!(name("bug"), "bug.reduced");
        assert_eq!(name("a.b.smt2"), "a.b.reduced.smt2");
    }
}
