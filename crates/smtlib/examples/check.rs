//! Prints what the analysis finds in files: `check FILE…`. Errors, unknown symbols, throughput.
//!
//! `--sorts` also prints the sort of every term; `--unknown` prints the terms whose sort is unknown.
#![allow(clippy::disallowed_methods, clippy::print_stdout)]

use nub_smtlib::{NodeId, Script, SortId};
use nub_text::LineIndex;
use std::time::Instant;

fn main() {
    let (mut n_bytes, mut n_terms, mut n_unknown) = (0, 0u64, 0u64);
    let show_unknown = std::env::args().any(|arg| arg == "--unknown");
    let (mut parsing, mut analysing) = (0.0, 0.0);
    let show_sorts = std::env::args().any(|arg| arg == "--sorts");
    for path in std::env::args().skip(1).filter(|arg| !arg.starts_with("--")) {
        let Ok(text) = std::fs::read(&path) else {
            println!("{path}: cannot be read");
            continue;
        };
        let (seconds, (script, diagnostics)) = fastest(|| Script::parse(&text));
        parsing += seconds;
        let (seconds, analysis) = fastest(|| script.analyse());
        analysing += seconds;
        n_bytes += text.len();
        let lines = LineIndex::new(&text);
        let place = |offset: u32| {
            let place = lines.place(offset as usize);
            format!("{path}:{}:{}", place.line, place.column)
        };
        for finding in diagnostics.iter().chain(analysis.errors()) {
            let hint = finding.hint.as_deref().unwrap_or("");
            println!("{}: error: {} ({hint})", place(finding.span.start), finding.message);
        }
        for &node in analysis.unknown() {
            let name = String::from_utf8_lossy(script.slice(node));
            println!("{}: unknown: {name}", place(script.tree().span(node).start));
        }
        for node in script.tree().nodes() {
            if let Some(sort) = analysis.sort_of(node) {
                n_terms += 1;
                n_unknown += (sort == SortId::UNKNOWN) as u64;
                if show_unknown && sort == SortId::UNKNOWN {
                    let bytes = script.slice(node);
                    let shown = String::from_utf8_lossy(&bytes[..bytes.len().min(70)]);
                    println!("{}: no sort: {shown:?}", place(script.tree().span(node).start));
                }
            }
        }
        if show_sorts {
            for node in script.tree().nodes() {
                show(&script, &analysis, node);
            }
        }
    }
    println!("{n_terms} terms, {n_unknown} of unknown sort");
    let speed = |seconds: f64| n_bytes as f64 / 1e6 / seconds;
    println!("{n_bytes} bytes, parse {:.0} MB/s, analyse {:.0} MB/s", speed(parsing), speed(analysing));
}

/// The shortest time of a few runs, and the last result: other programs share the machine.
fn fastest<T>(mut job: impl FnMut() -> T) -> (f64, T) {
    const N_RUNS: usize = 5;
    let mut least = f64::INFINITY;
    let mut last = None;
    for _ in 0..N_RUNS {
        drop(last.take());
        let start = Instant::now();
        last = Some(job());
        least = least.min(start.elapsed().as_secs_f64());
    }
    (least, last.expect("ran at least once"))
}

fn show(script: &Script, analysis: &nub_smtlib::Analysis, node: NodeId) {
    if let Some(sort) = analysis.sort_of(node) {
        let sort = analysis.sort_text(script, sort, 200).unwrap_or_else(|| b"?".to_vec());
        println!("{} : {}", String::from_utf8_lossy(script.slice(node)), String::from_utf8_lossy(&sort));
    }
}
