//! Random small functions of two bytes, with an evaluator that is independent of nub: what each run decides, for all runs.

use std::fmt::Write;

/// After this many steps a loop is assumed not to end. No generated loop comes close.
const MAX_STEPS: u32 = 10_000;
const VARIABLES: [&str; 4] = ["a", "b", "x", "n"];

pub use nub_random::Rng;

/// The value of a variable, an operator and a constant.
#[derive(Clone, Copy)]
struct Leaf {
    variable: usize,
    comparison: &'static str,
    constant: i64,
}

/// A decision in postfix form.
#[derive(Clone, Copy)]
enum Node {
    Leaf(usize),
    Not,
    And,
    Or,
}

/// A condition of `if` or `while`.
pub struct Decision {
    leaves: Vec<Leaf>,
    postfix: Vec<Node>,
}

enum Statement {
    If(usize, Vec<Statement>, Vec<Statement>),
    /// An iteration ends with `n++`, and there is a limit on their number.
    While(usize, Vec<Statement>),
    /// `x = x OP variable`.
    Change(&'static str, usize),
    Return,
}

/// The values of the conditions of one evaluation, without those that were skipped, and the outcome.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Vector {
    pub values: Vec<Option<bool>>,
    pub outcome: bool,
}

/// A function.
pub struct Function {
    /// In the order of the text.
    pub decisions: Vec<Decision>,
    body: Vec<Statement>,
}

impl Decision {
    pub fn n_conditions(&self) -> usize {
        self.leaves.len()
    }

    /// As C evaluates it.
    fn evaluate(&self, variables: &[i64; 4]) -> Vector {
        let values: Vec<bool> = self.leaves.iter().map(|leaf| leaf.holds(variables)).collect();
        // For each node: the value, and which conditions were evaluated for it.
        let mut stack: Vec<(bool, Vec<usize>)> = Vec::new();
        for node in &self.postfix {
            let made = match node {
                Node::Leaf(leaf) => (values[*leaf], vec![*leaf]),
                Node::Not => stack.pop().map(|(value, seen)| (!value, seen)).unwrap(),
                Node::And | Node::Or => {
                    let (second, first) = (stack.pop().unwrap(), stack.pop().unwrap());
                    let skips = first.0 == matches!(node, Node::Or);
                    if skips { first } else { (second.0, [first.1, second.1].concat()) }
                }
            };
            stack.push(made);
        }
        let (outcome, seen) = stack.pop().unwrap();
        let values = (0..values.len()).map(|leaf| seen.contains(&leaf).then_some(values[leaf])).collect();
        Vector { values, outcome }
    }

    /// The value for given conditions, none of them skipped.
    pub fn value(&self, values: &[bool]) -> bool {
        let mut stack: Vec<bool> = Vec::new();
        for node in &self.postfix {
            let made = match node {
                Node::Leaf(leaf) => values[*leaf],
                Node::Not => !stack.pop().unwrap(),
                Node::And => stack.pop().unwrap() & stack.pop().unwrap(),
                Node::Or => stack.pop().unwrap() | stack.pop().unwrap(),
            };
            stack.push(made);
        }
        stack.pop().unwrap()
    }

    fn text(&self) -> String {
        let mut stack: Vec<String> = Vec::new();
        for node in &self.postfix {
            let made = match node {
                Node::Leaf(leaf) => {
                    let Leaf { variable, comparison, constant } = self.leaves[*leaf];
                    format!("{} {comparison} {constant}", VARIABLES[variable])
                }
                Node::Not => format!("!({})", stack.pop().unwrap()),
                Node::And | Node::Or => {
                    let (second, first) = (stack.pop().unwrap(), stack.pop().unwrap());
                    format!("({first}) {} ({second})", if matches!(node, Node::And) { "&&" } else { "||" })
                }
            };
            stack.push(made);
        }
        stack.pop().unwrap()
    }
}

impl Leaf {
    fn holds(self, variables: &[i64; 4]) -> bool {
        let value = variables[self.variable];
        match self.comparison {
            "<" => value < self.constant,
            ">" => value > self.constant,
            "==" => value == self.constant,
            _ => value != self.constant,
        }
    }
}

impl Function {
    /// The same seed gives the same function.
    pub fn random(seed: u64, has_loops: bool) -> Function {
        let mut function = Function { decisions: Vec::new(), body: Vec::new() };
        let mut rng = Rng::new(seed);
        rng.below(2);
        function.body = function.block(&mut rng, 0, has_loops);
        function
    }

