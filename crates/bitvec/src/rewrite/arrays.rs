//! Rules for `read` and `write`.

use super::{RewriteRule, To};
use crate::{Op, Pool, Term, TermId};

pub(super) static RULES: &[RewriteRule] = &[
    RewriteRule { text: "read(const_array(a), _) = a", ops: &[Op::Read], apply: read_constant },
    RewriteRule { text: "read(write(_, a, b), a) = b", ops: &[Op::Read], apply: read_written },
    RewriteRule { text: "read(write(a, i, _), j) = read(a, j)", ops: &[Op::Read], apply: read_below },
    RewriteRule { text: "write(a, b, read(a, b)) = a", ops: &[Op::Write], apply: write_read },
    RewriteRule {
        text: "write(write(a, b, _), b, c) = write(a, b, c)",
        ops: &[Op::Write],
        apply: write_twice,
    },
    RewriteRule {
        text: "write(const_array(a), _, a) = const_array(a)",
        ops: &[Op::Write],
        apply: write_constant,
    },
];

fn read_constant(pool: &mut Pool, term: &Term) -> Option<To> {
    let array = pool.term(term.arg(0));
    (array.op() == Op::ConstArray).then(|| To::Term(array.arg(0)))
}

fn read_written(pool: &mut Pool, term: &Term) -> Option<To> {
    let array = pool.term(term.arg(0));
    (array.op() == Op::Write && array.arg(1) == term.arg(1)).then(|| To::Term(array.arg(2)))
}

fn read_below(pool: &mut Pool, term: &Term) -> Option<To> {
    let (array, index) = (*pool.term(term.arg(0)), term.arg(1));
    if array.op() != Op::Write || !are_distinct(pool, array.arg(1), index) {
        return None;
    }
    Some(To::Again(Term::new(Op::Read, &[array.arg(0), index], &[], term.sort())))
}

/// True if the terms certainly differ: two constants, a term and its complement, or a term and its sum with a constant.
fn are_distinct(pool: &Pool, a: TermId, b: TermId) -> bool {
    let is_moved = |moved: TermId, base: TermId| {
        let term = pool.term(moved);
        // A constant operand comes first, and is not zero because such a sum would have been simplified.
        term.op() == Op::Add
            && term.arg(1) == base
            && pool.value(term.arg(0)).is_some_and(|value| !value.is_zero())
    };
    let are_constants = a != b && pool.value(a).is_some() && pool.value(b).is_some();
    are_constants || pool.are_opposite(a, b) || is_moved(a, b) || is_moved(b, a)
}

fn write_read(pool: &mut Pool, term: &Term) -> Option<To> {
    let element = pool.term(term.arg(2));
    let is_same = element.op() == Op::Read && element.arg(0) == term.arg(0) && element.arg(1) == term.arg(1);
    is_same.then(|| To::Term(term.arg(0)))
}

fn write_twice(pool: &mut Pool, term: &Term) -> Option<To> {
    let inner = pool.term(term.arg(0));
    if inner.op() != Op::Write || inner.arg(1) != term.arg(1) {
        return None;
    }
    Some(To::Again(Term::new(Op::Write, &[inner.arg(0), term.arg(1), term.arg(2)], &[], term.sort())))
}

fn write_constant(pool: &mut Pool, term: &Term) -> Option<To> {
    let array = pool.term(term.arg(0));
    (array.op() == Op::ConstArray && array.arg(0) == term.arg(2)).then(|| To::Term(term.arg(0)))
}
