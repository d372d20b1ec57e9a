//! Removes clauses and literals on which the number of variables depends, without changing that number.
//!
//! ```text
//! p cnf 9 2        p cnf 9 1
//! 1 0         =>   1 0
//! 9 0
//! ```
//!
//! Otherwise the header is adjusted when the largest variable is removed. Then a failure that needs the number of variables, but not
//! the variables themselves, would keep a useless clause.

use super::DimacsView;
use crate::{Edit, Pass};
use nub_dimacs::LitId;
use nub_text::Span;

/// See the module.
pub struct SameVariables;

impl Pass<DimacsView> for SameVariables {
    fn name(&self) -> &'static str {
        "same-variables"
    }

    /// Clauses first, then literals.
    fn edits(&self, view: &DimacsView) -> Vec<Edit> {
        let file = view.file();
        let n_vars = file.header().and_then(|header| header.n_vars).filter(|_| view.is_n_vars_tight());
        let (Some(n_vars), Some(max)) = (n_vars, view.occurrences().max()) else { return Vec::new() };
        let places = || view.occurrences().of(max).filter(|&id| !view.is_quantified(id));
        let mut clauses: Vec<Span> = places()
            .filter_map(|id: LitId| file.clause_of(id))
            .map(|id| view.cut_span(file.clauses()[id.0 as usize].span))
            .collect();
        clauses.dedup();
        let cuts = clauses.into_iter().chain(places().map(|id| view.cut_literal(id)));
        // An edit that writes the number, even the same one, prevents others from changing it.
        let number = (n_vars.span, n_vars.span.slice(view.text()).to_vec());
        cuts.filter_map(|span| Edit::try_of([number.clone(), (span, Vec::new())])).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::MergedEdits;
    use crate::dimacs::render;
    use nub_dimacs::DimacsKind;

    #[test]
    fn the_number_stays() {
        let view = DimacsView::new(b"p cnf 9 3\n1 0\n9 0\n2 -9 0\n".to_vec(), DimacsKind::Cnf);
        let edits = SameVariables.edits(&view);
        assert_eq!(edits.len(), 4);
        let mut merged = MergedEdits::default();
        assert!(merged.add(&edits[0]) && merged.add(&edits[1]));
        assert_eq!(render(&view, &merged, &[]), b"p cnf 9 1\n1 0\n");
    }
}
