//! Parses preprocessed C files and prints which are refused, and the speed (best of three): `c_accept FILE...`
//!
//! With `--print` the tree is printed as C instead. With `--law` each accepted file is also printed, parsed and printed again.
#![allow(clippy::disallowed_methods, clippy::print_stdout, clippy::unwrap_used)] // A tool for developers.

use nub_c_syntax::{parse, print::print};
use nub_text::Severity;

/// Seconds to parse `text` once.
fn time(text: &[u8]) -> f64 {
    let start = std::time::Instant::now();
    std::hint::black_box(parse(text));
    start.elapsed().as_secs_f64()
}

fn main() {
    let (mut n_files, mut n_accepted, mut n_bytes, mut seconds) = (0, 0, 0, 0.0);
    let (mut is_law, mut is_print) = (false, false);
    for argument in std::env::args().skip(1) {
        if argument == "--print" {
            is_print = true;
            continue;
        }
        if argument == "--law" {
            is_law = true;
            continue;
        }
        let text = std::fs::read(&argument).unwrap();
        if is_print {
            println!("{}", print(&parse(&text).0));
            continue;
        }
        seconds += (0..3).map(|_| time(&text)).fold(f64::INFINITY, f64::min);
        let (unit, diagnostics) = parse(&text);
        n_files += 1;
        n_bytes += text.len();
        let error = diagnostics.iter().find(|it| it.severity == Severity::Error);
        n_accepted += usize::from(error.is_none());
        if let Some(error) = error {
            let place = unit.source_map.place(error.span.start);
            println!("{argument}: {}:{}:{}: {}", place.file, place.line, place.column, error.message);
        } else if is_law {
            let once = print(&unit);
            let (again, errors) = parse(once.as_bytes());
            let twice = print(&again);
            if let Some(error) = errors.iter().find(|it| it.severity == Severity::Error) {
                println!("LAW {argument}: {} in {:.300}", error.message, &once[error.span.start as usize..]);
            } else if once != twice {
                println!("LAW {argument}: printed twice, differs");
            }
        }
    }
    if is_print {
        return;
    }
    let rate = n_bytes as f64 / seconds / 1e6;
    println!("{n_accepted} of {n_files} accepted, {n_bytes} bytes in {seconds:.3} s: {rate:.1} MB/s");
}
