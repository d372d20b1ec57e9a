//! `scanf` and similar functions: each object that the format reads gets an input.
//!
//! Where the program uses the result, that is an input too, from EOF to the number of conversions, and only that many objects are written. Where it
//! does not, all are assumed to be written: with any value, so also with the old one.

use super::{Lower, Lowered, RValue, Refusal};
use crate::ir::*;
use nub_c_syntax::ast;
use nub_text::Span;

/// What these functions return if the input ends before anything is read.
const EOF: i128 = -1;

impl Lower<'_> {
    /// A call with `n_before` arguments before the objects, the last of them the format.
    pub(super) fn scan(
        &mut self,
        name: &str,
        args: &[ast::ExprId],
        n_before: usize,
        span: Span,
    ) -> Lowered<RValue> {
        self.require_args(args, n_before, span)?;
        let (before, targets) = args.split_at(n_before);
        let format = before.last().and_then(|format| self.literal_text(*format));
        let n_read = format.and_then(|format| n_conversions(&format));
        let Some(n_read) = n_read.filter(|n_read| *n_read <= targets.len()) else {
            let message = format!("`{name}` is supported only with a literal format that reads numbers");
            return Err(Refusal::unmodelled(span, message));
        };
        let values = self.argument_values(targets)?;
        let mut places = Vec::with_capacity(n_read);
        // Arguments that the format does not use stay as they are.
        for value in values.iter().take(n_read) {
            let place = self.pointer_target(*value, span)?;
            self.check_access(&place, span);
            places.push(place);
        }
        let source = InputSource::Scan(name.to_owned());
        if self.fun.unused_call == Some(span) {
            for place in places {
                self.input(place, &source, span)?;
            }
            return Ok(self.plain_int(n_read as u128, span));
        }
        let result =
            self.ranged_input(InputSource::Scanned(name.to_owned()), EOF, Some(n_read as i128), span)?;
        let end = self.fun.add_block();
        for (number, place) in (0..).zip(places) {
            let next = self.fun.add_block();
            let number = self.plain_int(number, span);
            let is_read = self.compare_op(CompareOp::SLt, number, result, span);
            let kind = TerminatorKind::Branch {
                condition: is_read.id,
                then_block: next,
                else_block: end,
                test: None,
                loop_header: None,
            };
            self.end_block(kind, span);
            self.switch_to(next);
            self.input(place, &source, span)?;
        }
        self.goto(end, span);
        self.switch_to(end);
        Ok(result)
    }
}

/// How many numbers and characters a format of `scanf` stores into objects; `None` if it also reads strings, whose length is unknown.
fn n_conversions(format: &str) -> Option<usize> {
    let mut letters = format.chars().peekable();
    let mut n_read = 0;
    while let Some(letter) = letters.next() {
        if letter != '%' {
            continue;
        }
        let is_kept = letters.next_if_eq(&'*').is_none();
        let mut has_width = false;
        while letters.next_if(char::is_ascii_digit).is_some() {
            has_width = true;
        }
        while letters.next_if(|letter| "hlLqjzt".contains(*letter)).is_some() {}
        match letters.next()? {
            '%' => {}
            'd' | 'i' | 'u' | 'o' | 'x' | 'X' => n_read += usize::from(is_kept),
            'c' if !has_width => n_read += usize::from(is_kept),
            _ => return None,
        }
    }
    Some(n_read)
}

#[cfg(test)]
mod tests {
    use super::n_conversions;

    #[test]
    fn formats() {
        for (format, n_read) in [
            ("", Some(0)),
            ("%d, %hd%%", Some(2)),
            ("%*d %ld%c", Some(2)),
            ("%3d%hhu", Some(2)),
            ("%12s", None),
            ("%[a-z]", None),
            ("%5c", None),
            ("%lf", None),
            ("%", None),
        ] {
            assert_eq!(n_conversions(format), n_read, "{format}");
        }
    }
}
