//! Inlines defined functions, or removes their bodies.
//!
//! ```text
//! (define-fun f ((x Int)) Int (+ x 1))
//! (assert (= (f y) 0))                   =>   (assert (= (+ y 1) 0))          inlined, only when it shrinks
//!                                        or   (declare-fun f (Int) Int) …     the body forgotten
//! ```
//!
//! Names given by `:named` are inlined the same way.

use super::SmtView;
use super::retype_sorts::has_logic;
use super::symbols::application;
use super::values::sort_text;
use crate::{Edit, Grouping, Pass};
use nub_smtlib::{Decl, DeclId, DeclKind, NodeId, SortId};
use nub_text::Span;
use rustc_hash::FxHashMap;

/// Limit on the uses of one definition that are inlined.
const MAX_USES: usize = 1000;

/// See the module.
pub struct DefineInline;

impl Pass<SmtView> for DefineInline {
    fn name(&self) -> &'static str {
        "define-inline"
    }

    fn grouping(&self) -> Grouping {
        Grouping::Groups
    }

    fn edits(&self, view: &SmtView) -> Vec<Edit> {
        let analysis = view.analysis();
        let mut edits = Vec::new();
        for id in analysis.decl_ids() {
            match analysis.decl(id).kind {
                DeclKind::Macro => {
                    edits.extend(inline(view, id));
                    edits.extend(forget_body(view, id));
                }
                DeclKind::Named => edits.extend(inline_name(view, id)),
                DeclKind::Recursive => edits.extend(forget_body(view, id)),
                _ => {}
            }
        }
        edits
    }
}

/// The body of `define-fun`, `define-fun-rec`, `define-const`, `define`: the last child.
fn body(view: &SmtView, decl: &Decl) -> Option<NodeId> {
    view.tree().children(decl.owner).last().filter(|&node| view.is_term(node))
}

fn inline(view: &SmtView, id: DeclId) -> Option<Edit> {
    let analysis = view.analysis();
    let decl = analysis.decl(id);
    let body = body(view, decl)?;
    let uses = analysis.uses(id);
    if uses.is_empty() || uses.len() > MAX_USES || has_binder(view, body) || !names_are_unique(view, body) {
        return None;
    }
    let mut splices: Vec<(Span, Vec<u8>)> = vec![(view.cut_span(decl.owner), Vec::new())];
    for &symbol in uses {
        let term = application(view, id, symbol)?;
        let args: Vec<NodeId> = if decl.params.is_empty() { Vec::new() } else { view.args(term).collect() };
        // Nested uses require the inner ones to be inlined first; a later round does the others.
        if args.len() != decl.params.len() || args.iter().any(|&arg| mentions(view, arg, id)) {
            return None;
        }
        splices.push((view.span(term), instance(view, body, &args, decl)));
    }
    Edit::try_of(splices).filter(|edit| edit.gain() > 0)
}

/// The body with parameters replaced by arguments.
fn instance(view: &SmtView, body: NodeId, args: &[NodeId], decl: &Decl) -> Vec<u8> {
    let analysis = view.analysis();
    let params: Vec<DeclId> = analysis
        .decl_ids()
        .filter(|&id| analysis.decl(id).kind == DeclKind::Param && analysis.decl(id).binder == decl.owner)
        .collect();
    let place: FxHashMap<DeclId, usize> = params.into_iter().zip(0..).collect();
    let base = view.span(body).start;
    let mut splices = Vec::new();
    for node in view.tree().subtree(body) {
        if let Some(&at) = analysis.decl_of(node).and_then(|id| place.get(&id))
            && let Some(&arg) = args.get(at)
        {
            let span = view.span(node);
            let span = Span { start: span.start - base, end: span.end - base };
            splices.push((span, view.slice(arg).to_vec()));
        }
    }
    crate::render(view.slice(body), &Edit::of(splices).splices)
}

fn has_binder(view: &SmtView, body: NodeId) -> bool {
    view.analysis().decls().iter().any(|decl| decl.is_local() && view.tree().is_within(decl.binder, body))
}

/// True if every name in the body has a single meaning, so that the body means the same wherever it is inserted.
fn names_are_unique(view: &SmtView, body: NodeId) -> bool {
    let mut counts: FxHashMap<&[u8], u32> = FxHashMap::default();
    for decl in view.analysis().decls() {
        *counts.entry(view.slice(decl.name)).or_default() += 1;
    }
    let is_param = |node| {
        view.analysis().decl_of(node).is_some_and(|id| view.analysis().decl(id).kind == DeclKind::Param)
    };
    view.tree()
        .subtree(body)
        .filter(|&node| view.tree().is_symbol(node) && !is_param(node))
        .all(|node| counts.get(view.slice(node)).is_none_or(|&n| n <= 1))
}

fn mentions(view: &SmtView, term: NodeId, id: DeclId) -> bool {
    view.analysis().uses(id).iter().any(|&node| view.tree().is_within(node, term))
}

fn inline_name(view: &SmtView, id: DeclId) -> Option<Edit> {
    let analysis = view.analysis();
    let decl = analysis.decl(id);
    let uses = analysis.uses(id);
    let term = view.tree().child(decl.owner, 1)?;
    if uses.is_empty() || uses.iter().any(|&node| view.tree().is_within(node, decl.owner)) {
        return None;
    }
    let around = Edit::keep_part(view.span(decl.owner), view.span(term));
    let mut splices: Vec<(Span, Vec<u8>)> =
        around.splices.into_iter().map(|splice| (splice.span, splice.text.into_vec())).collect();
    splices.extend(uses.iter().map(|&node| (view.span(node), view.slice(term).to_vec())));
    Edit::try_of(splices).filter(|edit| edit.gain() > 0)
}

/// Turns the definition into a declaration.
fn forget_body(view: &SmtView, id: DeclId) -> Option<Edit> {
    let decl = view.analysis().decl(id);
    if decl.result == SortId::UNKNOWN || view.head_symbol(decl.owner) == Some(b"define-funs-rec") {
        return None;
    }
    if !decl.params.is_empty() && !has_logic(view, &[b"UF"]) {
        return None;
    }
    let result = sort_text(view, decl.result)?;
    let params: Option<Vec<Vec<u8>>> = decl.params.iter().map(|&param| sort_text(view, param)).collect();
    let text =
        [b"(declare-fun ", view.slice(decl.name), b" (", &params?.join(&b' '), b") ", &result, b")"].concat();
    Some(Edit::replace(view.span(decl.owner), text))
}
