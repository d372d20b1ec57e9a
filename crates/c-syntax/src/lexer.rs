//! Bytes into tokens.
//!
//! One pass over the text without splices. Directive lines become entries of the source map (`directives.rs`), numbers and quoted literals are
//! decoded at once (`numbers.rs`, `quoted.rs`), adjacent strings are joined. No byte is dropped silently: bytes that start no token are reported and
//! become [`T::Bad`].

mod directives;
mod numbers;
mod punctuation;
mod quoted;

use crate::ast::{CharLit, IntLit, StringLit};
use crate::names::Names;
use crate::source_map::SourceMap;
use crate::splice::Spliced;
use crate::token::{KEYWORDS, T, Token};
use nub_text::{Diagnostic, Span};

/// The output of the lexer.
#[derive(Default)]
pub(crate) struct Lexed {
    /// Ends with [`T::Eof`].
    pub(crate) tokens: Vec<Token>,
    pub(crate) names: Names,
    pub(crate) ints: Vec<IntLit>,
    pub(crate) chars: Vec<CharLit>,
    pub(crate) strings: Vec<StringLit>,
    /// Places of `#pragma` lines and `_Pragma` operators.
    pub(crate) pragmas: Vec<Span>,
    pub(crate) source_map: SourceMap,
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// How many of them are errors.
    n_errors: usize,
}

/// At most this many errors, and as many warnings, are kept; more would only repeat themselves.
const MAX_FINDINGS: usize = 50;

/// How many bytes of the text are a byte order mark, which editors on Windows write and compilers skip.
pub(crate) fn byte_order_mark(text: &[u8]) -> usize {
    const MARK: &[u8] = b"\xef\xbb\xbf";
    if text.starts_with(MARK) { MARK.len() } else { 0 }
}

pub(crate) fn lex(source: &[u8]) -> Lexed {
    let spliced = Spliced::new(source);
    let mut out = Lexed::default();
    out.tokens.reserve(source.len() / 6);
    for (spelling, _) in KEYWORDS {
        out.names.intern(spelling);
    }
    out.source_map.set_text(source);
    let at = byte_order_mark(&spliced.text);
    let mut lexer =
        Lexer { text: &spliced.text, at, spliced: &spliced, pieces: Vec::new(), is_fresh_line: true, out };
    lexer.run();
    lexer.out
}

struct Lexer<'a> {
    text: &'a [u8],
    at: usize,
    spliced: &'a Spliced<'a>,
    /// String literals seen since the last other token, to be joined.
    pieces: Vec<(usize, usize)>,
    /// Nothing but blanks and comments since the start of the line: `#` begins a directive.
    is_fresh_line: bool,
    out: Lexed,
}

