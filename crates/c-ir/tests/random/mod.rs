#![allow(dead_code)] // Each test uses a part.
//! Random C functions. They may have undefined behaviour; their users skip those runs.
//!
//! What C leaves unspecified is avoided: an expression has at most one side effect, on a variable that it does not read elsewhere, and a call is a
//! statement of its own. Bit-fields wider than `int` are cast first: gcc computes in their own width, clang in that of the declared type.

pub use nub_random::Rng;

pub const TYPES: &[&str] = &[
    "int",
    "unsigned",
    "signed char",
    "unsigned char",
    "char",
    "short",
    "unsigned short",
    "long",
    "unsigned long",
    "long long",
    "unsigned long long",
    "_Bool",
];
const NUMBERS: &[&str] = &[
    "0",
    "1",
    "2",
    "3",
    "7",
    "-1",
    "-2",
    "10",
    "31",
    "100",
    "127",
    "128",
    "255",
    "-128",
    "1000",
    "32767",
    "65535",
    "65536",
    "2147483647",
    "4294967295u",
    "1l",
    "5ul",
    "'a'",
    "'\\xff'",
    "0x80000000",
    "-3ll",
    "0xffffffffffffffff",
];

/// One function under construction.
pub struct Generator {
    pub rng: Rng,
    scalars: Vec<String>,
    n_locals: usize,
    n_loops: usize,
    lines: Vec<String>,
    indent: usize,
    /// Leaves are numbers.
    is_constant: bool,
}

/// A file scope that all functions share.
pub const HEAD: &str = "\
struct inner { short s; unsigned char c; };
struct mixed { char tag; int number; unsigned low : 3; signed high : 5; unsigned long long wide : 33; struct inner in[2]; };
union both { unsigned int word; unsigned char bytes[4]; struct inner in; };
static int table[8] = { 3, -1, 4, 1, -5, 9, 2, 6 };
static unsigned char bytes[4] = { 1, [3] = 200 };
static struct mixed shared = { 'x', -7, 5, -3, 123456789, { { 1, 2 }, { .c = 9 } } };
";

impl Generator {
    pub fn new(seed: u64) -> Generator {
        Generator {
            rng: Rng::new(seed),
            scalars: Vec::new(),
            n_locals: 0,
            n_loops: 0,
            lines: Vec::new(),
            indent: 1,
            is_constant: false,
        }
    }

    fn line(&mut self, text: String) {
        self.lines.push(format!("{}{text}", "    ".repeat(self.indent)));
    }

    /// A constant expression.
    pub fn constant(seed: u64, depth: usize) -> String {
        let mut generator = Generator::new(seed);
        generator.is_constant = true;
        generator.expr(depth)
    }

    /// The text of a function `name`, and its arguments.
    pub fn function(mut self, name: &str, earlier: &[String]) -> (String, Vec<String>) {
        let n_params = 1 + self.rng.below(3);
        let params: Vec<String> = (0..n_params).map(|at| format!("{} p{at}", self.rng.pick(TYPES))).collect();
        let args = (0..n_params).map(|_| self.rng.pick(NUMBERS).to_string()).collect();
        self.scalars = (0..n_params).map(|at| format!("p{at}")).collect();
        let result = self.rng.pick(TYPES);
        self.line("int a[4] = { 1, 2 };".into());
        self.line("struct mixed m = shared, *q = &m;".into());
        self.line("union both u = { 0x12345678 };".into());
        self.line("unsigned char *b = u.bytes;".into());
        self.line("int *r = a;".into());
        for _ in 0..3 + self.rng.below(8) {
            self.statement(3, earlier);
        }
        let mut sum: Vec<String> = [
            "a[0]",
            "a[3]",
            "m.number",
            "q->low",
            "m.high",
            "(int)m.wide",
            "m.in[1].s",
            "u.word",
            "b[2]",
            "(r - a)",
        ]
        .map(|part| format!("({part}) * {}u", 2 * self.rng.below(50) + 1))
        .to_vec();
        sum.extend(
            self.scalars.clone().iter().map(|name| format!("{name} * {}u", 2 * self.rng.below(50) + 1)),
        );
        self.line(format!("return {};", sum.join(" + ")));
        let body = self.lines.join("\n");
        (format!("{result} {name}({})\n{{\n{body}\n}}\n", params.join(", ")), args)
    }

