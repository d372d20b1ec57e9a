//! What comes from outside of the program: results of functions of the library that depend on files, users and clocks.
//!
//! Functions that only return a number are here; those that also write memory are C models (`prelude/environment.c`), in which a few names stand for
//! inputs.

use super::allocations::NewMemory;
use super::inputs::suffix_kind;
use super::{Lower, Lowered, RValue};
use crate::ir::*;
use crate::types::IntKind;
use nub_c_syntax::ast;
use nub_text::Span;

/// Functions whose result is an input, with its range.
const RESULTS: &[(&str, i128, Option<i128>)] = &[
    ("fclose", -1, Some(0)),
    ("pclose", -1, None),
    ("feof", 0, Some(1)),
    ("ferror", 0, Some(1)),
    ("fseek", -1, Some(0)),
    ("remove", -1, Some(0)),
    ("rename", -1, Some(0)),
];

/// Functions that write to streams. Their results are inputs only in programs that use them, which few do.
const WRITERS: &[(&str, i128, Option<i128>)] = &[
    ("printf", -1, None),
    ("fprintf", -1, None),
    ("dprintf", -1, None),
    ("vprintf", -1, None),
    ("vfprintf", -1, None),
    ("vdprintf", -1, None),
    ("puts", -1, None),
    ("fputs", -1, None),
    ("putchar", -1, Some(255)),
    ("fputc", -1, Some(255)),
    ("putc", -1, Some(255)),
    ("fflush", -1, Some(0)),
    ("putchar_unlocked", -1, Some(255)),
];

/// Of these C says only whether the result is zero, or of the functions that print whether it is negative.
const NOT_ZERO: &[&str] = &["feof", "ferror", "fseek", "remove", "rename"];

