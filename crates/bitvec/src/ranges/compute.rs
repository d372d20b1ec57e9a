//! The range of a term from those of its operands.

use super::assume::{AssumedBit, RangeEffort};
use super::{NumberInterval, RangesUnderFacts, ValueRange};
use crate::{Op, Pool, Sort, Term, TermId};

impl RangesUnderFacts {
    /// The range of a term, as precise as the number of looks allows.
    pub(super) fn look(&mut self, pool: &Pool, id: TermId, looks: &mut u32) -> Option<ValueRange> {
        let Sort::Bits(width) = pool.sort(id) else { return None };
        let all = ValueRange::all(width)?;
        let known = self.known.get(&id).copied().unwrap_or(all);
        if *looks == 0 {
            return Some(known);
        }
        *looks -= 1;
        let computed = self.computed(pool, id, looks).unwrap_or(all);
        // If they contradict each other, the facts hold nowhere.
        Some(computed.meet(known).unwrap_or(known))
    }

    fn computed(&mut self, pool: &Pool, id: TermId, looks: &mut u32) -> Option<ValueRange> {
        let term = *pool.term(id);
        let width = term.width();
        if let Some(value) = pool.value(id) {
            let number = i128::from(value.to_u64()?);
            return ValueRange::of_unsigned(width, NumberInterval::new(number, number));
        }
        match term.op() {
            Op::Not | Op::Neg | Op::Sext | Op::Slice => {
                let of_arg = self.look(pool, term.arg(0), looks)?;
                unary(pool, &term, of_arg)
            }
            Op::Ite => self.chosen(pool, &term, looks),
            Op::Add | Op::Sub | Op::Mul | Op::And | Op::Or | Op::Xor | Op::Concat => {
                let (a, b) = self.operands(pool, &term, looks)?;
                binary(pool, &term, a, b)
            }
            Op::Udiv | Op::Urem | Op::Sdiv | Op::Srem | Op::Lshr => {
                let (a, b) = self.operands(pool, &term, looks)?;
                divided(&term, a, b)
            }
            _ => None,
        }
    }

    fn operands(&mut self, pool: &Pool, term: &Term, looks: &mut u32) -> Option<(ValueRange, ValueRange)> {
        Some((self.look(pool, term.arg(0), looks)?, self.look(pool, term.arg(1), looks)?))
    }

    /// Either side, each where its condition holds.
    fn chosen(&mut self, pool: &Pool, term: &Term, looks: &mut u32) -> Option<ValueRange> {
        let mut side = |truth: bool, id: TermId| -> Option<Option<ValueRange>> {
            let mut effort = RangeEffort { log: Vec::new(), looks: *looks };
            let assumed = AssumedBit { term: term.arg(0), truth };
            let is_possible = self.assume(pool, assumed, &mut effort);
            *looks = effort.looks;
            let found = if is_possible { self.look(pool, id, looks).map(Some) } else { Some(None) };
            self.undo(effort.log);
            found
        };
        match (side(true, term.arg(1))?, side(false, term.arg(2))?) {
            (Some(a), Some(b)) => Some(a.join(b)),
            (a, b) => a.or(b),
        }
    }
}

fn unary(pool: &Pool, term: &Term, of_arg: ValueRange) -> Option<ValueRange> {
    let width = term.width();
    let ValueRange { signed, unsigned, .. } = of_arg;
    match term.op() {
        Op::Not => ValueRange::of_signed(width, NumberInterval::new(-1 - signed.high, -1 - signed.low)),
        Op::Neg => ValueRange::of_signed(width, NumberInterval::new(-signed.high, -signed.low)),
        Op::Sext => ValueRange::of_signed(width, signed),
        _ => sliced(term, pool.width(term.arg(0)), of_arg).or_else(|| {
            let low = term.index(1);
            // Only if no bit above the slice is set.
            let is_all = unsigned.high >> (term.index(0) + 1) == 0;
            let shifted = NumberInterval::new(unsigned.low >> low, unsigned.high >> low);
            is_all.then(|| ValueRange::of_unsigned(width, shifted)).flatten()
        }),
    }
}

