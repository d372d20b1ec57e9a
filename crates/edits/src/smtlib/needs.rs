//! How far a term can be moved up without leaving the scope of a variable that it uses.
//!
//! For a term D, `needs(D)` is the innermost binder around D that binds a variable used in D. D may replace
//! an ancestor P if and only if `needs(D)` is outside P, that is, has a smaller number than P.
//!
//! A use at node i of a variable bound at b counts for D if and only if D is between them: b < D <= i < after(D). Sweeping D
//! upwards and switching a use on when the sweep passes its binder makes this a range maximum over `D..after(D)`:
//! O((n + uses) log n) for all terms together, and exact; a walk per pair would be quadratic in let chains.

use super::SmtView;
use nub_smtlib::NodeId;

/// The table; `0` means "none" (node 0 is a command or its bracket, never a binder inside a term).
pub(super) struct Needs {
    binder: Vec<u32>,
}

impl Needs {
    pub(super) fn new(view: &SmtView) -> Needs {
        let (tree, analysis) = (view.tree(), view.analysis());
        let mut uses: Vec<(u32, u32)> = Vec::new();
        for id in analysis.decl_ids() {
            let decl = analysis.decl(id);
            if decl.is_local() {
                uses.extend(analysis.uses(id).iter().map(|node| (decl.binder.0, node.0)));
            }
        }
        uses.sort_unstable();
        let mut maxima = Maxima::new(tree.len());
        let mut next = 0;
        let mut binder = vec![0; tree.len()];
        for node in tree.nodes() {
            while next < uses.len() && uses[next].0 < node.0 {
                maxima.raise(uses[next].1 as usize, uses[next].0);
                next += 1;
            }
            if next > 0 && view.is_term(node) {
                binder[node.index()] = maxima.over(node.index(), tree.after(node).index());
            }
        }
        Needs { binder }
    }

    /// True if the term may replace its ancestor.
    pub(super) fn can_replace(&self, term: NodeId, ancestor: NodeId) -> bool {
        self.binder[term.index()] < ancestor.0 || self.binder[term.index()] == 0
    }
}

/// Range maxima with point updates: a plain segment tree.
struct Maxima {
    n: usize,
    tree: Vec<u32>,
}

impl Maxima {
    fn new(n: usize) -> Maxima {
        Maxima { n, tree: vec![0; 2 * n] }
    }

    fn raise(&mut self, at: usize, value: u32) {
        let mut at = at + self.n;
        while at > 0 && self.tree[at] < value {
            self.tree[at] = value;
            at /= 2;
        }
    }

    fn over(&self, start: usize, end: usize) -> u32 {
        let (mut low, mut high, mut best) = (start + self.n, end + self.n, 0);
        while low < high {
            if low % 2 == 1 {
                best = best.max(self.tree[low]);
                low += 1;
            }
            if high % 2 == 1 {
                high -= 1;
                best = best.max(self.tree[high]);
            }
            low /= 2;
            high /= 2;
        }
        best
    }
}
