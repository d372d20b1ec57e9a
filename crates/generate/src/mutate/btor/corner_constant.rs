//! A constant becomes a corner value of its width.
//!
//! ```text
//! 2 constd 8 7   ->   2 ones 8
//! 2 zero 8       ->   2 const 8 10000000
//! ```

use super::{BtorSeed, Splice, pick};
use nub_btor::Tag;
use nub_random::Rng;
use nub_text::Span;

/// The widest constant that is written digit by digit.
const MAX_DIGITS: u32 = 256;

pub(super) fn propose(seed: &BtorSeed, rng: &mut Rng) -> Option<Vec<Splice>> {
    let line = seed.file.line(pick(rng, &seed.constants)?);
    let width = line.sort?.bits()?;
    let operands = seed.file.operands(line);
    let (first, last) = (operands.first()?, operands.last()?);
    let whole = Span { start: line.tag_span.start, end: last.span.end };
    let sort = first.span.slice(seed.file.text());
    let tag = rng.pick(&[Tag::Zero, Tag::One, Tag::Ones, Tag::Const, Tag::Const]);
    let tag = if width > MAX_DIGITS && tag == Tag::Const { Tag::Ones } else { tag };
    let mut text = [tag.name(seed.dialect())?.as_bytes(), b" ", sort].concat();
    if tag == Tag::Const {
        text.push(b' ');
        // Smallest and largest signed value, all ones except the last bit, alternating bits.
        let which = rng.below(4);
        let digit = |at: u32| match which {
            0 => at == 0,
            1 => at > 0,
            2 => at + 1 < width,
            _ => at.is_multiple_of(2),
        };
        text.extend((0..width).map(|at| if digit(at) { b'1' } else { b'0' }));
    }
    (text != whole.slice(seed.file.text())).then(|| vec![Splice::replace(whole, text)])
}

#[cfg(test)]
mod tests {
    use crate::mutate::MutationKind;
    use crate::mutate::testing::expect;

    #[test]
    fn corners_of_a_width() {
        let seed = "1 sort bitvec 3\n2 constd 1 5\n3 not 1 2\n";
        let wanted = ["zero 1", "one 1", "ones 1", "const 1 100", "const 1 011"]
            .map(|new| seed.replace("constd 1 5", new));
        expect(MutationKind::CornerConstant, seed, &wanted.each_ref().map(String::as_str));
    }
}
