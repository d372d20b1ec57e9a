//! Renders candidates of plain text: only the splices. Other formats insert a blank where a cut would join
//! two tokens; here a blank is a byte like any other.

use super::PlainView;
use crate::MergedEdits;

/// The subject with the splices applied.
pub fn render(view: &PlainView, splices: &MergedEdits) -> Vec<u8> {
    let text = view.text();
    let mut out = Vec::with_capacity(text.len());
    let mut from = 0;
    for splice in splices.iter() {
        out.extend_from_slice(&text[from..splice.span.start as usize]);
        out.extend_from_slice(&splice.text);
        from = splice.span.end as usize;
    }
    out.extend_from_slice(&text[from..]);
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Edit;
    use nub_text::Span;

    #[test]
    fn no_blank_comes_in() {
        let view = PlainView::new(b"abcdef".to_vec());
        let mut merged = MergedEdits::default();
        merged.add(&Edit::cut(Span::new(1, 2)));
        merged.add(&Edit::replace(Span::new(3, 5), b"x".as_slice()));
        assert_eq!(render(&view, &merged), b"acxf");
    }
}
