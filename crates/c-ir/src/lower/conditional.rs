//! The operator `?:`.

use super::conditions::Targets;
use super::{Lower, Lowered, RValue};
use crate::ids::*;
use crate::ir::*;
use crate::types::Type;
use nub_c_syntax::ast;
use nub_text::Span;

impl Lower<'_> {
    /// `condition ? then : otherwise` as a value.
    pub(super) fn conditional(
        &mut self,
        condition: ast::ExprId,
        then: Option<ast::ExprId>,
        otherwise: ast::ExprId,
        span: Span,
    ) -> Lowered<RValue> {
        let Some(then) = then else { return self.elvis(condition, otherwise, span) };
        let (then_block, else_block) = (self.fun.add_block(), self.fun.add_block());
        let targets = Targets { then_block, else_block, loop_header: None };
        let decided = self.condition(condition, DecisionKind::Conditional, targets)?;
        if !(decided.can_hold && decided.can_fail) {
            let (block, taken, other) =
                if decided.can_hold { (then_block, then, otherwise) } else { (else_block, otherwise, then) };
            self.switch_to(block);
            return self.only_arm(taken, other, span);
        }
        let outer = self.fun.enclosing;
        self.switch_to(then_block);
        self.fun.enclosing = Some((decided.decision, DecisionOutcome::True));
        let first = self.value(then)?;
        let first_end = self.fun.current;
        self.switch_to(else_block);
        self.fun.enclosing = Some((decided.decision, DecisionOutcome::False));
        let second = self.value(otherwise)?;
        self.fun.enclosing = outer;
        let second_end = self.fun.current;
        self.join_arms((first, first_end), (second, second_end), span)
    }

    /// The other arm only affects the type.
    fn only_arm(&mut self, taken: ast::ExprId, other: ast::ExprId, span: Span) -> Lowered<RValue> {
        let value = self.value(taken)?;
        let ty = self.discard(|lower| {
            let other = lower.value(other)?;
            lower.common_type(value, other, span)
        })?;
        if self.is_void(ty) || ty == value.ty { Ok(value) } else { self.convert(value, ty, span) }
    }

    fn join_arms(
        &mut self,
        first: (RValue, BlockId),
        second: (RValue, BlockId),
        span: Span,
    ) -> Lowered<RValue> {
        let ty = self.common_type(first.0, second.0, span)?;
        let join = self.fun.add_block();
        let result = if self.is_void(ty) { None } else { Some(self.temporary(ty, span)) };
        for (value, end) in [first, second] {
            self.switch_to(end);
            if let Some(place) = &result {
                let value = self.convert(value, ty, span)?;
                self.emit(InstrKind::Store { place: place.clone(), value: value.id }, span);
            }
            self.goto(join, span);
        }
        self.switch_to(join);
        match result {
            Some(place) => {
                let id = self.add(ExprKind::Load(place), ty, span);
                Ok(RValue { id, ty, bits: None })
            }
            None => Ok(self.void_value(span)),
        }
    }

    /// C17 6.5.15.
    fn common_type(&mut self, first: RValue, second: RValue, span: Span) -> Lowered<TypeId> {
        if first.ty == second.ty && self.int_kind(first.ty).is_none() {
            return Ok(first.ty);
        }
        let is_null = |lower: &Self, value: RValue| {
            lower.known(value.id) == Some(0) || lower.fun.expr(value.id).kind == ExprKind::Null
        };
        let types = &self.shared.program.types;
        match (types.get(first.ty), types.get(second.ty)) {
            (Type::Int(_) | Type::Float(_), Type::Int(_) | Type::Float(_)) => {
                Ok(self.usual(first, second, span)?.0.ty)
            }
            (Type::Void, _) | (_, Type::Void) => Ok(self.void_type()),
            (Type::Pointer(_), _) if is_null(self, second) => Ok(first.ty),
            (_, Type::Pointer(_)) if is_null(self, first) => Ok(second.ty),
            (Type::Pointer(to), Type::Pointer(_)) if self.is_void(*to) => Ok(first.ty),
            (Type::Pointer(_), Type::Pointer(to)) if self.is_void(*to) => Ok(second.ty),
            (Type::Pointer(_), Type::Pointer(_) | Type::Int(_)) => Ok(first.ty),
            (Type::Int(_), Type::Pointer(_)) => Ok(second.ty),
            _ => {
                let message =
                    format!("`{}` and `{}` have no common type", self.spell(first.ty), self.spell(second.ty));
                Err(super::Refusal::new(span, message))
            }
        }
    }

    /// The arms for their side effects alone: no common type is needed.
    pub(super) fn conditional_effect(
        &mut self,
        condition: ast::ExprId,
        then: Option<ast::ExprId>,
        otherwise: ast::ExprId,
        span: Span,
    ) -> Lowered<()> {
        if let Some(text) = self.assertion_failure(otherwise) {
            return self.assertion(condition, text, AssertKind::Assert, span);
        }
        let Some(then) = then else { return self.elvis(condition, otherwise, span).map(|_| ()) };
        let (then_block, else_block, join) =
            (self.fun.add_block(), self.fun.add_block(), self.fun.add_block());
        let targets = Targets { then_block, else_block, loop_header: None };
        let decided = self.condition(condition, DecisionKind::Conditional, targets)?;
        let outer = self.fun.enclosing;
        for (block, arm, outcome) in
            [(then_block, then, DecisionOutcome::True), (else_block, otherwise, DecisionOutcome::False)]
        {
            self.switch_to(block);
            self.fun.enclosing = Some((decided.decision, outcome));
            self.effect(arm)?;
            self.goto(join, span);
        }
        self.fun.enclosing = outer;
        self.switch_to(join);
        Ok(())
    }

    /// GNU `a ?: b`: the value of `a`, evaluated once, if it is not zero.
    fn elvis(&mut self, condition: ast::ExprId, otherwise: ast::ExprId, span: Span) -> Lowered<RValue> {
        let condition_span = self.unit.expr(condition).span;
        let value = self.value(condition)?;
        self.require_scalar(value, condition_span)?;
        let value = self.save(value, condition_span);
        let truth = self.truth(value, condition_span);
        if let Some(bits) = self.known(truth.id) {
            if bits != 0 {
                return Ok(value);
            }
            let other = self.value(otherwise)?;
            let ty = self.common_type(value, other, span)?;
            return self.convert(other, ty, span);
        }
        let position = self.position(condition_span);
        let conditions = vec![Condition { span: condition_span, position, constant: None, comparison: None }];
        let decision = self.add_decision(
            DecisionKind::Conditional,
            condition_span,
            conditions,
            vec![TreeNode::Condition(0)],
        );
        let (then_block, else_block) = (self.fun.add_block(), self.fun.add_block());
        let test = Some(ConditionTest { decision, condition: 0 });
        let kind =
            TerminatorKind::Branch { condition: truth.id, then_block, else_block, test, loop_header: None };
        self.end_block(kind, condition_span);
        self.switch_to(else_block);
        let other = self.value(otherwise)?;
        let other_end = self.fun.current;
        self.join_arms((value, then_block), (other, other_end), span)
    }
}
