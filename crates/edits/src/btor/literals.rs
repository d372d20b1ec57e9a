//! Shorter constants: `zero`, `one`, `ones`, and smaller decimal numbers.
//!
//! ```text
//! 3 const 8 00000001        =>        3 one 8
//! 3 constd 8 100            =>        3 constd 8 50   =>   ...   =>   3 constd 8 2
//! ```
//!
//! A counter that is compared with a smaller number needs fewer steps. So this also lowers the bound at which a
//! model checker finds the failure.

use super::{BtorView, constant};
use crate::{Edit, Grouping, Pass, smaller_numbers};
use nub_bitvec::Value;
use nub_btor::{LineId, Tag};

/// See the module.
pub struct BtorLiterals;

impl Pass<BtorView> for BtorLiterals {
    fn name(&self) -> &'static str {
        "literals"
    }

    fn grouping(&self) -> Grouping {
        Grouping::Single
    }

    fn edits(&self, view: &BtorView) -> Vec<Edit> {
        view.lines().flat_map(|line| smaller(view, line)).collect()
    }
}

/// Simplest first: the three named constants, the same number in decimal, smaller ones.
fn smaller(view: &BtorView, line: LineId) -> Vec<Edit> {
    let Some(digits) = constant::digits(view, line) else { return Vec::new() };
    let mut edits: Vec<Edit> =
        [Tag::Zero, Tag::One, Tag::Ones].iter().filter_map(|&tag| view.to_leaf(line, tag)).collect();
    let (Some(value), Some(name)) = (constant::value(view, line), Tag::Constd.name(view.file().dialect()))
    else {
        return edits;
    };
    for number in numbers(&value) {
        let text = number.to_decimal().into_bytes();
        edits.push(Edit::of([(view.line(line).tag_span, name.as_bytes().to_vec()), (digits.span, text)]));
    }
    edits
}

/// The number itself, and smaller ones.
fn numbers(value: &Value) -> Vec<Value> {
    let width = value.width();
    let mut numbers = vec![value.clone()];
    match value.to_u64() {
        Some(number) => {
            numbers.extend(smaller_numbers::smaller(number).map(|less| Value::from_u64(width, less)))
        }
        None => numbers.extend([value.lshr(&Value::one(width)), value.dec()]),
    }
    numbers
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::btor::testing::each;

    #[test]
    fn named_constants_then_smaller_numbers() {
        let found = each(&BtorLiterals, "1 const 8 01100100\n2 redor 1 1\n3 root 1 2\n");
        let lines: Vec<&str> = found.iter().filter_map(|text| text.lines().next()).collect();
        assert_eq!(
            lines[..6],
            ["1 zero 8", "1 one 8", "1 ones 8", "1 constd 8 100", "1 constd 8 10", "1 constd 8 50"]
        );
        assert_eq!(lines.last(), Some(&"1 constd 8 99"));
    }

    #[test]
    fn a_width_costs_nothing() {
        let text = "1 constd 2000000000 7\n2 redor 1 1\n3 root 1 2\n";
        assert_eq!(each(&BtorLiterals, text).len(), 3, "no value of two thousand million bits is made");
    }
}
