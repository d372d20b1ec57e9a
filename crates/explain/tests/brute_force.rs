//! The closest run of random small programs, compared with all runs.

#![allow(clippy::unwrap_used)] // A test may stop at what it does not expect.

mod common;

use common::{program, try_ask};
use nub_bitvec::{Assignment, Datum, Evaluator, Value};
use nub_c_ir::interp::Outcome;
use nub_c_ir::{DecisionKind, LocalKind, Program};
use nub_explain::{Explanation, Options, Story};
use nub_unroll::{Config, ObjectKind, Target, Unrolled, What, interpreter_inputs, unroll};
use std::fmt::Write;

/// Inputs are from 0 to 3.
const RANGE: u64 = 4;
const N_INPUTS: usize = 3;

struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }

    fn pick(&mut self, from: &[&str]) -> String {
        from[self.below(from.len() as u64) as usize].to_owned()
    }

    fn expr(&mut self) -> String {
        let operand = |random: &mut Random| random.pick(&["a", "b", "c", "x", "y", "z", "1", "2"]);
        match self.below(3) {
            0 => operand(self),
            _ => format!("{} {} {}", operand(self), self.pick(&["+", "-", "&", "^"]), operand(self)),
        }
    }

    fn condition(&mut self) -> String {
        let compare = |random: &mut Random| {
            format!(
                "{} {} {}",
                random.expr_in_parentheses(),
                random.pick(&["<", ">", "==", "!="]),
                random.below(4)
            )
        };
        match self.below(4) {
            0 => format!("{} {} {}", compare(self), self.pick(&["&&", "||"]), compare(self)),
            _ => compare(self),
        }
    }

    fn expr_in_parentheses(&mut self) -> String {
        format!("({})", self.expr())
    }

    fn statement(&mut self, depth: u32, out: &mut String) {
        let target = self.pick(&["x", "y", "z"]);
        match self.below(if depth == 0 { 2 } else { 5 }) {
            0 | 1 => _ = writeln!(out, "{target} = {};", self.expr()),
            2 | 3 => {
                let _ = writeln!(out, "if ({}) {{", self.condition());
                self.statement(depth - 1, out);
                if self.below(2) == 0 {
                    out.push_str("} else {\n");
                    self.statement(depth - 1, out);
                }
                out.push_str("}\n");
            }
            _ => {
                let _ = writeln!(out, "for (int i = 0; i < {}; i++) {{", self.pick(&["a", "2", "b"]));
                self.statement(depth - 1, out);
                out.push_str("}\n");
            }
        }
    }

    fn program(&mut self) -> String {
        let mut out = "void __CPROVER_assert(int, const char *); void __CPROVER_assume(int);\n".to_owned();
        out.push_str("void f(int a, int b, int c) {\n");
        for name in ["a", "b", "c"] {
            let _ = writeln!(out, "__CPROVER_assume({name} >= 0 && {name} < {RANGE});");
        }
        out.push_str("int x = 0, y = a, z = 1;\n");
        for _ in 0..3 + self.below(3) {
            self.statement(2, &mut out);
        }
        let _ = writeln!(out, "__CPROVER_assert({}, \"\");\n}}", self.condition());
        out
    }
}

fn all_inputs() -> Vec<[u64; N_INPUTS]> {
    let number = |n: u64| [n % RANGE, n / RANGE % RANGE, n / RANGE / RANGE];
    (0..RANGE.pow(N_INPUTS as u32)).map(number).collect()
}

fn assignment(unrolled: &Unrolled, inputs: &[u64]) -> Assignment {
    let mut values = Assignment::new();
    for (input, value) in unrolled.inputs.iter().zip(inputs) {
        values.set(input.term, Datum::Bits(Value::from_u64(32, *value)));
    }
    values
}

/// The convention once more, written for functions whose inputs are parameters.
fn counts(program: &Program, unrolled: &Unrolled, found: &nub_unroll::Assignment) -> bool {
    let is_temporary = match found.target {
        Target::Part { object, .. } => match unrolled.objects[object.index()].kind {
            ObjectKind::Local { function, local, .. } => {
                program.function(function).locals[local.index()].kind == LocalKind::Temporary
            }
            _ => false,
        },
        _ => false,
    };
    let is_assertion = matches!(found.what, What::Guard(Some(test))
        if program.decisions[test.decision.index()].kind == DecisionKind::Assertion);
    !is_temporary && !is_assertion && found.what != What::Temporary
}

/// Checks one program. True if there was something to explain.
fn check(text: &str) -> bool {
    let program = program(text);
    let function = program.function_by_name("f").unwrap();
    let unrolled = unroll(&program, function, &Config::default()).unwrap();
    assert_eq!(unrolled.inputs.len(), N_INPUTS);
    let outcome = |inputs: &[u64]| {
        let inputs = interpreter_inputs(&program, &unrolled, &assignment(&unrolled, inputs)).unwrap();
        nub_c_ir::run(&program, function, &inputs, &nub_c_ir::Limits::default()).outcome
    };
    let runs = all_inputs();
    let fails = |run: &&[u64; N_INPUTS]| matches!(outcome(*run), Outcome::AssertionFailed(..));
    let passing: Vec<_> = runs.iter().filter(|run| outcome(*run) == Outcome::Returned).collect();
    let n_failing = runs.iter().filter(fails).count();
    let story: Story = match try_ask(text, &Options::default()).unwrap() {
        Explanation::NoViolation { .. } => {
            assert_eq!(n_failing, 0, "{text}");
            return false;
        }
        Explanation::NoPassingRun { .. } => {
            assert!(n_failing > 0 && passing.is_empty(), "{text}");
            return false;
        }
        Explanation::Explained(story) => *story,
    };
    let values = |run: &nub_explain::RunValues| -> Vec<u64> {
        run.inputs.iter().map(|input| input.value.parse().unwrap()).collect()
    };
    let failing = values(&story.failing);
    assert!(matches!(outcome(&failing), Outcome::AssertionFailed(..)), "{text}");
    let terms: Vec<_> = (unrolled.assignments.iter())
        .filter(|found| counts(&program, &unrolled, found))
        .map(|found| found.term)
        .collect();
    let evaluator = Evaluator::new(&unrolled.pool, &terms);
    let before = evaluator.run(&assignment(&unrolled, &failing));
    let distance = |run: &[u64]| {
        let after = evaluator.run(&assignment(&unrolled, run));
        before.iter().zip(&after).filter(|(a, b)| a != b).count()
    };
    let least = passing.iter().map(|run| distance(*run)).min().unwrap();
    assert_eq!((story.distance.lower, story.distance.upper), (least, least), "{text}");
    assert_eq!(distance(&values(&story.passing)), least, "{text}");
    check_slices(&story, text);
    true
}

fn check_slices(story: &Story, text: &str) {
    assert!(!story.slices.is_empty(), "{text}");
    let size = story.slices[0].len();
    assert!(size > 0 && size <= story.deltas.len(), "{text}");
    for (index, slice) in story.slices.iter().enumerate() {
        assert_eq!(slice.len(), size, "{text}");
        assert!(slice.windows(2).all(|pair| pair[0] < pair[1]), "{text}");
        assert!(!story.slices[..index].contains(slice), "{text}");
    }
}

#[test]
fn closest_runs_are_closest() {
    let mut random = Random(1);
    let n_explained = (0..150).filter(|_| check(&random.program())).count();
    assert!(n_explained >= 50, "{n_explained}");
}
