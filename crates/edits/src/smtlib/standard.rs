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
            decl.kind == DeclKind::Datatype && tree.is_list(decl.owner) && tree.first_child(decl.owner).is_none()
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
        self.arity |= op.attribute != Attribute::None && op.name != "-" && view.args(term).take(2).count() < 2;
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
        DeclareConst | DeclareSort | DeclareDatatype | DeclareDatatypes | DefineFunsRec => n == 3,
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
