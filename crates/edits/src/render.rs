//! Builds a candidate from the subject's bytes and splices: a copy, linear in the result.

use crate::Splice;
use nub_text::Span;

/// The subject with the splices applied. They must be sorted and disjoint.
pub fn render(text: &[u8], splices: &[Splice]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    render_into(&mut out, text, splices);
    out
}

/// As [`render`], into a buffer that is cleared first.
///
/// Where a splice would join two atoms, a blank is inserted between them: if `b` replaces `(f b)` in `a(f b)c`, the result
/// is `a b c`.
pub fn render_into(out: &mut Vec<u8>, text: &[u8], splices: &[Splice]) {
    out.clear();
    let mut from = 0;
    for splice in splices {
        push_apart(out, &text[from..splice.span.start as usize]);
        push_apart(out, &splice.text);
        from = splice.span.end as usize;
    }
    push_apart(out, &text[from..]);
}

fn push_apart(out: &mut Vec<u8>, bytes: &[u8]) {
    if let (Some(&last), Some(&first)) = (out.last(), bytes.first())
        && !is_delimiter(last)
        && !is_delimiter(first)
    {
        out.push(b' ');
    }
    out.extend_from_slice(bytes);
}

fn is_delimiter(byte: u8) -> bool {
    byte <= b' ' || byte == b'(' || byte == b')'
}

/// The span including the white space before it, so that a cut leaves no gap.
pub fn trim_before(text: &[u8], span: Span) -> Span {
    extended_back(text, span, |byte| byte <= b' ')
}

/// As [`trim_before`], but only on the same line: the line break before it may end a comment.
pub fn trim_before_on_line(text: &[u8], span: Span) -> Span {
    extended_back(text, span, |byte| byte <= b' ' && byte != b'\n')
}

fn extended_back(text: &[u8], span: Span, is_included: impl Fn(u8) -> bool) -> Span {
    let before = &text[..span.start as usize];
    let start = before.iter().rposition(|&byte| !is_included(byte)).map_or(0, |last| last + 1);
    Span { start: start as u32, end: span.end }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Edit;

    #[test]
    fn atoms_are_kept_apart() {
        let text = b"a(f b)c";
        let edit = Edit::keep_part(Span::new(1, 6), Span::new(4, 5));
        assert_eq!(render(text, &edit.splices), b"a b c");
    }

    #[test]
    fn no_splice_is_a_copy() {
        assert_eq!(render(b"abc", &[]), b"abc");
    }

    #[test]
    fn line_break_of_a_comment_stays() {
        assert_eq!(trim_before_on_line(b"; c\n x", Span::new(5, 6)), Span::new(4, 6));
        assert_eq!(trim_before(b"(a  x", Span::new(4, 5)), Span::new(2, 5));
    }
}
