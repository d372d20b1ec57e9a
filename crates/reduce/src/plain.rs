//! Any other file as a [`Format`]: bytes, of which nothing is known.

use crate::{Format, Keep};
use nub_edits::Merged;
use nub_edits::plain::{View, render};
use nub_text::Span;

/// Plain text. Every sequence of bytes is well formed.
#[derive(Default)]
pub struct Plain {
    keep: Keep,
}

impl Plain {
    /// Nothing is protected.
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

impl Format for Plain {
    type View = View;

    fn read(&self, bytes: Vec<u8>) -> View {
        View::new(bytes)
    }

    fn text<'v>(&self, view: &'v View) -> &'v [u8] {
        view.text()
    }

    fn clean_up(&self, _view: &View, _splices: &mut Merged) -> bool {
        false
    }

    fn render(&self, view: &View, splices: &Merged) -> Vec<u8> {
        render(view, splices)
    }

    fn is_valid(&self, _view: &View) -> bool {
        true
    }

    fn measure(&self, view: &View) -> Vec<(&'static str, u64)> {
        vec![("lines", view.lines().len() as u64)]
    }

    fn protected(&self, view: &View) -> Vec<Span> {
        self.keep.spans(view.text(), || view.lines().iter().map(|line| without_end(view.text(), *line)))
    }
}

/// A line without its newline.
fn without_end(text: &[u8], line: Span) -> Span {
    let ends = line.slice(text).ends_with(b"\n");
    Span { start: line.start, end: line.end - u32::from(ends) }
}
