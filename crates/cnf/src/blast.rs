//! Terms to graphs: one edge per bit.

use crate::circuits::{self, Direction, Word};
use crate::{Aig, AigEdge};
use nub_bitvec::{Op, Pool, Sort, Term, TermId, Value, cone_beyond};
use std::fmt;

/// Bits of terms in a graph. Terms are added on demand, and no term is built twice.
///
/// Reads from arrays and equalities of arrays become unconstrained inputs; arrays themselves have no bits.
#[derive(Clone, Debug, Default)]
pub struct Blaster {
    aig: Aig,
    /// The bits of all terms, one block.
    bits: Vec<AigEdge>,
    /// Where the bits of a term start, by term.
    starts: Vec<u32>,
    /// The term and bit of each input.
    inputs: Vec<(TermId, u32)>,
}

const NOT_BUILT: u32 = u32::MAX;
/// Marks an array: built, but without bits.
const NO_BITS: u32 = u32::MAX - 1;
/// Terms whose graph is estimated to have more nodes than this are rejected. A node takes about 20 bytes.
const MAX_NODES: u64 = 1 << 28;

/// Nodes, or clauses of that many nodes, between two checks whether to stop. They take milliseconds.
pub const PACE: usize = 1 << 15;

/// The result of work that can be stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BuildProgress {
    /// The work is complete.
    Done,
    /// The work was stopped early.
    Stopped,
}

/// The graph would have too many nodes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooLarge;

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the circuit would have more than {MAX_NODES} nodes")
    }
}

impl std::error::Error for TooLarge {}

impl Blaster {
    /// No terms yet.
    pub fn new() -> Blaster {
        Blaster::default()
    }

    /// The graph.
    pub fn aig(&self) -> &Aig {
        &self.aig
    }

    /// The term and bit that an input represents.
    pub fn input(&self, number: u32) -> Option<(TermId, u32)> {
        self.inputs.get(number as usize).copied()
    }

    /// The edges of the inputs, in order.
    pub fn inputs(&self) -> impl Iterator<Item = AigEdge> {
        self.inputs.iter().map(|(id, bit)| self.bits[self.starts[id.index()] as usize + *bit as usize])
    }

    /// True if the term is in the graph.
    pub fn is_built(&self, id: TermId) -> bool {
        self.starts.get(id.index()).is_some_and(|start| *start != NOT_BUILT)
    }

    /// The bits of a term that is in the graph, least significant first. Panics if it is not, or is an array.
    pub fn bits(&self, pool: &Pool, id: TermId) -> &[AigEdge] {
        assert!(self.is_built(id) && self.starts[id.index()] != NO_BITS, "no bits of this term");
        let start = self.starts[id.index()] as usize;
        &self.bits[start..start + pool.width(id) as usize]
    }

    /// Adds some terms and all their subterms.
    pub fn blast(&mut self, pool: &Pool, roots: &[TermId]) -> Result<(), TooLarge> {
        self.blast_unless(pool, roots, &mut || false).map(|_| ())
    }

    /// The same, but can be stopped: `is_stopped` is called once for every [`PACE`] nodes. What has been built so far is kept, and the next call continues from it.
    pub fn blast_unless(
        &mut self,
        pool: &Pool,
        roots: &[TermId],
        is_stopped: &mut dyn FnMut() -> bool,
    ) -> Result<BuildProgress, TooLarge> {
        // Even a walk that finds nothing new costs time.
        if roots.iter().all(|root| self.is_built(*root)) {
            return Ok(BuildProgress::Done);
        }
        let mut pause = self.aig.len() + PACE;
        for id in cone_beyond(pool, roots, |id| self.is_built(id)) {
            if self.aig.len() >= pause {
                if is_stopped() {
                    return Ok(BuildProgress::Stopped);
                }
                pause = self.aig.len() + PACE;
            }
            let term = pool.term(id);
            if self.aig.len() as u64 + cost(pool, term) > MAX_NODES {
                return Err(TooLarge);
            }
            if self.starts.len() <= id.index() {
                self.starts.resize(pool.len(), NOT_BUILT);
            }
            if term.sort().is_array() {
                self.starts[id.index()] = NO_BITS;
                continue;
            }
            let word = self.word(pool, id, term);
            debug_assert_eq!(word.len(), term.width() as usize, "{}", term.op());
            // Words share bits with their operands, as in concatenations, so there may be more bits than nodes.
            let start =
                u32::try_from(self.bits.len()).ok().filter(|start| *start < NO_BITS).ok_or(TooLarge)?;
            self.bits.extend(word);
            self.starts[id.index()] = start;
        }
        Ok(BuildProgress::Done)
    }

