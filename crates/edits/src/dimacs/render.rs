//! Renders candidates with a correct header and without empty blocks in the prefix.
//!
//! ```text
//! p cnf 3 2      cut the      p cnf 2 1
//! 1 2 0          second  =>   1 2 0
//! -3 0           clause
//! ```
//!
//! The consequences of a cut cannot be part of the edit, because edits are merged and their counts add up. So they are
//! computed here, for each candidate. Only numbers that were correct are kept correct: if the original stated a wrong number of
//! clauses, the failure may depend on it, and the pass `header` tries the right one.
//!
//! Cost: linear, like the copy itself.

use super::DimacsView;
use super::fate::{Fate, fates, n_clauses_cut, new_variables};
use crate::dag::is_free;
use crate::{Edit, MergedEdits, Splice};
use nub_dimacs::{Number, Quantifier, QuantifierBlock};
use nub_text::Span;

/// The subject with the splices applied, and with their consequences outside of `protected` (sorted).
pub fn render(view: &DimacsView, splices: &MergedEdits, protected: &[Span]) -> Vec<u8> {
    let fates = fates(view, splices);
    let with_prefix = mend_prefix(view, splices, &fates, protected);
    let splices = with_prefix.as_ref().unwrap_or(splices);
    let mut all = splices.splices();
    all.extend(n_vars(view, splices, &fates));
    all.extend(n_clauses(view, splices));
    all.sort_by_key(|splice| splice.span.start);
    crate::render(view.text(), &all)
}

/// A change to a number of the header. `None` if it does not change, or if an edit sets it.
fn changed(number: Number, value: u64, splices: &MergedEdits) -> Option<Splice> {
    (value != number.value && !splices.covers(number.span))
        .then(|| Splice { span: number.span, text: value.to_string().into_bytes().into() })
}

/// The number of clauses, if it was correct.
fn n_clauses(view: &DimacsView, splices: &MergedEdits) -> Option<Splice> {
    let number = view.file().header()?.n_clauses.filter(|_| view.is_n_clauses_true())?;
    changed(number, (view.file().clauses().len() - n_clauses_cut(view, splices)) as u64, splices)
}

/// The number of variables, if it was equal to the largest variable.
fn n_vars(view: &DimacsView, splices: &MergedEdits, fates: &[Fate]) -> Option<Splice> {
    let number = view.file().header()?.n_vars.filter(|_| view.is_n_vars_tight())?;
    let kept = view.file().literals().iter().zip(fates).filter(|(_, fate)| **fate == Fate::Kept);
    let kept = kept.filter_map(|(literal, _)| literal.lit).map(|lit| lit.var().number());
    let max = kept.chain(new_variables(view, splices)).max().unwrap_or(0);
    changed(number, u64::from(max), splices)
}

/// Removes blocks that have lost their last variable, and joins blocks with the same quantifier that become adjacent by that.
/// `None` if there is nothing to do.
fn mend_prefix(
    view: &DimacsView,
    splices: &MergedEdits,
    fates: &[Fate],
    protected: &[Span],
) -> Option<MergedEdits> {
    let blocks = view.file().blocks();
    let last = blocks.last()?;
    if splices.iter().next().is_none_or(|splice| splice.span.start >= last.span.end) {
        return None;
    }
    let mut mended: Option<MergedEdits> = None;
    let mut before: Option<&QuantifierBlock> = None;
    let mut is_gap = false;
    for block in blocks {
        if is_gone(splices, fates, block) {
            mended.get_or_insert_with(|| splices.clone()).add(&view.cut(block.span));
            is_gap = true;
            continue;
        }
        if let Some(before) = before.filter(|_| is_gap)
            && quantifier(splices, before) == quantifier(splices, block)
        {
            let join = join(view, before, block);
            if is_free(&join, protected) {
                mended.get_or_insert_with(|| splices.clone()).add(&join);
            }
        }
        before = Some(block);
        is_gap = false;
    }
    mended
}

/// Moves the variables of the second block into the first.
pub(super) fn join(view: &DimacsView, first: &QuantifierBlock, second: &QuantifierBlock) -> Edit {
    let letter = Span { start: second.span.start, end: second.span.start + 1 };
    Edit::cut(Span { start: first.zero, end: view.cut_token(letter).end })
}

/// Whether a block is removed: as a whole, or because all its variables are.
fn is_gone(splices: &MergedEdits, fates: &[Fate], block: &QuantifierBlock) -> bool {
    let mut variables = block.literal_ids().map(|id| fates[id.0 as usize]).peekable();
    let is_cut = splices.covering(block.span).is_some_and(|splice| splice.text.is_empty());
    is_cut || (variables.peek().is_some() && variables.all(|fate| fate == Fate::Cut))
}

/// The quantifier of a block after the splices.
fn quantifier(splices: &MergedEdits, block: &QuantifierBlock) -> Quantifier {
    let letter = Span { start: block.span.start, end: block.span.start + 1 };
    match splices.covering(letter).map(|splice| &*splice.text) {
        Some(b"a") => Quantifier::ForAll,
        Some(b"e") => Quantifier::Exists,
        _ => block.quantifier,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nub_dimacs::DimacsKind;

    fn cut(text: &str, parts: &[&str]) -> String {
        let view =
            DimacsView::new(text.into(), nub_dimacs::guess(text.as_bytes()).unwrap_or(DimacsKind::Cnf));
        let mut merged = MergedEdits::default();
        for part in parts {
            let start = text.find(part).unwrap();
            merged.add(&view.cut(Span::new(start, start + part.len())));
        }
        String::from_utf8(render(&view, &merged, &[])).unwrap()
    }

    #[test]
    fn counts_follow() {
        let text = "p cnf 3 3\n1 2 0\n3 0\n-2 0\n";
        assert_eq!(cut(text, &["3 0"]), "p cnf 2 2\n1 2 0\n-2 0\n");
        assert_eq!(cut(text, &["3 0", "-2 0", "1 2 0"]), "p cnf 0 0\n");
        assert_eq!(cut(text, &["1"]), "p cnf 3 3\n2 0\n3 0\n-2 0\n");
    }

    #[test]
    fn what_was_wrong_stays() {
        assert_eq!(cut("p cnf 9 5\n1 2 0\n2 0\n", &["1 2 0"]), "p cnf 9 5\n2 0\n");
        assert_eq!(
            cut("p cnf 9 2\n1 2 0\n2 0\n", &["1 2 0"]),
            "p cnf 9 1\n2 0\n",
            "too many variables are not a fault"
        );
    }

    #[test]
    fn an_edit_may_say_what_the_header_says() {
        let view = DimacsView::new(b"p cnf 2 2\n1 0\n2 0\n".to_vec(), DimacsKind::Cnf);
        let mut merged = MergedEdits::default();
        merged.add(&view.cut(view.file().clauses()[1].span));
        merged.add(&Edit::replace(Span::new(6, 7), b"2".as_slice()));
        assert_eq!(render(&view, &merged, &[]), b"p cnf 2 1\n1 0\n");
    }

    #[test]
    fn blocks_are_joined() {
        let text = "p cnf 4 1\ne 1 0\na 2 3 0\ne 4 0\n1 4 0\n";
        assert_eq!(cut(text, &["2 3 "]), "p cnf 4 1\ne 1 4 0\n1 4 0\n");
        assert_eq!(cut(text, &["1 "]), "p cnf 4 1\na 2 3 0\ne 4 0\n1 4 0\n");
        assert_eq!(cut(text, &["3 "]), "p cnf 4 1\ne 1 0\na 2 0\ne 4 0\n1 4 0\n");
    }
}
