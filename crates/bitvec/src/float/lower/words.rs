//! Short names for making terms, in which the floating-point operations are written.

use crate::{Op, Pool, TermId, Value};

/// Makes terms in a pool.
pub(super) struct Words<'p> {
    pub(super) pool: &'p mut Pool,
}

/// Bits that hold every number from `low` to `high` as two's complement.
pub(super) fn signed_width(low: i128, high: i128) -> u32 {
    let bits =
        |number: i128| 129 - if number < 0 { (!number).leading_zeros() } else { number.leading_zeros() };
    bits(low).max(bits(high))
}

impl Words<'_> {
    pub(super) fn width(&self, a: TermId) -> u32 {
        self.pool.width(a)
    }

    /// A number as two's complement.
    pub(super) fn number(&mut self, width: u32, number: i128) -> TermId {
        let bits = (0..width).map(|bit| number >> bit.min(127) & 1 == 1);
        self.pool.constant(Value::from_bits(bits))
    }

    pub(super) fn zeros(&mut self, width: u32) -> TermId {
        self.pool.constant(Value::zero(width))
    }

    pub(super) fn ones(&mut self, width: u32) -> TermId {
        self.pool.constant(Value::ones(width))
    }

    pub(super) fn constant(&mut self, value: impl Into<Value>) -> TermId {
        self.pool.constant(value.into())
    }

    pub(super) fn not(&mut self, a: TermId) -> TermId {
        self.pool.not(a)
    }

    pub(super) fn and(&mut self, a: TermId, b: TermId) -> TermId {
        self.pool.mk(Op::And, &[a, b])
    }

    /// `a & ~b`
    pub(super) fn and_not(&mut self, a: TermId, b: TermId) -> TermId {
        let b = self.not(b);
        self.and(a, b)
    }

    pub(super) fn or(&mut self, a: TermId, b: TermId) -> TermId {
        self.pool.mk(Op::Or, &[a, b])
    }

    pub(super) fn or_all(&mut self, terms: &[TermId]) -> TermId {
        let none = self.constant(false);
        terms.iter().fold(none, |any, term| self.or(any, *term))
    }

    pub(super) fn xor(&mut self, a: TermId, b: TermId) -> TermId {
        self.pool.mk(Op::Xor, &[a, b])
    }

    pub(super) fn ite(&mut self, condition: TermId, a: TermId, b: TermId) -> TermId {
        self.pool.mk(Op::Ite, &[condition, a, b])
    }

    pub(super) fn eq(&mut self, a: TermId, b: TermId) -> TermId {
        self.pool.mk(Op::Eq, &[a, b])
    }

    pub(super) fn ult(&mut self, a: TermId, b: TermId) -> TermId {
        self.pool.mk(Op::Ult, &[a, b])
    }

    pub(super) fn slt(&mut self, a: TermId, b: TermId) -> TermId {
        self.pool.mk(Op::Slt, &[a, b])
    }

    pub(super) fn add(&mut self, a: TermId, b: TermId) -> TermId {
        self.pool.mk(Op::Add, &[a, b])
    }

    pub(super) fn sub(&mut self, a: TermId, b: TermId) -> TermId {
        self.pool.mk(Op::Sub, &[a, b])
    }

    pub(super) fn neg(&mut self, a: TermId) -> TermId {
        self.pool.mk(Op::Neg, &[a])
    }

    pub(super) fn mul(&mut self, a: TermId, b: TermId) -> TermId {
        self.pool.mk(Op::Mul, &[a, b])
    }

    pub(super) fn concat(&mut self, high: TermId, low: TermId) -> TermId {
        self.pool.mk(Op::Concat, &[high, low])
    }

    /// Appends zeros at the low end.
    pub(super) fn shifted_up(&mut self, a: TermId, n_zeros: u32) -> TermId {
        if n_zeros == 0 {
            return a;
        }
        let zeros = self.zeros(n_zeros);
        self.concat(a, zeros)
    }

    pub(super) fn slice(&mut self, a: TermId, high: u32, low: u32) -> TermId {
        self.pool.slice(a, high, low)
    }

    pub(super) fn bit(&mut self, a: TermId, index: u32) -> TermId {
        self.slice(a, index, index)
    }

    pub(super) fn top(&mut self, a: TermId) -> TermId {
        let top = self.width(a) - 1;
        self.bit(a, top)
    }

    /// The `n` highest bits.
    pub(super) fn high(&mut self, a: TermId, n: u32) -> TermId {
        let width = self.width(a);
        self.slice(a, width - 1, width - n)
    }

    /// The `n` lowest bits.
    pub(super) fn low(&mut self, a: TermId, n: u32) -> TermId {
        self.slice(a, n - 1, 0)
    }

    /// Widened with zeros to a width that is at least its own.
    pub(super) fn zero_extend(&mut self, a: TermId, width: u32) -> TermId {
        let n_bits = width - self.width(a);
        self.pool.mk_indexed(Op::Uext, &[a], &[n_bits])
    }

    /// Widened with its sign to a width that is at least its own.
    pub(super) fn sign_extend(&mut self, a: TermId, width: u32) -> TermId {
        let n_bits = width - self.width(a);
        self.pool.mk_indexed(Op::Sext, &[a], &[n_bits])
    }

    /// A bit repeated `width` times.
    pub(super) fn spread(&mut self, bit: TermId, width: u32) -> TermId {
        self.sign_extend(bit, width)
    }

    pub(super) fn is_zero(&mut self, a: TermId) -> TermId {
        let zero = self.zeros(self.width(a));
        self.eq(zero, a)
    }

    pub(super) fn is_nonzero(&mut self, a: TermId) -> TermId {
        let is_zero = self.is_zero(a);
        self.not(is_zero)
    }

    pub(super) fn is_ones(&mut self, a: TermId) -> TermId {
        let ones = self.ones(self.width(a));
        self.eq(ones, a)
    }

    /// `a + b` or, if a bit is set, `a - b`: one adder whose carry is that bit.
    pub(super) fn add_or_sub(&mut self, is_sub: TermId, a: TermId, b: TermId) -> TermId {
        let width = self.width(a);
        let flip = self.spread(is_sub, width);
        let flipped = self.xor(b, flip);
        let one = self.constant(true);
        let (a, b) = (self.concat(a, one), self.concat(flipped, is_sub));
        let sum = self.add(a, b);
        self.slice(sum, width, 1)
    }

    /// Shifted right by any amount; the lowest bit is sticky: also set if any bit shifted out was.
    pub(super) fn shift_right_sticky(&mut self, a: TermId, by: TermId) -> TermId {
        let width = self.width(a);
        let mut word = a;
        let mut lost = self.constant(false);
        let mut is_over = self.constant(false);
        for stage in 0..self.width(by) {
            let moves = self.bit(by, stage);
            let Some(distance) = 1_u32.checked_shl(stage).filter(|distance| *distance < width) else {
                is_over = self.or(is_over, moves);
                continue;
            };
            let out = self.low(word, distance);
            let out = self.is_nonzero(out);
            let out = self.and(moves, out);
            lost = self.or(lost, out);
            let moved = self.high(word, width - distance);
            let moved = self.zero_extend(moved, width);
            word = self.ite(moves, moved, word);
        }
        let rest = self.is_nonzero(word);
        let rest = self.and(is_over, rest);
        lost = self.or(lost, rest);
        let stays = self.not(is_over);
        let stays = self.spread(stays, width);
        word = self.and(word, stays);
        let lost = self.zero_extend(lost, width);
        self.or(word, lost)
    }

    /// Shifted left by any amount.
    pub(super) fn shift_left(&mut self, a: TermId, by: TermId) -> TermId {
        self.pool.mk(Op::Shl, &[a, by])
    }

    /// Shifted left until the top bit is set, but at most by `max`, and by how much. Zero stays zero.
    pub(super) fn normalise(&mut self, a: TermId, max: u32) -> (TermId, TermId) {
        let width = self.width(a);
        let (mut word, mut count) = (a, None);
        for stage in (0..=max.max(1).ilog2()).rev() {
            let distance = 1 << stage;
            let moves = match distance {
                distance if distance < width => {
                    let gone = self.high(word, distance);
                    self.is_zero(gone)
                }
                _ => self.constant(false),
            };
            if distance < width {
                let moved = self.low(word, width - distance);
                let moved = self.shifted_up(moved, distance);
                word = self.ite(moves, moved, word);
            }
            count = Some(count.map_or(moves, |count| self.concat(count, moves)));
        }
        let count = count.unwrap_or_else(|| self.constant(false));
        (word, count)
    }
}
