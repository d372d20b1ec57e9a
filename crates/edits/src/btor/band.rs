//! Nodes by the number of lines that only they need, largest first.

use super::BtorView;
use nub_btor::LineId;

/// Nodes whose removal also removes between `min` and `max` lines, including the node itself.
#[derive(Clone, Copy, Debug)]
pub struct BtorBand {
    /// Maximum number of lines.
    pub max: usize,
    /// Minimum number of lines.
    pub min: usize,
    /// Only nodes over leaves. If such a node is needed, so is every node through which alone it is reached.
    pub is_lowest: bool,
}

impl BtorBand {
    /// All nodes.
    pub const ALL: BtorBand = BtorBand { max: usize::MAX, min: 1, is_lowest: false };

    /// Operators over leaves.
    pub const LOWEST: BtorBand = BtorBand { is_lowest: true, ..BtorBand::ALL };

    /// The nodes of the band, those closer to the roots first.
    pub fn nodes(self, view: &BtorView) -> Vec<LineId> {
        let dominators = view.dominators();
        let in_band = |&line: &LineId| {
            let size = dominators.size(line);
            let is_leaf = |to: LineId| view.nodes_of(to).next().is_none();
            let mut below = view.nodes_of(line).filter_map(|operand| operand.line);
            view.is_node(line)
                && self.min <= size
                && size <= self.max
                && (!self.is_lowest || below.all(is_leaf))
        };
        view.lines().rev().filter(in_band).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::btor::testing::read;

    #[test]
    fn by_what_goes_along() {
        let view = read("1 var 8\n2 not 8 1\n3 neg 8 2\n4 redor 1 3\n5 var 1\n6 and 1 4 5\n7 root 1 6\n");
        let ids =
            |band: BtorBand| band.nodes(&view).iter().map(|&line| view.line(line).id).collect::<Vec<_>>();
        assert_eq!(ids(BtorBand::ALL), [6, 5, 4, 3, 2, 1]);
        assert_eq!(ids(BtorBand { max: 6, min: 4, ..BtorBand::ALL }), [6, 4]);
        assert_eq!(ids(BtorBand { max: 1, ..BtorBand::ALL }), [5, 1]);
    }
}
