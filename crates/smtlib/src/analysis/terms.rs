//! The walk over terms: forward, with an explicit stack, so that binders are visited before what they bind.

use super::engine::Engine;
use super::symbols::Word;
use super::tables::{NO_DECL, NodeRole};
use crate::{NodeId, NodeKind, SmtSort, SortId};

/// A list that has been entered.
pub(super) struct Frame {
    pub(super) node: NodeId,
    /// The next child to enter.
    pub(super) next: NodeId,
    /// One past the last child.
    pub(super) end: NodeId,
    /// Number of locals that were visible before it.
    pub(super) n_locals: u32,
    pub(super) step: Step,
}

/// What to do with the children of a frame, and at its end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Step {
    /// Arguments of an application
    Args,
    /// Terms that are not arguments: patterns, a list of values
    Sequence,
    /// The pairs of a `let`
    Bindings,
    /// The body of a binder
    Body(Binder),
    /// The attributes after the term in `(! t …)`
    Annotations,
    /// The cases of a `match`
    Cases,
}

/// How the sort of a binder follows from its body.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Binder {
    Let,
    Quantifier,
    Lambda,
    Choice,
    Comprehension,
}

impl Engine<'_> {
    /// Infers the sort of a term and of everything in it.
    pub(super) fn term(&mut self, root: NodeId) -> SortId {
        let floor = self.frames.len();
        self.enter(root);
        while self.frames.len() > floor {
            let top = self.frames.len() - 1;
            let frame = &mut self.frames[top];
            match frame.step {
                Step::Args | Step::Sequence | Step::Body(_) if frame.next < frame.end => {
                    let child = frame.next;
                    frame.next = self.tree.after(child);
                    self.enter(child);
                }
                Step::Args => self.leave_application(),
                Step::Sequence => _ = self.frames.pop(),
                Step::Bindings => self.step_bindings(top),
                Step::Body(binder) => self.leave_binder(binder),
                Step::Annotations => self.step_annotations(top),
                Step::Cases => self.step_cases(top),
            }
        }
        self.sort_at(root)
    }

    /// Infers the sorts of the terms in a list that is not a term itself.
    pub(super) fn terms(&mut self, list: NodeId) {
        let children = self.tree.children(list);
        for child in children {
            self.term(child);
        }
    }

    /// Infers the sort of an atom, or puts a list on the stack.
    #[inline]
    pub(super) fn enter(&mut self, node: NodeId) {
        if self.tree.is_list(node) {
            return self.enter_list(node);
        }
        let sort = match self.tree.kind(node) {
            NodeKind::Symbol | NodeKind::Quoted => return self.constant(node),
            NodeKind::Numeral => self.logic.numeral,
            NodeKind::Decimal => SortId::REAL,
            NodeKind::String => SortId::STRING,
            NodeKind::Hex => {
                self.intern(SmtSort::BitVec((self.tree.span(node).len() as u32 - 2).saturating_mul(4)))
            }
            NodeKind::Binary => self.intern(SmtSort::BitVec(self.tree.span(node).len() as u32 - 2)),
            NodeKind::Keyword => return self.mark(node, NodeRole::Attribute),
            NodeKind::List => unreachable!("treated above"),
        };
        self.mark(node, NodeRole::Term);
        self.set_sort(node, sort);
    }

    fn enter_list(&mut self, node: NodeId) {
        self.mark(node, NodeRole::Term);
        let Some(head) = self.tree.first_child(node) else { return };
        if self.tree.is_list(head) {
            return self.enter_application(node, head);
        }
        if !self.tree.is_symbol(head) {
            return;
        }
        let info = self.symbol_info(head);
        match info.word {
            Word::Let => self.enter_let(node),
            Word::Quantifier => self.enter_binder(node, Binder::Quantifier),
            Word::Bang => self.enter_annotation(node),
            Word::Match => self.enter_match(node),
            Word::Underscore => self.enter_indexed(node),
            Word::As => self.ascribed(node),
            Word::RootObject if info.term == NO_DECL => self.set_sort(node, SortId::REAL),
            Word::Lambda if info.term == NO_DECL => self.enter_binder(node, Binder::Lambda),
            Word::Choice if info.term == NO_DECL => self.enter_binder(node, Binder::Choice),
            Word::Comprehension if info.term == NO_DECL => self.enter_binder(node, Binder::Comprehension),
            _ => {
                self.resolve(head);
                self.mark_headed(node, head);
                self.push(node, self.tree.after(head), Step::Args);
            }
        }
    }

    /// An application whose operator is a list: `((_ f 1) x)`, `((as f S) x)`, or any term that is a function.
    fn enter_application(&mut self, node: NodeId, head: NodeId) {
        let args = self.tree.after(head);
        if let Some(symbol) = self.identifier(head) {
            self.mark(head, NodeRole::Head);
            self.mark_headed(node, symbol);
            return self.push(node, args, Step::Args);
        }
        self.push(node, head, Step::Args);
    }

    pub(super) fn push(&mut self, node: NodeId, next: NodeId, step: Step) {
        let (end, n_locals) = (self.tree.after(node), self.n_locals());
        self.frames.push(Frame { node, next, end, n_locals, step });
    }

    fn leave_application(&mut self) {
        let frame = self.frames.pop().expect("the loop saw it");
        let mut args = std::mem::take(&mut self.args);
        args.clear();
        let head = self.tree.first_child(frame.node).expect("an application has a head");
        let mut next = self.tree.after(head);
        while next < frame.end {
            args.push(self.sort_at(next));
            next = self.tree.after(next);
        }
        let sort = self.application(frame.node, head, &args);
        self.set_sort(frame.node, sort);
        self.args = args;
    }
}
