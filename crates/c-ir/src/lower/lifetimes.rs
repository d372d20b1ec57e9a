//! Where the variables of a block end.
//!
//! ```c
//! { int x; p = &x; }   // x ends here: p dangles
//! ```
//!
//! Variables whose address is never taken need no end, and those of the body of a function end with its frame.

use super::Lower;
use super::builder::{Goto, LabelKey};
use crate::ir::{Instr, InstrKind};
use nub_text::Span;

/// Scopes that are open in the body of a function: the file, the parameters, the body.
const BODY_DEPTH: usize = 3;

impl Lower<'_> {
    /// Ends the variables of all scopes but the first `depth`, if their address was taken so far. At the end of a block that is all of them: nothing
    /// later in the text can name one. A `break` or `continue` misses those whose address is taken further down.
    pub(super) fn end_lifetimes(&mut self, depth: usize, span: Span) {
        for local in self.scopes.locals_beyond(depth.max(BODY_DEPTH)) {
            if self.fun.locals[local.index()].address_taken {
                self.emit(InstrKind::LifetimeEnd { local }, span);
            }
        }
    }

    /// A `goto` starts here. Which scopes it leaves is known when its label is.
    pub(super) fn note_goto(&mut self, label: LabelKey, span: Span) {
        let locals = self.scopes.scoped_locals(BODY_DEPTH);
        let goto = Goto { block: self.fun.current, label, origin: self.origin(span), locals };
        self.fun.gotos.push(goto);
    }

    /// Ends the variables of scopes that a `goto` leaves, just before it.
    pub(super) fn end_lifetimes_at_gotos(&mut self) {
        for Goto { block, label, origin, locals } in std::mem::take(&mut self.fun.gotos) {
            let Some(label) = self.fun.labels.get(&label) else { continue };
            for (scope, local) in locals {
                let is_left = !label.scopes.contains(&scope) && !self.scopes.has_label(scope);
                if is_left && self.fun.locals[local.index()].address_taken {
                    let kind = InstrKind::LifetimeEnd { local };
                    self.fun.blocks[block.index()].instrs.push(Instr { kind, origin });
                }
            }
        }
    }
}
