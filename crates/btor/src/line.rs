//! Lines, operands and sorts.

use crate::{Sort, Tag};
use nub_text::Span;
use std::num::NonZeroU32;

/// A line that defines something; comments and blank lines have no number. Counted from 0 in file order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct LineId(NonZeroU32);

impl LineId {
    /// Its place in [`crate::BtorFile::lines`].
    #[inline]
    pub fn index(self) -> usize {
        self.0.get() as usize - 1
    }

    /// The line at `index` of [`crate::BtorFile::lines`]. Kept as one more, so that an operand without a line costs nothing
    /// extra: operands are most of what a file takes in memory.
    #[inline]
    pub fn new(index: usize) -> LineId {
        LineId(NonZeroU32::MIN.saturating_add(index as u32))
    }
}

/// What a field is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum OperandKind {
    /// A reference to a node.
    Node,
    /// BTOR2: the id of a sort line.
    Sort,
    /// BTOR: a width or an index width.
    Width,
    /// A number: bounds of a slice, added bits, count of `justice`, width of `sort bitvec`.
    Number,
    /// The digits of a constant.
    Digits,
    /// The state of `init`, `next` or `anext`.
    State,
}

/// A field after the operator.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Operand {
    /// Its bytes, the minus included.
    pub span: Span,
    /// What it is.
    pub kind: OperandKind,
    /// True if there is a minus before a reference.
    pub negated: bool,
    /// The line that a `Node`, `State` or `Sort` operand refers to. Always an earlier one; `None` if there is none.
    pub line: Option<LineId>,
    /// The number as read; 0 for digits and for what is not a number.
    pub value: u64,
}

impl Operand {
    /// True for references to nodes, the state of an assignment included.
    pub fn is_reference(&self) -> bool {
        matches!(self.kind, OperandKind::Node | OperandKind::State)
    }
}

/// A line that defines a node, a sort, a property, or what a state is assigned.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BtorLine {
    /// The whole line: indentation, comment and newline included.
    pub span: Span,
    /// Its id; 0 if it has none that can be read.
    pub id: u64,
    /// Where the id is.
    pub id_span: Span,
    /// Where the operator is.
    pub tag_span: Span,
    /// The operator; `None` if it is unknown.
    pub tag: Option<Tag>,
    /// The sort of the node it defines, as the line says. `None` if it defines no node or if that is not known. A BTOR
    /// `root` counts as a node, since other lines may refer to it.
    pub sort: Option<Sort>,
    /// For a BTOR2 `sort` line: the sort it names.
    pub names: Option<Sort>,
    /// Where the symbol is.
    pub symbol: Option<Span>,
    /// The comment at its end, from `;` on, without the newline.
    pub comment: Option<Span>,
    pub(crate) operands: (u32, u32),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_takes_this_much_memory() {
        assert_eq!((size_of::<BtorLine>(), size_of::<Operand>()), (96, 24));
        assert_eq!([0, 7].map(|index| LineId::new(index).index()), [0, 7]);
    }
}
