//! Any other file as a [`SubjectFormat`]: bytes without known structure.

use crate::{Keep, SubjectFormat};
use nub_edits::MergedEdits;
use nub_edits::plain::{PlainView, render};
use nub_text::Span;

/// Plain text. Every sequence of bytes is well-formed.
#[derive(Default)]
pub struct Plain {
    keep: Keep,
}

impl Plain {
    /// Plain text in which nothing is protected.
    pub fn new() -> Plain {
        Plain::default()
    }

    /// Protects lines.
    #[must_use]
    pub fn keeping(mut self, keep: Keep) -> Plain {
        self.keep = keep;
        self
    }
}

impl SubjectFormat for Plain {
    type View = PlainView;

    fn read(&self, bytes: Vec<u8>) -> PlainView {
        PlainView::new(bytes)
    }

    fn text<'v>(&self, view: &'v PlainView) -> &'v [u8] {
        view.text()
    }

    fn clean_up(&self, _view: &PlainView, _splices: &mut MergedEdits) -> bool {
        false
    }

    fn render(&self, view: &PlainView, splices: &MergedEdits) -> Vec<u8> {
        render(view, splices)
    }

    fn is_valid(&self, _view: &PlainView) -> bool {
        true
    }

    fn measure(&self, view: &PlainView) -> Vec<(&'static str, u64)> {
        vec![("lines", view.lines().len() as u64)]
    }

    fn protected(&self, view: &PlainView) -> Vec<Span> {
        self.keep.spans(view.text(), || view.lines().iter().map(|line| without_end(view.text(), *line)))
    }
}

/// A line without its newline.
fn without_end(text: &[u8], line: Span) -> Span {
    let ends = line.slice(text).ends_with(b"\n");
    Span { start: line.start, end: line.end - u32::from(ends) }
}
