//! Errors that a user can act on.

use crate::sanitize::sanitize;
use nub_report::{ErrorEvent, FilePlace, JobEvent, Refused};
use nub_store::{ErrorKind, StoreError};
use nub_text::{Diagnostic, LineIndex};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// Bytes of a line shown on either side of the place.
const WINDOW: usize = 60;

/// The kind of an error. It determines the exit code of `nub`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FailureKind {
    /// Wrong use or bad input.
    Usage,
    /// nub declines to start.
    Refused,
    /// Disk, permissions and the like.
    Environment,
    /// A bug in nub.
    Internal,
}

impl FailureKind {
    /// The exit code of `nub`.
    pub fn exit_code(self) -> u8 {
        match self {
            FailureKind::Usage => 2,
            FailureKind::Refused => 3,
            FailureKind::Environment => 4,
            FailureKind::Internal => 5,
        }
    }
}

/// Why a job has no result.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Failure {
    /// Determines the exit code.
    pub kind: FailureKind,
    /// What failed and why; one sentence without a full stop.
    pub message: String,
    /// What to try.
    pub hint: Option<String>,
    /// Where, for messages about a file's content.
    pub place: Option<FilePlace>,
    /// The line with a caret, ready to print.
    pub snippet: Option<String>,
}

impl Failure {
    /// An error of this kind.
    pub fn new(kind: FailureKind, message: impl Into<String>) -> Failure {
        Failure { kind, message: message.into(), hint: None, place: None, snippet: None }
    }

    /// Wrong use or bad input.
    pub fn usage(message: impl Into<String>) -> Failure {
        Failure::new(FailureKind::Usage, message)
    }

    /// Disk, permissions and the like.
    pub fn environment(message: impl Into<String>) -> Failure {
        Failure::new(FailureKind::Environment, message)
    }

    /// The same with advice.
    #[must_use]
    pub fn with_hint(mut self, hint: impl Into<String>) -> Failure {
        self.hint = Some(hint.into());
        self
    }

    /// The error of a reader, with its place and line.
    pub fn from_diagnostic(path: &Path, text: &[u8], diagnostic: &Diagnostic) -> Failure {
        let start = diagnostic.span.range().start.min(text.len());
        let place = LineIndex::new(text).place(start);
        let path = sanitize(path.as_os_str().as_encoded_bytes());
        Failure {
            hint: diagnostic.hint.clone(),
            place: Some(FilePlace { path, line: place.line as u64, column: place.column as u64 }),
            snippet: Some(snippet(text, start, diagnostic.span.len(), place.line)),
            ..Failure::usage(diagnostic.message.clone())
        }
    }

    /// The last event of a job that has no result.
    pub fn to_event(&self) -> JobEvent {
        let (message, hint) = (self.message.clone(), self.hint.clone());
        match self.kind {
            FailureKind::Refused => JobEvent::Refused(Refused { message, hint }),
            kind => JobEvent::Error(ErrorEvent {
                exit: kind.exit_code(),
                message,
                hint,
                place: self.place.clone(),
            }),
        }
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Failure {
        let kind = match error.kind() {
            ErrorKind::Refused => FailureKind::Refused,
            ErrorKind::Environment => FailureKind::Environment,
        };
        let hint = error.hint().map(str::to_owned);
        Failure { hint, ..Failure::new(kind, error.to_string()) }
    }
}

/// The line around `at`, windowed, with a caret under the bytes meant.
pub fn snippet(text: &[u8], at: usize, len: usize, line: usize) -> String {
    let line_start = text[..at].iter().rposition(|&byte| byte == b'\n').map_or(0, |newline| newline + 1);
    let line_end =
        text[at..].iter().position(|&byte| byte == b'\n').map_or(text.len(), |newline| at + newline);
    let from = line_start.max(at.saturating_sub(WINDOW));
    let to = line_end.min(at + WINDOW);
    let before = format!("{}{}", if from > line_start { "…" } else { "" }, sanitize(&text[from..at]));
    let after = format!("{}{}", sanitize(&text[at..to]), if to < line_end { "…" } else { "" });
    let number = line.to_string();
    let margin = " ".repeat(number.len());
    let n_meant = sanitize(&text[at..to.min(at + len)]).chars().count().max(1);
    let blanks = " ".repeat(before.chars().count());
    format!("{margin} |\n{number} | {before}{after}\n{margin} | {blanks}{}", "^".repeat(n_meant))
}

#[cfg(test)]
mod tests {
    use super::*;
    use nub_text::Span;

    fn shown(text: &[u8], span: Span) -> String {
        let odd = Diagnostic::error(span, "odd").with_hint("fix it");
        Failure::from_diagnostic(Path::new("a.smt2"), text, &odd).snippet.unwrap()
    }

    #[test]
    fn caret_under_the_place() {
        assert_eq!(shown(b"(check-sat)\n(assert\ttrue\n", Span::new(12, 13)), "  |\n2 | (assert true\n  | ^");
    }

    #[test]
    fn long_lines_are_windowed_and_controls_shown() {
        let mut line = vec![b'a'; 5000];
        line[2500] = 0x1b;
        let text = shown(&line, Span::new(2500, 2501));
        assert!(text.lines().all(|line| line.chars().count() < 150), "{text}");
        assert!(text.contains("\\u{1b}") && !text.contains('\u{1b}'));
        assert!(text.ends_with(&format!("{}^^^^^^", " ".repeat(61))), "{text}");
    }

    #[test]
    fn places_at_the_end() {
        assert!(shown(b"", Span::new(0, 0)).contains("1 | \n  | ^"));
        assert!(shown(b"x\n", Span::new(2, 2)).contains("2 | \n  | ^"));
    }
}
