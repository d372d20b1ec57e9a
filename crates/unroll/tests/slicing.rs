//! The four examples of relevance in Weiler 2013, section 3.1.

#![allow(clippy::unwrap_used)] // A test may stop at what it does not expect.

mod common;

use common::{function, program};
use nub_c_ir::{InstrKind, Place, PlaceBase, Program};
use nub_unroll::{Goals, Slice, slice};
use std::collections::BTreeSet;

/// Lines of the stores that stay.
fn kept_lines(program: &Program, slice: &Slice) -> BTreeSet<u32> {
    let id = function(program, "f");
    let mut lines = BTreeSet::new();
    for (number, block) in program.function(id).blocks.iter().enumerate() {
        for (at, instr) in block.instrs.iter().enumerate() {
            let is_store = matches!(instr.kind, InstrKind::Store { .. });
            if is_store && slice.keeps(id, nub_c_ir::BlockId(number as u32), at) {
                lines.insert(instr.origin.position.line);
            }
        }
    }
    lines
}

#[track_caller]
fn check(text: &str, expected: &[u32], params: &[bool]) {
    let program = program(text);
    let slice = slice(&program, function(&program, "f"), Goals::default());
    assert_eq!(kept_lines(&program, &slice), expected.iter().copied().collect());
    assert_eq!(slice.relevant_params(), params);
}

#[test]
fn example_1_variables_and_instructions() {
    check(
        "int f(int n) { int a = 9, b, c, d, e;
            b = 1; e = b + 2; d = a + n;
            c = 7;
            b = n;
            a = b + 1;
            a += 3; a -= n; a /= 2; a *= 5; a %= 7;
            c = a++;
            c = a--;
            c = ++a;
            c = --a;
            if (a > 3)
                c = e + d;
            return c; }",
        &[4, 5, 6, 7, 8, 9, 10],
        &[true],
    );
}

#[test]
fn example_1_only_the_increment_is_relevant() {
    let text = "int f(int a) { int c; c = a++ * 3; if (a > 3) return 1; return 2; }";
    let program = program(text);
    let id = function(&program, "f");
    let slice = slice(&program, id, Goals::default());
    let body = program.function(id);
    let dropped: Vec<&str> = (body.blocks[0].instrs.iter().enumerate())
        .filter(|(at, _)| !slice.keeps(id, nub_c_ir::BlockId(0), *at))
        .filter_map(|(_, instr)| match &instr.kind {
            InstrKind::Store { place: Place { base: PlaceBase::Local(local), .. }, .. } => {
                Some(body.locals[local.index()].name.as_str())
            }
            _ => None,
        })
        .collect();
    assert_eq!(dropped, ["c"], "the increment stays, the product goes");
}

#[test]
fn example_2_parameters() {
    check(
        "int f(int w, int x, int z) { int y;
            y = x * 2;
            if (z > y) return w;
            return 0; }",
        &[2],
        &[false, true, true],
    );
}

#[test]
fn example_3_temporary_relevance() {
    check(
        "int f(int c) {
            int a;
            a = 1;
            a = c;
            c = 0;
            if (a > 2) return 1;
            return c; }",
        &[4],
        &[true],
    );
}

#[test]
fn example_4_alternate_paths() {
    check(
        "int f(int n) {
            int a;
            int b;
            int c;
            a = 1;
            b = 2;
            c = 3;
            if (n) {
                a = 1;
                a = b;
                b = 0;
                c = 0;
            } else {
                a = 1;
                a = c;
                b = 0;
                c = 0;
            }
            if (a > 2) return 1;
            return 0; }",
        &[6, 7, 10, 15],
        &[true],
    );
}

#[test]
fn calls_are_followed() {
    check(
        "static int g; static int h;
         static void set(int v, int w) { g = v; h = w; }
         int f(int a, int b) { int k;
            k = a + 1;
            set(k, b);
            if (g > 3) return 1;
            return h; }",
        &[4],
        &[true, false],
    );
}

#[test]
fn goals_can_ask_for_more() {
    let text = "int f(int a, int b) { int c;
            c = a / b;
            return c; }";
    let program = program(text);
    let id = function(&program, "f");
    let lines = |goals| kept_lines(&program, &slice(&program, id, goals));
    assert_eq!(lines(Goals::default()), BTreeSet::new());
    assert_eq!(lines(Goals { result: true, ..Goals::default() }), BTreeSet::from([2]));
    let checked = slice(&program, id, Goals { checks: true, ..Goals::default() });
    assert_eq!(checked.relevant_params(), [true, true]);
}
