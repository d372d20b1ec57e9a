//! Sorts literals and clauses.
//!
//! ```text
//! 3 -1 0        -1 3 0
//! 2 1 0    =>   1 2 0
//! ```
//!
//! Literals are sorted by variable, clauses by their bytes. This saves nothing; the engine accepts it if the file becomes smaller
//! in its order.

use super::DimacsView;
use crate::{Edit, Grouping, Pass};
use nub_dimacs::{DimacsLit, Literal};
use nub_text::Span;

/// The pass does nothing on larger files.
const MAX_LITERALS: usize = 10_000;

/// What to sort.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DimacsSort {
    /// The literals of each clause and block.
    Literals,
    /// All clauses.
    Clauses,
}

impl Pass<DimacsView> for DimacsSort {
    fn name(&self) -> &'static str {
        match self {
            DimacsSort::Literals => "sort-literals",
            DimacsSort::Clauses => "sort-clauses",
        }
    }

    fn grouping(&self) -> Grouping {
        match self {
            DimacsSort::Literals => Grouping::Groups,
            DimacsSort::Clauses => Grouping::Single,
        }
    }

    fn edits(&self, view: &DimacsView) -> Vec<Edit> {
        let file = view.file();
        if file.literals().len() > MAX_LITERALS {
            return Vec::new();
        }
        match self {
            DimacsSort::Literals => {
                let clauses = file.clauses().iter().map(|clause| file.literals_of(clause));
                let blocks = file.blocks().iter().map(|block| file.variables_of(block));
                clauses.chain(blocks).filter_map(|literals| sort_literals(view, literals)).collect()
            }
            DimacsSort::Clauses => sort_clauses(view).into_iter().collect(),
        }
    }
}

/// Positive literals come before negative ones.
fn key(lit: Option<DimacsLit>) -> (u32, bool) {
    lit.map_or((u32::MAX, true), |lit| (lit.var().number(), lit.is_negative()))
}

fn sort_literals(view: &DimacsView, literals: &[Literal]) -> Option<Edit> {
    let mut sorted = literals.to_vec();
    sorted.sort_by_key(|literal| key(literal.lit));
    moved(view, literals.iter().map(|literal| literal.span).zip(sorted.iter().map(|literal| literal.span)))
}

/// Sorts by bytes, as the engine compares files. Comments stay where they are.
fn sort_clauses(view: &DimacsView) -> Option<Edit> {
    let file = view.file();
    let mut order: Vec<usize> = (0..file.clauses().len()).collect();
    order.sort_by_key(|&index| file.clauses()[index].span.slice(view.text()));
    let sorted = order.iter().map(|&index| file.clauses()[index].span);
    let mut edit = moved(view, file.clauses().iter().map(|clause| clause.span).zip(sorted))?;
    // The variables do not change, so the header must not be recomputed.
    let n_vars = file.header().and_then(|header| header.n_vars);
    let number = n_vars.map(|number| (number.span, number.span.slice(view.text()).into()));
    let splices = edit.splices.drain(..).map(|splice| (splice.span, splice.text));
    Edit::try_of(splices.chain(number))
}

/// For each pair, puts the text of the second span at the first.
fn moved(view: &DimacsView, pairs: impl Iterator<Item = (Span, Span)>) -> Option<Edit> {
    let text = view.text();
    let changed = pairs.filter(|(to, from)| to.slice(text) != from.slice(text));
    let splices: Vec<(Span, Vec<u8>)> = changed.map(|(to, from)| (to, from.slice(text).to_vec())).collect();
    if splices.is_empty() { None } else { Edit::try_of(splices) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::MergedEdits;
    use crate::dimacs::render;
    use nub_dimacs::DimacsKind;

    fn after(pass: DimacsSort, text: &str, kind: DimacsKind) -> String {
        let view = DimacsView::new(text.into(), kind);
        let mut merged = MergedEdits::default();
        pass.edits(&view).iter().for_each(|edit| assert!(merged.add(edit)));
        String::from_utf8(render(&view, &merged, &[])).unwrap()
    }

    #[test]
    fn by_variable_then_sign() {
        let text = "p cnf 3 2\n-3 3 -1 0\n2 1 0\n";
        assert_eq!(after(DimacsSort::Literals, text, DimacsKind::Cnf), "p cnf 3 2\n-1 3 -3 0\n1 2 0\n");
        let text = "p cnf 3 3\n3 1 0\n2 1 0\n1 0";
        assert_eq!(after(DimacsSort::Clauses, text, DimacsKind::Cnf), "p cnf 3 3\n1 0\n2 1 0\n3 1 0");
        let text = "p wcnf 3 3 9\n1 1 0\n9 2 3 0\n2 1 0\n";
        assert_eq!(
            after(DimacsSort::Clauses, text, DimacsKind::Wcnf),
            "p wcnf 3 3 9\n1 1 0\n2 1 0\n9 2 3 0\n"
        );
    }
}
