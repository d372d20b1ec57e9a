//! Width rules: the sorts of an operator's operands and result.

use crate::sort::{MAX_WIDTH, Sort};
use std::fmt;

/// The operands of an operator and the sort of its result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OperandShape {
    /// No operands.
    Leaf,
    /// n operands of one width, which is also that of the result.
    Same(u8),
    /// n operands of one width; the result is a truth value.
    Predicate(u8),
    /// n truth values; the result is a truth value.
    Truths(u8),
    /// A bit-vector and an amount of any width; the result is as wide as the first.
    Shift,
    /// Two operands of one sort; the result is a truth value.
    Equal,
    /// Two bit-vectors; widths add up.
    Concat,
    /// A bit-vector; the indices are the highest and the lowest bit.
    Slice,
    /// A bit-vector; the index is the number of bits to add.
    Extend,
    /// A bit-vector; the index is the number of copies.
    Repeat,
    /// A truth value and two operands of one sort, which is also that of the result.
    Ite,
    /// An array and an index.
    Read,
    /// An array, an index and an element.
    Write,
    /// An element; the width of the array's indices is given as an index of the operator.
    ConstArray,
}

impl OperandShape {
    /// Number of operands.
    pub fn n_args(self) -> usize {
        match self {
            OperandShape::Leaf => 0,
            OperandShape::Same(n) | OperandShape::Predicate(n) | OperandShape::Truths(n) => usize::from(n),
            OperandShape::Slice | OperandShape::Extend | OperandShape::Repeat | OperandShape::ConstArray => 1,
            OperandShape::Shift | OperandShape::Equal | OperandShape::Concat | OperandShape::Read => 2,
            OperandShape::Ite | OperandShape::Write => 3,
        }
    }

    /// Number of indices.
    pub fn n_indices(self) -> usize {
        match self {
            OperandShape::Slice => 2,
            OperandShape::Extend | OperandShape::Repeat | OperandShape::ConstArray => 1,
            _ => 0,
        }
    }

    /// The sort of the result, from the sorts of the operands and the indices.
    pub fn result(self, args: &[Sort], indices: &[u32]) -> Result<Sort, SortError> {
        if args.len() != self.n_args() || indices.len() != self.n_indices() {
            return Err(SortError::Arity { expected: self.n_args(), found: args.len() });
        }
        let sort = self.sort(args, indices)?;
        if sort.is_valid() { Ok(sort) } else { Err(SortError::Width) }
    }

    /// The sort of the result. The numbers of operands and indices have already been checked.
    fn sort(self, args: &[Sort], indices: &[u32]) -> Result<Sort, SortError> {
        let width = |index: usize| args[index].bits().ok_or(SortError::Operand(index));
        let all_like = |sort: Sort| match args.iter().position(|arg| *arg != sort) {
            Some(index) => Err(SortError::Operand(index)),
            None => Ok(sort),
        };
        let bits =
            |width: Option<u32>| width.filter(|w| *w <= MAX_WIDTH).map(Sort::Bits).ok_or(SortError::Width);
        match self {
            OperandShape::Leaf => Err(SortError::Operand(0)),
            OperandShape::Same(_) => all_like(Sort::Bits(width(0)?)),
            OperandShape::Predicate(_) => all_like(Sort::Bits(width(0)?)).map(|_| Sort::BIT),
            OperandShape::Truths(_) => all_like(Sort::BIT),
            OperandShape::Shift => width(1).and(width(0)).map(Sort::Bits),
            OperandShape::Equal => all_like(args[0]).map(|_| Sort::BIT),
            OperandShape::Concat => bits(width(0)?.checked_add(width(1)?)),
            OperandShape::Slice => match (width(0)?, indices[0], indices[1]) {
                (width, high, low) if low <= high && high < width => Ok(Sort::Bits(high - low + 1)),
                _ => Err(SortError::Index),
            },
            OperandShape::Extend => bits(width(0)?.checked_add(indices[0])),
            OperandShape::Repeat if indices[0] == 0 => Err(SortError::Index),
            OperandShape::Repeat => bits(width(0)?.checked_mul(indices[0])),
            OperandShape::ConstArray => Ok(Sort::Array { index: indices[0], element: width(0)? }),
            OperandShape::Ite => match args {
                [Sort::BIT, a, b] if a == b => Ok(*a),
                [Sort::BIT, ..] => Err(SortError::Operand(2)),
                _ => Err(SortError::Operand(0)),
            },
            OperandShape::Read | OperandShape::Write => array_sort(self, args),
        }
    }
}

