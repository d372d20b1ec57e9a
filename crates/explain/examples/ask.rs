//! Explains preprocessed C files, for measurements: `cargo run --release -p nub-explain --example ask -- FILE.i...`.

#![allow(clippy::disallowed_methods, clippy::print_stdout)] // A separate program, not part of nub.

use nub_c_ir::DataModel;
use nub_explain::{ExplainOptions, Explanation, ProgramSource, explain, text};
use std::time::Instant;

fn main() {
    let mut options = ExplainOptions { max_runs: 20, ..ExplainOptions::default() };
    for path in std::env::args().skip(1) {
        if let Some(unwind) = path.strip_prefix("--unwind=").and_then(|text| text.parse().ok()) {
            options.unroll.unwind = unwind;
            continue;
        }
        if let Some(runs) = path.strip_prefix("--runs=").and_then(|text| text.parse().ok()) {
            options.max_runs = runs;
            continue;
        }
        let Ok(bytes) = std::fs::read(&path) else { continue };
        let start = Instant::now();
        let (unit, _) = nub_c_syntax::parse(&bytes);
        let (program, _) = nub_c_ir::lower(&unit, &DataModel::lp64());
        let Some(main) = program.function_by_name("main") else { continue };
        let source = ProgramSource { program: &program, text: &bytes, file: &path };
        let found = explain(source, main, &options);
        println!("== {path}: {:.3} s", start.elapsed().as_secs_f64());
        match found {
            Ok(found) => {
                print!("{}", text(&found));
                if let Explanation::Explained(story) = found {
                    let size = story.slices.first().map_or(0, Vec::len);
                    println!(
                        "{} slices of {size}, {} closest runs, {:?}, {:?}, trusted {:?}, {} others",
                        story.slices.len(),
                        story.n_runs,
                        story.assumptions,
                        story.notes,
                        story.trusted,
                        story.others.len(),
                    );
                }
            }
            Err(refusal) => println!("{refusal}"),
        }
    }
}
