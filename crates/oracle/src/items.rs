//! Output cut into s-expressions, which may span lines, and other lines; as spans of the bytes.

use std::ops::Range;

/// The s-expressions and lines of an output, without the white space around them. Takes linear time: after a
/// parenthesis that is never closed, the rest is split into lines.
pub struct Items<'a> {
    bytes: &'a [u8],
    at: usize,
    is_unbalanced: bool,
}

impl<'a> Items<'a> {
    /// Iterates over the items of `bytes`.
    #[must_use]
    pub fn new(bytes: &'a [u8]) -> Items<'a> {
        Items { bytes, at: 0, is_unbalanced: false }
    }
}

impl Iterator for Items<'_> {
    type Item = Range<usize>;

    fn next(&mut self) -> Option<Range<usize>> {
        let rest = &self.bytes[self.at..];
        let start = self.at + rest.iter().position(|byte| !byte.is_ascii_whitespace())?;
        let rest = &self.bytes[start..];
        let mut end = None;
        if rest[0] == b'(' && !self.is_unbalanced {
            end = balanced_end(rest);
            self.is_unbalanced = end.is_none();
        }
        let length = end.unwrap_or_else(|| line_end(rest));
        self.at = start + length;
        Some(start..start + rest[..length].trim_ascii_end().len())
    }
}

fn line_end(text: &[u8]) -> usize {
    text.iter().position(|byte| *byte == b'\n').unwrap_or(text.len())
}

/// Where the s-expression at the start of `text` ends, if it does. Strings, quoted symbols and comments may hold
/// parentheses.
#[must_use]
pub fn balanced_end(text: &[u8]) -> Option<usize> {
    let mut depth = 0usize;
    let mut until = None;
    for (idx, byte) in text.iter().enumerate() {
        match (until, byte) {
            (Some(close), _) if *byte == close => until = None,
            (Some(_), _) => {}
            (None, b'"' | b'|') => until = Some(*byte),
            (None, b';') => until = Some(b'\n'),
            (None, b'(') => depth += 1,
            (None, b')') => {
                depth -= 1;
                if depth == 0 {
                    return Some(idx + 1);
                }
            }
            (None, _) => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn items(text: &str) -> Vec<&str> {
        Items::new(text.as_bytes()).map(|span| &text[span]).collect()
    }

    #[test]
    fn lists_span_lines_and_lines_do_not() {
        assert_eq!(items("sat\n(a\n b)\n\n  unsat \r\n(c)(d)"), ["sat", "(a\n b)", "unsat", "(c)", "(d)"]);
        assert_eq!(items("(a \")\" |)| ; )\n)x"), ["(a \")\" |)| ; )\n)", "x"]);
        assert_eq!(items("(open\nsat\n(x)"), ["(open", "sat", "(x)"]);
        assert_eq!(items(" \n\t"), [""; 0]);
    }

    #[test]
    fn unbalanced_output_is_linear() {
        let text = "(\n".repeat(1 << 20);
        assert_eq!(Items::new(text.as_bytes()).count(), 1 << 20);
    }
}
