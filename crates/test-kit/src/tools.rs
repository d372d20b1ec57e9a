//! Programs that end-to-end tests need: solvers, compilers, other reducers.
//!
//! The fast suite needs none; a test whose program is missing prints that it was skipped. Under `NUB_E2E=1` a missing program is a failure:
//! otherwise a test that never runs looks like one that passes. `./test` installs what it can and lists the rest in `NUB_WITHOUT`
//! (separated by commas).

use std::ffi::OsStr;
use std::path::PathBuf;

/// True if end-to-end tests are wanted: `NUB_E2E=1`.
pub fn is_end_to_end() -> bool {
    std::env::var_os("NUB_E2E").is_some_and(|value| value == "1")
}

/// Where a program is on `PATH`.
pub fn find_tool(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).map(|folder| folder.join(name)).find(|file| file.is_file())
}

/// A program for an end-to-end test. If it is missing, prints that the test is skipped.
///
/// # Panics
/// If end-to-end tests are wanted, the program is missing, and `NUB_WITHOUT` does not list it.
#[track_caller]
pub fn end_to_end_tool(name: &str) -> Option<PathBuf> {
    if !is_end_to_end() {
        println!("{name} is not run: set NUB_E2E=1 for the end-to-end tests");
        return None;
    }
    let found = find_tool(name);
    if found.is_none() {
        missing_tool(name);
    }
    found
}

/// Called by a test that is skipped because its program is missing; such a test runs whenever the program is
/// installed.
///
/// # Panics
/// If end-to-end tests are wanted, and `NUB_WITHOUT` does not list the program.
#[track_caller]
pub fn missing_tool(name: &str) {
    let without = std::env::var_os("NUB_WITHOUT").unwrap_or_default();
    assert!(
        !is_end_to_end() || is_excused(name, &without),
        "NUB_E2E=1 is set and {name} is not on PATH; if it cannot be installed, list it in NUB_WITHOUT"
    );
    println!("{name} is not run: it is not installed");
}

fn is_excused(name: &str, without: &OsStr) -> bool {
    without.to_string_lossy().split(',').any(|excused| excused.trim() == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_named_is_excused() {
        assert!(is_excused("z3", OsStr::new("cvc5, z3")));
        assert!(!is_excused("z3", OsStr::new("z3-old,cvc5")));
        assert!(!is_excused("z3", OsStr::new("")));
    }

    #[test]
    fn programs_are_found_on_the_path() {
        assert!(find_tool("sh").is_some());
        assert_eq!(find_tool("no-such-program-anywhere"), None);
    }
}
