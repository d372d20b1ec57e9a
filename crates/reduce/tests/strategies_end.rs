//! Laws of all named strategies: they terminate on any bytes and any pure predicate, the result fails and is not larger,
//! an impossible predicate returns the input.

use nub_oracle::FnOracle;
use nub_process::Cancel;
use nub_reduce::strategies::{Recursion, ddsmt, sound};
use nub_reduce::{AllowedCandidates, Engine, Quiet, ReduceConfig, ReductionStop, smt::SmtLib};

const INPUTS: [&str; 2] = [
    include_str!("ddsmt/fig1.smt2"),
    "(set-logic ALL)(push 2)(assert (and (not (not p)) (< (+ 1 0 x) (* 1 x)) (< (* 1 x) y)))(pop 1)(push)
     (define-fun f ((b (_ BitVec 1))) (_ BitVec 1) (bvor (_ bv0 1) (ite true b #b1)))
     (assert (let ((x 1) (z (store a 1 2))) (forall ((y Int) (w Real)) (=> (not (= y 1)) (or false (> w (* 0 w)))))))",
];

fn check(text: &[u8], strategy: u8, fails: impl Fn(&[u8]) -> bool + Sync) {
    let oracle = FnOracle::new(&fails);
    for candidates in [AllowedCandidates::Any, AllowedCandidates::WellFormed] {
        let format = SmtLib::new(text, candidates);
        let config = ReduceConfig::default();
        let (result, after, stats) =
            Engine::run(&format, &oracle, text.to_vec(), config, &Cancel::new(), &mut Quiet, |engine| {
                match strategy {
                    0 => ddsmt(engine),
                    1 => sound(engine, Recursion::Iterative),
                    _ => sound(engine, Recursion::Recursive { max_states: Recursion::MAX_STATES }),
                }
            });
        assert!(matches!(result, Ok(()) | Err(ReductionStop::MaxStates)), "{result:?}");
        assert!(after.len() <= text.len());
        assert!(after == text || fails(&after));
        assert!(stats.accepted > 0 || after == text);
    }
}

/// An arbitrary predicate that holds for about one text in three.
fn odd(text: &[u8]) -> bool {
    text.iter()
        .fold(7u32, |hash, &byte| hash.wrapping_mul(31).wrapping_add(u32::from(byte)))
        .is_multiple_of(3)
}

#[test]
fn every_prefix_under_every_predicate() {
    for input in INPUTS {
        for end in (0..=input.len()).step_by(7) {
            let text = &input.as_bytes()[..end];
            for strategy in 0..2 {
                check(text, strategy, |_| true);
                check(text, strategy, |other| other == text);
                check(text, strategy, |other| other == text || odd(other));
            }
        }
        check(input.as_bytes(), 2, |other| other == input.as_bytes() || odd(other));
    }
}
