//! One suite for all solvers.

#![allow(clippy::unwrap_used)] // A test may stop at what it does not expect.

use nub_cnf::Lit;
use nub_process::Cancel;
use nub_sat::check::{add_pigeons, check_corners, check_random};
use nub_sat::{Cdcl, SatAnswer, SatLimits, SatSolver, SatStop, SolverFactory, SolverFault};
use std::ffi::OsString;
use std::path::PathBuf;

/// The example `dimacs`, which cargo builds beside the tests.
fn dimacs_program() -> OsString {
    let tests = std::env::current_exe().unwrap();
    let found: PathBuf = tests.parent().unwrap().parent().unwrap().join("examples/dimacs");
    assert!(found.is_file(), "{} is built by `cargo test`", found.display());
    found.into_os_string()
}

fn factory(program: impl Into<OsString>, args: &[&str]) -> SolverFactory {
    let args = args.iter().map(OsString::from).collect();
    SolverFactory::program(program.into(), args, nub_process::ProcessLimits::default()).unwrap()
}

fn external(program: impl Into<OsString>, args: &[&str]) -> Box<dyn SatSolver> {
    factory(program, args).new_solver()
}

fn in_process() -> Vec<fn() -> Box<dyn SatSolver>> {
    vec![
        || Box::new(Cdcl::new()),
        #[cfg(feature = "cadical")]
        || Box::new(nub_sat::Cadical::new()),
    ]
}

#[test]
fn answers_agree_with_truth_tables() {
    for make in in_process() {
        check_random(&mut { make }, 300);
        check_corners(&mut { make });
    }
    check_random(&mut || external(dimacs_program(), &[]), 3);
    check_corners(&mut || external(dimacs_program(), &[]));
}

#[test]
fn pigeons_do_not_fit() {
    for make in in_process() {
        let mut solver = make();
        let pigeons = add_pigeons(solver.as_mut(), 6);
        assert_eq!(solver.solve(&[], &SatLimits::none()), SatAnswer::Unsat);
        assert_eq!(pigeons.len(), 7);
    }
}

#[test]
fn limits_end_a_question() {
    for make in in_process() {
        let mut solver = make();
        add_pigeons(solver.as_mut(), 11);
        let few = SatLimits { conflicts: Some(50), ..SatLimits::none() };
        assert_eq!(solver.solve(&[], &few), SatAnswer::Unknown(SatStop::Conflicts));
        let cancelled = SatLimits::none();
        cancelled.cancel.cancel();
        assert_eq!(solver.solve(&[], &cancelled), SatAnswer::Unknown(SatStop::Cancelled));
        // Cancelled from another thread while the solver runs.
        let later = SatLimits { cancel: Cancel::new(), ..SatLimits::none() };
        let cancel = later.cancel.clone();
        let thread = std::thread::spawn(move || {
            std::thread::sleep(std::time::Duration::from_millis(100));
            cancel.cancel();
        });
        assert_eq!(solver.solve(&[], &later), SatAnswer::Unknown(SatStop::Cancelled));
        thread.join().unwrap();
        // The solver can be used again.
        let x = solver.new_var();
        solver.add(&[x]);
        assert_eq!(solver.solve(&[!x], &SatLimits::none()), SatAnswer::Unsat);
    }
}

/// All variables are free, except for clauses that the preferred values satisfy: the model is the preferred one.
#[test]
fn phases_are_followed() {
    for make in in_process() {
        let mut solver = make();
        let vars: Vec<Lit> = (0..1000).map(|_| solver.new_var()).collect();
        for (index, pair) in vars.windows(2).enumerate() {
            let preferred = |at: usize, lit: Lit| lit.negated_if(at.is_multiple_of(3));
            // Satisfied by the preferred values, so they are a model.
            if index % 3 != 2 {
                solver.add(&[preferred(index, pair[0]), preferred(index + 1, pair[1])]);
            }
            solver.prefer(preferred(index, pair[0]));
        }
        assert_eq!(solver.solve(&[], &SatLimits::none()), SatAnswer::Sat);
        let n_followed =
            (0..999).filter(|at| solver.value(vars[*at].negated_if(at.is_multiple_of(3)))).count();
        assert_eq!(n_followed, 999);
    }
}

