//! Removes fields, constructors and whole datatypes.
//!
//! ```text
//! (declare-datatype L ((nil) (cons (head Int) (tail L))))
//! (assert (= (head (cons 1 nil)) 0))
//! =>  (declare-datatype L ((nil) (cons (tail L))))        a field goes with its arguments; what selected it
//!     (assert (= 0 0))                                    becomes a value
//! =>  (declare-datatype L ((nil)))                        a constructor goes; what it built becomes a value
//! ```
//!
//! A datatype keeps at least one constructor. In a `match`, the case of a constructor is removed with it, and an unused
//! variable with its field. Uses that cannot be replaced (updaters) keep the part in place.

use super::SmtView;
use super::symbols::application;
use super::values::values;
use crate::{Edit, MergedEdits, Pass};
use nub_smtlib::{DeclId, DeclKind, NodeId, NodeRole, SortId};
use nub_text::Span;

/// See the module.
pub struct Datatypes;

impl Pass<SmtView> for Datatypes {
    fn name(&self) -> &'static str {
        "datatypes"
    }

    fn edits(&self, view: &SmtView) -> Vec<Edit> {
        let analysis = view.analysis();
        let mut edits = Vec::new();
        for id in analysis.decl_ids() {
            match analysis.decl(id).kind {
                DeclKind::Datatype => edits.extend(drop_type(view, id)),
                DeclKind::Constructor => edits.extend(drop_constructor(view, id)),
                DeclKind::Selector => edits.extend(drop_field(view, id)),
                _ => {}
            }
        }
        edits
    }
}

/// Only one kind of parts, for ddSMT's mutators.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DatatypeParts {
    /// Whole types.
    Types,
    /// Constructors.
    Constructors,
}

impl Pass<SmtView> for DatatypeParts {
    fn name(&self) -> &'static str {
        match self {
            DatatypeParts::Types => "datatype-types",
            DatatypeParts::Constructors => "datatype-constructors",
        }
    }

    fn edits(&self, view: &SmtView) -> Vec<Edit> {
        let ids = view.analysis().decl_ids();
        match self {
            DatatypeParts::Types => {
                let types = ids.filter(|&id| view.analysis().decl(id).kind == DeclKind::Datatype);
                types.filter_map(|id| drop_type(view, id)).collect()
            }
            DatatypeParts::Constructors => {
                let all = ids.filter(|&id| view.analysis().decl(id).kind == DeclKind::Constructor);
                all.filter_map(|id| drop_constructor(view, id)).collect()
            }
        }
    }
}

/// Removes one of several types declared together, if it is only used in its own definition.
fn drop_type(view: &SmtView, id: DeclId) -> Option<Edit> {
    let (tree, analysis) = (view.tree(), view.analysis());
    let decl = analysis.decl(id);
    let entry = tree.parent(decl.name)?;
    let names = tree.parent(entry)?;
    let command = tree.parent(names)?;
    if !tree.is_list(entry) || tree.children(names).count() < 2 || tree.child(command, 1) != Some(names) {
        return None;
    }
    let at = tree.children(names).position(|node| node == entry)?;
    let definition = tree.child(tree.child(command, 2)?, at)?;
    let parts = analysis.decl_ids().filter(|&part| part == id || belongs_to(view, part, id));
    let is_free = |part: DeclId| analysis.uses(part).iter().all(|&node| tree.is_within(node, definition));
    let cuts = [(view.cut_span(entry), Vec::new()), (view.cut_span(definition), Vec::new())];
    if parts.into_iter().all(is_free) { Edit::try_of(cuts) } else { None }
}

fn belongs_to(view: &SmtView, part: DeclId, datatype: DeclId) -> bool {
    let analysis = view.analysis();
    let parent = analysis.decl(part).parent;
    parent == Some(datatype) || parent.is_some_and(|parent| analysis.decl(parent).parent == Some(datatype))
}

fn drop_constructor(view: &SmtView, id: DeclId) -> Option<Edit> {
    let (tree, analysis) = (view.tree(), view.analysis());
    let decl = analysis.decl(id);
    let siblings = tree.children(tree.parent(decl.owner)?).filter(|&node| tree.is_list(node)).count();
    if siblings < 2 || !tree.is_list(decl.owner) {
        return None;
    }
    let mut merged = MergedEdits::default();
    merged.add(&view.cut(decl.owner));
    replace_applications(view, id, &mut merged)?;
    for selector in analysis.decl_ids().filter(|&part| analysis.decl(part).parent == Some(id)) {
        replace_applications(view, selector, &mut merged)?;
    }
    Some(Edit { splices: merged.splices() })
}

