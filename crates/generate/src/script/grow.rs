//! Adds terms, and turns them into truth values.

use super::arena::TermIdx;
use super::builder::Builder;
use super::universe::Kind;
use nub_smtlib::SortId;

/// How often, in percent, the next operator is from Core.
const CORE: u32 = 22;
/// How often, in percent, the next term is a binder, where allowed.
const BINDERS: u32 = 6;
/// How many operators to try before using a negation.
const N_TRIES: u32 = 6;
/// How often, in percent, a term is tested by an operator of its theory and not compared by equality.
const TESTS: u32 = 55;

impl Builder<'_> {
    /// Adds a term to the open frame.
    pub(super) fn grow(&mut self) -> TermIdx {
        for _ in 0..N_TRIES {
            if let Some(term) = self.try_grow() {
                return term;
            }
        }
        let arg = self.operand(SortId::BOOL);
        self.apply(self.catalog.core.not, &[], &[arg], SortId::BOOL)
    }

    fn try_grow(&mut self) -> Option<TermIdx> {
        if self.has_quantifiers() && self.rng.percent(BINDERS) {
            return self.quantifier();
        }
        if !self.datatypes.is_empty() && self.rng.percent(BINDERS) {
            return self.cases();
        }
        let n_groups = self.palette.len() as u32;
        if self.rng.percent(CORE) || n_groups == 1 && self.functions.is_empty() && self.members.is_empty() {
            return self.application_of(0);
        }
        let has = [!self.functions.is_empty(), !self.members.is_empty()].map(u32::from);
        match self.rng.below(n_groups - 1 + has[0] + has[1]) {
            choice if choice < n_groups - 1 => self.application_of(1 + choice as usize),
            choice => {
                let is_function = has[0] == 1 && choice == n_groups - 1;
                let from = if is_function { &self.functions } else { &self.members };
                let function = from.get(self.rng.below(from.len() as u32) as usize)?.clone();
                Some(self.call(&function))
            }
        }
    }

    fn application_of(&mut self, group: usize) -> Option<TermIdx> {
        let op = self.rng.pick(self.palette.get(group)?);
        self.application(op)
    }

    /// Combines everything in the open frame that has no parent into one truth value.
    pub(super) fn merged(&mut self) -> TermIdx {
        let arena = &self.arena;
        let roots: Vec<TermIdx> =
            arena.frame().filter(|id| arena.get(*id).n_uses == 0 && !arena.is_atom(*id)).collect();
        let mut truths = Vec::with_capacity(roots.len());
        for root in roots {
            // The test of an earlier root may have used it.
            if self.arena.get(root).n_uses == 0 {
                truths.push(self.truth_of(root));
            }
        }
        self.rng.shuffle(&mut truths);
        self.join(truths)
    }

    /// A truth value about a term.
    fn truth_of(&mut self, term: TermIdx) -> TermIdx {
        let sort = self.arena.get(term).sort;
        if sort == SortId::BOOL {
            return term;
        }
        let kind = self.universe.kind(sort);
        if kind == Kind::RegLan || self.rng.percent(TESTS) {
            let tests = &self.catalog.tests[kind as usize];
            if !tests.is_empty() {
                let (op, place) = self.rng.pick(tests);
                if let Some(test) = self.test_of(op, place, term) {
                    return test;
                }
            }
        }
        let op = if self.rng.percent(75) { self.catalog.core.equal } else { self.catalog.core.distinct };
        let other = self.operand_beside(sort, &[term]);
        self.apply(op, &[], &[term, other], SortId::BOOL)
    }

    /// Combines truth values until one is left. O(n).
    fn join(&mut self, mut truths: Vec<TermIdx>) -> TermIdx {
        let Some(mut last) = truths.pop() else { return self.operand(SortId::BOOL) };
        while let Some(next) = truths.pop() {
            last = self.joined(last, next, &mut truths);
        }
        last
    }

    fn joined(&mut self, a: TermIdx, b: TermIdx, more: &mut Vec<TermIdx>) -> TermIdx {
        let core = &self.catalog.core;
        let a = if self.rng.percent(15) { self.apply(core.not, &[], &[a], SortId::BOOL) } else { a };
        if self.rng.percent(self.conjunctions) {
            let mut args = vec![a, b];
            args.extend(more.pop());
            return self.apply(core.and, &[], &args, SortId::BOOL);
        }
        match self.rng.below(10) {
            0 => self.apply(core.implies, &[], &[a, b], SortId::BOOL),
            1 => self.apply(core.equal, &[], &[a, b], SortId::BOOL),
            2 => self.apply(core.distinct, &[], &[a, b], SortId::BOOL),
            3 => {
                let condition = self.constant(SortId::BOOL);
                self.apply(core.ite, &[], &[condition, a, b], SortId::BOOL)
            }
            _ => self.apply(core.or, &[], &[a, b], SortId::BOOL),
        }
    }
}
