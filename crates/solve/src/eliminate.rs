//! Replaces variables that an assertion defines by their definitions.
//!
//! An assertion `x = t`, where x is a variable that t does not depend on, does not restrict the other variables: whatever their values,
//! x can be chosen. So t replaces x, and the equation is dropped. If x occurs nowhere else, the circuit of t is dropped, too. The SAT
//! solver cannot see this: it would guess bits in the middle of t and search for operands that produce them.
//!
//! (All bit-vector solvers do this; it is known as solving equations, or variable substitution.)

use nub_bitvec::{Assignment, Op, Pool, TermId, cone, evaluate};
use rustc_hash::FxHashMap;

/// Limit on the rounds of looking for definitions: eliminating one may reveal others.
const MAX_ROUNDS: usize = 16;
/// Formulas with more terms are not changed.
const MAX_TERMS: usize = 1 << 20;

/// What remains of some assertions.
#[derive(Debug)]
pub(crate) struct Eliminated {
    /// Assertions that have a model if and only if the original ones do.
    pub(crate) roots: Vec<TermId>,
    /// Eliminated variables with their definitions, the last one first: a definition mentions only variables that remain or that come
    /// before it in this order.
    definitions: Vec<(TermId, TermId)>,
}

impl Eliminated {
    /// Eliminates definitions until there are none. O(rounds * terms).
    pub(crate) fn of(pool: &mut Pool, roots: &[TermId]) -> Eliminated {
        let mut found = Eliminated { roots: conjuncts(pool, roots), definitions: Vec::new() };
        for _ in 0..MAX_ROUNDS {
            if cone(pool, &found.roots).len() > MAX_TERMS || !found.round(pool) {
                break;
            }
        }
        found
    }

    /// True if nothing was eliminated.
    pub(crate) fn is_nothing(&self) -> bool {
        self.definitions.is_empty()
    }

    /// Adds the values of the eliminated variables.
    pub(crate) fn complete(&self, pool: &Pool, assignment: &mut Assignment) {
        for (var, term) in self.definitions.iter().rev() {
            let value = evaluate(pool, assignment, &[*term]).remove(0);
            assignment.set(*var, value);
        }
    }

    /// One round: eliminates definitions that do not depend on each other in a cycle. False if there are none.
    fn round(&mut self, pool: &mut Pool) -> bool {
        let mut chosen: FxHashMap<TermId, TermId> = FxHashMap::default();
        for root in &self.roots {
            if let Some((var, term)) = definition(pool, *root, &chosen) {
                chosen.insert(var, term);
            }
        }
        let order = without_circles(pool, &mut chosen);
        if chosen.is_empty() {
            return false;
        }
        let replaced = substitute(pool, &self.roots, &chosen, &order);
        self.roots = conjuncts(pool, &replaced);
        // In order of dependence: the last ones depend on no eliminated variable.
        self.definitions.extend(order.iter().rev().map(|var| (*var, chosen[var])));
        true
    }
}

/// The operands of conjunctions, without those that are constant true.
fn conjuncts(pool: &Pool, roots: &[TermId]) -> Vec<TermId> {
    let mut todo: Vec<TermId> = roots.iter().rev().copied().collect();
    let mut seen = rustc_hash::FxHashSet::default();
    let mut found = Vec::new();
    while let Some(term) = todo.pop() {
        match pool.op(term) {
            Op::And => todo.extend(pool.args(term).rev()),
            Op::Const if pool.value(term).is_some_and(|value| value.is_one()) => {}
            _ if seen.insert(term) => found.push(term),
            _ => {}
        }
    }
    found
}

/// The variable that an assertion defines, and its definition.
fn definition(pool: &mut Pool, root: TermId, chosen: &FxHashMap<TermId, TermId>) -> Option<(TermId, TermId)> {
    let is_free = |pool: &Pool, id: TermId| pool.op(id) == Op::Var && !chosen.contains_key(&id);
    match pool.op(root) {
        Op::Var if is_free(pool, root) => Some((root, pool.truth(true))),
        Op::Not => {
            let inner = pool.term(root).arg(0);
            is_free(pool, inner).then(|| (inner, pool.truth(false)))
        }
        Op::Eq => {
            let (a, b) = (pool.term(root).arg(0), pool.term(root).arg(1));
            if pool.sort(a).is_array() {
                None
            } else if is_free(pool, b) {
                Some((b, a))
            } else if is_free(pool, a) {
                Some((a, b))
            } else {
                None
            }
        }
        _ => None,
    }
}

