//! What is proved within a small bound holds within a large one: nothing infeasible is reached, and no set of tests is smaller than a lower bound
//! that was proved by goals that exclude each other.

#![allow(clippy::unwrap_used)] // A test may stop at what it does not expect.

mod common;

use nub_cover::goals::{Criterion, CriterionReading};
use nub_cover::report::CoverReport;
use nub_cover::{CoverOptions, Unwind};
use nub_random::Rng;
use nub_sat::SatLimits;
use nub_test_kit::for_all_seeds;
use std::fmt::Write;

fn condition(rng: &mut Rng) -> String {
    let simple = |rng: &mut Rng| {
        let (left, op) =
            (rng.pick(&["a", "b", "s", "a + b", "p[a]", "p[s & 7]"]), rng.pick(&["<", ">", "==", "!="]));
        format!("{left} {op} {}", rng.below(6))
    };
    match rng.below(3) {
        0 => format!("{} {} {}", simple(rng), rng.pick(&["&&", "||"]), simple(rng)),
        _ => simple(rng),
    }
}

fn statements(rng: &mut Rng, depth: u32, is_in_loop: bool, text: &mut String) {
    for _ in 0..1 + rng.below(3) {
        match rng.below(8) {
            0 | 1 if depth < 3 => {
                write!(text, "if ({}) {{ ", condition(rng)).unwrap();
                statements(rng, depth + 1, is_in_loop, text);
                text.push_str("} ");
            }
            2 | 3 if depth < 2 => {
                write!(text, "while ({}) {{ ", condition(rng)).unwrap();
                statements(rng, depth + 1, true, text);
                text.push_str("s++; a--; } ");
            }
            4 if depth > 0 => {
                let jumps: &[&str] =
                    if is_in_loop { &["break; ", "continue; ", "return s; "] } else { &["return s; "] };
                write!(text, "if ({}) {}", condition(rng), rng.pick(jumps)).unwrap();
            }
            5 => text.push_str("s = helper(s & 15, b); "),
            6 => text.push_str("switch (b) { case 1: s ^= 1; break; case 2: s++; default: a++; } "),
            _ => text.push_str(rng.pick(&["s += a; ", "b--; ", "a ^= b; ", "s &= 31; "])),
        }
    }
}

fn program(seed: u64) -> String {
    let mut rng = Rng::new(seed);
    let mut text = "static unsigned helper(unsigned n, unsigned k) { while (n > k) { if (n == 5) return 3; n--; } return n; }\n".to_owned();
    text.push_str("unsigned f(unsigned a, unsigned b, const unsigned char *p) { unsigned s = 0; ");
    statements(&mut rng, 0, false, &mut text);
    write!(text, "if ({}) s += 2; return s; }}", condition(&mut rng)).unwrap();
    text
}

fn report(text: &str, criterion: Criterion, unwind: u32, elements: u64) -> CoverReport {
    let mut options = CoverOptions {
        readings: vec![CriterionReading::new(criterion)],
        unwind: Unwind::Exactly(unwind),
        limits: SatLimits::none().with_conflicts(2_000),
        ..CoverOptions::default()
    };
    options.unroll.pointers.elements = elements;
    options.unroll.pointers.characters = elements;
    common::with_options(text, &options).unwrap_or_else(|error| panic!("{error:?}\n{text}"))
}

/// More with `NUB_FULL`.
fn n_programs() -> u64 {
    if std::env::var_os("NUB_FULL").is_some_and(|value| value == "1") { 300 } else { 14 }
}

#[test]
fn proofs_do_not_lean_on_the_bound() {
    let counts = for_all_seeds(0..n_programs(), |seed| {
        let mut n_infeasible = 0;
        let text = program(seed);
        let criterion = [Criterion::ConditionDecision, Criterion::Mcdc][seed as usize % 2];
        let (small, large) = (report(&text, criterion, 1, 2), report(&text, criterion, 3, 8));
        for (before, after) in small.goals.iter().zip(&large.goals) {
            assert!(
                before.state.word() != "infeasible" || after.state.word() == "infeasible",
                "{before:?}\n{after:?}\n{text}"
            );
            n_infeasible += usize::from(before.state.word() == "infeasible");
        }
        let needed = small.clique.len();
        let can_all = small.clique.iter().all(|member| {
            large.goals.iter().any(|goal| goal.id == member.goal && goal.state.word() == "covered")
        });
        assert!(!can_all || large.tests.len() >= needed, "{needed}, {}\n{text}", large.tests.len());
        (n_infeasible, usize::from(needed > 1 && small.unwind.is_some()))
    });
    let n_infeasible: usize = counts.iter().map(|counts| counts.0).sum();
    let n_bounds: usize = counts.iter().map(|counts| counts.1).sum();
    assert!(n_infeasible > 3 && n_bounds > 3, "{n_infeasible} {n_bounds}: nothing was tested");
}
