//! Terms that bind names: `let`, quantifiers and similar binders, `match`; and annotations, which may name a term.

use super::engine::Engine;
use super::tables::{NO_DECL, NodeRole};
use super::terms::{Binder, Frame, Step};
use super::{Decl, DeclKind};
use crate::{NodeId, NodeKind, SmtSort, SortId};

impl Engine<'_> {
    /// `(let ((x t)…) body)`
    pub(super) fn enter_let(&mut self, node: NodeId) {
        // z3 accepts a `let` without a body.
        let shape = self.at_least(node).filter(|&[_, list]| self.tree.is_list(list));
        let Some([_, bindings]) = shape.filter(|_| self.tree.child(node, 3).is_none()) else {
            return self.error_shape(node, "let", "(let ((x t)…) body)");
        };
        for pair in self.tree.children(bindings) {
            let well_formed = self.exactly(pair).is_some_and(|[name, _]| self.tree.is_symbol(name));
            if !well_formed {
                return self.error_shape(pair, "let", "(let ((x t)…) body)");
            }
        }
        self.push(node, NodeId(bindings.0 + 1), Step::Bindings);
        self.frames.last_mut().expect("just pushed").end = self.tree.after(bindings);
    }

    /// Enters the next value of a `let`. After the last value, binds all names and enters the body: bindings do not see each other.
    pub(super) fn step_bindings(&mut self, top: usize) {
        let frame = &mut self.frames[top];
        if frame.next < frame.end {
            let pair = frame.next;
            frame.next = self.tree.after(pair);
            // The nodes of a pair are the list, the name, and the value.
            return self.enter(NodeId(pair.0 + 2));
        }
        let (node, body) = (frame.node, frame.end);
        frame.step = Step::Body(Binder::Let);
        frame.end = self.tree.after(node);
        let bindings = self.tree.child(node, 1).expect("checked on entry");
        for pair in self.tree.children(bindings) {
            let (name, value) = (NodeId(pair.0 + 1), NodeId(pair.0 + 2));
            let result = self.sort_at(value);
            self.declare_local(DeclKind::Let, name, pair, node, body, result);
        }
    }

    fn declare_local(
        &mut self,
        kind: DeclKind,
        name: NodeId,
        owner: NodeId,
        binder: NodeId,
        body: NodeId,
        result: SortId,
    ) {
        let scope = (body, self.tree.after(binder));
        let params = Box::default();
        self.declare(Decl { kind, name, owner, binder, scope, params, result, arity: 0, parent: None });
    }

    /// `(forall ((x S)…) body)` and similar.
    pub(super) fn enter_binder(&mut self, node: NodeId, binder: Binder) {
        let Some([head, vars, body]) = self.at_least(node) else {
            return self.error_shape(node, "binder", "(forall ((x S)…) body)");
        };
        self.push(node, body, Step::Body(binder));
        if self.declare_sorted_vars(vars, DeclKind::Bound, node, body).is_none() {
            let name = String::from_utf8_lossy(self.name(head)).into_owned();
            self.error_shape(vars, &name, "((x S)…)");
        }
    }

    /// Declares `((x S)…)`; `None` if the list has another form.
    pub(super) fn declare_sorted_vars(
        &mut self,
        vars: NodeId,
        kind: DeclKind,
        binder: NodeId,
        body: NodeId,
    ) -> Option<()> {
        self.tree.is_list(vars).then_some(())?;
        for var in self.tree.children(vars) {
            let [name, sort] = self.exactly(var)?;
            self.tree.is_symbol(name).then_some(())?;
            let value = self.sort(sort);
            self.declare_local(kind, name, var, binder, body, value);
        }
        Some(())
    }

    pub(super) fn leave_binder(&mut self, binder: Binder) {
        let frame = self.frames.pop().expect("the loop saw it");
        self.forget_locals(frame.n_locals);
        let node = frame.node;
        let Some([_, vars, body]) = self.at_least(node) else { return };
        let result = self.sort_at(body);
        let sort = match binder {
            Binder::Let => result,
            Binder::Quantifier => {
                self.expect_bool(body, "the body of a quantifier");
                SortId::BOOL
            }
            Binder::Lambda => {
                let mut parts: Vec<SortId> = self.sorts_of_vars(vars).collect();
                parts.push(result);
                if parts.contains(&SortId::UNKNOWN) { SortId::UNKNOWN } else { self.arrow(&parts) }
            }
            Binder::Choice => self.sorts_of_vars(vars).next().unwrap_or(SortId::UNKNOWN),
            Binder::Comprehension => {
                let element = self.next_sibling(body, frame.end).map(|term| self.sort_at(term));
                let element = element.or_else(|| self.sorts_of_vars(vars).next()).unwrap_or(SortId::UNKNOWN);
                if element == SortId::UNKNOWN { element } else { self.intern(SmtSort::Set(element)) }
            }
        };
        self.set_sort(node, sort);
    }

    fn sorts_of_vars(&self, vars: NodeId) -> impl Iterator<Item = SortId> + '_ {
        self.tree.children(vars).filter_map(|var| self.exactly(var)).map(|[_, sort]| self.sort_at(sort))
    }

    /// `(! t :key value…)`
    pub(super) fn enter_annotation(&mut self, node: NodeId) {
        let Some([_, term]) = self.at_least(node) else {
            return self.error_shape(node, "!", "(! term :key value)");
        };
        self.push(node, self.tree.after(term), Step::Annotations);
        self.enter(term);
    }

    /// Reads annotations up to the next list of terms, or ends the frame.
    pub(super) fn step_annotations(&mut self, top: usize) {
        let Frame { node, next, end, .. } = self.frames[top];
        if next >= end {
            self.frames.pop();
            let term = self.tree.child(node, 1).expect("checked on entry");
            return self.set_sort(node, self.sort_at(term));
        }
        let after = self.tree.after(next);
        self.frames[top].next = after;
        self.mark_all(next, NodeRole::Attribute);
        if self.tree.kind(next) != NodeKind::Keyword
            || after >= end
            || self.tree.kind(after) == NodeKind::Keyword
        {
            return;
        }
        match self.script.slice(next) {
            b":named" if self.tree.is_symbol(after) => {
                self.frames[top].next = self.tree.after(after);
                self.declare_named(node, after);
            }
            b":pattern" | b":pool" | b":inst-add-to-pool" | b":skolem-add-to-pool"
                if self.tree.is_list(after) =>
            {
                self.frames[top].next = self.tree.after(after);
                self.mark(after, NodeRole::Attribute);
                self.push(after, NodeId(after.0 + 1), Step::Sequence);
            }
            b":no-pattern" => {
                self.frames[top].next = self.tree.after(after);
                self.enter(after);
            }
            _ => {}
        }
    }

    fn declare_named(&mut self, node: NodeId, name: NodeId) {
        let term = self.tree.child(node, 1).expect("checked on entry");
        let scope = (self.tree.after(node), self.end());
        self.declare(Decl {
            kind: DeclKind::Named,
            name,
            owner: node,
            binder: node,
            scope,
            params: Box::default(),
            result: self.sort_at(term),
            arity: 0,
            parent: None,
        });
    }

    /// `(match t ((pattern body)…))`
    pub(super) fn enter_match(&mut self, node: NodeId) {
        let shape = "(match t ((pattern body)…))";
        let Some([_, term, cases]) = self.exactly(node).filter(|&[_, _, cases]| self.tree.is_list(cases))
        else {
            return self.error_shape(node, "match", shape);
        };
        for case in self.tree.children(cases) {
            if self.exactly::<2>(case).is_none() {
                return self.error_shape(case, "match", shape);
            }
        }
        self.push(node, NodeId(cases.0 + 1), Step::Cases);
        self.enter(term);
    }

    pub(super) fn step_cases(&mut self, top: usize) {
        let Frame { node, next, end, n_locals, .. } = self.frames[top];
        self.forget_locals(n_locals);
        if next < end {
            self.frames[top].next = self.tree.after(next);
            let [pattern, body] = self.exactly(next).expect("checked on entry");
            let subject = self.sort_at(self.tree.child(node, 1).expect("checked on entry"));
            self.bind_pattern(pattern, next, body, subject);
            return self.enter(body);
        }
        self.frames.pop();
        let [_, _, cases] = self.exactly(node).expect("checked on entry");
        let bodies = self.tree.children(cases).filter_map(|case| self.exactly(case));
        let sort = bodies.map(|[_, body]| self.sort_at(body)).find(|&sort| sort != SortId::UNKNOWN);
        self.set_sort(node, sort.unwrap_or(SortId::UNKNOWN));
    }

    /// A constructor, a constructor with variables, or a variable. The case is both owner and binder.
    fn bind_pattern(&mut self, pattern: NodeId, case: NodeId, body: NodeId, subject: SortId) {
        if self.tree.is_symbol(pattern) {
            let decl = self.symbol_info(pattern).term;
            if decl != NO_DECL && self.out.decl(decl).kind == DeclKind::Constructor {
                self.mark(pattern, NodeRole::Head);
                self.out.decl_of[pattern.index()] = decl;
            } else {
                self.declare_local(DeclKind::Pattern, pattern, case, case, body, subject);
            }
            return;
        }
        self.mark(pattern, NodeRole::Pattern);
        let Some(head) = self.tree.first_child(pattern) else { return };
        if !self.tree.is_symbol(head) {
            return;
        }
        self.resolve(head);
        let fields = self.field_sorts(head, subject);
        for (at, var) in self.tree.children(pattern).skip(1).enumerate() {
            if self.tree.is_symbol(var) {
                let sort = fields.get(at).copied().unwrap_or(SortId::UNKNOWN);
                self.declare_local(DeclKind::Pattern, var, case, case, body, sort);
            }
        }
    }

    /// The sorts of the fields of a constructor for a value of sort `subject`.
    fn field_sorts(&mut self, constructor: NodeId, subject: SortId) -> Vec<SortId> {
        let Some(id) = self.out.decl_of(constructor) else { return Vec::new() };
        let decl = &self.out.decls[id.0 as usize];
        self.substitution.clear();
        self.out.sorts.unify(decl.result, subject, &mut self.substitution);
        let params = decl.params.clone();
        params.iter().map(|&sort| self.out.sorts.substitute(sort, &mut self.substitution)).collect()
    }
}
