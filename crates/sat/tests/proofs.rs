//! Proofs: the checker accepts what solvers log and rejects proofs that were tampered with.

#![allow(clippy::unwrap_used)] // A test may stop at what it does not expect.

use nub_cnf::check::Rng;
use nub_cnf::{Cnf, Lit, Sink};
use nub_process::Cancel;
use nub_sat::check::{add_pigeons, check_corners, check_random, has_model};
use nub_sat::proof::{Action, Certificates, CertifyingSolver, Proof, ProofFault, Prover, check, prove};
use nub_sat::{Cdcl, SatAnswer, SatLimits, SatSolver, SatStop, built_in};

const PROVERS: &[Prover] = &[
    #[cfg(feature = "cadical")]
    Prover::Cadical,
    Prover::Cdcl,
];

fn lits(numbers: &[i32]) -> Vec<Lit> {
    numbers.iter().filter_map(|number| Lit::from_dimacs(*number)).collect()
}

fn cnf(n_vars: u32, clauses: &[&[i32]]) -> Cnf {
    let mut cnf = Cnf::new();
    (0..n_vars).for_each(|_| _ = cnf.new_var());
    clauses.iter().for_each(|clause| cnf.add(&lits(clause)));
    cnf
}

fn verdict(cnf: &Cnf, proof: &str) -> Result<(), ProofFault> {
    check(cnf, &[], &Proof::from_drat(proof.as_bytes()).unwrap(), &SatLimits::none())
}

fn random_clauses(rng: &mut Rng, n_vars: u32, n_clauses: usize) -> Cnf {
    let mut cnf = cnf(n_vars, &[]);
    for _ in 0..n_clauses {
        let pick =
            |rng: &mut Rng| Lit::positive(rng.below(n_vars as usize) as u32).negated_if(rng.below(2) == 0);
        let clause: Vec<Lit> = (0..3).map(|_| pick(rng)).collect();
        cnf.add(&clause);
    }
    cnf
}

#[test]
fn pigeons_do_not_fit() {
    for n_holes in 1..=6 {
        let mut cnf = Cnf::new();
        add_pigeons(&mut cnf, n_holes);
        for &prover in PROVERS {
            let proof = prove(&cnf, &[], &SatLimits::none(), prover).unwrap();
            assert_eq!(check(&cnf, &[], &proof, &SatLimits::none()), Ok(()), "{n_holes} {prover:?}");
            // It proves nothing about a formula that has models.
            let mut weaker = Cnf::new();
            (0..cnf.n_vars()).for_each(|_| _ = weaker.new_var());
            cnf.clauses().skip(1).for_each(|clause| weaker.add(clause));
            assert!(check(&weaker, &[], &proof, &SatLimits::none()).is_err(), "{n_holes} {prover:?}");
        }
    }
}

#[test]
fn random_formulas_with_units() {
    let mut n_unsat = 0;
    for seed in 0..300 {
        let mut rng = Rng::new(seed);
        let cnf = random_clauses(&mut rng, 12, 50);
        let units = [Lit::positive(0), !Lit::positive(1)];
        for &prover in PROVERS {
            match prove(&cnf, &units, &SatLimits::none(), prover) {
                Ok(proof) => {
                    n_unsat += 1;
                    assert_eq!(check(&cnf, &units, &proof, &SatLimits::none()), Ok(()), "{seed} {prover:?}");
                }
                Err(stop) => {
                    assert!(matches!(stop, SatStop::Unproved(_)), "{stop}");
                    assert!(has_model(&cnf, &units), "{seed} {prover:?}");
                }
            }
        }
    }
    assert!(n_unsat > 100, "{n_unsat}");
}

/// Whatever is written in a proof, a formula with a model is never refuted.
#[test]
fn no_proof_refutes_what_has_a_model() {
    let (mut n_tried, mut n_accepted_steps) = (0, 0);
    for seed in 0..3_000 {
        let mut rng = Rng::new(seed);
        let cnf = random_clauses(&mut rng, 6, 18);
        let mut proof = Proof::new();
        for _ in 0..12 {
            let pick = |rng: &mut Rng| Lit::positive(rng.below(6) as u32).negated_if(rng.below(2) == 0);
            let len = rng.below(4);
            let clause: Vec<Lit> = (0..len).map(|_| pick(&mut rng)).collect();
            let old = cnf.clauses().nth(rng.below(cnf.n_clauses())).unwrap().to_vec();
            match rng.below(3) {
                0 => proof.push(Action::Delete, old),
                _ => proof.push(Action::Add, clause),
            }
        }
        let found = check(&cnf, &[], &proof, &SatLimits::none());
        n_accepted_steps += usize::from(!matches!(found, Err(ProofFault::Step(0..=2))));
        if has_model(&cnf, &[]) {
            n_tried += 1;
            assert!(found.is_err(), "{cnf:?} {proof:?}");
        }
    }
    assert!(n_tried > 500 && n_accepted_steps > 50, "{n_tried} {n_accepted_steps}");
}

