//! The view of a text that passes work on.

use super::brackets::{Region, regions};
use nub_text::Span;
use std::sync::OnceLock;

/// Arbitrary bytes. Lines and brackets are found on first use.
pub struct PlainView {
    text: Vec<u8>,
    lines: OnceLock<Vec<Span>>,
    regions: OnceLock<Vec<Region>>,
}

impl PlainView {
    /// Takes any bytes.
    pub fn new(text: Vec<u8>) -> PlainView {
        PlainView { text, lines: OnceLock::new(), regions: OnceLock::new() }
    }

    /// The bytes.
    pub fn text(&self) -> &[u8] {
        &self.text
    }

    /// The lines including their terminators. Together they are the text.
    pub fn lines(&self) -> &[Span] {
        self.lines.get_or_init(|| lines(&self.text))
    }

    /// Pairs of brackets, in the order of their closing brackets.
    pub fn regions(&self) -> &[Region] {
        self.regions.get_or_init(|| regions(&self.text))
    }
}

fn lines(text: &[u8]) -> Vec<Span> {
    let ends = memchr::memchr_iter(b'\n', text).map(|at| at + 1);
    let mut start = 0;
    let mut lines = Vec::new();
    for end in ends.chain([text.len()]) {
        if end > start {
            lines.push(Span::new(start, end));
        }
        start = end;
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_the_text() {
        for text in ["", "a", "\n", "a\nb", "\n\na\r\n\n"] {
            let view = PlainView::new(text.into());
            let joined: Vec<u8> =
                view.lines().iter().flat_map(|line| line.slice(text.as_bytes())).copied().collect();
            assert_eq!(joined, text.as_bytes());
            assert_eq!(view.lines().len(), text.split_inclusive('\n').count());
        }
    }
}
