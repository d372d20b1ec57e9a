//! Levels, limits, literals.

#![allow(clippy::unwrap_used)] // A test may stop at what it does not expect.

use nub_bitvec::{Op, Pool, Sort, TermId, Value};
use nub_sat::{Minimum, SatStop, Strategy, built_in, minimise};
use nub_solve::{BvAnswer, BvSolver, Reason, SatLimits};

/// x * y = k with both factors above one: hard for a product of two large primes.
fn factoring(pool: &mut Pool, width: u32, product: u64) -> (TermId, TermId, Vec<TermId>) {
    let (x, y) = (pool.var(Sort::Bits(width)), pool.var(Sort::Bits(width)));
    let [wide_x, wide_y] = [x, y].map(|factor| pool.mk_indexed(Op::Uext, &[factor], &[width]));
    let found = pool.mk(Op::Mul, &[wide_x, wide_y]);
    let target = pool.constant(Value::from_u64(2 * width, product));
    let one = pool.constant(Value::one(width));
    let is_product = pool.mk(Op::Eq, &[found, target]);
    let bounds = [x, y].map(|factor| pool.mk(Op::Ult, &[one, factor]));
    (x, y, vec![is_product, bounds[0], bounds[1]])
}

#[test]
fn levels_come_and_go() {
    let mut pool = Pool::new();
    let (x, y, terms) = factoring(&mut pool, 8, 77);
    let mut solver = BvSolver::new(built_in());
    terms.iter().for_each(|term| solver.assert(*term));
    let less = pool.mk(Op::Ult, &[x, y]);
    let more = pool.mk(Op::Ult, &[y, x]);
    for (level, expected) in [(less, 7), (more, 11)] {
        solver.push();
        solver.assert(level);
        let BvAnswer::Sat(model) = solver.check(&mut pool, &[], &SatLimits::none()) else { panic!() };
        assert_eq!(model.values(&pool, &[x])[0].bits().to_u64(), Some(expected));
        assert_eq!(
            solver.check(&mut pool, &[less, more], &SatLimits::none()),
            BvAnswer::Unsat(vec![if level == less { more } else { less }])
        );
        assert!(solver.pop());
    }
    assert_eq!((solver.n_levels(), solver.pop()), (0, false));
    let equal = pool.mk(Op::Eq, &[x, y]);
    assert_eq!(solver.check(&mut pool, &[equal], &SatLimits::none()), BvAnswer::Unsat(vec![equal]));
    let never = pool.truth(false);
    solver.assert(never);
    assert_eq!(solver.check(&mut pool, &[], &SatLimits::none()), BvAnswer::Unsat(vec![]));
}

#[test]
fn limits_give_unknown() {
    let mut pool = Pool::new();
    // 4294967291 and 4294967279 are prime.
    let (_, _, terms) = factoring(&mut pool, 32, 4_294_967_291_u64.wrapping_mul(4_294_967_279));
    let mut solver = BvSolver::new(built_in());
    terms.iter().for_each(|term| solver.assert(*term));
    let few = SatLimits { conflicts: Some(20), ..SatLimits::none() };
    let answer = solver.check(&mut pool, &[], &few);
    assert_eq!(answer, BvAnswer::Unknown(Reason::Stopped(SatStop::Conflicts)));
    let cancelled = SatLimits::none();
    cancelled.cancel.cancel();
    let answer = solver.check(&mut pool, &[], &cancelled);
    assert_eq!(answer, BvAnswer::Unknown(Reason::Stopped(SatStop::Cancelled)));
    let wide = pool.var(Sort::Bits(1 << 20));
    let square = pool.mk(Op::Mul, &[wide, wide]);
    let huge = pool.mk(Op::Ult, &[square, wide]);
    assert_eq!(solver.check(&mut pool, &[huge], &few), BvAnswer::Unknown(Reason::TooLarge));
}

/// Minimises the number of ones among the multiples of 7 from 1 to 255, by the literals of the bits. The minimum is three, as in
/// 1 + 2 + 4: 7 divides no power of two, and 2^i + 2^j is 1, 2, 3, 4, 5 or 6 modulo 7.
#[test]
fn literals_of_bits_can_be_minimised() {
    let mut pool = Pool::new();
    let x = pool.var(Sort::Bits(8));
    let (seven, zero) = (pool.constant(Value::from_u64(8, 7)), pool.constant(Value::zero(8)));
    let rest = pool.mk(Op::Urem, &[x, seven]);
    let divides = pool.mk(Op::Eq, &[rest, zero]);
    let is_something = pool.mk(Op::Ne, &[x, zero]);
    let mut solver = BvSolver::new(built_in());
    solver.assert(divides);
    solver.assert(is_something);
    assert!(matches!(solver.check(&mut pool, &[], &SatLimits::none()), BvAnswer::Sat(_)));
    let bits: Vec<_> = (0..8).map(|bit| solver.lit(&pool, x, bit).unwrap()).collect();
    let found = minimise(solver.sat(), &bits, &[], Strategy::Both, &SatLimits::none());
    let Minimum::Optimal { cost: 3, model } = found else { panic!("{found:?}") };
    let number =
        bits.iter().enumerate().filter(|(_, lit)| model[lit.var() as usize]).map(|(bit, _)| 1 << bit);
    assert_eq!(number.sum::<u32>() % 7, 0);
}
