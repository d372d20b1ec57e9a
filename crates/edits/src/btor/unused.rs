//! Removes lines that no property needs.
//!
//! ```text
//! 3 add 2 1 1
//! 4 root 1 1        =>        4 root 1 1
//! ```
//!
//! [`super::clean_up`] does this for lines that an edit makes useless; these have been useless from the start.

use super::clean_up::reached;
use super::{BtorView, LineUse};
use crate::{Edit, Grouping, Pass};
use nub_btor::{LineId, OperandKind, Tag};

/// See the module.
pub struct BtorUnused;

impl Pass<BtorView> for BtorUnused {
    fn name(&self) -> &'static str {
        "unused"
    }

    fn grouping(&self) -> Grouping {
        Grouping::Complements
    }

    /// All at once; then each line that nothing refers to, with the lines that only it needs, and without them.
    fn edits(&self, view: &BtorView) -> Vec<Edit> {
        let reached = reached(view, |_, operand| operand.line);
        let unreached: Vec<LineId> = view.lines().filter(|line| !reached[line.index()]).collect();
        if unreached.is_empty() {
            return Vec::new();
        }
        let n_uses_of = |line| view.uses(line).iter().filter(|at| is_use(at)).count();
        let n_uses: Vec<usize> = view.lines().map(n_uses_of).collect();
        let mut rest = Rest { is_taken: vec![false; n_uses.len()], n_uses };
        let mut edits = vec![view.cut(unreached.iter().copied())];
        let mut alone = Vec::new();
        for &top in unreached.iter().rev().filter(|&&line| is_top(view, line)) {
            let with_cone = view.cut(rest.take(view, top));
            let edit = view.cut(view.assignments(top).chain([top]));
            alone.extend((edit != with_cone).then_some(edit));
            edits.push(with_cone);
        }
        edits.append(&mut alone);
        edits
    }
}

/// True unless it is the assignment of a state, which is removed with the state.
fn is_use(at: &LineUse) -> bool {
    at.operand.kind != OperandKind::State
}

fn is_top(view: &BtorView, line: LineId) -> bool {
    let is_assignment = matches!(view.tag(line), Some(Tag::Init | Tag::Next | Tag::Anext));
    !is_assignment && !view.uses(line).iter().any(is_use)
}

/// The remaining uses of every line.
struct Rest {
    n_uses: Vec<usize>,
    is_taken: Vec<bool>,
}

impl Rest {
    /// A line, its assignments, and all lines whose last use is removed with them. Such sets are disjoint, so all calls
    /// together cost O(n).
    fn take(&mut self, view: &BtorView, top: LineId) -> Vec<LineId> {
        let mut taken = Vec::new();
        let mut stack = vec![top];
        while let Some(line) = stack.pop() {
            if std::mem::replace(&mut self.is_taken[line.index()], true) {
                continue;
            }
            taken.push(line);
            stack.extend(view.assignments(line));
            for to in used_by(view, line) {
                self.n_uses[to.index()] -= 1;
                if self.n_uses[to.index()] == 0 {
                    stack.push(to);
                }
            }
        }
        for &line in &taken {
            self.is_taken[line.index()] = false;
            used_by(view, line).for_each(|to| self.n_uses[to.index()] += 1);
        }
        taken
    }
}

fn used_by(view: &BtorView, line: LineId) -> impl Iterator<Item = LineId> + '_ {
    let operands = view.operands(line).iter().filter(|operand| operand.kind != OperandKind::State);
    operands.filter_map(|operand| operand.line)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::btor::testing::each;

    #[test]
    fn all_at_once_then_with_what_only_it_needs_then_alone() {
        let text = "1 var 8\n2 var 1\n3 inc 8 1\n4 dec 8 3\n5 not 1 2\n6 root 1 2\n";
        assert_eq!(
            each(&BtorUnused, text),
            [
                "2 var 1\n6 root 1 2\n",
                "1 var 8\n2 var 1\n3 inc 8 1\n4 dec 8 3\n6 root 1 2\n",
                "2 var 1\n5 not 1 2\n6 root 1 2\n",
                "1 var 8\n2 var 1\n3 inc 8 1\n5 not 1 2\n6 root 1 2\n"
            ]
        );
    }

    #[test]
    fn a_state_goes_with_its_assignments() {
        let text = "1 sort bitvec 1\n2 one 1\n3 state 1\n4 init 1 3 2\n5 bad 2\n";
        assert_eq!(each(&BtorUnused, text)[1], "1 sort bitvec 1\n2 one 1\n5 bad 2\n");
    }
}
