//! Nodes by what hangs on them alone, largest first.

use super::View;
use nub_btor::LineId;

/// Nodes that take along at least `min` and at most `max` lines, themselves included.
#[derive(Clone, Copy, Debug)]
pub struct Band {
    /// Most lines.
    pub max: usize,
    /// Fewest lines.
    pub min: usize,
}

impl Band {
    /// All nodes.
    pub const ALL: Band = Band { max: usize::MAX, min: 1 };

    /// The nodes of the band, those nearer to the roots first.
    pub fn nodes(self, view: &View) -> Vec<LineId> {
        let dominators = view.dominators();
        let in_band = |&line: &LineId| {
            let size = dominators.size(line);
            view.is_node(line) && self.min <= size && size <= self.max
        };
        view.lines().rev().filter(in_band).collect()
    }
}
