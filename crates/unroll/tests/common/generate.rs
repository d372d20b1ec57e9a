//! Random C programs with a function `f`. They may have undefined behaviour: both sides of the law must notice.

use super::Random;
use std::fmt::Write;

const TYPES: &[&str] = &[
    "int",
    "unsigned",
    "short",
    "unsigned char",
    "signed char",
    "long",
    "unsigned long",
    "_Bool",
    "unsigned short",
];
const SCALARS: &[&str] = &[
    "a",
    "b",
    "c",
    "x",
    "y",
    "z",
    "t[i0 & 3]",
    "t[2]",
    "s.p",
    "s.q",
    "s.r",
    "*w",
    "g0",
    "u.n",
    "u.k[1]",
    "m[1][a & 1]",
    "hp[0]",
    "hp[(unsigned)i0 % n0]",
    "va[(unsigned)i0 % n0]",
];

pub struct Generator<'r> {
    random: &'r mut Random,
    text: String,
    n_loops: u32,
    /// Loops around the current statement.
    depth: u32,
}

/// The text of a program.
pub fn program(random: &mut Random) -> String {
    let mut generator = Generator { random, text: String::new(), n_loops: 0, depth: 0 };
    generator.file();
    generator.text
}

impl Generator<'_> {
    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.random.below(from.len() as u64) as usize]
    }

    fn file(&mut self) {
        let types: Vec<&str> = (0..8).map(|_| self.pick(TYPES)).collect();
        let number = self.number();
        let _ = write!(
            self.text,
            "void *malloc(unsigned long); void *calloc(unsigned long, unsigned long); void *realloc(void *, unsigned long);\n\
             struct s {{ int p; unsigned char q; signed r : 5; unsigned long d : 9; }};\n\
             union u {{ unsigned n; unsigned char k[4]; }};\n\
             static {} g0 = {number};\n\
             static int h({} v, int k) {{ if (v > k) {{ g0 += 1; return k; }} return (int)v; }}\n\
             static int r(int n, int k) {{ return n <= 0 ? k : r(n - 1, k ^ n); }}\n\
             static int h2(int v, int k) {{ return v & k; }}\n\
             int f({} a, {} b, {} c) {{\n\
             {} x = a; {} y = 3; {} z = b; int i0 = 1; int t[4] = {{1, a & 3}}; struct s s = {{0}}; union u u; u.n = c;\n\
             short m[2][2] = {{{{1, 2}}, {{3}}}}; int *w = a & 1 ? &t[1] : &i0; int (*fp)(int, int) = b & 1 ? r2 : h2;\n\
             unsigned n0 = (unsigned)c % 5u + 1; int *hp = a & 2 ? calloc(n0, sizeof(int)) : malloc(n0 * sizeof(int)); short va[n0];\n\
             for (unsigned k0 = 0; k0 < n0; k0++) {{ hp[k0] = (int)k0; va[k0] = (short)k0; }}\n",
            types[0], types[1], types[2], types[3], types[4], types[5], types[6], types[7]
        );
        self.text = self
            .text
            .replace("static int h2", "static int r2(int n, int k) { return n | k; }\nstatic int h2");
        let n_statements = 3 + self.random.below(8);
        for _ in 0..n_statements {
            self.statement(3);
        }
        let value = self.expression(2);
        let _ = writeln!(self.text, "return (int)({value});\n}}");
    }

    fn number(&mut self) -> String {
        match self.random.below(4) {
            0 => format!("{}", self.random.below(3)),
            1 => format!("{}", self.random.below(100)),
            2 => format!("-{}", self.random.below(9)),
            _ => self.pick(&["127", "255", "32767", "2147483647", "65535u", "0x80000000", "1l"]).to_owned(),
        }
    }

    fn expression(&mut self, depth: u32) -> String {
        if depth == 0 || self.random.one_in(4) {
            return if self.random.one_in(3) { self.number() } else { self.pick(SCALARS).to_owned() };
        }
        let left = self.expression(depth - 1);
        let right = self.expression(depth - 1);
        match self.random.below(12) {
            0 => format!("({left} && {right})"),
            1 => format!("({left} || !({right}))"),
            2 => {
                let condition = self.condition(depth - 1);
                format!("({condition} ? {left} : {right})")
            }
            3 => format!("({}({left}))", self.pick(&["-", "~", "!", "+"])),
            4 => format!("h({left}, {right})"),
            5 => format!("({left} {} ({right} & 7))", self.pick(&["<<", ">>"])),
            6 => format!("({left} {} {right})", self.pick(&["/", "%"])),
            7 => format!("(({}){left})", self.pick(TYPES)),
            8 => format!("({left} {} {right})", self.pick(&["<", "<=", "==", "!=", ">", ">="])),
            9 => format!("fp({left}, {right})"),
            _ => format!("({left} {} {right})", self.pick(&["+", "-", "*", "&", "|", "^"])),
        }
    }

    fn condition(&mut self, depth: u32) -> String {
        let left = self.expression(depth);
        let right = self.number();
        let simple = format!("{left} {} {right}", self.pick(&["<", ">", "==", "!="]));
        if self.random.one_in(3) {
            let other = self.expression(1);
            return format!("{simple} {} {other}", self.pick(&["&&", "||"]));
        }
        simple
    }

    fn target(&mut self) -> String {
        // Loop counters are not assigned, or loops would not end.
        self.pick(SCALARS).to_owned()
    }

    fn statement(&mut self, depth: u32) {
        if depth == 0 || self.random.one_in(2) {
            return self.simple_statement();
        }
        match self.random.below(6) {
            0 | 1 => {
                let condition = self.condition(2);
                let _ = writeln!(self.text, "if ({condition}) {{");
                self.block(depth);
                if self.random.one_in(2) {
                    self.text.push_str("} else {\n");
                    self.block(depth);
                }
                self.text.push_str("}\n");
            }
            2 | 3 => self.for_loop(depth),
            4 => {
                let value = self.expression(1);
                let _ = writeln!(self.text, "switch ({value}) {{ case 1:");
                self.block(depth);
                if self.random.one_in(2) {
                    self.text.push_str("break;\n");
                }
                self.text.push_str("case -3: case 7:\n");
                self.block(depth);
                if self.random.one_in(2) {
                    self.text.push_str("break; default:\n");
                    self.simple_statement();
                }
                self.text.push_str("}\n");
            }
            _ => {
                let condition = self.condition(1);
                self.n_loops += 1;
                let number = self.n_loops;
                let _ = writeln!(self.text, "{{ int l{number} = 0; do {{");
                self.depth += 1;
                self.block(depth);
                self.depth -= 1;
                let _ = writeln!(self.text, "}} while (l{number}++ < 2 && {condition}); }}");
            }
        }
    }

    fn for_loop(&mut self, depth: u32) {
        self.n_loops += 1;
        let number = self.n_loops;
        let condition =
            if self.random.one_in(2) { String::new() } else { format!(" && {}", self.condition(1)) };
        let limit = 1 + self.random.below(3);
        let _ =
            writeln!(self.text, "for (int l{number} = 0; l{number} < {limit}{condition}; l{number}++) {{");
        self.depth += 1;
        self.block(depth);
        if self.random.one_in(3) {
            let condition = self.condition(1);
            let jump = self.pick(&["break", "continue"]);
            let _ = writeln!(self.text, "if ({condition}) {jump};");
            self.simple_statement();
        }
        self.depth -= 1;
        self.text.push_str("}\n");
    }

    fn block(&mut self, depth: u32) {
        for _ in 0..1 + self.random.below(2) {
            self.statement(depth - 1);
        }
    }

    fn simple_statement(&mut self) {
        let target = self.target();
        let value = self.expression(2);
        let text = match self.random.below(10) {
            0 => format!("{target}{};", self.pick(&["++", "--"])),
            1 => format!("{target} {}= {value};", self.pick(&["+", "-", "*", "&", "|", "^"])),
            2 => format!("w = {};", self.pick(&["&t[a & 3]", "&i0", "t + 1", "&s.p", "w", "hp", "&hp[1]"])),
            3 if self.random.one_in(3) => format!("return (int)({value});"),
            7 if self.random.one_in(2) => {
                "hp = realloc(hp, ((unsigned)x % 6u) * sizeof(int)); if (!hp) return -7;".to_owned()
            }
            4 => "{ struct s o = s; o.p ^= 1; s = o; }".to_owned(),
            5 => format!("{target} = h({value}, r(x & 3, {}));", self.pick(SCALARS)),
            6 => format!("i0 = (int)({value}) & 3;"),
            _ => format!("{target} = {value};"),
        };
        let _ = writeln!(self.text, "{text}");
    }
}
