//! Tokens into the tree.
//!
//! Expressions and statements are parsed with explicit stacks, so their nesting is limited by memory alone
//! (`expr.rs`, `stmt.rs`). Constructs that contain each other across kinds (a struct in a struct, a parameter list in a
//! parameter list, a statement in an expression, an expression in a type) recurse, at most [`MAX_DEPTH`] deep.
//!
//! After an error the parser continues at the next item of file scope, so that the first few errors are shown together; what was read of the broken
//! item is dropped.

mod attributes;
mod declarations;
mod declarator;
mod expr;
mod functions;
mod initializer;
mod operators;
mod primary;
mod records;
mod scopes;
mod specifiers;
mod stmt;

use crate::TranslationUnit;
use crate::ast::*;
use crate::lexer::{Lexed, lex};
use crate::token::{T, Token};
use nub_text::{Diagnostic, MAX_INPUT, Severity, Span};
use scopes::{NameKind, Scopes};

/// How deep types, parameter lists, struct bodies and statement expressions may nest. C17 5.2.4.1 requires 63; a program that needs more than this
/// was not written by hand.
pub const MAX_DEPTH: usize = 256;
/// After this many errors the parser stops.
pub const MAX_ERRORS: usize = 5;
/// At most this many warnings are kept.
const MAX_WARNINGS: usize = 100;

/// Type names that need no declaration: those of CBMC.
pub const KNOWN_TYPES: [&str; 3] = ["__CPROVER_size_t", "__CPROVER_ssize_t", "__CPROVER_bool"];

/// Parses preprocessed C text. Any bytes are taken; time and memory are linear in their number.
///
/// If a diagnostic is an error, the unit holds the items that were read without one, and should only be used to show positions.
pub fn parse(bytes: &[u8]) -> (TranslationUnit, Vec<Diagnostic>) {
    if bytes.len() > MAX_INPUT {
        let error = Diagnostic::error(Span::default(), "the file is too large: the limit is 4 GiB")
            .with_hint("split the file");
        return (TranslationUnit::new(Vec::new()), vec![error]);
    }
    let mut lexed = lex(bytes);
    let mut unit = TranslationUnit::new(bytes.to_vec());
    unit.names = std::mem::take(&mut lexed.names);
    unit.source_map = std::mem::take(&mut lexed.source_map);
    unit.pragmas = std::mem::take(&mut lexed.pragmas);
    let diagnostics = std::mem::take(&mut lexed.diagnostics);
    let mut scopes = Scopes::new(unit.names.len());
    for name in KNOWN_TYPES.iter().filter_map(|name| unit.names.find(name)) {
        scopes.declare(name, NameKind::Typedef);
    }
    let mut parser = Parser {
        lexed: &lexed,
        at: 0,
        unit,
        scopes,
        depth: 0,
        expr_frames: Vec::new(),
        stmt_frames: Vec::new(),
        n_errors: 0,
        diagnostics,
    };
    parser.translation_unit();
    let Parser { unit, mut diagnostics, .. } = parser;
    diagnostics.sort_by_key(|diagnostic| diagnostic.span);
    (unit, diagnostics)
}

/// Parsing of the current item cannot continue; the reason has been reported.
struct Failed;

/// What parsing something gives.
type Parse<N> = Result<N, Failed>;

struct Parser<'a> {
    lexed: &'a Lexed,
    /// Index of the current token. The last token is [`T::Eof`] and is never passed.
    at: usize,
    unit: TranslationUnit,
    scopes: Scopes,
    depth: usize,
    /// Shared by all nested calls; each uses the part above the length it found.
    expr_frames: Vec<expr::Frame>,
    stmt_frames: Vec<stmt::Frame>,
    n_errors: usize,
    diagnostics: Vec<Diagnostic>,
}

