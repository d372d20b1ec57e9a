//! Known facts about arrays.

#![allow(clippy::unwrap_used)] // A test may stop at what it does not expect.

use nub_bitvec::{Op, Pool, Rewriting, Sort, TermId, Value};
use nub_sat::built_in;
use nub_solve::{BvAnswer, BvSolver, SatLimits};

const ARRAY: Sort = Sort::Array { index: 8, element: 8 };

struct Arrays {
    pool: Pool,
    a: TermId,
    b: TermId,
    i: TermId,
    j: TermId,
    x: TermId,
}

impl Arrays {
    fn new() -> Arrays {
        let mut pool = Pool::with_rewriting(Rewriting::Off);
        let [a, b] = [ARRAY; 2].map(|sort| pool.var(sort));
        let [i, j, x] = [Sort::Bits(8); 3].map(|sort| pool.var(sort));
        Arrays { pool, a, b, i, j, x }
    }

    fn mk(&mut self, op: Op, args: &[TermId]) -> TermId {
        self.pool.mk(op, args)
    }

    /// True if all the terms together have a model.
    fn is_sat(&mut self, terms: &[TermId]) -> bool {
        let mut solver = BvSolver::new(built_in());
        terms.iter().for_each(|term| solver.assert(*term));
        match solver.check(&mut self.pool, &[], &SatLimits::none()) {
            BvAnswer::Sat(_) => true,
            BvAnswer::Unsat(_) => false,
            BvAnswer::Unknown(reason) => panic!("{reason}"),
        }
    }
}

#[test]
fn reads_of_equal_indices_are_equal() {
    let mut t = Arrays::new();
    let (a, i, j) = (t.a, t.i, t.j);
    let [at_i, at_j] = [i, j].map(|index| t.mk(Op::Read, &[a, index]));
    let differ = t.mk(Op::Ne, &[at_i, at_j]);
    let same_index = t.mk(Op::Eq, &[i, j]);
    assert!(t.is_sat(&[differ]));
    assert!(!t.is_sat(&[differ, same_index]));
}

#[test]
fn a_written_element_is_read() {
    let mut t = Arrays::new();
    let (a, i, j, x) = (t.a, t.i, t.j, t.x);
    let written = t.mk(Op::Write, &[a, i, x]);
    let [read, below] = [written, a].map(|array| t.mk(Op::Read, &[array, j]));
    let is_x = t.mk(Op::Eq, &[read, x]);
    let is_below = t.mk(Op::Eq, &[read, below]);
    let [not_x, not_below] = [is_x, is_below].map(|term| t.mk(Op::Not, &[term]));
    assert!(!t.is_sat(&[not_x, not_below]));
    assert!(t.is_sat(&[not_x]));
    assert!(t.is_sat(&[not_below]));
}

#[test]
fn arrays_are_equal_if_all_elements_are() {
    let mut t = Arrays::new();
    let (a, b, i, j, x) = (t.a, t.b, t.i, t.j, t.x);
    // Writing an element that was read at the same index changes nothing.
    let there = t.mk(Op::Read, &[a, i]);
    let same = t.mk(Op::Write, &[a, i, there]);
    let changed = t.mk(Op::Ne, &[same, a]);
    assert!(!t.is_sat(&[changed]));
    // Writes at different indices commute.
    let y = t.mk(Op::Not, &[x]);
    let first = t.mk(Op::Write, &[a, i, x]);
    let first = t.mk(Op::Write, &[first, j, y]);
    let second = t.mk(Op::Write, &[a, j, y]);
    let second = t.mk(Op::Write, &[second, i, x]);
    let differ = t.mk(Op::Ne, &[first, second]);
    let other_index = t.mk(Op::Ne, &[i, j]);
    assert!(t.is_sat(&[differ]));
    assert!(!t.is_sat(&[differ, other_index]));
    // Equal arrays have equal elements, also through writes.
    let equal = t.mk(Op::Eq, &[first, b]);
    let at_b = t.mk(Op::Read, &[b, j]);
    let wrong = t.mk(Op::Ne, &[at_b, y]);
    assert!(!t.is_sat(&[equal, wrong]));
}

#[test]
fn conditions_choose_arrays() {
    let mut t = Arrays::new();
    let (a, b, i, j, x) = (t.a, t.b, t.i, t.j, t.x);
    let condition = t.mk(Op::Ult, &[i, j]);
    let chosen = t.mk(Op::Ite, &[condition, a, b]);
    let [at_chosen, at_a] = [chosen, a].map(|array| t.mk(Op::Read, &[array, x]));
    let differ = t.mk(Op::Ne, &[at_chosen, at_a]);
    assert!(t.is_sat(&[differ]));
    assert!(!t.is_sat(&[differ, condition]));
    let equal = t.mk(Op::Eq, &[a, b]);
    assert!(!t.is_sat(&[differ, equal]));
}

/// Two constant arrays are equal only if their elements are, but writes at all indices can make them equal.
#[test]
fn constant_arrays_are_constant_everywhere() {
    let mut pool = Pool::with_rewriting(Rewriting::Off);
    let elements = [0, 1].map(|bit| pool.constant(Value::from_u64(1, bit)));
    for n_indices in [1, 2] {
        let [zeros, ones] = elements.map(|bit| pool.mk_indexed(Op::ConstArray, &[bit], &[1]));
        let mut written = zeros;
        for index in 0..n_indices {
            let at = pool.constant(Value::from_u64(1, index));
            written = pool.mk(Op::Write, &[written, at, elements[1]]);
        }
        let equal = pool.mk(Op::Eq, &[written, ones]);
        let mut solver = BvSolver::new(built_in());
        solver.assert(equal);
        let answer = solver.check(&mut pool, &[], &SatLimits::none());
        assert_eq!(matches!(answer, BvAnswer::Sat(_)), n_indices == 2, "{answer:?}");
    }
}

/// A chain of writes at symbolic indices, read at the end, needs few lemmas.
#[test]
fn long_chains_of_writes_are_solved() {
    let mut t = Arrays::new();
    let (a, i) = (t.a, t.i);
    let mut array = a;
    let mut others = Vec::new();
    for _ in 0..60 {
        let at = t.pool.var(Sort::Bits(8));
        let x = t.pool.var(Sort::Bits(8));
        array = t.mk(Op::Write, &[array, at, x]);
        others.push(t.mk(Op::Ne, &[at, i]));
    }
    let [top, bottom] = [array, a].map(|array| t.mk(Op::Read, &[array, i]));
    others.push(t.mk(Op::Ne, &[top, bottom]));
    assert!(!t.is_sat(&others));
    others.remove(30);
    assert!(t.is_sat(&others));
}
