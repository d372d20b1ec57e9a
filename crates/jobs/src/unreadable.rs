//! Files that cannot be read: why, and what the user may have meant.

use crate::failure::Failure;
use crate::sanitize::sanitize;
use crate::similar_names::{did_you_mean, distance};
use std::io::{Error, ErrorKind};
use std::path::Path;

/// In larger folders, not all names are compared with the wanted one.
const MAX_NAMES: usize = 10_000;
/// A name is like another one if at most this many letters differ.
const MAX_LETTERS: usize = 2;

/// The error for a file that cannot be read, with advice where there is some.
pub(crate) fn unreadable(path: &Path, error: &Error) -> Failure {
    let failure = Failure::usage(format!("cannot read {}: {error}", path.display()));
    match error.kind() {
        ErrorKind::NotFound => failure.with_hint(missing(path)),
        ErrorKind::IsADirectory => failure.with_hint("this is a folder: name a file"),
        ErrorKind::PermissionDenied => failure.with_hint("its permissions do not let you read it"),
        ErrorKind::InvalidData => failure.with_hint("the file must be text in UTF-8"),
        _ => failure,
    }
}

/// Advice for a path that does not exist: a file with a similar name, or the folder that is missing.
fn missing(path: &Path) -> String {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let Ok(entries) = std::fs::read_dir(folder.unwrap_or(Path::new("."))) else {
        return format!("there is no folder {}", folder.unwrap_or(Path::new(".")).display());
    };
    let shown = |name: &std::ffi::OsStr| sanitize(name.as_encoded_bytes());
    let wanted = path.file_name().map(shown).unwrap_or_default();
    let files = entries.flatten().take(MAX_NAMES).filter(|entry| entry.path().is_file());
    let near: Vec<String> = files
        .map(|entry| shown(&entry.file_name()))
        .filter(|name| distance(name, &wanted) <= MAX_LETTERS)
        .collect();
    match near.is_empty() {
        true if path.is_absolute() => "check the path".to_owned(),
        true => "check the path: it is relative to the current folder".to_owned(),
        false => did_you_mean(near.iter().map(String::as_str), &wanted),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hint(path: &Path) -> String {
        let error = std::fs::read_to_string(path).unwrap_err();
        let failure = unreadable(path, &error);
        assert!(failure.message.starts_with(&format!("cannot read {}: ", path.display())));
        failure.hint.unwrap()
    }

    #[test]
    #[allow(clippy::disallowed_methods)] // a test writes files
    fn advice() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("date.c"), b"\xff").unwrap();
        let at = |name: &str| hint(&folder.path().join(name));
        assert_eq!(at("dat.c"), "did you mean `date.c`?");
        assert_eq!(at("bug.smt2"), "check the path");
        assert!(at("none/date.c").starts_with("there is no folder "));
        assert_eq!(at("date.c"), "the file must be text in UTF-8");
        assert_eq!(hint(folder.path()), "this is a folder: name a file");
        assert_eq!(hint(Path::new("no-such-file")), "check the path: it is relative to the current folder");
    }
}
