//! Integers in rules: widths, indices, values of literals, and conditions on them.

/// An integer expression.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Number {
    /// A numeral.
    Const(i128),
    /// A width or an index.
    Name(usize),
    /// `(value k)`: the unsigned value of a bit-vector literal.
    Value(usize),
    /// `(+ a b)` and similar.
    Of(Operator, Box<[Number; 2]>),
}

/// Operators on integers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Operator {
    Add,
    Sub,
    Mul,
    /// Rounded towards minus infinity; the divisor must be positive.
    Div,
    /// Never negative; the divisor must be positive.
    Mod,
    /// `(pow2 n)`, with the same operand twice.
    Pow2,
}

/// A condition on the integers of a match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Condition {
    True,
    Not(Box<Condition>),
    And(Vec<Condition>),
    Or(Vec<Condition>),
    Compare(Comparison, Number, Number),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Comparison {
    Equal,
    Distinct,
    Less,
    LessEqual,
}

/// The values of the leaves of an expression.
pub(super) struct Leaves<'l> {
    pub(super) numbers: &'l [i128],
    /// The value of a literal, by the index of its variable, if it is known and fits.
    pub(super) value: &'l dyn Fn(usize) -> Option<i128>,
}

impl Operator {
    /// `None` if the result does not fit into 128 bits, or is undefined.
    pub(super) fn apply(self, a: i128, b: i128) -> Option<i128> {
        match self {
            Operator::Add => a.checked_add(b),
            Operator::Sub => a.checked_sub(b),
            Operator::Mul => a.checked_mul(b),
            Operator::Div => (b > 0).then(|| a.div_euclid(b)),
            Operator::Mod => (b > 0).then(|| a.rem_euclid(b)),
            Operator::Pow2 => u32::try_from(a).ok().filter(|&bits| bits < 126).map(|bits| 1 << bits),
        }
    }
}

impl Number {
    /// The value, `None` if it is undefined.
    pub(super) fn eval(&self, leaves: &Leaves) -> Option<i128> {
        match self {
            Number::Const(value) => Some(*value),
            Number::Name(at) => leaves.numbers.get(*at).copied(),
            Number::Value(at) => (leaves.value)(*at),
            Number::Of(operator, parts) => operator.apply(parts[0].eval(leaves)?, parts[1].eval(leaves)?),
        }
    }

    /// Collects the leaves.
    pub(super) fn leaves<'n>(&'n self, found: &mut Vec<&'n Number>) {
        match self {
            Number::Of(_, parts) => parts.iter().for_each(|part| part.leaves(found)),
            leaf => found.push(leaf),
        }
    }
}

impl Condition {
    /// Whether it holds. An undefined condition does not hold, and neither does its negation.
    pub(super) fn holds(&self, leaves: &Leaves) -> bool {
        self.eval(leaves) == Some(true)
    }

    fn eval(&self, leaves: &Leaves) -> Option<bool> {
        match self {
            Condition::True => Some(true),
            Condition::Not(inner) => inner.eval(leaves).map(|holds| !holds),
            Condition::And(parts) => {
                parts.iter().map(|part| part.eval(leaves)).try_fold(true, |all, part| Some(all & part?))
            }
            Condition::Or(parts) => {
                parts.iter().map(|part| part.eval(leaves)).try_fold(false, |any, part| Some(any | part?))
            }
            Condition::Compare(comparison, a, b) => Some(comparison.holds(a.eval(leaves)?, b.eval(leaves)?)),
        }
    }

    /// All integer expressions in it.
    pub(super) fn numbers<'c>(&'c self, found: &mut Vec<&'c Number>) {
        match self {
            Condition::True => {}
            Condition::Not(inner) => inner.numbers(found),
            Condition::And(parts) | Condition::Or(parts) => {
                parts.iter().for_each(|part| part.numbers(found));
            }
            Condition::Compare(_, a, b) => found.extend([a, b]),
        }
    }
}

impl Comparison {
    fn holds(self, a: i128, b: i128) -> bool {
        match self {
            Comparison::Equal => a == b,
            Comparison::Distinct => a != b,
            Comparison::Less => a < b,
            Comparison::LessEqual => a <= b,
        }
    }
}

/// The width in which a proof computes with the values of literals.
const PROOF_BITS: u32 = 64;
/// Numbers in a proof stay below this, so that nothing overflows.
const MAX_PROOF: i128 = 1 << 62;

/// An integer expression in terms of bit-vectors: its text, its smallest and its largest value.
pub(super) struct InBits {
    pub(super) text: String,
    low: i128,
    high: i128,
}

/// What a proof knows about the values of literals: name and width of a variable.
pub(super) struct ProofLeaves<'l> {
    pub(super) numbers: &'l [i128],
    pub(super) literal: &'l dyn Fn(usize) -> Option<(String, u32)>,
}

