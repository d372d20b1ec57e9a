//! A PLANTED DEFECT, for `nub demo` and for tests of `nub fuzz`. Only reachable with [`Rewriting::Defective`].
//!
//! Demonstrating a fuzzer needs a bug to find. So here is a copy of a rule of `arith.rs` with a realistic mistake:
//! `urem(a, 2^i)` is the lowest `i` bits of `a`, and this copy keeps one bit too many.
//!
//! [`Rewriting::Defective`]: crate::Rewriting::Defective

use super::To;
use crate::{Op, Pool, Term, Value};

/// The defective rule, before all others.
pub(crate) fn step(pool: &mut Pool, term: &Term) -> Option<To> {
    if term.op() != Op::Urem {
        return None;
    }
    let (a, k) = (term.arg(0), term.arg(1));
    let shift = pool.power_of_two(k).filter(|shift| *shift > 0)?;
    let n_kept = shift + 1; // The defect: it should be `shift`.
    if n_kept == term.width() {
        return Some(To::Term(a));
    }
    let low = pool.slice(a, n_kept - 1, 0);
    let zeros = pool.constant(Value::zero(term.width() - n_kept));
    Some(To::Term(pool.mk(Op::Concat, &[zeros, low])))
}

#[cfg(test)]
mod tests {
    use crate::{Op, Pool, Rewriting, Sort, Value};

    #[test]
    fn it_is_wrong_when_asked_for_and_only_then() {
        let remainder = |rewriting| {
            let mut pool = Pool::with_rewriting(rewriting);
            let a = pool.var(Sort::Bits(2));
            let two = pool.constant(Value::from_u64(2, 2));
            let remainder = pool.mk(Op::Urem, &[a, two]);
            (remainder == a, pool.op(remainder))
        };
        assert!(remainder(Rewriting::Defective).0, "a mod 2 is not a");
        assert_eq!(remainder(Rewriting::On), (false, Op::Concat));
    }
}
