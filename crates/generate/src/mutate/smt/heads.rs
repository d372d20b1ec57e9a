//! Operators as text, with legal indices.

use nub_random::Rng;
use nub_smtlib::ops::{OperatorSignature, SmtOp, SortRule};
use nub_smtlib::{SmtSort, SortId, Sorts};

/// The text in operator position: `bvadd`, `(_ extract 7 0)`. The operator must fit these sorts. `None` if we cannot choose
/// its indices.
pub(super) fn head(
    op: &SmtOp,
    args: &[SortId],
    result: SortId,
    sorts: &Sorts,
    rng: &mut Rng,
) -> Option<Vec<u8>> {
    let bits = |sort| match *sorts.get(sort) {
        SmtSort::BitVec(width) => Some(width),
        _ => None,
    };
    if op.indices.1 == 0 {
        return Some(op.name.as_bytes().to_vec());
    }
    let indices: Vec<u32> = match op.signature {
        OperatorSignature::Rule(SortRule::Extract) => {
            let (from, to) = (bits(args[0])?, bits(result)?);
            let low = rng.between(0, from.checked_sub(to)?);
            vec![low + to.checked_sub(1)?, low]
        }
        OperatorSignature::Rule(SortRule::Repeat) => vec![bits(result)?.checked_div(bits(args[0])?)?],
        OperatorSignature::Rule(SortRule::Extend) => vec![bits(result)?.checked_sub(bits(args[0])?)?],
        OperatorSignature::Rule(SortRule::FloatToBv | SortRule::IntToBv) => vec![bits(result)?],
        OperatorSignature::Rule(SortRule::ToFp) => match *sorts.get(result) {
            SmtSort::Float(exponent, significand) => vec![exponent, significand],
            _ => return None,
        },
        OperatorSignature::Rule(_) => return None,
        _ => plain_indices(op, bits(args[0]), rng)?,
    };
    let indices: Vec<String> = indices.iter().map(u32::to_string).collect();
    Some(format!("(_ {} {})", op.name, indices.join(" ")).into_bytes())
}

/// Indices that do not affect the sorts.
fn plain_indices(op: &SmtOp, width: Option<u32>, rng: &mut Rng) -> Option<Vec<u32>> {
    // A rotation may exceed the width, but wide vectors need no long numbers.
    const MAX_ROTATION: u32 = 1 << 16;
    Some(match op.name {
        "rotate_left" | "rotate_right" => vec![rng.below(width?.min(MAX_ROTATION)) + rng.below(2)],
        "divisible" => vec![rng.pick(&[1, 2, 3, 7, 256])],
        "iand" => vec![rng.pick(&[1, 2, 8, 32])],
        "re.^" => vec![rng.below(4)],
        "re.loop" => {
            let least = rng.below(3);
            vec![least, least + rng.below(3)]
        }
        "@bit" | "bit" | "bit2bool" => vec![rng.below(width?)],
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use nub_smtlib::ops;

    #[test]
    fn indices_follow_from_the_sorts() {
        let mut sorts = Sorts::default();
        let byte = sorts.intern(SmtSort::BitVec(8));
        let bit = sorts.intern(SmtSort::BitVec(1));
        let head = |name: &str, args: &[SortId], result, seed| {
            let op = ops::by_name(name.as_bytes()).and_then(|id| id.get()).unwrap();
            String::from_utf8(head(op, args, result, &sorts, &mut Rng::new(seed)).unwrap()).unwrap()
        };
        assert_eq!(head("zero_extend", &[bit], byte, 0), "(_ zero_extend 7)");
        assert_eq!(head("repeat", &[bit], byte, 0), "(_ repeat 8)");
        assert_eq!(head("bvadd", &[byte, byte], byte, 0), "bvadd");
        for seed in 0..20 {
            let text = head("extract", &[byte], bit, seed);
            let low: u32 = text.trim_end_matches(')').rsplit(' ').next().unwrap().parse().unwrap();
            assert_eq!(text, format!("(_ extract {low} {low})"));
            assert!(low < 8);
        }
    }
}
