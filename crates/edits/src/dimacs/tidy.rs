//! Removes comments and superfluous white space.
//!
//! ```text
//! c by hand
//! p  cnf 2 1        p cnf 2 1
//!                   1 2 0
//!  1            =>
//!  2 0
//! ```
//!
//! One edit for the whole file: one line for the header and for every block and clause, single blanks inside, no blanks
//! at the ends. If the failure depends on the comments, a second edit keeps them; if it depends on the layout, a third removes
//! only comments.

use super::DimacsView;
use crate::{Edit, Grouping, Pass};
use nub_dimacs::ClauseId;
use nub_text::Span;

/// See the module.
pub struct DimacsTidy;

impl Pass<DimacsView> for DimacsTidy {
    fn name(&self) -> &'static str {
        "tidy"
    }

    fn grouping(&self) -> Grouping {
        Grouping::Single
    }

    fn edits(&self, view: &DimacsView) -> Vec<Edit> {
        let mut edits = vec![layout(view, &tokens(view, &[]))];
        if !view.file().comments().is_empty() {
            edits.push(layout(view, &tokens(view, view.file().comments())));
            let cuts = view.file().comments().iter().map(|&span| (view.cut_span(span), Vec::new()));
            edits.extend(Edit::try_of(cuts));
        }
        edits.retain(|edit| !edit.splices.is_empty());
        edits
    }
}

/// Where a token is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    /// It begins a line.
    First,
    /// It follows others on their line.
    Inner,
    /// It has its own line.
    Comment,
}

/// The tokens that stay, in order.
fn tokens(view: &DimacsView, comments: &[Span]) -> Vec<(Span, Place)> {
    let file = view.file();
    let first = |span: Span| Span { start: span.start, end: span.start + 1 };
    let mut tokens: Vec<(Span, Place)> = Vec::with_capacity(file.literals().len() + 2 * file.clauses().len());
    tokens.extend(file.literals().iter().map(|literal| (literal.span, Place::Inner)));
    for (index, clause) in file.clauses().iter().enumerate() {
        tokens.push((Span { start: clause.zero, end: clause.span.end }, Place::Inner));
        tokens.extend(file.weight(ClauseId(index as u32)).map(|weight| (weight.span, Place::Inner)));
    }
    for block in file.blocks() {
        tokens.push((first(block.span), Place::Inner));
        tokens.push((Span { start: block.zero, end: block.span.end }, Place::Inner));
    }
    if let Some(header) = file.header() {
        tokens.extend(words(view.text(), header.span));
    }
    tokens.extend(file.others().iter().copied().chain(file.end_marker()).map(|span| (span, Place::First)));
    tokens.extend(comments.iter().map(|&span| (span, Place::Comment)));
    tokens.retain(|(span, _)| !span.is_empty());
    tokens.sort_unstable();
    let clauses = file.clauses().iter().map(|clause| clause.span.start);
    let starts = clauses.chain(file.blocks().iter().map(|block| block.span.start));
    let mut starts: Vec<u32> = starts.chain(file.header().map(|header| header.span.start)).collect();
    starts.sort_unstable();
    let mut next = starts.into_iter().peekable();
    for (span, place) in &mut tokens {
        if next.next_if_eq(&span.start).is_some() {
            *place = Place::First;
        }
    }
    tokens
}

fn words(text: &[u8], line: Span) -> impl Iterator<Item = (Span, Place)> {
    let mut end = line.start as usize;
    line.slice(text).split(u8::is_ascii_whitespace).filter_map(move |word| {
        let start = end;
        end += word.len() + 1;
        (!word.is_empty()).then(|| (Span::new(start, start + word.len()), Place::Inner))
    })
}

/// Replaces every gap that differs from the layout. A comment ends its line, even within a clause.
fn layout(view: &DimacsView, tokens: &[(Span, Place)]) -> Edit {
    let text = view.text();
    let mut splices: Vec<(Span, &[u8])> = Vec::new();
    let mut gap = |start: u32, end: u32, wanted: &'static [u8]| {
        let span = Span { start, end };
        if span.slice(text) != wanted {
            splices.push((span, wanted));
        }
    };
    let mut end = 0;
    let mut before = None;
    for &(span, place) in tokens {
        let wanted: &[u8] = match (before, place) {
            (None, _) => b"",
            (Some(Place::First | Place::Inner), Place::Inner) => b" ",
            _ => b"\n",
        };
        gap(end, span.start, wanted);
        end = span.end;
        before = Some(place);
    }
    gap(end, text.len() as u32, b"");
    Edit::of(splices)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render;
    use nub_dimacs::DimacsKind;

    #[test]
    fn one_clause_per_line() {
        let text = b"c by hand\np  cnf 2 3 \n\n 1\nc x\n 2 0 1 0\r\n0 c y\n%\n0\n";
        let view = DimacsView::new(text.to_vec(), DimacsKind::Cnf);
        let after: Vec<String> = DimacsTidy
            .edits(&view)
            .iter()
            .map(|edit| String::from_utf8(render(view.text(), &edit.splices)).unwrap())
            .collect();
        assert_eq!(after[0], "p cnf 2 3\n1 2 0\n1 0\n0\n%\n0");
        assert_eq!(after[1], "c by hand\np cnf 2 3\n1\nc x\n2 0\n1 0\n0\nc y\n%\n0");
        assert_eq!(after[2], "p  cnf 2 3 \n\n 1\n 2 0 1 0\r\n0 \n%\n0\n");
        let again = DimacsView::new(after[0].clone().into_bytes(), DimacsKind::Cnf);
        assert!(DimacsTidy.edits(&again).is_empty());
    }
}
