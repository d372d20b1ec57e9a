//! Half-open ranges of byte offsets.

/// The bytes `start..end` of some text. Offsets have four bytes: inputs are limited to [`crate::MAX_INPUT`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The span `start..end`.
    ///
    /// # Panics
    /// If `start > end`. That is a bug in the caller, never a property of the input.
    pub fn new(start: usize, end: usize) -> Span {
        assert!(start <= end && end <= crate::MAX_INPUT, "span {start}..{end}");
        Span { start: start as u32, end: end as u32 }
    }

    /// Number of bytes.
    pub fn len(self) -> usize {
        (self.end - self.start) as usize
    }

    /// True if it contains no bytes.
    pub fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// True if every byte of `other` lies in `self`.
    pub fn contains(self, other: Span) -> bool {
        self.start <= other.start && other.end <= self.end
    }

    /// True if the two share at least one byte.
    pub fn overlaps(self, other: Span) -> bool {
        self.start < other.end && other.start < self.end
    }

    /// The bytes of `text` that it covers.
    pub fn slice(self, text: &[u8]) -> &[u8] {
        &text[self.start as usize..self.end as usize]
    }

    /// As a range, for indexing.
    pub fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }
}
