//! Lowers preprocessed C files and prints what is refused; with `--dump` also the control flow graphs, with `--run` how `main` ends on zeros.
//!
//! `cargo run --release -p nub-c-ir --example lower -- [--dump] [--run] FILE.i...`

#![allow(clippy::print_stdout, clippy::disallowed_methods)] // A tool for developers reads arguments and prints.

use nub_c_ir::{DataModel, FunctionId, InterpreterLimits, Program, RunInputs, dump, lower};

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let (flags, files): (Vec<String>, Vec<String>) = args.into_iter().partition(|arg| arg.starts_with("--"));
    let is_dump = flags.iter().any(|flag| flag == "--dump");
    let is_run = flags.iter().any(|flag| flag == "--run");
    let mut n_accepted = 0;
    for file in &files {
        let Ok(bytes) = std::fs::read(file) else {
            println!("{file}: cannot be read");
            continue;
        };
        let (unit, syntax) = nub_c_syntax::parse(&bytes);
        let (program, _) = lower(&unit, &DataModel::lp64());
        let errors = syntax.iter().filter(|found| found.severity == nub_text::Severity::Error);
        let mut reasons: Vec<String> = errors.map(|found| format!("syntax: {}", found.message)).collect();
        reasons.extend(reached(&program));
        if reasons.is_empty() {
            n_accepted += 1;
            let outcome = if is_run { format!(" {:?}", outcome(&program)) } else { String::new() };
            println!("{file}: accepted{outcome}");
        } else {
            println!("{file}: {}", reasons.join("; "));
        }
        if is_dump {
            for index in 0..program.functions.len() {
                let id = FunctionId(index as u32);
                println!("{}{}", dump::function(&program, id), dump::decisions(&program, id));
            }
        }
    }
    println!("{n_accepted} of {} accepted", files.len());
}

/// How `main` ends if all inputs are zero.
fn outcome(program: &Program) -> Option<(nub_c_ir::interp::RunOutcome, usize)> {
    let main = program.function_by_name("main")?;
    let run = nub_c_ir::run(program, main, &RunInputs::default(), &InterpreterLimits::default());
    Some((run.outcome, run.n_inputs))
}

/// Refusals from `main`, or from every function with a body if there is none.
fn reached(program: &Program) -> Vec<String> {
    let starts: Vec<FunctionId> = match program.function_by_name("main") {
        Some(main) => vec![main],
        None => (0..program.functions.len())
            .map(|index| FunctionId(index as u32))
            .filter(|id| !matches!(program.function(*id).body, nub_c_ir::Body::Missing))
            .collect(),
    };
    let mut reasons: Vec<String> =
        starts.iter().flat_map(|id| program.refusals(*id)).map(|found| found.message).collect();
    if starts.is_empty() {
        reasons.push("no function".into());
    }
    reasons
}
