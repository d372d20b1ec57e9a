//! Replaces a term by a constant of the same sort.
//!
//! ```text
//! (assert (= (f x) y))   =>   (assert (= x y))
//! ```
//!
//! Larger terms become any constant; a constant only becomes one that was declared before it, so that this ends
//! and variables are merged.

use super::SmtView;
use crate::{Edit, Pass, pass::MAX_EDITS};
use nub_smtlib::{DeclKind, NodeId};

/// Limit on the choices per term.
const MAX_CHOICES: usize = 3;

/// See the module.
pub struct ReplaceByVariable;

impl Pass<SmtView> for ReplaceByVariable {
    fn name(&self) -> &'static str {
        "variables"
    }

    fn edits(&self, view: &SmtView) -> Vec<Edit> {
        let mut edits: Vec<(usize, Edit)> = Vec::new();
        for term in view.terms() {
            if edits.len() >= MAX_EDITS {
                break;
            }
            edits.extend(choices(view, term).into_iter().enumerate());
        }
        edits.sort_by_key(|(rank, _)| *rank);
        edits.into_iter().map(|(_, edit)| edit).collect()
    }
}

fn choices(view: &SmtView, term: NodeId) -> Vec<Edit> {
    let Some(sort) = view.sort(term) else { return Vec::new() };
    let analysis = view.analysis();
    let own = analysis.decl_of(term);
    let visible = view.variables().visible(view, sort, term).filter(|&id| match own {
        Some(own) => analysis.decl(own).kind != DeclKind::Fun || id < own,
        None => view.tree().is_list(term),
    });
    let names = visible.map(|id| view.slice(analysis.decl(id).name));
    names.take(MAX_CHOICES).map(|name| Edit::replace(view.span(term), name)).collect()
}
