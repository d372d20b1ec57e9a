//! Adds or removes the minus sign before a reference.
//!
//! ```text
//! 6 add 8 4 5   ->   6 add 8 -4 5
//! ```

use super::replace_operand::node_operand;
use super::{BtorSeed, Splice, pick};
use nub_random::Rng;

pub(super) fn propose(seed: &BtorSeed, rng: &mut Rng) -> Option<Vec<Splice>> {
    let id = pick(rng, &seed.users)?;
    let operand = node_operand(seed, id, rng)?;
    let sort = seed.file.line(operand.line?).sort?;
    if sort.is_array() {
        return None;
    }
    let old = operand.span.slice(seed.file.text());
    let new = match old.strip_prefix(b"-") {
        Some(positive) => positive.to_vec(),
        None => [b"-", old].concat(),
    };
    Some(vec![Splice::replace(operand.span, new)])
}

#[cfg(test)]
mod tests {
    use crate::mutate::MutationKind;
    use crate::mutate::testing::expect;

    #[test]
    fn to_and_fro_but_not_arrays() {
        let seed = "1 array 8 4\n2 var 4\n3 read 8 1 -2\n4 redor 1 3\n5 root 1 4\n";
        let wanted = [
            seed.replace("read 8 1 -2", "read 8 1 2"),
            seed.replace("redor 1 3", "redor 1 -3"),
            seed.replace("root 1 4", "root 1 -4"),
        ];
        let all = expect(MutationKind::NegateOperand, seed, &wanted.each_ref().map(String::as_str));
        assert_eq!(all.len(), 3, "{all:#?}");
    }
}
