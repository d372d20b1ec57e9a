//! Simplification of new terms: one table of rules, each of them local and cheap.
//!
//! A rule looks at an operator and its operands, rarely deeper, and offers a term of equal value. [`Pool`] applies rules
//! until none matches, within its own limits, so a rule need not worry about depth or overall termination;
//! but it must make some progress towards fewer or simpler operators.
//!
//! After rewriting, these operators are left: `not neg and or xor add sub mul udiv urem sdiv srem smod sll srl sra rol ror
//! redxor eq ult slt umulo smulo concat slice sext repeat ite read write const_array`.

mod arith;
mod arrays;
mod bitwise;
mod choose;
mod compare;
mod constants;
mod definitions;
mod narrow;
mod planted;
mod reshape;
mod shift;

use crate::{Op, Pool, Term, TermId, Value};
use std::sync::LazyLock;

/// What a rule returns.
#[derive(Clone, Copy, Debug)]
pub enum To {
    /// An existing term.
    Term(TermId),
    /// A term to simplify further. Rules that walk down a chain return this, so that nothing recurses.
    Again(Term),
}

/// A rule of simplification.
#[derive(Clone, Copy)]
pub struct RewriteRule {
    /// Before and after. Variables `a b c` are any terms, `k` a constant, `i j` indices.
    pub text: &'static str,
    /// Operators that it may match.
    pub ops: &'static [Op],
    /// Returns the new term if the rule matches. In a commutative operator, a constant operand is always the first.
    pub apply: fn(&mut Pool, &Term) -> Option<To>,
}

/// All rules, in the order of precedence.
pub static RULES: LazyLock<Vec<RewriteRule>> = LazyLock::new(|| {
    let files = [
        constants::RULES,
        definitions::RULES,
        bitwise::RULES,
        arith::RULES,
        narrow::RULES,
        compare::RULES,
        choose::RULES,
        reshape::RULES,
        shift::RULES,
        arrays::RULES,
    ];
    files.concat()
});

/// The rules of each operator.
static BY_OP: LazyLock<Vec<Vec<RewriteRule>>> = LazyLock::new(|| {
    Op::all().map(|op| RULES.iter().filter(|rule| rule.ops.contains(&op)).copied().collect()).collect()
});

pub(crate) use planted::step as planted_step;

/// Applies the first rule that matches.
pub(crate) fn step(pool: &mut Pool, term: &Term) -> Option<To> {
    BY_OP[term.op() as usize].iter().find_map(|rule| (rule.apply)(pool, term))
}

/// Helpers for rules.
impl Pool {
    fn give(&mut self, op: Op, args: &[TermId]) -> Option<To> {
        Some(To::Term(self.mk(op, args)))
    }

    fn give_value(&mut self, value: Value) -> Option<To> {
        Some(To::Term(self.constant(value)))
    }

    fn give_truth(&mut self, truth: bool) -> Option<To> {
        self.give_value(Value::from(truth))
    }

    fn give_zero(&mut self, width: u32) -> Option<To> {
        self.give_value(Value::zero(width))
    }

    fn give_not(&mut self, op: Op, args: &[TermId]) -> Option<To> {
        let inner = self.mk(op, args);
        self.give(Op::Not, &[inner])
    }

    /// The operand, if the term is a complement.
    fn as_not(&self, id: TermId) -> Option<TermId> {
        (self.op(id) == Op::Not).then(|| self.term(id).arg(0))
    }

    /// True if one is the complement of the other.
    fn are_opposite(&self, a: TermId, b: TermId) -> bool {
        self.as_not(a) == Some(b) || self.as_not(b) == Some(a)
    }

    fn is_zero(&self, id: TermId) -> bool {
        self.value(id).is_some_and(Value::is_zero)
    }

    fn is_ones(&self, id: TermId) -> bool {
        self.value(id).is_some_and(Value::is_ones)
    }

    fn is_one(&self, id: TermId) -> bool {
        self.value(id).is_some_and(Value::is_one)
    }

    /// The exponent k, if the term is the constant 2^k.
    fn power_of_two(&self, id: TermId) -> Option<u32> {
        let value = self.value(id)?;
        let mut ones = (0..value.width()).filter(|bit| value.bit(*bit));
        ones.next().filter(|_| ones.next().is_none())
    }

    fn sign(&mut self, a: TermId) -> TermId {
        let top = self.width(a) - 1;
        self.slice(a, top, top)
    }
}

/// The two operands.
fn pair(term: &Term) -> (TermId, TermId) {
    (term.arg(0), term.arg(1))
}

#[cfg(test)]
mod tests;
