//! Static single assignment form: a variable per value, and its definition over earlier variables.
//!
//! Terms over inputs are simplified while they are built, so they do not show which assignments they came through: after `y = x;` both have the same
//! term, and `held == 1` may become the condition of the branch that set `held`. An analysis of what a value would be if another one were different
//! (a slice of two runs, a repair) needs the assignments themselves. [`crate::unroll_ssa`] yields both: terms over inputs as always, and [`Ssa`], in
//! which each assignment, phi, guard, argument and returned value is a variable.
//!
//! A phi selects by the variable of the guard. Where control did not reach the branch the guard is false, so the phi has the value of the other side;
//! [`Unrolled`] has the same value then. Whatever is the same in all runs stays a constant: loops with a constant number of iterations, constant
//! indices and addresses are as in plain unrolling.
//!
//! Cost: each term of the variables is turned into one over inputs once.

use crate::machine::Machine;
use crate::paths::{PathId, Step};
use crate::tautology::{atoms, is_tautology};
use crate::terms;
use crate::unrolled::Unrolled;
use nub_bitvec::{Pool, Sort, TermId};
use nub_c_ir::{CompareOp, ExprId, ExprKind, TypeId};
use nub_text::Span;
use rustc_hash::FxHashMap;

/// The definitions of all values. Terms are in [`Unrolled::pool`], over variables of definitions and over inputs.
#[derive(Clone, Debug, Default)]
pub struct Ssa {
    /// One per entry of [`Unrolled::assignments`].
    pub definitions: Vec<Definition>,
    /// One per entry of [`Unrolled::asserts`].
    pub asserts: Vec<Guarded>,
    /// One per entry of [`Unrolled::asserts`]: both sides, if it asserts that two integers are equal.
    pub equalities: Vec<Option<Equality>>,
    /// One per entry of [`Unrolled::checks`].
    pub checks: Vec<Guarded>,
    /// One per entry of [`Unrolled::assumes`].
    pub assumes: Vec<Guarded>,
    /// One guard per entry of [`Unrolled::over`].
    pub over: Vec<TermId>,
}

/// An assignment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Definition {
    /// The variable; a constant if the value is the same in all runs. For an input, the input itself.
    pub variable: TermId,
    /// Its value. An input has none and is its own value.
    pub term: TermId,
    /// Whether control reaches it, over variables.
    pub guard: TermId,
}

/// An assertion that two integers are equal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Equality {
    /// Both sides, over variables of definitions.
    pub named: [TermId; 2],
    /// The same over inputs.
    pub plain: [TermId; 2],
    /// Their positions.
    pub spans: [Span; 2],
    /// The type of both.
    pub ty: TypeId,
}

/// A condition and whether it is reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Guarded {
    /// Whether control reaches it.
    pub guard: TermId,
    /// Whether it holds.
    pub condition: TermId,
}

/// At most this many facts of a path, the last ones, are considered.
const MAX_FACTS: usize = 64;

/// Variables and the terms they represent.
#[derive(Debug, Default)]
pub(crate) struct Names {
    definitions: FxHashMap<TermId, TermId>,
    /// Terms over variables, and the same terms over inputs.
    plain: FxHashMap<TermId, TermId>,
    equalities: Vec<Option<Equality>>,
}

impl Names {
    /// The term over inputs.
    fn plain(&mut self, pool: &mut Pool, root: TermId) -> TermId {
        let mut stack = vec![root];
        while let Some(&term) = stack.last() {
            if self.plain.contains_key(&term) {
                stack.pop();
                continue;
            }
            let n_before = stack.len();
            stack.extend(pool.args(term).filter(|arg| !self.plain.contains_key(arg)));
            if stack.len() == n_before {
                let made = self.with_plain_args(pool, term);
                self.plain.insert(term, made);
            }
        }
        self.plain[&root]
    }

