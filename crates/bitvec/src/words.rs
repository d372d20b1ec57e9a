//! Operators on values of up to 64 bits, as machine words. Bits from the width up are zero.

use crate::Op;

/// The widest value that is one word.
pub(crate) const MAX_BITS: u32 = 64;

/// An operator on words: its result and operands have at most [`MAX_BITS`] bits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WordOp {
    pub op: Op,
    /// Width of the result.
    pub width: u8,
    /// Widths of the first two operands, 0 for a missing one.
    pub operands: [u8; 2],
    /// The lower index of a slice.
    pub low: u8,
}

impl WordOp {
    /// Whether an operator is evaluated on words: the others are rare, or are about arrays.
    pub fn is_word(op: Op) -> bool {
        use Op::*;
        !matches!(op, Const | Var | ConstArray | Read | Write | Smod | Rol | Ror | Repeat)
    }

    /// The result. Surplus operands are ignored.
    #[inline(always)]
    pub fn apply(self, a: u64, b: u64, c: u64) -> u64 {
        use Op::*;
        let [width_a, width_b] = self.operands;
        let truth = u64::from;
        let wide = match self.op {
            Not => !a,
            Neg => a.wrapping_neg(),
            Inc => a.wrapping_add(1),
            Dec => a.wrapping_sub(1),
            Redand => truth(a == mask(width_a)),
            Redor => truth(a != 0),
            Redxor => u64::from(a.count_ones() & 1),
            Nego => truth(a == sign(width_a)),
            And => a & b,
            Or => a | b,
            Xor => a ^ b,
            Nand => !(a & b),
            Nor => !(a | b),
            Xnor | Iff => !(a ^ b),
            Implies => !a | b,
            Add => a.wrapping_add(b),
            Sub => a.wrapping_sub(b),
            Mul => a.wrapping_mul(b),
            Udiv => a.checked_div(b).unwrap_or(u64::MAX),
            Urem => a.checked_rem(b).unwrap_or(a),
            Sdiv => divided(signed(a, width_a), signed(b, width_a)),
            Srem if b == 0 => a,
            Srem => signed(a, width_a).wrapping_rem(signed(b, width_a)) as u64,
            Shl if b >= u64::from(self.width) => 0,
            Shl => a << b,
            Lshr if b >= u64::from(self.width) => 0,
            Lshr => a >> b,
            Ashr => (signed(a, width_a) >> b.min(63)) as u64,
            Concat => a << width_b | b,
            Slice => a >> self.low,
            Uext => a,
            Sext => signed(a, width_a) as u64,
            Ite => [c, b][a as usize],
            _ => truth(self.holds(a, b)),
        };
        wide & mask(self.width)
    }

    /// Evaluates a comparison.
    #[inline(always)]
    fn holds(self, a: u64, b: u64) -> bool {
        use Op::*;
        let width = self.operands[0];
        let [x, y] = [a, b].map(|word| signed(word, width));
        let is_beyond = |number: i128| number != i128::from(signed(number as u64 & mask(width), width));
        match self.op {
            Eq => a == b,
            Ne => a != b,
            Ult | Usubo => a < b,
            Ule => a <= b,
            Ugt => a > b,
            Uge => a >= b,
            Slt => x < y,
            Sle => x <= y,
            Sgt => x > y,
            Sge => x >= y,
            Uaddo => u128::from(a) + u128::from(b) > u128::from(mask(width)),
            Umulo => u128::from(a) * u128::from(b) > u128::from(mask(width)),
            Saddo => is_beyond(i128::from(x) + i128::from(y)),
            Ssubo => is_beyond(i128::from(x) - i128::from(y)),
            Smulo => is_beyond(i128::from(x) * i128::from(y)),
            Sdivo => a == sign(width) && b == mask(width),
            other => unreachable!("{other} is not an operator on words"),
        }
    }
}

/// A word whose lowest `width` bits are set.
pub(crate) fn mask(width: u8) -> u64 {
    u64::MAX >> (MAX_BITS - u32::from(width))
}

fn sign(width: u8) -> u64 {
    1 << (width - 1)
}

fn signed(word: u64, width: u8) -> i64 {
    let unused = MAX_BITS - u32::from(width);
    (word << unused) as i64 >> unused
}

/// `bvsdiv`: rounded towards zero; a division by zero gives 1 for negative numbers and -1 for others.
fn divided(a: i64, b: i64) -> u64 {
    match b {
        0 if a < 0 => 1,
        0 => u64::MAX,
        _ => a.wrapping_div(b) as u64,
    }
}
