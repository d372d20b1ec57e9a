//! Replaces the variable of one literal.
//!
//! ```text
//! 1 2 0         1 2 0
//! -3 7 0   =>   -1 7 0
//! ```
//!
//! The smallest variable of the file is tried first, then the previous one. In contrast to `merge_variables`, other
//! literals keep their variable. So this also helps if the failure needs several variables, but not all of them in every place.

use super::DimacsView;
use crate::{Edit, Pass};
use nub_dimacs::{LitId, Var};

/// The pass does nothing on files with more literals.
const MAX_LITERALS: usize = 2_000;

/// See the module.
pub struct ReplaceLiterals;

impl Pass<DimacsView> for ReplaceLiterals {
    fn name(&self) -> &'static str {
        "replace-literals"
    }

    /// If a literal has two edits, a group takes the first.
    fn edits(&self, view: &DimacsView) -> Vec<Edit> {
        if view.file().literals().len() > MAX_LITERALS {
            return Vec::new();
        }
        let vars: Vec<Var> = view.occurrences().vars().collect();
        let mut edits = Vec::new();
        for (index, (_, places)) in view.occurrences().all().enumerate().skip(1) {
            let mut targets = vec![vars[0], vars[index - 1]];
            targets.dedup();
            for id in places.filter(|&id| !view.is_quantified(id)) {
                edits.extend(targets.iter().filter_map(|&var| replace(view, id, var)));
            }
        }
        edits
    }
}

fn replace(view: &DimacsView, id: LitId, var: Var) -> Option<Edit> {
    let text = view.lit(id)?.with_var(var).to_int().to_string();
    Some(Edit::replace(view.literal_span(id), text.into_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use nub_dimacs::DimacsKind;

    #[test]
    fn smallest_then_the_one_before() {
        let view = DimacsView::new(b"p cnf 7 2\n1 2 0\n-7 0\n".to_vec(), DimacsKind::Cnf);
        let texts: Vec<String> = ReplaceLiterals
            .edits(&view)
            .iter()
            .map(|edit| String::from_utf8(edit.splices[0].text.to_vec()).unwrap())
            .collect();
        assert_eq!(texts, ["1", "-1", "-2"]);
    }
}
