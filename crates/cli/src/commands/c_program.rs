//! C programs as all commands read them: preprocessed, typed, and compiled to run tests of them.

mod loaded;
pub mod native;
mod preprocess;
pub mod progress;
pub mod quick;

pub use loaded::{Loaded, nearest};

pub use crate::commands::input::read;
use clap::Args;
use nub_process::Cancel;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How a C file is read.
#[derive(Args, Clone, Debug)]
pub struct LoadArgs {
    /// Widths of the integer types: lp64, ilp32, int16, or a file with lines such as `int_bitlength: 16`
    #[arg(long, value_name = "MODEL", default_value = "lp64")]
    pub data_model: String,
    /// The C compiler, for preprocessing and to run tests
    #[arg(long, value_name = "PROGRAM", default_value = "cc")]
    pub cc: OsString,
    /// Define a macro
    #[arg(short = 'D', value_name = "NAME[=VALUE]")]
    pub define: Vec<String>,
    /// Look for headers there
    #[arg(short = 'I', value_name = "FOLDER")]
    pub include: Vec<PathBuf>,
}

impl LoadArgs {
    /// Macros and folders, as words for the compiler.
    fn compiler_words(&self) -> Vec<OsString> {
        let mut words: Vec<OsString> = self.define.iter().map(|name| format!("-D{name}").into()).collect();
        for folder in &self.include {
            words.extend(["-I".into(), folder.into()]);
        }
        words
    }
}

/// A time in seconds.
pub fn seconds(text: &str) -> Result<Duration, String> {
    let number = text.parse().map_err(|_| "a number of seconds is expected".to_owned())?;
    Duration::try_from_secs_f64(number).map_err(|error| error.to_string())
}

/// Raises `cancel` when the time is over. The thread ends with the program. No time at all is over now, not when a thread gets its turn.
pub fn start_timer(time: Duration, cancel: Cancel) {
    if time.is_zero() {
        return cancel.cancel();
    }
    std::thread::spawn(move || {
        std::thread::sleep(time);
        cancel.cancel();
    });
}

/// The full path, also of a file that is not there yet.
pub fn absolute(path: &Path) -> PathBuf {
    path.canonicalize().or_else(|_| std::path::absolute(path)).unwrap_or_else(|_| path.to_owned())
}

/// How a file at `path` names another one, such as the program that it includes: relative to its folder, so that both can be moved together.
pub fn include_name(input: &Path, path: &Path) -> String {
    let (input, path) = (absolute(input), absolute(path));
    let folder = path.parent().map(absolute).unwrap_or_default();
    let n_shared = input.components().zip(folder.components()).take_while(|(a, b)| a == b).count();
    let up = folder.components().skip(n_shared).map(|_| std::path::Component::ParentDir);
    let name: PathBuf = up.chain(input.components().skip(n_shared)).collect();
    name.to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_relative() {
        let name = |input, path| include_name(Path::new(input), Path::new(path));
        assert_eq!(name("/a/src/f.c", "/a/src/tests.c"), "f.c");
        assert_eq!(name("/a/src/f.c", "/a/tests/unit/tests.c"), "../../src/f.c");
        assert_eq!(name("/a/f.c", "/a/tests/tests.c"), "../f.c");
    }
}
