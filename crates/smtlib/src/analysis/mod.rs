//! What a script means: declarations, uses, scopes, sorts.
//!
//! One walk over the tree in order, with an explicit stack. It is linear in the number
//! of nodes (sorts are looked up in a hash table). The result is plain tables
//! indexed by node, so that edits can query them in constant time.
//!
//! The files: `commands`, `datatypes` and `sygus` read commands; `terms` walks terms, `binders` those that bind names;
//! `identifiers` resolves symbols, using `scopes` and `symbols`; `apply` and `rules` check applications
//! against declarations and the operator table; `sort_exprs` and `sort_text` read and write sorts; `report` formulates the
//! errors; `tables` is the result.
//!
//! Only what no solver accepts is an error. An unknown sort is compatible with everything, so an unknown symbol causes only one finding.

mod apply;
mod binders;
mod commands;
mod datatypes;
mod engine;
mod identifiers;
mod report;
mod rules;
mod scopes;
mod sort_exprs;
mod sort_text;
mod sygus;
mod symbols;
mod tables;
mod terms;

pub use tables::{Analysis, Head, NodeRole};

use crate::{NodeId, Script, SortId};

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
    /// The symbol at the point of its declaration.
    pub name: NodeId,
    /// The node to remove together with the declaration: the command for globals, the binding `(x t)` or `(x S)` for
    /// locals, the constructor or selector list, the `(! t :named x)` term.
    pub owner: NodeId,
    /// The term or command that opens the scope: the `let`, `forall`, `match`, `define-fun` node for locals; the
    /// command for globals. A term that uses a local must not be moved out of it.
    pub binder: NodeId,
    /// Nodes in which the name is visible unless it is shadowed: from the first up to, but not including, the second.
    pub scope: (NodeId, NodeId),
    /// Argument sorts; for a datatype or `define-sort`, its parameters as sorts.
    pub params: Box<[SortId]>,
    /// Result sort; for a sort, the sort it denotes when applied to its parameters.
    pub result: SortId,
    /// Number of sort parameters of a sort, a datatype or one of its members. For other functions, more than 0 if sort
    /// parameters occur in their signature.
    pub arity: u32,
    /// The declaration it belongs to: the constructor of a selector, the datatype of a constructor.
    pub parent: Option<DeclId>,
}

impl Decl {
    /// True if the name is in the namespace of sorts, not in that of functions: SMT-LIB keeps the two apart.
    pub fn is_sort(&self) -> bool {
        use DeclKind::*;
        matches!(self.kind, Sort | SortMacro | Datatype | SortParam)
    }

    /// True if the name is visible in one term or command only.
    pub fn is_local(&self) -> bool {
        use DeclKind::*;
        matches!(self.kind, Let | Bound | Param | Pattern)
    }
}

pub(crate) fn analyse(script: &Script) -> Analysis {
    let mut engine = engine::Engine::new(script);
    for (node, kind) in script.commands() {
        engine.command(node, kind);
    }
    engine.finish()
}