    /// The bits of a term whose operands are in the graph.
    fn word(&mut self, pool: &Pool, id: TermId, term: &Term) -> Word {
        let is_array_equality = matches!(term.op(), Op::Eq | Op::Ne) && pool.sort(term.arg(0)).is_array();
        match term.op() {
            Op::Const => {
                pool.value(id).map(|value| value.bits().map(AigEdge::from).collect()).unwrap_or_default()
            }
            Op::Var | Op::Read => self.new_inputs(id, term.width()),
            _ if is_array_equality => self.new_inputs(id, 1),
            _ => {
                let args: Vec<Word> = term.args().map(|arg| self.bits(pool, arg).to_vec()).collect();
                build(&mut self.aig, term, &args)
            }
        }
    }

    fn new_inputs(&mut self, id: TermId, width: u32) -> Word {
        let mut word = Word::new();
        for bit in 0..width {
            self.inputs.push((id, bit));
            word.push(self.aig.input());
        }
        word
    }

    /// The value of a term that is in the graph, from the values of edges. `None` for arrays and unknown terms.
    pub fn value(&self, pool: &Pool, id: TermId, edge: impl Fn(AigEdge) -> bool) -> Option<Value> {
        let has_bits = self.is_built(id) && self.starts[id.index()] != NO_BITS;
        has_bits.then(|| Value::from_bits(self.bits(pool, id).iter().map(|bit| edge(*bit))))
    }
}

/// A rough upper bound on the number of nodes that the term adds.
fn cost(pool: &Pool, term: &Term) -> u64 {
    use Op::*;
    let widest = term.args().map(|arg| pool.sort(arg)).filter_map(Sort::bits).max().unwrap_or(0);
    let width = u64::from(term.width().max(widest));
    match term.op() {
        Mul | Umulo | Smulo => width * width * 7,
        Udiv | Urem | Sdiv | Srem | Smod => width * width * 10,
        Shl | Lshr | Ashr => width * 3 * (1 + u64::from(width.ilog2())),
        Rol | Ror => width * 3 * u64::from(pool.width(term.arg(1))),
        _ => width * 8,
    }
}

/// The circuit of an operator.
fn build(aig: &mut Aig, term: &Term, args: &[Word]) -> Word {
    use Op::*;
    let bit = |edge: AigEdge| vec![edge];
    let [a, b, c] = [0, 1, 2].map(|index| args.get(index).map_or(&[][..], Vec::as_slice));
    match term.op() {
        Not | Neg | Inc | Dec => unary(aig, term.op(), a),
        And | Or | Xor | Nand | Nor | Xnor | Implies | Iff => {
            a.iter().zip(b).map(|(a, b)| gate(aig, term.op(), *a, *b)).collect()
        }
        Redand | Redor | Redxor | Nego => bit(reduction(aig, term.op(), a)),
        Add | Sub | Mul | Udiv | Urem | Sdiv | Srem | Smod => arithmetic(aig, term.op(), a, b),
        Shl => circuits::shift(aig, a, b, Direction::Left, AigEdge::FALSE),
        Lshr => circuits::shift(aig, a, b, Direction::Right, AigEdge::FALSE),
        Ashr => circuits::shift(aig, a, b, Direction::Right, circuits::sign(a)),
        Rol => circuits::rotate(aig, a, b, Direction::Left),
        Ror => circuits::rotate(aig, a, b, Direction::Right),
        Eq | Ne | Ult | Ule | Ugt | Uge | Slt | Sle | Sgt | Sge => bit(comparison(aig, term.op(), a, b)),
        Uaddo | Saddo | Usubo | Ssubo | Umulo | Smulo | Sdivo => bit(overflow(aig, term.op(), a, b)),
        Concat => [b, a].concat(),
        Slice => a[term.index(1) as usize..=term.index(0) as usize].to_vec(),
        Uext => [a, &vec![AigEdge::FALSE; term.index(0) as usize]].concat(),
        Sext => [a, &vec![circuits::sign(a); term.index(0) as usize]].concat(),
        Repeat => a.repeat(term.index(0) as usize),
        Ite => b.iter().zip(c).map(|(b, c)| aig.ite(a[0], *b, *c)).collect(),
        Const | Var | ConstArray | Read | Write => unreachable!("not a circuit: {}", term.op()),
    }
}

