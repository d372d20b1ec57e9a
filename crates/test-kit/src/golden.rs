//! Golden files: expected output that was reviewed and must not change by accident.

use nub_store::{RealFs, StoreError, commit};
use std::path::{Path, PathBuf};
use std::{fmt, io};

/// Lines shown around the first difference.
const CONTEXT: usize = 3;

/// True if golden files are to be written instead of compared: `UPDATE_EXPECT=1`.
pub fn is_updating() -> bool {
    std::env::var_os("UPDATE_EXPECT").is_some_and(|value| value == "1")
}

/// Compares a text with a file. With `UPDATE_EXPECT=1` the file is written instead, if it differs. A missing file fails.
///
/// # Panics
/// If they differ, with the first difference.
#[track_caller]
pub fn assert_golden(path: &Path, found: impl AsRef<[u8]>) {
    if let Err(error) = compare_golden(path, found) {
        panic!("{error}");
    }
}

/// Why a text does not match a golden file.
#[derive(Debug)]
pub enum GoldenError {
    /// They differ.
    Differs {
        /// The golden file.
        path: PathBuf,
        /// The first difference.
        difference: String,
    },
    /// The golden file cannot be read.
    Unread {
        /// The golden file.
        path: PathBuf,
        /// What the system said.
        error: io::Error,
        /// The text that was to be compared.
        found: String,
    },
    /// The golden file cannot be written.
    Unwritten {
        /// The golden file.
        path: PathBuf,
        /// What the store said.
        error: StoreError,
    },
}

impl fmt::Display for GoldenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GoldenError::Differs { path, difference } => {
                write!(f, "{}: {difference}\nUPDATE_EXPECT=1 writes it", path.display())
            }
            GoldenError::Unread { path, error, found } => {
                write!(f, "{}: {error}; UPDATE_EXPECT=1 writes it. Found:\n{found}", path.display())
            }
            GoldenError::Unwritten { path, error } => write!(f, "{}: {error}", path.display()),
        }
    }
}

impl std::error::Error for GoldenError {}

/// The same for tests that compare many files before they fail.
///
/// # Errors
/// If they differ, with the first difference.
pub fn compare_golden(path: &Path, found: impl AsRef<[u8]>) -> Result<(), GoldenError> {
    let found = found.as_ref();
    let expected = std::fs::read(path);
    if expected.as_ref().is_ok_and(|expected| expected == found) {
        return Ok(());
    }
    if is_updating() {
        let unwritten = |error| GoldenError::Unwritten { path: path.to_owned(), error };
        return commit(&RealFs, path, found).map_err(unwritten);
    }
    let (path, found) = (path.to_owned(), String::from_utf8_lossy(found).into_owned());
    Err(match expected {
        Ok(expected) => {
            let difference = difference(&String::from_utf8_lossy(&expected), &found);
            GoldenError::Differs { path, difference }
        }
        Err(error) => GoldenError::Unread { path, error, found },
    })
}

/// The first line that differs, with some around it.
fn difference(expected: &str, found: &str) -> String {
    let [old, new] = [expected, found].map(|text| text.split('\n').collect::<Vec<&str>>());
    let at = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let shown = |lines: &[&str]| {
        let range = at.saturating_sub(CONTEXT).min(lines.len())..(at + CONTEXT + 1).min(lines.len());
        lines[range].iter().map(|line| format!("  {line}\n")).collect::<String>()
    };
    format!("differs in line {}\nexpected:\n{}found:\n{}", at + 1, shown(&old), shown(&new))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_difference_is_shown() {
        let shown = difference("a\nb\nc\nd\ne\nf\n", "a\nb\nc\nd\nX\nf\n");
        assert!(shown.starts_with("differs in line 5\nexpected:\n  b\n  c\n  d\n  e\n  f\n"), "{shown}");
        assert!(shown.contains("found:\n  b\n  c\n  d\n  X\n  f\n"), "{shown}");
        assert!(difference("a\n", "a\nb").contains("line 2"), "a missing end is a difference");
    }

    #[test]
    fn a_missing_file_is_an_error() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/no-such-expectation.txt");
        assert!(is_updating() || compare_golden(&path, "text").is_err());
    }
}
