//! Removes parameters of declared and defined functions, with the arguments.
//!
//! ```text
//! (declare-fun f (Int Bool) Int)        (declare-fun f (Int) Int)
//! (assert (= (f 1 true) 0))        =>   (assert (= (f 1) 0))
//! ```
//!
//! A function that loses its last parameter becomes a constant: `(f 1)` becomes `f`. A parameter that a definition's
//! body uses must first be replaced there, so only unused ones are removed from definitions.

use super::SmtView;
use super::symbols::application;
use crate::{Edit, MergedEdits, Pass};
use nub_smtlib::{CommandKind, DeclId, DeclKind, NodeId};

/// See the module.
pub struct Arity;

impl Pass<SmtView> for Arity {
    fn name(&self) -> &'static str {
        "arity"
    }

    fn edits(&self, view: &SmtView) -> Vec<Edit> {
        let analysis = view.analysis();
        let mut edits = Vec::new();
        for id in analysis.decl_ids() {
            let decl = analysis.decl(id);
            if matches!(decl.kind, DeclKind::Fun | DeclKind::Macro | DeclKind::Recursive)
                && !decl.params.is_empty()
            {
                edits.extend(drop_all(view, id));
                edits.extend((0..decl.params.len()).filter_map(|at| drop_one(view, id, at)));
            }
        }
        edits
    }
}

/// The parameters, if the declaration has the usual form.
fn parameters(view: &SmtView, id: DeclId) -> Option<Vec<NodeId>> {
    let tree = view.tree();
    let decl = view.analysis().decl(id);
    if tree.parent(decl.name)? != decl.owner
        || view.script().command_kind(decl.owner) == CommandKind::DefineFunsRec
    {
        return None;
    }
    let list = tree.child(decl.owner, 2)?;
    let nodes: Vec<NodeId> = tree.children(list).collect();
    (nodes.len() == decl.params.len() && nodes.iter().all(|&node| is_droppable(view, node))).then_some(nodes)
}

/// A sort, or a `(x S)` whose variable is not used.
fn is_droppable(view: &SmtView, node: NodeId) -> bool {
    let Some(name) = view.tree().first_child(node) else { return true };
    match view.analysis().decl_of(name) {
        Some(id) if view.analysis().decl(id).kind == DeclKind::Param => view.analysis().uses(id).is_empty(),
        _ => true,
    }
}

fn drop_one(view: &SmtView, id: DeclId, at: usize) -> Option<Edit> {
    let params = parameters(view, id)?;
    if params.len() == 1 {
        return None;
    }
    let mut merged = MergedEdits::default();
    merged.add(&view.cut(params[at]));
    for &symbol in view.analysis().uses(id) {
        let term = application(view, id, symbol)?;
        let cut = view.cut(view.tree().child(term, at + 1)?);
        if !merged.add(&cut) && !merged.covers(cut.splices[0].span) {
            return None;
        }
    }
    Some(Edit { splices: merged.splices() })
}

fn drop_all(view: &SmtView, id: DeclId) -> Option<Edit> {
    let mut merged = MergedEdits::default();
    for &param in &parameters(view, id)? {
        merged.add(&view.cut(param));
    }
    for &symbol in view.analysis().uses(id) {
        let term = application(view, id, symbol)?;
        let edit = Edit::keep_part(view.span(term), view.span(symbol));
        if !merged.add(&edit) && !merged.covers(view.span(term)) {
            return None;
        }
    }
    Some(Edit { splices: merged.splices() })
}