/// A slice whose bits above are copies of its sign.
fn sliced(term: &Term, whole: u32, of_arg: ValueRange) -> Option<ValueRange> {
    let (high, low) = (term.index(0), term.index(1));
    let is_top = high == whole - 1;
    let signed = of_arg.signed;
    if !is_top && signed.signed_bits() > high + 1 {
        return None;
    }
    ValueRange::of_signed(term.width(), NumberInterval::new(signed.low >> low, signed.high >> low))
}

fn binary(pool: &Pool, term: &Term, a: ValueRange, b: ValueRange) -> Option<ValueRange> {
    let width = term.width();
    let by_ends = |operation: fn(i128, i128) -> Option<i128>| {
        let signed = a.signed.of_ends(b.signed, operation);
        let unsigned = a.unsigned.of_ends(b.unsigned, operation);
        let signed = signed.and_then(|found| ValueRange::of_signed(width, found));
        let unsigned = unsigned.and_then(|found| ValueRange::of_unsigned(width, found));
        match (signed, unsigned) {
            (Some(signed), Some(unsigned)) => signed.meet(unsigned),
            (signed, unsigned) => signed.or(unsigned),
        }
    };
    match term.op() {
        Op::Add => by_ends(i128::checked_add),
        Op::Sub => by_ends(i128::checked_sub),
        Op::Mul => by_ends(i128::checked_mul),
        Op::And => {
            ValueRange::of_unsigned(width, NumberInterval::new(0, a.unsigned.high.min(b.unsigned.high)))
        }
        Op::Or | Op::Xor => {
            let most = a.unsigned.high.max(b.unsigned.high);
            let bits = 128 - most.leading_zeros();
            ValueRange::of_unsigned(width, NumberInterval::new(0, (1_i128 << bits) - 1))
        }
        _ => {
            let below = pool.width(term.arg(1));
            let join = |high: i128, low: i128| (high << below) + low;
            let unsigned = NumberInterval::new(
                join(a.unsigned.low, b.unsigned.low),
                join(a.unsigned.high, b.unsigned.high),
            );
            let signed =
                NumberInterval::new(join(a.signed.low, b.unsigned.low), join(a.signed.high, b.unsigned.high));
            ValueRange::of_unsigned(width, unsigned)?.meet(ValueRange::of_signed(width, signed)?)
        }
    }
}

/// Quotients, remainders and shifts to the right.
fn divided(term: &Term, a: ValueRange, b: ValueRange) -> Option<ValueRange> {
    let width = term.width();
    match term.op() {
        Op::Lshr => ValueRange::of_unsigned(width, NumberInterval::new(0, a.unsigned.high)),
        Op::Udiv if b.unsigned.low > 0 => {
            let (least, most) = (a.unsigned.low / b.unsigned.high, a.unsigned.high / b.unsigned.low);
            ValueRange::of_unsigned(width, NumberInterval::new(least, most))
        }
        Op::Urem if b.unsigned.low > 0 => {
            ValueRange::of_unsigned(width, NumberInterval::new(0, a.unsigned.high.min(b.unsigned.high - 1)))
        }
        // The quotient is monotone in both operands where the divisor has one sign.
        Op::Sdiv if b.signed.low > 0 || b.signed.high < 0 => {
            let quotient = a.signed.of_ends(b.signed, i128::checked_div)?;
            let quotient = if a.signed.low <= 0 && a.signed.high >= 0 {
                NumberInterval::new(quotient.low.min(0), quotient.high.max(0))
            } else {
                quotient
            };
            ValueRange::of_signed(width, quotient)
        }
        Op::Srem if b.signed.low > 0 || b.signed.high < 0 => {
            let most = b.signed.low.abs().max(b.signed.high.abs()) - 1;
            let low = if a.signed.low < 0 { a.signed.low.max(-most) } else { 0 };
            let high = if a.signed.high > 0 { a.signed.high.min(most) } else { 0 };
            ValueRange::of_signed(width, NumberInterval::new(low, high))
        }
        _ => None,
    }
}