fn array_sort(shape: OperandShape, args: &[Sort]) -> Result<Sort, SortError> {
    let Sort::Array { index, element } = args[0] else { return Err(SortError::Operand(0)) };
    if args[1] != Sort::Bits(index) {
        return Err(SortError::Operand(1));
    }
    match args.get(2) {
        Some(value) if *value != Sort::Bits(element) => Err(SortError::Operand(2)),
        _ if shape == OperandShape::Read => Ok(Sort::Bits(element)),
        _ => Ok(args[0]),
    }
}

/// Why an operator cannot be applied.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SortError {
    /// Too few or too many operands or indices.
    Arity {
        /// Number of operands of the operator.
        expected: usize,
        /// Number of operands given.
        found: usize,
    },
    /// The operand with this number, from 0, has the wrong sort.
    Operand(usize),
    /// An index is out of range.
    Index,
    /// The result would be wider than [`MAX_WIDTH`].
    Width,
}

impl fmt::Display for SortError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SortError::Arity { expected, found } => write!(f, "{expected} operands expected, {found} found"),
            SortError::Operand(index) => write!(f, "operand {} has the wrong sort", index + 1),
            SortError::Index => write!(f, "an index is out of range"),
            SortError::Width => write!(f, "the result has no bits or more than {MAX_WIDTH}"),
        }
    }
}

impl std::error::Error for SortError {}

#[cfg(test)]
mod tests {
    use super::*;

    const A: Sort = Sort::Array { index: 2, element: 8 };

    #[test]
    fn sorts_follow_the_rules() {
        let b = Sort::Bits;
        let good: &[(OperandShape, &[Sort], &[u32], Sort)] = &[
            (OperandShape::Same(2), &[b(3), b(3)], &[], b(3)),
            (OperandShape::Predicate(2), &[b(3), b(3)], &[], b(1)),
            (OperandShape::Truths(2), &[b(1), b(1)], &[], b(1)),
            (OperandShape::Shift, &[b(8), b(3)], &[], b(8)),
            (OperandShape::Equal, &[A, A], &[], b(1)),
            (OperandShape::Concat, &[b(3), b(4)], &[], b(7)),
            (OperandShape::Slice, &[b(8)], &[7, 7], b(1)),
            (OperandShape::Extend, &[b(8)], &[0], b(8)),
            (OperandShape::Repeat, &[b(8)], &[3], b(24)),
            (OperandShape::Ite, &[b(1), A, A], &[], A),
            (OperandShape::Read, &[A, b(2)], &[], b(8)),
            (OperandShape::Write, &[A, b(2), b(8)], &[], A),
            (OperandShape::ConstArray, &[b(8)], &[2], A),
        ];
        for (shape, args, indices, sort) in good {
            assert_eq!(shape.result(args, indices), Ok(*sort), "{shape:?}");
        }
    }

    #[test]
    fn wrong_sorts_are_refused() {
        let b = Sort::Bits;
        let bad: &[(OperandShape, &[Sort], &[u32], SortError)] = &[
            (OperandShape::Same(2), &[b(3), b(4)], &[], SortError::Operand(1)),
            (OperandShape::Same(2), &[b(3)], &[], SortError::Arity { expected: 2, found: 1 }),
            (OperandShape::Same(1), &[A], &[], SortError::Operand(0)),
            (OperandShape::Truths(2), &[b(1), b(2)], &[], SortError::Operand(1)),
            (OperandShape::Equal, &[A, b(8)], &[], SortError::Operand(1)),
            (OperandShape::Slice, &[b(8)], &[8, 0], SortError::Index),
            (OperandShape::Slice, &[b(8)], &[1, 2], SortError::Index),
            (OperandShape::Repeat, &[b(8)], &[0], SortError::Index),
            (OperandShape::Repeat, &[b(1 << 16)], &[1 << 16], SortError::Width),
            (OperandShape::Extend, &[b(8)], &[u32::MAX], SortError::Width),
            (OperandShape::Concat, &[b(MAX_WIDTH), b(1)], &[], SortError::Width),
            (OperandShape::ConstArray, &[b(8)], &[0], SortError::Width),
            (OperandShape::Ite, &[b(2), b(2), b(2)], &[], SortError::Operand(0)),
            (OperandShape::Ite, &[b(1), b(2), b(3)], &[], SortError::Operand(2)),
            (OperandShape::Read, &[A, b(3)], &[], SortError::Operand(1)),
            (OperandShape::Write, &[A, b(2), b(2)], &[], SortError::Operand(2)),
        ];
        for (shape, args, indices, error) in bad {
            assert_eq!(shape.result(args, indices), Err(*error), "{shape:?}");
        }
    }
}
