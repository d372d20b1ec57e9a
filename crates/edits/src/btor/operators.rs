//! Replaces an operator by a shorter one with the same operands and sorts; among those of equal length, by the first in the alphabet.
//!
//! ```text
//! 5 implies 1 3 4        =>        5 or 1 3 4
//! 6 ult 1 3 4            =>        6 eq 1 3 4
//! ```

use super::BtorView;
use crate::{Edit, Pass};
use nub_btor::ops::OPS;
use nub_btor::{LineId, LineShape, Sort, Tag, WidthRule};

/// Limit on the operators offered for one.
const MAX_OFFERS: usize = 3;

/// How many operators to offer for one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BtorOperators {
    /// Only the simplest. If it cannot be used, the failure usually needs the operator.
    Simplest,
    /// Several.
    Several,
}

impl Pass<BtorView> for BtorOperators {
    fn name(&self) -> &'static str {
        "operators"
    }

    fn edits(&self, view: &BtorView) -> Vec<Edit> {
        let offers = |line: LineId| {
            let span = view.line(line).tag_span;
            let most = if *self == BtorOperators::Simplest { 1 } else { MAX_OFFERS };
            simpler(view, line).into_iter().take(most).map(move |name| Edit::replace(span, name.as_bytes()))
        };
        view.lines().filter(|&line| view.is_node(line)).flat_map(offers).collect()
    }
}

/// Names of operators that can be used instead, simplest first.
fn simpler(view: &BtorView, line: LineId) -> Vec<&'static str> {
    let (Some(tag), dialect) = (view.tag(line), view.file().dialect()) else { return Vec::new() };
    let Some(old) = tag.name(dialect) else { return Vec::new() };
    // The digits of a constant are written in one base.
    if tag.op().shape == LineShape::Digits {
        return Vec::new();
    }
    if tag.rule() == WidthRule::Leaf && (view.is_initial(line) || view.assignments(line).next().is_some()) {
        return Vec::new();
    }
    let on_bits = is_bit_by_bit(view, line);
    let is_alike = |other: Tag| {
        other.op().shape == tag.op().shape
            && (other.rule() == tag.rule()
                || (tag.rule() == WidthRule::Compare && other.rule() == WidthRule::Equal)
                || (on_bits && maps_bits(other.rule())))
    };
    let mut names: Vec<&'static str> =
        OPS.iter().filter(|op| is_alike(op.tag)).filter_map(|op| op.tag.name(dialect)).collect();
    names.retain(|name| (name.len(), *name) < (old.len(), old));
    names.sort_unstable_by_key(|name| (name.len(), *name));
    names
}

/// On single bits, `implies`, `ult` and `eq` are bitwise operators like `and`.
fn is_bit_by_bit(view: &BtorView, line: LineId) -> bool {
    let mut below = view.nodes_of(line).map(|operand| operand.line.and_then(|to| view.sort(to)));
    view.tag(line).is_some_and(|tag| maps_bits(tag.rule())) && below.all(|sort| sort == Some(Sort::BIT))
}

fn maps_bits(rule: WidthRule) -> bool {
    matches!(rule, WidthRule::Same | WidthRule::Bit | WidthRule::Compare | WidthRule::Equal)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::btor::testing::each;

    fn names(text: &str) -> Vec<String> {
        each(&BtorOperators::Several, text)
            .iter()
            .filter_map(|text| text.lines().nth(1))
            .map(str::to_owned)
            .collect()
    }

    #[test]
    fn shorter_names_with_the_same_sorts() {
        assert_eq!(names("1 var 8\n2 ult 1 1 1\n3 root 1 2\n")[0], "2 eq 1 1 1");
        assert_eq!(
            names("1 var 1\n2 implies 1 1 1\n3 root 1 2\n")[..3],
            ["2 eq 1 1 1", "2 ne 1 1 1", "2 or 1 1 1"]
        );
        assert_eq!(names("1 var 8\n2 urem 8 1 1\n3 root 8 2\n")[0], "2 or 8 1 1");
        assert_eq!(names("1 var 8\n2 ones 8\n3 root 8 2\n"), ["2 one 8"]);
    }

    #[test]
    fn digits_keep_their_base() {
        assert!(names("1 var 8\n2 constd 8 7\n3 root 8 2\n").is_empty());
    }
}
