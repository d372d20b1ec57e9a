//! Reorders the lines, with consecutive ids from 1: frequently used lines first, or in alphabetical order.
//!
//! ```text
//! 1 sort bitvec 1              1 sort bitvec 1
//! 2 input 1                    2 input 1
//! 3 udiv 1 2 2        =>       3 bad 2
//! 4 bad 2                      4 udiv 1 2 2
//! ```
//!
//! Short ids for frequently used lines save bytes; alphabetical order makes files equal that differ only in the order of their lines.
//! Greedy: the next line is the best among those whose operands have been written.

use super::BtorView;
use crate::{Edit, Grouping, Pass};
use nub_btor::{LineId, Operand, OperandKind, Tag};
use nub_text::Span;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Which order to use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reorder {
    /// By number of uses, then as in `Alphabet`.
    MostUsedFirst,
    /// By the text of the line after its id.
    Alphabet,
}

impl Pass<BtorView> for Reorder {
    fn name(&self) -> &'static str {
        match self {
            Reorder::MostUsedFirst => "reorder-by-use",
            Reorder::Alphabet => "reorder",
        }
    }

    fn grouping(&self) -> Grouping {
        Grouping::Single
    }

    /// O(n log n). Empty if a line refers to a line that does not exist.
    fn edits(&self, view: &BtorView) -> Vec<Edit> {
        let refers = |operand: &Operand| {
            matches!(operand.kind, OperandKind::Node | OperandKind::State | OperandKind::Sort)
        };
        let mut operands = view.lines().flat_map(|line| view.operands(line));
        let is_whole = operands.all(|operand| operand.line.is_some() || !refers(operand))
            && view.lines().all(|line| view.tag(line).is_some());
        let (true, Some(first), Some(last)) = (is_whole, view.lines().next(), view.lines().next_back())
        else {
            return Vec::new();
        };
        let text = Order::new(view, *self).write();
        let span = Span { start: view.line(first).span.start, end: view.line(last).span.end };
        if span.slice(view.text()) == text { Vec::new() } else { vec![Edit::replace(span, text)] }
    }
}

/// A line that can be written: its rank, smaller being better, and its text after the id.
type Ready = Reverse<(Reverse<usize>, Vec<u8>, LineId)>;

struct Order<'v> {
    view: &'v BtorView,
    by: Reorder,
    /// By line: number of its references that have not been written yet, including the initial value of a state.
    n_missing: Vec<u32>,
    /// Lines that wait for a line without using it: states wait for their initial values.
    states_of: Vec<(LineId, LineId)>,
    new_id: Vec<u32>,
    ready: BinaryHeap<Ready>,
}

impl<'v> Order<'v> {
    fn new(view: &'v BtorView, by: Reorder) -> Order<'v> {
        let n_lines = view.file().lines().len();
        let mut n_missing: Vec<u32> =
            view.lines().map(|line| references(view, line).count() as u32).collect();
        let mut states_of = Vec::new();
        for init in view.lines().filter(|&line| view.tag(line) == Some(Tag::Init)) {
            let state = view.operands(init).iter().find(|operand| operand.kind == OperandKind::State);
            let value = view.nodes_of(init).next();
            if let (Some(state), Some(value)) = (state.and_then(|at| at.line), value.and_then(|at| at.line))
                && value < state
            {
                states_of.push((value, state));
                n_missing[state.index()] += 1;
            }
        }
        states_of.sort_unstable();
        let mut order =
            Order { view, by, n_missing, states_of, new_id: vec![0; n_lines], ready: BinaryHeap::new() };
        for line in view.lines().filter(|line| order.n_missing[line.index()] == 0).collect::<Vec<_>>() {
            order.push(line);
        }
        order
    }

    fn push(&mut self, line: LineId) {
        let n_uses = match self.by {
            Reorder::MostUsedFirst => self.view.uses(line).len(),
            Reorder::Alphabet => 0,
        };
        self.ready.push(Reverse((Reverse(n_uses), self.text(line), line)));
    }

    /// The text of a line. All lines to which it refers must have their new ids.
    fn text(&self, line: LineId) -> Vec<u8> {
        let mut text = Vec::new();
        let mut from = self.view.line(line).tag_span.start;
        for operand in references(self.view, line) {
            text.extend_from_slice(&self.view.text()[from as usize..operand.span.start as usize]);
            let minus = if operand.negated { "-" } else { "" };
            let id = operand.line.map_or(0, |to| self.new_id[to.index()]);
            text.extend_from_slice(format!("{minus}{id}").as_bytes());
            from = operand.span.end;
        }
        let rest = &self.view.text()[from as usize..self.view.line(line).span.end as usize];
        text.extend_from_slice(rest.trim_ascii_end());
        text
    }

    /// Writes every line. References lead to earlier lines, so there is always a line that can be written.
    fn write(mut self) -> Vec<u8> {
        let mut out = Vec::with_capacity(self.view.text().len());
        let mut n_written = 0;
        while let Some(Reverse((_, text, line))) = self.ready.pop() {
            n_written += 1;
            self.new_id[line.index()] = n_written;
            out.extend_from_slice(n_written.to_string().as_bytes());
            out.push(b' ');
            out.extend_from_slice(&text);
            out.push(b'\n');
            self.release(line);
        }
        out
    }

    fn release(&mut self, line: LineId) {
        let from = self.states_of.partition_point(|(value, _)| *value < line);
        let states =
            self.states_of[from..].iter().take_while(|(value, _)| *value == line).map(|(_, state)| *state);
        let users = self.view.uses(line).iter().map(|at| at.by);
        for user in users.chain(states).collect::<Vec<_>>() {
            self.n_missing[user.index()] -= 1;
            if self.n_missing[user.index()] == 0 {
                self.push(user);
            }
        }
    }
}

fn references(view: &BtorView, line: LineId) -> impl Iterator<Item = &Operand> {
    view.operands(line).iter().filter(|operand| operand.line.is_some())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::btor::testing::{first, read};

    #[test]
    fn the_alphabet() {
        let text = "1 sort bitvec 1\n2 input 1\n3 udiv 1 2 2\n4 bad 2\n";
        assert_eq!(first(&Reorder::Alphabet, text), "1 sort bitvec 1\n2 input 1\n3 bad 2\n4 udiv 1 2 2\n");
    }

    #[test]
    fn often_used_lines_get_short_ids() {
        let mut text = (1..10).fold(String::new(), |text, id| text + &format!("{id} var 1\n"));
        text += "10 var 1\n11 and 1 10 -10\n12 root 1 11\n13 root 1 10\n";
        let found = first(&Reorder::MostUsedFirst, &text);
        assert!(found.starts_with("1 var 1\n2 and 1 1 -1\n") && found.len() < text.len(), "{found}");
    }

    #[test]
    fn a_state_stays_behind_its_initial_value() {
        let text = "1 sort bitvec 1\n2 zero 1\n3 state 1\n4 init 1 3 2\n5 bad 3\n6 output 3\n";
        let found = first(&Reorder::MostUsedFirst, text);
        assert!(read(&found).file().faults().is_empty(), "{found}");
    }
}