impl Number {
    /// As a signed bit-vector of [`PROOF_BITS`] bits; `None` if it might overflow or cannot be expressed.
    pub(super) fn in_bits(&self, leaves: &ProofLeaves) -> Option<InBits> {
        match self {
            Number::Const(value) => InBits::constant(*value),
            Number::Name(at) => InBits::constant(*leaves.numbers.get(*at)?),
            Number::Value(at) => {
                let (name, width) = (leaves.literal)(*at)?;
                let more = PROOF_BITS.checked_sub(width)?;
                let high = (width < 62).then(|| (1_i128 << width) - 1)?;
                Some(InBits { text: format!("((_ zero_extend {more}) {name})"), low: 0, high })
            }
            Number::Of(operator, parts) => {
                operator.in_bits(&parts[0].in_bits(leaves)?, &parts[1].in_bits(leaves)?)
            }
        }
    }
}

impl InBits {
    fn constant(value: i128) -> Option<InBits> {
        if value.abs() >= MAX_PROOF {
            return None;
        }
        let bits = value as i64 as u64;
        Some(InBits { text: format!("#x{bits:016x}"), low: value, high: value })
    }
}

impl Operator {
    fn in_bits(self, a: &InBits, b: &InBits) -> Option<InBits> {
        if a.low == a.high && b.low == b.high {
            return InBits::constant(self.apply(a.low, b.low)?);
        }
        let corners = [(a.low, b.low), (a.low, b.high), (a.high, b.low), (a.high, b.high)];
        let values: Vec<i128> = corners.iter().filter_map(|&(x, y)| self.apply(x, y)).collect();
        let name = match self {
            Operator::Add => "bvadd",
            Operator::Sub => "bvsub",
            Operator::Mul => "bvmul",
            // For numbers that are not negative the unsigned operators give the same result.
            Operator::Div | Operator::Mod if a.low < 0 || b.low <= 0 => return None,
            Operator::Div => "bvudiv",
            Operator::Mod => "bvurem",
            Operator::Pow2 => return None,
        };
        let (low, high) = match self {
            Operator::Mod => (0, b.high - 1),
            _ if values.len() < corners.len() => return None,
            _ => (*values.iter().min()?, *values.iter().max()?),
        };
        if low.abs() >= MAX_PROOF || high.abs() >= MAX_PROOF {
            return None;
        }
        Some(InBits { text: format!("({name} {} {})", a.text, b.text), low, high })
    }
}

impl Condition {
    /// As a formula over bit-vectors; `None` if it cannot be expressed.
    pub(super) fn in_bits(&self, leaves: &ProofLeaves) -> Option<String> {
        let all = |name: &str, parts: &[Condition]| -> Option<String> {
            let parts: Option<Vec<String>> = parts.iter().map(|part| part.in_bits(leaves)).collect();
            Some(format!("({name} true true {})", parts?.join(" ")))
        };
        Some(match self {
            Condition::True => "true".to_owned(),
            Condition::Not(inner) => format!("(not {})", inner.in_bits(leaves)?),
            Condition::And(parts) => all("and", parts)?,
            Condition::Or(parts) => {
                let parts: Option<Vec<String>> = parts.iter().map(|part| part.in_bits(leaves)).collect();
                format!("(or false false {})", parts?.join(" "))
            }
            Condition::Compare(comparison, a, b) => {
                let name = match comparison {
                    Comparison::Equal => "=",
                    Comparison::Distinct => "distinct",
                    Comparison::Less => "bvslt",
                    Comparison::LessEqual => "bvsle",
                };
                format!("({name} {} {})", a.in_bits(leaves)?.text, b.in_bits(leaves)?.text)
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_overflows_in_silence() {
        assert_eq!(Operator::Add.apply(i128::MAX, 1), None);
        assert_eq!(Operator::Pow2.apply(126, 126), None);
        assert_eq!(Operator::Pow2.apply(-1, -1), None);
        assert_eq!(Operator::Div.apply(-7, 2), Some(-4));
        assert_eq!(Operator::Mod.apply(-7, 2), Some(1));
        assert_eq!(Operator::Div.apply(1, 0), None);
        let undefined = Number::Of(Operator::Div, Box::new([Number::Const(1), Number::Const(0)]));
        let equal = Condition::Compare(Comparison::Equal, undefined.clone(), Number::Const(0));
        let leaves = Leaves { numbers: &[], value: &|_| None };
        assert!(!equal.holds(&leaves) && !Condition::Not(Box::new(equal)).holds(&leaves));
        let literal = |_| Some(("k".to_owned(), 61));
        let leaves = ProofLeaves { numbers: &[], literal: &literal };
        let product = Number::Of(Operator::Mul, Box::new([Number::Value(0), Number::Value(0)]));
        assert!(product.in_bits(&leaves).is_none());
    }
}
