//! What the machine knows of the instruction that it executes, and of the expression that it evaluates.

use crate::paths::PathId;
use crate::unrolled::{Bounded, ObjectId};
use nub_bitvec::TermId;
use nub_c_ir::{ExprId, SourceOrigin};
use nub_text::Span;
use rustc_hash::FxHashMap;

/// The instruction that is executed.
#[derive(Debug, Default)]
pub(crate) struct Current {
    /// Values of its expressions.
    pub memo: FxHashMap<ExprId, TermId>,
    /// The expression that was evaluated last read a value that is not constant.
    pub reads_open: bool,
    /// Objects of the start with the conditions of accesses behind them, while a check is evaluated.
    pub outside: Option<Vec<(ObjectId, TermId)>>,
    /// What is evaluated at the moment looks at memory that is not modelled, under these conditions: behind what is modelled of an allocation, or at
    /// an address that is made of a number.
    pub past_memory: Vec<(Bounded, TermId)>,
    /// A stub looks at what its arguments point to.
    pub is_observing: bool,
    /// The path; absent before the first instruction.
    pub path: Option<PathId>,
    /// Where we are, for messages.
    pub span: Span,
}

impl Current {
    /// Forgets the values of the last instruction.
    pub(crate) fn begin(&mut self, origin: &SourceOrigin, path: PathId) {
        self.memo.clear();
        self.reads_open = false;
        (self.span, self.path) = (origin.span, Some(path));
    }
}
