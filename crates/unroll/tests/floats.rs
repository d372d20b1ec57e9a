//! The law of replay on random programs with floating-point numbers.

#![allow(clippy::unwrap_used)] // A test may stop at what it does not expect.

mod common;

use common::{Random, Seen, check_run, try_unroll};
use nub_bitvec::{Assignment, Datum, Sort, Value};
use nub_test_kit::{FLOAT_HEAD, FloatPrograms, for_all_seeds};
use nub_unroll::{UnrollConfig, Unrolled};

/// How many runs of each program.
const N_RUNS: usize = 12;

/// How many programs; more with `NUB_FULL=1`.
fn n_programs() -> u64 {
    if std::env::var_os("NUB_FULL").is_some_and(|value| value == "1") { 10_000 } else { 60 }
}

/// Bits that matter to floats: special values, small numbers, neighbours of powers of two, or anything.
fn bits(random: &mut Random, width: u32) -> u64 {
    let small = [0.0, 1.0, -1.0, 0.5, 2.0, 3.0, -2.5, 10.0, 1e10, f64::NAN, f64::INFINITY, -0.0];
    let number = small[random.below(small.len() as u64) as usize];
    let word = random.below(1 << 31) << 33 ^ random.below(1 << 31) << 11 ^ random.below(1 << 31);
    match (random.below(3), width) {
        (0, 64) => number.to_bits(),
        (0, _) => u64::from((number as f32).to_bits()),
        (1, 64) => {
            (random.below(2048) << 52).wrapping_add(random.below(3)).wrapping_sub(1) | random.below(2) << 63
        }
        (1, _) => {
            (random.below(256) << 23).wrapping_add(random.below(3)).wrapping_sub(1) | random.below(2) << 31
        }
        _ => word,
    }
}

fn inputs(unrolled: &Unrolled, random: &mut Random) -> Assignment {
    let mut values = Assignment::new();
    for input in &unrolled.inputs {
        let Sort::Bits(width) = unrolled.pool.sort(input.term) else { continue };
        let bits = bits(random, width);
        values.set(
            input.term,
            Datum::Bits(Value::from_bits((0..width).map(|bit| bit < 64 && bits >> bit & 1 == 1))),
        );
    }
    values
}

#[test]
fn random_programs_with_floats_replay() {
    let first = std::env::var("NUB_SEED").ok().and_then(|text| text.parse().ok()).unwrap_or(1);
    let counts = for_all_seeds(first..first + n_programs(), |seed| {
        let mut n_whole = 0;
        // Half of them in all rounding modes.
        let mut random =
            if seed % 2 == 0 { FloatPrograms::with_modes(seed) } else { FloatPrograms::new(seed) };
        let text = format!("{FLOAT_HEAD}{}", random.function("f"));
        let (program, unrolled) = try_unroll(&text, &UnrollConfig::default());
        let unrolled = unrolled.unwrap_or_else(|refusal| panic!("seed {seed}: {refusal:?}\n{text}"));
        let seen = Seen::new(&unrolled);
        let mut random = Random::new(seed ^ 0xabcd);
        for _ in 0..N_RUNS {
            let values = inputs(&unrolled, &mut random);
            let check = std::panic::AssertUnwindSafe(|| check_run(&program, &seen, &values));
            let result = std::panic::catch_unwind(check);
            n_whole += usize::from(result.unwrap_or_else(|_| panic!("seed {seed}:\n{text}")));
        }
        n_whole
    });
    let (n_runs, n_whole) = (N_RUNS * counts.len(), counts.iter().sum::<usize>());
    assert!(n_whole * 2 > n_runs, "{n_whole} of {n_runs} runs were compared to their end");
}

/// The same operation on the same operands is one term: comparing a function with its copy costs nothing.
#[test]
fn equal_operations_are_one_term() {
    let text = "double g(double x, double y) { return x > y ? x - y * x / 3 : 0; }\n\
                double h(double x, double y) { return x > y ? x - y * x / 3 : 0; }\n\
                int f(double x, double y) { double a = g(x, y), b = h(x, y); return __builtin_memcmp(&a, &b, 8) == 0; }";
    let text = text.replace("__builtin_memcmp(&a, &b, 8) == 0", "*(long *)&a == *(long *)&b");
    let (_, unrolled) = common::unrolled(&text, &UnrollConfig::default());
    let result = unrolled.pool.value(unrolled.result.unwrap());
    assert_eq!(result.map(|value| value.to_u64()), Some(Some(1)));
}