impl Lexer<'_> {
    fn run(&mut self) {
        loop {
            self.skip_blanks();
            let Some(&byte) = self.text.get(self.at) else { break };
            match byte {
                b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'$' | b'\\' | 0x80.. => self.word(),
                b'0'..=b'9' => self.number(),
                b'.' if self.peek(1).is_ascii_digit() => self.number(),
                b'"' | b'\'' => self.quoted(self.at),
                b'#' if self.is_fresh_line => self.directive(),
                b'%' if self.peek(1) == b':' && self.is_fresh_line => {
                    self.at += 1;
                    self.directive();
                }
                _ => self.punctuation(),
            }
            self.is_fresh_line = false;
        }
        self.flush_strings();
        self.push(T::Eof, self.text.len(), 0);
    }

    /// The byte `ahead` of the current one, or zero.
    fn peek(&self, ahead: usize) -> u8 {
        self.text.get(self.at + ahead).copied().unwrap_or(0)
    }

    fn skip_blanks(&mut self) {
        loop {
            match self.peek(0) {
                b' ' | b'\t' | b'\r' | 0x0b | 0x0c => self.at += 1,
                b'\n' => {
                    self.at += 1;
                    self.is_fresh_line = true;
                }
                b'/' if self.peek(1) == b'/' => {
                    let rest = &self.text[self.at..];
                    self.at += memchr::memchr(b'\n', rest).unwrap_or(rest.len());
                }
                b'/' if self.peek(1) == b'*' => self.block_comment(),
                _ => return,
            }
        }
    }

    fn block_comment(&mut self) {
        let start = self.at;
        match memchr::memmem::find(&self.text[start + 2..], b"*/") {
            Some(length) => self.at = start + 2 + length + 2,
            None => {
                self.at = self.text.len();
                let span = self.spliced.span(start, start + 2);
                self.error(span, "this comment is never closed", "add `*/` where it ends");
            }
        }
    }

    /// An identifier, a keyword, or the prefix of a quoted literal.
    fn word(&mut self) {
        let start = self.at;
        let rest = &self.text[start..];
        let length = rest.iter().position(|&byte| !is_word_byte(byte)).unwrap_or(rest.len());
        self.at += length;
        match self.peek(0) {
            b'"' | b'\'' if matches!(&rest[..length], b"L" | b"u" | b"U" | b"u8") => {
                return self.quoted(start);
            }
            b'\\' => return self.word_with_ucn(start),
            _ => {}
        }
        self.push_word(start, &rest[..length]);
    }

    /// The word from `start`, with this spelling.
    fn push_word(&mut self, start: usize, spelling: &[u8]) {
        match std::str::from_utf8(spelling) {
            Ok(spelling) => {
                let name = self.out.names.intern(spelling).0;
                let kind = KEYWORDS.get(name as usize).map_or(T::Ident, |keyword| keyword.1);
                self.push(kind, start, name);
            }
            Err(_) => self.bad(
                start,
                "these bytes are not UTF-8",
                "C source outside strings and comments must be UTF-8",
            ),
        }
    }

    /// An identifier with universal character names, from `start`; the cursor is on the first backslash.
    fn word_with_ucn(&mut self, start: usize) {
        let mut spelling = self.text[start..self.at].to_vec();
        loop {
            match self.peek(0) {
                b'\\' => match self.universal_character_name() {
                    Some(c) => spelling.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
                    None => {
                        self.at += 1;
                        return self.bad(
                            start,
                            "stray `\\` in the program",
                            "only `\\uXXXX` and `\\UXXXXXXXX` may appear in a name",
                        );
                    }
                },
                byte if is_word_byte(byte) => {
                    spelling.push(byte);
                    self.at += 1;
                }
                _ => break,
            }
        }
        self.push_word(start, &spelling);
    }

    /// `\uXXXX` or `\UXXXXXXXX` at the cursor; passes over it. `None`, and no move, if it is not one.
    fn universal_character_name(&mut self) -> Option<char> {
        let n_digits = match self.peek(1) {
            b'u' => 4,
            b'U' => 8,
            _ => return None,
        };
        let digits = self.text.get(self.at + 2..self.at + 2 + n_digits)?;
        if !digits.iter().all(u8::is_ascii_hexdigit) {
            return None;
        }
        let value = digits.iter().fold(0u32, |value, &digit| value << 4 | hex_value(digit));
        let c = char::from_u32(value)?;
        self.at += 2 + n_digits;
        Some(c)
    }

    /// Adds the token from `start` to the cursor.
    fn push(&mut self, kind: T, start: usize, data: u32) {
        self.flush_strings();
        let span = self.spliced.span(start, self.at.max(start));
        self.out.tokens.push(Token { kind, span, data });
        if kind == T::RParen {
            self.take_pragma_operator();
        }
    }

    /// `_Pragma("...")` may appear between any two tokens: it is recorded and removed.
    fn take_pragma_operator(&mut self) {
        let tokens = &mut self.out.tokens;
        if let [.., first, open, string, close] = tokens[..]
            && (first.kind, open.kind, string.kind) == (T::Pragma, T::LParen, T::String)
        {
            self.out.pragmas.push(Span { start: first.span.start, end: close.span.end });
            tokens.truncate(tokens.len() - 4);
        }
    }

    /// Reports the bytes from `start` to the cursor and leaves a token that stops the parser there.
    fn bad(&mut self, start: usize, message: impl Into<String>, hint: &str) {
        let span = self.spliced.span(start, self.at);
        self.error(span, message, hint);
        self.push(T::Bad, start, 0);
    }

    fn error(&mut self, span: Span, message: impl Into<String>, hint: &str) {
        if self.out.n_errors < MAX_FINDINGS {
            self.out.n_errors += 1;
            self.out.diagnostics.push(Diagnostic::error(span, message).with_hint(hint));
        }
    }

    fn warn(&mut self, span: Span, message: impl Into<String>, hint: &str) {
        if self.out.diagnostics.len() - self.out.n_errors < MAX_FINDINGS {
            self.out.diagnostics.push(Diagnostic::warning(span, message).with_hint(hint));
        }
    }
}

/// Bytes of identifiers; those of UTF-8 sequences are checked later, `$` is a GNU extension.
fn is_word_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' || byte >= 0x80
}

/// Value of an ASCII hexadecimal digit.
fn hex_value(digit: u8) -> u32 {
    match digit {
        b'0'..=b'9' => (digit - b'0').into(),
        b'a'..=b'f' => (digit - b'a' + 10).into(),
        _ => (digit.wrapping_sub(b'A') + 10).into(),
    }
}
