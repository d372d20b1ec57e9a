//! Removes what an edit makes useless: nodes and sorts whose last use is removed, and assignments of removed states.
//!
//! ```text
//! 3 add 8 1 2                             (cut)
//! 4 slice 1 3 0 0        4 cut: =>        (cut)
//! ```
//!
//! Useless means that no property reaches it. Lines that were already unreached before the edit stay, with everything they need: the
//! failure may depend on them, and `unused` offers to remove them. Two sweeps over the lines, linear in the file.

use super::BtorView;
use crate::dag::is_free;
use crate::{Edit, MergedEdits, Splice};
use nub_btor::{LineId, Operand};
use nub_text::Span;
use rustc_hash::{FxHashMap, FxHashSet};

/// Adds cuts of the lines that are no longer reached. True if there are any. Lines in `protected` (sorted) stay, with everything they
/// need.
pub fn clean_up(view: &BtorView, splices: &mut MergedEdits, protected: &[Span]) -> bool {
    let before = reached(view, |_, operand| operand.line);
    let targets = Targets::new(view, splices);
    let stays = |&line: &LineId| !before[line.index()] || is_needed(view, line, protected);
    let after =
        reached_from(view, view.lines().filter(stays).collect(), |line, operand| targets.of(line, operand));
    let gone: Vec<LineId> = view
        .lines()
        .filter(|line| before[line.index()] && !after[line.index()])
        .filter(|&line| !splices.covers(view.line(line).span))
        .collect();
    let mut changed = false;
    for line in gone {
        changed |= splices.add(&Edit::cut(view.line(line).span));
    }
    changed
}

/// Cuts of all lines that no property and no line in `protected` needs, except properties.
pub fn unreached(view: &BtorView, protected: &[Span]) -> MergedEdits {
    let needed = view.lines().filter(|&line| is_needed(view, line, protected)).collect();
    let reached = reached_from(view, needed, |_, operand| operand.line);
    let mut splices = MergedEdits::default();
    for line in view.lines().filter(|line| !reached[line.index()]) {
        splices.add(&Edit::cut(view.line(line).span));
    }
    splices
}

/// Whether a line stays although nothing refers to it.
fn is_needed(view: &BtorView, line: LineId, protected: &[Span]) -> bool {
    view.is_root(line) || !is_free(&Edit::cut(view.line(line).span), protected)
}

/// Lines that a property needs, including sorts and assignments of states. `target` gives the line that a reference leads to.
pub(super) fn reached(view: &BtorView, target: impl Fn(LineId, &Operand) -> Option<LineId>) -> Vec<bool> {
    reached_from(view, view.lines().filter(|&line| view.is_root(line)).collect(), target)
}

fn reached_from(
    view: &BtorView,
    mut stack: Vec<LineId>,
    target: impl Fn(LineId, &Operand) -> Option<LineId>,
) -> Vec<bool> {
    let mut reached = vec![false; view.file().lines().len()];
    while let Some(line) = stack.pop() {
        if std::mem::replace(&mut reached[line.index()], true) {
            continue;
        }
        stack.extend(view.operands(line).iter().filter_map(|operand| target(line, operand)));
        stack.extend(view.assignments(line));
    }
    reached
}

/// The targets of references under a set of splices.
struct Targets {
    /// Lines that are cut.
    gone: Vec<bool>,
    /// References that are changed: line, start of the operand, new target. Sorted.
    changed: Vec<(LineId, u32, Option<LineId>)>,
    /// Lines that get a new id, by that id and by line.
    by_new_id: FxHashMap<u64, LineId>,
    renumbered: FxHashSet<LineId>,
}