#[test]
fn failures_of_an_external_solver_are_no_answers() {
    let cases: &[(&str, &[&str])] = &[
        ("no-such-solver-program", &[]),
        ("true", &[]),
        ("false", &[]),
        ("echo", &["s SATISFIABLE"]),
        ("echo", &["s UNKNOWN"]),
        ("echo", &["s SATISFIABLE\nv -1 -2 0"]),
        ("sh", &["-c", "kill -SEGV $$"]),
    ];
    for (program, args) in cases {
        let mut solver = external(*program, args);
        let (x, y) = (solver.new_var(), solver.new_var());
        solver.add(&[x, y]);
        let answer = solver.solve(&[], &SatLimits::none());
        assert!(matches!(answer, SatAnswer::Unknown(SatStop::Failed(_))), "{program} {args:?}: {answer:?}");
    }
}

/// A solver given by its command in the environment: `NUB_SAT_SOLVER=kissat cargo test -p nub-sat`.
#[test]
fn a_solver_of_the_user_passes_too() {
    if let Some(program) = std::env::var_os("NUB_SAT_SOLVER") {
        check_random(&mut || external(program.clone(), &[]), 20);
        check_corners(&mut || external(program.clone(), &[]));
    }
}

/// A program that gives the same answer to every question.
fn answering(text: &str) -> SolverFactory {
    factory("echo", &[text])
}

#[test]
fn a_wrong_answer_is_found_out_and_remembered() {
    let cases = ["s UNSATISFIABLE", "s SATISFIABLE\nv -1 -2 0"];
    for text in cases {
        let liar = answering(text);
        let mut solver = liar.new_solver();
        let (x, y) = (solver.new_var(), solver.new_var());
        solver.add(&[x, y]);
        let limits = SatLimits::none();
        assert!(matches!(solver.solve(&[], &limits), SatAnswer::Unknown(SatStop::Failed(_))), "{text}");
        assert!(matches!(liar.fault(), Some(SolverFault::Lied(_))), "{text}: {:?}", liar.fault());
        assert!(limits.cancel.is_cancelled(), "what depends on the answer ends");
        // Another solver of the same program is not asked, not even a question that it would answer correctly.
        let mut other = liar.clone().new_solver();
        other.add(&[]);
        assert!(
            matches!(other.solve(&[], &SatLimits::none()), SatAnswer::Unknown(SatStop::Failed(_))),
            "{text}"
        );
    }
}

#[test]
fn a_program_that_is_no_solver_is_a_failure_and_no_lie() {
    for program in ["true", "no-such-solver-program"] {
        let broken = factory(program, &[]);
        let mut solver = broken.new_solver();
        solver.new_var();
        solver.solve(&[], &SatLimits::none());
        assert!(matches!(broken.fault(), Some(SolverFault::Failed(_))), "{program}: {:?}", broken.fault());
    }
    let honest = answering("s UNKNOWN");
    assert!(matches!(
        honest.new_solver().solve(&[], &SatLimits::none()),
        SatAnswer::Unknown(SatStop::Failed(_))
    ));
    assert_eq!(honest.fault(), None, "not to know is not a fault");
}

/// Too hard to recheck with few conflicts: the answer is accepted, unless every answer must be repeated.
#[test]
fn an_unsat_that_is_too_hard_to_repeat_is_believed() {
    let sure = answering("s UNSATISFIABLE");
    let few = SatLimits::none().with_conflicts(50);
    let mut solver = sure.new_solver();
    add_pigeons(solver.as_mut(), 11);
    let extra = solver.new_var();
    assert_eq!(solver.solve(&[extra], &few), SatAnswer::Unsat);
    assert_eq!(solver.core(), [extra], "all assumptions are to blame");
    assert_eq!(sure.fault(), None);
    let mut strict = sure.with_full_recheck().new_solver();
    add_pigeons(strict.as_mut(), 11);
    assert_eq!(strict.solve(&[], &few), SatAnswer::Unknown(SatStop::Conflicts));
}

/// The core found by the recheck is used: it is smaller than the set of all assumptions.
#[test]
fn a_repeated_unsat_has_a_core() {
    let mut solver = answering("s UNSATISFIABLE").new_solver();
    let (x, y) = (solver.new_var(), solver.new_var());
    solver.add(&[!x]);
    assert_eq!(solver.solve(&[y, x], &SatLimits::none()), SatAnswer::Unsat);
    assert_eq!(solver.core(), [x]);
}
