//! The solver against enumeration of all assignments, if there are few, and against itself.

#![allow(clippy::unwrap_used)] // A test may stop at what it does not expect.

use nub_bitvec::check::{Rng, Sampler, Shapes};
use nub_bitvec::{ArrayValue, Assignment, Datum, Evaluator, Op, Pool, Rewriting, Sort, TermId, Value};
use nub_sat::{Cdcl, SatSolver, built_in};
use nub_solve::{BvAnswer, BvSolver, SatLimits};

/// All values of a sort.
fn all_of(sort: Sort) -> Vec<Datum> {
    match sort {
        Sort::Bits(width) => (0..1 << width).map(|n| Datum::Bits(Value::from_u64(width, n))).collect(),
        Sort::Array { index, element } => {
            let n_bits = element << index;
            let array = |content: u64| {
                let mut array = ArrayValue::constant(index, Value::zero(element));
                for at in 0..1 << index {
                    let value = Value::from_u64(element, content >> (at * u64::from(element)));
                    array.write(Value::from_u64(index, at), value);
                }
                Datum::Array(array)
            };
            (0..1 << n_bits).map(array).collect()
        }
    }
}

/// Whether some assignment makes all terms true, by trying all.
fn is_satisfiable(pool: &Pool, vars: &[TermId], roots: &[TermId]) -> bool {
    let choices: Vec<Vec<Datum>> = vars.iter().map(|var| all_of(pool.sort(*var))).collect();
    let n_all: usize = choices.iter().map(Vec::len).product();
    let evaluator = Evaluator::new(pool, roots);
    (0..n_all).any(|mut number| {
        let mut assignment = Assignment::new();
        for (var, values) in vars.iter().zip(&choices) {
            assignment.set(*var, values[number % values.len()].clone());
            number /= values.len();
        }
        evaluator.run(&assignment).iter().all(Datum::is_true)
    })
}

fn solvers() -> [fn() -> Box<dyn SatSolver>; 2] {
    [built_in, || Box::new(Cdcl::new())]
}

/// A formula whose variables have few values in total. Also checks assumptions, levels and cores.
fn check_formula(seed: u64, shapes: Shapes, n_vars: usize, n_terms: usize) -> bool {
    let rewriting = if seed.is_multiple_of(3) { Rewriting::Off } else { Rewriting::On };
    let mut pool = Pool::with_rewriting(rewriting);
    let mut sampler = Sampler::new(&mut pool, shapes, n_vars, seed);
    let vars = sampler.vars.clone();
    let mut solver = BvSolver::new(solvers()[seed as usize % 2]());
    let mut asserted = Vec::new();
    for _ in 0..n_terms {
        sampler.grow(&mut pool);
    }
    let mut rng = Rng::new(seed);
    for step in 0..6 {
        match rng.below(4) {
            0 => {
                solver.push();
                asserted.push(Vec::new());
            }
            1 if !asserted.is_empty() => {
                solver.pop();
                asserted.pop();
            }
            _ => {}
        }
        sampler.grow(&mut pool);
        let term = sampler.truth(&mut pool);
        if rng.below(3) > 0 && !asserted.is_empty() {
            solver.assert(term);
            asserted.last_mut().unwrap().push(term);
        }
        let assumptions = [term, sampler.truth(&mut pool)];
        let all: Vec<TermId> = asserted.iter().flatten().copied().collect();
        assert_eq!(solver.assertions().collect::<Vec<_>>(), all);
        let everything = [all.as_slice(), &assumptions].concat();
        let expected = is_satisfiable(&pool, &vars, &everything);
        match solver.check(&mut pool, &assumptions, &SatLimits::none()) {
            BvAnswer::Sat(model) => {
                assert!(expected, "seed {seed} step {step}: sat");
                assert!(model.values(&pool, &everything).iter().all(Datum::is_true));
            }
            BvAnswer::Unsat(core) => {
                assert!(!expected, "seed {seed} step {step}: unsat");
                assert!(core.iter().all(|term| assumptions.contains(term)));
                let blamed = [all.as_slice(), &core].concat();
                assert!(!is_satisfiable(&pool, &vars, &blamed), "seed {seed} step {step}: core");
            }
            BvAnswer::Unknown(reason) => panic!("seed {seed} step {step}: {reason}"),
        }
    }
    solver.statistics().1 > 0
}

#[test]
fn answers_on_bit_vectors_agree_with_all_assignments() {
    for seed in 0..300 {
        check_formula(seed, Shapes::bits(3), 3, 12);
    }
}

/// Few operators, so that array terms are often related. Index sorts are so small that writes can cover them.
fn array_shapes(element: u32, index: u32) -> Shapes {
    use Op::*;
    let ops = vec![Read, Write, Write, Ite, ConstArray, Eq, Eq, Not, And, Xor, Add];
    Shapes { ops, ..Shapes::arrays(element, index) }
}

#[test]
fn answers_on_arrays_agree_with_all_assignments() {
    let mut n_with_lemmas = 0;
    for seed in 0..400 {
        let (element, index) = [(1, 1), (2, 1), (1, 2), (2, 2)][seed as usize % 4];
        let n_vars = if index == 2 && element == 2 { 3 } else { 5 };
        n_with_lemmas += u32::from(check_formula(seed, array_shapes(element, index), n_vars, 14));
    }
    assert!(n_with_lemmas > 60, "{n_with_lemmas} formulas needed lemmas");
}

#[test]
fn answers_on_arrays_with_all_operators_agree_with_all_assignments() {
    for seed in 0..150 {
        check_formula(seed, Shapes::arrays(2, 1), 4, 15);
    }
}
