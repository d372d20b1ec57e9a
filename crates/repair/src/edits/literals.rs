//! Other numbers and characters in place of constants.

use super::expressions::Role;
use nub_c_syntax::TranslationUnit;
use nub_c_syntax::ast::{AstExprKind, CharLit, Encoding, ExprId, IntBase, IntLit, LengthSuffix};

/// Numbers that are tried in place of a constant.
const MAX_NUMBERS: usize = 8;

/// Constants of one function.
pub(super) struct Literals {
    /// Smallest first, with 0 and 1.
    numbers: Vec<u64>,
    /// Characters as they are written.
    characters: Vec<String>,
}

impl Literals {
    /// From the expressions of a function.
    pub fn new(unit: &TranslationUnit, list: &[(ExprId, Role)]) -> Literals {
        let mut numbers = vec![0, 1];
        let mut characters: Vec<String> = Vec::new();
        for (id, _) in list {
            let expr = unit.expr(*id);
            match &expr.kind {
                AstExprKind::Int(number) => numbers.push(number.value),
                AstExprKind::Char(found) if is_plain_character(found) => {
                    characters.push(String::from_utf8_lossy(unit.text(expr.span)).into_owned());
                }
                _ => {}
            }
        }
        numbers.sort_unstable();
        numbers.dedup();
        characters.sort_unstable();
        characters.dedup();
        Literals { numbers, characters }
    }

    /// Numbers close by, for bit patterns also those shifted by one, and those of the function that are closest. They are written like this one, so
    /// that the type stays the same.
    pub fn other_numbers(&self, number: &IntLit) -> Vec<String> {
        let value = number.value;
        let is_small = number.length == LengthSuffix::None && value < i32::MAX as u64;
        if !is_small || number.base == IntBase::Binary || number.base == IntBase::Octal && value != 0 {
            return Vec::new();
        }
        let mut named: Vec<u64> = self.numbers.iter().copied().filter(|number| *number != value).collect();
        named.sort_by_key(|number| number.abs_diff(value));
        named.truncate(MAX_NUMBERS);
        let is_pattern = number.base == IntBase::Hexadecimal;
        let mut found = vec![value + 1];
        found.extend(value.checked_sub(1));
        found.extend([value << 1, value >> 1].iter().filter(|_| is_pattern));
        found.extend(named);
        found.retain(|other| *other != value && *other < i32::MAX as u64);
        found.sort_unstable();
        found.dedup();
        let suffix = if number.is_unsigned { "u" } else { "" };
        let written = |number: u64| {
            if is_pattern { format!("{number:#x}{suffix}") } else { format!("{number}{suffix}") }
        };
        found.into_iter().map(written).collect()
    }

    /// Other characters of the function.
    pub fn other_characters(&self, text: &str) -> Vec<String> {
        let others = self.characters.iter().filter(|other| other.as_str() != text);
        others.take(MAX_NUMBERS).cloned().collect()
    }
}

/// One character without a prefix.
pub(super) fn is_plain_character(found: &CharLit) -> bool {
    found.n_chars == 1 && found.encoding == Encoding::Plain
}

#[cfg(test)]
mod tests {
    use super::super::expressions::expressions;
    use super::*;

    #[test]
    fn numbers_are_written_as_they_were() {
        let (unit, _) = nub_c_syntax::parse(
            b"int f(int x) { return x == 'a' || x == 'b' || x == 7 || x & 0x80 || x > 3u; }",
        );
        let body = unit.functions().next().expect("there is one").1.body;
        let list = expressions(&unit, body);
        let literals = Literals::new(&unit, &list);
        let others = |text: &str| {
            let id =
                list.iter().map(|found| found.0).find(|id| unit.text(unit.expr(*id).span) == text.as_bytes());
            match &unit.expr(id.expect("it is there")).kind {
                AstExprKind::Int(number) => literals.other_numbers(number),
                _ => literals.other_characters(text),
            }
        };
        assert_eq!(others("7"), ["0", "1", "3", "6", "8", "128"]);
        assert_eq!(others("3u"), ["0u", "1u", "2u", "4u", "7u", "128u"]);
        assert_eq!(others("0x80"), ["0x0", "0x1", "0x3", "0x7", "0x40", "0x7f", "0x81", "0x100"]);
        assert_eq!(others("'a'"), ["'b'"]);
    }
}
