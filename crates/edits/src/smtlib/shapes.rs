//! The shape of commands, as defined by the standard.

use super::SmtView;
use nub_smtlib::{CommandKind, NodeId, NodeKind};

/// Whether a command has the parts it must have.
pub(super) fn has_shape(view: &SmtView, node: NodeId, kind: CommandKind) -> bool {
    use CommandKind::*;
    let tree = view.tree();
    let n = tree.children(node).count();
    let part = |at: usize| tree.child(node, at);
    match kind {
        CheckSatAssuming => n == 2 && part(1).is_some_and(|list| tree.is_list(list) && are_terms(view, list)),
        GetValue => n == 2 && part(1).is_some_and(|list| tree.first_child(list).is_some()),
        Push | Pop => n == 2 && part(1).is_some_and(|levels| tree.kind(levels) == NodeKind::Numeral),
        Assert | SetLogic | Echo | GetInfo | GetOption => n == 2,
        CheckSat | Exit | GetModel | GetAssertions | GetAssignment | GetProof | GetUnsatCore | Reset
        | GetUnsatAssumptions | ResetAssertions => n == 1,
        DeclareDatatypes | DeclareCodatatypes => n == 3 && are_datatypes(view, node),
        DeclareDatatype | DeclareCodatatype => {
            n == 3 && part(2).is_some_and(|list| has_constructors(view, list))
        }
        DefineFunsRec => n == 3 && are_functions(view, node),
        DeclareConst => n == 3,
        DeclareSort => n == 3 && part(2).is_some_and(|arity| tree.kind(arity) == NodeKind::Numeral),
        DefineConst => n == 4,
        DeclareFun | DefineSort => n == 4 && part(2).is_some_and(|list| tree.is_list(list)),
        DefineFun | DefineFunRec => n == 5 && part(2).is_some_and(|list| tree.is_list(list)),
        SetOption | SetInfo => n == 3,
        Other => false,
        _ => tree.is_list(node),
    }
}

fn are_terms(view: &SmtView, list: NodeId) -> bool {
    view.tree().children(list).all(|term| view.sort(term) == Some(nub_smtlib::SortId::BOOL))
}

/// `(declare-datatypes (T…) ((D c…)…))`, from before version 2.6 of the standard.
pub(super) fn is_older_form(view: &SmtView, command: NodeId) -> bool {
    let tree = view.tree();
    tree.child(command, 1)
        .is_some_and(|names| tree.is_list(names) && tree.children(names).all(|name| tree.is_symbol(name)))
}

/// `((D n)…) (body…)` with the same number of bodies, or the older form with sort parameters first.
fn are_datatypes(view: &SmtView, command: NodeId) -> bool {
    let tree = view.tree();
    let lists: Vec<NodeId> = tree.children(command).skip(1).collect();
    let [names, bodies] = lists[..] else { return false };
    if !tree.is_list(names) || !tree.is_list(bodies) || tree.first_child(bodies).is_none() {
        return false;
    }
    if is_older_form(view, command) {
        return tree
            .children(bodies)
            .all(|body| tree.first_child(body).is_some_and(|name| tree.is_symbol(name)));
    }
    let is_entry = |entry: NodeId| {
        let kinds: Vec<NodeKind> = tree.children(entry).map(|part| tree.kind(part)).collect();
        matches!(kinds[..], [NodeKind::Symbol | NodeKind::Quoted, NodeKind::Numeral])
    };
    tree.children(names).all(is_entry)
        && tree.children(names).count() == tree.children(bodies).count()
        && tree.children(names).zip(tree.children(bodies)).all(|(entry, body)| {
            let arity = tree.child(entry, 1).map_or(&b""[..], |arity| view.slice(arity));
            has_constructors(view, body) && arity == n_params(view, body).to_string().as_bytes()
        })
}

/// Sort parameters of a body: those of `par`.
fn n_params(view: &SmtView, body: NodeId) -> usize {
    let tree = view.tree();
    let params = tree.child(body, 1).filter(|_| view.head_symbol(body) == Some(b"par"));
    params.map_or(0, |params| tree.children(params).count())
}

/// At least one constructor `(c (s S)…)`, also below `(par (T…) …)`.
fn has_constructors(view: &SmtView, list: NodeId) -> bool {
    let tree = view.tree();
    if view.head_symbol(list) == Some(b"par") {
        let parts: Vec<NodeId> = tree.children(list).collect();
        return matches!(parts[..], [_, params, body]
            if tree.first_child(params).is_some() && has_plain_constructors(view, body));
    }
    has_plain_constructors(view, list)
}

fn has_plain_constructors(view: &SmtView, list: NodeId) -> bool {
    let tree = view.tree();
    let is_named = |part: NodeId| tree.first_child(part).is_some_and(|name| tree.is_symbol(name));
    let is_field = |field: NodeId| is_named(field) && tree.children(field).count() == 2;
    let is_constructor = |part: NodeId| is_named(part) && tree.children(part).skip(1).all(is_field);
    tree.first_child(list).is_some() && tree.children(list).all(is_constructor)
}

/// `((f ((x S)…) S)…) (t…)` with the same number of bodies.
fn are_functions(view: &SmtView, command: NodeId) -> bool {
    let tree = view.tree();
    let lists: Vec<NodeId> = tree.children(command).skip(1).collect();
    let [heads, bodies] = lists[..] else { return false };
    let is_head = |head: NodeId| {
        let parts: Vec<NodeId> = tree.children(head).collect();
        matches!(parts[..], [name, params, _] if tree.is_symbol(name) && tree.is_list(params))
    };
    tree.first_child(heads).is_some()
        && tree.children(heads).all(is_head)
        && tree.children(heads).count() == tree.children(bodies).count()
}