fn unary(aig: &mut Aig, op: Op, a: &[AigEdge]) -> Word {
    let constant = |bit: AigEdge| vec![bit; a.len()];
    match op {
        Op::Not => circuits::complement(a),
        Op::Neg => circuits::negate(aig, a),
        Op::Inc => circuits::add(aig, a, &constant(AigEdge::FALSE), AigEdge::TRUE),
        _ => circuits::add(aig, a, &constant(AigEdge::TRUE), AigEdge::FALSE),
    }
}

fn gate(aig: &mut Aig, op: Op, a: AigEdge, b: AigEdge) -> AigEdge {
    match op {
        Op::And => aig.and(a, b),
        Op::Or => aig.or(a, b),
        Op::Xor => aig.xor(a, b),
        Op::Nand => !aig.and(a, b),
        Op::Nor => !aig.or(a, b),
        Op::Implies => aig.or(!a, b),
        _ => !aig.xor(a, b),
    }
}

fn reduction(aig: &mut Aig, op: Op, a: &[AigEdge]) -> AigEdge {
    let bits = a.iter().copied();
    match op {
        Op::Redand => aig.and_all(bits),
        Op::Redor => aig.or_all(bits),
        Op::Redxor => bits.fold(AigEdge::FALSE, |parity, bit| aig.xor(parity, bit)),
        _ => {
            let others = aig.or_all(a[..a.len() - 1].iter().copied());
            aig.and(circuits::sign(a), !others)
        }
    }
}

fn arithmetic(aig: &mut Aig, op: Op, a: &[AigEdge], b: &[AigEdge]) -> Word {
    match op {
        Op::Add => circuits::add(aig, a, b, AigEdge::FALSE),
        Op::Sub => circuits::sub(aig, a, b),
        Op::Mul => circuits::multiply(aig, a, b),
        Op::Udiv => circuits::divide(aig, a, b).0,
        Op::Urem => circuits::divide(aig, a, b).1,
        Op::Sdiv => circuits::divide_signed(aig, a, b).0,
        Op::Srem => circuits::divide_signed(aig, a, b).1,
        _ => circuits::modulo_signed(aig, a, b),
    }
}

fn comparison(aig: &mut Aig, op: Op, a: &[AigEdge], b: &[AigEdge]) -> AigEdge {
    match op {
        Op::Eq => circuits::equal(aig, a, b),
        Op::Ne => !circuits::equal(aig, a, b),
        Op::Ult => circuits::less_unsigned(aig, a, b),
        Op::Ule => !circuits::less_unsigned(aig, b, a),
        Op::Ugt => circuits::less_unsigned(aig, b, a),
        Op::Uge => !circuits::less_unsigned(aig, a, b),
        Op::Slt => circuits::less_signed(aig, a, b),
        Op::Sle => !circuits::less_signed(aig, b, a),
        Op::Sgt => circuits::less_signed(aig, b, a),
        _ => !circuits::less_signed(aig, a, b),
    }
}

fn overflow(aig: &mut Aig, op: Op, a: &[AigEdge], b: &[AigEdge]) -> AigEdge {
    let wide = |word: &[AigEdge], top: AigEdge| [word, &[top]].concat();
    match op {
        Op::Uaddo => {
            let sum = circuits::add(aig, &wide(a, AigEdge::FALSE), &wide(b, AigEdge::FALSE), AigEdge::FALSE);
            circuits::sign(&sum)
        }
        Op::Saddo => {
            let sum = circuits::add(aig, a, b, AigEdge::FALSE);
            let differ = aig.xor(circuits::sign(a), circuits::sign(b));
            let changed = aig.xor(circuits::sign(a), circuits::sign(&sum));
            aig.and(!differ, changed)
        }
        Op::Usubo => circuits::less_unsigned(aig, a, b),
        Op::Ssubo => {
            let difference = circuits::sub(aig, a, b);
            let differ = aig.xor(circuits::sign(a), circuits::sign(b));
            let changed = aig.xor(circuits::sign(a), circuits::sign(&difference));
            aig.and(differ, changed)
        }
        Op::Umulo => circuits::overflows_unsigned(aig, a, b),
        Op::Smulo => circuits::overflows_signed(aig, a, b),
        _ => {
            let is_min = reduction(aig, Op::Nego, a);
            let is_ones = reduction(aig, Op::Redand, b);
            aig.and(is_min, is_ones)
        }
    }
}
