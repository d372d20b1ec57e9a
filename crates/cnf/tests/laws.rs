//! Circuits and clauses against the evaluator.

#![allow(clippy::unwrap_used)] // A test may stop at what it does not expect.

use nub_bitvec::check::{RandomValues, Rng, Sampler, Shapes};
use nub_bitvec::{Assignment, Datum, Op, OperandShape, Pool, Rewriting, Sort, TermId, Value, evaluate};
use nub_cnf::check::propagates;
use nub_cnf::{Blaster, BuildProgress, Cnf, Lit, LiteralUse, PACE, Sink, Tseitin};

/// Every operator that has a circuit, applied to variables of small widths in every well-sorted way.
fn applications(pool: &mut Pool, width: u32) -> Vec<TermId> {
    let mut var = |width: u32| pool.var(Sort::Bits(width));
    let (x, y, bit, other_bit, wide) = (var(width), var(width), var(1), var(1), var(3));
    let mut found = Vec::new();
    for op in Op::all() {
        let applied = match op.info().shape {
            OperandShape::Leaf | OperandShape::Read | OperandShape::Write | OperandShape::ConstArray => {
                Vec::new()
            }
            OperandShape::Same(1) | OperandShape::Predicate(1) => vec![pool.mk(op, &[x])],
            OperandShape::Truths(_) => vec![pool.mk(op, &[bit, other_bit])],
            OperandShape::Same(_)
            | OperandShape::Predicate(_)
            | OperandShape::Equal
            | OperandShape::Concat => vec![pool.mk(op, &[x, y])],
            OperandShape::Shift => [y, bit, wide].map(|by| pool.mk(op, &[x, by])).to_vec(),
            OperandShape::Extend | OperandShape::Repeat => {
                (1..4).map(|i| pool.mk_indexed(op, &[x], &[i])).collect()
            }
            OperandShape::Slice => {
                let pairs = (0..width).flat_map(|high| (0..=high).map(move |low| (high, low)));
                pairs.map(|(high, low)| pool.slice(x, high, low)).collect()
            }
            OperandShape::Ite => vec![pool.mk(op, &[bit, x, y])],
        };
        found.extend(applied);
    }
    found
}

/// All assignments of the variables below a term.
fn assignments(pool: &Pool, root: TermId) -> Vec<Assignment> {
    let vars: Vec<TermId> =
        nub_bitvec::cone(pool, &[root]).into_iter().filter(|id| pool.op(*id) == Op::Var).collect();
    let n_bits: u32 = vars.iter().map(|var| pool.width(*var)).sum();
    let numbers = 0..1_u64 << n_bits;
    let assign = |mut number: u64| {
        let mut assignment = Assignment::new();
        for &var in &vars {
            assignment.set(var, Datum::Bits(Value::from_u64(pool.width(var), number)));
            number >>= pool.width(var);
        }
        assignment
    };
    numbers.map(assign).collect()
}

/// The literals that state the values of the variables' bits under an assignment; bits without a literal are skipped.
fn given(pool: &Pool, blaster: &Blaster, tseitin: &Tseitin, assignment: &Assignment) -> Vec<Lit> {
    let mut lits = Vec::new();
    for (number, edge) in blaster.inputs().enumerate() {
        let (var, bit) = blaster.input(number as u32).unwrap();
        assert_eq!(blaster.bits(pool, var)[bit as usize], edge);
        let truth = assignment.get(var).unwrap().bits().bit(bit);
        lits.extend(tseitin.find(edge).map(|lit| lit.negated_if(!truth)));
    }
    lits
}

