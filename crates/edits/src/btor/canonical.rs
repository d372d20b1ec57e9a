//! The canonical form of a file, which ignores ids, order, symbols and comments: files with the same canonical form are the same graph.
//!
//! ```text
//! 7 one 1                        1 ones 1
//! 3 var 8                        2 var 8
//! 9 zero 1               ~
//! 12 eq 1 7 -9                   5 eq 1 1 1
//! 13 root 1 12                   6 root 1 5
//! ```
//!
//! Nodes are numbered in the order in which a walk from the roots visits them. Nodes that are written alike are one, as in every solver
//! that hashes its terms; operands of commutative operators have no order; and constants are represented by their values, including
//! a minus sign before them. Thus many edits that look different lead to one form: in a chain of ten equal operators it does not matter
//! which one is removed.

use super::{BtorView, constant};
use nub_bitvec::Value;
use nub_btor::{LineId, Operand, OperandKind, Tag, WidthRule};
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::{Hash, Hasher};

/// The canonical form. One walk, O(n) except for the digits of constants.
pub fn canonical(view: &BtorView) -> Vec<u8> {
    let mut form = Form {
        view,
        hashes: hashes(view),
        number: vec![None; view.file().lines().len()],
        known: FxHashMap::default(),
        n_numbers: 0,
        text: Vec::new(),
    };
    let is_sort = |line: &LineId| view.tag(*line) == Some(Tag::Sort);
    let is_top = |line: &LineId| view.is_root(*line) || !view.is_node(*line);
    for line in view.lines().filter(|line| is_top(line) && !is_sort(line)) {
        form.walk(line);
    }
    // Lines that no root reaches also count, in the order of the file.
    let is_operand =
        |line: &LineId| constant::any_value(view, *line).is_some() && !view.uses(*line).is_empty();
    for line in view.lines().filter(|line| !is_sort(line) && !is_operand(line)) {
        form.walk(line);
    }
    form.text
}

struct Form<'v> {
    view: &'v BtorView,
    hashes: Vec<u64>,
    number: Vec<Option<u32>>,
    /// Numbers of records.
    known: FxHashMap<Vec<u8>, u32>,
    n_numbers: u32,
    text: Vec<u8>,
}

impl Form<'_> {
    /// Numbers a line and everything below it, operands first.
    fn walk(&mut self, top: LineId) {
        let mut stack = vec![(top, false)];
        while let Some((line, is_left)) = stack.pop() {
            if self.number[line.index()].is_some() {
                continue;
            }
            if is_left {
                self.take(line);
                continue;
            }
            stack.push((line, true));
            let below = self.view.operands(line).iter().filter(|operand| operand.is_reference());
            let nodes = below.filter_map(|operand| operand.line);
            // A constant is written at each use, as its value there.
            let mut inner: Vec<LineId> =
                nodes.filter(|&node| constant::any_value(self.view, node).is_none()).collect();
            if self.view.tag(line).is_some_and(is_commutative) {
                inner.sort_by_key(|node| self.hashes[node.index()]);
            }
            stack.extend(inner.into_iter().rev().map(|node| (node, false)));
        }
    }

    fn take(&mut self, line: LineId) {
        let record = self.record(line);
        let is_variable = self.view.tag(line).is_none_or(|tag| tag.rule() == WidthRule::Leaf);
        self.number[line.index()] = Some(if is_variable { self.add(&record) } else { self.share(record) });
    }

    /// The number of a record; an existing one if possible.
    fn share(&mut self, record: Vec<u8>) -> u32 {
        if let Some(&number) = self.known.get(&record) {
            return number;
        }
        let number = self.add(&record);
        self.known.insert(record, number);
        number
    }

    fn add(&mut self, record: &[u8]) -> u32 {
        self.text.extend_from_slice(record);
        self.text.push(b'\n');
        self.n_numbers += 1;
        self.n_numbers
    }

    /// Operator, sort and fields, with numbers for references.
    fn record(&mut self, line: LineId) -> Vec<u8> {
        let (view, text) = (self.view, self.view.text());
        let mut fields: Vec<Vec<u8>> = Vec::new();
        for operand in view.operands(line) {
            fields.push(match (operand.kind, operand.line) {
                (OperandKind::Sort, _) => continue,
                (OperandKind::Node | OperandKind::State, Some(to)) => self.reference(to, operand.negated),
                (OperandKind::Width | OperandKind::Number, _) => format!(" {}", operand.value).into_bytes(),
                _ => [b" ", operand.span.slice(text)].concat(),
            });
        }
        if view.tag(line).is_some_and(is_commutative) {
            fields.sort_unstable();
        }
        let mut record = view.line(line).tag_span.slice(text).to_vec();
        record.extend(format!(" {:?}", view.sort(line)).into_bytes());
        record.extend(fields.concat());
        record
    }

    fn reference(&mut self, to: LineId, negated: bool) -> Vec<u8> {
        match constant::any_value(self.view, to) {
            Some(value) => {
                let value = if negated { value.not() } else { value };
                [b" ", &of_value(&value)[..]].concat()
            }
            None => {
                // A line that refers to itself or to a later line has no number yet; such files are ill formed.
                let number = self.number[to.index()].unwrap_or(0);
                format!(" {}#{number}", if negated { "-" } else { "" }).into_bytes()
            }
        }
    }
}

