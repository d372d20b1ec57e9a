//! The program dependence graph of preprocessed C as JSON, for comparing it with those of other tools.
//!
//! `cargo run -p nub-explain --example pdg -- FILE.i [ROOT]`

#![allow(clippy::print_stdout, clippy::disallowed_methods)] // A tool for developers reads arguments and prints.

use nub_explain::ProgramSource;
use nub_explain::pdg::{FileLine, Pdg};

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let Some(file) = args.first() else { return println!("FILE.i [ROOT] is expected") };
    let Ok(text) = std::fs::read(file) else { return println!("{file}: cannot be read") };
    let (unit, _) = nub_c_syntax::parse(&text);
    let (program, _) = nub_c_ir::lower(&unit, &nub_c_ir::DataModel::lp64());
    let root = args.get(1).map_or("main", String::as_str);
    let Some(root) = program.function_by_name(root) else { return println!("{file}: no function `{root}`") };
    let pdg = Pdg::new(ProgramSource { program: &program, text: &text, file }, root);
    let name = |line: &FileLine| format!("{}:{}", line.file.rsplit('/').next().unwrap_or(""), line.line);
    let nodes: Vec<String> = pdg.nodes.iter().map(name).collect();
    let edges: Vec<[&String; 2]> = pdg.edges.iter().map(|(from, to)| [&nodes[*from], &nodes[*to]]).collect();
    println!("{}", serde_json::json!({ "nodes": nodes, "edges": edges }));
}
