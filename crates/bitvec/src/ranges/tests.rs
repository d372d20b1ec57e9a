//! Ranges and products compared with all values of small variables.

use super::*;
use crate::check::Rng;
use crate::{Assignment, Datum, Op, Sort, Value, evaluate};

const WIDTH: u32 = 5;

/// Random terms over two variables, with comparisons of them as facts.
struct Case {
    pool: Pool,
    vars: [TermId; 2],
    numbers: Vec<TermId>,
    facts: Vec<TermId>,
}

impl Case {
    fn random(seed: u64) -> Case {
        let mut rng = Rng::new(seed);
        let mut pool = Pool::new();
        let vars = [pool.var(Sort::Bits(WIDTH)), pool.var(Sort::Bits(WIDTH))];
        let mut numbers = vars.to_vec();
        let mut facts = Vec::new();
        for _ in 0..10 {
            let mut one = |rng: &mut Rng, numbers: &[TermId]| match rng.below(4) {
                0 => pool.constant(Value::from_u64(WIDTH, rng.below(32) as u64)),
                _ => numbers[rng.below(numbers.len())],
            };
            let (a, b, c, d) = (
                one(&mut rng, &numbers),
                one(&mut rng, &numbers),
                one(&mut rng, &vars),
                one(&mut rng, &vars),
            );
            let compare = *[Op::Slt, Op::Ult, Op::Eq].get(rng.below(3)).unwrap();
            let mut fact = pool.mk(compare, &[c, d]);
            if rng.below(2) == 0 {
                fact = pool.not(fact);
            }
            let ops = [
                Op::Add,
                Op::Sub,
                Op::Mul,
                Op::And,
                Op::Or,
                Op::Xor,
                Op::Udiv,
                Op::Urem,
                Op::Sdiv,
                Op::Srem,
                Op::Lshr,
            ];
            let made = match rng.below(16) {
                0 => pool.not(a),
                1 => pool.mk(Op::Neg, &[a]),
                2 => pool.mk(Op::Ite, &[fact, a, b]),
                3 => {
                    let part = pool.slice(a, WIDTH - 2, 1);
                    pool.mk_indexed(Op::Sext, &[part], &[2])
                }
                4 => {
                    let part = pool.slice(a, WIDTH - 1, 2);
                    pool.mk_indexed(Op::Uext, &[part], &[2])
                }
                n => pool.mk(ops[n - 5], &[a, b]),
            };
            numbers.push(made);
            if rng.below(4) == 0 {
                facts.push(fact);
            }
            if rng.below(6) == 0 {
                facts.push(pool.mk(compare, &[made, a]));
            }
        }
        Case { pool, vars, numbers, facts }
    }

    /// Calls `found` for each assignment that satisfies the facts.
    fn for_all(&self, mut found: impl FnMut(&Assignment)) {
        for values in 0..1 << (2 * WIDTH) {
            let mut assignment = Assignment::new();
            for (var, bits) in self.vars.into_iter().zip([values, values >> WIDTH]) {
                assignment.set(var, Datum::Bits(Value::from_u64(WIDTH, bits)));
            }
            if evaluate(&self.pool, &assignment, &self.facts).iter().all(Datum::is_true) {
                found(&assignment);
            }
        }
    }
}

fn signed(bits: u64, width: u32) -> i128 {
    let number = i128::from(bits);
    if number >> (width - 1) & 1 == 1 { number - (1 << width) } else { number }
}

