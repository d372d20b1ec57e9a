//! What some splices do to each literal.

use super::DimacsView;
use crate::MergedEdits;
use nub_dimacs::Clause;
use nub_text::Span;

/// What happens to a literal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Fate {
    /// It stays; its sign may change.
    Kept,
    /// It is removed.
    Cut,
    /// It is replaced.
    Replaced,
}

/// The fate of every literal, by index. One walk along literals and splices, both in the order of the text: looking up
/// each literal in the splices would cost a logarithm each time, and large groups have as many splices as there are
/// literals.
pub(super) fn fates(view: &DimacsView, splices: &MergedEdits) -> Vec<Fate> {
    let literals = view.file().literals();
    let mut fates = vec![Fate::Kept; literals.len()];
    let mut next = 0;
    for splice in splices.iter() {
        while literals.get(next).is_some_and(|literal| literal.span.start < splice.span.start) {
            next += 1;
        }
        while literals.get(next).is_some_and(|literal| literal.span.end <= splice.span.end) {
            fates[next] = if splice.text.is_empty() { Fate::Cut } else { Fate::Replaced };
            next += 1;
        }
    }
    fates
}

/// By how much the number of clauses decreases. A clause counts as removed if its 0 is: with the clause, or alone when the clause is joined
/// with the next one. One walk along clauses and splices.
pub(super) fn n_clauses_cut(view: &DimacsView, splices: &MergedEdits) -> usize {
    let clauses = view.file().clauses();
    let (mut next, mut n_cut) = (0, 0);
    for splice in splices.iter().filter(|splice| splice.text.is_empty()) {
        while clauses.get(next).is_some_and(|clause| mark(clause).start < splice.span.start) {
            next += 1;
        }
        while clauses.get(next).is_some_and(|clause| mark(clause).end <= splice.span.end) {
            n_cut += 1;
            next += 1;
        }
    }
    n_cut
}

/// The 0 of a clause, or the whole clause if the 0 is missing.
fn mark(clause: &Clause) -> Span {
    let start = if clause.zero < clause.span.end { clause.zero } else { clause.span.start };
    Span { start, end: clause.span.end }
}

/// The numbers of variables in texts that replace literals.
pub(super) fn new_variables<'v>(
    view: &'v DimacsView,
    splices: &'v MergedEdits,
) -> impl Iterator<Item = u32> + 'v {
    let literals = view.file().literals();
    let is_literal = |start: u32| literals.binary_search_by_key(&start, |literal| literal.span.start).is_ok();
    let texts = splices.iter().filter(move |splice| !splice.text.is_empty() && is_literal(splice.span.start));
    let words = texts.flat_map(|splice| splice.text.split(u8::is_ascii_whitespace));
    words.filter_map(|word| std::str::from_utf8(word).ok()?.parse::<i32>().ok().map(i32::unsigned_abs))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Edit;
    use nub_dimacs::DimacsKind;

    #[test]
    fn kept_cut_replaced() {
        let view = DimacsView::new(b"p cnf 4 3\n1 -2 0\n3 0\n4 0\n".to_vec(), DimacsKind::Cnf);
        let mut merged = MergedEdits::default();
        merged.add(&Edit::replace(view.literal_span(nub_dimacs::LitId(0)), b"44".as_slice()));
        merged.add(&Edit::cut(Span::new(12, 13)));
        merged.add(&view.cut(view.file().clauses()[1].span));
        assert_eq!(fates(&view, &merged), [Fate::Replaced, Fate::Kept, Fate::Cut, Fate::Kept]);
        assert_eq!(n_clauses_cut(&view, &merged), 1);
        assert_eq!(new_variables(&view, &merged).collect::<Vec<_>>(), [44]);
    }
}
