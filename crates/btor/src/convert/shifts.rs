//! Rewrites shifts of any width by amounts of the same width to those of BTOR, which shifts powers of two by amounts of log2 bits.
//!
//! `sll`, `srl` and `sra` on `n` bits are done on the next power of two `N`: the operand is extended, shifted, and truncated
//! again. Amounts from `n` to `N - 1` need no special case; for larger ones, a bit above the low `log2 N` bits of
//! the amount is set, and the result is that of a shift by `N - 1`. Rotations reduce the amount modulo `n` and combine
//! two shifts, unless `n` is a power of two.

use crate::rebuild::Rebuild;
use crate::rules::{Misfit, log2};
use crate::{Ref, Tag};

/// `a` shifted by `b`, both of one width.
pub(super) fn narrow(rebuild: &mut Rebuild<'_>, tag: Tag, a: Ref, b: Ref) -> Result<Ref, Misfit> {
    let width = rebuild.new.sort(a).width();
    let is_rotation = matches!(tag, Tag::Rol | Tag::Ror);
    match (width, tag) {
        (1, Tag::Sll | Tag::Srl) => rebuild.op(Tag::And, &[a, b.complement()], &[]),
        (1, _) => Ok(a),
        _ if is_rotation => rotate(rebuild, tag, a, b),
        _ => shift(rebuild, tag, a, b),
    }
}

/// The smallest power of two that is at least `width`, and its exponent. Above 2^30 no file may contain it.
fn next_power(width: u32) -> (u32, u32) {
    let power = width.next_power_of_two();
    (power, power.trailing_zeros())
}

/// The low `n` bits.
fn low(rebuild: &mut Rebuild<'_>, of: Ref, n: u32) -> Result<Ref, Misfit> {
    if rebuild.new.sort(of).width() == n { Ok(of) } else { rebuild.op(Tag::Slice, &[of], &[n - 1, 0]) }
}

/// A shift on the next power of two. The amount has exactly enough bits.
fn shift_low(rebuild: &mut Rebuild<'_>, tag: Tag, a: Ref, amount: Ref) -> Result<Ref, Misfit> {
    let width = rebuild.new.sort(a).width();
    let (power, _) = next_power(width);
    if power == width {
        return rebuild.op(tag, &[a, amount], &[]);
    }
    let extend = if tag == Tag::Sra { Tag::Sext } else { Tag::Uext };
    let wide = rebuild.op(extend, &[a], &[power - width])?;
    let shifted = rebuild.op(tag, &[wide, amount], &[])?;
    low(rebuild, shifted, width)
}

fn shift(rebuild: &mut Rebuild<'_>, tag: Tag, a: Ref, b: Ref) -> Result<Ref, Misfit> {
    let width = rebuild.new.sort(a).width();
    let (_, exponent) = next_power(width);
    let amount = low(rebuild, b, exponent)?;
    let shifted = shift_low(rebuild, tag, a, amount)?;
    // With at least two bits, the amount has more bits than needed: log2 n < n.
    let high = rebuild.op(Tag::Slice, &[b], &[width - 1, exponent])?;
    let is_large = rebuild.any_bit(high)?;
    let gone = if tag == Tag::Sra {
        let most = rebuild.new.push_special(Tag::Ones, exponent);
        shift_low(rebuild, tag, a, most.into())?
    } else {
        rebuild.new.push_special(Tag::Zero, width).into()
    };
    rebuild.op(Tag::Ite, &[is_large, gone, shifted], &[])
}

fn rotate(rebuild: &mut Rebuild<'_>, tag: Tag, a: Ref, b: Ref) -> Result<Ref, Misfit> {
    let width = rebuild.new.sort(a).width();
    let (_, exponent) = next_power(width);
    if log2(width).is_some() {
        let amount = low(rebuild, b, exponent)?;
        return rebuild.op(tag, &[a, amount], &[]);
    }
    let n = rebuild.number(width, u64::from(width))?;
    let modulo = rebuild.op(Tag::Urem, &[b, n], &[])?;
    let amount = low(rebuild, modulo, exponent)?;
    let n = rebuild.number(exponent, u64::from(width))?;
    // Between 1 and n, which is below the power of two.
    let rest = rebuild.op(Tag::Sub, &[n, amount], &[])?;
    let (there, back) = if tag == Tag::Rol { (Tag::Sll, Tag::Srl) } else { (Tag::Srl, Tag::Sll) };
    let there = shift_low(rebuild, there, a, amount)?;
    let back = shift_low(rebuild, back, a, rest)?;
    rebuild.op(Tag::Or, &[there, back], &[])
}
