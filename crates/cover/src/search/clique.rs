//! The largest clique: branch and bound, with colours as the bound.
//!
//! After Tomita and Seki: the candidates are coloured greedily so that adjacent ones differ; a clique has at most one vertex per colour, so vertices
//! whose colour cannot make the clique larger than the best one are not tried. Exponential in the worst case; the graphs of real functions are almost
//! unions of cliques and take fewer than a thousand nodes.

use super::bitset::BitSet;

/// The result of a search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Clique {
    /// The vertices, sorted.
    pub vertices: Vec<usize>,
    /// Whether no larger one exists, or it is as large as requested.
    pub is_final: bool,
    /// Nodes that were visited.
    pub n_nodes: u64,
}

/// A largest clique of the graph, or the first one found with `enough` vertices. At most `max_nodes` nodes are visited.
pub fn largest(adjacent: &[BitSet], enough: usize, max_nodes: u64) -> Clique {
    let mut search = Search { adjacent, enough, best: Vec::new(), nodes_left: max_nodes };
    let is_final = search.run();
    let n_nodes = max_nodes - search.nodes_left;
    let mut vertices = search.best;
    vertices.sort_unstable();
    Clique { vertices, is_final, n_nodes }
}

struct Search<'g> {
    adjacent: &'g [BitSet],
    enough: usize,
    best: Vec<usize>,
    nodes_left: u64,
}

/// A node of the search tree: candidates in the order of their colours, tried from the end.
struct Frame {
    order: Vec<(usize, usize)>,
    candidates: BitSet,
}

impl Search<'_> {
    /// False if the limit on nodes ended it.
    fn run(&mut self) -> bool {
        let all = BitSet::full(self.adjacent.len());
        let mut stack = vec![Frame { order: self.colour(&all), candidates: all }];
        let mut chosen: Vec<usize> = Vec::new();
        while let Some(frame) = stack.last_mut() {
            let next = frame.order.pop().filter(|(_, colour)| chosen.len() + colour > self.best.len());
            let Some((vertex, _)) = next else {
                stack.pop();
                chosen.pop();
                continue;
            };
            if self.nodes_left == 0 {
                return false;
            }
            self.nodes_left -= 1;
            let mut candidates = frame.candidates.clone();
            candidates.intersect_with(&self.adjacent[vertex]);
            frame.candidates.remove(vertex);
            chosen.push(vertex);
            if chosen.len() > self.best.len() {
                self.best.clone_from(&chosen);
                if self.best.len() >= self.enough {
                    return true;
                }
            }
            stack.push(Frame { order: self.colour(&candidates), candidates });
        }
        true
    }

    /// The candidates with colours from 1, in the order of colours. O(n * colours) words.
    fn colour(&self, candidates: &BitSet) -> Vec<(usize, usize)> {
        let mut order = Vec::new();
        let mut rest = candidates.clone();
        let mut colour = 0;
        while !rest.is_empty() {
            colour += 1;
            let mut free = rest.clone();
            while let Some(vertex) = free.first() {
                order.push((vertex, colour));
                rest.remove(vertex);
                free.remove(vertex);
                free.subtract(&self.adjacent[vertex]);
            }
        }
        order
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nub_cnf::check::Rng;

    fn graph(n: usize, edges: impl Iterator<Item = (usize, usize)>) -> Vec<BitSet> {
        let mut adjacent = vec![BitSet::new(n); n];
        for (a, b) in edges {
            adjacent[a].insert(b);
            adjacent[b].insert(a);
        }
        adjacent
    }

    fn is_clique(adjacent: &[BitSet], set: &[usize]) -> bool {
        set.iter().all(|a| set.iter().all(|b| a == b || adjacent[*a].contains(*b)))
    }

    /// Compared with all subsets.
    #[test]
    fn largest_cliques_of_small_graphs() {
        let mut rng = Rng::new(3);
        for _ in 0..200 {
            let n = rng.below(10);
            let pairs: Vec<(usize, usize)> =
                (0..n).flat_map(|a| (0..a).map(move |b| (a, b))).filter(|_| rng.below(3) > 0).collect();
            let adjacent = graph(n, pairs.into_iter());
            let found = largest(&adjacent, usize::MAX, u64::MAX);
            let subsets =
                (0..1u32 << n).map(|mask| (0..n).filter(|v| mask >> v & 1 == 1).collect::<Vec<_>>());
            let expected =
                subsets.filter(|set| is_clique(&adjacent, set)).map(|set| set.len()).max().unwrap();
            assert!(found.is_final && is_clique(&adjacent, &found.vertices));
            assert_eq!(found.vertices.len(), expected);
        }
    }

    #[test]
    fn limits_are_kept() {
        let adjacent = graph(6, (0..6).flat_map(|a| (0..a).map(move |b| (a, b))));
        let enough = Clique { vertices: vec![3, 4, 5], is_final: true, n_nodes: 3 };
        assert_eq!(largest(&adjacent, 3, u64::MAX), enough);
        let too_few = Clique { vertices: vec![4, 5], is_final: false, n_nodes: 2 };
        assert_eq!(largest(&adjacent, 9, 2), too_few);
    }
}