/// Clauses in both directions force each output; clauses in one direction contradict the asserted output if it is false.
#[test]
fn clauses_agree_with_the_evaluator_on_all_inputs_up_to_four_bits() {
    for width in 1..=4 {
        let mut pool = Pool::with_rewriting(Rewriting::Off);
        for root in applications(&mut pool, width) {
            let mut blaster = Blaster::new();
            blaster.blast(&pool, &[root]).unwrap();
            let bits = blaster.bits(&pool, root).to_vec();
            let (mut both, mut full) = (Cnf::new(), Tseitin::new());
            let outputs: Vec<Lit> = bits.iter().map(|bit| full.lit(blaster.aig(), *bit, &mut both)).collect();
            let (mut half, mut one_way) = (Cnf::new(), Tseitin::new());
            let last = *bits.last().unwrap();
            let asserted = one_way.lit_for(blaster.aig(), last, LiteralUse::Positive, &mut half);
            half.add(&[asserted]);
            for assignment in assignments(&pool, root) {
                let value = evaluate(&pool, &assignment, &[root])[0].bits().clone();
                let op = pool.op(root);
                let forced = propagates(&both, &given(&pool, &blaster, &full, &assignment)).unwrap();
                for (bit, output) in outputs.iter().enumerate() {
                    let expected = output.negated_if(!value.bit(bit as u32));
                    assert!(forced[expected.index()], "{op} {width}: bit {bit} under {assignment:?}");
                }
                let is_possible = propagates(&half, &given(&pool, &blaster, &one_way, &assignment)).is_some();
                assert_eq!(is_possible, value.sign_bit(), "{op} {width} under {assignment:?}");
            }
        }
    }
}

/// Random terms of many widths, all operators, simulated.
#[test]
fn graphs_agree_with_the_evaluator_on_random_terms() {
    for seed in 0..300 {
        let rewriting = if seed % 2 == 0 { Rewriting::On } else { Rewriting::Off };
        let mut pool = Pool::with_rewriting(rewriting);
        let max_width = [5, 9, 17, 33, 65][seed as usize % 5];
        let mut sampler = Sampler::new(&mut pool, Shapes::bits(max_width), 4, seed);
        let roots: Vec<TermId> = (0..25).map(|_| sampler.grow(&mut pool)).collect();
        let mut blaster = Blaster::new();
        blaster.blast(&pool, &roots).unwrap();
        let mut rng = Rng::new(seed);
        for _ in 0..5 {
            let assignment = rng.assignment(&pool, &sampler.vars);
            let simulation = blaster.aig().simulate(|number| {
                let (var, bit) = blaster.input(number).unwrap();
                assignment.get(var).unwrap().bits().bit(bit)
            });
            let values = evaluate(&pool, &assignment, &roots);
            for (root, value) in roots.iter().zip(values) {
                let found = blaster.value(&pool, *root, |edge| simulation.value(edge)).unwrap();
                assert_eq!(found, *value.bits(), "seed {seed}: {:?}", pool.term(*root));
            }
        }
    }
}

/// The copies of a sign are one row: a product of extended numbers is right for all numbers, and as small as their bits allow.
#[test]
fn products_of_extended_numbers() {
    for [a, b] in [[Op::Sext, Op::Sext], [Op::Sext, Op::Uext], [Op::Uext, Op::Uext]] {
        let mut pool = Pool::new();
        let vars = [4, 3].map(|width| pool.var(Sort::Bits(width)));
        let extended = [(a, vars[0], 5), (b, vars[1], 6)];
        let [a, b] = extended.map(|(op, var, more)| pool.mk_indexed(op, &[var], &[more]));
        let product = pool.mk(Op::Mul, &[a, b]);
        let mut blaster = Blaster::new();
        blaster.blast(&pool, &[product]).unwrap();
        for assignment in assignments(&pool, product) {
            let simulation = blaster.aig().simulate(|number| {
                let (var, bit) = blaster.input(number).unwrap();
                assignment.get(var).unwrap().bits().bit(bit)
            });
            let found = blaster.value(&pool, product, |edge| simulation.value(edge)).unwrap();
            assert_eq!(found, *evaluate(&pool, &assignment, &[product])[0].bits(), "{assignment:?}");
        }
    }
    let n_nodes = |n_bits: u32| {
        let mut pool = Pool::new();
        let [a, b] = [0, 1].map(|_| {
            let var = pool.var(Sort::Bits(n_bits));
            pool.mk_indexed(Op::Sext, &[var], &[32 - n_bits])
        });
        let product = pool.mk(Op::Mul, &[a, b]);
        let mut blaster = Blaster::new();
        blaster.blast(&pool, &[product]).unwrap();
        blaster.aig().len()
    };
    assert!(n_nodes(8) < n_nodes(32) / 2, "{} {}", n_nodes(8), n_nodes(32));
}

