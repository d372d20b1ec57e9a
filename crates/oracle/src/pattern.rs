//! What a stream must contain: `TEXT` or `/regex/`.

use regex::bytes::{Regex, RegexBuilder};

/// Limit on the compiled size of a pattern.
const MAX_COMPILED_BYTES: usize = 4 << 20;

/// Something to find in an output stream.
#[derive(Clone, Debug)]
pub enum Pattern {
    /// These bytes occur somewhere.
    Text(Vec<u8>),
    /// This expression matches somewhere; `^` and `$` match at line ends.
    Regex(Regex),
}

/// A `/regex/` that does not compile.
#[derive(Debug, thiserror::Error)]
#[error("not a regular expression: {0}")]
pub struct PatternError(#[from] regex::Error);

impl Pattern {
    /// Reads `TEXT` or `/regex/`. A text that starts and ends with a slash is written `/\/text\//`.
    ///
    /// # Errors
    /// When the expression between the slashes does not compile.
    pub fn parse(text: &str) -> Result<Pattern, PatternError> {
        match text.strip_prefix('/').and_then(|rest| rest.strip_suffix('/')) {
            Some(inner) if !inner.is_empty() => {
                let regex = RegexBuilder::new(inner)
                    .multi_line(true)
                    .unicode(false)
                    .size_limit(MAX_COMPILED_BYTES)
                    .build()?;
                Ok(Pattern::Regex(regex))
            }
            _ => Ok(Pattern::Text(text.as_bytes().to_vec())),
        }
    }

    /// Whether the stream contains it.
    #[must_use]
    pub fn is_in(&self, stream: &[u8]) -> bool {
        match self {
            Pattern::Text(text) => contains(stream, text),
            Pattern::Regex(regex) => regex.is_match(stream),
        }
    }

    /// The pattern as the user wrote it.
    #[must_use]
    pub fn source(&self) -> String {
        match self {
            Pattern::Text(text) => String::from_utf8_lossy(text).into_owned(),
            Pattern::Regex(regex) => format!("/{}/", regex.as_str()),
        }
    }
}

fn contains(stream: &[u8], text: &[u8]) -> bool {
    text.is_empty() || stream.windows(text.len()).any(|window| window == text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_and_regex() {
        assert!(Pattern::parse("a.c").unwrap().is_in(b"xa.cx"));
        assert!(!Pattern::parse("a.c").unwrap().is_in(b"xabcx"));
        assert!(Pattern::parse("/a.c/").unwrap().is_in(b"xabcx"));
        assert!(Pattern::parse("/^sat$/").unwrap().is_in(b"unknown\nsat\n"));
        assert!(!Pattern::parse("/^sat$/").unwrap().is_in(b"unsat\n"));
        assert!(Pattern::parse("/\\xff/").unwrap().is_in(b"\xff"));
    }

    #[test]
    fn edges() {
        assert!(Pattern::parse("").unwrap().is_in(b""));
        assert!(matches!(Pattern::parse("//").unwrap(), Pattern::Text(_)));
        assert!(matches!(Pattern::parse("/").unwrap(), Pattern::Text(_)));
        assert!(Pattern::parse("/(/").is_err());
        assert_eq!(Pattern::parse("/a/").unwrap().source(), "/a/");
    }
}
