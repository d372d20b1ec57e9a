//! Formats errors: the line with a caret and one hint.

use crate::terminal::{Paint, Style};
use nub_jobs::{Failure, FailureKind};

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
    if failure.kind == FailureKind::Internal {
        text.push_str(
            "This is a bug in nub: please report it with the command and, if you may, the input.\n",
        );
    }
    text
}
