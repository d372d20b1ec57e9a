//! Removes bytes: first whole UTF-8 characters, then the remaining bytes one by one.

use super::PlainView;
use crate::units::{MAX_UNITS, cuts};
use crate::{Edit, Grouping, Pass};
use nub_text::Span;

/// See the module.
pub struct Bytes;

impl Pass<PlainView> for Bytes {
    fn name(&self) -> &'static str {
        "bytes"
    }

    fn grouping(&self) -> Grouping {
        Grouping::Complements
    }

    /// In a text with more than [`MAX_UNITS`] bytes, runs of equal length.
    fn edits(&self, view: &PlainView) -> Vec<Edit> {
        let text = view.text();
        if text.len() > MAX_UNITS {
            let run = text.len().div_ceil(MAX_UNITS);
            let starts = (0..text.len()).step_by(run);
            return starts.map(|at| Edit::cut(Span::new(at, (at + run).min(text.len())))).collect();
        }
        let chars = chars(text);
        let long = chars.iter().filter(|span| span.len() > 1);
        let parts: Vec<Edit> =
            long.flat_map(|span| span.range()).map(|at| Edit::cut(Span::new(at, at + 1))).collect();
        cuts(&chars).into_iter().chain(parts).collect()
    }
}

/// A byte with the continuation bytes that follow it.
fn chars(text: &[u8]) -> Vec<Span> {
    let starts = (0..text.len()).filter(|&at| at == 0 || text[at] & 0xc0 != 0x80);
    let mut starts = starts.peekable();
    let mut found = Vec::new();
    while let Some(start) = starts.next() {
        found.push(Span::new(start, *starts.peek().unwrap_or(&text.len())));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_then_their_bytes() {
        let view = PlainView::new("a\u{e9}\u{0}".into());
        let lengths: Vec<i64> = Bytes.edits(&view).iter().map(Edit::gain).collect();
        assert_eq!(lengths, [1, 2, 1, 1, 1]);
        let large = PlainView::new(vec![0x80; 3 * MAX_UNITS + 1]);
        assert_eq!(Bytes.edits(&large).iter().map(Edit::gain).sum::<i64>(), 3 * MAX_UNITS as i64 + 1);
    }
}
