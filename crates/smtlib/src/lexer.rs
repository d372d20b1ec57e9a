//! Bytes to tokens: a table of byte classes and a hand-written scanner.
//!
//! One pass, no allocation. White space is what the standard lists plus the
//! other ASCII controls (solvers accept form feeds); everything that is not a
//! delimiter is part of an atom, so no byte is ever rejected.

use crate::NodeKind;

/// What a byte can start.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Space,
    Open,
    Close,
    Comment,
    Bar,
    Quote,
    Atom,
}

static CLASS: [Class; 256] = {
    let mut table = [Class::Atom; 256];
    let mut byte = 0;
    while byte <= b' ' as usize {
        table[byte] = Class::Space;
        byte += 1;
    }
    table[b'(' as usize] = Class::Open;
    table[b')' as usize] = Class::Close;
    table[b';' as usize] = Class::Comment;
    table[b'|' as usize] = Class::Bar;
    table[b'"' as usize] = Class::Quote;
    table
};

/// A token that the tree needs.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Token {
    Open,
    Close,
    Atom(NodeKind),
    /// A string or quoted symbol without its closing mark: extends to the end of the input.
    Unterminated(NodeKind),
}

/// A cursor over the bytes; yields tokens with their ends.
pub(crate) struct Lexer<'a> {
    text: &'a [u8],
    at: usize,
}

impl<'a> Lexer<'a> {
    pub(crate) fn new(text: &'a [u8]) -> Lexer<'a> {
        Lexer { text, at: 0 }
    }

    /// The next token as `(token, start, end)`, or `None` at the end. Skips white space and comments.
    #[inline]
    pub(crate) fn next(&mut self) -> Option<(Token, usize, usize)> {
        loop {
            let start = self.at;
            let &byte = self.text.get(start)?;
            match CLASS[byte as usize] {
                Class::Space => self.at += 1,
                Class::Comment => {
                    let rest = &self.text[start..];
                    self.at = memchr::memchr(b'\n', rest).map_or(self.text.len(), |n| start + n + 1);
                }
                Class::Open => return Some(self.one_byte(Token::Open)),
                Class::Close => return Some(self.one_byte(Token::Close)),
                Class::Bar => return Some(self.delimited(b'|', NodeKind::Quoted)),
                Class::Quote => return Some(self.delimited(b'"', NodeKind::String)),
                Class::Atom => return Some(self.atom()),
            }
        }
    }

    fn one_byte(&mut self, token: Token) -> (Token, usize, usize) {
        self.at += 1;
        (token, self.at - 1, self.at)
    }

    fn atom(&mut self) -> (Token, usize, usize) {
        let start = self.at;
        let mut end = start + 1;
        while end < self.text.len() && CLASS[self.text[end] as usize] == Class::Atom {
            end += 1;
        }
        self.at = end;
        (Token::Atom(atom_kind(&self.text[start..end])), start, end)
    }

    /// From one mark to the next; in strings, two marks in a row are one character (2.6, §3.1).
    fn delimited(&mut self, mark: u8, kind: NodeKind) -> (Token, usize, usize) {
        let start = self.at;
        let mut end = start + 1;
        loop {
            match memchr::memchr(mark, &self.text[end..]) {
                None => {
                    self.at = self.text.len();
                    return (Token::Unterminated(kind), start, self.at);
                }
                Some(n) if mark == b'"' && self.text.get(end + n + 1) == Some(&b'"') => end += n + 2,
                Some(n) => {
                    self.at = end + n + 1;
                    return (Token::Atom(kind), start, self.at);
                }
            }
        }
    }
}

/// The kind of an atom, by its first bytes. Malformed numbers count as symbols: whether they are legal is up to the solvers.
#[inline]
fn atom_kind(bytes: &[u8]) -> NodeKind {
    match bytes[0] {
        b'0'..=b'9' => number_kind(bytes),
        b':' if bytes.len() > 1 => NodeKind::Keyword,
        b'#' => match bytes.get(1) {
            Some(b'x') if bytes.len() > 2 && bytes[2..].iter().all(u8::is_ascii_hexdigit) => NodeKind::Hex,
            Some(b'b') if bytes.len() > 2 && bytes[2..].iter().all(|b| matches!(b, b'0' | b'1')) => {
                NodeKind::Binary
            }
            _ => NodeKind::Symbol,
        },
        _ => NodeKind::Symbol,
    }
}

fn number_kind(bytes: &[u8]) -> NodeKind {
    let digits = bytes.iter().take_while(|b| b.is_ascii_digit()).count();
    if digits == bytes.len() {
        return NodeKind::Numeral;
    }
    let fraction = &bytes[digits + 1..];
    if bytes[digits] == b'.' && !fraction.is_empty() && fraction.iter().all(u8::is_ascii_digit) {
        return NodeKind::Decimal;
    }
    NodeKind::Symbol
}
