//! Reads files, prints what is wrong with them and how long reading took: `read FILE…`.
#![allow(clippy::disallowed_methods, clippy::print_stdout)]

use nub_dimacs::{DimacsFile, DimacsKind, guess};
use nub_text::LineIndex;
use std::time::Instant;

/// Runs per file. The fastest one is reported: other programs share the machine.
const N_RUNS: usize = 5;
/// Findings shown per file.
const MAX_SHOWN: usize = 20;

fn main() {
    for path in std::env::args().skip(1) {
        let Ok(text) = std::fs::read(&path) else {
            println!("{path}: cannot be read");
            continue;
        };
        let kind = guess(&text).unwrap_or(DimacsKind::Cnf);
        let mut least = f64::INFINITY;
        for _ in 0..N_RUNS {
            let copy = text.clone();
            let start = Instant::now();
            let file = DimacsFile::read(copy, kind);
            least = least.min(start.elapsed().as_secs_f64());
            drop(file);
        }
        let file = DimacsFile::read(text, kind);
        let lines = LineIndex::new(file.text());
        for fault in file.faults().iter().take(MAX_SHOWN) {
            let place = lines.place(fault.span.start as usize);
            println!("{path}:{}:{}: {}", place.line, place.column, fault.to_diagnostic().message);
        }
        let (n_clauses, n_literals) = (file.clauses().len(), file.literals().len());
        let speed = file.text().len() as f64 / 1e6 / least;
        println!("{path}: {kind:?}, {n_clauses} clauses, {n_literals} literals, {speed:.0} MB/s");
    }
}
