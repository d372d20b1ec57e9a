//! Random values and terms from a seed, for the tests of this crate and of those above it. For users there is `generate`.

use crate::{ArrayValue, Assignment, Datum, Op, OperandShape, Pool, Sort, TermId, Value};

pub use nub_random::Rng;

/// Random values of the sorts of this crate.
pub trait RandomValues {
    /// Random bits, or a corner case: zero, one, all ones, the signed bounds, runs of ones, few bits.
    fn value(&mut self, width: u32) -> Value;
    /// A value of any sort.
    fn datum(&mut self, sort: Sort) -> Datum;
    /// Values for all variables.
    fn assignment(&mut self, pool: &Pool, vars: &[TermId]) -> Assignment;
}

impl RandomValues for Rng {
    fn value(&mut self, width: u32) -> Value {
        let random = Value::from_bits((0..width).map(|_| self.below(2) == 1).collect::<Vec<bool>>());
        let amount = Value::from_u64(32, self.below(width as usize) as u64);
        match self.below(12) {
            0 => Value::zero(width),
            1 => Value::one(width),
            2 => Value::ones(width),
            3 => Value::min_signed(width),
            4 => Value::max_signed(width),
            // Long runs of ones trigger the rare branch of long division.
            5 => Value::ones(width).lshr(&amount),
            6 => Value::ones(width).shl(&amount),
            7 => random.lshr(&amount),
            8 => Value::from_u64(width, self.below(4) as u64),
            _ => random,
        }
    }

    fn datum(&mut self, sort: Sort) -> Datum {
        match sort {
            Sort::Bits(width) => Datum::Bits(self.value(width)),
            Sort::Array { index, element } => {
                let mut array = ArrayValue::constant(index, self.value(element));
                for _ in 0..self.below(6) {
                    array.write(self.value(index), self.value(element));
                }
                Datum::Array(array)
            }
        }
    }

    fn assignment(&mut self, pool: &Pool, vars: &[TermId]) -> Assignment {
        let mut assignment = Assignment::new();
        for &var in vars {
            assignment.set(var, self.datum(pool.sort(var)));
        }
        assignment
    }
}

/// Which terms to generate.
#[derive(Clone, Debug)]
pub struct Shapes {
    /// Operators to choose from.
    pub ops: Vec<Op>,
    /// The widest bit-vector, approximately: operands of other widths are truncated or extended.
    pub max_width: u32,
    /// The widest index of an array. Zero: no arrays.
    pub max_index: u32,
}

impl Shapes {
    /// All operators except those on arrays.
    pub fn bits(max_width: u32) -> Shapes {
        let is_array = |op: &Op| {
            matches!(op.info().shape, OperandShape::Read | OperandShape::Write | OperandShape::ConstArray)
        };
        let ops = Op::all().filter(|op| op.info().shape != OperandShape::Leaf && !is_array(op)).collect();
        Shapes { ops, max_width, max_index: 0 }
    }

    /// All operators.
    pub fn arrays(max_width: u32, max_index: u32) -> Shapes {
        let ops = Op::all().filter(|op| op.info().shape != OperandShape::Leaf).collect();
        Shapes { ops, max_width, max_index }
    }
}

/// Generates random terms over the terms that it generated before.
#[derive(Clone, Debug)]
pub struct Sampler {
    /// The source of its choices.
    pub rng: Rng,
    /// The variables.
    pub vars: Vec<TermId>,
    shapes: Shapes,
    terms: Vec<TermId>,
}

impl Sampler {
    /// Starts with `n_vars` variables of random sorts.
    pub fn new(pool: &mut Pool, shapes: Shapes, n_vars: usize, seed: u64) -> Sampler {
        let mut rng = Rng::new(seed);
        let mut vars = Vec::new();
        for index in 0..n_vars {
            let width = rng.between(1, shapes.max_width);
            let is_array = shapes.max_index > 0 && index % 2 == 1;
            vars.push(pool.var(if is_array {
                Sort::Array { index: rng.between(1, shapes.max_index), element: width }
            } else {
                Sort::Bits(width)
            }));
        }
        let mut terms = vars.clone();
        for _ in 0..3 {
            let width = rng.between(1, shapes.max_width);
            terms.push(pool.constant(rng.value(width)));
        }
        Sampler { rng, terms, vars, shapes }
    }

    /// A new term: a random operator on random terms, or occasionally a constant.
    pub fn grow(&mut self, pool: &mut Pool) -> TermId {
        let op = self.rng.pick(&self.shapes.ops);
        let id = self.apply(pool, op);
        self.terms.push(id);
        id
    }

    /// Adds a term that later ones may use as an operand.
    pub fn add(&mut self, term: TermId) {
        self.terms.push(term);
    }

