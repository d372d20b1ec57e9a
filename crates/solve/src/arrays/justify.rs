//! Checks that a lemma is an instance of the axioms of arrays. Uses only its terms, not the values that led to it.
//!
//! | axiom | step |
//! |---|---|
//! | `read(write(a, i, v), i) = v` | an access starts at a write, with what it wrote |
//! | congruence of `read` | an access starts at an array, with a read of it; two accesses with equal indices meet |
//! | `read(const(v), i) = v` | an access starts or ends at a constant array |
//! | `read(write(a, k, v), i) = read(a, i)` if `i != k` | an access passes a write, and `i != k` is a premise |
//! | `ite(c, a, b)` is `a` or `b` | an access passes it, and `c` or its negation is a premise |
//! | equal arrays have equal elements | an access passes an equality, which is a premise |
//!
//! The lemma of a witness (see the parent module) is the definition of a variable that occurs nowhere else.

use super::graph::Index;
use super::travel::{Lemma, Way};
use nub_bitvec::{Op, Pool, TermId};
use rustc_hash::FxHashSet;

/// The premises of a lemma about conditions, as sets.
struct Given {
    /// Conditions and their values.
    values: FxHashSet<(TermId, bool)>,
    /// Arrays that are equal, in both orders.
    equal: FxHashSet<(TermId, TermId)>,
}

impl Given {
    fn of(pool: &Pool, given: &[(TermId, bool)]) -> Given {
        let is_equality = |(term, value): &(TermId, bool)| match pool.op(*term) {
            Op::Eq => *value,
            Op::Ne => !*value,
            _ => false,
        };
        let pairs = given.iter().filter(|given| is_equality(given)).map(|(term, _)| pool.term(*term));
        let equal = pairs.flat_map(|term| [(term.arg(0), term.arg(1)), (term.arg(1), term.arg(0))]).collect();
        Given { values: given.iter().copied().collect(), equal }
    }
}

/// True if the lemma is an instance. O(length of the paths).
pub(super) fn is_instance(pool: &Pool, lemma: &Lemma) -> bool {
    let given = Given::of(pool, &lemma.given);
    let [first, second] = lemma.elements;
    match &lemma.ways[..] {
        [a, b] => {
            // If there are two paths, that their indices are equal is a premise.
            a.arrays.first() == b.arrays.first()
                && is_way(pool, a, first, &given)
                && is_way(pool, b, second, &given)
        }
        [a] => {
            let is_end =
                |array: TermId| pool.op(array) == Op::ConstArray && pool.term(array).arg(0) == second;
            a.arrays.first().is_some_and(|array| is_end(*array)) && is_way(pool, a, first, &given)
        }
        _ => false,
    }
}

/// Whether the element is correct where the path starts, and each step of the path is a link.
fn is_way(pool: &Pool, way: &Way, element: TermId, given: &Given) -> bool {
    let Some(&start) = way.arrays.last() else { return false };
    let excepts: FxHashSet<TermId> = way.excepts.iter().copied().collect();
    let is_below = |a: TermId, b: TermId| is_below(pool, (a, b), &excepts, given);
    let is_step = |pair: &[TermId]| {
        let (a, b) = (pair[0], pair[1]);
        is_below(a, b) || is_below(b, a) || given.equal.contains(&(a, b))
    };
    is_start(pool, start, &way.index, element) && way.arrays.windows(2).all(is_step)
}

/// Whether the array certainly has this element at this index.
fn is_start(pool: &Pool, array: TermId, index: &Index, element: TermId) -> bool {
    let (term, read) = (pool.term(array), pool.term(element));
    match *index {
        Index::Term(index) => {
            let is_write = term.op() == Op::Write && (term.arg(1), term.arg(2)) == (index, element);
            let is_read = read.op() == Op::Read && (read.arg(0), read.arg(1)) == (array, index);
            is_write || is_read
        }
        Index::Any(_) => term.op() == Op::ConstArray && term.arg(0) == element,
    }
}

