//! Graphs to clauses: the encoding of Tseitin, and the one-sided encoding of Plaisted and Greenbaum where one polarity is enough.
//!
//! Nested conjunctions that are used only once become one wide gate. `if-then-else`, and exclusive or as a special case of it,
//! is recognised: it takes one variable and four clauses instead of three variables and nine clauses.

use crate::blast::PACE;
use crate::{Aig, AigEdge, Lit, Sink};

/// How a literal will be used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LiteralUse {
    /// Only asserted or assumed, never negated: the literal implies the edge.
    Positive,
    /// In any way: the literal is equivalent to the edge.
    Any,
}

/// Directions of clauses, as bits: the clauses that apply if the node is true, and those that apply if it is false.
const IF_TRUE: u8 = 1;
const IF_FALSE: u8 = 2;
/// The largest number of inputs of a gate that is made of nested conjunctions.
const MAX_GATE: usize = 256;

/// Which nodes have a literal, and in which directions their clauses have been added.
#[derive(Clone, Debug, Default)]
pub struct Tseitin {
    lits: Vec<Option<Lit>>,
    done: Vec<u8>,
    constant: Option<Lit>,
    /// Nodes whose clauses are still missing, with the directions. Empty unless the encoding was stopped.
    todo: Vec<(usize, u8)>,
}

enum Gate {
    And(Vec<AigEdge>),
    Ite(AigEdge, AigEdge, AigEdge),
}

impl Tseitin {
    /// No literals yet.
    pub fn new() -> Tseitin {
        Tseitin::default()
    }

    /// A literal that is equivalent to the edge.
    pub fn lit(&mut self, aig: &Aig, edge: AigEdge, sink: &mut dyn Sink) -> Lit {
        self.lit_for(aig, edge, LiteralUse::Any, sink)
    }

    /// A literal for a use. A later call may request a wider use. O(new nodes).
    pub fn lit_for(&mut self, aig: &Aig, edge: AigEdge, wanted: LiteralUse, sink: &mut dyn Sink) -> Lit {
        let found = self.lit_unless(aig, edge, wanted, sink, &mut || false);
        found.expect("nothing stops it")
    }

    /// The same, but can be stopped: `is_stopped` is called once for every [`PACE`] nodes. The next call adds the clauses that are
    /// still missing.
    pub fn lit_unless(
        &mut self,
        aig: &Aig,
        edge: AigEdge,
        wanted: LiteralUse,
        sink: &mut dyn Sink,
        is_stopped: &mut dyn FnMut() -> bool,
    ) -> Option<Lit> {
        if edge.is_constant() {
            let constant = *self.constant.get_or_insert_with(|| {
                let lit = sink.new_var();
                sink.add(&[lit]);
                lit
            });
            return Some(constant.negated_if(edge == AigEdge::FALSE));
        }
        if self.lits.len() < aig.len() {
            self.lits.resize(aig.len(), None);
            self.done.resize(aig.len(), 0);
        }
        let directions = match wanted {
            LiteralUse::Any => IF_TRUE | IF_FALSE,
            LiteralUse::Positive if edge.is_complement() => IF_FALSE,
            LiteralUse::Positive => IF_TRUE,
        };
        self.todo.push((edge.node(), directions));
        let mut n_nodes = 0;
        while let Some((node, directions)) = self.todo.pop() {
            self.encode(aig, node, directions, sink);
            n_nodes += 1;
            if n_nodes % PACE == 0 && is_stopped() {
                return None;
            }
        }
        Some(self.known(edge, sink))
    }

    /// The literal of an edge, if it has been encoded.
    pub fn find(&self, edge: AigEdge) -> Option<Lit> {
        let lit =
            if edge.is_constant() { self.constant.map(|lit| !lit) } else { *self.lits.get(edge.node())? };
        lit.map(|lit| lit.negated_if(edge.is_complement()))
    }

    /// The literal of an edge that is not constant. Creates a variable if necessary.
    fn known(&mut self, edge: AigEdge, sink: &mut dyn Sink) -> Lit {
        let lit = self.lits[edge.node()].get_or_insert_with(|| sink.new_var());
        lit.negated_if(edge.is_complement())
    }

