//! Replaces an abbreviation of a sort by its definition, if that is shorter.
//!
//! ```text
//! (define-sort Word () (_ BitVec 8))
//! (declare-const x Word)               =>   (declare-const x (_ BitVec 8))
//! ```

use super::SmtView;
use crate::{Edit, Pass};
use nub_smtlib::{DeclId, DeclKind};

/// See the module.
pub struct SortInline;

impl Pass<SmtView> for SortInline {
    fn name(&self) -> &'static str {
        "sort-inline"
    }

    fn edits(&self, view: &SmtView) -> Vec<Edit> {
        view.analysis().decl_ids().filter_map(|id| inline(view, id)).collect()
    }
}

fn inline(view: &SmtView, id: DeclId) -> Option<Edit> {
    let (tree, analysis) = (view.tree(), view.analysis());
    let decl = analysis.decl(id);
    let uses = analysis.uses(id);
    if decl.kind != DeclKind::SortMacro || decl.arity != 0 || uses.is_empty() {
        return None;
    }
    let meaning = view.slice(tree.child(decl.owner, 3)?);
    let uses = uses.iter().map(|&node| (view.span(node), meaning.to_vec()));
    Edit::try_of(uses.chain([(view.cut_span(decl.owner), Vec::new())])).filter(|edit| edit.gain() > 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render;

    #[test]
    fn only_when_it_shrinks() {
        let view = SmtView::new(b"(define-sort W () Int)(declare-fun f (W) W)");
        let edits = SortInline.edits(&view);
        assert_eq!(render(view.text(), &edits[0].splices), b"(declare-fun f (Int) Int)");
        let long = "(define-sort W () (Array (Array Int Int) Int))(declare-fun f (W W) W)";
        assert!(SortInline.edits(&SmtView::new(long.as_bytes())).is_empty());
    }
}