impl Lower<'_> {
    /// The result of a library function that depends on the environment; `None` if it is not such a function.
    pub(super) fn outside_result(
        &mut self,
        plain: &str,
        args: &[ast::ExprId],
        span: Span,
    ) -> Lowered<Option<RValue>> {
        if self.shared.is_model {
            return self.model_input(plain, args, span);
        }
        let Some((_, least, most)) = RESULTS.iter().find(|(name, ..)| *name == plain) else {
            return Ok(None);
        };
        self.argument_values(args)?;
        self.library_result(plain, (*least, *most), span).map(Some)
    }

    /// The result of a function that writes to a stream, an input if the program uses it anywhere: a test cannot tell calls apart.
    pub(super) fn writer_result(&mut self, plain: &str, span: Span) -> Lowered<RValue> {
        let range = WRITERS.iter().find(|(name, ..)| *name == plain);
        match range.filter(|_| self.asks_for(plain)) {
            Some((_, least, most)) => self.library_result(plain, (*least, *most), span),
            None => Ok(self.plain_int(0, span)),
        }
    }

    fn library_result(
        &mut self,
        name: &str,
        (least, most): (i128, Option<i128>),
        span: Span,
    ) -> Lowered<RValue> {
        let source = InputSource::Library(name.to_owned(), "returns".to_owned());
        let value = self.ranged_input(source, least, most, span)?;
        let zero = self.int(0, value.ty, span);
        let says_more = match name {
            name if NOT_ZERO.contains(&name) => self.compare_op(CompareOp::Ne, value, zero, span),
            name if name.ends_with("printf") => self.compare_op(CompareOp::SLt, value, zero, span),
            _ => return Ok(value),
        };
        let other = self.left_open(OpenChoice::Result(name.to_owned()), span);
        let is_other = if NOT_ZERO.contains(&name) {
            self.compare_op(CompareOp::Ne, other, zero, span)
        } else {
            self.compare_op(CompareOp::SLt, other, zero, span)
        };
        let is_it = self.binary_op(BinaryOp::And, says_more, is_other, span);
        Ok(self.selected(is_it, other, value, span))
    }

    /// Does the program use the result of a call of this function? O(expressions), once per call.
    fn asks_for(&self, plain: &str) -> bool {
        let is_call = |id: ast::ExprId| match &self.unit.expr(id).kind {
            ast::AstExprKind::Call { callee, .. } => match self.unit.expr(*callee).kind {
                ast::AstExprKind::Ident(ident) => {
                    let name = self.spelling(ident.name);
                    name.strip_prefix("__builtin_").unwrap_or(name) == plain
                }
                _ => false,
            },
            _ => false,
        };
        let n_calls = self.unit.exprs().filter(|(id, _)| is_call(*id)).count();
        let is_alone = |statement: &ast::Stmt| match statement.kind {
            ast::StmtKind::Expr(id) => is_call(self.without_void(id)),
            _ => false,
        };
        let n_unused = self.unit.stmts().filter(|(_, statement)| is_alone(statement)).count();
        n_calls > n_unused
    }

    /// `(void)f()` does not use the result.
    fn without_void(&self, id: ast::ExprId) -> ast::ExprId {
        match self.unit.expr(id).kind {
            ast::AstExprKind::Cast(_, operand) => operand,
            _ => id,
        }
    }

    /// A number that C leaves open.
    pub(super) fn left_open(&mut self, choice: OpenChoice, span: Span) -> RValue {
        let ty = self.types().int(IntKind::Int);
        let place = self.temporary(ty, span);
        self.emit(InstrKind::LeftOpen { choice, place: Some(place.clone()) }, span);
        let id = self.add(ExprKind::Load(place), ty, span);
        RValue { id, ty, bits: None }
    }

    /// Names that only our models use. Inputs: `nub_any_int("what it is")`, `nub_new(8)`, which may fail, and `nub_new_stream()`. Rules:
    /// `nub_not_null(p)` for pointers that must be valid even where nothing is read through them (C17 7.24.1 paragraph 2); `nub_apart(p, q)` for two
    /// bytes that must be distinct, `nub_apart(p, q, n)` for `n` bytes each; `nub_is_there(p)` for a byte that must exist even where it is not read
    /// (`memcmp`: C17 7.24.4.1). What C leaves open: `nub_left_open("locale")` is a number that is zero in tests ([`OpenChoice`]), and
    /// after `nub_compared_more_often()` a function that was passed may have been called more often.
    fn model_input(&mut self, name: &str, args: &[ast::ExprId], span: Span) -> Lowered<Option<RValue>> {
        // Types of the models may contain calls of built-in functions.
        let function = self.shared.program.functions.get(self.fun.function.index());
        let function = function.map(|function| function.name.clone()).unwrap_or_default();
        if name == "nub_new" || name == "nub_new_stream" {
            let size = match args.first() {
                Some(size) => self.constant_size(*size, span)?,
                None => {
                    let ty = self.size_type();
                    self.int(1, ty, span)
                }
            };
            let maker = AllocationMaker::Stub;
            return Ok(Some(self.allocate(NewMemory { name: &function, maker, size, old: None }, span)));
        }
        if let ("nub_not_null", [pointer]) = (name, args) {
            let pointer = self.value(*pointer)?;
            let null = self.null(pointer.ty, span);
            let not_null = self.pointer_compare(CompareOp::Ne, pointer, null, span);
            self.check(CheckKind::Null, not_null, span);
            return Ok(Some(self.void_value(span)));
        }
        if let ("nub_is_there", [pointer]) = (name, args) {
            let pointer = self.value(*pointer)?;
            self.check_pointer(pointer.id, 1, AccessTarget::Object, span);
            return Ok(Some(self.void_value(span)));
        }
        if let ("nub_apart", [one, other, size]) = (name, args) {
            let (one, other, size) = (self.value(*one)?, self.value(*other)?, self.value(*size)?);
            let is_apart = self.are_apart([one, other], size, span)?;
            self.check(CheckKind::Overlap, is_apart, span);
            return Ok(Some(self.void_value(span)));
        }
        if let ("nub_apart", [one, other]) = (name, args) {
            let (one, other) = (self.value(*one)?, self.value(*other)?);
            let is_apart = self.pointer_compare(CompareOp::Ne, one, other, span);
            self.check(CheckKind::Overlap, is_apart, span);
            return Ok(Some(self.void_value(span)));
        }
        if let ("nub_left_open", [what]) = (name, args) {
            let choice = match self.literal_text(*what).as_deref() {
                Some("locale") => OpenChoice::Locale,
                Some("equal elements") => OpenChoice::Equals(function),
                _ => OpenChoice::Result(function),
            };
            return Ok(Some(self.left_open(choice, span)));
        }
        if name == "nub_compared_more_often" {
            self.emit(InstrKind::LeftOpen { choice: OpenChoice::Equals(function), place: None }, span);
            return Ok(Some(self.void_value(span)));
        }
        let Some(suffix) = name.strip_prefix("nub_any_") else { return Ok(None) };
        let kind = match suffix {
            "size_t" => self.size_kind(),
            _ => suffix_kind(suffix).unwrap_or(IntKind::Int),
        };
        let ty = self.types().int(kind);
        let what = args.first().and_then(|arg| self.literal_text(*arg)).unwrap_or_default();
        let place = self.temporary(ty, span);
        let source = InputSource::Library(function, what);
        self.emit(InstrKind::Input { place: place.clone(), source }, span);
        let id = self.add(ExprKind::Load(place), ty, span);
        Ok(Some(RValue { id, ty, bits: None }))
    }
}