    /// Adds the missing clauses of one node, and schedules its operands.
    fn encode(&mut self, aig: &Aig, node: usize, directions: u8, sink: &mut dyn Sink) {
        let missing = directions & !self.done[node];
        if missing == 0 {
            return;
        }
        self.done[node] |= missing;
        let Some(operands) = aig.operands(node) else { return };
        let lit = self.lits[node].unwrap_or_else(|| sink.new_var());
        self.lits[node] = Some(lit);
        match gate(aig, operands, |inner| self.lits[inner].is_some()) {
            Gate::And(edges) => {
                let lits: Vec<Lit> = edges.iter().map(|edge| self.known(*edge, sink)).collect();
                add_and(lit, &lits, missing, sink);
                self.todo.extend(edges.iter().map(|edge| (edge.node(), through(*edge, missing))));
            }
            Gate::Ite(c, a, b) => {
                let [c, a, b] = [c, a, b].map(|edge| (edge, self.known(edge, sink)));
                add_ite(lit, [c.1, a.1, b.1], missing, sink);
                self.todo.push((c.0.node(), IF_TRUE | IF_FALSE));
                self.todo.extend([a.0, b.0].map(|edge| (edge.node(), through(edge, missing))));
            }
        }
    }
}

/// The directions of a node that is reached through an edge: a complement swaps them.
fn through(edge: AigEdge, directions: u8) -> u8 {
    if !edge.is_complement() {
        return directions;
    }
    (directions & IF_TRUE) << 1 | (directions & IF_FALSE) >> 1
}

fn add_and(lit: Lit, lits: &[Lit], directions: u8, sink: &mut dyn Sink) {
    if directions & IF_TRUE != 0 {
        lits.iter().for_each(|operand| sink.add(&[!lit, *operand]));
    }
    if directions & IF_FALSE != 0 {
        let clause: Vec<Lit> = std::iter::once(lit).chain(lits.iter().map(|operand| !*operand)).collect();
        sink.add(&clause);
    }
}

fn add_ite(lit: Lit, [c, a, b]: [Lit; 3], directions: u8, sink: &mut dyn Sink) {
    if directions & IF_TRUE != 0 {
        sink.add(&[!lit, !c, a]);
        sink.add(&[!lit, c, b]);
    }
    if directions & IF_FALSE != 0 {
        sink.add(&[lit, !c, !a]);
        sink.add(&[lit, c, !b]);
    }
}

/// The gate whose output a node is. Nodes for which `has_lit` holds are not taken apart.
fn gate(aig: &Aig, [x, y]: [AigEdge; 2], has_lit: impl Fn(usize) -> bool) -> Gate {
    if let Some(gate) = as_ite(aig, x, y) {
        return gate;
    }
    let mut edges = Vec::new();
    let mut todo = vec![y, x];
    while let Some(edge) = todo.pop() {
        let node = edge.node();
        let is_private = !edge.is_complement() && aig.n_uses(node) == 1 && !has_lit(node);
        match aig.operands(node).filter(|_| is_private && edges.len() + todo.len() < MAX_GATE) {
            Some([a, b]) if as_ite(aig, a, b).is_none() => todo.extend([b, a]),
            _ => edges.push(edge),
        }
    }
    Gate::And(edges)
}

/// `~(c & a) & ~(~c & b)` is `if c then ~a else ~b`.
fn as_ite(aig: &Aig, x: AigEdge, y: AigEdge) -> Option<Gate> {
    if !x.is_complement() || !y.is_complement() {
        return None;
    }
    let ([p, q], [r, s]) = (aig.operands(x.node())?, aig.operands(y.node())?);
    if p == !r {
        Some(Gate::Ite(p, !q, !s))
    } else if p == !s {
        Some(Gate::Ite(p, !q, !r))
    } else if q == !r {
        Some(Gate::Ite(q, !p, !s))
    } else if q == !s {
        Some(Gate::Ite(q, !p, !r))
    } else {
        None
    }
}
