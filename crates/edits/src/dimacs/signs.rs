//! Removes the minus sign of single literals.
//!
//! ```text
//! 1 -2 0   =>   1 2 0
//! ```

use super::DimacsView;
use crate::{Edit, Pass};
use nub_text::Span;

/// Limit on the literals listed at once.
const MAX_LITERALS: usize = 1 << 16;

/// See the module.
pub struct Signs;

impl Pass<DimacsView> for Signs {
    fn name(&self) -> &'static str {
        "signs"
    }

    fn edits(&self, view: &DimacsView) -> Vec<Edit> {
        let literals = view.file().literals().iter().take(MAX_LITERALS);
        let negative = literals.filter(|literal| literal.lit.is_some_and(|lit| lit.is_negative()));
        let minus = negative.map(|literal| literal.span.start);
        minus.map(|start| Edit::cut(Span { start, end: start + 1 })).collect()
    }
}
