//! Writes bit-vector literals as `(_ bv3 14)` if that is shorter.
//!
//! ```text
//! #b00000000000011   =>   (_ bv3 14)
//! ```

use crate::smtlib::SmtView;
use crate::smtlib::literals::value;
use crate::{Edit, Pass, pass::MAX_EDITS};
use nub_smtlib::{NodeId, NodeKind, SmtSort};

/// See the module.
pub struct BvNotation;

impl Pass<SmtView> for BvNotation {
    fn name(&self) -> &'static str {
        "bv-notation"
    }

    fn edits(&self, view: &SmtView) -> Vec<Edit> {
        view.terms().filter_map(|term| indexed(view, term)).take(MAX_EDITS).collect()
    }
}

fn indexed(view: &SmtView, term: NodeId) -> Option<Edit> {
    if !matches!(view.tree().kind(term), NodeKind::Binary | NodeKind::Hex) {
        return None;
    }
    let SmtSort::BitVec(width) = view.analysis().sorts().get(view.sort(term)?) else { return None };
    let text = format!("(_ bv{} {width})", value(view, term)?);
    (text.len() < view.span(term).len()).then(|| Edit::replace(view.span(term), text.into_bytes()))
}
