//! How much hangs on a node alone: the size of its sub-tree in the dominator tree.
//!
//! A node that becomes a constant takes along what nothing else reaches. That, not the size of the whole cone below
//! it, says what a replacement saves. In a graph without cycles one sweep from the roots is enough: all that use a node
//! come before it, and its dominator is the nearest common one of theirs.

use super::View;
use nub_btor::LineId;

/// The table: number of lines that go with each line.
pub struct Dominators {
    size: Vec<u32>,
    /// Longest way from a root.
    depth: Vec<u32>,
}

/// Stands for "above all roots".
const TOP: u32 = u32::MAX;

impl Dominators {
    /// O(n) steps, each a walk up the tree of dominators.
    pub(super) fn new(view: &View) -> Dominators {
        let n_lines = view.file().lines().len();
        let mut above = vec![TOP; n_lines];
        let mut level = vec![0u32; n_lines];
        let mut depth = vec![0u32; n_lines];
        let mut size = vec![1u32; n_lines];
        for line in view.lines().rev() {
            let at = line.index();
            let users = view.uses(line).iter().map(|at| at.by.index() as u32);
            let nearest = users.clone().reduce(|a, b| nearest(&above, &level, a, b));
            above[at] = nearest.unwrap_or(TOP);
            level[at] = if above[at] == TOP { 0 } else { level[above[at] as usize] + 1 };
            depth[at] = users.filter_map(|by| depth.get(by as usize)).max().map_or(0, |depth| depth + 1);
        }
        for line in view.lines() {
            let at = line.index();
            if above[at] != TOP {
                size[above[at] as usize] += size[at];
            }
        }
        Dominators { size, depth }
    }

    /// Lines that go if the line becomes a leaf, itself included.
    pub fn size(&self, line: LineId) -> usize {
        self.size[line.index()] as usize
    }

    /// The longest way from a line that nothing uses.
    pub fn depth(&self, line: LineId) -> usize {
        self.depth[line.index()] as usize
    }
}

/// The nearest common dominator.
fn nearest(above: &[u32], level: &[u32], mut a: u32, mut b: u32) -> u32 {
    let level_of = |at: u32| if at == TOP { 0 } else { level[at as usize] + 1 };
    while a != b {
        if level_of(a) >= level_of(b) {
            a = if a == TOP { TOP } else { above[a as usize] };
        } else {
            b = above[b as usize];
        }
    }
    a
}

#[cfg(test)]
mod tests {
    use crate::btor::testing::read;

    fn sizes(text: &str) -> Vec<usize> {
        let view = read(text);
        view.lines().map(|line| view.dominators().size(line)).collect()
    }

    #[test]
    fn shared_nodes_hang_on_what_all_users_hang_on() {
        // 2 and 3 share 1; only 4 takes it along.
        assert_eq!(sizes("1 var 1\n2 not 1 1\n3 neg 1 1\n4 and 1 2 3\n5 root 1 4\n"), [1, 1, 1, 4, 5]);
        assert_eq!(sizes("1 var 1\n2 not 1 1\n3 root 1 2\n4 root 1 1\n"), [1, 1, 2, 1]);
    }

    #[test]
    fn depth_is_the_longest_way() {
        let view = read("1 var 1\n2 not 1 1\n3 and 1 1 2\n4 root 1 3\n");
        assert_eq!(view.lines().map(|line| view.dominators().depth(line)).collect::<Vec<_>>(), [3, 2, 1, 0]);
    }
}
