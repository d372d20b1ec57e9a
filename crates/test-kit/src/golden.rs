//! Golden files: expected output that was reviewed and must not change by accident.

use nub_store::{RealFs, commit};
use std::path::Path;

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
    if let Err(message) = compare_golden(path, found) {
        panic!("{message}");
    }
}

/// The same for tests that compare many files before they fail.
///
/// # Errors
/// If they differ, with the first difference.
pub fn compare_golden(path: &Path, found: impl AsRef<[u8]>) -> Result<(), String> {
    let found = found.as_ref();
    let expected = std::fs::read(path);
    if expected.as_ref().is_ok_and(|expected| expected == found) {
        return Ok(());
    }
    if is_updating() {
        return commit(&RealFs, path, found).map_err(|error| format!("{}: {error}", path.display()));
    }
    let found = String::from_utf8_lossy(found);
    match expected.map(|expected| String::from_utf8_lossy(&expected).into_owned()) {
        Ok(expected) => {
            Err(format!("{}: {}\nUPDATE_EXPECT=1 writes it", path.display(), difference(&expected, &found)))
        }
        Err(error) => Err(format!("{}: {error}; UPDATE_EXPECT=1 writes it. Found:\n{found}", path.display())),
    }
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
