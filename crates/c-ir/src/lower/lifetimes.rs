//! Where the variables of a block end.
//!
//! ```c
//! { int x; p = &x; }   // x ends here: p dangles
//! ```
//!
//! Variables whose address nobody takes need no end, and those of the body of a function end with its frame.

use super::Lower;
use crate::ir::InstrKind;
use nub_text::Span;

/// Scopes that are open in the body of a function: the file, the parameters, the body.
const BODY_DEPTH: usize = 3;

impl Lower<'_> {
    /// Ends the variables of all scopes but the first `depth`. Nothing later in the text can take the address of one of them when
    /// control leaves at the end of the block; `break` and `continue` end those whose address was taken before.
    pub(super) fn end_lifetimes(&mut self, depth: usize, span: Span) {
        for local in self.scopes.locals_beyond(depth.max(BODY_DEPTH)) {
            if self.fun.locals[local.index()].address_taken {
                self.emit(InstrKind::LifetimeEnd { local }, span);
            }
        }
    }
}
