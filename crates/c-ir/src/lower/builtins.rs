//! Functions that are known by name and have no C model: they become instructions, or they are refused.

use super::scope::Entity;
use super::{Lower, Lowered, RValue, Refusal};
use crate::ir::*;
use nub_c_syntax::ast;
use nub_text::Span;

/// Output functions: the arguments are evaluated, and nothing else happens. Their result is an input where the program uses it.
const OUTPUT: &[&str] = &[
    "printf",
    "vprintf",
    "vfprintf",
    "vdprintf",
    "fprintf",
    "dprintf",
    "puts",
    "fputs",
    "putchar",
    "fputc",
    "putc",
    "perror",
    "fflush",
    "setbuf",
    "putchar_unlocked",
];

/// Those of them that need a stream, and which argument it is.
const STREAMS: &[(&str, usize)] =
    &[("fprintf", 0), ("vfprintf", 0), ("fputs", 1), ("fputc", 1), ("putc", 1), ("fflush", 0), ("setbuf", 0)];

/// Refused functions, and what the message calls them.
const REFUSED: &[(&str, &str)] = &[
    ("setjmp", "`setjmp`"),
    ("_setjmp", "`setjmp`"),
    ("sigsetjmp", "`setjmp`"),
    ("__sigsetjmp", "`setjmp`"),
    ("longjmp", "`longjmp`"),
    ("siglongjmp", "`longjmp`"),
    ("pthread_create", "threads"),
    ("thrd_create", "threads"),
];

