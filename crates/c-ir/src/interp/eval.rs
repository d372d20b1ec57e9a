//! Evaluates expressions, with an explicit stack: chains can be long.

use super::RuntimeValue;
use super::machine::{Machine, Stop};
use super::pointer::Pointer;
use crate::floats::{self, FloatOperand};
use crate::ids::*;
use crate::ints;
use crate::ir::*;
use crate::lower::{children, place_children};

enum Visit {
    Enter(ExprId),
    /// All operands are evaluated: they are the last values, this many of them.
    Exit(ExprId, usize),
}

impl<'p> Machine<'p> {
    /// The value of an expression in the current frame.
    pub(super) fn eval(&self, id: ExprId) -> Result<RuntimeValue, Stop> {
        let expr = self.program.function(self.frame().function).expr(id);
        match &expr.kind {
            // Most expressions are a variable or a number: nothing has to be kept for them.
            ExprKind::Int(_) => self.apply(expr, &[]),
            ExprKind::Load(place) if place.is_fixed() => self.apply(expr, &[]),
            _ => self.eval_all(vec![id]).map(|mut values| values.pop().unwrap_or(RuntimeValue::Unknown)),
        }
    }

    /// The operands of a place: its pointer and its indices.
    pub(super) fn place_operands(&self, place: &Place) -> Result<Vec<RuntimeValue>, Stop> {
        let mut ids = Vec::new();
        place_children(place, &mut ids);
        if ids.is_empty() { Ok(Vec::new()) } else { self.eval_all(ids) }
    }

    fn eval_all(&self, ids: Vec<ExprId>) -> Result<Vec<RuntimeValue>, Stop> {
        let function = self.program.function(self.frame().function);
        let mut todo: Vec<Visit> = ids.into_iter().rev().map(Visit::Enter).collect();
        let mut values: Vec<RuntimeValue> = Vec::new();
        let mut below = Vec::new();
        while let Some(visit) = todo.pop() {
            match visit {
                Visit::Enter(id) => {
                    below.clear();
                    children(&function.expr(id).kind, &mut below);
                    if below.is_empty() {
                        values.push(self.apply(function.expr(id), &[])?);
                    } else {
                        todo.push(Visit::Exit(id, below.len()));
                        todo.extend(below.drain(..).rev().map(Visit::Enter));
                    }
                }
                Visit::Exit(id, n_operands) => {
                    let first = values.len() - n_operands;
                    let value = self.apply(function.expr(id), &values[first..])?;
                    values.truncate(first);
                    values.push(value);
                }
            }
        }
        Ok(values)
    }

