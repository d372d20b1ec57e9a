//! A small language, its runs, and what counts in them: written from the documentation alone, independent of the unrolling that it checks.
//!
//! Programs have two or three inputs, variables of one byte, assignments and nested `if`. A run has a list of values in the order of the text,
//! whether or not it reaches them: inputs, assignments, guards with the path to them, and variables where paths merge. A condition made of constants
//! has one side only.

use super::generate::Random;
use std::fmt::Write;

/// How many variables a program has besides its inputs.
const N_VARIABLES: usize = 3;
const NAMES: [&str; N_VARIABLES + 3] = ["x", "y", "z", "a", "b", "c"];

/// `left op right` over names and numbers; without an operator, only the left one.
#[derive(Clone, Debug)]
pub struct Expr {
    left: Operand,
    rest: Option<(&'static str, Operand)>,
}

#[derive(Clone, Copy, Debug)]
enum Operand {
    /// Variables come first, then inputs.
    Name(usize),
    Number(i64),
}

#[derive(Clone, Debug)]
pub struct Condition {
    expr: Expr,
    compare: &'static str,
    number: i64,
}

#[derive(Clone, Debug)]
enum Stmt {
    Assign(usize, Expr),
    If(Condition, Vec<Stmt>, Vec<Stmt>),
}

/// A program.
#[derive(Clone, Debug)]
pub struct Model {
    /// The last value of each input.
    pub ranges: Vec<i64>,
    first: [Operand; N_VARIABLES],
    body: Vec<Stmt>,
    assertion: Condition,
}

/// A value, and whether it is computed from constants only.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Known {
    value: i64,
    is_constant: bool,
    /// Which definition it is.
    by: usize,
}

/// Selects a value, given its definition.
pub type Choose<'c> = &'c mut dyn FnMut(usize, i64) -> i64;

struct Walk<'c> {
    names: Vec<Known>,
    n_values: usize,
    choose: Choose<'c>,
}

impl Random {
    fn operand(&mut self, n_inputs: usize) -> Operand {
        match self.below(7) {
            0 | 1 => Operand::Number(self.below(4) as i64),
            _ => Operand::Name(self.below((N_VARIABLES + n_inputs) as u64) as usize),
        }
    }

    fn model_expr(&mut self, n_inputs: usize) -> Expr {
        let left = self.operand(n_inputs);
        let op = ["+", "-", "*", "&", "|", "^"][self.below(6) as usize];
        let rest = (self.below(4) > 0).then(|| (op, self.operand(n_inputs)));
        Expr { left, rest }
    }

    /// A condition; with `constants`, often one that is always true or false without being obvious.
    pub fn model_condition(&mut self, n_inputs: usize, constants: bool) -> Condition {
        let number = |number| Operand::Number(number);
        if constants && self.below(3) == 0 {
            let name = Operand::Name(self.below((N_VARIABLES + n_inputs) as u64) as usize);
            let (rest, compare) = match self.below(4) {
                0 => (("|", number(2)), ">"),
                1 => (("&", number(0)), ["==", "!="][self.below(2) as usize]),
                2 => (("-", name), ["==", "<"][self.below(2) as usize]),
                _ => (("^", name), ["==", "!="][self.below(2) as usize]),
            };
            return Condition { expr: Expr { left: name, rest: Some(rest) }, compare, number: 0 };
        }
        let compare = ["<", ">", "==", "!="][self.below(4) as usize];
        Condition { expr: self.model_expr(n_inputs), compare, number: self.below(5) as i64 }
    }

    fn block(&mut self, depth: u32, n_inputs: usize, constants: bool) -> Vec<Stmt> {
        let n_stmts = 1 + self.below(2);
        let mut block = Vec::new();
        for _ in 0..n_stmts {
            if depth > 0 && self.below(2) == 0 {
                let condition = self.model_condition(n_inputs, constants);
                let then = self.block(depth - 1, n_inputs, constants);
                let has_else = self.below(2) == 0;
                let otherwise =
                    if has_else { self.block(depth - 1, n_inputs, constants) } else { Vec::new() };
                block.push(Stmt::If(condition, then, otherwise));
            } else {
                let target = self.below(N_VARIABLES as u64) as usize;
                block.push(Stmt::Assign(target, self.model_expr(n_inputs)));
            }
        }
        block
    }

