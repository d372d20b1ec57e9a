//! Removes comments, blank lines, indentation and symbols.
//!
//! ```text
//! ; a model
//!   3 input 1 clock ; the clock        =>        3 input 1
//! ```

use super::BtorView;
use crate::{Edit, Pass};
use nub_text::Span;

/// What to remove.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BtorTidy {
    /// Everything between two lines, before an id and after the last field.
    Comments,
    /// Names of inputs, states and other nodes.
    Symbols,
}

impl Pass<BtorView> for BtorTidy {
    fn name(&self) -> &'static str {
        match self {
            BtorTidy::Comments => "tidy",
            BtorTidy::Symbols => "symbols",
        }
    }

    fn edits(&self, view: &BtorView) -> Vec<Edit> {
        match self {
            BtorTidy::Comments => comments(view),
            BtorTidy::Symbols => symbols(view),
        }
    }
}

fn comments(view: &BtorView) -> Vec<Edit> {
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

fn symbols(view: &BtorView) -> Vec<Edit> {
    let named = view.lines().filter_map(|line| {
        let before = view.operands(line).last().map_or(view.line(line).tag_span.end, |last| last.span.end);
        view.line(line).symbol.map(|_| Span { start: before, end: view.end_of_comment(line) })
    });
    named.map(Edit::cut).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::btor::testing::{apply, each, read};

    #[test]
    fn comments_and_symbols() {
        let text = "; a model\n1 sort bitvec 1\n  3 input 1 clock ; the clock\n4 bad 3\n; end\n";
        let view = read(text);
        let all = Edit::of(
            BtorTidy::Comments
                .edits(&view)
                .into_iter()
                .flat_map(|edit| edit.splices)
                .map(|s| (s.span, s.text)),
        );
        assert_eq!(apply(&view, &all), "1 sort bitvec 1\n3 input 1 clock\n4 bad 3\n");
        assert_eq!(each(&BtorTidy::Symbols, text), [text.replace(" clock ;", " ;")]);
    }

    #[test]
    fn in_btor_a_comment_is_not_to_become_a_symbol() {
        let text = "1 var 1 x ; c\n2 root 1 1\n";
        assert_eq!(each(&BtorTidy::Symbols, text), ["1 var 1\n2 root 1 1\n"]);
    }
}
