//! Cuts comments, blank lines, indentation and symbols.
//!
//! ```text
//! ; a model
//!   3 input 1 clock ; the clock        =>        3 input 1
//! ```

use super::View;
use crate::{Edit, Pass};
use nub_text::Span;

/// What to cut.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tidy {
    /// Whatever stands between two lines, before an id and behind the last field.
    Comments,
    /// Names of inputs, states and other nodes.
    Symbols,
}

impl Pass<View> for Tidy {
    fn name(&self) -> &'static str {
        match self {
            Tidy::Comments => "tidy",
            Tidy::Symbols => "symbols",
        }
    }

    fn edits(&self, view: &View) -> Vec<Edit> {
        match self {
            Tidy::Comments => comments(view),
            Tidy::Symbols => symbols(view),
        }
    }
}

fn comments(view: &View) -> Vec<Edit> {
    let mut edits = Vec::new();
    let mut cut = |start: u32, end: u32| {
        if start < end {
            edits.push(Edit::cut(Span { start, end }));
        }
    };
    let mut after = 0;
    for line in view.lines() {
        let span = view.line(line).span;
        cut(after, span.start);
        cut(span.start, view.line(line).id_span.start);
        let ends = view.text()[..span.end as usize].ends_with(b"\n");
        if view.line(line).comment.is_some() {
            cut(view.end_of_fields(line), span.end - u32::from(ends));
        }
        after = span.end;
    }
    cut(after, view.text().len() as u32);
    edits
}

fn symbols(view: &View) -> Vec<Edit> {
    let named = view.lines().filter_map(|line| {
        let before = view.operands(line).last().map_or(view.line(line).tag_span.end, |last| last.span.end);
        view.line(line).symbol.map(|_| Span { start: before, end: view.end_of_comment(line) })
    });
    named.map(Edit::cut).collect()
}
