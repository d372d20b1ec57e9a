//! Replaces nodes by constants, with one `zero` for each width ([Vida08] §4.1.1: "create a zero node for each bit-width").
//!
//! ```text
//! 3 add 8 1 2                3 zero 8
//! 4 mul 8 1 2        =>      5 ult 1 3 -3          3 has become zero, 4 ones
//! 5 ult 1 3 4
//! ```
//!
//! The first line that becomes a constant is the zero, unless there already is one above it; uses of the other lines become
//! references to it, negated for ones. So no new id is needed, and the line precedes all its uses. The uses
//! of a `zero` further down are redirected to it, too.
//!
//! A line with a use that must not be changed becomes a constant of its own, and so do all ones as the initial value of an
//! array, because a negated reference is not a constant. O(lines + uses of the replaced lines).

use super::{BtorView, LineRef};
use crate::dag::{Changes, Dag, DagNode, Replacement, is_free};
use crate::{Edit, MergedEdits};
use nub_btor::{LineId, OperandKind, Sort, Tag};
use nub_text::Span;
use std::collections::BTreeMap;

/// The splices for changes to a file.
pub(super) fn write(view: &BtorView, changes: &Changes, protected: &[Span]) -> MergedEdits {
    let mut writer = Writer { view, changes, protected, splices: MergedEdits::default() };
    let mut by_width: BTreeMap<u32, Vec<(LineId, Replacement)>> = BTreeMap::new();
    for (&node, &with) in &changes.replaced {
        let line = LineId::new(node.index());
        match view.sort(line).filter(|_| view.is_node(line)) {
            Some(Sort::Bits(width)) if with != Replacement::Variable && writer.can_share(line, with) => {
                by_width.entry(width).or_default().push((line, with));
            }
            _ => writer.alone(node, with),
        }
    }
    for (&(parent, index), &target) in &changes.redirected {
        writer.splices_of(view.redirect(parent, index, target));
    }
    let mut zeros = if by_width.is_empty() { BTreeMap::new() } else { writer.zeros() };
    for (width, lines) in by_width {
        writer.share(lines, zeros.remove(&width).unwrap_or_default());
    }
    writer.splices
}

struct Writer<'w> {
    view: &'w BtorView,
    changes: &'w Changes,
    protected: &'w [Span],
    splices: MergedEdits,
}

