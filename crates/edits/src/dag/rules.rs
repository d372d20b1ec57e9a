//! The simplification rules of [Vida08] fig. 4.2, as one table.
//!
//! An operand is a constant, zero or all ones, or anything else. A rule gives the value of a combination of operands.
//! There could be more rules, "but the goal was not to make it too simple" for the solver: what the solver does itself must be left
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
    /// If-then-else.
    Cond,
}

/// Constants that the rules know.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum KnownConstant {
    /// All bits zero.
    Zero,
    /// All bits one.
    Ones,
}

impl KnownConstant {
    /// The complement.
    #[must_use]
    pub fn negated(self) -> KnownConstant {
        match self {
            KnownConstant::Zero => KnownConstant::Ones,
            KnownConstant::Ones => KnownConstant::Zero,
        }
    }
}

/// The value of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RuleOutcome {
    /// A constant of the node's sort.
    Constant(KnownConstant),
    /// An operand.
    Operand(usize),
    /// The complement of an operand.
    Complement(usize),
}

use KnownConstant::{Ones, Zero};
use Operator::{Add, And, Cond, Implies, Nand, Nor, Not, Or, Xor};

/// An operand in a row of the table: a constant, or `None` for any operand, including constants.
type Pattern = Option<KnownConstant>;
const ANY: Pattern = None;
const ZERO: Pattern = Some(Zero);
const ONES: Pattern = Some(Ones);

/// Operator, operands, outcome; the first row that matches applies.
#[rustfmt::skip]
const TABLE: &[(Operator, &[Pattern], RuleOutcome)] = &[
    (And, &[ZERO, ANY], RuleOutcome::Constant(Zero)),
    (And, &[ANY, ZERO], RuleOutcome::Constant(Zero)),
    (And, &[ONES, ANY], RuleOutcome::Operand(1)),
    (And, &[ANY, ONES], RuleOutcome::Operand(0)),
    (Or, &[ONES, ANY], RuleOutcome::Constant(Ones)),
    (Or, &[ANY, ONES], RuleOutcome::Constant(Ones)),
    (Or, &[ZERO, ANY], RuleOutcome::Operand(1)),
    (Or, &[ANY, ZERO], RuleOutcome::Operand(0)),
    (Nand, &[ZERO, ANY], RuleOutcome::Constant(Ones)),
    (Nand, &[ANY, ZERO], RuleOutcome::Constant(Ones)),
    (Nand, &[ONES, ANY], RuleOutcome::Complement(1)),
    (Nand, &[ANY, ONES], RuleOutcome::Complement(0)),
    (Nor, &[ONES, ANY], RuleOutcome::Constant(Zero)),
    (Nor, &[ANY, ONES], RuleOutcome::Constant(Zero)),
    (Nor, &[ZERO, ANY], RuleOutcome::Complement(1)),
    (Nor, &[ANY, ZERO], RuleOutcome::Complement(0)),
    (Add, &[ZERO, ANY], RuleOutcome::Operand(1)),
    (Add, &[ANY, ZERO], RuleOutcome::Operand(0)),
    (Implies, &[ZERO, ANY], RuleOutcome::Constant(Ones)),
    (Implies, &[ANY, ONES], RuleOutcome::Constant(Ones)),
    (Implies, &[ONES, ANY], RuleOutcome::Operand(1)),
    (Implies, &[ANY, ZERO], RuleOutcome::Complement(0)),
    (Xor, &[ZERO, ANY], RuleOutcome::Operand(1)),
    (Xor, &[ANY, ZERO], RuleOutcome::Operand(0)),
    (Xor, &[ONES, ANY], RuleOutcome::Complement(1)),
    (Xor, &[ANY, ONES], RuleOutcome::Complement(0)),
    (Operator::Eq, &[ZERO, ZERO], RuleOutcome::Constant(Ones)),
    (Operator::Eq, &[ONES, ONES], RuleOutcome::Constant(Ones)),
    (Operator::Eq, &[ZERO, ONES], RuleOutcome::Constant(Zero)),
    (Operator::Eq, &[ONES, ZERO], RuleOutcome::Constant(Zero)),
    (Not, &[ZERO], RuleOutcome::Constant(Ones)),
    (Not, &[ONES], RuleOutcome::Constant(Zero)),
    (Not, &[ANY], RuleOutcome::Complement(0)),
    (Cond, &[ONES, ANY, ANY], RuleOutcome::Operand(1)),
    (Cond, &[ZERO, ANY, ANY], RuleOutcome::Operand(2)),
];

/// The value of an operator whose operands include constants; `None` if no rule matches.
pub fn outcome(operator: Operator, operands: &[Option<KnownConstant>]) -> Option<RuleOutcome> {
    let fits = |pattern: &Pattern, operand: &Option<KnownConstant>| pattern.is_none() || pattern == operand;
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

    /// Evaluates the operator on values of one width.
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

    /// Every row, with every value of up to four bits for operands that may be anything.
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
                        RuleOutcome::Constant(Zero) => Value::zero(result.width()),
                        RuleOutcome::Constant(Ones) => Value::ones(result.width()),
                        RuleOutcome::Operand(at) => values[at].clone(),
                        RuleOutcome::Complement(at) => values[at].not(),
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