#[test]
fn terms_are_built_once() {
    let mut pool = Pool::new();
    let (x, y) = (pool.var(Sort::Bits(16)), pool.var(Sort::Bits(16)));
    let product = pool.mk(Op::Mul, &[x, y]);
    let mut blaster = Blaster::new();
    blaster.blast(&pool, &[product]).unwrap();
    let n_nodes = blaster.aig().len();
    let twice = pool.mk(Op::Mul, &[y, x]);
    blaster.blast(&pool, &[product, twice]).unwrap();
    assert_eq!(blaster.aig().len(), n_nodes);
    assert!(n_nodes < 16 * 16 * 10, "{n_nodes}");
}

#[test]
fn what_is_too_large_is_refused_at_once() {
    let mut pool = Pool::new();
    let x = pool.var(Sort::Bits(1 << 20));
    let square = pool.mk(Op::Mul, &[x, x]);
    let huge = pool.var(Sort::Bits((1 << 31) - 2));
    let next = pool.mk(Op::Not, &[huge]);
    assert!(Blaster::new().blast(&pool, &[square]).is_err());
    assert!(Blaster::new().blast(&pool, &[next]).is_err());
}

/// No stage overflows the stack on deep terms.
#[test]
fn deep_terms_are_encoded_without_recursion() {
    let mut pool = Pool::with_rewriting(Rewriting::Off);
    let (x, y) = (pool.var(Sort::Bits(1)), pool.var(Sort::Bits(1)));
    let mut term = x;
    for index in 0..200_000 {
        let op = if index % 2 == 0 { Op::Xor } else { Op::Nand };
        let fresh = if index % 3 == 0 { y } else { pool.var(Sort::Bits(1)) };
        term = pool.mk(op, &[term, fresh]);
    }
    let mut blaster = Blaster::new();
    blaster.blast(&pool, &[term]).unwrap();
    let mut cnf = Cnf::new();
    let root = Tseitin::new().lit(blaster.aig(), blaster.bits(&pool, term)[0], &mut cnf);
    cnf.add(&[root]);
    assert!(cnf.n_clauses() > 100_000);
}

/// Encoding a term of some hundred multiplications stops within two intervals of `PACE`, both in its circuit and in its clauses, and
/// can be continued.
#[test]
fn a_large_term_is_stopped_soon() {
    let mut pool = Pool::new();
    let mut term = pool.var(Sort::Bits(32));
    for _ in 0..200 {
        let factor = pool.var(Sort::Bits(32));
        term = pool.mk(Op::Mul, &[term, factor]);
    }
    let bit = pool.mk_indexed(Op::Slice, &[term], &[31, 31]);
    let mut whole = (Blaster::new(), Cnf::new());
    whole.0.blast(&pool, &[bit]).unwrap();
    Tseitin::new().lit(whole.0.aig(), whole.0.bits(&pool, bit)[0], &mut whole.1);
    assert!(whole.0.aig().len() > 20 * PACE, "{}", whole.0.aig().len());
    let most = 2 * PACE + 32 * 32 * 16;

    let mut blaster = Blaster::new();
    let mut n_asked = 0;
    while blaster.blast_unless(&pool, &[bit], &mut || true).unwrap() == BuildProgress::Stopped {
        n_asked += 1;
        assert!(blaster.aig().len() <= n_asked * most, "{}", blaster.aig().len());
    }
    assert!(n_asked > 8, "{n_asked}");
    assert_eq!(blaster.aig().len(), whole.0.aig().len());

    let (mut tseitin, mut cnf, mut n_asked) = (Tseitin::new(), Cnf::new(), 0);
    let edge = blaster.bits(&pool, bit)[0];
    while tseitin.lit_unless(blaster.aig(), edge, LiteralUse::Any, &mut cnf, &mut || true).is_none() {
        n_asked += 1;
        assert!(cnf.n_vars() as usize <= n_asked * most, "{}", cnf.n_vars());
    }
    assert!(n_asked > 8, "{n_asked}");
    assert_eq!((cnf.n_vars(), cnf.n_clauses()), (whole.1.n_vars(), whole.1.n_clauses()));
}
