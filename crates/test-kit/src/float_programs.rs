//! Random C functions with floating-point numbers, for the laws of interpreter, terms and compiler.
//!
//! A function takes `double a, float b, int n, double c` and returns a `double` or the bits of one. C does not specify which NaN an
//! operation yields, so signs of NaNs are ignored. Most conversions to integers are guarded.

use nub_random::Rng;
use std::fmt::Write;

/// Declarations that the functions need, instead of headers.
pub const HEAD: &str = "double fabs(double), floor(double), ceil(double), trunc(double), round(double), rint(double), sqrt(double);\n\
    double fmod(double, double), remainder(double, double), fmin(double, double), fmax(double, double), copysign(double, double);\n\
    double nextafter(double, double), fdim(double, double), fma(double, double, double), ldexp(double, int);\n\
    float fabsf(float), floorf(float), sqrtf(float), fmodf(float, float), fminf(float, float), ldexpf(float, int), roundf(float);\n\
    long double fabsl(long double), floorl(long double), sqrtl(long double);\n\
    double frexp(double, int *), modf(double, double *);\n\
    int fesetround(int), fegetround(void);\n\
    double positive_sign(double x) { return x == x ? copysign(1.0, x) : 1.0; }\n";

/// Typical constants and corner cases.
const NUMBERS: &[&str] = &[
    "0.0",
    "-0.0",
    "1.0",
    "0.5",
    "-1.5",
    "2.0",
    "3.0",
    "0.1",
    "1e10",
    "-1e-10",
    "1e300",
    "5e-324",
    "0x1.8p3",
    "255.0",
    "2147483648.0",
    "9007199254740993.0",
    "(1.0/0.0)",
    "(0.0/0.0)",
    "3.4028235e38",
    "1.17549435e-38",
    "1e-45",
];

/// A generator of functions.
#[derive(Debug)]
pub struct FloatPrograms {
    rng: Rng,
    sets_modes: bool,
}

impl FloatPrograms {
    /// A generator with a seed.
    pub fn new(seed: u64) -> FloatPrograms {
        FloatPrograms { rng: Rng::new(seed), sets_modes: false }
    }

    /// A generator of functions that set the rounding mode, with the numbers of x86. They do not restore it.
    pub fn with_modes(seed: u64) -> FloatPrograms {
        FloatPrograms { sets_modes: true, ..FloatPrograms::new(seed) }
    }

