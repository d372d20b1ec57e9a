//! Literals of every sort, with a preference for corner cases.

use super::builder::Builder;
use super::universe::Kind;
use nub_bitvec::Value;
use nub_random::Rng;
use nub_smtlib::SortId;
use nub_smtlib::ops::{IndexRange, OperatorSignature, SortRule};
use std::fmt::Write;

/// SMT-LIB's characters are the first three planes of Unicode.
const N_CODE_POINTS: u32 = 0x3_0000;
/// How often, in percent, a number is a corner case and not a small random one.
const CORNERS: u32 = 60;

impl Builder<'_> {
    /// A literal as text; `None` if the sort has no literals. Recursion is over the sort, whose nesting is
    /// limited.
    pub(super) fn literal(&mut self, sort: SortId) -> Option<String> {
        Some(match self.universe.kind(sort) {
            Kind::Bool | Kind::Mode | Kind::RegLan => self.named_constant(sort)?,
            Kind::Int if self.wants_values => natural(&mut self.rng),
            Kind::Int => integer(&mut self.rng),
            Kind::Real => self.real(),
            Kind::Text => self.text(),
            Kind::Bits => {
                let value = bits(&mut self.rng, self.universe.width(sort));
                bits_text(&mut self.rng, &value)
            }
            Kind::Float => self.float(sort)?,
            Kind::Array => self.constant_array(sort)?,
            Kind::Data => self.base_value(sort)?,
            Kind::Opaque => return None,
        })
    }

    /// A string literal, or a character by its code point.
    fn text(&mut self) -> String {
        let mut constants = self.catalog.constants.iter();
        let char = constants.find(|op| op.index_range == IndexRange::CodePoint);
        match char {
            Some(op) if self.rng.percent(8) => {
                format!("(_ {} #x{:x})", op.name, self.rng.below(N_CODE_POINTS))
            }
            _ => text(&mut self.rng),
        }
    }

    fn real(&mut self) -> String {
        // Constants for which some solver has a name, such as pi.
        if !self.wants_values
            && self.rng.percent(5)
            && let Some(name) = self.named_constant(SortId::REAL)
        {
            return name;
        }
        let has_division = self.has_division();
        real(&mut self.rng, has_division)
    }

    /// A constant of the operator table.
    fn named_constant(&mut self, sort: SortId) -> Option<String> {
        let all = self
            .catalog
            .constants
            .iter()
            .filter(|op| op.constant_result() == Some(sort) && op.indices.1 == 0);
        let names: Vec<&str> = all.map(|op| op.name).collect();
        (!names.is_empty()).then(|| self.rng.pick(&names).to_owned())
    }

    /// `((as const S) v)`, if the logic has it. The value is a literal, because cvc5 accepts nothing else.
    fn constant_array(&mut self, sort: SortId) -> Option<String> {
        let op = self.catalog.by_rule(SortRule::ConstArray).filter(|_| self.has_const_arrays)?;
        let (_, element) = self.universe.array(sort)?;
        let value = self.value(element)?;
        Some(format!("((as {} {}) {value})", op.name, self.universe.text(sort)))
    }

    /// A literal that cvc5 accepts as the element of a constant array.
    pub(super) fn value(&mut self, sort: SortId) -> Option<String> {
        let before = std::mem::replace(&mut self.wants_values, true);
        let value = self.literal(sort);
        self.wants_values = before;
        value
    }

    /// Special values by name, or bits: zeros, the smallest and the largest subnormal and normal numbers, any number.
    fn float(&mut self, sort: SortId) -> Option<String> {
        let (exponent, significand) = self.universe.float(sort)?;
        if self.wants_values || self.rng.percent(40) {
            let specials = self.catalog.constants.iter();
            let specials =
                specials.filter(|op| op.signature == OperatorSignature::Rule(SortRule::FloatConstant));
            let names: Vec<&str> = specials.map(|op| op.name).collect();
            let name = self.rng.pick(&names);
            return Some(format!("(_ {name} {exponent} {significand})"));
        }
        if self.rng.percent(25) {
            let op = self.catalog.by_rule(SortRule::ToFp)?;
            let mode = self.named_constant(SortId::ROUNDING_MODE)?;
            let real = self.real();
            return Some(format!("((_ {} {exponent} {significand}) {mode} {real})", op.name));
        }
        let op = self.catalog.by_rule(SortRule::Fp)?;
        let sign = self.rng.below(2);
        let (exponent, fraction) = (bits(&mut self.rng, exponent), bits(&mut self.rng, significand - 1));
        Some(format!("({} #b{sign} #b{} #b{})", op.name, exponent.to_binary(), fraction.to_binary()))
    }
}

