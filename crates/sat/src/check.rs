//! Checks that every solver must pass. Tests call them, once per solver.

use crate::{SatAnswer, SatLimits, SatSolver};
use nub_cnf::check::Rng;
use nub_cnf::{Cnf, Lit, Sink};

/// Random clauses of three literals over few variables, added in portions, with questions under assumptions in between. Each
/// answer is compared with the truth table. Panics if the solver is wrong.
pub fn check_random(make: &mut dyn FnMut() -> Box<dyn SatSolver>, n_rounds: u64) {
    const N_VARS: u32 = 8;
    for seed in 0..n_rounds {
        let mut rng = Rng::new(seed);
        let (mut solver, mut cnf) = (make(), Cnf::new());
        let vars: Vec<Lit> = (0..N_VARS).map(|_| (solver.new_var(), cnf.new_var()).0).collect();
        let pick = |rng: &mut Rng| rng.pick(&vars).negated_if(rng.below(2) == 0);
        for _ in 0..8 {
            for _ in 0..rng.below(12) {
                let clause: Vec<Lit> = (0..1 + rng.below(4)).map(|_| pick(&mut rng)).collect();
                if clause.len() > 1 || rng.below(4) == 0 {
                    solver.add(&clause);
                    cnf.add(&clause);
                }
            }
            let assumptions: Vec<Lit> = (0..rng.below(5)).map(|_| pick(&mut rng)).collect();
            solver.prefer(pick(&mut rng));
            check_question(solver.as_mut(), &cnf, &assumptions);
        }
    }
}

/// Asks a question, and compares the answer with the truth table.
pub fn check_question(solver: &mut dyn SatSolver, cnf: &Cnf, assumptions: &[Lit]) {
    match solver.solve(assumptions, &SatLimits::none()) {
        SatAnswer::Sat => {
            let model: Vec<bool> = (0..cnf.n_vars()).map(|var| solver.value(Lit::positive(var))).collect();
            assert!(is_model(cnf, assumptions, &model), "wrong model of {cnf:?} under {assumptions:?}");
            assert!(assumptions.iter().all(|lit| solver.value(*lit) && !solver.value(!*lit)));
        }
        SatAnswer::Unsat => {
            let core = solver.core().to_vec();
            assert!(core.iter().all(|lit| assumptions.contains(lit)), "{core:?} of {assumptions:?}");
            assert!(!has_model(cnf, &core), "{cnf:?} has a model under the core {core:?}");
        }
        SatAnswer::Unknown(stop) => panic!("no answer without limits: {stop}"),
    }
}

fn is_model(cnf: &Cnf, units: &[Lit], model: &[bool]) -> bool {
    let holds = |lit: &Lit| model[lit.var() as usize] != lit.is_negative();
    units.iter().all(holds) && cnf.clauses().all(|clause| clause.iter().any(holds))
}

/// True if some assignment satisfies the clauses and units. Tries 2^variables assignments.
pub fn has_model(cnf: &Cnf, units: &[Lit]) -> bool {
    let models = 0..1_u64 << cnf.n_vars();
    let bits = |number: u64| (0..cnf.n_vars()).map(|var| number >> var & 1 == 1).collect::<Vec<bool>>();
    models.map(bits).any(|model| is_model(cnf, units, &model))
}

/// n + 1 pigeons in n holes: unsatisfiable, and hard to prove. Returns the literals of each pigeon, one per hole.
pub fn add_pigeons(sink: &mut dyn Sink, n_holes: usize) -> Vec<Vec<Lit>> {
    let pigeons: Vec<Vec<Lit>> =
        (0..=n_holes).map(|_| (0..n_holes).map(|_| sink.new_var()).collect()).collect();
    pigeons.iter().for_each(|holes| sink.add(holes));
    for hole in 0..n_holes {
        for (index, first) in pigeons.iter().enumerate() {
            pigeons[..index].iter().for_each(|second| sink.add(&[!first[hole], !second[hole]]));
        }
    }
    pigeons
}

/// Corner cases: no clauses, the empty clause, unused variables, repeated and opposite assumptions, tautologies.
pub fn check_corners(make: &mut dyn FnMut() -> Box<dyn SatSolver>) {
    let none = SatLimits::none();
    let mut solver = make();
    assert_eq!(solver.solve(&[], &none), SatAnswer::Sat);
    let (x, y) = (solver.new_var(), solver.new_var());
    assert_eq!(solver.n_vars(), 2);
    assert_eq!(solver.solve(&[x, x], &none), SatAnswer::Sat);
    assert!(solver.value(x) && !solver.value(!x));
    assert_eq!(solver.solve(&[x, !x], &none), SatAnswer::Unsat);
    assert!(!solver.core().is_empty());
    solver.add(&[x, !x]);
    solver.add(&[y, y]);
    assert_eq!(solver.solve(&[!y], &none), SatAnswer::Unsat);
    assert_eq!(solver.core(), [!y]);
    assert_eq!(solver.solve(&[], &none), SatAnswer::Sat);
    solver.add(&[]);
    assert_eq!(solver.solve(&[], &none), SatAnswer::Unsat);
    assert_eq!(solver.solve(&[x], &none), SatAnswer::Unsat);
    assert!(solver.core().iter().all(|lit| *lit == x));
}
