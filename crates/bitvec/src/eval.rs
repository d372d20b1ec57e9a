//! The value of terms under an assignment: the reference that everything else is checked against.

use crate::{ArrayValue, Eval, Op, Pool, Sort, Structural, Term, TermId, Value, cone};
use rustc_hash::FxHashMap;
use std::fmt;

/// A value of any sort.
#[derive(Clone, PartialEq, Eq)]
pub enum Datum {
    /// A bit-vector.
    Bits(Value),
    /// An array.
    Array(ArrayValue),
}

impl Datum {
    /// All bits zero, or an array of zeros.
    pub fn zero(sort: Sort) -> Datum {
        match sort {
            Sort::Bits(width) => Datum::Bits(Value::zero(width)),
            Sort::Array { index, element } => Datum::Array(ArrayValue::constant(index, Value::zero(element))),
        }
    }

    /// Its sort.
    pub fn sort(&self) -> Sort {
        match self {
            Datum::Bits(value) => Sort::Bits(value.width()),
            Datum::Array(array) => {
                Sort::Array { index: array.index_width(), element: array.default().width() }
            }
        }
    }

    /// The bit-vector. Panics on an array.
    pub fn bits(&self) -> &Value {
        match self {
            Datum::Bits(value) => value,
            Datum::Array(_) => panic!("an array where a bit-vector belongs"),
        }
    }

    /// The array. Panics on a bit-vector.
    pub fn array(&self) -> &ArrayValue {
        match self {
            Datum::Array(array) => array,
            Datum::Bits(_) => panic!("a bit-vector where an array belongs"),
        }
    }

    /// True if it is the truth value true.
    pub fn is_true(&self) -> bool {
        *self == Datum::Bits(Value::one(1))
    }
}

/// As in SMT-LIB.
impl fmt::Display for Datum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Datum::Bits(value) => value.fmt(f),
            Datum::Array(array) => array.fmt(f),
        }
    }
}

impl fmt::Debug for Datum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Values of variables. A variable without a value is zero.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Assignment {
    values: FxHashMap<TermId, Datum>,
}

impl Assignment {
    /// All variables zero.
    pub fn new() -> Assignment {
        Assignment::default()
    }

    /// Sets the value of a variable.
    pub fn set(&mut self, var: TermId, value: Datum) {
        self.values.insert(var, value);
    }

    /// The value of a variable, if it has one.
    pub fn get(&self, var: TermId) -> Option<&Datum> {
        self.values.get(&var)
    }
}

/// The values of some terms: one operation on values for each term below them. An array that is no longer needed is changed in place, so a
/// chain of n writes costs O(n log n). This is the reference; [`Evaluator`](crate::Evaluator) is faster.
pub fn evaluate(pool: &Pool, assignment: &Assignment, roots: &[TermId]) -> Vec<Datum> {
    let order = cone(pool, roots);
    let place = |id: TermId| order.binary_search(&id).expect("operands are in the cone");
    let mut left = vec![0; order.len()];
    order
        .iter()
        .flat_map(|id| pool.args(*id))
        .chain(roots.iter().copied())
        .for_each(|id| left[place(id)] += 1);
    let mut values: Vec<Option<Datum>> = Vec::with_capacity(order.len());
    for id in &order {
        let term = pool.term(*id);
        let mut args: [Option<Datum>; 3] = [None, None, None];
        for (arg, at) in args.iter_mut().zip(term.args().map(place)) {
            left[at] -= 1;
            *arg = if left[at] == 0 { values[at].take() } else { values[at].clone() };
        }
        let value = match term.op() {
            Op::Var => assignment.get(*id).cloned().unwrap_or_else(|| Datum::zero(term.sort())),
            Op::Const => Datum::Bits(pool.value(*id).expect("a constant has a value").clone()),
            _ => apply(term, args.map(|arg| arg.unwrap_or_else(|| Datum::zero(Sort::BIT)))),
        };
        debug_assert_eq!(value.sort(), term.sort(), "{}", term.op());
        values.push(Some(value));
    }
    let roots = roots.iter().map(|root| values[place(*root)].clone());
    roots.map(|value| value.expect("a root is used once more")).collect()
}

