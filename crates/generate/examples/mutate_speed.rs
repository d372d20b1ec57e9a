//! Measures how long a mutant takes: per seed file, and per technique over all files.
//!
//! `cargo run --release -p nub-generate --example mutate_speed FILE...`. Reports the best of several rounds.

#![allow(clippy::disallowed_methods, clippy::print_stdout, clippy::unwrap_used)] // a program for a developer's terminal

use nub_generate::{FormulaMutator, KindSet, MutateConfig, MutationKind};
use std::time::{Duration, Instant};

const ROUNDS: usize = 5;
const N_MUTANTS: u32 = 200;

fn main() {
    let names: Vec<_> = std::env::args_os().skip(1).collect();
    let files: Vec<Vec<u8>> = names.iter().map(|name| std::fs::read(name).unwrap()).collect();
    println!("{:>9} {:>9} {:>9}  file", "bytes", "read us", "us/mutant");
    for (name, text) in names.iter().zip(&files) {
        let start = Instant::now();
        let (mutator, skipped) = FormulaMutator::new(vec![text.clone()], MutateConfig::default());
        let read = start.elapsed().as_micros();
        match skipped.first() {
            Some(skipped) => {
                println!("{:>9} {read:>9} {:>9}  {}: {}", text.len(), "-", name.display(), skipped.reason)
            }
            None => {
                println!("{:>9} {read:>9} {:>9.1}  {}", text.len(), per_mutant(&mutator).0, name.display())
            }
        }
    }
    println!("\n{:>9} {:>9}  technique", "us/draw", "mutants");
    for &kind in MutationKind::ALL {
        let config =
            MutateConfig { kinds: KindSet::NONE.with(kind), max_mutations: 1, ..MutateConfig::default() };
        let (micros, n_made) = per_mutant(&FormulaMutator::new(files.clone(), config).0);
        println!("{micros:>9.1} {n_made:>9}  {}", kind.name());
    }
}

/// Microseconds per seed number, and how many seed numbers gave a mutant.
fn per_mutant(mutator: &FormulaMutator) -> (f64, usize) {
    let mut n_made = 0;
    let round = |_| {
        let start = Instant::now();
        let mut text = Vec::new();
        n_made = 0;
        for seed in 0..u64::from(N_MUTANTS) {
            text.clear();
            n_made += usize::from(mutator.write(seed, &mut text).is_some());
        }
        start.elapsed()
    };
    let best = (0..ROUNDS).map(round).min().unwrap_or(Duration::ZERO);
    (best.as_secs_f64() * 1e6 / f64::from(N_MUTANTS), n_made)
}
