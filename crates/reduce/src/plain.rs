//! Any other file as a [`Format`]: bytes, of which nothing is known.

use crate::Format;
use nub_edits::Merged;
use nub_edits::plain::{View, render};
use nub_text::Span;

/// Plain text. Every sequence of bytes is well formed.
#[derive(Default)]
pub struct Plain {
    keep: Vec<Keep>,
}

/// Says of a line, without its end, whether it must stay as it is.
type Keep = Box<dyn Fn(&[u8]) -> bool + Sync>;

impl Plain {
    /// Nothing is protected.
    pub fn new() -> Plain {
        Plain::default()
    }

    /// Protects lines for which the predicate holds.
    #[must_use]
    pub fn keep(mut self, predicate: impl Fn(&[u8]) -> bool + Sync + 'static) -> Plain {
        self.keep.push(Box::new(predicate));
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
        if self.keep.is_empty() {
            return Vec::new();
        }
        let is_kept = |line: &Span| {
            let text = line.slice(view.text());
            self.keep.iter().any(|keep| keep(text.strip_suffix(b"\n").unwrap_or(text)))
        };
        view.lines().iter().copied().filter(is_kept).collect()
    }
}
