//! Commands: what each declares, and which of its children are terms and sorts.

use super::engine::{Engine, Logic};
use super::scopes::GlobalDeclarations;
use super::tables::{NO_DECL, NodeRole};
use super::{Decl, DeclId, DeclKind};
use crate::{CommandKind, NodeId, SortId};

impl Engine<'_> {
    pub(super) fn command(&mut self, node: NodeId, kind: CommandKind) {
        use CommandKind::*;
        match kind {
            Assert | Constraint | Assume | AssertSoft => self.formula(node),
            Eval | Simplify | GetQe | Minimize | Maximize | Rule | Query => self.first_term(node),
            GetValue => self.term_lists(node),
            CheckSat => {}
            CheckSatAssuming | BlockModel => self.term_lists(node),
            GetAbduct | GetInterpolant => self.synthesis_query(node),
            DeclareConst | DeclareVar | DeclarePool => self.declare_const(node),
            DeclareFun | DeclareOracleFun => self.declare_fun(node),
            DeclareRel => self.declare_rel(node),
            DeclareSort => self.declare_sort(node),
            DeclareSortParameter => self.declare_sort_parameter(node),
            DeclareHeap => self.declare_heap(node),
            DeclareDatatype | DeclareCodatatype => self.declare_datatype(node),
            DeclareDatatypes | DeclareCodatatypes => self.declare_datatypes(node),
            DefineSort => self.define_sort(node),
            DefineConst => self.define_const(node),
            Define => self.define(node),
            DefineFun => self.define_fun(node, DeclKind::Macro),
            DefineFunRec => self.define_fun(node, DeclKind::Recursive),
            DefineFunsRec => self.define_funs_rec(node),
            SynthFun | SynthInv => self.synth_fun(node, kind),
            InvConstraint => self.inv_constraint(node),
            Push => self.push_levels(self.count(node)),
            Pop => self.pop_levels(self.count(node), node),
            Reset => self.reset(node),
            ResetAssertions => self.reset_levels(node),
            SetLogic => self.set_logic(node),
            SetOption => self.set_option(node),
            SetInfo | GetInfo | GetOption => self.attributes(node, 1),
            CheckSatUsing | CheckSynth | Echo | Exit | GetAssertions | GetAssignment | GetModel
            | GetProof | GetUnsatAssumptions | GetUnsatCore | GetObjectives => {}
            Other => self.mentions(node),
        }
    }

    /// An unknown command. Symbols in it that match declared names count as uses: what the command needs must stay, and
    /// renaming must include it.
    fn mentions(&mut self, node: NodeId) {
        for part in self.tree.subtree(node).skip(2).filter(|&part| self.tree.is_symbol(part)) {
            let decl = self.symbol_info(part).term;
            if decl != NO_DECL {
                self.out.decl_of[part.index()] = decl;
            }
        }
    }

    /// Marks the children from index `from` on as attributes.
    fn attributes(&mut self, node: NodeId, from: usize) {
        for child in self.tree.children(node).skip(from) {
            self.mark_all(child, NodeRole::Attribute);
        }
    }

    /// `(assert t)`: a term that must be Boolean.
    fn formula(&mut self, node: NodeId) {
        if self.tree.child(node, 1).is_none() {
            return self.error_shape(node, "assert", "(assert t)");
        }
        self.first_term(node);
        let term = self.tree.child(node, 1).expect("checked above");
        self.expect_bool(term, "the asserted term");
    }

    /// A term, then attributes.
    fn first_term(&mut self, node: NodeId) {
        let Some(term) = self.tree.child(node, 1) else { return };
        self.term(term);
        self.attributes(node, 2);
    }

    /// Lists of terms: `(get-value (t…))`.
    fn term_lists(&mut self, node: NodeId) {
        for child in self.tree.children(node).skip(1) {
            if self.tree.is_list(child) {
                self.terms(child);
            } else {
                self.mark(child, NodeRole::Attribute);
            }
        }
    }

    /// `(get-abduct A t grammar?)`
    fn synthesis_query(&mut self, node: NodeId) {
        let Some([_, _, term]) = self.at_least(node) else { return };
        self.term(term);
        if let Some(grammar) = self.next_sibling(term, self.tree.after(node)) {
            self.grammar(node, grammar);
        }
    }

    fn count(&self, node: NodeId) -> u32 {
        match self.tree.child(node, 1) {
            None => 1,
            // A number that does not fit into 32 bits counts as the largest.
            Some(n) => self.numeral(n).unwrap_or(u32::MAX),
        }
    }

    fn reset(&mut self, node: NodeId) {
        self.reset_all(node);
        self.logic = Logic { numeral: SortId::INT, higher_order: false };
    }

    fn set_logic(&mut self, node: NodeId) {
        let Some(name) = self.tree.child(node, 1).map(|name| self.script.slice(name)) else { return };
        let has = |part: &[u8]| memchr::memmem::find(name, part).is_some();
        let real = [&b"LRA"[..], b"NRA", b"RDL"].into_iter().any(has);
        let int = [&b"LIA"[..], b"NIA", b"IDL", b"IRA"].into_iter().any(has);
        self.logic = Logic {
            numeral: if real && !int { SortId::REAL } else { SortId::INT },
            higher_order: name.starts_with(b"HO_"),
        };
    }

    fn set_option(&mut self, node: NodeId) {
        self.attributes(node, 1);
        let Some([_, key, value]) = self.at_least(node) else { return };
        if self.script.slice(key) == b":global-declarations" {
            let on = self.script.slice(value) == b"true";
            self.scopes.global_declarations =
                if on { GlobalDeclarations::On } else { GlobalDeclarations::Off };
        }
    }

    /// Declares a global symbol of this command.
    pub(super) fn declare_global(
        &mut self,
        kind: DeclKind,
        name: NodeId,
        command: NodeId,
        params: &[SortId],
        result: SortId,
    ) -> Option<DeclId> {
        if !self.tree.is_symbol(name) {
            return None;
        }
        let scope = (self.tree.after(command), self.end());
        let sorts = &self.out.sorts;
        let polymorphic = sorts.has_params(result) || params.iter().any(|&sort| sorts.has_params(sort));
        Some(self.declare(Decl {
            kind,
            name,
            owner: command,
            binder: command,
            scope,
            params: params.into(),
            result,
            arity: polymorphic as u32,
            parent: None,
        }))
    }

    /// `(declare-const x S)`, and `(declare-pool x S (t…))`
    fn declare_const(&mut self, node: NodeId) {
        let Some([_, name, sort]) = self.at_least(node) else { return };
        let result = self.sort(sort);
        if let Some(values) = self.next_sibling(sort, self.tree.after(node)) {
            self.terms(values);
        }
        self.declare_global(DeclKind::Fun, name, node, &[], result);
    }

    /// The sorts in a list of sorts.
    fn sort_list(&mut self, list: NodeId) -> Vec<SortId> {
        self.tree.children(list).map(|sort| self.sort(sort)).collect()
    }

    /// `(declare-fun f (S…) S)`; if the signature cannot be read, the sort is unknown.
    fn declare_fun(&mut self, node: NodeId) {
        let Some([_, name, domain]) = self.at_least(node) else { return };
        let Some(range) = self.next_sibling(domain, self.tree.after(node)) else {
            // z3 and cvc5 reject it; we declare the name anyway.
            self.declare_global(DeclKind::Fun, name, node, &[], SortId::UNKNOWN);
            return;
        };
        let params = self.sort_list(domain);
        let result = self.sort(range);
        self.declare_global(DeclKind::Fun, name, node, &params, result);
    }

    fn declare_rel(&mut self, node: NodeId) {
        let Some([_, name, domain]) = self.at_least(node) else { return };
        let params = self.sort_list(domain);
        self.declare_global(DeclKind::Fun, name, node, &params, SortId::BOOL);
    }

    fn declare_heap(&mut self, node: NodeId) {
        if let Some([_, pair]) = self.at_least(node) {
            self.sort_list(pair);
        }
    }

    /// `(define-const x S t)`
    fn define_const(&mut self, node: NodeId) {
        let Some([_, name, sort, body]) = self.exactly(node) else { return };
        let result = self.sort(sort);
        self.term(body);
        self.expect_sort(body, result, "the body");
        self.declare_global(DeclKind::Macro, name, node, &[], result);
    }

    /// `(define x t)`
    fn define(&mut self, node: NodeId) {
        let Some([_, name, body]) = self.exactly(node) else { return };
        let result = self.term(body);
        self.declare_global(DeclKind::Macro, name, node, &[], result);
    }

    /// `(define-fun f ((x S)…) S t)`; only a recursive function is visible in its body.
    fn define_fun(&mut self, node: NodeId, kind: DeclKind) {
        let Some([_, name, vars, sort, body]) = self.exactly(node) else {
            if let Some([_, name]) = self.at_least(node) {
                self.declare_global(kind, name, node, &[], SortId::UNKNOWN);
            }
            return;
        };
        let n_locals = self.n_locals();
        let first = self.out.decls.len();
        if self.declare_sorted_vars(vars, DeclKind::Param, node, body).is_none() {
            self.error_shape(vars, "define-fun", "(define-fun f ((x S)…) S t)");
        }
        let params: Vec<SortId> = self.out.decls[first..].iter().map(|decl| decl.result).collect();
        let result = self.sort(sort);
        if kind == DeclKind::Recursive {
            // Declared in the scope outside of its parameters, which shadow it if one of them has the same name.
            self.forget_locals(n_locals);
            self.declare_recursive(name, node, body, &params, result);
            self.declare_again(first, params.len());
        }
        self.term(body);
        self.expect_sort(body, result, "the body");
        self.forget_locals(n_locals);
        if kind == DeclKind::Macro {
            self.declare_global(kind, name, node, &params, result);
        }
    }

    fn declare_recursive(
        &mut self,
        name: NodeId,
        command: NodeId,
        body: NodeId,
        params: &[SortId],
        result: SortId,
    ) {
        if let Some(id) = self.declare_global(DeclKind::Recursive, name, command, params, result) {
            self.out.decls[id.0 as usize].scope.0 = body;
        }
    }

    /// `(define-funs-rec ((f ((x S)…) S)…) (t…))`
    fn define_funs_rec(&mut self, node: NodeId) {
        let Some([_, heads, bodies]) = self.exactly(node) else { return };
        let pairs: Vec<(NodeId, NodeId)> =
            self.tree.children(heads).zip(self.tree.children(bodies)).collect();
        let mut firsts = Vec::with_capacity(pairs.len());
        for &(head, body) in &pairs {
            let Some([name, vars, sort]) = self.exactly(head) else {
                firsts.push((self.out.decls.len(), 0, SortId::UNKNOWN));
                continue;
            };
            let n_locals = self.n_locals();
            let first = self.out.decls.len();
            if self.declare_sorted_vars(vars, DeclKind::Param, node, body).is_none() {
                self.error_shape(vars, "define-funs-rec", "((f ((x S)…) S)…)");
            }
            let params: Vec<SortId> = self.out.decls[first..].iter().map(|decl| decl.result).collect();
            let after = self.tree.after(body);
            self.out.decls[first..].iter_mut().for_each(|decl| decl.scope.1 = after);
            let result = self.sort(sort);
            self.forget_locals(n_locals);
            self.declare_recursive(name, node, bodies, &params, result);
            firsts.push((first, params.len(), result));
        }
        for (&(_, body), (first, n_params, result)) in pairs.iter().zip(firsts) {
            let n_locals = self.n_locals();
            self.declare_again(first, n_params);
            self.term(body);
            self.expect_sort(body, result, "the body");
            self.forget_locals(n_locals);
        }
    }
}
