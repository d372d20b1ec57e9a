//! Flips the sign of a variable that is negated more often than not.
//!
//! ```text
//! -1 2 0        1 2 0
//! -1 0     =>   1 0
//! 1 3 0         -1 3 0
//! ```

use super::DimacsView;
use crate::{Edit, Pass};
use nub_dimacs::LitId;
use nub_text::Span;

/// See the module.
pub struct Flip;

impl Pass<DimacsView> for Flip {
    fn name(&self) -> &'static str {
        "flip"
    }

    fn edits(&self, view: &DimacsView) -> Vec<Edit> {
        view.occurrences().all().filter_map(|(_, places)| flip(view, places)).collect()
    }
}

fn flip(view: &DimacsView, places: impl Iterator<Item = LitId> + Clone) -> Option<Edit> {
    let matrix = places.filter(|&id| !view.is_quantified(id));
    let is_negative = |&id: &LitId| view.lit(id).is_some_and(|lit| lit.is_negative());
    let n_negative = matrix.clone().filter(is_negative).count();
    if 2 * n_negative <= matrix.clone().count() {
        return None;
    }
    let flipped = matrix.map(|id| {
        let text = view.lit(id).map(|lit| (!lit).to_int().to_string()).unwrap_or_default();
        (view.literal_span(id), text.into_bytes())
    });
    Edit::try_of::<Vec<u8>>(flipped.collect::<Vec<(Span, Vec<u8>)>>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render;
    use nub_dimacs::DimacsKind;

    #[test]
    fn only_if_it_saves_bytes() {
        let view = DimacsView::new(b"p cnf 2 3\n-1 2 0\n-1 0\n1 -2 0\n".to_vec(), DimacsKind::Cnf);
        let edits = Flip.edits(&view);
        assert_eq!(edits.len(), 1, "2 has as many of either sign");
        assert_eq!(render(view.text(), &edits[0].splices), b"p cnf 2 3\n1 2 0\n1 0\n-1 -2 0\n");
    }
}
