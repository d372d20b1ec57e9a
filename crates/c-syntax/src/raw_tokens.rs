//! Tokens of C text that is not preprocessed, or not valid.

use std::ops::Range;

/// Words, numbers, quoted text and single other characters, without comments, directives and joined lines. O(n).
pub fn raw_tokens(text: &[u8]) -> Vec<Range<usize>> {
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80;
    let mut found = Vec::new();
    let (mut at, mut is_line_start) = (0, true);
    while let Some(&byte) = text.get(at) {
        let rest = &text[at..];
        let line = || rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len());
        let (length, is_token) = match byte {
            b'#' if is_line_start => (line(), false),
            b'/' if rest.starts_with(b"//") => (line(), false),
            b'/' if rest.starts_with(b"/*") => {
                let end = rest.windows(2).skip(2).position(|found| found == b"*/");
                (end.map_or(rest.len(), |end| end + 4), false)
            }
            b'\\' if rest[1..].trim_ascii_start().len() < rest.len() - 1 => (1, false),
            b'"' | b'\'' => (quoted(rest), true),
            _ if byte.is_ascii_whitespace() => (1, false),
            _ if is_word(byte) => (rest.iter().position(|byte| !is_word(*byte)).unwrap_or(rest.len()), true),
            _ => (1, true),
        };
        is_line_start = byte == b'\n' || is_line_start && byte.is_ascii_whitespace();
        if is_token {
            found.push(at..at + length);
        }
        at += length;
    }
    found
}

/// The length of a quoted text.
fn quoted(text: &[u8]) -> usize {
    let mut at = 1;
    while let Some(&byte) = text.get(at) {
        at += if byte == b'\\' { 2 } else { 1 };
        if byte == text[0] {
            break;
        }
    }
    at.min(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_directives_are_none() {
        let text = "a1+=\"x\\\"y\" /* b */ 'c'// d\n  # if e\n-> \\\nf /**/ g";
        let words: Vec<&str> = raw_tokens(text.as_bytes()).into_iter().map(|token| &text[token]).collect();
        assert_eq!(words, ["a1", "+", "=", "\"x\\\"y\"", "'c'", "-", ">", "f", "g"]);
    }
}
