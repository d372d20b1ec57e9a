//! Empties quoted strings, then removes them.
//!
//! ```text
//! print("hello")   =>   print("")   =>   print()
//! ```
//!
//! A string begins and ends on one line, with the same quote: `"`, `'` or a backtick; a backslash escapes the next
//! byte.

use super::PlainView;
use crate::{Edit, Pass};
use nub_text::Span;

/// Limit on the strings in one list.
const MAX_STRINGS: usize = 1 << 16;

/// See the module.
pub struct Strings;

impl Pass<PlainView> for Strings {
    fn name(&self) -> &'static str {
        "strings"
    }

    fn edits(&self, view: &PlainView) -> Vec<Edit> {
        let strings = strings(view.text());
        let inside = strings.iter().map(|span| Span { start: span.start + 1, end: span.end - 1 });
        let emptied = inside.filter(|span| !span.is_empty()).map(Edit::cut);
        emptied.chain(strings.iter().map(|&span| Edit::cut(span))).collect()
    }
}

/// The strings with their quotes, in one walk: a quote without a partner does not cause a second scan of its line.
fn strings(text: &[u8]) -> Vec<Span> {
    let mut found = Vec::new();
    let mut open: Option<(u8, usize)> = None;
    let mut is_escaped = false;
    for (at, &byte) in text.iter().enumerate() {
        if byte == b'\n' || found.len() >= MAX_STRINGS {
            open = None;
        } else if is_escaped {
            is_escaped = false;
            continue;
        } else if matches!(byte, b'"' | b'\'' | b'`') {
            match open {
                None => open = Some((byte, at)),
                Some((quote, start)) if quote == byte => {
                    found.push(Span::new(start, at + 1));
                    open = None;
                }
                Some(_) => {}
            }
        }
        is_escaped = byte == b'\\' && open.is_some();
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_and_escapes() {
        let text = b"a 'b' \"c'\\\"d\" it's\n 'x' \\\"";
        let found: Vec<&str> =
            strings(text).into_iter().map(|span| std::str::from_utf8(span.slice(text)).unwrap()).collect();
        assert_eq!(found, ["'b'", "\"c'\\\"d\"", "'x'"]);
        assert!(strings(&b"'\n".repeat(100_000)).is_empty());
    }
}
