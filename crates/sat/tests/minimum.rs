//! Minimising, against the truth table.

#![allow(clippy::unwrap_used)] // A test may stop at what it does not expect.

use nub_cnf::check::Rng;
use nub_cnf::{Cnf, Lit, Sink};
use nub_sat::check::add_pigeons;
use nub_sat::{
    Cdcl, Minimum, SatAnswer, SatLimits, SatSolver, SatStop, Strategy, built_in, fewer_than, minimise,
    minimise_from,
};

const STRATEGIES: [Strategy; 3] = [Strategy::CoreGuided, Strategy::Improving, Strategy::Both];

fn holds(lit: Lit, model: &[bool]) -> bool {
    model[lit.var() as usize] != lit.is_negative()
}

fn is_model(cnf: &Cnf, assumptions: &[Lit], model: &[bool]) -> bool {
    cnf.clauses().all(|clause| clause.iter().any(|lit| holds(*lit, model)))
        && assumptions.iter().all(|lit| holds(*lit, model))
}

fn n_true(lits: &[Lit], model: &[bool]) -> usize {
    let mut lits = lits.to_vec();
    lits.sort();
    lits.dedup();
    lits.iter().filter(|lit| holds(**lit, model)).count()
}

/// The minimum over all assignments.
fn by_table(cnf: &Cnf, lits: &[Lit], assumptions: &[Lit]) -> Option<usize> {
    let models = (0..1_u64 << cnf.n_vars())
        .map(|number| (0..cnf.n_vars()).map(|var| number >> var & 1 == 1).collect::<Vec<bool>>());
    models.filter(|model| is_model(cnf, assumptions, model)).map(|model| n_true(lits, &model)).min()
}

#[test]
fn minima_agree_with_truth_tables() {
    const N_VARS: u32 = 9;
    let solvers: [fn() -> Box<dyn SatSolver>; 2] = [built_in, || Box::new(Cdcl::new())];
    for seed in 0..120 {
        let mut rng = Rng::new(seed);
        let mut cnf = Cnf::new();
        let vars: Vec<Lit> = (0..N_VARS).map(|_| cnf.new_var()).collect();
        let pick = |rng: &mut Rng| rng.pick(&vars).negated_if(rng.below(3) == 0);
        for _ in 0..rng.below(30) {
            let clause: Vec<Lit> = (0..2 + rng.below(2)).map(|_| pick(&mut rng)).collect();
            cnf.add(&clause);
        }
        let lits: Vec<Lit> = (0..rng.below(12)).map(|_| pick(&mut rng)).collect();
        let assumptions: Vec<Lit> = (0..rng.below(3)).map(|_| pick(&mut rng)).collect();
        let expected = by_table(&cnf, &lits, &assumptions);
        for bound in 0..=13 {
            let mut solver = solvers[seed as usize % 2]();
            (0..N_VARS).for_each(|_| _ = solver.new_var());
            cnf.clauses().for_each(|clause| solver.add(clause));
            let found = fewer_than(solver.as_mut(), &lits, &assumptions, bound, &SatLimits::none());
            let is_there = expected.is_some_and(|expected| expected < bound);
            assert_eq!(
                found,
                if is_there { SatAnswer::Sat } else { SatAnswer::Unsat },
                "seed {seed} bound {bound}"
            );
        }
        for strategy in STRATEGIES {
            let mut solver = solvers[seed as usize % 2]();
            (0..N_VARS).for_each(|_| _ = solver.new_var());
            cnf.clauses().for_each(|clause| solver.add(clause));
            // A starting point changes nothing, whether it is part of a model or not.
            let start: Vec<Lit> = lits.iter().copied().take(seed as usize / 2 % 3).collect();
            let limits = SatLimits::none();
            let found = minimise_from(solver.as_mut(), &lits, &assumptions, &start, strategy, &limits);
            match (found, expected) {
                (Minimum::Optimal { cost, model }, Some(expected)) => {
                    assert_eq!(cost, expected, "seed {seed} {strategy:?}");
                    assert_eq!(n_true(&lits, &model), cost);
                    assert!(is_model(&cnf, &assumptions, &model));
                }
                (Minimum::Infeasible(core), None) => {
                    assert!(core.iter().all(|lit| assumptions.contains(lit)));
                }
                (found, expected) => panic!("seed {seed} {strategy:?}: {found:?}, not {expected:?}"),
            }
        }
    }
}

/// A path of n edges: the smallest vertex cover has n / 2, rounded up.
#[test]
fn vertex_covers_of_paths_are_found() {
    for strategy in STRATEGIES {
        let mut solver = built_in();
        let vertices: Vec<Lit> = (0..=101).map(|_| solver.new_var()).collect();
        vertices.windows(2).for_each(|pair| solver.add(pair));
        let found = minimise(solver.as_mut(), &vertices, &[], strategy, &SatLimits::none());
        assert!(matches!(found, Minimum::Optimal { cost: 51, .. }), "{strategy:?}: {found:?}");
    }
}

#[test]
fn a_limit_leaves_an_interval() {
    for strategy in STRATEGIES {
        let mut solver = built_in();
        // One pigeon too many, unless one stays outside. The minimum is one, which is hard to prove.
        let mut cnf = Cnf::new();
        add_pigeons(&mut cnf, 10);
        (0..cnf.n_vars()).for_each(|_| _ = solver.new_var());
        let mut at_home = Vec::new();
        for clause in cnf.clauses() {
            if clause.iter().all(|lit| !lit.is_negative()) {
                at_home.push(solver.new_var());
                solver.add(&[clause, &at_home[at_home.len() - 1..]].concat());
            } else {
                solver.add(clause);
            }
        }
        let few = SatLimits { conflicts: Some(100), ..SatLimits::none() };
        match minimise(solver.as_mut(), &at_home, &[], strategy, &few) {
            Minimum::Interval { lower: 0, upper: Some((upper, model)), stop: SatStop::Conflicts } => {
                assert!(upper >= 1 && n_true(&at_home, &model) == upper);
            }
            found => panic!("{strategy:?}: {found:?}"),
        }
    }
}

#[test]
fn a_cancelled_search_says_so() {
    let mut solver = built_in();
    let x = solver.new_var();
    let limits = SatLimits::none();
    limits.cancel.cancel();
    let found = minimise(solver.as_mut(), &[x], &[], Strategy::Both, &limits);
    assert_eq!(found, Minimum::Interval { lower: 0, upper: None, stop: SatStop::Cancelled });
}