    fn statement(&mut self, depth: usize, earlier: &[String]) {
        match self.rng.below(if depth == 0 { 6 } else { 14 }) {
            0 | 1 => self.declaration(),
            2 | 3 => {
                let (target, value) = (self.place(), self.expr(3));
                let op =
                    self.rng.pick(&["=", "=", "+=", "-=", "*=", "^=", "|=", "&=", "<<=", ">>=", "/=", "%="]);
                let value =
                    if op.contains('<') || op.contains('>') { format!("({value}) & 7") } else { value };
                self.line(format!("{target} {op} {value};"));
            }
            4 => {
                let place = self.place();
                let op = self.rng.pick(&["++", "--"]);
                let text =
                    if self.rng.percent(50) { format!("{op}{place};") } else { format!("{place}{op};") };
                self.line(text);
            }
            5 => self.effect_statement(),
            6 | 7 => self.if_statement(depth, earlier),
            8 | 9 => self.loop_statement(depth, earlier),
            10 => self.switch_statement(depth, earlier),
            11 if !earlier.is_empty() => {
                let callee = earlier[self.rng.below(earlier.len())].clone();
                let target = self.place();
                let text = callee.replace("ARG", &format!("({})", self.expr(2)));
                self.line(format!("{target} = {text};"));
            }
            12 => {
                let index = self.expr(2);
                self.line(format!("r = &a[({index}) & 3];"));
                let value = self.expr(2);
                self.line(format!("*r = {value};"));
            }
            _ => {
                self.line("{ struct inner t = m.in[0]; m.in[0] = m.in[1]; m.in[1] = t; }".into());
                let value = self.expr(2);
                self.line(format!("m.wide = {value};"));
            }
        }
    }

    fn declaration(&mut self) {
        let ty = self.rng.pick(TYPES);
        let value = self.expr(3);
        let name = format!("v{}", self.n_locals);
        self.n_locals += 1;
        self.line(format!("{ty} {name} = {value};"));
        // Only at the top: a name from an inner block is not seen by what follows.
        if self.indent == 1 {
            self.scalars.push(name);
        }
    }

    /// A value with one side effect inside, on a variable that is read nowhere else in it.
    fn effect_statement(&mut self) {
        let at = self.rng.below(self.scalars.len());
        let variable = self.scalars.remove(at);
        let inner = self.expr(1);
        let effect = match self.rng.below(5) {
            0 => format!("{variable}++"),
            1 => format!("--{variable}"),
            2 => format!("({variable} = {inner})"),
            3 => format!("({variable} += {inner})"),
            _ => format!("({inner}, {variable}--)"),
        };
        let target = format!("v{}", self.n_locals);
        self.n_locals += 1;
        let other = if self.scalars.is_empty() { "1".into() } else { self.expr(2) };
        let text = match self.rng.below(5) {
            0 => format!("{other} + {effect}"),
            1 => format!("{effect} - ({other})"),
            2 => format!("({other}) && {effect}"),
            3 => format!("({other}) ? {effect} : {}", self.expr(1)),
            _ => format!("a[{effect} & 3] ^ ({other})"),
        };
        self.line(format!("long {target} = {text};"));
        self.scalars.push(variable);
        if self.indent == 1 {
            self.scalars.push(target);
        }
    }

    fn block(&mut self, depth: usize, earlier: &[String]) {
        self.indent += 1;
        for _ in 0..1 + self.rng.below(3) {
            self.statement(depth - 1, earlier);
        }
        self.indent -= 1;
    }

    fn if_statement(&mut self, depth: usize, earlier: &[String]) {
        let condition = self.condition();
        self.line(format!("if ({condition}) {{"));
        self.block(depth, earlier);
        if self.rng.percent(50) {
            self.line("} else {".into());
            self.block(depth, earlier);
        }
        self.line("}".into());
    }

