//! Constraints on sort variables from terms: binders, annotations, applications of declared symbols, literals.

use super::Var;
use super::build::Builder;
use super::sites::{Bits, Site};
use nub_smtlib::ops::{OperatorSignature, SortRule};
use nub_smtlib::{DeclId, DeclKind, Head, NodeId, NodeKind};

impl Builder<'_> {
    /// Reads one term; its subterms are read separately.
    pub(super) fn term(&mut self, node: NodeId) {
        match (self.view.analysis().head(node), self.view.tree().kind(node)) {
            (Some(head), NodeKind::List) => self.headed_list(node, head),
            (Some(head), _) => self.symbol(node, head),
            (None, NodeKind::List) => self.special(node),
            (
                None,
                NodeKind::Numeral | NodeKind::Decimal | NodeKind::String | NodeKind::Hex | NodeKind::Binary,
            ) => self.literal(node),
            (None, _) => self.fix_node(node),
        }
    }

    fn literal(&mut self, node: NodeId) {
        let var = self.var(node);
        let bits = self.literal_bits(node);
        self.sites.push((var, Site::Literal(node, bits)));
    }

    /// Parts of `(fp sign exponent fraction)` are narrowed so that the value changes little.
    fn literal_bits(&self, node: NodeId) -> Bits {
        let tree = self.view.tree();
        let Some(parent) = tree.parent(node).filter(|&parent| self.view.is_term(parent)) else {
            return Bits::Low;
        };
        if self.view.op_name(parent) != Some("fp") {
            return Bits::Low;
        }
        match tree.children(parent).position(|child| child == node) {
            Some(2) => Bits::Exponent,
            Some(3) => Bits::High,
            _ => Bits::Low,
        }
    }

    /// A symbol that is a term.
    fn symbol(&mut self, node: NodeId, head: Head) {
        match head.decl {
            Some(decl) if head.op.is_none() => self.constant(node, decl),
            _ => self.fix_node(node),
        }
    }

    fn constant(&mut self, node: NodeId, decl: DeclId) {
        let var = self.var(node);
        if self.signatures.params(decl).is_empty() {
            return self.unify(var, self.signatures.result(decl));
        }
        // A function used as a value.
        self.classes.fix(var);
        self.fix_signature(decl);
    }

    /// A list without an operator: a binder, an annotation, a literal.
    fn special(&mut self, node: NodeId) {
        let tree = self.view.tree();
        let last = || tree.children(node).last();
        match self.view.head_symbol(node) {
            Some(b"let") => match last().filter(|&body| self.view.is_term(body)) {
                Some(body) => self.unify_nodes(node, body),
                None => self.fix_node(node),
            },
            Some(b"forall" | b"exists") => {}
            Some(b"!") => match tree.child(node, 1) {
                Some(term) => self.unify_nodes(node, term),
                None => self.fix_node(node),
            },
            Some(b"match") => self.matching(node),
            Some(b"as") => {
                for child in tree.children(node).skip(1) {
                    self.unify_nodes(node, child);
                }
            }
            Some(b"_") if self.is_indexed_literal(node) => self.literal(node),
            // The sorts of `lambda` and similar binders are made from the sorts of their variables.
            _ => self.fix_subtree(node),
        }
    }

    /// `(_ bv5 8)`
    fn is_indexed_literal(&self, node: NodeId) -> bool {
        let mut children = self.view.tree().children(node).skip(1);
        let Some(name) = children.next() else { return false };
        let digits = self.view.slice(name).strip_prefix(b"bv");
        digits.is_some_and(|digits| !digits.is_empty() && digits.iter().all(u8::is_ascii_digit))
            && children.next().is_some_and(|width| self.view.tree().kind(width) == NodeKind::Numeral)
            && children.next().is_none()
    }

    /// `(match t ((pattern body)…))`
    fn matching(&mut self, node: NodeId) {
        let tree = self.view.tree();
        let (Some(subject), Some(cases)) = (tree.child(node, 1), tree.child(node, 2)) else {
            return self.fix_list(node);
        };
        for case in tree.children(cases) {
            let (Some(pattern), Some(body)) = (tree.child(case, 0), tree.child(case, 1)) else { continue };
            self.unify_nodes(node, body);
            if tree.is_list(pattern) {
                self.constructor_pattern(pattern);
            } else if let Some(decl) = self.pattern_variable(pattern) {
                let subject = self.var(subject);
                self.unify(self.signatures.result(decl), subject);
            }
        }
        // Cases distinguish constructors, so the subject must stay a datatype.
        let subject = self.var(subject);
        self.classes.operand(subject);
    }

    fn pattern_variable(&self, node: NodeId) -> Option<DeclId> {
        let id = self.view.analysis().decl_of(node)?;
        (self.view.analysis().decl(id).kind == DeclKind::Pattern).then_some(id)
    }

    fn constructor_pattern(&mut self, pattern: NodeId) {
        let tree = self.view.tree();
        let constructor = tree.first_child(pattern).and_then(|head| self.view.analysis().decl_of(head));
        for (at, name) in tree.children(pattern).skip(1).enumerate() {
            let Some(variable) = self.pattern_variable(name) else { continue };
            let variable = self.signatures.result(variable);
            let field = constructor.and_then(|id| self.signatures.params(id).get(at).copied());
            match field {
                Some(field) => self.unify(variable, field),
                None => self.classes.fix(variable),
            }
        }
    }

    /// An application, or a constant such as `(_ +oo 8 24)` or `(as x S)`.
    fn headed_list(&mut self, node: NodeId, head: Head) {
        let tree = self.view.tree();
        let Some(first) = tree.first_child(node) else { return };
        if tree.kind(first) == NodeKind::Symbol && matches!(self.view.slice(first), b"_" | b"as") {
            return self.headed_constant(node, head);
        }
        let args: Vec<NodeId> = self.view.args(node).collect();
        match (head.op, head.decl) {
            (Some(op), _) => self.operator(op, node, head, &args),
            (None, Some(decl)) => self.application(node, decl, &args),
            (None, None) => {
                self.fix_list(node);
                self.fix_all(first);
            }
        }
    }

    fn headed_constant(&mut self, node: NodeId, head: Head) {
        let sort =
            self.view.tree().child(node, 2).filter(|&sort| self.view.analysis().sort_value(sort).is_some());
        let var = self.var(node);
        match (head.op.map(|op| op.signature), head.decl, sort) {
            (Some(OperatorSignature::Rule(SortRule::FloatConstant)), _, None) => self.indices(var, head),
            (Some(OperatorSignature::Rule(SortRule::Ascribed)), _, Some(sort)) => {
                self.unify_nodes(node, sort);
                self.classes.operand(var);
            }
            (None, Some(decl), Some(sort)) => {
                self.constant(node, decl);
                self.unify_nodes(node, sort);
            }
            _ => self.fix_list(node),
        }
    }

    /// Adds a site for indices that determine the sort of `var`.
    pub(super) fn indices(&mut self, var: Var, head: Head) {
        match head.first_index {
            Some(index) => {
                self.classes.operand(var);
                self.sites.push((var, Site::Indices(index)));
            }
            None => self.classes.fix(var),
        }
    }

    fn application(&mut self, node: NodeId, decl: DeclId, args: &[NodeId]) {
        let var = self.var(node);
        if self.signatures.params(decl).len() != args.len() || self.view.analysis().decl(decl).arity > 0 {
            // Too few or too many arguments, or a polymorphic declaration.
            self.fix_signature(decl);
            self.fix_list(node);
        } else {
            for (at, &arg) in args.iter().enumerate() {
                let arg = self.var(arg);
                self.unify(self.signatures.params(decl)[at], arg);
            }
            self.unify(var, self.signatures.result(decl));
        }
        if let Some(sort) = self.ascribed_sort(node) {
            self.unify_nodes(node, sort);
        }
    }

    /// The sort in `((as f S) x)`.
    pub(super) fn ascribed_sort(&self, node: NodeId) -> Option<NodeId> {
        let tree = self.view.tree();
        let first = tree.first_child(node).filter(|&first| tree.is_list(first))?;
        let sort = tree.child(first, 2)?;
        self.view.analysis().sort_value(sort).is_some().then_some(sort)
    }

    /// A symbol among indices: `(_ as-array f)`, `(_ map f)`, `(_ update s)` depend on all its sorts.
    pub(super) fn index(&mut self, node: NodeId) {
        let Some(decl) = self.view.analysis().decl_of(node) else { return };
        let tree = self.view.tree();
        let tester = tree.parent(node).and_then(|list| tree.child(list, 1));
        if tester.is_some_and(|name| self.view.slice(name) == b"is") {
            return;
        }
        self.fix_signature(decl);
    }
}