/// Applies an operator to values. Only as many arguments as it has operands are used. Panics if the sorts are wrong.
pub(crate) fn apply(term: &Term, args: [Datum; 3]) -> Datum {
    let n_indices = term.op().info().shape.n_indices();
    let indices = [0, 1].map(|index| if index < n_indices { term.index(index) } else { 0 });
    term.op().evaluate(args, indices)
}

impl Op {
    /// The value of the operator for given operands and indices; surplus ones are ignored. This defines the meaning of the operator, for
    /// terms and for the nodes of other formats. Panics if the sorts are wrong, or on a leaf.
    pub fn evaluate(self, args: [Datum; 3], indices: [u32; 2]) -> Datum {
        let value = match self.info().eval {
            Eval::Unary(f) => f(args[0].bits()),
            Eval::Binary(f) => f(args[0].bits(), args[1].bits()),
            Eval::Test(f) => Value::from(f(args[0].bits())),
            Eval::Compare(f) => Value::from(f(args[0].bits(), args[1].bits())),
            Eval::Indexed(f) => f(args[0].bits(), indices[0]),
            Eval::Indexed2(f) => f(args[0].bits(), indices[0], indices[1]),
            Eval::Structural(kind) => return self.evaluate_structural(kind, args, indices),
        };
        Datum::Bits(value)
    }

    fn evaluate_structural(self, kind: Structural, [a, b, c]: [Datum; 3], indices: [u32; 2]) -> Datum {
        match kind {
            Structural::Equal => Datum::Bits(Value::from(a == b)),
            Structural::Distinct => Datum::Bits(Value::from(a != b)),
            Structural::Choice => {
                if a.is_true() {
                    b
                } else {
                    c
                }
            }
            Structural::Read => Datum::Bits(a.array().read(b.bits()).clone()),
            Structural::Write => {
                let Datum::Array(mut array) = a else { panic!("a bit-vector where an array belongs") };
                array.write(b.bits().clone(), c.bits().clone());
                Datum::Array(array)
            }
            Structural::ConstArray => Datum::Array(ArrayValue::constant(indices[0], a.bits().clone())),
            Structural::Leaf => panic!("{self} is not evaluated from operands"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rewriting;

    #[test]
    fn long_write_chains_are_cheap() {
        let mut pool = Pool::with_rewriting(Rewriting::Off);
        let sort = Sort::Array { index: 32, element: 8 };
        let mut array = pool.var(sort);
        let seven = pool.constant(Value::from_u64(8, 7));
        for index in 0..50_000 {
            let at = pool.constant(Value::from_u64(32, index));
            array = pool.mk(Op::Write, &[array, at, seven]);
        }
        let at = pool.constant(Value::from_u64(32, 49_999));
        let beyond = pool.constant(Value::from_u64(32, 50_000));
        let reads = [at, beyond].map(|at| pool.mk(Op::Read, &[array, at]));
        let values = evaluate(&pool, &Assignment::new(), &reads);
        assert_eq!(values, [7, 0].map(|n| Datum::Bits(Value::from_u64(8, n))));
    }

    #[test]
    fn shared_arrays_are_not_changed() {
        let mut pool = Pool::with_rewriting(Rewriting::Off);
        let array = pool.var(Sort::Array { index: 2, element: 8 });
        let (at, one) = (pool.var(Sort::Bits(2)), pool.constant(Value::one(8)));
        let written = pool.mk(Op::Write, &[array, at, one]);
        let equal = pool.mk(Op::Eq, &[array, written]);
        let values = evaluate(&pool, &Assignment::new(), &[equal, written, array, written]);
        assert!(!values[0].is_true());
        assert_eq!(values[1], values[3]);
        assert_ne!(values[1], values[2]);
    }
}