fn drop_field(view: &SmtView, id: DeclId) -> Option<Edit> {
    let (tree, analysis) = (view.tree(), view.analysis());
    let decl = analysis.decl(id);
    let constructor = decl.parent?;
    let fields = tree.children(tree.parent(decl.owner)?).skip(1);
    let at = fields.clone().position(|node| node == decl.owner)?;
    let n_fields = fields.count();
    let mut merged = MergedEdits::default();
    merged.add(&view.cut(decl.owner));
    replace_applications(view, id, &mut merged)?;
    for &symbol in analysis.uses(constructor) {
        if is_tester(view, symbol) {
            continue;
        }
        let term = match pattern_of(view, symbol) {
            Some(pattern) => {
                let variable = analysis.decl_of(tree.child(pattern, at + 1)?)?;
                if !analysis.uses(variable).is_empty() {
                    return None;
                }
                pattern
            }
            None => application(view, constructor, symbol)?,
        };
        let edit = match n_fields {
            1 => Edit::keep_part(view.span(term), view.span(symbol)),
            _ => view.cut(tree.child(term, at + 1)?),
        };
        add(&mut merged, &edit)?;
    }
    Some(Edit { splices: merged.splices() })
}

/// Replaces every application of a constructor or selector by a value; testers become `false`.
fn replace_applications(view: &SmtView, id: DeclId, merged: &mut MergedEdits) -> Option<()> {
    let (tree, analysis) = (view.tree(), view.analysis());
    let decl = analysis.decl(id);
    for &symbol in analysis.uses(id) {
        if let Some(case) = case_of(view, symbol) {
            add(merged, &view.cut(case))?;
            continue;
        }
        let (term, value) = if is_tester(view, symbol) {
            let test = tester_application(view, symbol)?;
            (test, b"false".to_vec())
        } else {
            let term = application(view, id, symbol)?;
            let sort = view.sort(term).filter(|&sort| sort != SortId::UNKNOWN)?;
            let name = view.slice(decl.name);
            (term, values(view, sort, term).into_iter().find(|value| value != name)?)
        };
        if tree.is_within(term, decl.owner) {
            continue;
        }
        add(merged, &Edit::replace(view.span(term), value))?;
    }
    Some(())
}

/// The pattern `(c x y)` that a constructor heads.
fn pattern_of(view: &SmtView, symbol: NodeId) -> Option<NodeId> {
    view.tree().parent(symbol).filter(|&list| view.analysis().role(list) == NodeRole::Pattern)
}

/// The case of a `match` whose pattern is, or begins with, a constructor.
fn case_of(view: &SmtView, symbol: NodeId) -> Option<NodeId> {
    let tree = view.tree();
    let pattern = pattern_of(view, symbol).unwrap_or(symbol);
    let case = tree.parent(pattern).filter(|&case| tree.first_child(case) == Some(pattern))?;
    let term = tree.parent(tree.parent(case)?)?;
    (view.head_symbol(term) == Some(b"match") && view.is_term(term)).then_some(case)
}

fn add(merged: &mut MergedEdits, edit: &Edit) -> Option<()> {
    let is_covered = |span: Span| merged.covers(span);
    if edit.splices.iter().all(|splice| is_covered(splice.span)) {
        return Some(());
    }
    merged.add(edit).then_some(())
}

/// True if the symbol is in `(_ is C)` or is z3's `is-C`.
fn is_tester(view: &SmtView, symbol: NodeId) -> bool {
    let tree = view.tree();
    let in_index = tree.parent(symbol).is_some_and(|list| {
        view.head_symbol(list) == Some(b"_")
            && tree.child(list, 1).is_some_and(|name| view.slice(name) == b"is")
    });
    in_index || view.slice(symbol).starts_with(b"is-")
}

fn tester_application(view: &SmtView, symbol: NodeId) -> Option<NodeId> {
    let tree = view.tree();
    let list = tree.parent(symbol)?;
    let term = if view.head_symbol(list) == Some(b"_") { tree.parent(list)? } else { list };
    view.is_term(term).then_some(term)
}
