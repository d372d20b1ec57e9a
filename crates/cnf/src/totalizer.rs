//! Counting literals: a totalizer that grows (Bailleux and Boufkhad, CP 2003; made incremental by Martins, Joshi, Manquinho
//! and Lynce, CP 2014).

use crate::{Lit, Sink};

/// A tree of counters over literals. Output k is true if more than k of them are true. Only this direction is encoded, which is
/// enough for upper bounds. Outputs exist up to the largest bound requested, so the unused part of the range costs nothing.
#[derive(Clone, Debug)]
pub struct Totalizer {
    /// Children before parents; the root is last.
    nodes: Vec<Node>,
    n_lits: usize,
}

#[derive(Clone, Debug)]
struct Node {
    /// Two children, or none at a leaf.
    children: Option<[usize; 2]>,
    /// Number of leaves below it.
    size: usize,
    /// Output k: more than k literals below are true.
    outputs: Vec<Lit>,
}

impl Totalizer {
    /// A counter of these literals. It adds no clauses yet. O(n).
    pub fn new(lits: &[Lit]) -> Totalizer {
        let leaf = |lit: &Lit| Node { children: None, size: 1, outputs: vec![*lit] };
        let mut nodes: Vec<Node> = lits.iter().map(leaf).collect();
        // A balanced tree, level by level.
        let mut level: Vec<usize> = (0..nodes.len()).collect();
        while level.len() > 1 {
            let mut next = Vec::with_capacity(level.len().div_ceil(2));
            for pair in level.chunks(2) {
                match *pair {
                    [a, b] => {
                        let size = nodes[a].size + nodes[b].size;
                        nodes.push(Node { children: Some([a, b]), size, outputs: Vec::new() });
                        next.push(nodes.len() - 1);
                    }
                    _ => next.extend(pair),
                }
            }
            level = next;
        }
        // The root is last because it was created last.
        Totalizer { nodes, n_lits: lits.len() }
    }

    /// Number of literals counted.
    pub fn len(&self) -> usize {
        self.n_lits
    }

    /// True if nothing is counted.
    pub fn is_empty(&self) -> bool {
        self.n_lits == 0
    }

    /// A literal that is true if more than `bound` of the literals are true; assume its negation to allow at most `bound`.
    /// `None` if there are at most `bound` literals. O(n * bound) clauses over all calls.
    pub fn more_than(&mut self, bound: usize, sink: &mut dyn Sink) -> Option<Lit> {
        if bound >= self.n_lits {
            return None;
        }
        for index in 0..self.nodes.len() {
            self.grow(index, bound + 1, sink);
        }
        self.nodes.last().map(|root| root.outputs[bound])
    }

    /// Extends a node to `n_outputs` outputs. Its children already have theirs.
    fn grow(&mut self, index: usize, n_outputs: usize, sink: &mut dyn Sink) {
        let n_outputs = n_outputs.min(self.nodes[index].size);
        let n_before = self.nodes[index].outputs.len();
        let Some([left, right]) = self.nodes[index].children else { return };
        if n_before >= n_outputs {
            return;
        }
        let new: Vec<Lit> = (n_before..n_outputs).map(|_| sink.new_var()).collect();
        let (left, right) = (&self.nodes[left].outputs, &self.nodes[right].outputs);
        for (&output, count) in new.iter().zip(n_before + 1..) {
            // i true literals on the left and the rest on the right add up to the count.
            for i in count.saturating_sub(right.len())..=count.min(left.len()) {
                let mut clause = vec![output];
                clause.extend(i.checked_sub(1).map(|i| !left[i]));
                clause.extend((count - i).checked_sub(1).map(|j| !right[j]));
                sink.add(&clause);
            }
        }
        self.nodes[index].outputs.extend(new);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Cnf;
    use crate::check::propagates;

    /// All sets of up to six literals and all bounds, requested in increasing and in other orders.
    #[test]
    fn outputs_count() {
        for n in 1..=6_usize {
            for first in 0..n {
                let mut cnf = Cnf::new();
                let lits: Vec<Lit> = (0..n).map(|_| cnf.new_var()).collect();
                let mut totalizer = Totalizer::new(&lits);
                totalizer.more_than(first, &mut cnf);
                for bound in 0..n {
                    let output = totalizer.more_than(bound, &mut cnf).unwrap();
                    for set in 0..1_u32 << n {
                        let given: Vec<Lit> = lits
                            .iter()
                            .enumerate()
                            .map(|(i, lit)| lit.negated_if(set >> i & 1 == 0))
                            .collect();
                        let is_more = set.count_ones() as usize > bound;
                        let with_bound = [given.as_slice(), &[!output]].concat();
                        assert_eq!(propagates(&cnf, &with_bound).is_none(), is_more, "{n} {bound} {set:b}");
                    }
                }
                assert_eq!(totalizer.more_than(n, &mut cnf), None);
            }
        }
        assert_eq!(Totalizer::new(&[]).more_than(0, &mut Cnf::new()), None);
    }

    #[test]
    fn low_bounds_cost_little() {
        let mut cnf = Cnf::new();
        let lits: Vec<Lit> = (0..10_000).map(|_| cnf.new_var()).collect();
        let mut totalizer = Totalizer::new(&lits);
        totalizer.more_than(1, &mut cnf);
        assert!(cnf.n_clauses() < 70_000, "{}", cnf.n_clauses());
    }
}
