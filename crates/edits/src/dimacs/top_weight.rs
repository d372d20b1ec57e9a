//! Lowers the top weight, together with all hard clauses (wcnf before 2022).
//!
//! ```text
//! p wcnf 1 2 1000        p wcnf 1 2 4
//! 1000 1 0          =>   4 1 0
//! 3 -1 0                 3 -1 0
//! ```
//!
//! First one more than the sum of all soft weights, then one more than the largest, then 2. If there is no hard clause, the
//! top weight can be removed.

use super::DimacsView;
use crate::{Edit, Grouping, Pass};
use nub_dimacs::{ClauseId, DimacsKind};
use nub_text::Span;

/// See the module.
pub struct TopWeight;

impl Pass<DimacsView> for TopWeight {
    fn name(&self) -> &'static str {
        "top-weight"
    }

    fn grouping(&self) -> Grouping {
        Grouping::Single
    }

    fn edits(&self, view: &DimacsView) -> Vec<Edit> {
        let file = view.file();
        let Some(header) = file.header().filter(|_| file.kind() == DimacsKind::Wcnf) else {
            return Vec::new();
        };
        let Some(top) = header.top else { return Vec::new() };
        let ids = (0..file.clauses().len() as u32).map(ClauseId);
        let (hard, soft): (Vec<ClauseId>, Vec<ClauseId>) = ids.partition(|&id| file.is_hard(id));
        let softs = || soft.iter().filter_map(|&id| file.weight(id)?.value);
        let sum = softs().fold(0, u64::saturating_add).saturating_add(1);
        let largest = softs().max().unwrap_or(0).saturating_add(1);
        let mut values = vec![sum, largest, 2];
        values.retain(|&value| value < top.value);
        values.dedup();
        let places = || hard.iter().filter_map(|&id| Some(file.weight(id)?.span)).chain([top.span]);
        let mut edits: Vec<Edit> = values
            .into_iter()
            .filter_map(|value| Edit::try_of(places().map(|span| (span, value.to_string().into_bytes()))))
            .collect();
        if let Some(before) = header.n_clauses.filter(|_| hard.is_empty()) {
            edits.insert(0, Edit::cut(Span { start: before.span.end, end: top.span.end }));
        }
        edits
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render;

    fn first(text: &str) -> String {
        let view = DimacsView::new(text.into(), DimacsKind::Wcnf);
        String::from_utf8(render(view.text(), &TopWeight.edits(&view)[0].splices)).unwrap()
    }

    #[test]
    fn hard_clauses_go_along() {
        assert_eq!(first("p wcnf 1 3 99\n99 1 0\n3 1 0\n2 -1 0\n"), "p wcnf 1 3 6\n6 1 0\n3 1 0\n2 -1 0\n");
        assert_eq!(first("p wcnf 1 1 99\n3 1 0\n"), "p wcnf 1 1\n3 1 0\n");
    }
}
