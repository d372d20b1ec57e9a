//! Terms as numbers in a pool, hash-consed: equal terms have equal numbers.

use crate::Value;
use crate::op::{Eval, Op};
use crate::rewrite;
use crate::shape::SortError;
use crate::sort::Sort;
use crate::unique::UniqueTable;
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};

/// A term of a [`Pool`]. Operands have smaller numbers than the terms that use them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct TermId(pub(crate) u32);

impl TermId {
    /// Its position in the order of creation, from 0.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// An operator with its operands and indices, and its sort. 28 bytes, no pointers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Term {
    op: Op,
    sort: Sort,
    /// Operands, then indices; for a leaf, the number of its value or variable.
    parts: [u32; 3],
}

impl Term {
    pub(crate) fn new(op: Op, args: &[TermId], indices: &[u32], sort: Sort) -> Term {
        let mut parts = [0; 3];
        let numbers = args.iter().map(|arg| arg.0).chain(indices.iter().copied());
        parts.iter_mut().zip(numbers).for_each(|(part, number)| *part = number);
        Term { op, sort, parts }
    }

    /// Its operator.
    pub fn op(&self) -> Op {
        self.op
    }

    /// Its sort.
    pub fn sort(&self) -> Sort {
        self.sort
    }

    /// Its width; of an array, the width of an element.
    pub fn width(&self) -> u32 {
        match self.sort {
            Sort::Bits(width) => width,
            Sort::Array { element, .. } => element,
        }
    }

    /// Its operands.
    pub fn args(&self) -> impl DoubleEndedIterator<Item = TermId> + ExactSizeIterator + use<> {
        let n_args = self.op.info().shape.n_args();
        self.parts.into_iter().take(n_args).map(TermId)
    }

    /// Operand `index`. Panics if there is none.
    pub fn arg(&self, index: usize) -> TermId {
        assert!(index < self.op.info().shape.n_args(), "operand {index} of {}", self.op);
        TermId(self.parts[index])
    }

    /// Index `index`: of `slice` the highest and the lowest bit, of an extension the number of bits.
    pub fn index(&self, index: usize) -> u32 {
        let shape = self.op.info().shape;
        assert!(index < shape.n_indices(), "index {index} of {}", self.op);
        self.parts[shape.n_args() + index]
    }
}

/// Whether new terms are simplified.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Rewriting {
    /// By the rules of [`RULES`](crate::RULES).
    #[default]
    On,
    /// Never: for tests, and to keep a formula as it was written.
    Off,
    /// By a deliberately wrong rule, then by the others. Only for demonstrations and tests.
    Defective,
}

/// A set of terms. It only grows.
#[derive(Clone, Debug, Default)]
pub struct Pool {
    terms: Vec<Term>,
    unique: UniqueTable,
    values: Vec<Value>,
    unique_values: UniqueTable,
    n_vars: u32,
    rewriting: Rewriting,
    /// The current nesting of rules within rules.
    depth: u32,
}

/// The terms that a rule makes are simplified in turn. This is the limit on the nesting; deeper terms are not simplified.
const MAX_REWRITE_DEPTH: u32 = 12;
/// Wider terms are not simplified: their constants are large, and products cost the square of the width.
const MAX_REWRITE_WIDTH: u32 = 1 << 16;
/// Limit on the rules applied in sequence to one term.
const MAX_REWRITE_STEPS: u32 = 64;

impl Pool {
    /// An empty pool that simplifies.
    pub fn new() -> Pool {
        Pool::default()
    }

    /// An empty pool.
    pub fn with_rewriting(rewriting: Rewriting) -> Pool {
        Pool { rewriting, ..Pool::default() }
    }

    /// How to simplify the terms made from now on.
    pub fn set_rewriting(&mut self, rewriting: Rewriting) {
        self.rewriting = rewriting;
    }

    /// Number of terms.
    pub fn len(&self) -> usize {
        self.terms.len()
    }

    /// True if there are no terms.
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    /// The content of a term. Panics if the term is from a larger pool.
    pub fn term(&self, id: TermId) -> &Term {
        &self.terms[id.index()]
    }

    /// The operator of a term.
    pub fn op(&self, id: TermId) -> Op {
        self.term(id).op
    }

    /// The sort of a term.
    pub fn sort(&self, id: TermId) -> Sort {
        self.term(id).sort
    }

    /// The width of a term; of an array, the width of an element.
    pub fn width(&self, id: TermId) -> u32 {
        self.term(id).width()
    }

    /// The operands of a term.
    pub fn args(&self, id: TermId) -> impl DoubleEndedIterator<Item = TermId> + ExactSizeIterator + use<> {
        self.term(id).args()
    }

    /// The value of a constant.
    pub fn value(&self, id: TermId) -> Option<&Value> {
        let term = self.term(id);
        (term.op == Op::Const).then(|| &self.values[term.parts[0] as usize])
    }

    /// A new variable. The caller keeps its name.
    pub fn var(&mut self, sort: Sort) -> TermId {
        assert!(sort.is_valid(), "no sort: {sort}");
        let number = self.n_vars;
        self.n_vars += 1;
        self.intern(Term { op: Op::Var, sort, parts: [number, 0, 0] })
    }

    /// A constant.
    pub fn constant(&mut self, value: Value) -> TermId {
        let sort = Sort::Bits(value.width());
        let new = u32::try_from(self.values.len()).expect("fewer values than terms");
        let values = &self.values;
        let number = self.unique_values.find_or_insert(hash(&value), new, |id| values[id as usize] == value);
        if number == new {
            self.values.push(value);
        }
        self.intern(Term { op: Op::Const, sort, parts: [number, 0, 0] })
    }