    fn block(&mut self, rng: &mut Rng, depth: u32, has_loops: bool) -> Vec<Statement> {
        let mut made = Vec::new();
        for _ in 0..1 + rng.below(2) + u64::from(depth == 0) {
            made.push(match rng.below(8) {
                0..=3 if depth < 2 && self.decisions.len() < 4 => {
                    let id = self.decision(rng, has_loops);
                    let then = self.block(rng, depth + 1, has_loops);
                    let otherwise =
                        if rng.below(2) == 0 { self.block(rng, depth + 1, has_loops) } else { Vec::new() };
                    Statement::If(id, then, otherwise)
                }
                4 if has_loops && depth < 2 && self.decisions.len() < 4 => {
                    let id = self.decision(rng, true);
                    Statement::While(id, self.block(rng, depth + 1, true))
                }
                5 if depth > 0 => Statement::Return,
                _ => Statement::Change(["+", "^", "&", "-"][rng.below(4) as usize], rng.below(2) as usize),
            });
        }
        made
    }

    fn decision(&mut self, rng: &mut Rng, has_loops: bool) -> usize {
        let n_leaves = 1 + rng.below(3) as usize;
        let leaf = |rng: &mut Rng| Leaf {
            variable: rng.below(if has_loops { 4 } else { 3 }) as usize,
            comparison: ["<", ">", "==", "!="][rng.below(4) as usize],
            constant: [0, 1, 2, 3, 7, 100, 255, 256][rng.below(8) as usize],
        };
        let leaves: Vec<Leaf> = (0..n_leaves).map(|_| leaf(rng)).collect();
        let mut postfix = Vec::new();
        for number in 0..n_leaves {
            postfix.push(Node::Leaf(number));
            if rng.below(5) == 0 {
                postfix.push(Node::Not);
            }
            if number > 0 {
                postfix.push(if rng.below(2) == 0 { Node::And } else { Node::Or });
            }
        }
        self.decisions.push(Decision { leaves, postfix });
        self.decisions.len() - 1
    }

    /// In C.
    pub fn text(&self) -> String {
        let mut text = "int f(unsigned char a, unsigned char b) { int x = 0, n = 0; ".to_owned();
        self.write(&self.body, &mut text);
        text.push_str("return x + n; }");
        text
    }

    fn write(&self, block: &[Statement], text: &mut String) {
        for statement in block {
            match statement {
                Statement::If(id, then, otherwise) => {
                    write!(text, "if ({}) {{ ", self.decisions[*id].text()).unwrap();
                    self.write(then, text);
                    text.push_str("} else { ");
                    self.write(otherwise, text);
                    text.push_str("} ");
                }
                Statement::While(id, body) => {
                    write!(text, "while ({}) {{ ", self.decisions[*id].text()).unwrap();
                    self.write(body, text);
                    // The bound is not a decision: leaving the function ends the loop.
                    text.push_str("n++; switch (n) { case 5: return x; } } ");
                }
                Statement::Change(operator, variable) => {
                    write!(text, "x = x {operator} {}; ", VARIABLES[*variable]).unwrap();
                }
                Statement::Return => text.push_str("return x; "),
            }
        }
    }

    /// The evaluations of decisions in the run with these arguments.
    pub fn run(&self, a: u8, b: u8) -> Vec<(usize, Vector)> {
        let mut run = Run {
            function: self,
            variables: [i64::from(a), i64::from(b), 0, 0],
            seen: Vec::new(),
            n_steps: 0,
        };
        run.block(&self.body);
        run.seen
    }
}

struct Run<'f> {
    function: &'f Function,
    variables: [i64; 4],
    seen: Vec<(usize, Vector)>,
    n_steps: u32,
}

impl Run<'_> {
    /// False if the function returned.
    fn block(&mut self, block: &[Statement]) -> bool {
        for statement in block {
            self.n_steps += 1;
            assert!(self.n_steps < MAX_STEPS, "a loop that does not end");
            let goes_on = match statement {
                Statement::If(id, then, otherwise) => {
                    let chosen = if self.decide(*id) { then } else { otherwise };
                    self.block(chosen)
                }
                Statement::While(id, body) => self.rounds(*id, body),
                Statement::Change(operator, variable) => {
                    let (x, y) = (self.variables[2], self.variables[*variable]);
                    self.variables[2] = match *operator {
                        "+" => x + y,
                        "^" => x ^ y,
                        "&" => x & y,
                        _ => x - y,
                    };
                    true
                }
                Statement::Return => false,
            };
            if !goes_on {
                return false;
            }
        }
        true
    }

    fn rounds(&mut self, id: usize, body: &[Statement]) -> bool {
        while self.decide(id) {
            if !self.block(body) {
                return false;
            }
            self.variables[3] += 1;
            if self.variables[3] == 5 {
                return false;
            }
        }
        true
    }

    fn decide(&mut self, id: usize) -> bool {
        let vector = self.function.decisions[id].evaluate(&self.variables);
        let outcome = vector.outcome;
        self.seen.push((id, vector));
        outcome
    }
}
