//! GNU `&&label` and `goto *address`: tables of labels, as interpreters of byte code use them.
//!
//! The address of a label is a number that nothing else has. All computed jumps of a function meet in one block, which compares the address with
//! those of the labels whose address is taken, one after the other: a `switch` without a decision of the source. Another address is undefined.
//! The number differs from the compiler's, but no defined program can see that, unless it prints or returns the address.

use super::builder::LabelKey;
use super::{Lower, Lowered, RValue, Refusal};
use crate::ids::*;
use crate::ir::*;
use nub_c_syntax::ast::{self, Ident};
use nub_text::Span;

/// The address of the first label. It fits 16 bits.
const FIRST_ADDRESS: u128 = 0x4000;
/// From one label to the next.
const STRIDE: u128 = 4;
/// With more labels whose address is taken, a computed jump is not modelled.
const MAX_LABELS: usize = 1_024;

/// Where the computed jumps of a function meet.
#[derive(Clone, Debug)]
pub(super) struct Dispatch {
    block: BlockId,
    /// Holds the address.
    target: Place,
    span: Span,
}

impl Lower<'_> {
    /// `&&label`
    pub(super) fn label_address(&mut self, label: Ident, span: Span) -> Lowered<RValue> {
        let key = self.label_key(label);
        let known = self.fun.label_addresses.iter().position(|(other, _)| *other == key);
        let number = known.unwrap_or_else(|| {
            self.fun.label_addresses.push((key, label.span));
            self.fun.label_addresses.len() - 1
        });
        if number >= MAX_LABELS {
            return Err(Refusal::unmodelled(span, "more than 1024 addresses of labels are not supported"));
        }
        let size = self.size_type();
        let address = self.int(FIRST_ADDRESS + STRIDE * number as u128, size, span);
        let void = self.void_type();
        let pointer = self.types().pointer_to(void);
        self.convert(address, pointer, span)
    }

    /// `goto *address;`
    pub(super) fn goto_computed(&mut self, address: ast::ExprId, span: Span) -> Lowered<()> {
        self.begin_statement(StatementKind::Jump, span);
        let address = self.value(address)?;
        let void = self.void_type();
        let pointer = self.types().pointer_to(void);
        let address = self.convert(address, pointer, span)?;
        let dispatch = match self.fun.dispatch.clone() {
            Some(dispatch) => dispatch,
            None => {
                let dispatch =
                    Dispatch { block: self.fun.add_block(), target: self.temporary(pointer, span), span };
                self.fun.dispatch = Some(dispatch.clone());
                dispatch
            }
        };
        self.emit(InstrKind::Store { place: dispatch.target, value: address.id }, span);
        self.goto(dispatch.block, span);
        self.switch_to_unreachable();
        Ok(())
    }

    /// At the end of a function, when all its labels are known: the comparisons.
    pub(super) fn finish_dispatch(&mut self) -> Lowered<()> {
        let labels: Vec<(LabelKey, Span)> = self.fun.label_addresses.clone();
        let undefined = |fun: &super::builder::Builder, key: &LabelKey| {
            !fun.labels.get(key).is_some_and(|label| label.is_defined)
        };
        if let Some((_, span)) = labels.iter().find(|(key, _)| undefined(&self.fun, key)) {
            return Err(Refusal::new(*span, "this label is not defined in the function"));
        }
        let Some(Dispatch { block, target, span }) = self.fun.dispatch.clone() else { return Ok(()) };
        self.switch_to(block);
        let size = self.size_type();
        let ty = target.ty;
        let id = self.add(ExprKind::Load(target), ty, span);
        let address = self.convert(RValue { id, ty, bits: None }, size, span)?;
        let address = self.save_always(address, span);
        for (number, (key, _)) in labels.iter().enumerate() {
            let Some(then_block) = self.fun.labels.get(key).map(|label| label.block) else { continue };
            let own = self.int(FIRST_ADDRESS + STRIDE * number as u128, size, span);
            let condition = self.compare_op(CompareOp::Eq, address, own, span).id;
            let else_block = self.fun.add_block();
            let kind =
                TerminatorKind::Branch { condition, then_block, else_block, test: None, loop_header: None };
            self.end_block(kind, span);
            self.switch_to(else_block);
        }
        let never = self.plain_int(0, span);
        self.check(CheckKind::Unreachable, never, span);
        self.end_block(TerminatorKind::Unreachable, span);
        Ok(())
    }
}
