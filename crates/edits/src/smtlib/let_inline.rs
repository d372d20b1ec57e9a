//! Replaces a `let` variable by its value.
//!
//! ```text
//! (let ((x (f y))) (= x 1))   =>   (= (f y) 1)
//! ```
//!
//! If the variable is not used but the failure needs its value, the value replaces a leaf of its sort:
//!
//! ```text
//! (let ((x (f y))) (= z 1))   =>   (= (f y) 1)
//! ```
//!
//! Only if the file shrinks: there is one use, or the value is not longer than the variable. A binder
//! between the `let` and the use that reuses a name of the value would capture it, so such uses are skipped.

use super::SmtView;
use crate::{Edit, Pass, pass::MAX_EDITS};
use nub_smtlib::{Decl, DeclId, DeclKind, NodeId};
use rustc_hash::FxHashSet;

/// Limit on the nodes inspected to find a leaf.
const MAX_LOOK: usize = 200;

/// See the module.
pub struct LetInline;

impl Pass<SmtView> for LetInline {
    fn name(&self) -> &'static str {
        "let-inline"
    }

    fn edits(&self, view: &SmtView) -> Vec<Edit> {
        let analysis = view.analysis();
        let shadowed = shadowed_names(view);
        let lets = analysis.decl_ids().filter(|&id| analysis.decl(id).kind == DeclKind::Let);
        lets.filter_map(|id| inline(view, id, &shadowed)).take(MAX_EDITS).collect()
    }
}

/// Names that are bound or declared more than once.
fn shadowed_names(view: &SmtView) -> FxHashSet<&[u8]> {
    let mut seen = FxHashSet::default();
    let mut twice = FxHashSet::default();
    for decl in view.analysis().decls() {
        let name = view.slice(decl.name);
        if !seen.insert(name) {
            twice.insert(name);
        }
    }
    twice
}

fn inline(view: &SmtView, id: DeclId, shadowed: &FxHashSet<&[u8]>) -> Option<Edit> {
    let (tree, analysis) = (view.tree(), view.analysis());
    let decl = analysis.decl(id);
    let uses = analysis.uses(id);
    let value = tree.child(decl.owner, 1)?;
    let pays = uses.len() == 1 || view.span(value).len() <= view.span(decl.name).len() + 2;
    if !(pays || uses.is_empty()) || is_captured(view, value, shadowed) {
        return None;
    }
    let places = if uses.is_empty() { vec![leaf(view, decl, value)?] } else { uses.to_vec() };
    let mut splices = unbind(view, decl)?;
    splices.extend(places.iter().map(|&node| (view.span(node), view.slice(value).to_vec())));
    Edit::try_of(splices)
}

/// The last atom in the body that has the value's sort.
fn leaf(view: &SmtView, decl: &Decl, value: NodeId) -> Option<NodeId> {
    let tree = view.tree();
    let sort = view.sort(value)?;
    let body = tree.child(decl.binder, 2)?;
    let is_leaf = |&node: &NodeId| tree.size(node) == 1 || view.head_symbol(node) == Some(b"_");
    let mut last = tree.subtree(body).rev().take(MAX_LOOK);
    last.find(|node| is_leaf(node) && view.sort(*node) == Some(sort))
}

/// True if a name in the value has several meanings: it may have another one at the use.
fn is_captured(view: &SmtView, value: NodeId, shadowed: &FxHashSet<&[u8]>) -> bool {
    !shadowed.is_empty()
        && view
            .tree()
            .subtree(value)
            .any(|node| view.tree().is_symbol(node) && shadowed.contains(view.slice(node)))
}

/// The cuts that remove one binding, and the `let` with its last one.
fn unbind(view: &SmtView, decl: &Decl) -> Option<Vec<(nub_text::Span, Vec<u8>)>> {
    let tree = view.tree();
    let list = tree.parent(decl.owner)?;
    if tree.children(list).count() > 1 {
        return Some(vec![(view.cut_span(decl.owner), Vec::new())]);
    }
    let body = tree.child(decl.binder, 2)?;
    let edit = Edit::keep_part(view.span(decl.binder), view.span(body));
    Some(edit.splices.into_iter().map(|splice| (splice.span, splice.text.into_vec())).collect())
}
