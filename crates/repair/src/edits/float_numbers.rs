//! Floating constants in place of others.

use super::expressions::Role;
use nub_bitvec::float::{Rational, RoundingMode};
use nub_c_ir::FloatEncoding;
use nub_c_syntax::TranslationUnit;
use nub_c_syntax::ast::{AstExprKind, ExprId, FloatLit};

/// Constants of the function that are tried in place of one.
const MAX_NUMBERS: usize = 6;

/// A floating constant of the source.
#[derive(Clone, Debug)]
pub(super) struct FloatText {
    /// Without its suffix.
    pub digits: String,
    /// `f`, `l` or nothing, as it is written.
    pub suffix: String,
}

impl FloatText {
    /// `None` if its type has no arithmetic here.
    pub fn new(unit: &TranslationUnit, literal: FloatLit) -> Option<FloatText> {
        let text = |span| String::from_utf8_lossy(unit.text(span)).into_owned();
        let (digits, whole) = (text(literal.digits), text(literal.span));
        let suffix = whole.get(digits.len()..)?.to_owned();
        matches!(suffix.as_str(), "" | "f" | "F").then_some(FloatText { digits, suffix })
    }

    /// How its values are represented.
    fn encoding(&self) -> FloatEncoding {
        if self.suffix.is_empty() { FloatEncoding::DOUBLE } else { FloatEncoding::SINGLE }
    }

    fn bits(&self) -> Option<u128> {
        self.encoding().read(self.digits.as_bytes())
    }

    /// The same digits with the other precision.
    pub fn in_other_precision(&self) -> String {
        let suffix = if self.suffix.is_empty() { "f" } else { "" };
        format!("{}{suffix}", self.digits)
    }
}

/// Floating constants of one function, and its integers, which may be meant where a float is expected.
pub(super) struct FloatNumbers {
    numbers: Vec<Rational>,
}

impl FloatNumbers {
    /// From the expressions of a function, together with 0, 1/2 and 1.
    pub fn new(unit: &TranslationUnit, list: &[(ExprId, Role)]) -> FloatNumbers {
        let mut texts = vec!["0".to_owned(), "0.5".to_owned(), "1".to_owned()];
        for (id, _) in list {
            match unit.expr(*id).kind {
                AstExprKind::Float(literal) => {
                    texts.extend(FloatText::new(unit, literal).map(|text| text.digits));
                }
                AstExprKind::Int(number) => texts.push(number.value.to_string()),
                _ => {}
            }
        }
        FloatNumbers { numbers: texts.iter().filter_map(|text| Rational::from_c(text.as_bytes())).collect() }
    }

    /// The neighbours of a constant, and those constants of the function that are closest to it, written with its suffix. All are positive: a sign is
    /// an operator.
    pub fn others(&self, text: &FloatText) -> Vec<String> {
        let Some(own) = text.bits() else { return Vec::new() };
        let encoding = text.encoding();
        let round =
            |number: &Rational| encoding.encode(&number.round(encoding.values, RoundingMode::NearestEven));
        let mut named: Vec<u128> = self.numbers.iter().map(round).filter(|bits| *bits != own).collect();
        // Encodings of positive numbers are in the order of the numbers.
        named.sort_unstable_by_key(|bits| bits.abs_diff(own));
        named.dedup();
        named.truncate(MAX_NUMBERS);
        let mut found: Vec<u128> = own.checked_sub(1).into_iter().chain([own + 1]).chain(named).collect();
        found.retain(|bits| {
            let value = encoding.decode(*bits);
            !value.is_infinite() && !value.is_nan()
        });
        found.sort_unstable();
        found.dedup();
        let written = |bits: u128| format!("{}{}", encoding.decode(bits).to_shortest(), text.suffix);
        found.into_iter().map(written).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::expressions::expressions;
    use super::*;

    /// What is tried in place of the constant with this text.
    fn others(body: &str, own: &str) -> Vec<String> {
        let text = format!("int f(float x, double y) {{ {body} }}");
        let (unit, _) = nub_c_syntax::parse(text.as_bytes());
        let body = unit.functions().next().expect("there is one").1.body;
        let list = expressions(&unit, body);
        let is_own = |id: &ExprId| unit.text(unit.expr(*id).span) == own.as_bytes();
        let id = list.iter().map(|found| found.0).find(is_own).expect("it is there");
        let AstExprKind::Float(literal) = unit.expr(id).kind else { panic!("{own} is a float") };
        FloatNumbers::new(&unit, &list).others(&FloatText::new(&unit, literal).expect("it has arithmetic"))
    }

    #[test]
    fn neighbours_and_constants_of_the_function() {
        assert_eq!(
            others("return x < 2.0f && x > 10;", "2.0f"),
            ["0.0f", "0.5f", "1.0f", "1.9999999f", "2.0000002f", "10.0f"]
        );
        assert_eq!(
            others("return y < 1.0;", "1.0"),
            ["0.0", "0.5", "0.9999999999999999", "1.0000000000000002"]
        );
        assert_eq!(others("return x < 0x1p-126f;", "0x1p-126f").len(), 5);
    }

    #[test]
    fn a_constant_in_the_other_precision() {
        let (unit, _) = nub_c_syntax::parse(b"int f(float x) { return x == 0.1; }");
        let literal = unit.exprs().find_map(|(_, expr)| match expr.kind {
            AstExprKind::Float(literal) => Some(literal),
            _ => None,
        });
        let text = FloatText::new(&unit, literal.expect("there is one")).expect("it is a double");
        assert_eq!(text.in_other_precision(), "0.1f");
    }
}