impl Writer<'_> {
    /// Turns all lines of a width into one zero; `zeros` are the existing ones.
    fn share(&mut self, lines: Vec<(LineId, Replacement)>, zeros: Vec<LineId>) {
        let Some(&(first, _)) = lines.first() else { return };
        let zero = zeros.first().copied().filter(|&zero| zero < first).unwrap_or(first);
        if zero == first && self.view.tag(first) != Some(Tag::Zero) {
            self.splices_of(self.view.to_leaf(first, Tag::Zero));
        }
        let others = zeros.into_iter().filter(|&other| other > zero);
        for line in others.filter(|&other| self.can_share(other, Replacement::Zero)).collect::<Vec<_>>() {
            self.redirect_uses(line, zero, false);
        }
        for (line, with) in lines {
            if line != zero || with == Replacement::Ones {
                self.redirect_uses(line, zero, with == Replacement::Ones);
            }
        }
    }

    /// The zero lines that stay, by width, in the order of the text.
    fn zeros(&self) -> BTreeMap<u32, Vec<LineId>> {
        let mut zeros: BTreeMap<u32, Vec<LineId>> = BTreeMap::new();
        for line in self.view.lines().filter(|&line| self.view.tag(line) == Some(Tag::Zero)) {
            if let Some(Sort::Bits(width)) = self.view.sort(line)
                && !self.is_replaced(line)
            {
                zeros.entry(width).or_default().push(line);
            }
        }
        zeros
    }

    fn redirect_uses(&mut self, line: LineId, zero: LineId, is_ones: bool) {
        for at in self.view.uses(line).iter().filter(|at| at.operand.kind == OperandKind::Node) {
            // A line that is itself replaced no longer has operands.
            if !self.is_replaced(at.by) {
                let reference =
                    self.view.reference(LineRef { to: zero, negated: at.operand.negated ^ is_ones });
                self.splices.add(&Edit::replace(at.operand.span, reference));
            }
        }
    }

    fn is_replaced(&self, line: LineId) -> bool {
        self.changes.replaced.contains_key(&DagNode(line.index() as u32))
    }

    /// Whether all uses of a line can be redirected.
    fn can_share(&self, line: LineId, with: Replacement) -> bool {
        let uses = self.view.uses(line).iter().filter(|at| at.operand.kind == OperandKind::Node);
        let is_value = |by: LineId| self.view.tag(by) == Some(Tag::Init);
        let can_be = |by: LineId| with == Replacement::Zero || !is_value(by);
        uses.clone().all(|at| can_be(at.by))
            && (self.protected.is_empty()
                || uses.clone().all(|at| is_free(&Edit::cut(at.operand.span), self.protected)))
    }

    /// A change that is independent of the others.
    fn alone(&mut self, node: DagNode, with: Replacement) {
        self.splices_of(self.view.replace(node, with).map(|one| one.edit));
    }

    fn splices_of(&mut self, edit: Option<Edit>) {
        if let Some(edit) = edit.filter(|edit| is_free(edit, self.protected)) {
            self.splices.add(&edit);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::btor::clean_up;
    use crate::btor::testing::read;
    use crate::render;
    use Replacement::{Ones, Variable, Zero};

    /// The file with the nodes of these ids replaced, without the lines that are no longer needed.
    fn after(text: &str, replaced: &[(u64, Replacement)], protected: &[Span]) -> String {
        let view = read(text);
        let node = |id| DagNode(view.file().by_id(id).unwrap().index() as u32);
        let changes = Changes::default().with(replaced.iter().map(|&(id, with)| (node(id), with))).unwrap();
        let mut splices = write(&view, &changes, protected);
        clean_up(&view, &mut splices, &[]);
        String::from_utf8(render(view.text(), &splices.splices())).unwrap()
    }

    const TEXT: &str =
        "1 var 8\n2 var 8\n3 add 8 1 2\n4 mul 8 -1 2\n5 ult 1 3 -4\n6 redor 1 4\n7 and 1 5 6\n8 root 1 7\n";

    #[test]
    fn one_zero_for_each_width() {
        assert_eq!(
            after(TEXT, &[(3, Zero), (4, Zero)], &[]),
            "3 zero 8\n5 ult 1 3 -3\n6 redor 1 3\n7 and 1 5 6\n8 root 1 7\n"
        );
        assert_eq!(
            after(TEXT, &[(3, Zero), (4, Ones)], &[]),
            "3 zero 8\n5 ult 1 3 3\n6 redor 1 -3\n7 and 1 5 6\n8 root 1 7\n"
        );
        assert_eq!(after(TEXT, &[(5, Ones), (6, Zero)], &[]), "5 zero 1\n7 and 1 -5 5\n8 root 1 7\n");
        assert_eq!(after(TEXT, &[(7, Ones)], &[]), "7 zero 1\n8 root 1 -7\n");
        let both = "3 var 8\n4 var 8\n5 ult 1 3 -4\n6 redor 1 4\n7 and 1 5 6\n8 root 1 7\n";
        assert_eq!(after(TEXT, &[(3, Variable), (4, Variable)], &[]), both, "variables are not shared");
    }

    #[test]
    fn a_zero_that_is_there_is_used() {
        let text = "1 zero 8\n2 var 8\n3 not 8 2\n4 ult 1 1 3\n5 root 1 4\n";
        assert_eq!(after(text, &[(3, Ones)], &[]), "1 zero 8\n4 ult 1 1 -1\n5 root 1 4\n");
        let text = "2 var 8\n3 not 8 2\n1 zero 8\n4 ult 1 1 3\n5 root 1 4\n";
        assert_eq!(after(text, &[(3, Ones)], &[]), "3 zero 8\n4 ult 1 3 -3\n5 root 1 4\n");
    }

    #[test]
    fn what_is_replaced_below_what_is_replaced_goes() {
        let text = after(TEXT, &[(1, Ones), (3, Zero), (4, Zero)], &[]);
        assert_eq!(text, "1 zero 8\n5 ult 1 1 -1\n6 redor 1 1\n7 and 1 5 6\n8 root 1 7\n");
    }

    #[test]
    fn protected_lines_keep_their_operands() {
        let start = TEXT.find("6 redor").unwrap();
        let protected = [Span::new(start, start + 12)];
        assert_eq!(
            after(TEXT, &[(3, Zero), (4, Ones)], &protected),
            "3 zero 8\n4 ones 8\n5 ult 1 3 -4\n6 redor 1 4\n7 and 1 5 6\n8 root 1 7\n"
        );
    }

    #[test]
    fn ones_fill_no_array_by_a_negated_reference() {
        let text = "1 sort bitvec 2\n2 sort array 1 1\n3 one 1\n4 state 2\n5 init 2 4 3\n6 read 1 4 3\n7 sort bitvec 1\n8 redor 7 6\n9 bad 8\n";
        let view = BtorView::new(text.as_bytes(), nub_btor::BtorDialect::Btor2);
        let node = DagNode(view.file().by_id(3).unwrap().index() as u32);
        let splices = write(&view, &Changes::default().with([(node, Ones)]).unwrap(), &[]);
        let after = String::from_utf8(render(view.text(), &splices.splices())).unwrap();
        assert!(after.contains("3 ones 1\n") && after.contains("init 2 4 3"), "{after}");
    }
}