impl Lower<'_> {
    /// The value of a call of a known function; `None` if it is not known.
    pub(super) fn builtin(
        &mut self,
        name: &str,
        entity: Option<Entity>,
        args: &[ast::ExprId],
        span: Span,
    ) -> Lowered<Option<RValue>> {
        if let Some((_, what)) = REFUSED.iter().find(|(known, _)| *known == name) {
            let verb = if what.starts_with("functions") || *what == "threads" { "are" } else { "is" };
            return Err(Refusal::unmodelled(span, format!("{what} {verb} not supported")));
        }
        if let Some(value) = self.property(name, args, span)? {
            return Ok(Some(value));
        }
        if let Some(value) = self.va_call(name, args, span)? {
            return Ok(Some(value));
        }
        if let Some(value) = self.cprover(name, args, span)? {
            return Ok(Some(value));
        }
        if let Some(value) = self.atomic(name, args, span)? {
            return Ok(Some(value));
        }
        if let Some(suffix) = Self::nondet_suffix(name) {
            return self.nondet(name, entity, suffix, span).map(Some);
        }
        let plain = name.strip_prefix("__builtin_").unwrap_or(name);
        if OUTPUT.contains(&plain) {
            self.argument_values_for_output(plain, args, span)?;
            return self.writer_result(plain, span).map(Some);
        }
        if let Some(value) = self.outside_result(plain, args, span)? {
            return Ok(Some(value));
        }
        if let Some(value) = self.math(plain, args, span)? {
            return Ok(Some(value));
        }
        match plain {
            "abort" | "trap" => self.stop(StopKind::Abort, span),
            "exit" | "_exit" | "_Exit" | "quick_exit" => {
                self.argument_values(args)?;
                self.stop(StopKind::Exit, span);
            }
            "unreachable" => {
                let never = self.plain_int(0, span);
                self.check(CheckKind::Unreachable, never, span);
                self.end_block(TerminatorKind::Unreachable, span);
                self.switch_to_unreachable();
            }
            _ => return self.builtin_value(plain, args, span),
        }
        Ok(Some(self.void_value(span)))
    }

    /// Assertions and assumptions.
    fn property(&mut self, name: &str, args: &[ast::ExprId], span: Span) -> Lowered<Option<RValue>> {
        match name {
            "assert"
            | "__CPROVER_assert"
            | "__CPROVER_precondition"
            | "__CPROVER_postcondition"
            | "__VERIFIER_assert" => {
                self.require_args(args, 1, span)?;
                let kind = match name {
                    "assert" => AssertKind::Assert,
                    "__VERIFIER_assert" => AssertKind::Verifier,
                    _ => AssertKind::Cprover,
                };
                let described =
                    args.get(1).and_then(|arg| self.literal_text(*arg)).filter(|text| !text.is_empty());
                let text = described.unwrap_or_else(|| self.source_text(self.unit.expr(args[0]).span));
                self.assertion(args[0], text, kind, span)?;
            }
            "__CPROVER_assume" | "__VERIFIER_assume" | "nub_assume" | "__builtin_assume" => {
                self.require_args(args, 1, span)?;
                self.assumption(args[0], span)?;
            }
            "__assert_fail" | "__assert_rtn" | "__assert_func" | "__assert" => {
                let text = args.first().and_then(|arg| self.literal_text(*arg)).unwrap_or_default();
                self.failure(text, AssertKind::Assert, span);
            }
            "reach_error" | "__VERIFIER_error" => {
                self.failure(format!("{name}()"), AssertKind::Verifier, span)
            }
            REACHED => {
                let text = args.first().and_then(|arg| self.literal_text(*arg)).unwrap_or_default();
                self.failure(text, AssertKind::Reached, span);
            }
            _ => return Ok(None),
        }
        Ok(Some(self.void_value(span)))
    }

    /// Arguments of output functions.
    fn argument_values_for_output(&mut self, name: &str, args: &[ast::ExprId], span: Span) -> Lowered<()> {
        let values = self.argument_values(args)?;
        if let Some((_, at)) = STREAMS.iter().find(|(known, _)| *known == name)
            && let (Some(arg), Some(value)) = (args.get(*at), values.get(*at))
        {
            self.stream(name, *value, self.unit.expr(*arg).span);
        }
        self.read_printed(name, args, &values, span)
    }

    /// A stream to write to must not be null. Those of the library, such as `stderr`, never are; others may come from anywhere, also as `void *`.
    fn stream(&mut self, name: &str, value: RValue, span: Span) {
        let is_library = match &self.fun.expr(value.id).kind {
            ExprKind::Load(Place { base: PlaceBase::Global(global), .. }) => {
                self.shared.program.globals[global.index()].is_extern
            }
            _ => false,
        };
        if !is_library {
            self.shared.program.stream_writers.insert(name.to_owned());
        }
        // Only `fflush` accepts a null pointer, for all streams.
        if !is_library && name != "fflush" && self.shared.program.types.pointee(value.ty).is_some() {
            let null = self.null(value.ty, span);
            let not_null = self.pointer_compare(CompareOp::Ne, value, null, span);
            self.check(CheckKind::Null, not_null, span);
        }
    }

    fn builtin_value(&mut self, plain: &str, args: &[ast::ExprId], span: Span) -> Lowered<Option<RValue>> {
        Ok(Some(match plain {
            "expect" | "expect_with_probability" => {
                self.require_args(args, 1, span)?;
                let value = self.value(args[0])?;
                let ty = self.types().int(crate::types::IntKind::Long);
                self.convert(value, ty, span)?
            }
            "malloc" | "calloc" | "realloc" | "reallocarray" | "aligned_alloc" | "memalign" | "alloca"
            | "alloca_with_align" | "free" => self.memory_call(plain, args, span)?,
            "constant_p" => {
                self.require_args(args, 1, span)?;
                let is_constant = self.try_constant(args[0])?.is_some();
                self.plain_int(u128::from(is_constant), span)
            }
            "scanf" | "__isoc99_scanf" | "__isoc23_scanf" => self.scan(plain, args, 1, span)?,
            "fscanf" | "sscanf" | "__isoc99_fscanf" | "__isoc99_sscanf" => self.scan(plain, args, 2, span)?,
            "add_overflow" => self.overflow_builtin(BinaryOp::Add, args, span)?,
            "sub_overflow" => self.overflow_builtin(BinaryOp::Sub, args, span)?,
            "mul_overflow" => self.overflow_builtin(BinaryOp::Mul, args, span)?,
            "choose_expr" => {
                self.require_args(args, 3, span)?;
                let (number, _) = self.constant(args[0])?;
                self.value(args[if number != 0 { 1 } else { 2 }])?
            }
            "getchar" | "fgetc" | "getc" => {
                self.argument_values(args)?;
                self.ranged_input(InputSource::Nondet(plain.to_owned()), -1, Some(255), span)?
            }
            "rand" | "random" => self.ranged_input(InputSource::Nondet(plain.to_owned()), 0, None, span)?,
            _ => return Ok(None),
        }))
    }
}
