//! What a script means: declarations, uses, scopes, sorts.
//!
//! One walk over the tree in order, with an explicit stack; linear in the number
//! of nodes (sort look-ups are hash look-ups). The result is plain tables
//! indexed by node, so that edits can ask anything in constant time.

use crate::{NodeId, Script, SortId, Sorts};
use nub_text::Diagnostic;

/// A declaration: anything that gives a name a meaning.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct DeclId(pub u32);

/// What a declaration declares.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum DeclKind {
    /// `declare-fun`, `declare-const`, `declare-var`, `declare-rel`, `synth-fun`: a symbol without a body
    Fun,
    /// `define-fun`, `define-const`, `define`: a symbol with a body that cannot refer to itself
    Macro,
    /// `define-fun-rec`, `define-funs-rec`
    Recursive,
    /// `declare-sort`
    Sort,
    /// `define-sort`
    SortMacro,
    /// A datatype
    Datatype,
    /// A constructor of a datatype
    Constructor,
    /// A selector of a datatype
    Selector,
    /// A sort parameter
    SortParam,
    /// A variable of `let`
    Let,
    /// A variable of `forall`, `exists`, `lambda`, `choice` and the like
    Bound,
    /// A parameter of a defined function
    Param,
    /// A variable of a `match` pattern
    Pattern,
    /// A name given by `:named`
    Named,
}

/// One declaration.
pub struct Decl {
    /// What it declares.
    pub kind: DeclKind,
    /// The symbol that is declared, where it is declared.
    pub name: NodeId,
    /// The node that goes when the declaration goes: the command for globals, the binding `(x t)` or `(x S)` for
    /// locals, the constructor or selector list, the `(! t :named x)` term.
    pub owner: NodeId,
    /// The term or command that opens the scope: the `let`, `forall`, `match`, `define-fun` node for locals; the
    /// command for globals. A term that uses a local must stay within it.
    pub binder: NodeId,
    /// Nodes in which the name is visible, shadowing apart: from the first up to, not including, the second.
    pub scope: (NodeId, NodeId),
    /// Argument sorts.
    pub params: Box<[SortId]>,
    /// Result sort; `UNKNOWN` for sorts.
    pub result: SortId,
    /// Number of sort parameters, for sorts and datatypes; for polymorphic functions the sort variables.
    pub arity: u32,
}

/// The tables. Made by [`Script::analyse`].
pub struct Analysis {
    pub(crate) sorts: Sorts,
    pub(crate) decls: Vec<Decl>,
    pub(crate) sort_of: Vec<SortId>,
    pub(crate) decl_of: Vec<DeclId>,
    pub(crate) uses: Vec<NodeId>,
    pub(crate) uses_start: Vec<u32>,
    pub(crate) errors: Vec<Diagnostic>,
    pub(crate) unknown: Vec<NodeId>,
}

pub(crate) fn analyse(_script: &Script) -> Analysis {
    todo!()
}