    /// A truth value that depends on the terms generated last.
    pub fn truth(&mut self, pool: &mut Pool) -> TermId {
        let recent = self.terms.len().saturating_sub(8);
        let last = self.terms[recent + self.rng.below(self.terms.len() - recent)];
        match pool.sort(last) {
            Sort::BIT => last,
            Sort::Bits(_) => {
                let op = self.rng.pick(&[Op::Eq, Op::Ne, Op::Ult, Op::Slt, Op::Sge]);
                let other = self.like(pool, pool.sort(last));
                pool.mk(op, &[last, other])
            }
            sort => {
                let other = self.like(pool, sort);
                pool.mk(Op::Eq, &[last, other])
            }
        }
    }

    fn apply(&mut self, pool: &mut Pool, op: Op) -> TermId {
        let max = self.shapes.max_width;
        let first = match op.info().shape {
            OperandShape::Truths(_) | OperandShape::Ite => self.like(pool, Sort::BIT),
            OperandShape::Read | OperandShape::Write => match self.array(pool) {
                Some(array) => array,
                None => return self.bits(pool),
            },
            OperandShape::Equal => self.rng.pick(&self.terms.clone()),
            _ => self.bits(pool),
        };
        let width = pool.width(first);
        let (args, indices) = match op.info().shape {
            OperandShape::Leaf => return first,
            OperandShape::Same(1) | OperandShape::Predicate(1) | OperandShape::Truths(1) => {
                (vec![first], vec![])
            }
            OperandShape::Same(_)
            | OperandShape::Predicate(_)
            | OperandShape::Truths(_)
            | OperandShape::Equal => {
                let second = self.like(pool, pool.sort(first));
                (vec![first, second], vec![])
            }
            OperandShape::Shift | OperandShape::Concat => (vec![first, self.bits(pool)], vec![]),
            OperandShape::Slice => {
                let (i, j) = (self.rng.below(width as usize) as u32, self.rng.below(width as usize) as u32);
                (vec![first], vec![i.max(j), i.min(j)])
            }
            OperandShape::Extend => (vec![first], vec![self.rng.below(max as usize) as u32]),
            OperandShape::Repeat => (vec![first], vec![self.rng.between(1, 3)]),
            OperandShape::ConstArray if self.shapes.max_index == 0 => return first,
            OperandShape::ConstArray => (vec![first], vec![self.rng.between(1, self.shapes.max_index)]),
            OperandShape::Ite => {
                let then = self.rng.pick(&self.terms.clone());
                let otherwise = self.like(pool, pool.sort(then));
                (vec![first, then, otherwise], vec![])
            }
            OperandShape::Read | OperandShape::Write => {
                let Sort::Array { index, element } = pool.sort(first) else { return first };
                let mut args = vec![first, self.like(pool, Sort::Bits(index))];
                if op == Op::Write {
                    args.push(self.like(pool, Sort::Bits(element)));
                }
                (args, vec![])
            }
        };
        let made = pool.mk_indexed(op, &args, &indices);
        match pool.sort(made) {
            // Wide results are truncated, so that widths do not grow without bound.
            Sort::Bits(width) if width > 2 * max => pool.slice(made, max - 1, 0),
            _ => made,
        }
    }

    fn array(&mut self, pool: &Pool) -> Option<TermId> {
        let start = self.rng.below(self.terms.len());
        let (before, from) = self.terms.split_at(start);
        from.iter().chain(before).find(|id| pool.sort(**id).is_array()).copied()
    }

    fn bits(&mut self, pool: &mut Pool) -> TermId {
        let id = self.rng.pick(&self.terms);
        match pool.sort(id).bits() {
            Some(_) if self.rng.below(8) > 0 => id,
            _ => {
                let width = self.rng.between(1, self.shapes.max_width);
                let value = self.rng.value(width);
                pool.constant(value)
            }
        }
    }

    /// A term of this sort: an existing one, or one converted to it.
    fn like(&mut self, pool: &mut Pool, sort: Sort) -> TermId {
        let start = self.rng.below(self.terms.len());
        let (before, from) = self.terms.split_at(start);
        let found = from.iter().chain(before).find(|id| pool.sort(**id) == sort).copied();
        match (found, sort) {
            (Some(id), _) if self.rng.below(8) > 0 => id,
            (_, Sort::Bits(width)) if self.rng.below(2) == 0 => {
                let value = self.rng.value(width);
                pool.constant(value)
            }
            (_, Sort::Bits(width)) => {
                let id = self.bits(pool);
                match pool.width(id) {
                    have if have > width => pool.slice(id, width - 1, 0),
                    have => pool.mk_indexed(Op::Sext, &[id], &[width - have]),
                }
            }
            (Some(id), Sort::Array { .. }) => id,
            (None, Sort::Array { index, element }) => {
                let value = self.like(pool, Sort::Bits(element));
                pool.mk_indexed(Op::ConstArray, &[value], &[index])
            }
        }
    }
}
