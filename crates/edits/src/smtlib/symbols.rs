//! Removes declared functions together with their uses.
//!
//! ```text
//! (declare-fun f (Int) Int)
//! (assert (= (f 1) (f x)))   =>   (assert (= 0 0))
//! ```
//!
//! Every application becomes the simplest value of its sort, and the declaration is removed. For functions there is another choice, the
//! first argument of the right sort: `(f x)` becomes `x` everywhere.

use super::SmtView;
use super::values::values;
use crate::{Edit, Pass};
use nub_smtlib::{DeclId, DeclKind, NodeId, SortId};
use nub_text::Span;

/// See the module.
pub struct Symbols;

impl Pass<SmtView> for Symbols {
    fn name(&self) -> &'static str {
        "symbols"
    }

    fn edits(&self, view: &SmtView) -> Vec<Edit> {
        let analysis = view.analysis();
        let wanted = |kind| matches!(kind, DeclKind::Fun | DeclKind::Macro | DeclKind::Recursive);
        let ids: Vec<DeclId> = analysis
            .decl_ids()
            .filter(|&id| wanted(analysis.decl(id).kind) && !analysis.uses(id).is_empty())
            .collect();
        let mut edits: Vec<Edit> = ids.iter().filter_map(|&id| to_value(view, id)).collect();
        edits.extend(ids.iter().filter_map(|&id| to_argument(view, id)));
        edits
    }
}

/// The term that a use heads: the symbol itself for constants, otherwise the application. `None` if it is used as a
/// value (higher order) or under `(as f S)`.
pub(super) fn application(view: &SmtView, decl: DeclId, symbol: NodeId) -> Option<NodeId> {
    if view.analysis().decl(decl).params.is_empty() {
        return view.is_term(symbol).then_some(symbol);
    }
    let parent = view.tree().parent(symbol)?;
    (view.is_term(parent) && view.tree().first_child(parent) == Some(symbol)).then_some(parent)
}

/// The applications of a function, only the outermost ones. `None` if one of them cannot be replaced.
fn applications(view: &SmtView, id: DeclId) -> Option<Vec<NodeId>> {
    let mut all: Vec<NodeId> = Vec::new();
    for &symbol in view.analysis().uses(id) {
        let term = application(view, id, symbol)?;
        if all.last().is_none_or(|&last| !view.tree().is_within(term, last)) {
            all.push(term);
        }
    }
    Some(all)
}

fn to_value(view: &SmtView, id: DeclId) -> Option<Edit> {
    let decl = view.analysis().decl(id);
    if decl.result == SortId::UNKNOWN || decl.kind == DeclKind::Recursive {
        return None;
    }
    let name = view.slice(decl.name);
    let terms = applications(view, id)?;
    let value = values(view, decl.result, *terms.first()?).into_iter().find(|value| value != name)?;
    let mut splices: Vec<(Span, Vec<u8>)> =
        terms.iter().map(|&term| (view.span(term), value.clone())).collect();
    splices.push((view.cut_span(decl.owner), Vec::new()));
    Edit::try_of(splices)
}

fn to_argument(view: &SmtView, id: DeclId) -> Option<Edit> {
    let decl = view.analysis().decl(id);
    let at = decl.params.iter().position(|&param| param == decl.result && param != SortId::UNKNOWN)?;
    if decl.kind != DeclKind::Fun {
        return None;
    }
    let mut splices: Vec<(Span, Vec<u8>)> = vec![(view.cut_span(decl.owner), Vec::new())];
    for &symbol in view.analysis().uses(id) {
        let term = application(view, id, symbol)?;
        let part = view.tree().child(term, at + 1)?;
        let around = Edit::keep_part(view.span(term), view.span(part));
        splices.extend(around.splices.into_iter().map(|splice| (splice.span, splice.text.into_vec())));
    }
    disjoint(splices)
}

/// Nested applications give nested cuts: the outer one wins.
fn disjoint(splices: Vec<(Span, Vec<u8>)>) -> Option<Edit> {
    let mut merged = crate::MergedEdits::default();
    for (span, text) in splices {
        if !merged.add(&Edit::replace(span, text)) && !merged.covers(span) {
            return None;
        }
    }
    Some(Edit { splices: merged.splices() })
}