impl Parser<'_> {
    fn translation_unit(&mut self) {
        while self.kind() != T::Eof && self.n_errors < MAX_ERRORS {
            let start = self.at;
            if self.item().is_err() {
                self.recover(start);
            }
        }
    }

    /// Discards the state of a broken item and looks for the next one: after a `;` or `}` outside of all braces,
    /// counted from the start of the broken item.
    fn recover(&mut self, start: usize) {
        self.depth = 0;
        self.expr_frames.clear();
        self.stmt_frames.clear();
        self.scopes.back_to_file_scope();
        let failed_at = self.at;
        self.at = start;
        let mut n_open = 0usize;
        loop {
            match self.kind() {
                T::Eof => return,
                T::LBrace => n_open += 1,
                T::RBrace => n_open = n_open.saturating_sub(1),
                _ => {}
            }
            let is_end = matches!(self.kind(), T::Semi | T::RBrace) && n_open == 0;
            self.at += 1;
            if is_end && self.at > failed_at {
                return;
            }
        }
    }

    // The cursor.

    fn token(&self) -> Token {
        self.lexed.tokens[self.at]
    }

    fn kind(&self) -> T {
        self.lexed.tokens[self.at].kind
    }

    /// The token `ahead` of the current one; past the end, the last one.
    fn ahead(&self, ahead: usize) -> Token {
        let tokens = &self.lexed.tokens;
        tokens[(self.at + ahead).min(tokens.len() - 1)]
    }

    /// First byte of the current token.
    fn start(&self) -> u32 {
        self.token().span.start
    }

    /// One past the last byte of the token before the current one.
    fn end(&self) -> u32 {
        self.at.checked_sub(1).map_or(0, |at| self.lexed.tokens[at].span.end)
    }

    /// From `start` to the end of the last token passed; empty if none was.
    fn span_from(&self, start: u32) -> Span {
        Span { start, end: self.end().max(start) }
    }

    /// Passes over the current token.
    fn bump(&mut self) -> Token {
        let token = self.token();
        if token.kind != T::Eof {
            self.at += 1;
        }
        token
    }

    /// Passes over the current token if it is a `kind`.
    fn eat(&mut self, kind: T) -> bool {
        let is_there = self.kind() == kind;
        if is_there {
            self.at += 1;
        }
        is_there
    }

    /// Passes over a `kind`, or fails: `what` names it.
    fn expect(&mut self, kind: T, what: &str) -> Parse<Token> {
        if self.kind() != kind {
            return self.fail_expected(what);
        }
        Ok(self.bump())
    }

    /// An identifier, in a place where typedef names are identifiers too.
    fn ident(&mut self, what: &str) -> Parse<Ident> {
        let token = self.expect(T::Ident, what)?;
        Ok(Ident { name: Name(token.data), span: token.span })
    }

    // Depth and findings.

    /// One level of recursion further; [`Parser::leave`] undoes it. After an error it need not be undone.
    fn enter(&mut self) -> Parse<()> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            let message =
                format!("nested too deeply: more than {MAX_DEPTH} levels of types and statement expressions");
            return self.fail(self.token().span, message, "name the inner parts by typedefs or variables");
        }
        Ok(())
    }

    fn leave(&mut self) {
        self.depth -= 1;
    }

    fn fail<N>(&mut self, span: Span, message: impl Into<String>, hint: &str) -> Parse<N> {
        self.n_errors += 1;
        self.diagnostics.push(Diagnostic::error(span, message).with_hint(hint));
        Err(Failed)
    }

    /// Fails at the current token.
    fn fail_expected<N>(&mut self, what: &str) -> Parse<N> {
        let token = self.token();
        if token.kind == T::Bad {
            self.n_errors += 1;
            return Err(Failed); // The lexer has reported why.
        }
        // `word other` at the start of a statement was meant as a declaration.
        if let Some([before, first]) =
            self.at.checked_sub(2).and_then(|at| self.lexed.tokens[at..].first_chunk())
            && matches!(before.kind, T::Semi | T::LBrace | T::RBrace | T::Colon)
            && (first.kind, token.kind) == (T::Ident, T::Ident)
        {
            return self.fail_unknown_type(*first);
        }
        let message = format!("expected {what}, found {}", self.shown(token));
        let hint = match token.kind {
            T::Eof => "is a brace, a parenthesis or a semicolon missing?",
            _ => "the text must be C17 with GNU extensions, after preprocessing",
        };
        self.fail(token.span, message, hint)
    }

    fn fail_unknown_type<N>(&mut self, token: Token) -> Parse<N> {
        let message = format!("unknown type name {}", self.shown(token));
        self.fail(token.span, message, "is a header missing, or is it from C23? try `cc -std=gnu17 -E`")
    }

    fn warn(&mut self, span: Span, message: impl Into<String>, hint: &str) {
        let n_warnings = self.diagnostics.iter().filter(|it| it.severity == Severity::Warning).count();
        if n_warnings < MAX_WARNINGS {
            self.diagnostics.push(Diagnostic::warning(span, message).with_hint(hint));
        }
    }

    /// A token in a message.
    fn shown(&self, token: Token) -> String {
        const MAX_BYTES: usize = 40;
        if token.kind == T::Eof {
            return "the end of the text".into();
        }
        let text = self.unit.text(token.span);
        let cut = &text[..text.len().min(MAX_BYTES)];
        let dots = if cut.len() < text.len() { "..." } else { "" };
        format!("`{}{dots}`", String::from_utf8_lossy(cut))
    }
}
