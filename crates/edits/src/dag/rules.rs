//! The simplification rules of [Vida08] fig. 4.2, as one table.
//!
//! An operand is a constant, zero or all ones, or anything else. A rule says what a combination of operands amounts to.
//! More rules could be had, "but the goal was not to make it too simple" for the solver: what it does itself must be left
//! to it. `tests/rules.rs` evaluates every entry on random values.

/// Operators with rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Operator {
    /// Bitwise and.
    And,
    /// Bitwise or.
    Or,
    /// Complement of and.
    Nand,
    /// Complement of or.
    Nor,
    /// Addition modulo 2^n.
    Add,
    /// Implication on one bit.
    Implies,
    /// Exclusive or.
    Xor,
    /// Equality of vectors, one bit.
    Eq,
    /// Complement.
    Not,
    /// If, then, else.
    Cond,
}

/// Values the rules know.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Constant {
    /// All bits zero.
    Zero,
    /// All bits one.
    Ones,
}

impl Constant {
    /// The complement.
    #[must_use]
    pub fn negated(self) -> Constant {
        match self {
            Constant::Zero => Constant::Ones,
            Constant::Ones => Constant::Zero,
        }
    }
}

/// What a node amounts to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// A constant of the node's sort.
    Constant(Constant),
    /// An operand.
    Operand(usize),
    /// The complement of an operand.
    Complement(usize),
}

use Constant::{Ones, Zero};
use Operator::{Add, And, Cond, Implies, Nand, Nor, Not, Or, Xor};

/// An operand in a row of the table: a constant, or `None` for anything, constants included.
type Pattern = Option<Constant>;
const ANY: Pattern = None;
const ZERO: Pattern = Some(Zero);
const ONES: Pattern = Some(Ones);

/// Operator, operands, outcome; the first row that fits counts.
#[rustfmt::skip]
const TABLE: &[(Operator, &[Pattern], Outcome)] = &[
    (And, &[ZERO, ANY], Outcome::Constant(Zero)),
    (And, &[ANY, ZERO], Outcome::Constant(Zero)),
    (And, &[ONES, ANY], Outcome::Operand(1)),
    (And, &[ANY, ONES], Outcome::Operand(0)),
    (Or, &[ONES, ANY], Outcome::Constant(Ones)),
    (Or, &[ANY, ONES], Outcome::Constant(Ones)),
    (Or, &[ZERO, ANY], Outcome::Operand(1)),
    (Or, &[ANY, ZERO], Outcome::Operand(0)),
    (Nand, &[ZERO, ANY], Outcome::Constant(Ones)),
    (Nand, &[ANY, ZERO], Outcome::Constant(Ones)),
    (Nand, &[ONES, ANY], Outcome::Complement(1)),
    (Nand, &[ANY, ONES], Outcome::Complement(0)),
    (Nor, &[ONES, ANY], Outcome::Constant(Zero)),
    (Nor, &[ANY, ONES], Outcome::Constant(Zero)),
    (Nor, &[ZERO, ANY], Outcome::Complement(1)),
    (Nor, &[ANY, ZERO], Outcome::Complement(0)),
    (Add, &[ZERO, ANY], Outcome::Operand(1)),
    (Add, &[ANY, ZERO], Outcome::Operand(0)),
    (Implies, &[ZERO, ANY], Outcome::Constant(Ones)),
    (Implies, &[ANY, ONES], Outcome::Constant(Ones)),
    (Implies, &[ONES, ANY], Outcome::Operand(1)),
    (Implies, &[ANY, ZERO], Outcome::Complement(0)),
    (Xor, &[ZERO, ANY], Outcome::Operand(1)),
    (Xor, &[ANY, ZERO], Outcome::Operand(0)),
    (Xor, &[ONES, ANY], Outcome::Complement(1)),
    (Xor, &[ANY, ONES], Outcome::Complement(0)),
    (Operator::Eq, &[ZERO, ZERO], Outcome::Constant(Ones)),
    (Operator::Eq, &[ONES, ONES], Outcome::Constant(Ones)),
    (Operator::Eq, &[ZERO, ONES], Outcome::Constant(Zero)),
    (Operator::Eq, &[ONES, ZERO], Outcome::Constant(Zero)),
    (Not, &[ZERO], Outcome::Constant(Ones)),
    (Not, &[ONES], Outcome::Constant(Zero)),
    (Not, &[ANY], Outcome::Complement(0)),
    (Cond, &[ONES, ANY, ANY], Outcome::Operand(1)),
    (Cond, &[ZERO, ANY, ANY], Outcome::Operand(2)),
];

/// What an operator amounts to on operands of which some are constants; `None` if no rule fits.
pub fn outcome(operator: Operator, operands: &[Option<Constant>]) -> Option<Outcome> {
    let fits = |pattern: &Pattern, operand: &Option<Constant>| pattern.is_none() || pattern == operand;
    let row = TABLE.iter().find(|(of, patterns, _)| {
        *of == operator
            && patterns.len() == operands.len()
            && patterns.iter().zip(operands).all(|(pattern, operand)| fits(pattern, operand))
    })?;
    Some(row.2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use nub_bitvec::Value;

    /// The operator on values of one width.
    fn evaluate(operator: Operator, values: &[Value]) -> Value {
        let bit = |bit: bool| Value::from_u64(1, u64::from(bit));
        match (operator, values) {
            (And, [a, b]) => a.and(b),
            (Or, [a, b]) => a.or(b),
            (Nand, [a, b]) => a.and(b).not(),
            (Nor, [a, b]) => a.or(b).not(),
            (Add, [a, b]) => a.add(b),
            (Implies, [a, b]) => a.not().or(b),
            (Xor, [a, b]) => a.xor(b),
            (Operator::Eq, [a, b]) => bit(a == b),
            (Not, [a]) => a.not(),
            (Cond, [c, a, b]) => {
                if c.is_ones() {
                    a.clone()
                } else {
                    b.clone()
                }
            }
            _ => unreachable!("the table has no such row"),
        }
    }

    /// Every row, with every value of up to four bits in the places that may hold anything.
    #[test]
    fn every_row_is_true() {
        for &(operator, patterns, expected) in TABLE {
            for width in if operator == Implies { 1..=1 } else { 1..=4 } {
                for pick in 0..1 << (width * patterns.len() as u32) {
                    let free = |at: usize| Value::from_u64(width, pick >> (width as usize * at));
                    let width_at = |at: usize| if operator == Cond && at == 0 { 1 } else { width };
                    let value = |(at, pattern): (usize, &Pattern)| match pattern {
                        Some(Zero) => Value::zero(width_at(at)),
                        Some(Ones) => Value::ones(width_at(at)),
                        None => free(at),
                    };
                    let values: Vec<Value> = patterns.iter().enumerate().map(value).collect();
                    let result = evaluate(operator, &values);
                    let claimed = match expected {
                        Outcome::Constant(Zero) => Value::zero(result.width()),
                        Outcome::Constant(Ones) => Value::ones(result.width()),
                        Outcome::Operand(at) => values[at].clone(),
                        Outcome::Complement(at) => values[at].not(),
                    };
                    assert_eq!(result, claimed, "{operator:?} {patterns:?} on {values:?}");
                }
            }
        }
    }

    #[test]
    fn what_the_figure_leaves_alone_is_left_alone() {
        assert_eq!(outcome(Add, &[ONES, ONES]), None);
        assert_eq!(outcome(Operator::Eq, &[ANY, ONES]), None);
        assert_eq!(outcome(And, &[ANY, ANY]), None);
    }
}
