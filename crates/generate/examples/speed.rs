//! Measures how long a file takes, by size, and for comparison how long the system takes to write the same bytes to a file.
//!
//! `cargo run --release -p nub-generate --example speed [FORMAT]`. Uses the default options and reports the best of several rounds,
//! because other programs can only make a round slower.

#![allow(clippy::disallowed_methods, clippy::print_stdout, clippy::unwrap_used)] // a program for a developer's terminal

use nub_generate::{Files, FormulaFormat, GenerateConfig};
use std::io::Write;
use std::time::{Duration, Instant};

/// Total number of nodes in the files of one round: about a millisecond, shorter than a time slice of the system.
const NODES_PER_ROUND: u32 = 10_000;
const ROUNDS: usize = 200;

fn main() {
    let wanted = std::env::args_os().nth(1).unwrap_or_else(|| "btor".into());
    let format = FormulaFormat::ALL
        .into_iter()
        .find(|format| wanted == format.name())
        .expect("btor, btor2, smt2 or cnf");
    println!("{:>8} {:>9} {:>9} {:>9} {:>9} {:>7}", "n", "bytes", "us/file", "ns/node", "write us", "ratio");
    for nodes in [100, 1_000, 10_000, 100_000] {
        let config = GenerateConfig {
            nodes,
            vars: if format == FormulaFormat::Dimacs { nodes } else { 10 },
            ..GenerateConfig::default()
        };
        let mut files = Files::new(config, format).unwrap();
        let n_files = (NODES_PER_ROUND / nodes).max(1);
        let mut bytes = 0;
        let mut text = Vec::new();
        let generate = best(|| {
            bytes = 0;
            for seed in 0..u64::from(n_files) {
                text.clear();
                files.write(seed, &mut text).unwrap();
                bytes += text.len();
            }
        });
        let path = std::env::temp_dir().join(format!("nub-generate-speed-{}", std::process::id()));
        let n_writes = n_files.min(2_000);
        let write = best(|| {
            for _ in 0..n_writes {
                let mut file =
                    std::fs::OpenOptions::new().write(true).create(true).truncate(true).open(&path).unwrap();
                file.write_all(&text).unwrap();
            }
        });
        // The file was truncated above and is small: leaving it behind does no harm.
        let micros = |time: Duration, n: u32| time.as_secs_f64() * 1e6 / f64::from(n);
        let (generate, write) = (micros(generate, n_files), micros(write, n_writes));
        println!(
            "{nodes:>8} {:>9} {generate:>9.1} {:>9.1} {write:>9.1} {:>7.2}",
            bytes / n_files as usize,
            generate * 1e3 / f64::from(nodes),
            generate / write
        );
    }
}

fn best(mut round: impl FnMut()) -> Duration {
    let timed = (0..ROUNDS).map(|_| {
        let start = Instant::now();
        round();
        start.elapsed()
    });
    timed.min().unwrap_or_default()
}
