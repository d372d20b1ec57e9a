//! Diagnostics: findings about a file, each with a severity and a span.

use crate::Span;

/// How serious a finding is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Severity {
    /// The input breaks a rule of its format.
    Error,
    /// The input is odd but usable.
    Warning,
}

/// One finding of a reader: what, where, and what to try.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// Whether the input is wrong or merely odd.
    pub severity: Severity,
    /// The bytes it is about.
    pub span: Span,
    /// One sentence without a full stop. The command line adds the place and the severity.
    pub message: String,
    /// What the user can do about it.
    pub hint: Option<String>,
}

/// Bytes of a message. A name in it can be as long as the input.
const MAX_MESSAGE: usize = 400;

impl Diagnostic {
    /// An error at `span`.
    pub fn error(span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic { severity: Severity::Error, span, message: shortened(message.into()), hint: None }
    }

    /// A warning at `span`.
    pub fn warning(span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic { severity: Severity::Warning, span, message: shortened(message.into()), hint: None }
    }

    /// The same finding with a hint.
    pub fn with_hint(mut self, hint: impl Into<String>) -> Diagnostic {
        self.hint = Some(hint.into());
        self
    }
}

/// The message without its middle, if it is too long: what is said about a name is at the beginning and at the end.
fn shortened(mut message: String) -> String {
    if message.len() > MAX_MESSAGE {
        let (head, tail) = (MAX_MESSAGE / 2, message.len() - MAX_MESSAGE / 2);
        let start = (0..=head).rev().find(|at| message.is_char_boundary(*at)).unwrap_or(0);
        let end = (tail..=message.len()).find(|at| message.is_char_boundary(*at)).unwrap_or(message.len());
        message.replace_range(start..end, "…");
    }
    message
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_has_a_bounded_length() {
        let of = |message: String| Diagnostic::error(Span { start: 0, end: 0 }, message).message;
        assert_eq!(of("`x` is not declared".to_owned()), "`x` is not declared");
        for letter in ["x", "é", "𝄞"] {
            let message = of(format!("command `{}` is not supported", letter.repeat(100_000)));
            assert!(message.len() <= MAX_MESSAGE + 3, "{}", message.len());
            assert!(message.starts_with("command `") && message.ends_with("` is not supported"), "{message}");
        }
    }
}