    /// A program; with `constants`, one with guards that are always true or false.
    pub fn model(&mut self, constants: bool) -> Model {
        let ranges = match self.below(3) {
            0 => vec![255, 1],
            1 => vec![15, 15, 1],
            _ => vec![7, 7, 7],
        };
        let n_inputs = ranges.len();
        let first = [(); N_VARIABLES].map(|()| match self.below(2) {
            0 => Operand::Number(self.below(3) as i64),
            _ => Operand::Name(N_VARIABLES + self.below(n_inputs as u64) as usize),
        });
        let mut body = self.block(2, n_inputs, constants);
        body.extend(self.block(1, n_inputs, constants));
        let assertion = self.model_condition(n_inputs, constants);
        Model { ranges, first, body, assertion }
    }
}

impl Operand {
    fn text(self) -> String {
        match self {
            Operand::Name(name) => NAMES[name].to_owned(),
            Operand::Number(number) => number.to_string(),
        }
    }
}

impl Expr {
    fn text(&self) -> String {
        let left = self.left.text();
        self.rest
            .as_ref()
            .map_or_else(|| left.clone(), |(op, right)| format!("({left} {op} {})", right.text()))
    }
}

impl Condition {
    pub fn text(&self) -> String {
        format!("{} {} {}", self.expr.text(), self.compare, self.number)
    }
}

impl Model {
    /// The program in C. The assertion is on the line before the last.
    pub fn text(&self) -> String {
        let mut out =
            "void __CPROVER_assert(int, const char *); void __CPROVER_assume(int);\nvoid f(".to_owned();
        let inputs = &NAMES[N_VARIABLES..N_VARIABLES + self.ranges.len()];
        let params: Vec<String> = inputs.iter().map(|name| format!("unsigned char {name}")).collect();
        let _ = writeln!(out, "{}) {{", params.join(", "));
        for (name, last) in inputs.iter().zip(&self.ranges) {
            let _ = writeln!(out, "__CPROVER_assume({name} <= {last});");
        }
        for (name, first) in NAMES.iter().zip(&self.first) {
            let _ = writeln!(out, "unsigned char {name} = {};", first.text());
        }
        block_text(&self.body, &mut out);
        let _ = writeln!(out, "__CPROVER_assert({}, \"\");\n}}", self.assertion.text());
        out
    }

    /// The line of the assertion.
    pub fn last_line(&self) -> u32 {
        self.text().lines().count() as u32 - 1
    }

    /// All inputs.
    pub fn runs(&self) -> Vec<Vec<i64>> {
        let mut runs = vec![Vec::new()];
        for last in &self.ranges {
            let more = |run: &Vec<i64>| {
                (0..=*last).map(|value| [run.as_slice(), &[value]].concat()).collect::<Vec<_>>()
            };
            runs = runs.iter().flat_map(more).collect();
        }
        runs
    }

    /// The values of a run, and whether the assertion holds.
    pub fn run(&self, inputs: &[i64]) -> (Vec<i64>, bool) {
        let mut values = Vec::new();
        let mut keep = |_, value| {
            values.push(value);
            value
        };
        let holds = self.walk(inputs, &mut keep).holds(&self.assertion);
        (values, holds)
    }

    /// A condition at the end of a run.
    pub fn at_end(&self, inputs: &[i64], condition: &Condition) -> bool {
        self.walk(inputs, &mut |_, value| value).holds(condition)
    }

    /// Whether the assertion holds if values are chosen.
    pub fn holds(&self, inputs: &[i64], choose: Choose<'_>) -> bool {
        self.walk(inputs, choose).holds(&self.assertion)
    }

