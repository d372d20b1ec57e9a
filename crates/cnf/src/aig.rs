//! An and-inverter graph: nodes are conjunctions of two edges or inputs, edges may be complemented.
//!
//! Nodes are hash-consed, so equal conjunctions are one node. New conjunctions are simplified by looking one level below their
//! operands (Brummayer and Biere, Local two-level and-inverter graph minimization without blowup, MEMICS 2006).

use nub_bitvec::UniqueTable;
use std::fmt;
use std::ops::Not;

/// A node or its complement, in four bytes: twice the node, plus one if complemented. Node 0 is false.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AigEdge(u32);

impl AigEdge {
    /// The constant false.
    pub const FALSE: AigEdge = AigEdge(0);
    /// The constant true.
    pub const TRUE: AigEdge = AigEdge(1);

    /// The number of its node.
    pub fn node(self) -> usize {
        (self.0 >> 1) as usize
    }

    /// True if the node is complemented.
    pub fn is_complement(self) -> bool {
        self.0 & 1 == 1
    }

    /// True if it is false or true.
    pub fn is_constant(self) -> bool {
        self.0 <= 1
    }

    /// The edge to the same node without complement.
    pub fn regular(self) -> AigEdge {
        AigEdge(self.0 & !1)
    }

    fn from_node(node: usize) -> AigEdge {
        AigEdge((node as u32) << 1)
    }
}

/// The constant.
impl From<bool> for AigEdge {
    fn from(truth: bool) -> AigEdge {
        if truth { AigEdge::TRUE } else { AigEdge::FALSE }
    }
}

impl Not for AigEdge {
    type Output = AigEdge;

    fn not(self) -> AigEdge {
        AigEdge(self.0 ^ 1)
    }
}

impl fmt::Debug for AigEdge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", if self.is_complement() { "~" } else { "" }, self.node())
    }
}

/// The graph. It takes 9 bytes per node, and 4 to 12 more in the hash table.
#[derive(Clone, Debug)]
pub struct Aig {
    /// The operands, the smaller first. An input has `INPUT` and its index instead.
    nodes: Vec<[u32; 2]>,
    /// How often a node is an operand, up to 255.
    n_uses: Vec<u8>,
    unique: UniqueTable,
    n_inputs: u32,
}

const INPUT: u32 = u32::MAX;

impl Default for Aig {
    fn default() -> Aig {
        Aig::new()
    }
}

impl Aig {
    /// The largest number of nodes.
    pub const MAX_NODES: usize = 1 << 30;

    /// An empty graph.
    pub fn new() -> Aig {
        Aig { nodes: vec![[0, 0]], n_uses: vec![0], unique: UniqueTable::default(), n_inputs: 0 }
    }

    /// Number of nodes, including the constant and the inputs.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// True if there is no node except the constant.
    pub fn is_empty(&self) -> bool {
        self.nodes.len() == 1
    }

    /// Number of inputs.
    pub fn n_inputs(&self) -> u32 {
        self.n_inputs
    }

    /// A new input. Inputs are numbered from 0.
    pub fn input(&mut self) -> AigEdge {
        self.nodes.push([INPUT, self.n_inputs]);
        self.n_uses.push(0);
        self.n_inputs += 1;
        self.last()
    }

    /// The index of the input, if the node is one.
    pub fn input_number(&self, node: usize) -> Option<u32> {
        let [a, b] = self.nodes[node];
        (a == INPUT).then_some(b)
    }

    /// The operands, if the node is a conjunction.
    pub fn operands(&self, node: usize) -> Option<[AigEdge; 2]> {
        let [a, b] = self.nodes[node];
        (node != 0 && a != INPUT).then_some([AigEdge(a), AigEdge(b)])
    }

    /// How often a node is an operand of another, up to 255.
    pub(crate) fn n_uses(&self, node: usize) -> u8 {
        self.n_uses[node]
    }

    fn last(&self) -> AigEdge {
        assert!(self.nodes.len() <= Aig::MAX_NODES, "too many nodes");
        AigEdge::from_node(self.nodes.len() - 1)
    }

