//! SMT-LIB 2.6/2.7 and the dialects of the solvers: a lossless tree over the
//! original bytes, and what the bytes mean (declarations, uses, scopes, sorts).
//!
//! Three steps, each linear in the input, none recursive:
//!
//! 1. [`Tree::parse`]: any bytes into a flat tree of S-expressions with spans.
//!    Nothing is copied and nothing is lost: printing is copying the bytes.
//! 2. [`Script::parse`]: the tree and its top-level commands.
//! 3. [`Script::analyse`]: which symbol refers to which declaration, and the sort of
//!    every term, from one operator table ([`ops`]).
//!
//! An unknown command or symbol is a node like any other. Its sort is unknown,
//! but the sorts around it are still inferred.
//!
//! ```
//! use nub_smtlib::Script;
//! let (script, diagnostics) = Script::parse(b"(declare-const x Int)(assert (< x 1))");
//! assert!(diagnostics.is_empty());
//! let analysis = script.analyse();
//! assert_eq!(analysis.decls().len(), 1);
//! assert_eq!(analysis.uses(analysis.decl_ids().next().unwrap()).len(), 1);
//! ```

pub mod analysis;
pub mod check;
mod command;
mod lexer;
pub mod ops;
mod print;
pub mod sorts;
mod tree;

pub use analysis::{Analysis, Decl, DeclId, DeclKind, Head, NodeRole};
pub use command::CommandKind;
pub use ops::SmtOp;
pub use print::{PrintLayout, print};
pub use sorts::{SmtSort, SortId, Sorts};
pub use tree::{NodeId, NodeKind, Tree};

use nub_text::Diagnostic;
use std::sync::Arc;

/// A script: its bytes, their tree, and the kind of every top-level command.
pub struct Script {
    text: Arc<Vec<u8>>,
    tree: Tree,
}

impl Script {
    /// Reads any bytes. Diagnostics are about brackets and tokens only.
    pub fn parse(text: &[u8]) -> (Script, Vec<Diagnostic>) {
        Script::read(Arc::new(text.to_vec()))
    }

    /// As [`Script::parse`], for a text that is shared with others.
    pub fn read(text: Arc<Vec<u8>>) -> (Script, Vec<Diagnostic>) {
        let (tree, diagnostics) = Tree::parse(&text);
        (Script { text, tree }, diagnostics)
    }

    /// The bytes it was read from.
    pub fn text(&self) -> &[u8] {
        &self.text
    }

    /// The same, for sharing.
    pub fn shared_text(&self) -> Arc<Vec<u8>> {
        self.text.clone()
    }

    /// The tree of S-expressions.
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// The bytes of one node.
    pub fn slice(&self, node: NodeId) -> &[u8] {
        self.tree.span(node).slice(&self.text)
    }

    /// Top-level nodes with their kind, in order.
    pub fn commands(&self) -> impl Iterator<Item = (NodeId, CommandKind)> + '_ {
        self.tree.roots().map(|node| (node, self.command_kind(node)))
    }

    /// The kind of one top-level node.
    pub fn command_kind(&self, node: NodeId) -> CommandKind {
        match self.tree.first_child(node) {
            Some(head) if self.tree.kind(head) == NodeKind::Symbol => CommandKind::of(self.slice(head)),
            _ => CommandKind::Other,
        }
    }

    /// Resolves symbols and infers sorts.
    pub fn analyse(&self) -> Analysis {
        analysis::analyse(self)
    }
}
