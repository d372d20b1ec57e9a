//! Removes superfluous white space: at the ends of lines, empty lines, repeated blanks, indentation.
//!
//! ```text
//! a   b        a b
//!         =>   c
//!    c
//! ```
//!
//! All at once; if that loses the failure, all except the indentation.

use super::PlainView;
use super::words::runs;
use crate::{Edit, Grouping, Pass};
use nub_text::Span;

/// See the module.
pub struct Blanks;

impl Pass<PlainView> for Blanks {
    fn name(&self) -> &'static str {
        "blanks"
    }

    fn grouping(&self) -> Grouping {
        Grouping::Single
    }

    fn edits(&self, view: &PlainView) -> Vec<Edit> {
        let text = view.text();
        let gaps = || runs(text, |byte| matches!(byte, b' ' | b'\t' | b'\r' | b'\n'));
        let changed = |wanted: &dyn Fn(Span) -> Vec<u8>| {
            let splices = gaps().map(|gap| (gap, wanted(gap)));
            Edit::of(splices.filter(|(gap, new)| gap.slice(text) != new.as_slice()))
        };
        let is_end = |gap: Span| gap.start == 0 || gap.end as usize == text.len();
        let all = changed(&|gap| if is_end(gap) { Vec::new() } else { short(gap.slice(text)) });
        let but_indentation = changed(&|gap| with_indentation(gap.slice(text)));
        [all, but_indentation].into_iter().filter(|edit| !edit.splices.is_empty()).collect()
    }
}

fn short(gap: &[u8]) -> Vec<u8> {
    if gap.contains(&b'\n') { b"\n".to_vec() } else { gap[..1].to_vec() }
}

fn with_indentation(gap: &[u8]) -> Vec<u8> {
    match gap.iter().rposition(|&byte| byte == b'\n') {
        Some(last) => gap[last..].to_vec(),
        None => gap[..1].to_vec(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::MergedEdits;
    use crate::plain::render;

    #[test]
    fn with_and_without_indentation() {
        let view = PlainView::new(b"  if a:  \n\n\n\tb   c\r\nd\n\n".to_vec());
        let after: Vec<Vec<u8>> = Blanks
            .edits(&view)
            .iter()
            .map(|edit| {
                let mut merged = MergedEdits::default();
                merged.add(edit);
                render(&view, &merged)
            })
            .collect();
        assert_eq!(after, [b"if a:\nb c\nd".as_slice(), b" if a:\n\tb c\nd\n"]);
    }
}
