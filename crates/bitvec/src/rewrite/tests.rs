//! Every rule against the evaluator.

use super::*;
use crate::check::{RandomValues, Rng, Sampler, Shapes};
use crate::{Assignment, Datum, Evaluator, Rewriting, Sort, evaluate};

/// Checks that two terms over small variables are equal under all assignments, or under many random ones if there are too many.
fn check_equal(pool: &Pool, vars: &[TermId], rng: &mut Rng, before: TermId, after: TermId, text: &str) {
    assert_eq!(pool.sort(before), pool.sort(after), "{text}");
    let evaluator = Evaluator::new(pool, &[before, after]);
    let check = |assignment: &Assignment| {
        let values = evaluator.run(assignment);
        assert_eq!(values[0], values[1], "{text}: {:?} under {assignment:?}", pool.term(before));
    };
    let used: Vec<TermId> =
        crate::cone(pool, &[before, after]).into_iter().filter(|id| vars.contains(id)).collect();
    let n_bits: u32 = used.iter().map(|var| pool.sort(*var).bits().unwrap_or(99)).sum();
    if n_bits > 8 {
        return (0..40).for_each(|_| check(&rng.assignment(pool, &used)));
    }
    for number in 0..1_u64 << n_bits {
        let mut assignment = Assignment::new();
        let mut rest = number;
        for &var in &used {
            assignment.set(var, Datum::Bits(Value::from_u64(pool.width(var), rest)));
            rest >>= pool.width(var);
        }
        check(&assignment);
    }
}

/// Rules that rarely match get more attempts, up to this many.
const MAX_SEEDS: u64 = 5000;

/// For each rule, terms of few operators, made without rewriting so that they often match.
#[test]
fn every_rule_keeps_the_value() {
    let mut seldom = Vec::new();
    for (number, rule) in RULES.iter().enumerate() {
        let mut n_fits = 0;
        for seed in 0..MAX_SEEDS {
            n_fits += check_rule(rule, seed * 1000 + number as u64);
            if n_fits >= 100 {
                break;
            }
        }
        if n_fits < 20 {
            seldom.push((n_fits, rule.text));
        }
    }
    assert!(seldom.is_empty(), "these rules are hardly tested: {seldom:#?}");
}

/// Operators that rules look for in operands, and a few that they do not.
static INNER: &[Op] = {
    use Op::*;
    &[Not, Neg, Add, Sub, And, Or, Ite, Concat, Slice, Sext, Read, Write, ConstArray, Mul]
};

/// Returns how often the rule matched.
fn check_rule(rule: &RewriteRule, seed: u64) -> u32 {
    let mut rng = Rng::new(seed);
    let mut shapes = if rng.below(3) == 0 { Shapes::bits(3) } else { Shapes::arrays(3, 2) };
    let inner = [rng.pick(INNER), rng.pick(INNER)];
    shapes.ops = [rule.ops, &inner].concat();
    let mut pool = Pool::with_rewriting(Rewriting::Off);
    let mut sampler = Sampler::new(&mut pool, shapes, 3, seed);
    // Adjacent slices rarely occur by chance.
    let first = sampler.vars[0];
    for bit in 0..pool.width(first) {
        sampler.add(pool.slice(first, bit, bit));
    }
    let mut n_fits = 0;
    for _ in 0..20 {
        pool.set_rewriting(Rewriting::Off);
        let id = sampler.grow(&mut pool);
        pool.set_rewriting(Rewriting::On);
        let term = *pool.term(id);
        if !rule.ops.contains(&term.op()) {
            continue;
        }
        let after = match (rule.apply)(&mut pool, &term) {
            None => continue,
            Some(To::Term(after)) => after,
            Some(To::Again(next)) => pool.intern(next),
        };
        n_fits += 1;
        check_equal(&pool, &sampler.vars, &mut rng, id, after, rule.text);
    }
    n_fits
}

/// The same formula, made with and without rewriting.
#[test]
fn rewritten_formulas_keep_their_value() {
    for seed in 0..400 {
        let shapes = || if seed % 2 == 0 { Shapes::arrays(70, 5) } else { Shapes::bits(9) };
        let mut plain = Pool::with_rewriting(Rewriting::Off);
        let mut rewritten = Pool::new();
        // For the same choices on both sides the same terms must be available, so the plain pool is copied term by term.
        let mut sampler = Sampler::new(&mut plain, shapes(), 5, seed);
        let root = (0..40).map(|_| sampler.grow(&mut plain)).last().unwrap();
        let mut copies = Vec::new();
        for id in (0..plain.len()).map(|index| TermId(index as u32)) {
            let term = plain.term(id);
            let args: Vec<TermId> = term.args().map(|arg| copies[arg.index()]).collect();
            let indices: Vec<u32> = (0..term.op().info().shape.n_indices()).map(|i| term.index(i)).collect();
            copies.push(match (term.op(), plain.value(id)) {
                (Op::Var, _) => rewritten.var(term.sort()),
                (_, Some(value)) => rewritten.constant(value.clone()),
                (op, None) => rewritten.mk_indexed(op, &args, &indices),
            });
        }
        let mut rng = Rng::new(seed);
        for _ in 0..10 {
            let given = rng.assignment(&plain, &sampler.vars);
            let mut copied = Assignment::new();
            for var in &sampler.vars {
                copied.set(copies[var.index()], given.get(*var).unwrap().clone());
            }
            let before = evaluate(&plain, &given, &[root]);
            assert_eq!(before, evaluate(&rewritten, &copied, &[copies[root.index()]]), "seed {seed}");
        }
    }
}

#[test]
fn derived_operators_are_gone() {
    use Op::*;
    let mut pool = Pool::new();
    let (x, y) = (pool.var(Sort::Bits(4)), pool.var(Sort::Bits(4)));
    let derived = [Nand, Nor, Xnor, Ne, Ule, Ugt, Uge, Sle, Sgt, Sge, Uaddo, Saddo, Usubo, Ssubo, Sdivo];
    for op in derived {
        let id = pool.mk(op, &[x, y]);
        assert!(crate::cone(&pool, &[id]).iter().all(|id| !derived.contains(&pool.op(*id))), "{op}");
    }
}

/// Long chains are walked in steps, without recursion and within limits.
#[test]
fn chains_are_walked_without_recursion() {
    let mut pool = Pool::new();
    let mut term = pool.var(Sort::Bits(1));
    let mut array = pool.var(Sort::Array { index: 32, element: 1 });
    for index in 0..100_000 {
        let bit = pool.var(Sort::Bits(1));
        if index < 60_000 {
            term = pool.mk(Op::Concat, &[bit, term]);
        }
        let at = pool.constant(Value::from_u64(32, index));
        array = pool.mk(Op::Write, &[array, at, bit]);
    }
    pool.slice(term, 0, 0);
    let last = pool.constant(Value::from_u64(32, 1 << 31));
    pool.mk(Op::Read, &[array, last]);
}