    /// A term whose arguments are already known over inputs.
    fn with_plain_args(&self, pool: &mut Pool, id: TermId) -> TermId {
        let term = *pool.term(id);
        let args: Vec<TermId> = term.args().map(|arg| self.plain[&arg]).collect();
        if term.args().zip(&args).all(|(old, new)| old == *new) {
            return id;
        }
        let indices: Vec<u32> = (0..term.op().info().shape.n_indices()).map(|at| term.index(at)).collect();
        pool.mk_indexed(term.op(), &args, &indices)
    }
}

impl Machine<'_> {
    /// The term over inputs.
    pub(crate) fn plain(&mut self, term: TermId) -> TermId {
        match &mut self.names {
            Some(names) => names.plain(&mut self.pool, term),
            None => term,
        }
    }

    /// A constant if the value is the same in all runs, otherwise the term itself.
    pub(crate) fn settled(&mut self, term: TermId) -> TermId {
        let plain = self.plain(term);
        if self.pool.value(plain).is_some() { plain } else { term }
    }

    /// The variable of a new value. Without names, and for constants, that is the value itself.
    pub(crate) fn named(&mut self, term: TermId) -> TermId {
        if self.pool.value(term).is_some() { self.plain(term) } else { self.named_open(term) }
    }

    /// The same for a value that gets a variable even if it turns out to be the same in all runs, because it was computed from something that is
    /// not constant. How much simplification finds out must not decide what is counted.
    pub(crate) fn named_open(&mut self, term: TermId) -> TermId {
        let plain = self.plain(term);
        let Some(names) = self.names.as_mut() else { return plain };
        let Sort::Bits(width) = self.pool.sort(term) else { return term };
        let variable = self.pool.var(Sort::Bits(width));
        names.definitions.insert(variable, term);
        names.plain.insert(variable, plain);
        self.memory.pointers.renamed(&mut self.pool, variable, term);
        variable
    }

    /// The literal of a path after a branch: the variable of the guard if there are variables, otherwise the condition.
    pub(crate) fn literal(&self, condition: TermId, name: TermId) -> TermId {
        if self.names.is_some() { name } else { condition }
    }

    /// Records the sides of an assertion that was just evaluated.
    pub(crate) fn note_equality(&mut self, condition: ExprId) {
        let exprs = &self.function().exprs;
        let Some(names) = &mut self.names else { return };
        let is_zero = |id: ExprId| exprs[id.index()].kind == ExprKind::Int(0);
        let mut id = condition;
        let sides = loop {
            match exprs[id.index()].kind {
                // A truth value as a condition.
                ExprKind::Compare(CompareOp::Ne, a, b) if is_zero(b) => id = a,
                ExprKind::Convert(_, a) => id = a,
                ExprKind::Compare(CompareOp::Eq, a, b) => {
                    let spans = [exprs[a.index()].span, exprs[b.index()].span];
                    let sides = self.current.memo.get(&a).zip(self.current.memo.get(&b));
                    let ty = exprs[a.index()].ty;
                    // The terms over inputs are added at the end.
                    break sides.map(|(a, b)| Equality { named: [*a, *b], plain: [*a, *b], spans, ty });
                }
                _ => break None,
            }
        };
        names.equalities.push(sides);
    }

    /// Takes the definitions, and leaves terms over inputs.
    pub(crate) fn take_ssa(&mut self) -> Ssa {
        let mut ssa = Ssa::default();
        let Some(names) = self.names.as_mut() else { return ssa };
        for found in &self.out.assignments {
            let variable = found.term;
            let term = names.definitions.get(&variable).copied().unwrap_or(variable);
            ssa.definitions.push(Definition { variable, term, guard: found.guard });
        }
        let guarded = |guard, condition| Guarded { guard, condition };
        ssa.asserts = self.out.asserts.iter().map(|found| guarded(found.guard, found.condition)).collect();
        ssa.checks = self.out.checks.iter().map(|found| guarded(found.guard, found.condition)).collect();
        ssa.assumes = self.out.assumes.iter().map(|found| guarded(found.guard, found.condition)).collect();
        for noted in std::mem::take(&mut names.equalities) {
            let over_inputs = |side| names.plain(&mut self.pool, side);
            ssa.equalities.push(noted.map(|noted| Equality { plain: noted.named.map(over_inputs), ..noted }));
        }
        ssa.over = self.out.over.iter().map(|found| found.guard).collect();
        for term in terms_of(&mut self.out) {
            *term = names.plain(&mut self.pool, *term);
        }
        self.drop_dead(&mut ssa);
        ssa
    }

    /// In code that no run reaches, values are counted, but nothing can be violated and no bound is reached.
    fn drop_dead(&mut self, ssa: &mut Ssa) {
        let (pool, out) = (&self.pool, &mut self.out);
        let is_alive = |guard: TermId| terms::known_truth(pool, guard) != Some(false);
        let alive: Vec<bool> = out.asserts.iter().map(|found| is_alive(found.guard)).collect();
        retain(&mut ssa.asserts, &alive);
        retain(&mut ssa.equalities, &alive);
        retain(&mut out.asserts, &alive);
        let alive: Vec<bool> = out.checks.iter().map(|found| is_alive(found.guard)).collect();
        retain(&mut ssa.checks, &alive);
        retain(&mut out.checks, &alive);
        let alive: Vec<bool> = out.assumes.iter().map(|found| is_alive(found.guard)).collect();
        retain(&mut ssa.assumes, &alive);
        retain(&mut out.assumes, &alive);
        let alive: Vec<bool> = out.over.iter().map(|found| is_alive(found.guard)).collect();
        retain(&mut ssa.over, &alive);
        retain(&mut out.over, &alive);
        out.stops.retain(|found| is_alive(found.guard));
        out.statements.retain(|found| is_alive(found.guard));
        for evaluation in &mut out.decisions {
            evaluation.conditions.retain(|found| is_alive(found.evaluated));
            evaluation.outcomes.retain(|(_, guard)| is_alive(*guard));
        }
    }
}

