//! Shifts and rotations in stages, one per bit of the amount: O(width log width).

use super::Word;
use crate::{Aig, AigEdge};

/// The direction in which bits move.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Direction {
    Left,
    Right,
}

/// `a` shifted by an amount of any width; `fill` enters at the other end.
pub(crate) fn shift(
    aig: &mut Aig,
    a: &[AigEdge],
    by: &[AigEdge],
    direction: Direction,
    fill: AigEdge,
) -> Word {
    let n = a.len();
    let mut word = a.to_vec();
    let mut is_over = AigEdge::FALSE;
    for (stage, &bit) in by.iter().enumerate() {
        let Some(distance) = 1_usize.checked_shl(stage as u32).filter(|distance| *distance < n) else {
            is_over = aig.or(is_over, bit);
            continue;
        };
        let from = |to: usize| match direction {
            Direction::Left => to.checked_sub(distance),
            Direction::Right => Some(to + distance).filter(|from| *from < n),
        };
        word = (0..n)
            .map(|to| {
                let moved = from(to).map_or(fill, |from| word[from]);
                aig.ite(bit, moved, word[to])
            })
            .collect();
    }
    word.iter().map(|bit| aig.ite(is_over, fill, *bit)).collect()
}

/// `a` rotated by an amount of any width, modulo the width of `a`. Stage s rotates by 2^s modulo the width, so no
/// division is needed.
pub(crate) fn rotate(aig: &mut Aig, a: &[AigEdge], by: &[AigEdge], direction: Direction) -> Word {
    let n = a.len();
    let mut word = a.to_vec();
    let mut distance = 1 % n;
    for &bit in by {
        let left = if direction == Direction::Left { distance } else { (n - distance) % n };
        word = (0..n).map(|to| aig.ite(bit, word[(to + n - left) % n], word[to])).collect();
        distance = distance * 2 % n;
    }
    word
}