    /// `a & b`
    pub fn and(&mut self, a: AigEdge, b: AigEdge) -> AigEdge {
        let (mut a, mut b) = (a, b);
        // Each round replaces `b` by an operand from a lower level, so the loop ends.
        loop {
            let (low, high) = (a.min(b), a.max(b));
            if low == AigEdge::FALSE || low == !high {
                return AigEdge::FALSE;
            }
            if low == AigEdge::TRUE || low == high {
                return high;
            }
            match self.simplified(low, high).or_else(|| self.simplified(high, low)) {
                Some(Found::Edge(edge)) => return edge,
                Some(Found::And(next)) => (a, b) = next,
                None => return self.unique_and(low, high),
            }
        }
    }

    fn unique_and(&mut self, a: AigEdge, b: AigEdge) -> AigEdge {
        let new = self.nodes.len() as u32;
        let nodes = &self.nodes;
        let found = self.unique.find_or_insert(hash([a.0, b.0]), new, |id| nodes[id as usize] == [a.0, b.0]);
        if found != new {
            return AigEdge::from_node(found as usize);
        }
        self.nodes.push([a.0, b.0]);
        self.n_uses.push(0);
        for operand in [a, b] {
            let n_uses = &mut self.n_uses[operand.node()];
            *n_uses = n_uses.saturating_add(1);
        }
        self.last()
    }

    /// Simplifies `a & b` by looking at the operands of `b`.
    fn simplified(&self, a: AigEdge, b: AigEdge) -> Option<Found> {
        let [x, y] = self.operands(b.node())?;
        if !b.is_complement() {
            return match a {
                _ if a == !x || a == !y => Some(Found::Edge(AigEdge::FALSE)),
                _ if a == x || a == y => Some(Found::Edge(b)),
                _ => self.both_regular(a, [x, y]),
            };
        }
        match a {
            _ if a == !x || a == !y => Some(Found::Edge(a)),
            _ if a == x => Some(Found::And((a, !y))),
            _ if a == y => Some(Found::And((a, !x))),
            _ => self.one_complement(a, [x, y]),
        }
    }

    /// `(u & v) & (x & y)`: false if they contradict.
    fn both_regular(&self, a: AigEdge, [x, y]: [AigEdge; 2]) -> Option<Found> {
        let [u, v] = self.operands(a.node()).filter(|_| !a.is_complement())?;
        let contradict = u == !x || u == !y || v == !x || v == !y;
        contradict.then_some(Found::Edge(AigEdge::FALSE))
    }

    /// `(u & v) & ~(x & y)` or `~(u & v) & ~(x & y)`.
    fn one_complement(&self, a: AigEdge, [x, y]: [AigEdge; 2]) -> Option<Found> {
        let [u, v] = self.operands(a.node())?;
        if !a.is_complement() {
            // Subsumption: the first implies the second.
            if u == !x || u == !y || v == !x || v == !y {
                return Some(Found::Edge(a));
            }
            // Substitution.
            return if u == x || v == x {
                Some(Found::And((a, !y)))
            } else if u == y || v == y {
                Some(Found::And((a, !x)))
            } else {
                None
            };
        }
        // Resolution: ~(x & y) & ~(x & ~y) = ~x.
        if (u == x && v == !y) || (v == x && u == !y) {
            Some(Found::Edge(!x))
        } else if (u == y && v == !x) || (v == y && u == !x) {
            Some(Found::Edge(!y))
        } else {
            None
        }
    }

    /// `a | b`
    pub fn or(&mut self, a: AigEdge, b: AigEdge) -> AigEdge {
        !self.and(!a, !b)
    }

    /// `a ^ b`. Complements are moved to the result first, so that the four combinations share their nodes.
    pub fn xor(&mut self, a: AigEdge, b: AigEdge) -> AigEdge {
        let complement = a.is_complement() != b.is_complement();
        let (a, b) = (a.regular(), b.regular());
        let both = self.and(a, b);
        let none = self.and(!a, !b);
        let differ = self.and(!both, !none);
        if complement { !differ } else { differ }
    }

    /// `if c then a else b`. Complements are moved to the result first, as in `xor`.
    pub fn ite(&mut self, c: AigEdge, a: AigEdge, b: AigEdge) -> AigEdge {
        let (a, b) = if c.is_complement() { (b, a) } else { (a, b) };
        let c = c.regular();
        let complement = b.is_complement();
        let (a, b) = if complement { (!a, !b) } else { (a, b) };
        let chosen = if a == b {
            a
        } else if a == !b {
            !self.xor(c, a)
        } else {
            let when = self.and(c, !a);
            let unless = self.and(!c, !b);
            self.and(!when, !unless)
        };
        if complement { !chosen } else { chosen }
    }

