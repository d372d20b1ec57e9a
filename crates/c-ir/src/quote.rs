//! Quotes the source.

use nub_text::Span;

/// The text at a span, in one line. A macro leaves line markers in it; the user did not write them.
pub fn quote(text: &[u8], span: Span) -> String {
    let words = String::from_utf8_lossy(text.get(span.range()).unwrap_or_default());
    let own = words.lines().filter(|line| !line.trim_start().starts_with('#'));
    own.flat_map(str::split_whitespace).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_line_without_markers() {
        let text = b"x = a\n# 3 \"f.c\"\n   +  b;";
        assert_eq!(quote(text, Span::new(0, text.len())), "x = a + b;");
        assert_eq!(quote(text, Span::new(90, 99)), "");
    }
}
