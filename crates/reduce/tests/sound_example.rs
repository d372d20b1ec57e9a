//! Figure 3.2 of [Mafteiu20], and what its two approaches have in common.

mod common;

use common::{normal, reduce};
use nub_reduce::ReductionStop;
use nub_reduce::strategies::{Recursion, sound};

const ORIGINAL: &str = include_str!("sound/fig3_2a.smt2");
const FIRST_SUCCESS: &str = include_str!("sound/fig3_2b.smt2");
const FINAL: &str = include_str!("sound/fig3_2c.smt2");

const ALL_STATES: Recursion = Recursion::Recursive { max_states: Recursion::MAX_STATES };

fn has_root_cause(text: &str) -> bool {
    text.contains("(= (* v v) 0)")
}

#[test]
fn figure_3_2() {
    for recursion in [Recursion::Iterative, ALL_STATES] {
        let (accepted, result) = reduce(ORIGINAL, has_root_cause, |engine| sound(engine, recursion));
        assert_eq!(accepted[0], normal(FIRST_SUCCESS), "{recursion:?}");
        assert_eq!(result, normal(FINAL), "{recursion:?}");
    }
}

const TABLE: &str = "(declare-const a Int)(declare-const b Int)(declare-const p Bool)(declare-const q Bool)
(push 1)
(assert (and (and (or p) q) (not (not (< a b)))))
(assert (= (+ (+ 1 2) 0) (* 2 0) (* 2 1)))
(pop 1)
(assert (or (not (>= a b)) (not false) (let ((x 1) (y 2)) (= 5 y))))
(assert (and (< a b) (< b 1)))
(check-sat)
";

#[test]
fn every_row_of_the_table() {
    let (_, result) = reduce(TABLE, |_| true, |engine| sound(engine, Recursion::Iterative));
    let expected = "(declare-const a Int)(declare-const b Int)(declare-const p Bool)(declare-const q Bool)
        (push 1)
        (assert (and p q (< a b)))
        (assert (= (+ 1 2) 0 2))
        (pop 1)
        (assert (or (< a b) true (let ((y 2)) (= 5 y))))
        (assert (< a b 1))
        (check-sat)";
    assert_eq!(result, normal(expected));
}

#[test]
fn the_recursive_approach_is_no_worse() {
    // The iterative approach applies the rule at both places together, fails, and gives up; each alone would
    // succeed.
    let text = "(declare-const p Bool)(assert (= (and p) (or p)))(check-sat)";
    let fails = |text: &str| text.contains("(and p)") || text.contains("(or p)");
    let (_, iterative) = reduce(text, fails, |engine| sound(engine, Recursion::Iterative));
    assert_eq!(iterative, normal(text));
    let (_, recursive) = reduce(text, fails, |engine| sound(engine, ALL_STATES));
    assert_eq!(recursive, normal("(declare-const p Bool)(assert (= p (or p)))(check-sat)"));
}

#[test]
fn the_smallest_state_is_kept() {
    // `distinct` is longer than `not` over `=`: a valid state, but not the result.
    let text = "(declare-const p Bool)(assert (not (= p true)))";
    let (accepted, result) = reduce(text, |_| true, |engine| sound(engine, Recursion::Iterative));
    assert_eq!(accepted[0], normal("(declare-const p Bool)(assert (distinct p true))"));
    assert_eq!(result, normal(text));
}

#[test]
fn the_number_of_states_is_bounded() {
    // Forty places: 2^40 states without the limit.
    let asserts: String = (0..40).map(|_| "(assert (not (not p)))").collect();
    let text = format!("(declare-const p Bool){asserts}");
    let (_, result) = reduce(
        &text,
        |_| true,
        |engine| {
            let result = sound(engine, Recursion::Recursive { max_states: 100 });
            assert_eq!(result, Err(ReductionStop::MaxStates), "it says that it did not see all");
            assert_eq!(engine.stats().asks, 100);
            let double_negation = &engine.stats().passes["double-negation"];
            assert_eq!(
                (double_negation.asks, double_negation.accepted, double_negation.bytes),
                (100, 40, 40 * 12)
            );
            Ok(())
        },
    );
    assert!(!result.contains("not"), "whole chains are seen before the limit: {result}");
}

#[test]
fn a_search_that_is_complete_says_so() {
    let text = "(declare-const p Bool)(assert (not (not p)))(assert (not (not p)))";
    for (max_states, expected) in [(2, Err(ReductionStop::MaxStates)), (3, Ok(()))] {
        reduce(
            text,
            |_| true,
            |engine| {
                assert_eq!(sound(engine, Recursion::Recursive { max_states }), expected);
                Ok(())
            },
        );
    }
}