/// A bit-vector, often 0, 1, -1, or one of the signed bounds.
pub(super) fn bits(rng: &mut Rng, width: u32) -> Value {
    if rng.percent(CORNERS) {
        return match rng.below(5) {
            0 => Value::zero(width),
            1 => Value::one(width),
            2 => Value::ones(width),
            3 => Value::min_signed(width),
            _ => Value::max_signed(width),
        };
    }
    if rng.percent(50) {
        return Value::from_u64(width, rng.below(10));
    }
    Value::from_bits((0..width).map(|_| rng.percent(50)))
}

/// The value in one of the three notations.
pub(super) fn bits_text(rng: &mut Rng, value: &Value) -> String {
    let width = value.width();
    match rng.below(3) {
        0 if width.is_multiple_of(4) => format!("#x{}", value.to_hex()),
        1 if width <= 64 => format!("(_ bv{} {width})", value.to_decimal()),
        _ => format!("#b{}", value.to_binary()),
    }
}

/// Near powers of two and beyond 64 bits, or small.
const BIG: &[&str] = &[
    "127",
    "128",
    "255",
    "256",
    "32768",
    "65535",
    "2147483647",
    "2147483648",
    "4294967296",
    "9223372036854775807",
    "9223372036854775808",
    "18446744073709551615",
    "18446744073709551616",
    "1000000000000000000000000000000",
];

fn natural(rng: &mut Rng) -> String {
    match rng.below(10) {
        0..=5 => rng.below(4).to_string(),
        6..=8 => rng.below(100).to_string(),
        _ => rng.pick(BIG).to_owned(),
    }
}

/// An integer; negative ones are applications in SMT-LIB.
pub(super) fn integer(rng: &mut Rng) -> String {
    let natural = natural(rng);
    if rng.percent(30) { format!("(- {natural})") } else { natural }
}

/// A factor or divisor of a linear term of this sort, `Int` or `Real`: not zero.
pub(super) fn factor(rng: &mut Rng, sort: SortId) -> String {
    let number = rng.between(2, 17);
    let point = if sort == SortId::REAL { ".0" } else { "" };
    if rng.percent(30) { format!("(- {number}{point})") } else { format!("{number}{point}") }
}

/// A decimal, a negative one, or a fraction if the logic has division.
fn real(rng: &mut Rng, has_division: bool) -> String {
    let mut text = format!("{}.{}", natural(rng), rng.pick(&["0", "0", "0", "5", "25", "1", "000001"]));
    if !has_division {
        return text;
    }
    if rng.percent(30) {
        text = format!("(- {text})");
    }
    if rng.percent(20) {
        text = format!("(/ {text} {}.0)", rng.between(2, 10));
    }
    text
}

/// Pieces of strings: digits, a quote, escapes in both notations, the last code point, text that only looks like an escape.
const PIECES: &[&str] = &[
    "a",
    "b",
    "ab",
    "0",
    "1",
    "-",
    "9",
    "\"\"",
    " ",
    "\\u{0}",
    "\\u{1F600}",
    "\\u0041",
    "\\u{2ffff}",
    "\\x",
    "Z",
];

/// A string literal; one in five is empty.
fn text(rng: &mut Rng) -> String {
    let n_pieces = rng.below(5);
    let mut text = String::from("\"");
    for _ in 0..n_pieces {
        text.push_str(rng.pick(PIECES));
    }
    text.push('"');
    text
}

/// A string of one character, for the ends of a range.
pub(super) fn character(rng: &mut Rng) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ =
        write!(text, "\"{}\"", rng.pick(&["a", "b", "c", "z", "0", "5", "9", "A", "\\u{0}", "\\u{1F600}"]));
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_are_legal_and_corners_occur() {
        let mut rng = Rng::new(3);
        let all: Vec<String> = (0..400).map(|_| integer(&mut rng)).collect();
        assert!(all.iter().all(|text| !text.starts_with('-')));
        for corner in ["0", "(- 1)", "18446744073709551616"] {
            assert!(all.iter().any(|text| text == corner), "{corner}");
        }
        let all: Vec<String> = (0..400).map(|_| real(&mut rng, false)).collect();
        assert!(all.iter().all(|text| text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')));
        assert!((0..400).map(|_| real(&mut rng, true)).any(|text| text.starts_with("(/ (- ")));
        assert!((0..100).any(|_| text(&mut rng) == "\"\""));
        assert!((0..100).any(|_| bits(&mut rng, 7) == Value::min_signed(7)));
        assert!((0..100).all(|_| factor(&mut rng, SortId::INT) != "0"));
    }
}
