//! Balanced brackets: round, square, curly.
//!
//! ```text
//!                cut      empty     unwrap
//! a (b [c]) d    a  d     a () d    a b [c] d
//! ```
//!
//! A bracket without a matching partner is treated like any other byte. Quotes and comments are not recognised.

use super::PlainView;
use crate::{Edit, Pass};
use nub_text::Span;

/// Limit on the regions in one list, the largest first.
const MAX_REGIONS: usize = 1 << 16;

/// A pair of brackets and the text between them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Region {
    /// The text including both brackets.
    pub span: Span,
}

impl Region {
    fn inside(self) -> Span {
        Span { start: self.span.start + 1, end: self.span.end - 1 }
    }
}

/// What to do with a region.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Brackets {
    /// Remove it.
    Cut,
    /// Remove the text between the brackets.
    Empty,
    /// Remove the brackets.
    Unwrap,
}

impl Pass<PlainView> for Brackets {
    fn name(&self) -> &'static str {
        match self {
            Brackets::Cut => "brackets",
            Brackets::Empty => "empty-brackets",
            Brackets::Unwrap => "unwrap-brackets",
        }
    }

    fn edits(&self, view: &PlainView) -> Vec<Edit> {
        let mut regions = view.regions().to_vec();
        regions.sort_by_key(|region| std::cmp::Reverse(region.span.len()));
        regions.truncate(MAX_REGIONS);
        let filled = regions.iter().filter(|region| !region.inside().is_empty());
        match self {
            Brackets::Cut => regions.iter().map(|region| Edit::cut(region.span)).collect(),
            Brackets::Empty => filled.map(|region| Edit::cut(region.inside())).collect(),
            Brackets::Unwrap => filled.map(|region| Edit::keep_part(region.span, region.inside())).collect(),
        }
    }
}

/// Finds the pairs with an explicit stack. A closing bracket of the wrong kind is skipped, and so are opening
/// ones that are never closed. Linear.
pub(super) fn regions(text: &[u8]) -> Vec<Region> {
    let mut open: Vec<(u8, usize)> = Vec::new();
    let mut found = Vec::new();
    for (at, &byte) in text.iter().enumerate() {
        match byte {
            b'(' => open.push((b')', at)),
            b'[' => open.push((b']', at)),
            b'{' => open.push((b'}', at)),
            b')' | b']' | b'}' => {
                if let Some((_, start)) = open.pop_if(|(closing, _)| *closing == byte) {
                    found.push(Region { span: Span::new(start, at + 1) });
                }
            }
            _ => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::MergedEdits;
    use crate::plain::render;

    #[test]
    fn largest_first() {
        let view = PlainView::new(b"a (b [c]) d ) ]{}".to_vec());
        let first = |pass: Brackets| {
            let mut merged = MergedEdits::default();
            merged.add(&pass.edits(&view)[0]);
            String::from_utf8(render(&view, &merged)).unwrap()
        };
        assert_eq!(first(Brackets::Cut), "a  d ) ]{}");
        assert_eq!(first(Brackets::Empty), "a () d ) ]{}");
        assert_eq!(first(Brackets::Unwrap), "a b [c] d ) ]{}");
        assert_eq!(view.regions().len(), 3);
    }

    #[test]
    fn deep_nesting_is_no_recursion() {
        const DEEP: usize = 1_000_000;
        let text = ["([".repeat(DEEP), "])".repeat(DEEP)].concat();
        assert_eq!(regions(text.as_bytes()).len(), 2 * DEEP);
        assert_eq!(Brackets::Cut.edits(&PlainView::new(text.into())).len(), MAX_REGIONS);
    }
}
