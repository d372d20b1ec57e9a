//! Reads files and checks widths; prints the speed and the faults.
//!
//! ```sh
//! cargo run --release -p nub-btor --example check -- FILE...
//! ```
#![allow(clippy::print_stdout, clippy::disallowed_methods)]

use nub_btor::{BtorDialect, BtorFile};
use std::time::Instant;

/// Runs per file. The fastest is reported: other programs share the machine.
const N_ROUNDS: usize = 20;

fn main() {
    for path in std::env::args().skip(1) {
        let Ok(text) = std::fs::read(&path) else {
            println!("{path}: cannot be read");
            continue;
        };
        let Some(dialect) = BtorDialect::guess(&text) else {
            println!("{path}: neither BTOR nor BTOR2");
            continue;
        };
        let mut fastest = f64::MAX;
        for _ in 0..N_ROUNDS {
            let start = Instant::now();
            let file = BtorFile::read(&text, dialect);
            fastest = fastest.min(start.elapsed().as_secs_f64());
            drop(file);
        }
        let speed = text.len() as f64 / 1e6 / fastest;
        let file = BtorFile::read(&text, dialect);
        let (n_lines, n_faults) = (file.lines().len(), file.n_faults());
        println!("{path}: {} {n_lines} lines {n_faults} faults {speed:.0} MB/s", dialect.name());
        for fault in file.faults().iter().take(3) {
            println!("  {:?}: {}", fault.kind, fault.diagnostic.message);
        }
    }
}
