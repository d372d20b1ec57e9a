//! The view of a BTOR or BTOR2 file that passes work on.

use super::dominators::Dominators;
use super::inits::Inits;
use crate::Edit;
use nub_btor::{BtorDialect, BtorFile, BtorLine, LineId, Operand, OperandKind, Sort, Tag};
use nub_text::Span;
use std::sync::OnceLock;

/// A file with the uses of its lines. Tables that only some passes need are built on first use.
pub struct BtorView {
    file: BtorFile,
    /// Uses of line i: `uses[first_use[i]..first_use[i + 1]]`, in the order of the text.
    uses: Vec<LineUse>,
    first_use: Vec<u32>,
    /// States and the lines that assign to them, sorted. Kept apart from `uses`, where a search would take as long as a state has uses.
    assignments: Vec<(LineId, LineId)>,
    n_properties: usize,
    dominators: OnceLock<Dominators>,
    inits: OnceLock<Inits>,
}

/// A reference to a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LineUse {
    /// The line that refers.
    pub by: LineId,
    /// Its operand.
    pub operand: Operand,
}

/// A reference to a node, or to its complement.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LineRef {
    /// The line that defines the node.
    pub to: LineId,
    /// True if the bitwise complement of the node is meant.
    pub negated: bool,
}

impl LineRef {
    /// The reference to the complement.
    pub fn complement(self) -> LineRef {
        LineRef { negated: !self.negated, ..self }
    }
}

/// The node itself, not its complement.
impl From<LineId> for LineRef {
    fn from(to: LineId) -> LineRef {
        LineRef { to, negated: false }
    }
}

impl BtorView {
    /// Reads any bytes.
    pub fn new(bytes: &[u8], dialect: BtorDialect) -> BtorView {
        let file = BtorFile::read(bytes, dialect);
        let (uses, first_use) = uses(&file);
        let n_properties = file.lines().iter().filter(|line| line.tag.is_some_and(Tag::is_property)).count();
        let assigns = |at: &&LineUse| at.operand.kind == OperandKind::State;
        let assigned = |at: &LineUse| Some((at.operand.line?, at.by));
        let assignments = uses.iter().filter(assigns).filter_map(assigned).collect();
        BtorView {
            file,
            uses,
            first_use,
            assignments,
            n_properties,
            dominators: OnceLock::new(),
            inits: OnceLock::new(),
        }
    }

    /// The file.
    pub fn file(&self) -> &BtorFile {
        &self.file
    }

    /// The bytes.
    pub fn text(&self) -> &[u8] {
        self.file.text()
    }

    /// All lines in order.
    pub fn lines(&self) -> impl DoubleEndedIterator<Item = LineId> + use<> {
        self.file.line_ids()
    }

    /// One line.
    pub fn line(&self, line: LineId) -> &BtorLine {
        self.file.line(line)
    }

    /// The fields of a line after its operator.
    pub fn operands(&self, line: LineId) -> &[Operand] {
        self.file.operands(self.file.line(line))
    }

    /// The references of a line to nodes, in order.
    pub fn nodes_of(&self, line: LineId) -> impl Iterator<Item = &Operand> {
        self.operands(line).iter().filter(|operand| operand.kind == OperandKind::Node)
    }

    /// Where a line is referred to.
    pub fn uses(&self, line: LineId) -> &[LineUse] {
        &self.uses[self.first_use[line.index()] as usize..self.first_use[line.index() + 1] as usize]
    }

    /// The operator of a line.
    pub fn tag(&self, line: LineId) -> Option<Tag> {
        self.line(line).tag
    }

    /// The sort of the node that a line defines.
    pub fn sort(&self, line: LineId) -> Option<Sort> {
        self.line(line).sort
    }

    /// True if the line defines a node that others may refer to; roots are excluded.
    pub fn is_node(&self, line: LineId) -> bool {
        self.sort(line).is_some() && self.tag(line).is_some_and(|tag| tag.is_node() && tag != Tag::Root)
    }

