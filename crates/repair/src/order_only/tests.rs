use super::*;
use nub_bitvec::{Assignment, Datum, Evaluator, evaluate};
use nub_random::Rng;

const WIDTH: u32 = 4;

/// The first assignment that makes a term true, if there is one.
fn model(pool: &Pool, term: TermId) -> Option<BTreeMap<TermId, u64>> {
    let variables: Vec<TermId> =
        cone(pool, &[term]).into_iter().filter(|id| pool.op(*id) == Op::Var).collect();
    let n_bits: u32 = variables.iter().map(|id| pool.width(*id)).sum();
    let evaluator = Evaluator::new(pool, &[term]);
    (0..1_u64 << n_bits).find_map(|mut number| {
        let mut values = BTreeMap::new();
        let mut assignment = Assignment::new();
        for id in &variables {
            let width = pool.width(*id);
            let value = number & ((1 << width) - 1);
            number >>= width;
            values.insert(*id, value);
            assignment.set(*id, Datum::Bits(Value::from_u64(width, value)));
        }
        evaluator.run(&assignment)[0].is_true().then_some(values)
    })
}

/// A random condition made of comparisons of variables, copies and constants.
fn random_term(pool: &mut Pool, variables: &[TermId], random: &mut Rng) -> TermId {
    let mut below = |n: usize| random.below(n);
    let is_signed = below(2) == 0;
    let ops = if is_signed {
        [Op::Slt, Op::Sle, Op::Sgt, Op::Sge, Op::Eq, Op::Ne]
    } else {
        [Op::Ult, Op::Ule, Op::Ugt, Op::Uge, Op::Eq, Op::Ne]
    };
    let mut data = variables.to_vec();
    let corners = [0, 1, 6, 7, 8, 15];
    for _ in 0..below(3) {
        data.push(pool.constant(Value::from_u64(WIDTH, corners[below(corners.len())])));
    }
    let mut truths = vec![pool.truth(true)];
    for _ in 0..10 {
        let (a, b) = (data[below(data.len())], data[below(data.len())]);
        truths.push(pool.mk(ops[below(ops.len())], &[a, b]));
        let (a, b) = (truths[below(truths.len())], truths[below(truths.len())]);
        let both = [Op::And, Op::Or, Op::Xor][below(3)];
        truths.push(pool.mk(both, &[a, b]));
        let (a, b, choice) = (data[below(data.len())], data[below(data.len())], truths[below(truths.len())]);
        data.push(pool.mk(Op::Ite, &[choice, a, b]));
    }
    let last = truths.len() - 6;
    truths[last..].iter().copied().reduce(|a, b| pool.mk(Op::And, &[a, b])).unwrap_or(truths[0])
}

#[test]
fn no_model_is_lost_and_widened_models_are_right() {
    let mut random = Rng::new(0);
    let (mut n_narrowed, mut n_true, mut n_never) = (0, 0, 0);
    for _ in 0..300 {
        let mut pool = Pool::new();
        let variables: Vec<TermId> = (0..3).map(|_| pool.var(Sort::Bits(WIDTH))).collect();
        let term = random_term(&mut pool, &variables, &mut random);
        let Some(narrow) = narrowed(&mut pool, term) else { continue };
        n_narrowed += 1;
        let (wide, found) = (model(&pool, term), model(&pool, narrow.term));
        let Some(found) = found else {
            assert_eq!(wide, None, "no run is lost");
            n_never += 1;
            continue;
        };
        n_true += usize::from(wide.is_some());
        let Some(values) = narrow.widened(|id| found.get(&id).copied().unwrap_or(0)) else { continue };
        let mut assignment = Assignment::new();
        for id in cone(&pool, &[term]).into_iter().filter(|id| pool.op(*id) == Op::Var) {
            let value = values
                .get(&id)
                .cloned()
                .unwrap_or_else(|| Value::from_u64(pool.width(id), found.get(&id).copied().unwrap_or(0)));
            assignment.set(id, Datum::Bits(value));
        }
        assert!(evaluate(&pool, &assignment, &[term])[0].is_true());
    }
    assert!(n_narrowed > 60 && n_true > 20 && n_never > 20, "{n_narrowed} {n_true} {n_never}");
}

#[test]
fn numbers_that_are_computed_with_keep_their_bits() {
    let mut pool = Pool::new();
    let [a, b, c] = [(); 3].map(|()| pool.var(Sort::Bits(32)));
    let sum = pool.mk(Op::Add, &[a, b]);
    let less = pool.mk(Op::Slt, &[sum, c]);
    assert!(narrowed(&mut pool, less).is_none());
    let order = pool.mk(Op::Slt, &[b, c]);
    assert_eq!(narrowed(&mut pool, order).map(|narrow| narrow.variables.len()), Some(2));
    // Signed and unsigned comparisons cannot be mixed.
    let other = pool.mk(Op::Ult, &[b, c]);
    let both = pool.mk(Op::And, &[order, other]);
    assert!(narrowed(&mut pool, both).is_none());
}