    /// The conjunction of all.
    pub fn and_all(&mut self, edges: impl IntoIterator<Item = AigEdge>) -> AigEdge {
        edges.into_iter().fold(AigEdge::TRUE, |all, edge| self.and(all, edge))
    }

    /// The disjunction of all.
    pub fn or_all(&mut self, edges: impl IntoIterator<Item = AigEdge>) -> AigEdge {
        edges.into_iter().fold(AigEdge::FALSE, |any, edge| self.or(any, edge))
    }

    /// The value of every node, from the values of the inputs. O(nodes).
    pub fn simulate(&self, input: impl Fn(u32) -> bool) -> Simulation {
        let mut values: Vec<bool> = Vec::with_capacity(self.nodes.len());
        for node in 0..self.nodes.len() {
            let value = match (self.input_number(node), self.operands(node)) {
                (Some(number), _) => input(number),
                (None, Some(operands)) => operands.iter().all(|e| values[e.node()] != e.is_complement()),
                (None, None) => false,
            };
            values.push(value);
        }
        Simulation { values }
    }
}

/// The result of looking at operands.
enum Found {
    Edge(AigEdge),
    And((AigEdge, AigEdge)),
}

/// Values of nodes.
#[derive(Clone, Debug)]
pub struct Simulation {
    values: Vec<bool>,
}

impl Simulation {
    /// The value of an edge that existed when the graph was simulated.
    pub fn value(&self, edge: AigEdge) -> bool {
        self.values[edge.node()] != edge.is_complement()
    }
}

fn hash([a, b]: [u32; 2]) -> u64 {
    // The table mixes the bits further.
    u64::from(a).wrapping_mul(0x2545_f491_4f6c_dd1d) ^ u64::from(b)
}

#[cfg(test)]
mod tests {
    use super::*;
    use nub_bitvec::check::Rng;

    /// Random graphs with few inputs: `and` must equal the conjunction of its operands for all inputs.
    #[test]
    fn and_keeps_the_meaning() {
        const N_INPUTS: u32 = 4;
        for seed in 0..300 {
            let mut rng = Rng::new(seed);
            let mut aig = Aig::new();
            // Each edge with its truth table.
            let mut edges: Vec<(AigEdge, u16)> = Vec::new();
            for number in 0..N_INPUTS {
                let table =
                    (0..16).filter(|row| row >> number & 1 == 1).fold(0, |table, row| table | 1 << row);
                edges.push((aig.input(), table));
            }
            for _ in 0..60 {
                let [(a, s), (b, t)] = [rng.pick(&edges), rng.pick(&edges)]
                    .map(|(edge, table)| if rng.below(2) == 0 { (edge, table) } else { (!edge, !table) });
                edges.push((aig.and(a, b), s & t));
            }
            for row in 0..16 {
                let simulation = aig.simulate(|number| row >> number & 1 == 1);
                for (edge, table) in &edges {
                    assert_eq!(simulation.value(*edge), table >> row & 1 == 1, "seed {seed}");
                }
            }
        }
    }

    #[test]
    fn equal_functions_of_two_inputs_are_one_edge() {
        let mut aig = Aig::new();
        let (a, b) = (aig.input(), aig.input());
        let and = aig.and(a, b);
        assert_eq!(aig.and(b, a), and);
        assert_eq!(aig.and(and, a), and);
        assert_eq!(aig.and(and, !a), AigEdge::FALSE);
        assert_eq!(aig.and(a, !and), aig.and(a, !b));
        assert_eq!(aig.and(!a, !and), !a);
        assert_eq!(aig.xor(a, !b), !aig.xor(a, b));
        assert_eq!(aig.ite(a, b, b), b);
        assert_eq!(aig.ite(a, !b, b), aig.xor(a, b));
        let c = aig.input();
        assert_eq!(aig.ite(a, !b, !c), !aig.ite(a, b, c));
        assert_eq!(aig.ite(!a, c, b), aig.ite(a, b, c));
        assert_eq!(aig.or(a, !a), AigEdge::TRUE);
        assert_eq!(aig.and(AigEdge::TRUE, a), a);
    }
}