    fn walk<'c>(&self, inputs: &[i64], choose: Choose<'c>) -> Walk<'c> {
        let nothing = Known { value: 0, is_constant: true, by: 0 };
        let mut walk = Walk { names: vec![nothing; NAMES.len()], n_values: 0, choose };
        for (index, value) in inputs.iter().enumerate() {
            walk.define(N_VARIABLES + index, *value, false);
        }
        for (name, first) in self.first.iter().enumerate() {
            let Known { value, is_constant, .. } = walk.operand(*first);
            walk.define(name, value, is_constant);
        }
        walk.block(&self.body, 1);
        walk
    }
}

fn block_text(block: &[Stmt], out: &mut String) {
    for stmt in block {
        match stmt {
            Stmt::Assign(target, expr) => {
                let _ = writeln!(out, "{} = (unsigned char){};", NAMES[*target], expr.text());
            }
            Stmt::If(condition, then, otherwise) => {
                let _ = writeln!(out, "if ({}) {{", condition.text());
                block_text(then, out);
                out.push_str("}\n");
                if !otherwise.is_empty() {
                    out.push_str("else {\n");
                    block_text(otherwise, out);
                    out.push_str("}\n");
                }
            }
        }
    }
}

impl Walk<'_> {
    /// The next value that counts.
    fn next(&mut self, value: i64) -> i64 {
        let index = self.n_values;
        self.n_values += 1;
        (self.choose)(index, value)
    }

    fn define(&mut self, name: usize, value: i64, is_constant: bool) {
        let value = self.next(value);
        self.names[name] = Known { value, is_constant, by: self.n_values };
    }

    fn operand(&self, operand: Operand) -> Known {
        match operand {
            Operand::Name(name) => self.names[name],
            Operand::Number(value) => Known { value, is_constant: true, by: 0 },
        }
    }

    /// The value as an `int`.
    fn expr(&self, expr: &Expr) -> (i64, bool) {
        let left = self.operand(expr.left);
        let Some((op, right)) = &expr.rest else { return (left.value, left.is_constant) };
        let right = self.operand(*right);
        let (a, b) = (left.value, right.value);
        let value = match *op {
            "+" => a + b,
            "-" => a - b,
            "*" => a * b,
            "&" => a & b,
            "|" => a | b,
            _ => a ^ b,
        };
        (value, left.is_constant && right.is_constant)
    }

    fn condition(&self, condition: &Condition) -> (bool, bool) {
        let (value, is_constant) = self.expr(&condition.expr);
        let holds = match condition.compare {
            "<" => value < condition.number,
            ">" => value > condition.number,
            "==" => value == condition.number,
            _ => value != condition.number,
        };
        (holds, is_constant)
    }

    pub fn holds(&self, condition: &Condition) -> bool {
        self.condition(condition).0
    }

    /// `path` is 1 if control reaches this block.
    fn block(&mut self, block: &[Stmt], path: i64) {
        for stmt in block {
            match stmt {
                Stmt::Assign(target, expr) => {
                    let (value, is_constant) = self.expr(expr);
                    self.define(*target, value & 255, is_constant);
                }
                Stmt::If(condition, then, otherwise) => self.branch(condition, then, otherwise, path),
            }
        }
    }

    fn branch(&mut self, condition: &Condition, then: &[Stmt], otherwise: &[Stmt], path: i64) {
        let (holds, is_constant) = self.condition(condition);
        if is_constant {
            self.block(if holds { then } else { otherwise }, path);
            return;
        }
        let guard = self.next(i64::from(path == 1 && holds));
        let before = self.names.clone();
        self.block(then, guard);
        let after_then = std::mem::replace(&mut self.names, before);
        self.block(otherwise, i64::from(path == 1 && guard == 0));
        for (name, a) in after_then.into_iter().enumerate().take(N_VARIABLES) {
            let b = self.names[name];
            let is_same_constant = a.is_constant && b.is_constant && a.value == b.value;
            if a.by != b.by && !is_same_constant {
                let value = if guard == 1 { a.value } else { b.value };
                self.define(name, value, false);
            }
        }
    }
}
