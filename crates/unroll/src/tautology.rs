//! Small decision diagrams, to see that the sides of a decision cover everything.
//!
//! Where paths merge, what holds on one or the other is a combination of the guards between. Terms are simplified locally, so `(a && b && c) || !(a
//! && b && c)` with different parentheses stays as it is. With a variable per guard nothing else would simplify it, and everything after an `if`
//! would depend on its condition. A diagram over the few guards decides it: decisions of C are chains, for which diagrams are as small as the text.

use nub_bitvec::{Op, Pool, TermId};
use rustc_hash::FxHashMap;

/// At most this many conditions in a combination.
const MAX_ATOMS: usize = 48;
/// At most this many terms in a combination.
const MAX_TERMS: usize = 512;
/// At most this many nodes in its diagram.
const MAX_NODES: usize = 4_096;

/// True if the one-bit term is true whatever its conditions are; false also if it is too large to tell. All costs are limited.
pub(crate) fn is_tautology(pool: &Pool, root: TermId) -> bool {
    let mut diagram = Diagram::default();
    let mut made: FxHashMap<TermId, Function> = FxHashMap::default();
    let mut n_atoms = 0;
    let mut stack = vec![root];
    while let Some(&id) = stack.last() {
        if made.contains_key(&id) {
            stack.pop();
            continue;
        }
        let n_before = stack.len();
        if is_inner(pool, id) {
            // The last argument is on top, so arguments are pushed in reverse to be visited in the order of the text.
            stack.extend(pool.args(id).rev().filter(|arg| !made.contains_key(arg)));
        }
        if stack.len() > n_before {
            continue;
        }
        let args: Vec<Function> = pool.args(id).filter_map(|arg| made.get(&arg).copied()).collect();
        let found = match (pool.op(id), args.as_slice()) {
            _ if !is_inner(pool, id) => leaf(pool, id, &mut diagram, &mut n_atoms),
            (Op::Not, [a]) => diagram.choose(*a, FALSE, TRUE),
            (Op::And, [a, b]) => diagram.choose(*a, *b, FALSE),
            (Op::Or, [a, b]) => diagram.choose(*a, TRUE, *b),
            (Op::Ite, [a, b, c]) => diagram.choose(*a, *b, *c),
            _ => None,
        };
        let Some(found) = found.filter(|_| made.len() < MAX_TERMS) else { return false };
        made.insert(id, found);
    }
    made[&root] == TRUE
}

/// Whether it is part of a combination of conditions, not a condition itself.
fn is_inner(pool: &Pool, id: TermId) -> bool {
    let term = pool.term(id);
    term.width() == 1 && matches!(term.op(), Op::Not | Op::And | Op::Or | Op::Ite)
}

/// The conditions that a one-bit term is made of; `None` if they are too many.
pub(crate) fn atoms(pool: &Pool, root: TermId) -> Option<Vec<TermId>> {
    let (mut found, mut seen, mut todo) = (Vec::new(), Vec::new(), vec![root]);
    while let Some(id) = todo.pop() {
        if seen.contains(&id) {
            continue;
        }
        seen.push(id);
        if is_inner(pool, id) {
            todo.extend(pool.args(id));
        } else if pool.value(id).is_none() {
            found.push(id);
        }
        if found.len() > MAX_ATOMS || seen.len() > MAX_TERMS {
            return None;
        }
    }
    Some(found)
}

/// The function of a constant, or of the next condition.
fn leaf(pool: &Pool, id: TermId, diagram: &mut Diagram, n_atoms: &mut u32) -> Option<Function> {
    if let Some(value) = pool.value(id) {
        return Some(if value.is_zero() { FALSE } else { TRUE });
    }
    let atom = *n_atoms;
    *n_atoms += 1;
    if atom as usize >= MAX_ATOMS { None } else { diagram.node(atom, FALSE, TRUE) }
}

/// A node of a diagram.
type Function = u32;

const FALSE: Function = 0;
const TRUE: Function = 1;

/// A reduced ordered decision diagram. Functions are equal if and only if their nodes are.
#[derive(Default)]
struct Diagram {
    /// Condition, node if it is false, node if it is true; the two constants are not stored.
    nodes: Vec<(u32, Function, Function)>,
    unique: FxHashMap<(u32, Function, Function), Function>,
    chosen: FxHashMap<(Function, Function, Function), Function>,
}

