//! What the standard asks beyond sorts: the shape of commands, the number of arguments.
//!
//! Solvers forgive much: z3 reads `(push)`, `(and x)` and `(declare-sort S)`. A file for a bug report should not
//! rely on that unless the original did, so a candidate may break only the rules that the original breaks.

use super::View;
use nub_smtlib::ops::{Attribute, Origin};
use nub_smtlib::{CommandKind, DeclKind, NodeId, SortId};

/// The rules a script breaks.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Violations {
    /// A command nobody knows, or one with too few or too many parts: `(push)`, `(declare-sort S)`.
    pub shape: bool,
    /// An operator on fewer arguments than its theory declares: `(and x)`, `(distinct x)`.
    pub arity: bool,
    /// A binder without variables, a datatype without constructors.
    pub empty: bool,
    /// An operator that only some solvers know.
    pub dialect: bool,
    /// A term whose sort we cannot tell.
    pub unsorted: bool,
}

impl Violations {
    /// The rules that `view` breaks. One walk over the terms.
    pub fn of(view: &View) -> Violations {
        let mut found = Violations {
            shape: view.commands().iter().any(|&(node, kind)| !has_shape(view, node, kind)),
            ..Violations::default()
        };
        for term in view.terms() {
            found.unsorted |= view.sort(term).is_none();
            if view.tree().is_list(term) {
                found.check_term(view, term);
            }
        }
        let tree = view.tree();
        found.empty |= view.analysis().decls().iter().any(|decl| {
            decl.kind == DeclKind::Datatype
                && tree.is_list(decl.owner)
                && tree.first_child(decl.owner).is_none()
        });
        found
    }

    /// True if every rule broken here is broken there too.
    pub fn is_within(self, other: Violations) -> bool {
        (!self.shape || other.shape)
            && (!self.arity || other.arity)
            && (!self.empty || other.empty)
            && (!self.dialect || other.dialect)
            && (!self.unsorted || other.unsorted)
    }

    fn check_term(&mut self, view: &View, term: NodeId) {
        if let Some(b"let" | b"forall" | b"exists" | b"lambda") = view.head_symbol(term) {
            let list = view.tree().child(term, 1);
            self.empty |= list.is_some_and(|list| view.tree().first_child(list).is_none());
        }
        let Some(op) = view.analysis().head(term).and_then(|head| head.op) else { return };
        self.dialect |= op.origin != Origin::Standard;
        self.arity |=
            op.attribute != Attribute::None && op.name != "-" && view.args(term).take(2).count() < 2;
    }
}

fn has_shape(view: &View, node: NodeId, kind: CommandKind) -> bool {
    use CommandKind::*;
    let tree = view.tree();
    let n = tree.children(node).count();
    match kind {
        CheckSatAssuming => n == 2 && tree.child(node, 1).is_some_and(|list| is_boolean(view, list)),
        Assert | SetLogic | Push | Pop | Echo | GetInfo | GetOption => n == 2,
        CheckSat | Exit | GetModel | GetAssertions | GetAssignment | GetProof | GetUnsatCore | Reset
        | GetUnsatAssumptions | ResetAssertions => n == 1,
        GetValue => n == 2 && tree.child(node, 1).is_some_and(|list| tree.first_child(list).is_some()),
        DeclareDatatypes | DeclareCodatatypes | DefineFunsRec => n == 3 && are_pairs(view, node),
        DeclareDatatype | DeclareCodatatype => {
            n == 3 && tree.child(node, 2).is_some_and(|list| has_constructors(view, list))
        }
        DeclareConst | DeclareSort => n == 3,
        DeclareFun | DefineConst | DefineSort => n == 4,
        DefineFun | DefineFunRec => n == 5,
        SetOption => n == 3,
        SetInfo => n == 2 || n == 3,
        Other => false,
        _ => tree.is_list(node),
    }
}

fn is_boolean(view: &View, list: NodeId) -> bool {
    view.tree().children(list).all(|term| view.sort(term) == Some(SortId::BOOL))
}

/// At least one constructor `(c (s S)…)`; what `par` opens is let through.
fn has_constructors(view: &View, list: NodeId) -> bool {
    let tree = view.tree();
    let is_field = |field: NodeId| tree.first_child(field).is_some_and(|name| tree.is_symbol(name));
    let is_constructor = |part: NodeId| {
        tree.first_child(part).is_some_and(|name| tree.is_symbol(name))
            && tree.children(part).skip(1).all(|field| is_field(field) && tree.children(field).count() == 2)
    };
    view.head_symbol(list) == Some(b"par")
        || (tree.first_child(list).is_some() && tree.children(list).all(is_constructor))
}

/// Two lists of the same length, of lists (`((D 0)) (((c)))`), or the older form with sort parameters first.
fn are_pairs(view: &View, command: NodeId) -> bool {
    let tree = view.tree();
    let lists: Vec<NodeId> = tree.children(command).skip(1).collect();
    let [first, second] = lists[..] else { return false };
    let is_new = tree.first_child(first).is_some_and(|entry| tree.is_list(entry));
    let bodies = || tree.children(second);
    tree.first_child(second).is_some()
        && (!is_new || bodies().all(|body| has_body(view, command, body)))
        && (!is_new || tree.children(first).count() == bodies().count())
}

fn has_body(view: &View, command: NodeId, body: NodeId) -> bool {
    view.script().command_kind(command) == CommandKind::DefineFunsRec || has_constructors(view, body)
}
