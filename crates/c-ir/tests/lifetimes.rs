//! Where the variables of a block end, in the interpreter: a pointer to them dangles from there on, and only from there on.
#![allow(clippy::unwrap_used)]

use nub_c_ir::interp::{InterpretedRun, RunOutcome, RuntimeValue};
use nub_c_ir::{CheckKind, DataModel, InterpreterLimits, RunInputs, lower, run, validate};

fn run_body(body: &str) -> InterpretedRun {
    let text = format!("int f(void) {{ int x = 1; int *p = &x; {body} }}");
    let (unit, syntax) = nub_c_syntax::parse(text.as_bytes());
    assert!(syntax.is_empty(), "{syntax:?}\n{text}");
    let (program, _) = lower(&unit, &DataModel::lp64());
    validate(&program).unwrap();
    run(
        &program,
        program.function_by_name("f").unwrap(),
        &RunInputs::default(),
        &InterpreterLimits::default(),
    )
}

#[track_caller]
fn dangles(body: &str) {
    match run_body(body).outcome {
        RunOutcome::Undefined(CheckKind::Pointer, _) => {}
        other => panic!("{other:?}: {body}"),
    }
}

#[track_caller]
fn returns(body: &str, expected: u128) {
    let found = run_body(body);
    assert_eq!(
        (found.outcome, found.returned),
        (RunOutcome::Returned, Some(RuntimeValue::Int(expected))),
        "{body}"
    );
}

#[test]
fn a_pointer_dangles_after_the_block() {
    dangles("{ int y = 2; p = &y; } return *p;");
    dangles("{ int y[2] = { 2, 3 }; p = y + 1; } return *p;");
    dangles("if (x) { int y = 2; p = &y; } return *p;");
    dangles("for (int i = 0; i < 2; i++) p = &i; return *p;");
    dangles("for (;;) { int y = 2; p = &y; break; } return *p;");
    dangles("do { int y = 2; p = &y; if (x) continue; } while (*p > 5); return 0;");
    dangles("while (x) { int y = 2; p = &y; { int z = 3; p = &z; } x = *p; } return 0;");
    dangles("for (int i = 0; i < 2; i++) { int y = i; if (i) return *p; p = &y; } return 0;");
    dangles("switch (x) { case 1: { int y = 2; p = &y; break; } default: ; } return *p;");
    dangles("{ int y = 2; p = &y; goto end; } end: return *p;");
    dangles("for (int i = 0; i < 2; i++) { int y = 2; p = &y; if (x) goto end; } end: return *p;");
    dangles("again: if (x > 1) return *p; { int y = 2; p = &y; x++; goto again; }");
}

#[test]
fn a_pointer_lives_inside_of_the_block() {
    returns("{ int y = 2; p = &y; x = *p; } return x;", 2);
    returns("for (int i = 0; i < 3; i++) { int y = i; p = &y; if (i == 1) continue; x += *p; } return x;", 3);
    returns("{ int y = 2; p = &y; { int z = 3; int *q = &z; x = *q; } x += *p; } return x;", 5);
    returns("int y = 2; p = &y; return *p;", 2);
    returns("while (x < 3) { int y = x; p = &y; x = *p + 1; } return x;", 3);
}

/// A jump past the declaration finds the variable alive: such blocks do not end their variables.
#[test]
fn jumps_into_a_block() {
    returns(
        "for (int i = 0; i < 2; i++) switch (x) { int y; case 1: y = i; p = &y; x = *p + 1; } return x;",
        2,
    );
    returns("int y = 2; { p = &y; goto end; } end: return *p;", 2);
    returns("{ int y = 2; { p = &y; goto end; } end: return *p; }", 2);
    returns("int n = 0; { int y; again: y = n; p = &y; x = *p; } if (n++ < 2) goto again; return x;", 2);
}
