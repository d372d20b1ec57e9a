//! Random small programs with few runs, and what the laws need to know about them.

use nub_bitvec::{Assignment, Datum, Value};
use nub_c_ir::{DecisionKind, LocalKind, Program};
use nub_random::Rng;
use nub_unroll::{AssignmentTarget, ObjectKind, Unrolled, What};
use std::fmt::Write;

/// Inputs are from 0 to 3.
pub const RANGE: u64 = 4;
pub const N_INPUTS: usize = 3;

/// Small programs from a seed.
pub struct Random(Rng);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(Rng::new(seed))
    }

    pub fn below(&mut self, limit: u64) -> u64 {
        self.0.below(limit)
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

    /// The text of a program with a function `f` of three inputs.
    pub fn program(&mut self) -> String {
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

/// A run.
pub fn assignment(unrolled: &Unrolled, inputs: &[u64]) -> Assignment {
    let mut values = Assignment::new();
    for (input, value) in unrolled.inputs.iter().zip(inputs) {
        values.set(input.term, Datum::Bits(Value::from_u64(32, *value)));
    }
    values
}

/// The convention implemented again, for functions whose inputs are parameters.
pub fn counts(program: &Program, unrolled: &Unrolled, found: &nub_unroll::SsaAssignment) -> bool {
    let is_temporary = match found.target {
        AssignmentTarget::Part { object, .. } => match unrolled.objects[object.index()].kind {
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
