//! The state of the machine for the current instruction and the expression being evaluated.

use crate::paths::PathId;
use crate::unrolled::{Bounded, ObjectId};
use nub_bitvec::TermId;
use nub_c_ir::{ExprId, SourceOrigin};
use nub_text::Span;
use rustc_hash::FxHashMap;

/// The current instruction.
#[derive(Debug, Default)]
pub(crate) struct Current {
    /// Values of its expressions.
    pub memo: FxHashMap<ExprId, TermId>,
    /// Whether the expression that was evaluated last read a value that is not constant.
    pub reads_open: bool,
    /// Objects behind input pointers, with the conditions of accesses outside them, while a check is evaluated.
    pub outside: Option<Vec<(ObjectId, TermId)>>,
    /// Conditions under which the current evaluation reads memory that is not modelled: after the modelled part of an allocation, or at an address
    /// made from a number.
    pub past_memory: Vec<(Bounded, TermId)>,
    /// A stub is reading what its arguments point to.
    pub is_observing: bool,
    /// The path; absent before the first instruction.
    pub path: Option<PathId>,
    /// Where we are, for messages.
    pub span: Span,
    /// The same; absent before the first instruction.
    pub origin: Option<SourceOrigin>,
}

impl Current {
    /// Discards the values of the last instruction.
    pub(crate) fn begin(&mut self, origin: &SourceOrigin, path: PathId) {
        self.memo.clear();
        self.reads_open = false;
        (self.span, self.path, self.origin) = (origin.span, Some(path), Some(*origin));
    }
}
