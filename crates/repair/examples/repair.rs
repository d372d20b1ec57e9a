//! Ranks the lines of preprocessed C files by repair, as JSON: one object per file.
//!
//! `cargo run --release -p nub-repair --example repair -- [--unwind N] [--trust FUNCTION]... [--points] FILE.i...`
//!
//! With `--points` the order is by point repair and damage alone, the baseline that the ranking is compared with.

#![allow(clippy::print_stdout, clippy::disallowed_methods)] // A tool for developers reads arguments and prints.

use nub_c_ir::DataModel;
use nub_c_ir::ProgramSource;
use nub_repair::{Macros, RepairSettings, rank};

fn main() {
    let mut settings = RepairSettings::default();
    let mut files = Vec::new();
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--unwind" => settings.unroll.unwind = args.next().and_then(|n| n.parse().ok()).unwrap_or(8),
            "--trust" => settings.trusted.extend(args.next()),
            "--no-proofs" => settings.n_proofs = 0,
            "--points" => (settings.points_only, settings.n_proofs) = (true, 0),
            _ => files.push(arg),
        }
    }
    for file in &files {
        println!("{}", one(file, &settings));
    }
}

fn one(file: &str, settings: &RepairSettings) -> String {
    let Ok(text) = std::fs::read(file) else { return "null".to_owned() };
    let (unit, _) = nub_c_syntax::parse(&text);
    let (program, _) = nub_c_ir::lower(&unit, &DataModel::lp64());
    let Some(main) = program.function_by_name("main") else { return "null".to_owned() };
    let originals: Vec<(String, Vec<u8>)> =
        program.files.iter().filter_map(|name| Some((name.clone(), std::fs::read(name).ok()?))).collect();
    let originals: Vec<(&str, &[u8])> =
        originals.iter().map(|(name, text)| (name.as_str(), text.as_slice())).collect();
    let source = ProgramSource { program: &program, text: &text, file };
    match rank(source, main, &Macros::new(&originals), settings) {
        Ok(ranking) => serde_json::to_string(&ranking).unwrap_or_default(),
        Err(refusal) => serde_json::json!({ "refusal": refusal.to_string() }).to_string(),
    }
}
