//! Simplifies a selector that is applied to a constructor.
//!
//! ```text
//! (declare-datatype L ((nil) (cons (head Int) (tail L))))
//! (assert (= (head (cons 1 x)) 0))    =>    (assert (= 1 0))
//! ```

use crate::smtlib::SmtView;
use crate::{Edit, Pass, pass::MAX_EDITS};
use nub_smtlib::{DeclKind, NodeId};

/// See the module.
pub struct DtIdentity;

impl Pass<SmtView> for DtIdentity {
    fn name(&self) -> &'static str {
        "datatype-identity"
    }

    fn edits(&self, view: &SmtView) -> Vec<Edit> {
        view.terms().filter_map(|term| selected(view, term)).take(MAX_EDITS).collect()
    }
}

fn selected(view: &SmtView, term: NodeId) -> Option<Edit> {
    let (tree, analysis) = (view.tree(), view.analysis());
    let selector = analysis.decl(analysis.head(term)?.decl?);
    let built = view.args(term).next()?;
    let constructor = analysis.head(built)?.decl?;
    if selector.kind != DeclKind::Selector || selector.parent != Some(constructor) {
        return None;
    }
    let fields = tree.parent(selector.owner)?;
    let at = tree.children(fields).skip(1).position(|field| field == selector.owner)?;
    let part = view.args(built).nth(at)?;
    Some(Edit::keep_part(view.span(term), view.span(part)))
}
