//! From an exact result to an encoding: the rounder that all operations share.

use super::parts::Mode;
use super::words::Words;
use crate::TermId;
use crate::float::FloatFormat;

/// An exact result, or one whose lowest bit is sticky: set if any lower bit is.
#[derive(Clone, Copy)]
pub(super) struct Unrounded {
    pub(super) sign: TermId,
    /// One less than the biased exponent of the significand's top bit, signed. It is the number of places by which the significand may be
    /// shifted left until its exponent is that of subnormal values; if negative, the number by which it must be shifted right.
    pub(super) budget: TermId,
    pub(super) significand: TermId,
}

/// What is known about a result in advance. Steps that it rules out are not built.
#[derive(Clone, Copy)]
pub(super) struct Finish {
    pub(super) format: FloatFormat,
    pub(super) left: Left,
    pub(super) right: Right,
    pub(super) overflow: Overflow,
}

/// Leading zeros of the significand.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Left {
    /// There are none, or the budget is not positive.
    None,
    /// At most this number, and the budget is large enough for them.
    Free(u32),
    /// At most this number, and they are shifted out only as far as the budget allows.
    Budget(u32),
}

/// Whether the budget may be negative.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Right {
    Never,
    /// It is at least the negation of this number, which is not zero.
    AtMost(u32),
    Maybe,
}

/// Whether the result may be too large for the format.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Overflow {
    Never,
    Maybe,
}

impl Words<'_> {
    pub(super) fn finish(&mut self, how: Finish, mode: Mode, of: Unrounded) -> TermId {
        let (sb, fb, eb) =
            (how.format.significand_bits(), how.format.fraction_bits(), how.format.exponent_bits());
        // One bit for the carry of rounding, and below it enough bits for the exponent field and the sign.
        let width = (self.width(of.budget) + 1).max(eb + 2);
        let budget = self.sign_extend(of.budget, width);
        let (budget, right) = self.split_budget(how.right, budget);
        let missing = (sb + 2).saturating_sub(self.width(of.significand));
        let significand = self.shifted_up(of.significand, missing);
        let (significand, budget) = self.shift_left_within(how.left, significand, budget);
        let significand = self.with_sticky(significand, sb + 2);
        let significand = match right {
            Some(right) => self.shift_right_sticky(significand, right),
            None => significand,
        };
        let kept = self.high(significand, sb);
        let [hidden, last] = [self.top(kept), self.bit(kept, 0)];
        let [guard, sticky] = [self.bit(significand, 1), self.bit(significand, 0)];
        let up = self.rounds_up(mode, of.sign, [last, guard, sticky]);
        // The hidden bit is added to the exponent, and so is the carry of rounding: a subnormal value becomes normal, and the
        // largest finite value infinite, without special cases. Without the hidden bit the value is subnormal or zero.
        let is_normal = self.spread(hidden, width - 1);
        let exponent = self.low(budget, width - 1);
        let exponent = self.and(exponent, is_normal);
        let fraction = self.low(kept, fb);
        let encoded = self.concat(exponent, fraction);
        let up = self.zero_extend(up, fb);
        let increment = self.concat(hidden, up);
        let increment = self.zero_extend(increment, width - 1 + fb);
        let encoded = self.add(encoded, increment);
        let magnitude = match how.overflow {
            Overflow::Never => self.low(encoded, eb + fb),
            Overflow::Maybe => self.limited(how.format, mode, of.sign, encoded),
        };
        self.concat(of.sign, magnitude)
    }

    /// The nonnegative part of the budget, and how far to shift right.
    fn split_budget(&mut self, right: Right, budget: TermId) -> (TermId, Option<TermId>) {
        if right == Right::Never {
            return (budget, None);
        }
        let width = self.width(budget);
        let is_negative = self.top(budget);
        let mask = self.spread(is_negative, width);
        let negated = self.neg(budget);
        let by = self.and(negated, mask);
        let by = match right {
            Right::AtMost(most) => self.low(by, width.min(most.ilog2() + 1)),
            Right::Never | Right::Maybe => by,
        };
        (self.and_not(budget, mask), Some(by))
    }

    fn shift_left_within(&mut self, left: Left, word: TermId, budget: TermId) -> (TermId, TermId) {
        match left {
            Left::None => (word, budget),
            Left::Free(max) => {
                let (word, count) = self.normalise(word, max);
                let count = self.zero_extend(count, self.width(budget));
                (word, self.sub(budget, count))
            }
            Left::Budget(max) => self.shift_left_in_budget(max, word, budget),
        }
    }

    /// Stages of powers of two: a stage shifts if there are enough leading zeros and enough budget.
    fn shift_left_in_budget(&mut self, max: u32, word: TermId, budget: TermId) -> (TermId, TermId) {
        let (mut word, mut budget) = (word, budget);
        let (width, budget_width) = (self.width(word), self.width(budget));
        for stage in (0..=max.max(1).ilog2()).rev() {
            let distance = 1 << stage;
            if distance >= width || stage >= budget_width {
                continue;
            }
            let gone = self.high(word, distance);
            let is_free = self.is_zero(gone);
            let above = self.slice(budget, budget_width - 1, stage);
            let has_budget = self.is_nonzero(above);
            let moves = self.and(is_free, has_budget);
            let moved = self.low(word, width - distance);
            let moved = self.shifted_up(moved, distance);
            word = self.ite(moves, moved, word);
            let minus = self.spread(moves, budget_width - stage);
            let above = self.add(above, minus);
            budget = match stage {
                0 => above,
                _ => {
                    let below = self.low(budget, stage);
                    self.concat(above, below)
                }
            };
        }
        (word, budget)
    }

    /// The top bits; the lowest of them is also set if any bit below them is.
    fn with_sticky(&mut self, word: TermId, n_bits: u32) -> TermId {
        let width = self.width(word);
        if width <= n_bits {
            return word;
        }
        let high = self.high(word, n_bits - 1);
        let rest = self.low(word, width - n_bits + 1);
        let rest = self.is_nonzero(rest);
        self.concat(high, rest)
    }

    /// The magnitude, or the result of an overflow.
    fn limited(&mut self, format: FloatFormat, mode: Mode, sign: TermId, encoded: TermId) -> TermId {
        let (eb, fb) = (format.exponent_bits(), format.fraction_bits());
        let magnitude = self.low(encoded, eb + fb);
        let field = self.slice(encoded, eb + fb - 1, fb);
        let is_full = self.is_ones(field);
        let above = self.width(encoded) - eb - fb;
        let is_above = self.high(encoded, above);
        let is_above = self.is_nonzero(is_above);
        let is_over = self.or(is_full, is_above);
        let to_infinity = self.overflows_to_infinity(mode, sign);
        let ones = self.ones(eb - 1);
        let field = self.concat(ones, to_infinity);
        let is_finite = self.not(to_infinity);
        let fraction = self.spread(is_finite, fb);
        let limit = self.concat(field, fraction);
        self.ite(is_over, limit, magnitude)
    }
}
