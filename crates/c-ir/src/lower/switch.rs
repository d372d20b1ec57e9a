//! `switch` and its labels.

use super::builder::{Exit, OpenSwitch};
use super::{Lower, Lowered, Refusal};
use crate::ids::*;
use crate::ints;
use crate::ir::*;
use nub_c_syntax::ast::{self, StmtId};
use nub_text::Span;

impl Lower<'_> {
    pub(super) fn switch(&mut self, value: ast::ExprId, body: StmtId, span: Span) -> Lowered<()> {
        let value_span = self.unit.expr(value).span;
        self.begin_statement(StatementKind::Control, value_span);
        let value = self.value(value)?;
        let value = self.promote(value, value_span)?;
        let decision = self.add_decision(DecisionKind::Switch, value_span, Vec::new(), Vec::new());
        let (start, origin) = (self.fun.current, self.origin(value_span));
        let exit = self.fun.add_block();
        let outer = self.fun.enclosing;
        let depth = self.scopes.depth();
        self.fun.switches.push(OpenSwitch {
            ty: value.ty,
            decision,
            cases: Vec::new(),
            default: None,
            depth,
        });
        self.fun.breaks.push(Exit { block: exit, depth });
        self.switch_to_unreachable();
        self.statement(body);
        self.goto(exit, span);
        self.fun.breaks.pop();
        self.fun.enclosing = outer;
        let Some(open) = self.fun.switches.pop() else { return Ok(()) };
        let kind = TerminatorKind::Switch {
            value: value.id,
            cases: open.cases,
            default: open.default.unwrap_or(exit),
            decision,
        };
        self.fun.blocks[start.index()].terminator = Some(Terminator { kind, origin });
        self.switch_to(exit);
        Ok(())
    }

    /// `case low:`, `case low ... high:`
    pub(super) fn case_label(
        &mut self,
        low: ast::ExprId,
        high: Option<ast::ExprId>,
        span: Span,
    ) -> Lowered<()> {
        let Some((ty, decision)) = self.fun.switches.last().map(|open| (open.ty, open.decision)) else {
            return Err(Refusal::new(span, "`case` outside of a `switch`"));
        };
        let low = self.case_value(low, ty)?;
        let high = match high {
            Some(high) => self.case_value(high, ty)?,
            None => low,
        };
        let format = self.format(ty);
        let at_most = if format.is_signed { CompareOp::SLe } else { CompareOp::ULe };
        let below = |a, b| ints::compare(at_most, a, b, format.width);
        let target = self.label_block(span);
        self.note_case();
        let Some(open) = self.fun.switches.last_mut() else { return Ok(()) };
        if open.cases.iter().any(|case| below(case.low, high) && below(low, case.high)) {
            return Err(Refusal::new(span, "duplicate `case` value"));
        }
        let outcome = DecisionOutcome::Case(open.cases.len() as u32);
        // An empty range matches nothing.
        if below(low, high) {
            open.cases.push(SwitchCase { low, high, target, span });
        }
        self.fun.enclosing = Some((decision, outcome));
        Ok(())
    }

    fn case_value(&mut self, id: ast::ExprId, ty: TypeId) -> Lowered<u128> {
        let (number, _) = self.constant(id)?;
        Ok(ints::from_signed(number, self.format(ty).width))
    }

    /// The `switch` jumps into the scopes that are open here.
    fn note_case(&mut self) {
        let depth = self.fun.switches.last().map_or(usize::MAX, |open| open.depth);
        self.scopes.note_label(depth);
    }

    pub(super) fn default_label(&mut self, span: Span) -> Lowered<()> {
        let block = self.label_block(span);
        self.note_case();
        match self.fun.switches.last_mut() {
            None => return Err(Refusal::new(span, "`default` outside of a `switch`")),
            Some(open) if open.default.is_some() => return Err(Refusal::new(span, "a second `default`")),
            Some(open) => {
                open.default = Some(block);
                let decision = open.decision;
                self.fun.enclosing = Some((decision, DecisionOutcome::Default));
            }
        }
        Ok(())
    }
}