#[test]
fn values_are_in_their_ranges_wherever_the_facts_hold() {
    let mut n_narrow = 0;
    for seed in 0..400 {
        let case = Case::random(seed);
        let mut ranges = RangesUnderFacts::new(&case.pool, case.facts.iter().copied());
        let found: Vec<ValueRange> =
            case.numbers.iter().map(|number| ranges.range(&case.pool, *number).unwrap()).collect();
        let all = ValueRange::all(WIDTH).unwrap();
        n_narrow += found.iter().filter(|range| **range != all).count();
        let mut n_runs = 0;
        case.for_all(|assignment| {
            n_runs += 1;
            for (value, range) in evaluate(&case.pool, assignment, &case.numbers).iter().zip(&found) {
                let bits = value.bits().to_u64().unwrap();
                let (unsigned, signed) = (i128::from(bits), signed(bits, WIDTH));
                assert!(
                    range.unsigned.low <= unsigned && unsigned <= range.unsigned.high,
                    "seed {seed}: {range:?}"
                );
                assert!(range.signed.low <= signed && signed <= range.signed.high, "seed {seed}: {range:?}");
            }
        });
        assert!(n_runs == 0 || !ranges.is_empty, "seed {seed}");
    }
    assert!(n_narrow > 1_000, "{n_narrow}");
}

#[test]
fn products_are_equal_wherever_the_facts_hold() {
    let (mut n_narrow, mut n_fitting) = (0, 0);
    for seed in 0..400 {
        let mut case = Case::random(seed);
        let mut ranges = RangesUnderFacts::new(&case.pool, case.facts.iter().copied());
        let mut rng = Rng::new(seed);
        for _ in 0..20 {
            let [a, b] = [0, 1].map(|_| case.numbers[rng.below(case.numbers.len())]);
            let plain = case.pool.mk(Op::Mul, &[a, b]);
            let narrow = ranges.product(&mut case.pool, a, b);
            let overflows = case.pool.mk(Op::Smulo, &[a, b]);
            let fits = ranges.product_fits(&case.pool, a, b);
            if narrow == plain {
                continue;
            }
            n_narrow += 1;
            n_fitting += usize::from(fits);
            case.for_all(|assignment| {
                let found = evaluate(&case.pool, assignment, &[plain, narrow, overflows]);
                assert_eq!(found[0], found[1], "seed {seed}");
                assert!(!(fits && found[2].is_true()), "seed {seed}");
            });
        }
    }
    assert!(n_narrow > 50 && n_fitting > 50, "{n_narrow} {n_fitting}");
}

/// `kp` from 0 to 100, `e` from -2000 to 2000.
#[test]
fn a_product_after_range_checks_has_the_bits_that_it_needs() {
    let mut pool = Pool::new();
    let (kp, e) = (pool.var(Sort::Bits(32)), pool.var(Sort::Bits(32)));
    let mut facts = Vec::new();
    for (term, low, high) in [(kp, 0, 100), (e, -2000, 2000)] {
        let [low, high] = [low, high].map(|number| pool.constant(Value::from_i128(32, number)));
        facts.push(pool.mk(Op::Sge, &[term, low]));
        facts.push(pool.mk(Op::Sle, &[term, high]));
    }
    let mut ranges = RangesUnderFacts::new(&pool, facts);
    assert!(ranges.product_fits(&pool, kp, e));
    let product = ranges.product(&mut pool, kp, e);
    assert_eq!((pool.op(product), pool.width(pool.term(product).arg(0))), (Op::Sext, 19));
}

/// Each choice depends on two others, and so do their conditions: without a common limit the work would double with each.
#[test]
fn nested_choices_are_not_expensive() {
    let mut pool = Pool::new();
    let mut terms = vec![pool.var(Sort::Bits(32)), pool.var(Sort::Bits(32))];
    for _ in 0..200 {
        let [a, b] = [terms[terms.len() - 2], terms[terms.len() - 1]];
        let condition = pool.mk(Op::Slt, &[a, b]);
        let sum = pool.mk(Op::Xor, &[a, b]);
        terms.push(pool.mk(Op::Ite, &[condition, sum, a]));
    }
    let last = terms[terms.len() - 1];
    let fact = pool.mk(Op::Slt, &[last, terms[0]]);
    let mut ranges = RangesUnderFacts::new(&pool, [fact]);
    assert!(ranges.range(&pool, last).is_some());
}
