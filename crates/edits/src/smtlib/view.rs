//! The view of a script that passes work on.

use super::needs::Needs;
use super::variables::Variables;
use crate::{Edit, trim_before, trim_before_on_line};
use nub_smtlib::{Analysis, CommandKind, NodeId, NodeKind, Script, SortId, Tree};
use nub_text::{Diagnostic, Span};
use std::sync::{Arc, OnceLock};

/// A script with everything known about it. Tables that only some passes need are built on first use.
pub struct SmtView {
    script: Script,
    analysis: Analysis,
    brackets: Vec<Diagnostic>,
    commands: Vec<(NodeId, CommandKind)>,
    has_comments: bool,
    needs: OnceLock<Needs>,
    variables: OnceLock<Variables>,
}

impl SmtView {
    /// Reads and analyses any bytes.
    pub fn new(bytes: &[u8]) -> SmtView {
        SmtView::read(Arc::new(bytes.to_vec()))
    }

    /// As [`SmtView::new`], for bytes that are shared with others.
    pub fn read(bytes: Arc<Vec<u8>>) -> SmtView {
        let (script, brackets) = Script::read(bytes);
        let analysis = script.analyse();
        let commands = script.commands().collect();
        let has_comments = has_comments(&script);
        SmtView {
            script,
            analysis,
            brackets,
            commands,
            has_comments,
            needs: OnceLock::new(),
            variables: OnceLock::new(),
        }
    }

    /// The bytes.
    pub fn text(&self) -> &[u8] {
        self.script.text()
    }

    /// The script.
    pub fn script(&self) -> &Script {
        &self.script
    }

    /// The tree.
    pub fn tree(&self) -> &Tree {
        self.script.tree()
    }

    /// Declarations, uses, sorts.
    pub fn analysis(&self) -> &Analysis {
        &self.analysis
    }

    /// Findings about brackets and tokens.
    pub fn bracket_errors(&self) -> &[Diagnostic] {
        &self.brackets
    }

    /// Top-level nodes with their kinds.
    pub fn commands(&self) -> &[(NodeId, CommandKind)] {
        &self.commands
    }

    /// The bytes of a node.
    pub fn slice(&self, node: NodeId) -> &[u8] {
        self.script.slice(node)
    }

    /// The span of a node.
    pub fn span(&self, node: NodeId) -> Span {
        self.tree().span(node)
    }

    /// The sort of a term, `None` if the node is not a term or its sort is unknown.
    pub fn sort(&self, node: NodeId) -> Option<SortId> {
        self.analysis.sort_of(node).filter(|&sort| sort != SortId::UNKNOWN)
    }

    /// True if the node is a term.
    pub fn is_term(&self, node: NodeId) -> bool {
        self.analysis.sort_of(node).is_some()
    }

    /// All terms in preorder.
    pub fn terms(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.tree().nodes().filter(|&node| self.is_term(node))
    }

    /// The first symbol of a list.
    pub fn head_symbol(&self, node: NodeId) -> Option<&[u8]> {
        let first = self.tree().first_child(node)?;
        (self.tree().kind(first) == NodeKind::Symbol).then(|| self.slice(first))
    }

    /// The name of the built-in operator a term applies.
    pub fn op_name(&self, term: NodeId) -> Option<&'static str> {
        self.analysis.head(term)?.op.map(|op| op.name)
    }

    /// The arguments of an application: the children after its head.
    pub fn args(&self, term: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        self.tree().children(term).skip(1)
    }

    /// Removes a node and the white space before it.
    pub fn cut(&self, node: NodeId) -> Edit {
        Edit::cut(self.cut_span(node))
    }

    /// The bytes to remove with a node.
    pub fn cut_span(&self, node: NodeId) -> Span {
        let trim = if self.has_comments { trim_before_on_line } else { trim_before };
        trim(self.text(), self.span(node))
    }

    /// Whether there are comments.
    pub fn has_comments(&self) -> bool {
        self.has_comments
    }

    /// How far each term can be moved up.
    pub(super) fn needs(&self) -> &Needs {
        self.needs.get_or_init(|| Needs::new(self))
    }

    /// Constants by sort.
    pub(super) fn variables(&self) -> &Variables {
        self.variables.get_or_init(|| Variables::new(self))
    }

    /// The nodes whose first byte is in the span, as a range of numbers.
    pub(super) fn nodes_in(&self, span: Span) -> std::ops::Range<u32> {
        let tree = self.tree();
        tree.first_from(span.start).0..tree.first_from(span.end).0
    }
}

/// A `;` that is in no node is in a comment.
fn has_comments(script: &Script) -> bool {
    let tree = script.tree();
    memchr::memchr_iter(b';', script.text()).any(|at| {
        // The last node that starts at or before the byte is the only atom that can contain it.
        let after = tree.first_from(at as u32 + 1);
        after.0 == 0 || {
            let node = NodeId(after.0 - 1);
            tree.is_list(node) || tree.span(node).end as usize <= at
        }
    })
}