/// Whether `a` is built from `b` in such a way that they agree at the index.
fn is_below(pool: &Pool, (a, b): (TermId, TermId), excepts: &FxHashSet<TermId>, given: &Given) -> bool {
    let term = pool.term(a);
    match term.op() {
        Op::Write => term.arg(0) == b && excepts.contains(&term.arg(1)),
        Op::Ite => {
            (term.arg(1) == b && given.values.contains(&(term.arg(0), true)))
                || (term.arg(2) == b && given.values.contains(&(term.arg(0), false)))
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nub_bitvec::Sort;

    /// `w = write(a, k, v)`, `x = ite(c, w, b)`, and a read of each array at `i`.
    struct Terms {
        pool: Pool,
        k: TermId,
        c: TermId,
        a: TermId,
        w: TermId,
        x: TermId,
        i: TermId,
        v: TermId,
        at_a: TermId,
        at_x: TermId,
    }

    fn terms() -> Terms {
        let mut pool = Pool::new();
        let sort = Sort::Array { index: 4, element: 8 };
        let [a, b] = [sort; 2].map(|sort| pool.var(sort));
        let [i, k, v, c] = [4, 4, 8, 1].map(|width| pool.var(Sort::Bits(width)));
        let w = pool.mk(Op::Write, &[a, k, v]);
        let x = pool.mk(Op::Ite, &[c, w, b]);
        let [at_a, at_x] = [a, x].map(|array| pool.mk(Op::Read, &[array, i]));
        Terms { pool, k, c, a, w, x, i, v, at_a, at_x }
    }

    fn way(index: TermId, arrays: &[TermId], excepts: &[TermId]) -> Way {
        Way { index: Index::Term(index), arrays: arrays.to_vec(), excepts: excepts.to_vec() }
    }

    #[test]
    fn each_premise_is_needed() {
        let t = terms();
        // From the read of `x` down to `a`.
        let lemma = |excepts: &[TermId], given: &[(TermId, bool)], elements: [TermId; 2]| Lemma {
            ways: vec![way(t.i, &[t.a, t.w, t.x], excepts), way(t.i, &[t.a], &[])],
            elements,
            given: given.to_vec(),
        };
        let is_right = |lemma: &Lemma| is_instance(&t.pool, lemma);
        assert!(is_right(&lemma(&[t.k], &[(t.c, true)], [t.at_x, t.at_a])));
        assert!(!is_right(&lemma(&[], &[(t.c, true)], [t.at_x, t.at_a])), "the index may be written");
        assert!(!is_right(&lemma(&[t.k], &[], [t.at_x, t.at_a])), "the branch may be the other");
        assert!(!is_right(&lemma(&[t.k], &[(t.c, false)], [t.at_x, t.at_a])));
        assert!(!is_right(&lemma(&[t.k], &[(t.c, true)], [t.at_a, t.at_a])), "not the read it starts with");
        assert!(!is_right(&lemma(&[t.k], &[(t.c, true)], [t.at_x, t.v])));
    }

    #[test]
    fn starts_and_ends() {
        let mut t = terms();
        let written = |index: TermId, element: TermId| Lemma {
            ways: vec![way(index, &[t.w], &[]), way(index, &[t.w], &[])],
            elements: [element, element],
            given: Vec::new(),
        };
        assert!(is_instance(&t.pool, &written(t.k, t.v)));
        assert!(!is_instance(&t.pool, &written(t.i, t.v)), "written at another index");
        // An equality of arrays, one of which is constant.
        let constant = t.pool.mk_indexed(Op::ConstArray, &[t.v], &[4]);
        let equal = t.pool.mk(Op::Eq, &[t.a, constant]);
        let lemma = |given: &[(TermId, bool)], constant_element: TermId| Lemma {
            ways: vec![way(t.i, &[constant, t.a], &[])],
            elements: [t.at_a, constant_element],
            given: given.to_vec(),
        };
        assert!(is_instance(&t.pool, &lemma(&[(equal, true)], t.v)));
        assert!(!is_instance(&t.pool, &lemma(&[(equal, false)], t.v)));
        assert!(!is_instance(&t.pool, &lemma(&[(equal, true)], t.at_x)));
        assert!(!is_instance(&t.pool, &Lemma { ways: Vec::new(), elements: [t.v, t.v], given: Vec::new() }));
    }
}
