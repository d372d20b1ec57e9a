//! A BTOR file as a graph: lines are nodes; roots and properties are roots. Assignments of states are roots, too, because
//! an edge from a state to its next value would close a cycle.

use super::{BtorView, LineRef, shared_zeros};
use crate::dag::{Changes, Dag, DagEdge, DagNode, DagSubstitution, KnownConstant, Operator, Replacement};
use crate::{Edit, MergedEdits};
use nub_btor::{BtorDialect, LineId, Sort, Tag};
use nub_text::Span;

impl Dag for BtorView {
    const NEGATED_EDGES: bool = true;

    fn n_nodes(&self) -> usize {
        self.file().lines().len()
    }

    fn roots(&self) -> Vec<DagNode> {
        self.lines().filter(|&line| self.is_root(line) || is_assignment(self, line)).map(node).collect()
    }

    fn children(&self, node: DagNode) -> Vec<DagEdge> {
        let edge = |operand: &nub_btor::Operand| {
            let to = DagNode(operand.line?.index() as u32);
            Some(DagEdge { to, negated: operand.negated })
        };
        self.nodes_of(line(node)).filter_map(edge).collect()
    }

    fn sort(&self, node: DagNode) -> Option<u32> {
        // Widths are below 2^31. Arrays with indices or elements of more than 15 bits may share numbers; in that case the
        // checker rejects edits that do not fit.
        match BtorView::sort(self, line(node)).filter(|_| self.is_node(line(node)))? {
            Sort::Bits(width) => Some(width),
            Sort::Array { index, element } => Some(1 << 31 | (index & 0x7fff) << 16 | (element & 0xffff)),
        }
    }

    fn replace(&self, node: DagNode, with: Replacement) -> Option<DagSubstitution> {
        let line = line(node);
        if !self.is_node(line) {
            return (with == Replacement::Zero && can_go(self, line)).then(|| self.cut_property(line).into());
        }
        ((with as u8) < simplicity(self, line)).then_some(())?;
        let is_array = BtorView::sort(self, line)?.is_array();
        let is_variable = with == Replacement::Variable;
        (is_array <= is_variable && !(is_variable && self.fills_array(line))).then_some(())?;
        let tag = match (with, self.file().dialect()) {
            (Replacement::Zero, _) => Tag::Zero,
            (Replacement::Ones, _) => Tag::Ones,
            // An initial value must not depend on an input; a state without assignments is just as free as an input.
            (Replacement::Variable, BtorDialect::Btor2) if self.is_initial(line) => Tag::State,
            (Replacement::Variable, BtorDialect::Btor2) => Tag::Input,
            (Replacement::Variable, BtorDialect::Btor) if is_array => Tag::Array,
            (Replacement::Variable, BtorDialect::Btor) => Tag::Var,
        };
        self.to_leaf(line, tag).map(DagSubstitution::from)
    }

    fn redirect(&self, parent: DagNode, index: usize, target: DagEdge) -> Option<Edit> {
        let (parent, to) = (line(parent), line(target.to));
        let operand = self.nodes_of(parent).filter(|operand| operand.line.is_some()).nth(index)?;
        self.fits(parent, operand, to)
            .then(|| Edit::replace(operand.span, self.reference(LineRef { to, negated: target.negated })))
    }

    fn write(&self, changes: &Changes, protected: &[Span]) -> (MergedEdits, Vec<u8>) {
        (shared_zeros::write(self, changes, protected), Vec::new())
    }

    fn operator(&self, node: DagNode) -> Option<Operator> {
        Some(match self.tag(line(node))? {
            Tag::And => Operator::And,
            Tag::Or => Operator::Or,
            Tag::Nand => Operator::Nand,
            Tag::Nor => Operator::Nor,
            Tag::Add => Operator::Add,
            Tag::Implies => Operator::Implies,
            Tag::Xor => Operator::Xor,
            Tag::Eq => Operator::Eq,
            Tag::Not => Operator::Not,
            Tag::Ite | Tag::Acond => Operator::Cond,
            _ => return None,
        })
    }

    fn constant(&self, node: DagNode) -> Option<KnownConstant> {
        let line = line(node);
        match (self.tag(line)?, BtorView::sort(self, line)?) {
            (Tag::Zero, _) => Some(KnownConstant::Zero),
            (Tag::Ones, _) | (Tag::One, Sort::BIT) => Some(KnownConstant::Ones),
            (Tag::Const, _) => {
                let digits = self.operands(line).last()?.span.slice(self.text());
                let all = |digit| digits.iter().all(|&byte| byte == digit);
                all(b'0').then_some(KnownConstant::Zero).or(all(b'1').then_some(KnownConstant::Ones))
            }
            _ => None,
        }
    }
}

fn line(node: DagNode) -> LineId {
    LineId::new(node.index())
}

fn node(line: LineId) -> DagNode {
    DagNode(line.index() as u32)
}

fn is_assignment(view: &BtorView, line: LineId) -> bool {
    matches!(view.tag(line), Some(Tag::Init | Tag::Next | Tag::Anext))
}

/// Whether a line may be removed: assignments, and all properties except the last.
fn can_go(view: &BtorView, line: LineId) -> bool {
    let is_property = view.tag(line).is_some_and(Tag::is_property);
    is_assignment(view, line) || (is_property && view.n_properties() > 1)
}

/// The index in [`crate::dag::REPLACEMENTS`] of what a line already is; past the last one for anything else.
fn simplicity(view: &BtorView, line: LineId) -> u8 {
    let is_assigned = view.assignments(line).next().is_some();
    match view.tag(line) {
        Some(Tag::Zero) => Replacement::Zero as u8,
        Some(Tag::Ones) => Replacement::Ones as u8,
        Some(Tag::Var | Tag::Array | Tag::Input) if !is_assigned => Replacement::Variable as u8,
        Some(Tag::State) if !is_assigned && view.is_initial(line) => Replacement::Variable as u8,
        _ => Replacement::Variable as u8 + 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::btor::testing::read;

    #[test]
    fn what_a_node_can_become_ends() {
        let view = read("1 var 8\n2 ones 8\n3 zero 8\n4 add 8 1 2\n5 array 8 4\n6 eq 1 4 3\n7 root 1 6\n");
        let can = |id: u64| {
            let node = node(view.file().by_id(id).unwrap());
            crate::dag::REPLACEMENTS.map(|with| view.replace(node, with).is_some())
        };
        assert_eq!(can(4), [true, true, true]);
        assert_eq!([1, 2, 3].map(can), [[true, true, false], [true, false, false], [false; 3]]);
        assert_eq!(can(5), [false; 3], "an array is a variable or an operator");
        assert_eq!(can(7), [false; 3], "the last root stays");
    }
}
