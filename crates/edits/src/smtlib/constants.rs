//! Replaces a term by the simplest value of its sort.
//!
//! ```text
//! (assert (= (f x) (g y)))   =>   (assert (= 0 (g y)))
//! ```
//!
//! Terms are selected by size, one [`SmtBand`] at a time.

use super::SmtView;
use super::band::SmtBand;
use super::values::values;
use crate::{Edit, Pass, pass::MAX_EDITS};
use nub_smtlib::{DeclKind, NodeId};

/// See the module.
#[derive(Clone, Copy, Debug)]
pub struct SmtConstants {
    /// Which terms to replace.
    pub band: SmtBand,
    /// Which value to use: 0 is the simplest (`false`, 0), 1 the next (`true`, all ones).
    pub choice: usize,
}

impl Pass<SmtView> for SmtConstants {
    fn name(&self) -> &'static str {
        if self.choice == 0 { "constants" } else { "constants-2" }
    }

    fn edits(&self, view: &SmtView) -> Vec<Edit> {
        self.band.terms(view).filter_map(|term| self.edit(view, term)).take(MAX_EDITS).collect()
    }
}

impl SmtConstants {
    fn edit(&self, view: &SmtView, term: NodeId) -> Option<Edit> {
        let sort = view.sort(term)?;
        let all = values(view, sort, term);
        let value = all.get(self.choice)?;
        let old = view.slice(term);
        // A value replaces another one only if it is shorter: `true` for `false`. Other cases are left to
        // `literals`.
        let is_value = all.iter().any(|value| value == old);
        ((!is_value || value.len() < old.len()) && is_worth_it(view, term, old, value))
            .then(|| Edit::replace(view.span(term), value.as_slice()))
    }
}

/// True if the value is shorter, or if replacing the term may remove a variable.
fn is_worth_it(view: &SmtView, term: NodeId, old: &[u8], value: &[u8]) -> bool {
    let declared = view.analysis().decl_of(term).map(|id| view.analysis().decl(id).kind);
    value.len() < old.len()
        || declared.is_some_and(|kind| {
            matches!(kind, DeclKind::Fun | DeclKind::Macro | DeclKind::Let | DeclKind::Bound)
        })
}