/// The state of a term during the walk.
#[derive(Clone, Copy, PartialEq)]
enum State {
    Open,
    Done,
}

/// Drops definitions that would define a variable by itself; returns the others in an order in which each mentions only those
/// before it. Depth first, with an explicit stack.
fn without_circles(pool: &Pool, chosen: &mut FxHashMap<TermId, TermId>) -> Vec<TermId> {
    let mut vars: Vec<TermId> = chosen.keys().copied().collect();
    vars.sort_unstable();
    let mut states: FxHashMap<TermId, State> = FxHashMap::default();
    let mut order = Vec::new();
    // Variables whose definitions are being walked.
    let mut path: Vec<TermId> = Vec::new();
    let mut stack: Vec<(TermId, State)> = vars.iter().rev().map(|var| (*var, State::Open)).collect();
    while let Some((id, state)) = stack.pop() {
        if state == State::Done {
            states.insert(id, State::Done);
            if path.last() == Some(&id) {
                path.pop();
            }
            if chosen.contains_key(&id) {
                order.push(id);
            }
            continue;
        }
        match states.get(&id) {
            Some(State::Done) => continue,
            // A cycle contains the last definition on the path, unless that was dropped already, which broke the cycle.
            Some(State::Open) => {
                path.last().and_then(|last| chosen.remove(last));
                continue;
            }
            None => {}
        }
        states.insert(id, State::Open);
        stack.push((id, State::Done));
        match chosen.get(&id) {
            Some(term) => {
                path.push(id);
                stack.push((*term, State::Open));
            }
            None => stack.extend(pool.args(id).map(|arg| (arg, State::Open))),
        }
    }
    order
}

/// The roots with variables replaced by their definitions; variables within definitions have been replaced before.
fn substitute(
    pool: &mut Pool,
    roots: &[TermId],
    chosen: &FxHashMap<TermId, TermId>,
    order: &[TermId],
) -> Vec<TermId> {
    let mut now: FxHashMap<TermId, TermId> = FxHashMap::default();
    for var in order {
        let term = replaced(pool, chosen[var], &mut now);
        now.insert(*var, term);
    }
    roots.iter().map(|root| replaced(pool, *root, &mut now)).collect()
}

/// A term over the replacements of terms; replacements that it needs are added.
fn replaced(pool: &mut Pool, root: TermId, now: &mut FxHashMap<TermId, TermId>) -> TermId {
    for id in nub_bitvec::cone_beyond(pool, &[root], |id| now.contains_key(&id)) {
        let term = *pool.term(id);
        let args: Vec<TermId> = term.args().map(|arg| now[&arg]).collect();
        let is_same = term.args().eq(args.iter().copied());
        let new = if is_same || args.is_empty() {
            id
        } else {
            let n_indices = term.op().info().shape.n_indices();
            let indices: Vec<u32> = (0..n_indices).map(|index| term.index(index)).collect();
            pool.mk_indexed(term.op(), &args, &indices)
        };
        now.insert(id, new);
    }
    now[&root]
}

#[cfg(test)]
mod tests {
    use super::*;
    use nub_bitvec::{Datum, Sort, Value};

    #[test]
    fn chains_are_replaced_and_circles_are_not() {
        let mut pool = Pool::new();
        let [x, y, z] = [0; 3].map(|_| pool.var(Sort::Bits(8)));
        let one = pool.constant(Value::one(8));
        let y_more = pool.mk(Op::Add, &[y, one]);
        let z_more = pool.mk(Op::Mul, &[z, z]);
        let roots = [pool.mk(Op::Eq, &[x, y_more]), pool.mk(Op::Eq, &[y, z_more])];
        let found = Eliminated::of(&mut pool, &roots);
        assert!(found.roots.is_empty(), "{found:?}");
        let mut assignment = Assignment::new();
        assignment.set(z, Datum::Bits(Value::from_u64(8, 3)));
        found.complete(&pool, &mut assignment);
        assert_eq!(assignment.get(x), Some(&Datum::Bits(Value::from_u64(8, 10))));
        assert_eq!(assignment.get(y), Some(&Datum::Bits(Value::from_u64(8, 9))));
        let circle = [pool.mk(Op::Eq, &[x, y_more]), {
            let x_more = pool.mk(Op::Mul, &[x, x]);
            pool.mk(Op::Eq, &[y, x_more])
        }];
        let found = Eliminated::of(&mut pool, &circle);
        assert_eq!(found.roots.len(), 1, "one of the two is left");
    }
}