impl Diagram {
    fn node(&mut self, atom: u32, low: Function, high: Function) -> Option<Function> {
        if low == high {
            return Some(low);
        }
        if let Some(found) = self.unique.get(&(atom, low, high)) {
            return Some(*found);
        }
        if self.nodes.len() >= MAX_NODES {
            return None;
        }
        self.nodes.push((atom, low, high));
        let function = self.nodes.len() as Function + 1;
        self.unique.insert((atom, low, high), function);
        Some(function)
    }

    /// The first condition that a function tests.
    fn top(&self, function: Function) -> u32 {
        if function <= TRUE { u32::MAX } else { self.nodes[function as usize - 2].0 }
    }

    /// The cofactors of a function: if the condition is false, and if it is true.
    fn parts(&self, function: Function, atom: u32) -> (Function, Function) {
        if self.top(function) != atom {
            return (function, function);
        }
        let (_, low, high) = self.nodes[function as usize - 2];
        (low, high)
    }

    /// `if f { g } else { h }`. Recurses at most as deep as there are conditions, [`MAX_ATOMS`].
    fn choose(&mut self, f: Function, g: Function, h: Function) -> Option<Function> {
        match (f, g, h) {
            (TRUE, g, _) => return Some(g),
            (FALSE, _, h) => return Some(h),
            (f, TRUE, FALSE) => return Some(f),
            (_, g, h) if g == h => return Some(g),
            _ => {}
        }
        if let Some(found) = self.chosen.get(&(f, g, h)) {
            return Some(*found);
        }
        let atom = self.top(f).min(self.top(g)).min(self.top(h));
        let [(f0, f1), (g0, g1), (h0, h1)] = [f, g, h].map(|function| self.parts(function, atom));
        let low = self.choose(f0, g0, h0)?;
        let high = self.choose(f1, g1, h1)?;
        let found = self.node(atom, low, high)?;
        self.chosen.insert((f, g, h), found);
        Some(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nub_bitvec::check::Rng;
    use nub_bitvec::{Assignment, Datum, Sort, Value, evaluate};

    #[test]
    fn other_brackets() {
        let mut pool = Pool::new();
        let vars: Vec<TermId> = (0..40).map(|_| pool.var(Sort::BIT)).collect();
        let left = vars[1..].iter().fold(vars[0], |all, var| pool.mk(Op::And, &[all, *var]));
        let right = vars[..39].iter().rev().fold(vars[39], |all, var| pool.mk(Op::And, &[*var, all]));
        let opposite = pool.not(right);
        let all = pool.mk(Op::Or, &[left, opposite]);
        assert!(is_tautology(&pool, all));
        let three = vars[1..3].iter().fold(vars[0], |all, var| pool.mk(Op::And, &[all, *var]));
        let not_all = pool.mk(Op::Or, &[left, three]);
        assert!(!is_tautology(&pool, not_all) && !is_tautology(&pool, vars[0]));
    }

    #[test]
    fn too_large_is_no() {
        let mut pool = Pool::new();
        let vars: Vec<TermId> = (0..=MAX_ATOMS).map(|_| pool.var(Sort::BIT)).collect();
        let any = vars.iter().fold(vars[0], |any, var| pool.mk(Op::Or, &[any, *var]));
        assert!(!is_tautology(&pool, any));
    }

    /// Random combinations of four conditions, compared with all their values.
    #[test]
    fn as_evaluated() {
        let mut rng = Rng::new(3);
        let mut n_true = 0;
        for _ in 0..300 {
            let mut pool = Pool::new();
            let vars: Vec<TermId> = (0..4).map(|_| pool.var(Sort::BIT)).collect();
            let mut terms = vars.clone();
            for _ in 0..12 {
                let [a, b, c] = [(); 3].map(|()| rng.pick(&terms));
                let op = rng.pick(&[Op::Not, Op::And, Op::Or, Op::Ite]);
                let args = [a, b, c];
                terms.push(pool.mk(op, &args[..op.info().shape.n_args()]));
            }
            for term in terms {
                let is_true = |row: u64| {
                    let mut values = Assignment::new();
                    for (at, var) in vars.iter().enumerate() {
                        values.set(*var, Datum::Bits(Value::from_u64(1, row >> at & 1)));
                    }
                    evaluate(&pool, &values, &[term])[0].is_true()
                };
                let expected = (0..16).all(is_true);
                assert_eq!(is_tautology(&pool, term), expected);
                n_true += usize::from(expected && pool.value(term).is_none());
            }
        }
        assert!(n_true > 5, "{n_true}");
    }
}
