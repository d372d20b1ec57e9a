//! The law of replay on random programs.

#![allow(clippy::unwrap_used)] // A test may stop at what it does not expect.

mod common;

use common::{Random, Seen, check_run, generate, random_inputs, try_unroll_with};
use nub_c_ir::DataModel;
use nub_test_kit::for_all_seeds;
use nub_unroll::UnrollConfig;

/// How many runs of each program.
const N_RUNS: usize = 20;

/// How many programs; more with `NUB_FULL=1`.
fn n_programs() -> u64 {
    if std::env::var_os("NUB_FULL").is_some_and(|value| value == "1") { 10_000 } else { 100 }
}

fn config() -> UnrollConfig {
    let mut config = UnrollConfig::default();
    // Some programs have loops that never end.
    config.limits.max_constant_rounds = 16;
    config
}

#[test]
fn random_programs_replay() {
    let counts = for_all_seeds(0..n_programs(), |seed| {
        let mut n_whole = 0;
        let text = generate::program(&mut Random::new(seed));
        // Every third program runs on a big-endian machine.
        let model = if seed % 3 == 0 { "lp64be" } else { "lp64" };
        let (program, unrolled) = try_unroll_with(&text, &DataModel::by_name(model).unwrap(), &config());
        let unrolled = unrolled.unwrap_or_else(|refusal| panic!("seed {seed}: {refusal:?}\n{text}"));
        let seen = Seen::new(&unrolled);
        let mut random = Random::new(seed ^ 0xabcd);
        for _ in 0..N_RUNS {
            let values = random_inputs(&unrolled, &mut random);
            let check = std::panic::AssertUnwindSafe(|| check_run(&program, &seen, &values));
            let result = std::panic::catch_unwind(check);
            n_whole += usize::from(result.unwrap_or_else(|_| panic!("seed {seed}:\n{text}")));
        }
        n_whole
    });
    let (n_runs, n_whole) = (N_RUNS * counts.len(), counts.iter().sum::<usize>());
    assert!(n_whole * 5 > n_runs, "{n_whole} of {n_runs} runs were compared to their end");
}
