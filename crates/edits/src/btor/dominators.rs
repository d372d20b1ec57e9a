//! The number of lines that only a node needs: the size of its subtree in the dominator tree.
//!
//! Turning a node into a constant removes everything that is reached only through it. That number, and not the size of the whole cone
//! below it, is what a replacement saves. In an acyclic graph one sweep from the roots is enough: all users of a node
//! come before it, and its dominator is the nearest common dominator of its users.

use super::BtorView;
use nub_btor::LineId;

/// The table: the number of lines that only each line needs.
pub struct Dominators {
    size: Vec<u32>,
    /// The length of the longest path from a root.
    depth: Vec<u32>,
    /// Steps taken up the tree, for the test that there are few.
    #[cfg(test)]
    n_steps: u64,
}

impl Dominators {
    /// O(n log n): each use costs a walk up the dominator tree, in steps of increasing length.
    pub(super) fn new(view: &BtorView) -> Dominators {
        let n_lines = view.file().lines().len();
        let mut tree = Tree::new(n_lines);
        let mut depth = vec![0u32; n_lines];
        let mut size = vec![1u32; n_lines];
        for line in view.lines().rev() {
            let at = line.index();
            let users = view.uses(line).iter().map(|at| at.by.index() as u32);
            let nearest = users.clone().reduce(|a, b| tree.nearest(a, b));
            tree.hang(at, nearest.unwrap_or(tree.top()));
            depth[at] = users.filter_map(|by| depth.get(by as usize)).max().map_or(0, |depth| depth + 1);
        }
        for line in view.lines() {
            let at = line.index();
            if let Some(above) = size.get(tree.above[at] as usize) {
                size[tree.above[at] as usize] = above + size[at];
            }
        }
        Dominators {
            size,
            depth,
            #[cfg(test)]
            n_steps: tree.n_steps,
        }
    }

    /// Number of lines that can be removed if the line becomes a leaf, including the line itself.
    pub fn size(&self, line: LineId) -> usize {
        self.size[line.index()] as usize
    }

    /// The length of the longest path from a line that nothing uses.
    pub fn depth(&self, line: LineId) -> usize {
        self.depth[line.index()] as usize
    }
}

/// A tree that grows at its leaves, in which the nearest common ancestor is found in O(log n) steps: in addition to its parent, each
/// node stores one ancestor further up, at distances given by skew-binary numbers (Myers 1983). On a chain of 10^6
/// nodes, a walk along parents alone would be quadratic.
struct Tree {
    above: Vec<u32>,
    /// An ancestor further up.
    far: Vec<u32>,
    level: Vec<u32>,
    #[cfg(test)]
    n_steps: u64,
}

impl Tree {
    /// A tree of only the top, above all roots, with room for `n_lines` more.
    fn new(n_lines: usize) -> Tree {
        let top = n_lines as u32;
        Tree {
            above: vec![top; n_lines + 1],
            far: vec![top; n_lines + 1],
            level: vec![0; n_lines + 1],
            #[cfg(test)]
            n_steps: 0,
        }
    }

    fn top(&self) -> u32 {
        self.above.len() as u32 - 1
    }

    fn level(&self, at: u32) -> u32 {
        self.level[at as usize]
    }

    fn far(&self, at: u32) -> u32 {
        self.far[at as usize]
    }

    fn hang(&mut self, at: usize, above: u32) {
        let far = self.far(above);
        let farther = self.far(far);
        let spans_alike = self.level(above) - self.level(far) == self.level(far) - self.level(farther);
        self.above[at] = above;
        self.far[at] = if spans_alike { farther } else { above };
        self.level[at] = self.level(above) + 1;
    }

    /// The nearest common ancestor.
    fn nearest(&mut self, mut a: u32, mut b: u32) -> u32 {
        if self.level(a) < self.level(b) {
            std::mem::swap(&mut a, &mut b);
        }
        while self.level(a) > self.level(b) {
            self.count();
            let far = self.far(a);
            a = if self.level(far) >= self.level(b) { far } else { self.above[a as usize] };
        }
        // Both are on the same level, so their far ancestors are on the same level, too.
        while a != b {
            self.count();
            let (far_a, far_b) = (self.far(a), self.far(b));
            (a, b) = if far_a == far_b {
                (self.above[a as usize], self.above[b as usize])
            } else {
                (far_a, far_b)
            };
        }
        a
    }

    #[cfg(test)]
    fn count(&mut self) {
        self.n_steps += 1;
    }

    #[cfg(not(test))]
    fn count(&self) {}
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::btor::testing::read;

    fn sizes(text: &str) -> Vec<usize> {
        let view = read(text);
        view.lines().map(|line| view.dominators().size(line)).collect()
    }

    #[test]
    fn shared_nodes_hang_on_what_all_users_hang_on() {
        // 2 and 3 share 1; only removing 4 removes it.
        assert_eq!(sizes("1 var 1\n2 not 1 1\n3 neg 1 1\n4 and 1 2 3\n5 root 1 4\n"), [1, 1, 1, 4, 5]);
        assert_eq!(sizes("1 var 1\n2 not 1 1\n3 root 1 2\n4 root 1 1\n"), [1, 1, 2, 1]);
    }

    /// The distance between two users of a line may be as long as the file; the total number of steps must not be quadratic.
    #[test]
    fn steps_grow_with_n_log_n() {
        let chain = |n: usize| {
            let mut text = "1 var 8\n".to_owned();
            (2..=n).for_each(|id| text += &format!("{id} add 8 {} 1\n", id - 1));
            text + &format!("{} redor 1 {n}\n{} root 1 {}\n", n + 1, n + 2, n + 1)
        };
        for n in [1_000, 4_000, 16_000] {
            let view = read(&chain(n));
            let n_steps = view.dominators().n_steps;
            assert!(n_steps <= 2 * n as u64 * u64::from(n.ilog2()), "{n} nodes: {n_steps} steps");
            assert_eq!(view.dominators().size(view.file().by_id(n as u64).unwrap()), n);
        }
    }

    /// The same sizes as by removing each node and counting what is no longer reached.
    #[test]
    fn sizes_are_what_goes() {
        let mut rng = nub_random::Rng::new(7);
        for n in 1..60 {
            let mut text = "1 var 1\n".to_owned();
            for id in 2..=n + 1 {
                text += &format!("{id} and 1 {} {}\n", id - 1, 1 + rng.below::<u64>(id - 1));
            }
            let view = read(&(text + &format!("{} root 1 {}\n", n + 2, n + 1)));
            let n_lines = view.file().lines().len();
            let n_left = |without: usize| {
                let mut reached = vec![false; n_lines];
                let mut todo = vec![n_lines - 1];
                while let Some(at) = todo.pop() {
                    if at != without && !std::mem::replace(&mut reached[at], true) {
                        todo.extend(view.nodes_of(LineId::new(at)).filter_map(|to| Some(to.line?.index())));
                    }
                }
                reached.iter().filter(|&&is| is).count()
            };
            for at in 0..n_lines {
                let size = view.dominators().size(LineId::new(at));
                assert_eq!(size, n_lines - n_left(at), "line {at} of\n{}", view.text().escape_ascii());
            }
        }
    }

    #[test]
    fn depth_is_the_longest_way() {
        let view = read("1 var 1\n2 not 1 1\n3 and 1 1 2\n4 root 1 3\n");
        assert_eq!(view.lines().map(|line| view.dominators().depth(line)).collect::<Vec<_>>(), [3, 2, 1, 0]);
    }
}
