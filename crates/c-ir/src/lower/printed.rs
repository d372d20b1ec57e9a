//! Strings that output functions read: each must be terminated, or the call is undefined.
//!
//! Nothing else of what these functions do is modelled. A loop of our own (`prelude/format.c`) reads the string, so that the checks of every read
//! find one without a terminator. String literals are terminated and cost nothing.

use super::{Lower, Lowered, RValue, Refusal};
use crate::ir::*;
use crate::types::Type;
use nub_c_syntax::ast::{self, AstExprKind as AstKind};
use nub_text::Span;

/// Functions with a format, and which argument it is.
const FORMATS: &[(&str, usize)] = &[("printf", 0), ("fprintf", 1), ("dprintf", 1)];

/// Functions that write one string, which argument it is, and the loop that reads it.
const TEXTS: &[(&str, usize, &str)] =
    &[("puts", 0, "nub_text"), ("fputs", 0, "nub_text"), ("perror", 0, "nub_text_or_null")];

/// A conversion `%s`: which argument after the format is its string, and how much of it is written at most.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct PrintedText {
    at: usize,
    most: Option<Precision>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Precision {
    Fixed(u32),
    /// `%.*s`: the number of the argument.
    Argument(usize),
}

impl Lower<'_> {
    /// Reads the strings that a call writes.
    pub(super) fn read_printed(
        &mut self,
        name: &str,
        args: &[ast::ExprId],
        values: &[RValue],
        span: Span,
    ) -> Lowered<()> {
        if self.fun.is_unevaluated || self.shared.is_model {
            return Ok(());
        }
        if let Some((_, at, reader)) = TEXTS.iter().find(|(known, ..)| *known == name) {
            return match (args.get(*at), values.get(*at)) {
                (Some(arg), Some(value)) if !self.has_an_end(*arg) => self.read_text(reader, &[*value], span),
                _ => Ok(()),
            };
        }
        let Some((_, at)) = FORMATS.iter().find(|(known, _)| *known == name) else { return Ok(()) };
        let Some(format) = args.get(*at) else { return Ok(()) };
        let Some(text) = self.literal_text(*format) else {
            return if self.has_an_end(*format) {
                Ok(())
            } else {
                // The format is not known, and so neither are its arguments.
                self.read_text("nub_plain_format", &values[*at..=*at], span)
            };
        };
        for found in printed_texts(&text).map_err(|what| Refusal::unmodelled(span, what))? {
            let (args, values) = (&args[at + 1..], &values[at + 1..]);
            let (Some(arg), Some(value)) = (args.get(found.at), values.get(found.at)) else { continue };
            if self.has_an_end(*arg) {
                continue;
            }
            match found.most {
                None => self.read_text("nub_text", &[*value], span)?,
                Some(Precision::Fixed(most)) => {
                    let most = self.plain_int(u128::from(most), span);
                    self.read_text("nub_text_part", &[*value, most], span)?;
                }
                Some(Precision::Argument(most)) => {
                    let Some(most) = values.get(most) else { continue };
                    self.read_text("nub_text_part", &[*value, *most], span)?;
                }
            }
        }
        Ok(())
    }

    /// Whether every string that the expression may be is a literal.
    fn has_an_end(&self, id: ast::ExprId) -> bool {
        let mut todo = vec![id];
        while let Some(id) = todo.pop() {
            match self.unit.expr(id).kind {
                AstKind::Cast(_, inner) => todo.push(inner),
                AstKind::Conditional { then: Some(then), otherwise, .. } => todo.extend([then, otherwise]),
                AstKind::String(_) => {}
                _ => return false,
            }
        }
        true
    }

    /// A call of one of our loops, if the arguments have types that it can take.
    fn read_text(&mut self, reader: &str, values: &[RValue], span: Span) -> Lowered<()> {
        let Some(&(_, ty)) = self.shared.models.get(reader) else { return Ok(()) };
        let Type::Function(function) = self.shared.program.types.get(ty).clone() else { return Ok(()) };
        let mut args = Vec::with_capacity(values.len());
        for (value, param) in values.iter().zip(&function.params) {
            let is_pointer = |ty| self.shared.program.types.pointee(ty).is_some();
            if is_pointer(value.ty) != is_pointer(*param) {
                return Ok(());
            }
            args.push(self.convert(*value, *param, span)?.id);
        }
        let function = match self.shared.functions_by_name.get(reader) {
            Some(&function) => function,
            None => self.declare_as(reader, ty, span)?,
        };
        let callee = Callee::Direct(function);
        self.emit(InstrKind::Call { callee, args, result: None }, span);
        Ok(())
    }
}

/// The strings that a format reads; an error if it writes to an argument. Empty for a format that numbers its arguments.
fn printed_texts(format: &str) -> Result<Vec<PrintedText>, &'static str> {
    let mut letters = format.chars().peekable();
    let (mut found, mut n_args) = (Vec::new(), 0);
    while let Some(letter) = letters.next() {
        if letter != '%' {
            continue;
        }
        while letters.next_if(|letter| "-+ #0'".contains(*letter)).is_some() {}
        if letters.next_if_eq(&'*').is_some() {
            n_args += 1;
        }
        while letters.next_if(char::is_ascii_digit).is_some() {}
        if letters.peek() == Some(&'$') {
            return Ok(Vec::new());
        }
        let mut most = None;
        if letters.next_if_eq(&'.').is_some() {
            if letters.next_if_eq(&'*').is_some() {
                most = Some(Precision::Argument(n_args));
                n_args += 1;
            } else {
                let mut number = 0_u32;
                while let Some(digit) = letters.next_if(char::is_ascii_digit) {
                    number = number.saturating_mul(10).saturating_add(u32::from(digit as u8 - b'0'));
                }
                most = Some(Precision::Fixed(number.min(i32::MAX as u32)));
            }
        }
        let mut is_wide = false;
        while let Some(length) = letters.next_if(|letter| "hlLqjzt".contains(*letter)) {
            is_wide |= length == 'l';
        }
        match letters.next() {
            Some('%' | 'm') | None => {}
            Some('n') => return Err("`%n` is not supported"),
            Some(conversion) => {
                if conversion == 's' && !is_wide {
                    found.push(PrintedText { at: n_args, most });
                }
                n_args += 1;
            }
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::{Precision, PrintedText, printed_texts};

    #[test]
    fn texts_of_formats() {
        let text = |at, most| PrintedText { at, most };
        assert_eq!(printed_texts("%d%% %s %-10s"), Ok(vec![text(1, None), text(2, None)]));
        assert_eq!(printed_texts("%*d %.3s"), Ok(vec![text(2, Some(Precision::Fixed(3)))]));
        assert_eq!(printed_texts("%-*.*s"), Ok(vec![text(2, Some(Precision::Argument(1)))]));
        assert_eq!(printed_texts("%ls %1.2f %lld"), Ok(Vec::new()));
        assert_eq!(printed_texts("%2$s %1$s"), Ok(Vec::new()));
        assert!(printed_texts("%d%n").is_err());
    }
}