    fn loop_statement(&mut self, depth: usize, earlier: &[String]) {
        let counter = format!("i{}", self.n_loops);
        self.n_loops += 1;
        let n_rounds = 1 + self.rng.below(5);
        match self.rng.below(3) {
            0 => self.line(format!("for (int {counter} = 0; {counter} < {n_rounds}; {counter}++) {{")),
            1 => self.line(format!("int {counter} = {n_rounds}; while ({counter}-- > 0) {{")),
            _ => self.line(format!("int {counter} = {n_rounds}; do {{")),
        }
        let is_do = self.lines.last().is_some_and(|line| line.ends_with("do {"));
        self.block(depth, earlier);
        if self.rng.percent(30) {
            let condition = self.condition();
            let jump = self.rng.pick(&["break", "continue"]);
            self.line(format!("    if ({condition}) {jump};"));
        }
        self.line(if is_do { format!("}} while (--{counter} > 0);") } else { "}".into() });
    }

    fn switch_statement(&mut self, depth: usize, earlier: &[String]) {
        let value = self.expr(2);
        self.line(format!("switch (({value}) & 7) {{"));
        for label in ["case 0:", "case 1: case 2:", "case 3 ... 5:", "default:"] {
            self.line(format!("{label} {{"));
            self.block(depth, earlier);
            self.line("}".into());
            if self.rng.percent(60) {
                self.line("break;".into());
            }
        }
        self.line("}".into());
    }

    fn condition(&mut self) -> String {
        let n_leaves = 1 + self.rng.below(3);
        let mut text = self.expr(2);
        for _ in 1..n_leaves {
            let op = self.rng.pick(&["&&", "||"]);
            let right = self.expr(2);
            text = format!("({text} {op} {right})");
        }
        if self.rng.percent(20) { format!("!({text})") } else { text }
    }

    /// Something that can be written.
    fn place(&mut self) -> String {
        match self.rng.below(10) {
            0..4 => self.scalars[self.rng.below(self.scalars.len())].clone(),
            4 => format!("a[{}]", self.rng.below(4)),
            5 => (self.rng.pick(&["m.number", "m.low", "m.high", "m.tag", "q->low", "q->in[1].s"])).into(),
            6 => format!("b[{}]", self.rng.below(4)),
            7 => "u.word".into(),
            8 => "*r".into(),
            _ => "(*q).in[0].c".into(),
        }
    }

    fn leaf(&mut self) -> String {
        if self.is_constant {
            return format!("({})({})", self.rng.pick(TYPES), self.rng.pick(NUMBERS));
        }
        match self.rng.below(12) {
            0..6 if !self.scalars.is_empty() => self.scalars[self.rng.below(self.scalars.len())].clone(),
            6 | 7 => format!("({})", self.rng.pick(NUMBERS)),
            8 => format!("table[{}]", self.rng.below(8)),
            9 => (self.rng.pick(&[
                "m.number",
                "m.low",
                "m.high",
                "(unsigned long long)m.wide",
                "q->tag",
                "shared.in[1].c",
                "u.in.s",
            ]))
            .into(),
            10 => format!("a[{}]", self.rng.below(4)),
            _ => (self.rng.pick(&[
                "bytes[3]",
                "b[1]",
                "*r",
                "sizeof(struct mixed)",
                "r[0]",
                "(r == a)",
                "*(b + 2)",
            ]))
            .into(),
        }
    }

    /// A value without side effect.
    pub fn expr(&mut self, depth: usize) -> String {
        if depth == 0 || self.rng.percent(20) {
            return self.leaf();
        }
        let (left, right) = (self.expr(depth - 1), self.expr(depth - 1));
        match self.rng.below(16) {
            0..7 => {
                let op = self.rng.pick(&["+", "-", "*", "&", "|", "^"]);
                format!("({left} {op} {right})")
            }
            7 => format!("({left} {} ({right} | 1))", self.rng.pick(&["/", "%"])),
            8 => format!(
                "({left} {} ({right} & {}))",
                self.rng.pick(&["<<", ">>"]),
                self.rng.pick(&["3", "7", "15"])
            ),
            9 | 10 => format!("({left} {} {right})", self.rng.pick(&["<", ">", "<=", ">=", "==", "!="])),
            11 => format!("({left} {} {right})", self.rng.pick(&["&&", "||"])),
            12 => format!("({})({left})", self.rng.pick(TYPES)),
            13 => format!("{}({left})", self.rng.pick(&["-", "~", "!", "+"])),
            14 => format!("({left} ? {right} : {})", self.leaf()),
            _ => format!("(unsigned)({left}) {} (unsigned)({right})", self.rng.pick(&["+", "*", "-"])),
        }
    }
}
