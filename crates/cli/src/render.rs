//! Errors for people: the line with a caret and one hint.

use crate::exit::{Exit, Failure};
use crate::sanitize::sanitize;
use crate::terminal::{Paint, Style};
use nub_report::Place;
use nub_text::{Diagnostic, LineIndex};
use std::path::Path;

/// Bytes of a line shown on either side of the place.
const WINDOW: usize = 60;

/// The error of a reader as a failure with its place.
pub fn from_diagnostic(path: &Path, text: &[u8], diagnostic: &Diagnostic) -> Failure {
    let start = diagnostic.span.range().start.min(text.len());
    let place = LineIndex::new(text).place(start);
    let mut failure = Failure::usage(diagnostic.message.clone());
    failure.hint.clone_from(&diagnostic.hint);
    failure.place = Some(Place {
        path: sanitize(path.as_os_str().as_encoded_bytes()),
        line: place.line as u64,
        column: place.column as u64,
    });
    failure.snippet = Some(snippet(text, start, diagnostic.span.len(), place.line));
    failure
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

/// The whole message, newline included.
pub fn failure_text(failure: &Failure, paint: Paint) -> String {
    let mut text = format!("{} {}\n", paint.on(Style::Error, "error:"), failure.message);
    if let Some(place) = &failure.place {
        text.push_str(&format!(" --> {}:{}:{}\n", place.path, place.line, place.column));
    }
    if let Some(snippet) = &failure.snippet {
        text.push_str(snippet);
        text.push('\n');
    }
    if let Some(hint) = &failure.hint {
        text.push_str(&format!("{} {hint}\n", paint.on(Style::Hint, "hint:")));
    }
    if failure.exit == Exit::Internal {
        text.push_str(
            "This is a bug in nub: please report it with the command and, if you may, the input.\n",
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use nub_text::Span;

    fn rendered(text: &[u8], span: Span) -> String {
        let failure =
            from_diagnostic(Path::new("a.smt2"), text, &Diagnostic::error(span, "odd").with_hint("fix it"));
        failure_text(&failure, Paint::Plain)
    }

    #[test]
    fn caret_under_the_place() {
        let text = rendered(b"(check-sat)\n(assert\ttrue\n", Span::new(12, 13));
        let expected = "error: odd\n --> a.smt2:2:1\n  |\n2 | (assert true\n  | ^\nhint: fix it\n";
        assert_eq!(text, expected);
    }

    #[test]
    fn long_lines_are_windowed_and_controls_shown() {
        let mut line = vec![b'a'; 5000];
        line[2500] = 0x1b;
        let text = rendered(&line, Span::new(2500, 2501));
        assert!(text.lines().all(|line| line.chars().count() < 150), "{text}");
        assert!(text.contains("\\u{1b}") && !text.contains('\u{1b}'));
        assert!(text.contains(&format!("{}^^^^^^\n", " ".repeat(61))), "{text}");
    }

    #[test]
    fn places_at_the_end() {
        assert!(rendered(b"", Span::new(0, 0)).contains("1 | \n  | ^"));
        assert!(rendered(b"x\n", Span::new(2, 2)).contains("2 | \n  | ^"));
    }
}
