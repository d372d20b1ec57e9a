//! The law of replay on random programs, and that slicing keeps decisions.

#![allow(clippy::unwrap_used)] // A test may stop at what it does not expect.

mod common;

use common::{Random, Seen, check_run, function, generate, random_inputs, story_of_terms, try_unroll};
use nub_bitvec::Assignment;
use nub_unroll::{Config, Goals, slice, unroll_slice};

/// How many programs; `NUB_FULL=1` asks for more.
fn n_programs() -> u64 {
    if std::env::var_os("NUB_FULL").is_some_and(|value| value == "1") { 10_000 } else { 100 }
}

fn config() -> Config {
    let mut config = Config::default();
    // Some programs have loops that never end.
    config.limits.max_constant_rounds = 16;
    config
}

#[test]
fn random_programs_replay() {
    let (mut n_runs, mut n_whole) = (0, 0);
    for seed in 0..n_programs() {
        let text = generate::program(&mut Random(seed));
        let (program, unrolled) = try_unroll(&text, &config());
        let unrolled = unrolled.unwrap_or_else(|refusal| panic!("seed {seed}: {refusal:?}\n{text}"));
        let seen = Seen::new(&unrolled);
        let mut random = Random(seed ^ 0xabcd);
        for _ in 0..20 {
            let values = random_inputs(&unrolled, &mut random);
            let check = std::panic::AssertUnwindSafe(|| check_run(&program, &seen, &values));
            let result = std::panic::catch_unwind(check);
            n_runs += 1;
            n_whole += usize::from(result.unwrap_or_else(|_| panic!("seed {seed}:\n{text}")));
        }
    }
    assert!(n_whole * 5 > n_runs, "{n_whole} of {n_runs} runs were compared to their end");
}

#[test]
fn slicing_keeps_decisions() {
    let mut n_dropped = 0;
    for seed in 0..n_programs() {
        let text = generate::program(&mut Random(seed));
        let (program, whole) = try_unroll(&text, &config());
        let (id, whole) = (function(&program, "f"), whole.unwrap());
        let slice = slice(&program, id, Goals::default());
        let sliced = unroll_slice(&program, id, &config(), &slice).unwrap();
        n_dropped += whole.assignments.len().saturating_sub(sliced.assignments.len());
        let (seen, seen_sliced) = (Seen::new(&whole), Seen::new(&sliced));
        let mut random = Random(seed);
        for _ in 0..10 {
            let values = random_inputs(&whole, &mut random);
            let mut same = Assignment::new();
            for input in &sliced.inputs {
                let twin = whole.inputs.iter().find(|other| other.name == input.name).unwrap();
                same.set(input.term, values.get(twin.term).unwrap().clone());
            }
            let expected = story_of_terms(&program, &whole, &seen.run(&values), &[]);
            let found = story_of_terms(&program, &sliced, &seen_sliced.run(&same), &[]);
            assert_eq!(
                (found.statements, found.decided),
                (expected.statements, expected.decided),
                "seed {seed}:\n{text}"
            );
        }
    }
    assert!(n_dropped > 500, "only {n_dropped} assignments were dropped");
}
