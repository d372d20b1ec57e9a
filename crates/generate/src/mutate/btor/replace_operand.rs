//! Replaces an operand by another node of the same sort from an earlier line.
//!
//! ```text
//! 6 add 8 4 5   ->   6 add 8 2 5
//! ```

use super::{BtorSeed, Splice, pick};
use nub_btor::{LineId, Operand, OperandKind};
use nub_random::Rng;

pub(super) fn propose(seed: &BtorSeed, rng: &mut Rng) -> Option<Vec<Splice>> {
    let id = pick(rng, &seed.users)?;
    let operand = node_operand(seed, id, rng)?;
    let sort = seed.file.line(operand.line?).sort?;
    let nodes = seed.nodes.get(&sort)?;
    let earlier = &nodes[..nodes.partition_point(|&node| node < id)];
    let node = pick(rng, earlier).filter(|&node| Some(node) != operand.line)?;
    let sign = if operand.negated { "-" } else { "" };
    let text = format!("{sign}{}", seed.file.line(node).id);
    Some(vec![Splice::replace(operand.span, text)])
}

/// One of the references of a line.
pub(super) fn node_operand(seed: &BtorSeed, id: LineId, rng: &mut Rng) -> Option<Operand> {
    let operands = seed.file.operands(seed.file.line(id)).iter();
    let nodes: Vec<Operand> = operands.filter(|operand| operand.kind == OperandKind::Node).copied().collect();
    pick(rng, &nodes)
}

#[cfg(test)]
mod tests {
    use crate::mutate::MutationKind;
    use crate::mutate::testing::expect;

    #[test]
    fn earlier_nodes_of_the_same_sort() {
        let seed = "1 var 8 x\n2 var 8 y\n3 add 8 1 -2\n4 redor 1 3\n5 root 1 4\n";
        let all = expect(
            MutationKind::ReplaceTerm,
            seed,
            &[&seed.replace("add 8 1 -2", "add 8 1 -1"), &seed.replace("redor 1 3", "redor 1 1")],
        );
        assert_eq!(all.len(), 4, "{all:#?}");
    }
}