/// Equal for lines whose subgraphs are equal up to the choice of variables of one sort: defines an order for operands of commutative
/// operators.
fn hashes(view: &BtorView) -> Vec<u64> {
    let mut hashes: Vec<u64> = Vec::with_capacity(view.file().lines().len());
    for line in view.lines() {
        let reference = |operand: &Operand| match operand.line.map(|to| (to, constant::any_value(view, to))) {
            Some((_, Some(value))) => hash(&of_value(&if operand.negated { value.not() } else { value })),
            Some((to, None)) => hash(&(hashes.get(to.index()), operand.negated)),
            None => hash(&operand.value),
        };
        let mut fields: Vec<u64> = view.operands(line).iter().map(reference).collect();
        if view.tag(line).is_some_and(is_commutative) {
            fields.sort_unstable();
        }
        hashes.push(hash(&(view.tag(line), view.sort(line), fields)));
    }
    hashes
}

fn hash(of: &impl Hash) -> u64 {
    let mut hasher = FxHasher::default();
    of.hash(&mut hasher);
    hasher.finish()
}

/// Operators whose operands solvers reorder.
fn is_commutative(tag: Tag) -> bool {
    use Tag::{Add, And, Eq, Iff, Mul, Nand, Neq, Nor, Or, Xnor, Xor};
    matches!(tag, Add | And | Eq | Iff | Mul | Nand | Neq | Nor | Or | Xnor | Xor)
}

fn of_value(value: &Value) -> Vec<u8> {
    format!("{}'{}", value.width(), value.to_hex()).into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::btor::testing::read;

    fn same(left: &str, right: &str) -> bool {
        canonical(&read(left)) == canonical(&read(right))
    }

    #[test]
    fn ids_order_names_and_copies_do_not_matter() {
        assert!(same(
            "7 one 1\n3 var 1 x\n9 zero 1 ; nought\n12 eq 1 7 -9\n13 and 1 12 3\n14 root 1 13\n",
            "2 var 1\n4 ones 1\n5 eq 1 4 4\n6 and 1 5 2\n7 root 1 6\n"
        ));
    }

    #[test]
    fn in_a_chain_it_does_not_matter_which_link_goes() {
        let chain = "1 var 8\n2 var 8\n3 add 8 1 2\n4 add 8 1 3\n5 add 8 1 4\n6 redor 1 5\n7 root 1 6\n";
        let middle = chain.replace("4 add 8 1 3\n", "").replace("add 8 1 4", "add 8 3 1");
        let last = chain.replace("5 add 8 1 4\n", "").replace("redor 1 5", "redor 1 4");
        assert!(same(&middle, &last) && !same(&last, chain));
    }

    #[test]
    fn operands_without_an_order() {
        let text = "1 var 8\n2 var 8\n3 inc 8 1\n4 add 8 3 2\n5 ult 1 4 1\n6 root 1 5\n";
        assert!(same(text, &text.replace("add 8 3 2", "add 8 2 3")));
        assert!(!same(text, &text.replace("ult 1 4 1", "ult 1 1 4")));
    }

    #[test]
    fn what_the_graph_says_does_matter() {
        let text = "1 var 8\n2 var 8\n3 sub 8 1 -2\n4 ult 1 3 1\n5 root 1 4\n";
        for other in [
            text.replace("sub 8 1 -2", "sub 8 1 2"),
            text.replace("sub 8 1 -2", "sub 8 1 -1"),
            text.replace("ult", "ulte"),
            text.replace("root 1 4", "root 1 -4"),
            text.replace("var 8\n2", "zero 8\n2"),
            text.replace("5 root", "5 slice 4 1 3 0\n6 root"),
        ] {
            assert!(!same(text, &other), "{other}");
        }
        assert!(!same(
            "1 var 8\n2 slice 4 1 3 0\n3 redor 1 2\n4 root 1 3\n",
            "1 var 8\n2 slice 4 1 4 1\n3 redor 1 2\n4 root 1 3\n"
        ));
    }
}
