//! The rounding mode: `fesetround`, `fegetround`.
//!
//! In a program that names `fesetround` or `fegetround`, or contains `#pragma STDC FENV_ACCESS ON`, the mode is an object like others, hidden from the
//! user, and every operation that may round has its value as one more operand. In other programs nothing is added: the mode is the one that a program
//! starts with, since any other one is undefined there (C17 7.6.1). C requires the pragma where the mode is set or read; here it is always on.

use super::{Lower, Lowered, RValue, Refusal};
use crate::floats::{self, FloatOperand};
use crate::ir::*;
use crate::types::{IntFormat, NumberFormat};
use nub_c_syntax::ast;
use nub_text::Span;

/// Numbers of the modes in `fenv.h` differ from processor to processor; our model (`prelude/fenv.c`) has those of x86.
pub(super) const HAS_MODES: bool = cfg!(any(target_arch = "x86_64", target_arch = "x86"));

/// Contains a character that no name of C may contain.
const NAME: &str = "<rounding mode>";

impl Lower<'_> {
    /// Makes the object that holds the mode, if this text may set it or observe it.
    pub(super) fn note_rounding(&mut self) {
        let named = |name: &str| {
            let is_it = |expr: &ast::AstExpr| match expr.kind {
                ast::AstExprKind::Ident(ident) => {
                    self.spelling(ident.name) == name && !self.defined_here.contains(&ident.name)
                }
                _ => false,
            };
            self.unit.exprs().find(|(_, expr)| is_it(expr)).map(|(_, expr)| expr.span)
        };
        let (set, read) = (named("fesetround"), named("fegetround"));
        self.shared.sets_rounding |= set.is_some();
        let is_on = || has_access(self.unit.source()).then(|| Span::new(0, 0));
        let observed = set.or(read).or_else(is_on).filter(|_| HAS_MODES || set.or(read).is_some());
        if let (Some(span), None) = (observed, self.shared.program.rounding) {
            let ty = self.int_type();
            let mode = self.add_global(NAME.to_owned(), ty, None, span);
            self.shared.program.globals[mode.index()].is_internal = true;
            self.shared.program.rounding = Some(mode);
        }
    }

    fn rounding_place(&mut self) -> Option<Place> {
        let global = self.shared.program.rounding?;
        let ty = self.int_type();
        Some(Place { base: PlaceBase::Global(global), steps: Vec::new(), ty })
    }

    /// The mode, where it can change: an operand of operations that round.
    pub(super) fn rounding(&mut self, span: Span) -> Option<RValue> {
        let place = self.rounding_place()?;
        let ty = place.ty;
        let id = self.add(ExprKind::Load(place), ty, span);
        Some(RValue { id, ty, bits: None })
    }

    /// In our own models, `nub_rounding()` is the mode and `nub_set_rounding(mode)` changes it.
    pub(super) fn rounding_call(
        &mut self,
        name: &str,
        args: &[ast::ExprId],
        span: Span,
    ) -> Lowered<Option<RValue>> {
        match name {
            "nub_rounding" if self.shared.is_model => {
                let mode = self.rounding(span);
                Ok(Some(mode.unwrap_or_else(|| self.plain_int(0, span))))
            }
            "nub_set_rounding" if self.shared.is_model => {
                let values = self.argument_values(args)?;
                if let (Some(place), Some(value)) = (self.rounding_place(), values.first()) {
                    self.store(place, *value, span);
                }
                Ok(Some(self.void_value(span)))
            }
            "fesetround" | "fegetround" if !HAS_MODES => {
                Err(Refusal::new(span, format!("`{name}` is not supported on this machine")))
            }
            _ => Ok(None),
        }
    }

    /// Whether the result depends on a mode that can change. It does not if it is exact, as far as that is known before the program runs.
    pub(super) fn needs_mode(
        &self,
        op: FloatOperator,
        result: Option<NumberFormat>,
        operands: &[RValue],
        constants: Option<&[FloatOperand]>,
    ) -> bool {
        let types = &self.shared.program.types;
        let from = operands.first().and_then(|value| types.number_format(value.ty));
        let can_change = self.shared.program.rounding.is_some() && op.rounds();
        let (true, Some(result), Some(from)) = (can_change, result, from) else { return false };
        match constants {
            // What is constant before the program starts is rounded to nearest.
            Some(_) if self.fun.is_scratch() => false,
            Some(values) => !self.is_exact(op, result, values),
            None => op != FloatOperator::FromNumber || !holds_all(result, from),
        }
    }

    /// Whether constants have the same result in all modes.
    fn is_exact(&self, op: FloatOperator, result: NumberFormat, constants: &[FloatOperand]) -> bool {
        let width = self.shared.program.model.int_bits;
        let format = NumberFormat::Int(IntFormat { width, is_signed: true });
        let in_mode = |bits: u128| {
            let mut operands = constants.to_vec();
            operands.push(FloatOperand { bits, format });
            floats::apply(op, result, &operands)
        };
        (1..).take(floats::MODES.len() - 1).all(|mode| in_mode(mode) == in_mode(0))
    }
}

/// Whether `#pragma STDC FENV_ACCESS ON` is in the text. The pragma is not in the tree.
fn has_access(source: &[u8]) -> bool {
    let is_on = |line: &[u8]| {
        let line = String::from_utf8_lossy(line);
        let mut words = line.split_whitespace().skip_while(|word| *word != "STDC");
        words.next().is_some() && words.next() == Some("FENV_ACCESS") && words.next() == Some("ON")
    };
    source.split(|byte| *byte == b'\n').any(|line| line.trim_ascii_start().starts_with(b"#") && is_on(line))
}

/// Whether every number of the second format is one of the first.
fn holds_all(to: NumberFormat, from: NumberFormat) -> bool {
    match (to, from) {
        (NumberFormat::Float(to), NumberFormat::Float(from)) => {
            to.values.significand_bits() >= from.values.significand_bits()
                && to.values.exponent_bits() >= from.values.exponent_bits()
        }
        (NumberFormat::Float(to), NumberFormat::Int(from)) => {
            let has_range = i128::from(from.width) <= to.values.max_exponent();
            has_range && from.width - u32::from(from.is_signed) <= to.values.significand_bits()
        }
        _ => false,
    }
}