    /// One operation on values.
    fn apply(&self, expr: &Expr, operands: &[RuntimeValue]) -> Result<RuntimeValue, Stop> {
        let types = &self.program.types;
        let width = types.value_width(expr.ty);
        let truth = |truth: bool| RuntimeValue::Int(u128::from(truth));
        let pointer_width = types.model.pointer_bits;
        Ok(match &expr.kind {
            ExprKind::Int(bits) => RuntimeValue::Int(*bits),
            ExprKind::Null => RuntimeValue::Pointer(Pointer::Null),
            ExprKind::FunctionAddress(function) => RuntimeValue::Pointer(Pointer::Function(*function)),
            ExprKind::Load(place) => self.load(&self.locate(place, operands)?)?,
            ExprKind::AddressOf(place) => RuntimeValue::Pointer(self.locate(place, operands)?.pointer),
            ExprKind::Initialised(place) => truth(self.is_initialised(&self.locate(place, operands)?)?),
            ExprKind::Unary(op, _) => RuntimeValue::Int(ints::unary(*op, self.int(&operands[0])?, width)),
            ExprKind::Binary(op, ..) => {
                let (left, right) = (self.int(&operands[0])?, self.int(&operands[1])?);
                let defined = ints::binary(*op, left, right, width);
                RuntimeValue::Int(defined.unwrap_or_else(|| divided_by_zero(*op, left, width)))
            }
            ExprKind::Compare(op, left, _) => {
                let width = self.width_of(*left);
                truth(ints::compare(*op, self.int(&operands[0])?, self.int(&operands[1])?, width))
            }
            ExprKind::Overflows(op, left, _) => {
                let width = self.width_of(*left);
                truth(ints::overflows(*op, self.int(&operands[0])?, self.int(&operands[1])?, width))
            }
            ExprKind::Convert(conversion, from) => RuntimeValue::Int(ints::convert(
                *conversion,
                self.int(&operands[0])?,
                self.width_of(*from),
                width,
            )),
            ExprKind::Float(op, ids) => RuntimeValue::Int(self.float(*op, expr.ty, (ids, operands))?),
            ExprKind::PointerAdd { scale, pointer, .. } => {
                let index = ints::to_signed(self.int(&operands[1])?, pointer_width);
                let bytes = index.wrapping_mul(i128::from(*scale));
                let from = self.pointer(&operands[0])?;
                let function = self.program.function(self.frame().function);
                let is_exempt = || function.is_model || function.is_null(*pointer);
                if matches!(from, Pointer::Null) && index != 0 && !is_exempt() {
                    return Err(Stop::Undefined(CheckKind::Pointer));
                }
                RuntimeValue::Pointer(self.memory.moved(from, bytes))
            }
            ExprKind::PointerDifference { scale, .. } => {
                let bytes = self.memory.distance(self.pointer(&operands[0])?, self.pointer(&operands[1])?);
                RuntimeValue::Int(ints::from_signed(bytes / i128::from((*scale).max(1)), width))
            }
            ExprKind::PointerCompare(op, ..) => {
                truth(self.memory.compare(*op, self.pointer(&operands[0])?, self.pointer(&operands[1])?))
            }
            ExprKind::PointerCast(_) => operands[0].clone(),
            ExprKind::PointerToInt(_) => {
                RuntimeValue::Int(ints::truncate(self.memory.address(self.pointer(&operands[0])?), width))
            }
            ExprKind::IntToPointer(_) => {
                let address = ints::truncate(self.int(&operands[0])?, pointer_width);
                RuntimeValue::Pointer(self.memory.pointer_at(address, self.program.functions.len()))
            }
            ExprKind::ValidPointer { size, target, .. } => {
                let pointer = self.pointer(&operands[0])?;
                let is_register = target.may_be_register() && matches!(pointer, Pointer::Address(_));
                truth(is_register || self.memory.slice(pointer, *size).is_some())
            }
            ExprKind::ObjectSize(_) => RuntimeValue::Int(u128::from(match self.pointer(&operands[0])? {
                Pointer::Object(object, _) => self.memory.size(object),
                _ => 0,
            })),
            ExprKind::PointerOffset(_) => RuntimeValue::Int(match self.pointer(&operands[0])? {
                Pointer::Object(_, offset) => ints::from_signed(offset, pointer_width),
                _ => 0,
            }),
        })
    }

    fn float(
        &self,
        op: FloatOperator,
        ty: TypeId,
        (ids, values): (&[ExprId], &[RuntimeValue]),
    ) -> Result<u128, Stop> {
        let types = &self.program.types;
        let function = self.program.function(self.frame().function);
        let misfit = || Stop::Undefined(CheckKind::FloatConversion);
        let mut operands = Vec::with_capacity(ids.len());
        for (id, value) in ids.iter().zip(values) {
            let format = types.number_format(function.expr(*id).ty).ok_or_else(misfit)?;
            operands.push(FloatOperand { bits: self.int(value)?, format });
        }
        Ok(floats::apply(op, types.number_format(ty).ok_or_else(misfit)?, &operands))
    }

    fn width_of(&self, id: ExprId) -> u32 {
        let ty = self.program.function(self.frame().function).expr(id).ty;
        self.program.types.value_width(ty)
    }
}

impl Machine<'_> {
    /// The bits of an operand. One that was never written counts as zero if that check is ignored.
    pub(super) fn int(&self, value: &RuntimeValue) -> Result<u128, Stop> {
        match value {
            RuntimeValue::Int(bits) => Ok(*bits),
            _ if self.is_ignored(CheckKind::Uninitialised) => Ok(0),
            _ => Err(Stop::Undefined(CheckKind::Uninitialised)),
        }
    }

    /// The same for a pointer, null if it was never written.
    pub(super) fn pointer(&self, value: &RuntimeValue) -> Result<Pointer, Stop> {
        match value {
            RuntimeValue::Pointer(pointer) => Ok(*pointer),
            _ if self.is_ignored(CheckKind::Uninitialised) => Ok(Pointer::Null),
            _ => Err(Stop::Undefined(CheckKind::Uninitialised)),
        }
    }
}

/// As in SMT-LIB: the quotient is all ones as an unsigned number, 1 or -1 as a signed one, the remainder is the dividend.
fn divided_by_zero(op: BinaryOp, left: u128, width: u32) -> u128 {
    match op {
        BinaryOp::UDiv => ints::from_signed(-1, width),
        BinaryOp::SDiv if ints::to_signed(left, width) < 0 => 1,
        BinaryOp::SDiv => ints::from_signed(-1, width),
        _ => left,
    }
}
