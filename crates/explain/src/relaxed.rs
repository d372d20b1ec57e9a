//! The relaxed program of a slice: each value that differs is as in one run or as in the other.
//!
//! Terms of definitions are rebuilt in another pool, with a choice for each counted value. Values that do not count (temporaries, specification code)
//! follow their definitions. Cost: each term once.

use nub_bitvec::{Op, Pool, TermId, Value};
use nub_unroll::{Definition, Guarded, Ssa};
use rustc_hash::FxHashMap;

/// Terms over the choices.
pub(crate) struct Relaxed<'a> {
    from: &'a Pool,
    ssa: &'a Ssa,
    pub pool: Pool,
    /// Terms of the unrolled function, and what they were rebuilt as.
    made: FxHashMap<TermId, TermId>,
    /// Definitions by variable.
    definitions: FxHashMap<TermId, TermId>,
}

impl<'a> Relaxed<'a> {
    /// Rebuilds terms of `from` in `pool`.
    pub fn new(from: &'a Pool, ssa: &'a Ssa, pool: Pool) -> Relaxed<'a> {
        let of = |definition: &Definition| (definition.variable, definition.term);
        let definitions = ssa.definitions.iter().map(of).filter(|(variable, term)| variable != term);
        Relaxed { from, ssa, pool, made: FxHashMap::default(), definitions: definitions.collect() }
    }

    /// Records that this term of the unrolled function becomes that term of the pool.
    pub fn set(&mut self, from: TermId, to: TermId) {
        self.made.insert(from, to);
    }

    /// A term over the choices.
    pub fn rebuild(&mut self, root: TermId) -> TermId {
        let mut stack = vec![root];
        while let Some(&term) = stack.last() {
            if self.made.contains_key(&term) {
                stack.pop();
                continue;
            }
            let n_before = stack.len();
            let definition = self.definitions.get(&term).copied();
            let args = self.from.args(term).chain(definition);
            stack.extend(args.filter(|arg| !self.made.contains_key(arg)));
            if stack.len() == n_before {
                let made = match definition {
                    Some(definition) => self.made[&definition],
                    None => self.apply(term),
                };
                self.made.insert(term, made);
            }
        }
        self.made[&root]
    }

    /// A term whose operands are already rebuilt.
    fn apply(&mut self, id: TermId) -> TermId {
        let term = self.from.term(id);
        if let Some(value) = self.from.value(id) {
            return self.pool.constant(value.clone());
        }
        if term.op() == Op::Var {
            // Every variable is an input, which is set, or has a definition; any other variable may have any value.
            return self.pool.constant(Value::zero(term.width()));
        }
        let args: Vec<TermId> = term.args().map(|arg| self.made[&arg]).collect();
        let n_indices = term.op().info().shape.n_indices();
        let indices: Vec<u32> = (0..n_indices).map(|at| term.index(at)).collect();
        self.pool.mk_indexed(term.op(), &args, &indices)
    }

    /// All properties hold, and no bound is reached: one condition each.
    pub fn properties(&mut self) -> Vec<TermId> {
        let ssa = self.ssa;
        let mut found: Vec<TermId> = Vec::new();
        for Guarded { guard, condition } in ssa.asserts.iter().chain(&ssa.checks).chain(&ssa.assumes) {
            let (guard, condition) = (self.rebuild(*guard), self.rebuild(*condition));
            found.push(self.pool.mk(Op::Implies, &[guard, condition]));
        }
        for guard in &ssa.over {
            let guard = self.rebuild(*guard);
            found.push(self.pool.not(guard));
        }
        found
    }

    /// If the choice is true, the definition yields this value.
    pub fn follows(&mut self, choice: TermId, definition: TermId, value: TermId) -> TermId {
        let term = self.rebuild(definition);
        let equal = self.pool.mk(Op::Eq, &[term, value]);
        self.pool.mk(Op::Implies, &[choice, equal])
    }
}
