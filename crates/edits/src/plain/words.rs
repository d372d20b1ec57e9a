//! Removes words.
//!
//! ```text
//! x = foo.bar(1)   fields: x, =, foo.bar(1)      tokens: x, =, foo, ., bar, (, 1, )
//! ```

use super::PlainView;
use crate::units::cuts;
use crate::{Edit, Grouping, Pass};
use nub_text::Span;

/// How fine the words are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PlainWords {
    /// Runs without blanks, with the blanks after them on the line.
    Fields,
    /// Names and numbers, and every other byte that is not a blank.
    Tokens,
}

impl Pass<PlainView> for PlainWords {
    fn name(&self) -> &'static str {
        match self {
            PlainWords::Fields => "fields",
            PlainWords::Tokens => "tokens",
        }
    }

    fn grouping(&self) -> Grouping {
        Grouping::Complements
    }

    fn edits(&self, view: &PlainView) -> Vec<Edit> {
        let text = view.text();
        match self {
            PlainWords::Fields => {
                let fields = runs(text, |byte| byte > b' ').map(|span| with_blanks(text, span));
                cuts(&fields.collect::<Vec<_>>())
            }
            PlainWords::Tokens => cuts(&tokens(text)),
        }
    }
}

fn with_blanks(text: &[u8], span: Span) -> Span {
    let n_blanks = text[span.end as usize..].iter().take_while(|&&byte| matches!(byte, b' ' | b'\t')).count();
    Span { start: span.start, end: span.end + n_blanks as u32 }
}

/// Maximal runs of bytes for which `in_run` holds, in order.
pub(super) fn runs(text: &[u8], in_run: impl Fn(u8) -> bool + Copy) -> impl Iterator<Item = Span> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at + text[at..].iter().position(|&byte| in_run(byte))?;
        let rest = text[start..].iter().position(|&byte| !in_run(byte));
        at = rest.map_or(text.len(), |length| start + length);
        Some(Span::new(start, at))
    })
}

/// Whether a byte can be part of a name. Bytes beyond ASCII can: they usually belong to letters.
pub(super) fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

fn tokens(text: &[u8]) -> Vec<Span> {
    let mut found = Vec::new();
    for run in runs(text, |byte| byte > b' ') {
        let mut at = run.start as usize;
        for part in run.slice(text).chunk_by(|&left, &right| is_name_byte(left) && is_name_byte(right)) {
            found.push(Span::new(at, at + part.len()));
            at += part.len();
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_and_tokens() {
        let view = PlainView::new("x =\u{e9}1.b((\n7".into());
        let cut = |pass: PlainWords| -> Vec<String> {
            let slice = |edit: &Edit| edit.splices[0].span.slice(view.text()).to_vec();
            pass.edits(&view).iter().map(|edit| String::from_utf8(slice(edit)).unwrap()).collect()
        };
        assert_eq!(cut(PlainWords::Fields), ["x ", "=\u{e9}1.b((", "7"]);
        assert_eq!(cut(PlainWords::Tokens), ["x", "=", "\u{e9}1", ".", "b", "(", "(", "7"]);
    }
}
