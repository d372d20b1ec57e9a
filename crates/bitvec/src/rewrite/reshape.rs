//! Rules for `concat`, `slice`, `sext`, `repeat`, `redxor`.

use super::{RewriteRule, To};
use crate::{Op, Pool, Sort, Term, TermId};

pub(super) static RULES: &[RewriteRule] = &[
    RewriteRule { text: "a[w-1:0] = a", ops: &[Op::Slice], apply: slice_all },
    RewriteRule { text: "a[i:j][i':j'] = a[i'+j:j'+j]", ops: &[Op::Slice], apply: slice_slice },
    RewriteRule {
        text: "concat(a, b)[i:j] = a[..] or b[..], if within one",
        ops: &[Op::Slice],
        apply: slice_concat,
    },
    RewriteRule { text: "sext(a, _)[i:j] = a[i:j], if within a", ops: &[Op::Slice], apply: slice_sext },
    RewriteRule { text: "(~a)[i:j] = ~(a[i:j])", ops: &[Op::Slice], apply: slice_not },
    RewriteRule { text: "concat(a[i:j], a[j-1:k]) = a[i:k]", ops: &[Op::Concat], apply: concat_slices },
    RewriteRule {
        text: "concat(i, concat(j, a)) = concat(ij, a)",
        ops: &[Op::Concat],
        apply: concat_constants,
    },
    RewriteRule {
        text: "concat(concat(a, i), j) = concat(a, ij)",
        ops: &[Op::Concat],
        apply: concat_constants_right,
    },
    RewriteRule { text: "sext(a, 0) = a, repeat(a, 1) = a", ops: &[Op::Sext, Op::Repeat], apply: unchanged },
    RewriteRule { text: "sext(sext(a, i), j) = sext(a, i+j)", ops: &[Op::Sext], apply: sext_sext },
    RewriteRule { text: "redxor(a) = a for one bit", ops: &[Op::Redxor], apply: redxor_bit },
];

fn slice_to(pool: &mut Pool, a: TermId, high: u32, low: u32) -> Option<To> {
    if pool.width(a) == high - low + 1 {
        return Some(To::Term(a));
    }
    Some(To::Again(Term::new(Op::Slice, &[a], &[high, low], Sort::Bits(high - low + 1))))
}

fn slice_all(pool: &mut Pool, term: &Term) -> Option<To> {
    (pool.width(term.arg(0)) == term.width()).then_some(To::Term(term.arg(0)))
}

fn slice_slice(pool: &mut Pool, term: &Term) -> Option<To> {
    let inner = *pool.term(term.arg(0));
    if inner.op() != Op::Slice {
        return None;
    }
    let base = inner.index(1);
    slice_to(pool, inner.arg(0), term.index(0) + base, term.index(1) + base)
}

fn slice_concat(pool: &mut Pool, term: &Term) -> Option<To> {
    let (inner, high, low) = (*pool.term(term.arg(0)), term.index(0), term.index(1));
    if inner.op() != Op::Concat {
        return None;
    }
    let n_low = pool.width(inner.arg(1));
    if low >= n_low {
        slice_to(pool, inner.arg(0), high - n_low, low - n_low)
    } else if high < n_low {
        slice_to(pool, inner.arg(1), high, low)
    } else {
        None
    }
}

fn slice_sext(pool: &mut Pool, term: &Term) -> Option<To> {
    let inner = *pool.term(term.arg(0));
    if inner.op() != Op::Sext || term.index(0) >= pool.width(inner.arg(0)) {
        return None;
    }
    slice_to(pool, inner.arg(0), term.index(0), term.index(1))
}

/// Moves complements outwards.
fn slice_not(pool: &mut Pool, term: &Term) -> Option<To> {
    let a = pool.as_not(term.arg(0))?;
    let part = pool.slice(a, term.index(0), term.index(1));
    pool.give(Op::Not, &[part])
}

fn concat_slices(pool: &mut Pool, term: &Term) -> Option<To> {
    let (high, low) = (*pool.term(term.arg(0)), *pool.term(term.arg(1)));
    let are_slices = high.op() == Op::Slice && low.op() == Op::Slice;
    if !are_slices || high.arg(0) != low.arg(0) || high.index(1) != low.index(0) + 1 {
        return None;
    }
    slice_to(pool, high.arg(0), high.index(0), low.index(1))
}

fn concat_constants(pool: &mut Pool, term: &Term) -> Option<To> {
    let (i, inner) = (term.arg(0), *pool.term(term.arg(1)));
    if inner.op() != Op::Concat {
        return None;
    }
    let both = pool.value(i)?.concat(pool.value(inner.arg(0))?);
    let both = pool.constant(both);
    pool.give(Op::Concat, &[both, inner.arg(1)])
}

fn concat_constants_right(pool: &mut Pool, term: &Term) -> Option<To> {
    let (inner, j) = (*pool.term(term.arg(0)), term.arg(1));
    if inner.op() != Op::Concat {
        return None;
    }
    let both = pool.value(inner.arg(1))?.concat(pool.value(j)?);
    let both = pool.constant(both);
    pool.give(Op::Concat, &[inner.arg(0), both])
}

fn unchanged(pool: &mut Pool, term: &Term) -> Option<To> {
    slice_all(pool, term)
}

fn sext_sext(pool: &mut Pool, term: &Term) -> Option<To> {
    let inner = *pool.term(term.arg(0));
    if inner.op() != Op::Sext {
        return None;
    }
    let n_bits = term.index(0) + inner.index(0);
    Some(To::Again(Term::new(Op::Sext, &[inner.arg(0)], &[n_bits], term.sort())))
}

fn redxor_bit(pool: &mut Pool, term: &Term) -> Option<To> {
    let a = term.arg(0);
    (pool.width(a) == 1).then_some(To::Term(a))
}
