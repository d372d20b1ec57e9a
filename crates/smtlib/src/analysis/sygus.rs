//! Syntax-guided synthesis: functions to synthesise, and their grammars.

use super::engine::Engine;
use super::tables::NodeRole;
use super::{Decl, DeclKind};
use crate::{CommandKind, NodeId, SortId};

impl Engine<'_> {
    /// `(synth-fun f ((x S)…) S grammar?)`, `(synth-inv f ((x S)…) grammar?)`
    pub(super) fn synth_fun(&mut self, node: NodeId, kind: CommandKind) {
        let Some([_, name, vars]) = self.at_least(node) else { return };
        let end = self.tree.after(node);
        let n_locals = self.n_locals();
        let first = self.out.decls.len();
        if self.declare_sorted_vars(vars, DeclKind::Param, node, self.tree.after(vars)).is_none() {
            self.error_shape(vars, "synth-fun", "(synth-fun f ((x S)…) S)");
        }
        let params: Vec<SortId> = self.out.decls[first..].iter().map(|decl| decl.result).collect();
        let mut rest = self.next_sibling(vars, end);
        let mut result = SortId::BOOL;
        if kind == CommandKind::SynthFun {
            let Some(sort) = rest else { return self.forget_locals(n_locals) };
            result = self.sort(sort);
            rest = self.next_sibling(sort, end);
        }
        if let Some(grammar) = rest {
            self.grammar(node, grammar);
        }
        self.forget_locals(n_locals);
        self.declare_global(DeclKind::Fun, name, node, &params, result);
    }

    /// `((N S)…) ((N S (t…))…)`, or only the rules, as in version 1.
    pub(super) fn grammar(&mut self, command: NodeId, first: NodeId) {
        let n_locals = self.n_locals();
        let rules = self.next_sibling(first, self.tree.after(command));
        for entry in self.tree.children(first) {
            self.declare_nonterminal(command, first, entry);
        }
        for rule in self.tree.children(rules.unwrap_or(first)) {
            if rules.is_some() {
                self.refer_nonterminal(rule);
            }
            self.grammar_rule(rule);
        }
        self.forget_locals(n_locals);
    }

    fn declare_nonterminal(&mut self, command: NodeId, grammar: NodeId, entry: NodeId) {
        let Some([name, sort]) = self.at_least(entry) else { return };
        if !self.tree.is_symbol(name) {
            return;
        }
        let result = self.sort(sort);
        self.declare(Decl {
            kind: DeclKind::Bound,
            name,
            owner: entry,
            binder: command,
            scope: (grammar, self.tree.after(command)),
            params: Box::default(),
            result,
            arity: 0,
            parent: None,
        });
    }

    /// Resolves the name and sort of a rule whose nonterminal has already been declared.
    fn refer_nonterminal(&mut self, rule: NodeId) {
        let Some([name, sort]) = self.at_least(rule) else { return };
        if self.tree.is_symbol(name) {
            self.resolve(name);
        }
        self.sort(sort);
    }

    fn grammar_rule(&mut self, rule: NodeId) {
        let Some([_, _, terms]) = self.at_least(rule) else { return };
        for term in self.tree.children(terms) {
            // `(Constant S)` and `(Variable S)` represent all constants and variables of a sort.
            match self.exactly(term) {
                Some([word, sort]) if matches!(self.script.slice(word), b"Constant" | b"Variable") => {
                    self.mark(word, NodeRole::Structure);
                    self.sort(sort);
                }
                _ => _ = self.term(term),
            }
        }
    }

    /// `(inv-constraint I pre trans post)`: the arguments are names of functions.
    pub(super) fn inv_constraint(&mut self, node: NodeId) {
        for name in self.tree.children(node).skip(1).filter(|&name| self.tree.is_symbol(name)) {
            self.resolve(name);
        }
    }
}
