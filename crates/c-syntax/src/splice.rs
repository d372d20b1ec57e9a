//! Line splices: a backslash at the end of a line joins it with the next.
//!
//! The lexer sees text without splices, and its offsets are mapped back. Preprocessors remove splices, so the common
//! case is a borrowed text and no map.

use nub_text::Span;
use std::borrow::Cow;

/// Text without splices, and how to map offsets back.
pub(crate) struct Spliced<'a> {
    pub(crate) text: Cow<'a, [u8]>,
    /// `(offset in the joined text, bytes removed before it)`, both increasing.
    cuts: Vec<(u32, u32)>,
}

impl<'a> Spliced<'a> {
    /// One scan; copies only if there is a splice.
    pub(crate) fn new(source: &'a [u8]) -> Spliced<'a> {
        let mut joined = Vec::new();
        let mut cuts = Vec::new();
        let mut copied = 0;
        for at in memchr::memchr_iter(b'\\', source) {
            let n_removed = match source[at + 1..] {
                [b'\n', ..] => 2,
                [b'\r', b'\n', ..] => 3,
                _ => continue,
            };
            joined.extend_from_slice(&source[copied..at]);
            copied = at + n_removed;
            cuts.push((joined.len() as u32, (copied - joined.len()) as u32));
        }
        if cuts.is_empty() {
            return Spliced { text: Cow::Borrowed(source), cuts };
        }
        joined.extend_from_slice(&source[copied..]);
        Spliced { text: Cow::Owned(joined), cuts }
    }

    /// The offset in the source of the byte at `offset`.
    pub(crate) fn original(&self, offset: usize) -> usize {
        let next = self.cuts.partition_point(|cut| cut.0 as usize <= offset);
        offset + next.checked_sub(1).map_or(0, |at| self.cuts[at].1 as usize)
    }

    /// The span in the source of the bytes `start..end`.
    pub(crate) fn span(&self, start: usize, end: usize) -> Span {
        if self.cuts.is_empty() {
            return Span::new(start, end);
        }
        let first = self.original(start);
        let last = if end > start { self.original(end - 1) + 1 } else { first };
        Span::new(first, last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_find_their_way_back() {
        let source = b"ab\\\ncd\\\r\n\\\ne";
        let spliced = Spliced::new(source);
        assert_eq!(&*spliced.text, b"abcde");
        for (offset, &byte) in spliced.text.iter().enumerate() {
            assert_eq!(source[spliced.original(offset)], byte);
        }
        assert_eq!(spliced.span(1, 3), Span::new(1, 5));
        assert_eq!(spliced.span(3, 5), Span::new(5, 12));
        assert_eq!(spliced.span(0, 2), Span::new(0, 2), "a splice after a token is not part of it");
    }

    #[test]
    fn text_without_splices_is_borrowed() {
        assert!(matches!(Spliced::new(b"\\a\\").text, Cow::Borrowed(_)));
    }
}