impl Targets {
    /// One sweep over lines and splices, both in the order of the text.
    fn new(view: &BtorView, splices: &MergedEdits) -> Targets {
        let mut targets = Targets {
            gone: vec![false; view.file().lines().len()],
            changed: Vec::new(),
            by_new_id: FxHashMap::default(),
            renumbered: FxHashSet::default(),
        };
        let all: Vec<&Splice> = splices.iter().collect();
        let mut rest = &all[..];
        for line in view.lines() {
            let span = view.line(line).span;
            rest = from(rest, span.start);
            let Some(first) = rest.first() else { break };
            if first.span.start >= span.end {
                continue;
            }
            if first.span.contains(span) && first.text.is_empty() {
                targets.gone[line.index()] = true;
                continue;
            }
            targets.operands(view, line, rest);
            if first.span == view.line(line).id_span {
                targets.renumbered.insert(line);
                targets.by_new_id.extend(number(&first.text).map(|id| (id, line)));
            }
        }
        targets
    }

    /// References lead to earlier lines, so the new ids that they may use are known.
    fn operands(&mut self, view: &BtorView, line: LineId, mut rest: &[&Splice]) {
        for operand in view.operands(line).iter().filter(|operand| operand.line.is_some()) {
            rest = from(rest, operand.span.start);
            if let Some(splice) = rest.first()
                && splice.span.start < operand.span.end
            {
                let target = self.new_target(view, operand, splice);
                self.changed.push((line, operand.span.start, target));
            }
        }
    }

    /// A splice on a reference is another reference, or adds or removes a minus sign; anything larger removes it.
    fn new_target(&self, view: &BtorView, operand: &Operand, splice: &Splice) -> Option<LineId> {
        if splice.span != operand.span {
            return operand.span.contains(splice.span).then_some(operand.line).flatten();
        }
        let id = number(splice.text.strip_prefix(b"-").unwrap_or(&splice.text))?;
        let old = || view.file().by_id(id).filter(|line| !self.renumbered.contains(line));
        self.by_new_id.get(&id).copied().or_else(old)
    }

    fn of(&self, line: LineId, operand: &Operand) -> Option<LineId> {
        if self.gone[line.index()] {
            return None;
        }
        match self.changed.binary_search_by_key(&(line, operand.span.start), |entry| (entry.0, entry.1)) {
            Ok(at) => self.changed[at].2,
            Err(_) => operand.line,
        }
    }
}

fn number(digits: &[u8]) -> Option<u64> {
    std::str::from_utf8(digits).ok()?.parse().ok()
}

/// The splices that do not end before `start`. Each is skipped at most once per line.
fn from<'s, 'm>(splices: &'s [&'m Splice], start: u32) -> &'s [&'m Splice] {
    let n_before = splices.iter().take_while(|splice| splice.span.end <= start).count();
    &splices[n_before..]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::btor::testing::{apply, read};

    fn after(text: &str, edit: impl Fn(&BtorView) -> Edit) -> String {
        let view = read(text);
        apply(&view, &edit(&view))
    }

    #[test]
    fn what_only_the_cut_line_needs_goes() {
        let text = "1 sort bitvec 8\n2 sort bitvec 1\n3 state 1\n4 next 1 3 3\n5 redor 2 3\n6 bad 5\n7 input 2\n8 bad 7\n";
        let cut_6 = after(text, |view| view.cut([LineId::new(5)]));
        assert_eq!(
            cut_6, "2 sort bitvec 1\n7 input 2\n8 bad 7\n",
            "a state with its assignment and its sort"
        );
    }

    #[test]
    fn what_was_useless_before_stays_with_what_it_needs() {
        let text = "1 var 1\n2 not 1 1\n3 neg 1 2\n4 root 1 2\n";
        assert_eq!(after(text, |view| view.cut([LineId::new(3)])), "1 var 1\n2 not 1 1\n3 neg 1 2\n");
    }

    #[test]
    fn new_ids_are_followed() {
        // 5 becomes 3, and the reference to it is also changed: nothing is useless.
        let text = "3 var 8\n5 var 1\n7 root 1 5\n";
        let edit = |view: &BtorView| {
            let reference = view.operands(LineId::new(2))[1].span;
            Edit::of([(view.line(LineId::new(1)).id_span, b"4".to_vec()), (reference, b"4".to_vec())])
        };
        assert_eq!(after(text, edit), "3 var 8\n4 var 1\n7 root 1 4\n");
    }
}