    /// `init`, `next` and `anext` lines of a state.
    pub fn assignments(&self, state: LineId) -> impl Iterator<Item = LineId> + '_ {
        let first = self.assignments.partition_point(|(other, _)| *other < state);
        self.assignments[first..].iter().take_while(move |(other, _)| *other == state).map(|(_, by)| *by)
    }

    /// True for lines that keep others alive: properties, and unknown lines.
    pub fn is_root(&self, line: LineId) -> bool {
        self.tag(line).is_none_or(Tag::is_property)
    }

    /// Number of roots and properties.
    pub fn n_properties(&self) -> usize {
        self.n_properties
    }

    /// Removes whole lines.
    pub fn cut(&self, lines: impl IntoIterator<Item = LineId>) -> Edit {
        Edit::of(lines.into_iter().map(|line| (self.line(line).span, Vec::new())))
    }

    /// The node keeps its id and sort and gets an operator without operands: `5 add 8 3 4` becomes `5 zero 8`.
    /// Width and sort fields stay where they are, so that every number in an edit is a reference. Assignments of a
    /// state are removed.
    pub fn to_leaf(&self, line: LineId, tag: Tag) -> Option<Edit> {
        let name = tag.name(self.file.dialect())?;
        let fields = self.operands(line);
        let is_type = |operand: &&Operand| matches!(operand.kind, OperandKind::Sort | OperandKind::Width);
        let types: Vec<&Operand> = fields.iter().take_while(is_type).collect();
        let n_types = if self.sort(line)?.is_array() { types.len() } else { 1 };
        let last_type = types.get(n_types.checked_sub(1)?)?;
        let may_have_symbol = matches!(tag, Tag::Var | Tag::Array);
        let end = if may_have_symbol { self.end_of_comment(line) } else { self.end_of_fields(line) };
        let rest = Span { start: last_type.span.end, end };
        let mut splices = vec![(self.line(line).tag_span, name.as_bytes().to_vec())];
        if !rest.is_empty() {
            splices.push((rest, Vec::new()));
        }
        splices.extend(self.assignments(line).map(|other| (self.line(other).span, Vec::new())));
        Edit::try_of(splices)
    }

    /// Where the last field of a line ends, including its symbol, but not its comment.
    pub fn end_of_fields(&self, line: LineId) -> u32 {
        let line_ = self.line(line);
        let last = self.operands(line).last().map_or(line_.tag_span.end, |operand| operand.span.end);
        line_.symbol.map_or(last, |symbol| symbol.end.max(last))
    }

    /// Where a line ends if no comment may follow: in BTOR a comment where a symbol is allowed is read as
    /// the symbol.
    pub fn end_of_comment(&self, line: LineId) -> u32 {
        let comment = self.line(line).comment.filter(|_| self.file.dialect() == BtorDialect::Btor);
        comment.map_or(self.end_of_fields(line), |comment| comment.end)
    }

    /// The text of a reference.
    pub fn reference(&self, of: LineRef) -> Vec<u8> {
        let minus = if of.negated { "-" } else { "" };
        format!("{minus}{}", self.line(of.to).id).into_bytes()
    }

    /// Replaces all uses of a line by another node or its complement. `None` if it does not fit one of the uses
    /// ([`BtorView::fits`]). Assignments of a replaced state are removed, whatever they use.
    pub fn replace_uses(&self, line: LineId, by: LineRef) -> Option<Edit> {
        let is_array = self.sort(line)?.is_array();
        let own: Vec<LineId> = self.assignments(line).collect();
        let is_use = |at: &&LineUse| at.operand.kind == OperandKind::Node && !own.contains(&at.by);
        let uses: Vec<&LineUse> = self.uses(line).iter().filter(is_use).collect();
        let fits = by.to != line && uses.iter().all(|at| self.fits(at.by, &at.operand, by.to));
        if !fits || uses.is_empty() || (by.negated && is_array) {
            return None;
        }
        let splices = uses.iter().map(|at| {
            let negated = (by.negated ^ at.operand.negated) && !is_array;
            (at.operand.span, self.reference(LineRef { to: by.to, negated }))
        });
        let cut = own.iter().map(|&other| (self.line(other).span, Vec::new()));
        Edit::try_of(splices.chain(cut))
    }

    /// Removes a property. References to a BTOR root become references to its operand.
    pub fn cut_property(&self, line: LineId) -> Edit {
        let operand = self.nodes_of(line).next().and_then(|operand| Some((operand.line?, operand.negated)));
        let (true, Some((to, negated))) = (self.tag(line) == Some(Tag::Root), operand) else {
            return self.cut([line]);
        };
        let uses = self.uses(line).iter().filter(|at| at.operand.kind == OperandKind::Node);
        let redirect = |at: &LineUse| {
            let negated = negated ^ at.operand.negated;
            (at.operand.span, self.reference(LineRef { to, negated }))
        };
        let splices = uses.map(redirect).chain([(self.line(line).span, Vec::new())]);
        Edit::try_of(splices).unwrap_or_else(|| self.cut([line]))
    }

    pub(super) fn inits(&self) -> &Inits {
        self.inits.get_or_init(|| Inits::new(self))
    }

    /// How many lines only each node needs.
    pub fn dominators(&self) -> &Dominators {
        self.dominators.get_or_init(|| Dominators::new(self))
    }
}

fn uses(file: &BtorFile) -> (Vec<LineUse>, Vec<u32>) {
    let mut all: Vec<(LineId, LineUse)> = Vec::new();
    for by in file.line_ids() {
        for &operand in file.operands(file.line(by)) {
            if let Some(target) = operand.line {
                all.push((target, LineUse { by, operand }));
            }
        }
    }
    all.sort_by_key(|(target, _)| *target);
    let mut first = vec![0; file.lines().len() + 1];
    for (target, _) in &all {
        first[target.index() + 1] += 1;
    }
    for index in 1..first.len() {
        first[index] += first[index - 1];
    }
    (all.into_iter().map(|(_, at)| at).collect(), first)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::btor::testing::{apply, read};

    #[test]
    fn uses_in_order_of_place() {
        let view = read("1 var 1\n2 and 1 1 -1\n3 root 1 1\n");
        let uses: Vec<(usize, bool)> =
            view.uses(LineId::new(0)).iter().map(|at| (at.by.index(), at.operand.negated)).collect();
        assert_eq!(uses, [(1, false), (1, true), (2, false)]);
    }

    #[test]
    fn a_leaf_has_no_operands_symbol_or_assignments() {
        let view = read("1 var 8 x\n2 next 8 1 1\n3 redor 1 1\n4 root 1 3\n");
        let edit = view.to_leaf(LineId::new(0), Tag::Zero).unwrap();
        assert_eq!(apply(&view, &edit), "1 zero 8\n3 redor 1 1\n4 root 1 3\n");
    }

    #[test]
    fn uses_are_replaced_by_earlier_nodes_alone() {
        let view = read("1 var 8\n2 not 8 1\n3 var 8\n4 ult 1 2 3\n5 root 1 4\n");
        let [one, two, three] = [0, 1, 2].map(LineId::new);
        let edit = view.replace_uses(two, LineRef { to: one, negated: true }).unwrap();
        assert_eq!(apply(&view, &edit), "1 var 8\n3 var 8\n4 ult 1 -1 3\n5 root 1 4\n");
        assert!(view.replace_uses(one, three.into()).is_none(), "3 is not known where 1 is used");
    }
}