    /// A random number below `limit`.
    pub fn below(&mut self, limit: u64) -> u64 {
        self.rng.below(limit)
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.below(from.len() as u64) as usize]
    }

    /// A constant as C writes it, special ones among them.
    pub fn number(&mut self) -> &'static str {
        self.pick(NUMBERS)
    }

    /// An expression of type `double`.
    fn double(&mut self, depth: u32) -> String {
        let leaf = ["a", "c", "x", "y", "b", "n", "s"];
        if depth == 0 || self.below(6) == 0 {
            return if self.below(3) == 0 { self.number().to_owned() } else { self.pick(&leaf).to_owned() };
        }
        let mut sub = || self.double(depth - 1);
        let (p, q) = (sub(), sub());
        match self.below(12) {
            0 => format!("(double)({})", self.single(depth - 1)),
            1 => format!("(double)({})", self.long(depth - 1)),
            2 => {
                let one = ["fabs", "floor", "ceil", "trunc", "round", "rint", "sqrt", "-", "positive_sign"];
                format!("{}({p})", self.pick(&one))
            }
            3 => {
                let two = ["fmod", "remainder", "fmin", "fmax", "nextafter", "fdim"];
                format!("{}({p}, {q})", self.pick(&two))
            }
            4 => match self.below(3) {
                0 => format!("fma({p}, {q}, x)"),
                1 => format!("ldexp({p}, {})", self.int(depth - 1)),
                _ => format!("({} ? {p} : {q})", self.int(depth - 1)),
            },
            5 => format!("({p} {} {})", self.pick(&["+", "-", "*"]), self.int(depth - 1)),
            _ => format!("({p} {} {q})", self.pick(&["+", "-", "*", "/"])),
        }
    }

    /// An expression of type `float`.
    fn single(&mut self, depth: u32) -> String {
        if depth == 0 || self.below(4) == 0 {
            return self
                .pick(&["b", "s", "0.1f", "16777217.0f", "1e-40f", "2.5f", "(float)a", "(float)n"])
                .to_owned();
        }
        let (p, q) = (self.single(depth - 1), self.single(depth - 1));
        match self.below(4) {
            0 => format!("{}({p})", self.pick(&["fabsf", "floorf", "sqrtf", "roundf", "-"])),
            1 => format!("{}({p}, {q})", self.pick(&["fmodf", "fminf"])),
            _ => format!("({p} {} {q})", self.pick(&["+", "-", "*", "/"])),
        }
    }

    /// An expression of type `long double`.
    fn long(&mut self, depth: u32) -> String {
        if depth == 0 || self.below(4) == 0 {
            return self
                .pick(&["l", "0.1L", "(long double)a", "(long double)n", "1e4900L", "(long double)b"])
                .to_owned();
        }
        let (p, q) = (self.long(depth - 1), self.long(depth - 1));
        match self.below(5) {
            0 => format!("{}({p})", self.pick(&["fabsl", "floorl", "sqrtl", "-"])),
            _ => format!("({p} {} {q})", self.pick(&["+", "-", "*", "/"])),
        }
    }

    /// An expression of type `int`.
    fn int(&mut self, depth: u32) -> String {
        if depth == 0 || self.below(5) == 0 {
            return self.pick(&["n", "i", "3", "-1", "0"]).to_owned();
        }
        let (p, q) = (self.double(depth - 1), self.double(depth - 1));
        match self.below(7) {
            0 => format!("({p} > -2e9 && {p} < 2e9 ? (int)({p}) : 7)"),
            1 => format!("(int)(unsigned char)({} & 63)", self.int(depth - 1)),
            2 => format!("__builtin_isnan((double)({p}))"),
            3 => format!("(__builtin_isfinite((double)({p})) + 2 * __builtin_isinf_sign((double)({q})))"),
            4 if self.below(4) == 0 => format!("(int)({p})"),
            5 => format!("!({p})"),
            _ => format!("({p} {} {q})", self.pick(&["<", "<=", ">", ">=", "==", "!="])),
        }
    }

    fn statement(&mut self) -> String {
        match self.below(8) {
            0 => format!("s = {};", self.single(2)),
            1 => format!("l = {};", self.long(2)),
            2 => format!("i = {};", self.int(2)),
            3 => format!(
                "if ({}) x = {}; else y {} {};",
                self.int(2),
                self.double(2),
                self.pick(&["+=", "*=", "-="]),
                self.double(1)
            ),
            4 => "x = frexp(y, &i);".to_owned(),
            5 => "y = modf(x, &x);".to_owned(),
            6 => format!("{}{};", self.pick(&["x", "y", "s", "l"]), self.pick(&["++", "--"])),
            _ => format!("{} = {};", self.pick(&["x", "y"]), self.double(3)),
        }
    }

    /// A change of the rounding mode: to a constant, to a value that depends on the inputs, or to an invalid
    /// value.
    fn mode(&mut self) -> String {
        match self.below(6) {
            0 => "fesetround((i & 3) << 10);".to_owned(),
            1 => format!("i = fesetround({}) + (fegetround() >> 10);", self.below(9) * 512),
            2 => format!("if ({}) fesetround({});", self.int(1), self.below(4) << 10),
            _ => format!("fesetround({});", self.below(4) << 10),
        }
    }

    /// A function with this name.
    pub fn function(&mut self, name: &str) -> String {
        let mut text = format!("double {name}(double a, float b, int n, double c) {{\n");
        text.push_str("    double x = c, y = a; float s = b; long double l = a; int i = n & 31;\n");
        for _ in 0..1 + self.below(4) {
            if self.sets_modes && self.below(3) > 0 {
                let mode = self.mode();
                writeln!(text, "    {mode}").expect("a string takes all");
            }
            let statement = self.statement();
            writeln!(text, "    {statement}").expect("a string takes all");
        }
        writeln!(text, "    return {};\n}}", self.double(2)).expect("a string takes all");
        text
    }
}