fn retain<T>(list: &mut Vec<T>, keep: &[bool]) {
    let mut keep = keep.iter();
    list.retain(|_| keep.next() != Some(&false));
}

/// All terms of the result except those of inputs, which are variables themselves.
fn terms_of(out: &mut Unrolled) -> Vec<&mut TermId> {
    let mut all: Vec<&mut TermId> = vec![&mut out.returned];
    all.extend(out.result.as_mut());
    all.extend(
        out.calls.iter_mut().flat_map(|call| [Some(&mut call.returned), call.result.as_mut()]).flatten(),
    );
    all.extend(out.inputs.iter_mut().map(|found| &mut found.guard));
    all.extend(out.variable_arguments.iter_mut().map(|found| &mut found.is_requested));
    all.extend(out.assignments.iter_mut().flat_map(|found| [&mut found.term, &mut found.guard]));
    for evaluation in &mut out.decisions {
        all.push(&mut evaluation.reach);
        let conditions = evaluation.conditions.iter_mut();
        all.extend(conditions.flat_map(|found| [&mut found.evaluated, &mut found.value]));
        all.extend(evaluation.outcomes.iter_mut().map(|(_, guard)| guard));
    }
    all.extend(out.statements.iter_mut().map(|found| &mut found.guard));
    all.extend(out.asserts.iter_mut().flat_map(|found| [&mut found.guard, &mut found.condition]));
    all.extend(out.checks.iter_mut().flat_map(|found| [&mut found.guard, &mut found.condition]));
    all.extend(out.assumes.iter_mut().flat_map(|found| [&mut found.guard, &mut found.condition]));
    all.extend(out.over.iter_mut().map(|found| &mut found.guard));
    all.extend(out.departures.iter_mut().map(|found| &mut found.guard));
    all.extend(out.stops.iter_mut().map(|found| &mut found.guard));
    all.extend(out.outputs.iter_mut().flat_map(|found| [&mut found.term, &mut found.exists]));
    all
}

