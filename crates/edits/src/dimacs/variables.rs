//! Removes a variable from the whole file.
//!
//! ```text
//!                   drop     true     false
//! 1 2 0             2 0               2 0
//! -1 3 0       =>   3 0      3 0
//! 1 0                                 0
//! ```
//!
//! `true` and `false` assign: satisfied clauses and false literals are removed, and a clause may become empty. `drop` removes
//! the literals of both signs, and clauses that have no other literals. The variable is also removed from the prefix.

use super::DimacsView;
use crate::{Edit, Pass};
use nub_dimacs::{ClauseId, DimacsLit, LitId, Var};
use nub_text::Span;

/// What to do with the variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Variables {
    /// Remove its literals.
    Drop,
    /// Make it true.
    True,
    /// Make it false.
    False,
}

impl Pass<DimacsView> for Variables {
    fn name(&self) -> &'static str {
        match self {
            Variables::Drop => "drop-variables",
            Variables::True => "assign-true",
            Variables::False => "assign-false",
        }
    }

    /// The variable whose removal saves most comes first. All edits together have at most one splice per literal.
    fn edits(&self, view: &DimacsView) -> Vec<Edit> {
        let mut edits: Vec<Edit> =
            view.occurrences().all().filter_map(|(var, places)| self.edit(view, var, places)).collect();
        edits.sort_by_key(|edit| std::cmp::Reverse(edit.gain()));
        edits
    }
}

impl Variables {
    fn edit(self, view: &DimacsView, var: Var, places: impl Iterator<Item = LitId>) -> Option<Edit> {
        let mut places: Vec<(Option<ClauseId>, LitId)> =
            places.map(|id| (view.file().clause_of(id), id)).collect();
        places.sort_unstable();
        let mut cuts: Vec<Span> = Vec::new();
        for group in places.chunk_by(|left, right| left.0 == right.0) {
            match group[0].0 {
                Some(clause) if self.takes_clause(view, var, clause, group) => {
                    cuts.push(view.cut_span(view.file().clauses()[clause.0 as usize].span));
                }
                _ => cuts.extend(group.iter().map(|(_, id)| view.cut_literal(*id))),
            }
        }
        Edit::try_of(cuts.into_iter().map(|span| (span, Vec::new())))
    }

    /// Whether a clause is removed as a whole; `group` are its literals of the variable.
    fn takes_clause(
        self,
        view: &DimacsView,
        var: Var,
        clause: ClauseId,
        group: &[(Option<ClauseId>, LitId)],
    ) -> bool {
        let truth = match self {
            Variables::Drop => return group.len() == view.file().clauses()[clause.0 as usize].len(),
            Variables::True => DimacsLit::of(var),
            Variables::False => !DimacsLit::of(var),
        };
        group.iter().any(|(_, id)| view.lit(*id) == Some(truth))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::MergedEdits;
    use crate::dimacs::render;
    use nub_dimacs::DimacsKind;

    /// The file after removing variable 1.
    fn without_1(pass: Variables, text: &str) -> String {
        let view = DimacsView::new(text.into(), DimacsKind::Qdimacs);
        let var = Var::new(1).unwrap();
        let mut merged = MergedEdits::default();
        merged.add(&pass.edit(&view, var, view.occurrences().of(var)).unwrap());
        String::from_utf8(render(&view, &merged, &[])).unwrap()
    }

    #[test]
    fn clauses_and_literals() {
        let text = "p cnf 3 4\na 1 0\ne 2 3 0\n1 2 0\n-1 3 0\n1 1 0\n1 -1 0\n";
        assert_eq!(without_1(Variables::Drop, text), "p cnf 3 2\ne 2 3 0\n2 0\n3 0\n");
        assert_eq!(without_1(Variables::True, text), "p cnf 3 1\ne 2 3 0\n3 0\n");
        assert_eq!(without_1(Variables::False, text), "p cnf 3 2\ne 2 3 0\n2 0\n0\n");
    }
}
