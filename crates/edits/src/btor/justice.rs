//! Removes one condition of a `justice` property, and adjusts the count.
//!
//! ```text
//! 9 justice 2 5 7        =>        9 justice 1 7
//! ```

use super::BtorView;
use crate::{Edit, Pass};
use nub_btor::{LineId, Operand, Tag};
use nub_text::Span;

/// See the module.
pub struct Justice;

impl Pass<BtorView> for Justice {
    fn name(&self) -> &'static str {
        "justice"
    }

    /// The first conditions of all lines, then all second ones, and so on: a group must not contain two conditions of one line.
    fn edits(&self, view: &BtorView) -> Vec<Edit> {
        let lines = view.lines().filter(|&line| view.tag(line) == Some(Tag::Justice));
        let mut edits: Vec<(usize, Edit)> = lines.flat_map(|line| of_line(view, line)).collect();
        edits.sort_by_key(|(rank, _)| *rank);
        edits.into_iter().map(|(_, edit)| edit).collect()
    }
}

/// All conditions of a line, unless there is only one: then the whole property can be removed.
fn of_line(view: &BtorView, line: LineId) -> Vec<(usize, Edit)> {
    let [count, conditions @ ..] = view.operands(line) else { return Vec::new() };
    if conditions.len() < 2 || count.value != conditions.len() as u64 {
        return Vec::new();
    }
    let without = |(rank, pair): (usize, &[Operand])| {
        let gone = Span { start: pair[0].span.end, end: pair[1].span.end };
        let fewer = (count.value - 1).to_string().into_bytes();
        (rank, Edit::of([(count.span, fewer), (gone, Vec::new())]))
    };
    view.operands(line).windows(2).enumerate().map(without).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::btor::testing::each;

    #[test]
    fn one_condition_and_the_count() {
        let text = "1 sort bitvec 1\n2 input 1\n3 input 1\n4 justice 2 2 -3\n";
        let found = each(&Justice, text);
        assert_eq!(
            found,
            ["1 sort bitvec 1\n3 input 1\n4 justice 1 -3\n", "1 sort bitvec 1\n2 input 1\n4 justice 1 2\n"]
        );
        assert!(each(&Justice, &found[0]).is_empty(), "the last one goes with the property");
    }
}
