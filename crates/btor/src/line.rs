//! Lines, operands and sorts.

use crate::{Sort, Tag};
use nub_text::Span;
use std::num::NonZeroU32;

/// A line that defines something, counted from 0 in file order; comments and blank lines are not counted.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct LineId(NonZeroU32);

impl LineId {
    /// Its index in [`crate::BtorFile::lines`].
    #[inline]
    pub fn index(self) -> usize {
        self.0.get() as usize - 1
    }

    /// The line at `index` of [`crate::BtorFile::lines`]. Stored as `index + 1`, so that `Option<LineId>` takes no extra
    /// space: operands take most of a file's memory.
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
    /// Its bytes, including a minus sign.
    pub span: Span,
    /// What kind of field it is.
    pub kind: OperandKind,
    /// True if there is a minus sign before a reference.
    pub negated: bool,
    /// The line that a `Node`, `State` or `Sort` operand refers to, always an earlier one; `None` if there is no such line.
    pub line: Option<LineId>,
    /// Its value if it is a number; 0 otherwise, also for digits of a constant.
    pub value: u64,
}

impl Operand {
    /// True for references to nodes, including the state of an assignment.
    pub fn is_reference(&self) -> bool {
        matches!(self.kind, OperandKind::Node | OperandKind::State)
    }
}

/// A line that defines a node, a sort, a property, or the value of a state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BtorLine {
    /// The whole line, including indentation, comment and newline.
    pub span: Span,
    /// Its id; 0 if the id cannot be read.
    pub id: u64,
    /// Where the id is.
    pub id_span: Span,
    /// Where the operator is.
    pub tag_span: Span,
    /// The operator; `None` if it is unknown.
    pub tag: Option<Tag>,
    /// The sort of the node it defines, as declared on the line. `None` if it defines no node or if the sort is unknown. A BTOR
    /// `root` counts as a node, since other lines may refer to it.
    pub sort: Option<Sort>,
    /// For a BTOR2 `sort` line: the sort it names.
    pub names: Option<Sort>,
    /// Where the symbol is.
    pub symbol: Option<Span>,
    /// The comment at its end, from the `;`, without the newline.
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
