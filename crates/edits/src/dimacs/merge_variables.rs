//! Replaces one variable by another.
//!
//! ```text
//! 1 2 0             1 0
//! -2 3 0       =>   -1 3 0
//! 1 -2 0
//! ```
//!
//! A literal that the clause already contains is not repeated, and a clause that becomes a tautology is removed.

use super::DimacsView;
use crate::{Edit, Grouping, Pass};
use nub_dimacs::{ClauseId, DimacsLit, LitId, Var};
use nub_text::Span;

/// Files with up to this many variables have all their pairs listed.
const MAX_FOR_PAIRS: usize = 24;
/// The pass does nothing on files with more variables or literals. Listing the edits costs their product at worst.
const MAX_VARS: usize = 2_000;
const MAX_LITERALS: usize = 1 << 16;

/// Which variables to merge.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MergeVariables {
    /// Each variable with the one before it: pairs that share no variable come first, so that they can be grouped.
    Neighbours,
    /// In small files every pair, with both signs.
    Pairs,
}

impl Pass<DimacsView> for MergeVariables {
    fn name(&self) -> &'static str {
        match self {
            MergeVariables::Neighbours => "merge-neighbours",
            MergeVariables::Pairs => "merge-pairs",
        }
    }

    fn grouping(&self) -> Grouping {
        match self {
            MergeVariables::Neighbours => Grouping::Groups,
            MergeVariables::Pairs => Grouping::Single,
        }
    }

    fn edits(&self, view: &DimacsView) -> Vec<Edit> {
        let max_vars = match self {
            MergeVariables::Neighbours => MAX_VARS,
            MergeVariables::Pairs => MAX_FOR_PAIRS,
        };
        let vars: Vec<Var> = view.occurrences().vars().take(max_vars + 1).collect();
        if vars.len() > max_vars || view.file().literals().len() > MAX_LITERALS {
            return Vec::new();
        }
        let pairs: Vec<(Var, DimacsLit)> = match self {
            MergeVariables::Neighbours => {
                let pairs = vars.windows(2).map(|pair| (pair[1], DimacsLit::of(pair[0])));
                pairs.clone().step_by(2).chain(pairs.skip(1).step_by(2)).collect()
            }
            MergeVariables::Pairs => {
                let pairs = vars.iter().enumerate().flat_map(|(index, &from)| {
                    vars[..index].iter().map(move |&to| (from, DimacsLit::of(to)))
                });
                pairs.clone().chain(pairs.map(|(from, to)| (from, !to))).collect()
            }
        };
        pairs.into_iter().filter_map(|(from, to)| merge(view, from, to)).collect()
    }
}

/// Replaces `from` by `to`, and the negation of `from` by the negation of `to`.
fn merge(view: &DimacsView, from: Var, to: DimacsLit) -> Option<Edit> {
    let mut places: Vec<(Option<ClauseId>, LitId)> =
        view.occurrences().of(from).map(|id| (view.file().clause_of(id), id)).collect();
    places.sort_unstable();
    let mut splices: Vec<(Span, Vec<u8>)> = Vec::new();
    for group in places.chunk_by(|left, right| left.0 == right.0) {
        match group[0].0 {
            Some(clause) => merge_in_clause(view, clause, group, to, &mut splices),
            None => splices.extend(group.iter().map(|(_, id)| (view.cut_literal(*id), Vec::new()))),
        }
    }
    Edit::try_of(splices)
}

fn merge_in_clause(
    view: &DimacsView,
    clause: ClauseId,
    group: &[(Option<ClauseId>, LitId)],
    to: DimacsLit,
    splices: &mut Vec<(Span, Vec<u8>)>,
) {
    let clause = &view.file().clauses()[clause.0 as usize];
    // The literals of `to` in the clause so far, and those that are inserted.
    let old = view.file().literals_of(clause).iter().filter_map(|literal| literal.lit);
    let mut present: Vec<DimacsLit> = old.filter(|lit| lit.var() == to.var()).collect();
    let mut inside = Vec::new();
    for &(_, id) in group {
        let new = if view.lit(id).is_some_and(DimacsLit::is_negative) { !to } else { to };
        if present.contains(&!new) {
            splices.push((view.cut_span(clause.span), Vec::new()));
            return;
        }
        if present.contains(&new) {
            inside.push((view.cut_literal(id), Vec::new()));
        } else {
            inside.push((view.literal_span(id), new.to_int().to_string().into_bytes()));
            present.push(new);
        }
    }
    splices.extend(inside);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::MergedEdits;
    use crate::dimacs::render;
    use nub_dimacs::DimacsKind;

    #[test]
    fn no_repetition_and_no_tautology() {
        let text = b"p cnf 3 4\ne 1 2 3 0\n1 2 0\n-2 3 0\n1 -2 0\n2 3 2 0\n";
        let view = DimacsView::new(text.to_vec(), DimacsKind::Qdimacs);
        let mut merged = MergedEdits::default();
        merged.add(&merge(&view, Var::new(2).unwrap(), DimacsLit::from_int(1).unwrap()).unwrap());
        assert_eq!(render(&view, &merged, &[]), b"p cnf 3 3\ne 1 3 0\n1 0\n-1 3 0\n1 3 0\n");
        assert_eq!(MergeVariables::Pairs.edits(&view).len(), 6, "three pairs, two signs");
        assert_eq!(MergeVariables::Neighbours.edits(&view).len(), 2);
    }
}