impl Machine<'_> {
    /// The part of the path where the literal holds, unless no run takes it.
    pub(crate) fn extend(&mut self, path: PathId, literal: TermId) -> Option<PathId> {
        let literal = self.settled(literal);
        let fact = self.plain(literal);
        self.extend_by(path, literal, fact)
    }

    /// The same; `fact` is the literal as a condition over inputs, without what is known on the path.
    pub(crate) fn extend_by(&mut self, path: PathId, literal: TermId, fact: TermId) -> Option<PathId> {
        let guard = terms::and(&mut self.pool, self.paths.guard(path), literal);
        if self.names.is_none() {
            return self.paths.extend_as(&mut self.pool, path, Step { literal, fact, guard });
        }
        // What the path already implies is not added again: with variables, terms do not show it later.
        if is_tautology(&self.pool, literal) || self.is_implied(path, fact) {
            return Some(path);
        }
        let opposite = self.pool.not(fact);
        if self.is_implied(path, opposite) {
            return None;
        }
        let before = self.plain(self.paths.guard(path));
        let plain = terms::and(&mut self.pool, before, fact);
        if let Some(names) = &mut self.names {
            names.plain.insert(guard, plain);
        }
        let guard = if self.is_dead(path) { guard } else { self.settled(guard) };
        self.paths.extend_as(&mut self.pool, path, Step { literal, fact, guard })
    }

    /// The part of a path where the literal holds, even if no run takes it: with variables, what is counted must not depend on that. `None` without
    /// variables.
    pub(crate) fn forced(&mut self, path: PathId, literal: TermId, fact: TermId) -> Option<PathId> {
        let guard = terms::and(&mut self.pool, self.paths.guard(path), literal);
        let before = self.plain(self.paths.guard(path));
        let plain = terms::and(&mut self.pool, before, fact);
        self.names.as_mut()?.plain.insert(guard, plain);
        self.paths.extend_as(&mut self.pool, path, Step { literal, fact, guard })
    }

    /// Whether no run takes the path, although its code is counted.
    fn is_dead(&mut self, path: PathId) -> bool {
        let guard = self.plain(self.paths.guard(path));
        terms::known_truth(&self.pool, guard) == Some(false)
    }

    /// Both sides of a branch by the variable of its guard, even a side that no run takes.
    pub(crate) fn open_sides(
        &mut self,
        path: PathId,
        name: TermId,
        fact: TermId,
    ) -> (Option<PathId>, Option<PathId>) {
        let (opposite, opposite_fact) = (self.pool.not(name), self.pool.not(fact));
        let then_step = Step { literal: name, fact, guard: name };
        let then_path = self.paths.extend_as(&mut self.pool, path, then_step);
        (then_path, self.forced(path, opposite, opposite_fact))
    }

    /// Both sides of a branch by the variable of its guard.
    pub(crate) fn sides(
        &mut self,
        path: PathId,
        name: TermId,
        fact: TermId,
    ) -> (Option<PathId>, Option<PathId>) {
        let (opposite, opposite_fact) = (self.pool.not(name), self.pool.not(fact));
        let then_step = Step { literal: name, fact, guard: name };
        let then_path = self.paths.extend_as(&mut self.pool, path, then_step);
        (then_path, self.extend_by(path, opposite, opposite_fact))
    }

    /// Whether the fact holds on the whole path, as far as a small table over conditions shows it. Only what is known about the same conditions is
    /// considered; ignoring the rest can only miss an implication.
    fn is_implied(&mut self, path: PathId, fact: TermId) -> bool {
        let Some(own) = atoms(&self.pool, fact) else { return false };
        let mut implied = fact;
        for known in self.paths.facts(path).take(MAX_FACTS) {
            if atoms(&self.pool, known).is_some_and(|found| found.iter().any(|atom| own.contains(atom))) {
                let outside = self.pool.not(known);
                implied = terms::or(&mut self.pool, outside, implied);
            }
        }
        is_tautology(&self.pool, implied)
    }
}