#[test]
fn tampered_proofs_are_rejected() {
    let mut cnf = Cnf::new();
    add_pigeons(&mut cnf, 4);
    let proof = prove(&cnf, &[], &SatLimits::none(), Prover::Cdcl).unwrap();
    let without = |skipped: usize| {
        let mut other = Proof::new();
        let kept = proof.steps().enumerate().filter(|(at, _)| *at != skipped);
        kept.for_each(|(_, (action, clause))| other.push(action, clause.iter().copied()));
        other
    };
    let shortened = |at: usize| {
        let mut other = Proof::new();
        for (step, (action, clause)) in proof.steps().enumerate() {
            other.push(action, clause.iter().copied().skip(usize::from(step == at)));
        }
        other
    };
    let is_rejected = |proof: &Proof| check(&cnf, &[], proof, &SatLimits::none()).is_err();
    assert!(is_rejected(&without(proof.len() - 1)) || proof.len() > 1);
    let n_rejected =
        (0..proof.len()).filter(|at| is_rejected(&without(*at)) || is_rejected(&shortened(*at))).count();
    assert!(n_rejected * 2 > proof.len(), "{n_rejected} of {}", proof.len());
    let mut only_end = Proof::new();
    only_end.push(Action::Add, []);
    assert_eq!(check(&cnf, &[], &only_end, &SatLimits::none()), Err(ProofFault::Step(0)));
    assert_eq!(check(&cnf, &[], &Proof::new(), &SatLimits::none()), Err(ProofFault::NoContradiction));
}

#[test]
fn each_rule_is_there() {
    let square = cnf(2, &[&[1, 2], &[1, -2], &[-1, 2], &[-1, -2]]);
    assert_eq!(verdict(&square, "1 0\n0\n"), Ok(()));
    assert_eq!(verdict(&square, "1 0\n"), Ok(()), "the rest follows by units");
    assert_eq!(verdict(&square, "d 1 2 0\n1 0\n"), Err(ProofFault::Step(1)), "without it 1 does not follow");
    assert_eq!(verdict(&square, "d 2 1 0\nd 1 -2 0\n1 2 0\n"), Err(ProofFault::Step(2)));
    // A definition of a new variable: its clauses are blocked on the first literal.
    let defined = "3 -1 -2 0\n-3 1 0\n-3 2 0\n1 0\n0\n";
    assert_eq!(verdict(&square, defined), Ok(()));
    let implied = cnf(2, &[&[-1, 2]]);
    assert_eq!(verdict(&implied, "3 1 0\n"), Err(ProofFault::NoContradiction), "3 is new, so it may be true");
    assert_eq!(verdict(&implied, "1 3 0\n"), Err(ProofFault::Step(0)), "it would be 1 that may be true");
    // Deleting a unit has no effect.
    let chain = cnf(3, &[&[1], &[-1, 2], &[-2, 3], &[-3, -2]]);
    assert_eq!(verdict(&chain, "d 1 0\nd -1 2 0\n0\n"), Ok(()));
    // A clause that occurs twice is deleted once; deleting one that does not exist has no effect.
    let twice = cnf(2, &[&[1, 2], &[2, 1], &[1, -2], &[-1, 2], &[-1, -2]]);
    assert_eq!(verdict(&twice, "d 1 2 0\nd 7 8 0\n1 0\n"), Ok(()));
    assert_eq!(verdict(&cnf(1, &[&[]]), ""), Ok(()));
    assert_eq!(verdict(&cnf(1, &[&[1, -1]]), "0\n"), Err(ProofFault::Step(0)));
}

#[test]
fn certified_answers_are_like_others() {
    let mut make =
        || Box::new(CertifyingSolver::new(built_in(), Certificates::default())) as Box<dyn SatSolver>;
    check_corners(&mut make);
    check_random(&mut make, 60);
}

/// Answers unsat to every question.
struct Liar(Cdcl);

impl Sink for Liar {
    fn new_var(&mut self) -> Lit {
        self.0.new_var()
    }

    fn add(&mut self, clause: &[Lit]) {
        self.0.add(clause);
    }
}

impl SatSolver for Liar {
    fn solve(&mut self, _: &[Lit], _: &SatLimits) -> SatAnswer {
        SatAnswer::Unsat
    }

    fn value(&mut self, lit: Lit) -> bool {
        self.0.value(lit)
    }

    fn core(&self) -> &[Lit] {
        &[]
    }

    fn prefer(&mut self, _: Lit) {}

    fn n_vars(&self) -> u32 {
        self.0.n_vars()
    }
}

#[test]
fn a_wrong_unsat_does_not_leave() {
    let certificates = Certificates::default();
    let mut solver = CertifyingSolver::new(Box::new(Liar(Cdcl::new())), certificates.clone());
    let x = solver.new_var();
    solver.add(&[x]);
    assert!(matches!(solver.solve(&[], &SatLimits::none()), SatAnswer::Unknown(SatStop::Unproved(_))));
    assert!(certificates.take().is_none());
    solver.add(&[!x]);
    assert_eq!(solver.solve(&[], &SatLimits::none()), SatAnswer::Unsat);
    let certificate = certificates.take().unwrap();
    assert_eq!(check(&certificate.cnf, &certificate.units, &certificate.proof, &SatLimits::none()), Ok(()));
}

#[test]
fn a_wish_to_stop_is_seen() {
    let cancel = Cancel::new();
    cancel.cancel();
    let limits = SatLimits { cancel, ..SatLimits::none() };
    let mut cnf = Cnf::new();
    add_pigeons(&mut cnf, 3);
    for &prover in PROVERS {
        assert_eq!(prove(&cnf, &[], &limits, prover), Err(SatStop::Cancelled));
    }
    let proof = prove(&cnf, &[], &SatLimits::none(), Prover::default()).unwrap();
    assert_eq!(check(&cnf, &[], &proof, &limits), Err(ProofFault::Cancelled));
}
