//! Solves an equation for a constant and replaces the constant by the other side.
//!
//! ```text
//! (declare-const x Int)
//! (assert (= x (f y)))       =>   (assert (p (f y)))
//! (assert (p x))
//! ```
//!
//! Only if the file shrinks, the other side does not mention the constant, and all its names mean the same
//! everywhere.

use super::SmtView;
use crate::{Edit, Grouping, Pass};
use nub_smtlib::{CommandKind, DeclId, DeclKind, NodeId};
use nub_text::Span;

/// See the module.
pub struct Eliminate;

impl Pass<SmtView> for Eliminate {
    fn name(&self) -> &'static str {
        "eliminate"
    }

    fn grouping(&self) -> Grouping {
        Grouping::Single
    }

    fn edits(&self, view: &SmtView) -> Vec<Edit> {
        let asserts = view.commands().iter().filter(|(_, kind)| *kind == CommandKind::Assert);
        asserts.filter_map(|(command, _)| eliminate(view, *command)).collect()
    }
}

fn eliminate(view: &SmtView, command: NodeId) -> Option<Edit> {
    let term = view.tree().child(command, 1)?;
    if view.head_symbol(term) != Some(b"=") {
        return None;
    }
    let args: Vec<NodeId> = view.args(term).collect();
    let [left, right] = args[..] else { return None };
    [(left, right), (right, left)].into_iter().find_map(|(variable, value)| {
        let id = view.analysis().decl_of(variable)?;
        substitute(view, command, id, value)
    })
}

fn substitute(view: &SmtView, command: NodeId, id: DeclId, value: NodeId) -> Option<Edit> {
    let (tree, analysis) = (view.tree(), view.analysis());
    let decl = analysis.decl(id);
    let uses = analysis.uses(id);
    let is_constant = decl.kind == DeclKind::Fun && decl.params.is_empty();
    if !is_constant
        || uses.iter().any(|&node| tree.is_within(node, value))
        || !is_closed(view, value, decl.owner)
    {
        return None;
    }
    let mut splices: Vec<(Span, Vec<u8>)> =
        [decl.owner, command].map(|node| (view.cut_span(node), Vec::new())).into();
    for &node in uses.iter().filter(|&&node| !tree.is_within(node, command)) {
        splices.push((view.span(node), view.slice(value).to_vec()));
    }
    Edit::try_of(splices).filter(|edit| edit.gain() > 0)
}

/// True if every name in the term is an operator, or a global that is declared before `before` and never shadowed.
fn is_closed(view: &SmtView, term: NodeId, before: NodeId) -> bool {
    let (tree, analysis) = (view.tree(), view.analysis());
    let is_hidden =
        |name: &[u8]| analysis.decls().iter().any(|decl| decl.is_local() && view.slice(decl.name) == name);
    tree.subtree(term).filter_map(|node| analysis.decl_of(node)).all(|id| {
        let decl = analysis.decl(id);
        !decl.is_local() && decl.owner < before && !is_hidden(view.slice(decl.name))
    })
}