    /// A truth value.
    pub fn truth(&mut self, truth: bool) -> TermId {
        self.constant(Value::from(truth))
    }

    /// An operator applied to operands and indices, or why it cannot be applied. The result may be another term of equal value.
    pub fn apply(&mut self, op: Op, args: &[TermId], indices: &[u32]) -> Result<TermId, SortError> {
        let shape = op.info().shape;
        let mut sorts = [Sort::BIT; 3];
        let Some(sorts) = sorts.get_mut(..args.len()) else {
            return Err(SortError::Arity { expected: shape.n_args(), found: args.len() });
        };
        sorts.iter_mut().zip(args).for_each(|(sort, arg)| *sort = self.sort(*arg));
        let sort = shape.result(sorts, indices)?;
        Ok(self.simplified(Term::new(op, args, indices, sort)))
    }

    /// An operator without indices applied to operands. Panics if the sorts are wrong; [`Pool::apply`] returns an error instead.
    #[track_caller]
    pub fn mk(&mut self, op: Op, args: &[TermId]) -> TermId {
        self.mk_indexed(op, args, &[])
    }

    /// An operator applied to operands and indices. Panics if the sorts are wrong; [`Pool::apply`] returns an error instead.
    #[track_caller]
    pub fn mk_indexed(&mut self, op: Op, args: &[TermId], indices: &[u32]) -> TermId {
        match self.apply(op, args, indices) {
            Ok(id) => id,
            Err(error) => panic!("{op} cannot be applied: {error}"),
        }
    }

    /// The complement.
    pub fn not(&mut self, a: TermId) -> TermId {
        self.mk(Op::Not, &[a])
    }

    /// Bits `high` down to `low`.
    pub fn slice(&mut self, a: TermId, high: u32, low: u32) -> TermId {
        self.mk_indexed(Op::Slice, &[a], &[high, low])
    }

    /// Applies rules until none matches or a limit is reached, then adds the term.
    fn simplified(&mut self, term: Term) -> TermId {
        let is_wide = |id: TermId| self.width(id) > MAX_REWRITE_WIDTH;
        let is_too_wide = term.width() > MAX_REWRITE_WIDTH || term.args().any(is_wide);
        if self.rewriting == Rewriting::Off || self.depth >= MAX_REWRITE_DEPTH || is_too_wide {
            return self.intern(term);
        }
        self.depth += 1;
        let mut term = term;
        let mut found = None;
        for _ in 0..MAX_REWRITE_STEPS {
            let planted =
                (self.rewriting == Rewriting::Defective).then(|| rewrite::planted_step(self, &term));
            match planted.flatten().or_else(|| rewrite::step(self, &term)) {
                Some(rewrite::To::Again(next)) => term = next,
                Some(rewrite::To::Term(id)) => {
                    found = Some(id);
                    break;
                }
                None => break,
            }
        }
        self.depth -= 1;
        found.unwrap_or_else(|| self.intern(term))
    }

    pub(crate) fn intern(&mut self, term: Term) -> TermId {
        let new = u32::try_from(self.terms.len()).expect("fewer than 2^32 terms");
        let terms = &self.terms;
        let id = self.unique.find_or_insert(hash(&term), new, |id| terms[id as usize] == term);
        if id == new {
            self.terms.push(term);
        }
        TermId(id)
    }

    /// The value of an operator on constants, unless it takes arrays.
    pub(crate) fn folded(&self, term: &Term) -> Option<Value> {
        let value = |index: usize| self.value(term.arg(index));
        Some(match term.op.info().eval {
            Eval::Unary(f) => f(value(0)?),
            Eval::Binary(f) => f(value(0)?, value(1)?),
            Eval::Test(f) => Value::from(f(value(0)?)),
            Eval::Compare(f) => Value::from(f(value(0)?, value(1)?)),
            Eval::Indexed(f) => f(value(0)?, term.index(0)),
            Eval::Indexed2(f) => f(value(0)?, term.index(0), term.index(1)),
            Eval::Structural(_) => return None,
        })
    }
}

fn hash(content: &impl Hash) -> u64 {
    let mut hasher = FxHasher::default();
    content.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_terms_have_equal_numbers() {
        let mut pool = Pool::with_rewriting(Rewriting::Off);
        let (x, y) = (pool.var(Sort::Bits(8)), pool.var(Sort::Bits(8)));
        assert_ne!(x, y);
        let sum = pool.mk(Op::Add, &[x, y]);
        assert_eq!(pool.mk(Op::Add, &[x, y]), sum);
        assert_ne!(pool.mk(Op::Add, &[y, x]), sum, "nothing is rewritten");
        let three = pool.constant(Value::from_u64(8, 3));
        assert_eq!(pool.constant(Value::from_u64(8, 3)), three);
        assert_ne!(pool.constant(Value::from_u64(9, 3)), three);
        assert_ne!(pool.slice(x, 3, 1), pool.slice(x, 3, 2));
        assert_eq!((pool.op(sum), pool.sort(sum)), (Op::Add, Sort::Bits(8)));
        assert_eq!(pool.args(sum).collect::<Vec<_>>(), [x, y]);
    }

    #[test]
    fn wrong_sorts_give_errors() {
        let mut pool = Pool::new();
        let (x, y) = (pool.var(Sort::Bits(8)), pool.var(Sort::Bits(7)));
        assert_eq!(pool.apply(Op::Add, &[x, y], &[]), Err(SortError::Operand(1)));
        assert_eq!(pool.apply(Op::Var, &[], &[]), Err(SortError::Operand(0)));
        assert!(pool.apply(Op::Add, &[x, x, x, x], &[]).is_err());
        assert!(pool.apply(Op::Slice, &[x], &[1]).is_err());
    }
}
