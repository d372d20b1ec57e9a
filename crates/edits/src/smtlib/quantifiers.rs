//! Removes quantified variables.
//!
//! ```text
//! (forall ((x Int) (y Int)) (< x y))   =>   (forall ((y Int)) (< 0 y))
//! ```
//!
//! A variable is removed, and its uses become the simplest value of its sort. The binder is removed with its
//! last variable.

use super::SmtView;
use super::values::values;
use crate::{Edit, Pass};
use nub_smtlib::{DeclId, DeclKind, SortId};

/// See the module.
pub struct SmtQuantifiers;

impl Pass<SmtView> for SmtQuantifiers {
    fn name(&self) -> &'static str {
        "quantifiers"
    }

    fn edits(&self, view: &SmtView) -> Vec<Edit> {
        let analysis = view.analysis();
        let bound = analysis.decl_ids().filter(|&id| analysis.decl(id).kind == DeclKind::Bound);
        bound.filter_map(|id| instantiate(view, id)).collect()
    }
}

fn instantiate(view: &SmtView, id: DeclId) -> Option<Edit> {
    let (tree, analysis) = (view.tree(), view.analysis());
    let decl = analysis.decl(id);
    let list = tree.parent(decl.owner)?;
    // `lambda` has a function sort, which depends on the number of variables.
    if view.sort(decl.binder) != Some(SortId::BOOL) {
        return None;
    }
    let uses = analysis.uses(id);
    let value = if uses.is_empty() {
        Vec::new()
    } else {
        values(view, decl.result, decl.binder)
            .into_iter()
            .next()
            .filter(|_| decl.result != SortId::UNKNOWN)?
    };
    let mut splices: Vec<_> = uses.iter().map(|&node| (view.span(node), value.clone())).collect();
    if tree.children(list).count() > 1 {
        splices.push((view.cut_span(decl.owner), Vec::new()));
    } else {
        let body = tree.child(decl.binder, 2)?;
        let around = Edit::keep_part(view.span(decl.binder), view.span(body));
        splices.extend(around.splices.into_iter().map(|splice| (splice.span, splice.text.into_vec())));
    }
    Edit::try_of(splices)
}
