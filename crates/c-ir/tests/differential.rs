//! Random well-defined functions: the interpreter agrees with the compiled program.
//!
//! About 100 of 200 functions are well defined in the fast suite, about 10,200 of 18,000 with `NUB_FULL=1`; `NUB_SEED=n` starts elsewhere. Those that
//! are well defined for the interpreter also run without a report of the compiler's undefined behaviour sanitizer.
#![allow(clippy::unwrap_used)]

mod compiler;
mod random;

use nub_c_ir::interp::{RunOutcome, RuntimeValue};
use nub_c_ir::{Argument, DataModel, InterpreterLimits, Program, Recording, RunInputs, lower, run};
use nub_test_kit::for_all_seeds;
use random::{Generator, HEAD};
use std::fmt::Write;

const PER_FILE: usize = 50;

fn n_files() -> usize {
    if std::env::var_os("NUB_FULL").is_some_and(|value| value == "1") { 360 } else { 4 }
}

fn lowered(text: &str) -> Program {
    let (unit, syntax) = nub_c_syntax::parse(text.as_bytes());
    assert!(syntax.iter().all(|found| found.severity != nub_text::Severity::Error), "{syntax:?}\n{text}");
    let (program, diagnostics) = lower(&unit, &DataModel::lp64());
    let errors: Vec<_> =
        diagnostics.iter().filter(|found| found.severity == nub_text::Severity::Error).collect();
    assert!(errors.is_empty(), "{errors:?}\n{text}");
    nub_c_ir::validate(&program).unwrap_or_else(|fault| panic!("{fault}\n{text}"));
    program
}

/// What `call0`, `call1`... return. Only those that are well defined are listed.
fn interpreted(program: &Program, n_functions: usize) -> Vec<(usize, u128)> {
    let limits = InterpreterLimits { recording: Recording::Nothing, ..InterpreterLimits::default() };
    let mut results = Vec::new();
    for at in 0..n_functions {
        let start = program.function_by_name(&format!("call{at}")).unwrap();
        let found = run(program, start, &RunInputs::default(), &limits);
        match (found.outcome, found.returned) {
            (RunOutcome::Returned, Some(RuntimeValue::Int(bits))) => results.push((at, bits)),
            (RunOutcome::Undefined(..) | RunOutcome::StepLimit, _) => {}
            other => panic!("call{at}: {other:?}"),
        }
    }
    results
}

fn file(seed: u64) -> (String, usize) {
    let mut text = HEAD.to_owned();
    let mut earlier: Vec<String> = Vec::new();
    for at in 0..PER_FILE {
        let name = format!("f{at}");
        let (function, args) = Generator::new(seed * 1000 + at as u64).function(&name, &earlier);
        text.push_str(&function);
        // Statics are not restored between calls: functions do not write them.
        writeln!(text, "unsigned long long call{at}(void) {{ return {name}({}); }}", args.join(", "))
            .unwrap();
        let holes: Vec<&str> = args.iter().map(|_| "ARG").collect();
        // Short ones only, or calls multiply.
        if function.len() < 1500 && earlier.len() < 4 {
            earlier.push(format!("{name}({})", holes.join(", ")));
        }
    }
    (text, PER_FILE)
}

#[test]
fn the_interpreter_agrees_with_the_compiler() {
    let first = std::env::var("NUB_SEED").ok().and_then(|text| text.parse().ok()).unwrap_or(1);
    let n_compared: Option<Vec<usize>> = for_all_seeds(first..first + n_files() as u64, |seed| {
        let (text, n_functions) = file(seed);
        let program = lowered(&text);
        let expected = interpreted(&program, n_functions);
        let mut source = text.clone();
        source.push_str("int printf(const char *, ...);\nint main(void) {\n");
        for (at, _) in &expected {
            writeln!(source, "printf(\"{at} %llx\\n\", call{at}());").unwrap();
        }
        source.push_str("return 0;\n}\n");
        let options = ["-O1", "-fsanitize=undefined", "-fno-sanitize-recover=all"];
        let found = compiler::compile_and_run(&source, &options)?;
        for ((at, bits), line) in expected.iter().zip(found.lines()) {
            assert_eq!(format!("{at} {bits:x}"), line, "seed {seed}, interpreter before compiler\n{text}");
        }
        assert_eq!(found.lines().count(), expected.len());
        Some(expected.len())
    })
    .into_iter()
    .collect();
    // Without a compiler there is nothing to compare with.
    let Some(n_compared) = n_compared else { return };
    let n_compared: usize = n_compared.iter().sum();
    println!("{n_compared} of {} functions are well defined and agree", n_files() * PER_FILE);
    assert!(n_compared > n_files() * PER_FILE / 3, "only {n_compared} functions were well defined");
}

#[test]
fn arguments_reach_parameters() {
    let program = lowered("int f(short x, unsigned char y) { return x * 2 + y; }\n");
    let start = program.function_by_name("f").unwrap();
    let arguments = vec![Argument::Int(0x1_fffe), Argument::Int(300)];
    let found =
        run(&program, start, &RunInputs { arguments, ..RunInputs::default() }, &InterpreterLimits::default());
    assert_eq!(found.returned, Some(RuntimeValue::Int(40)));
}
