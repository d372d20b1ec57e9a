//! Constants and string literals.

use nub_text::Span;

/// An integer constant. Its type follows from base, suffix and data model (C17 6.4.4.1); the caller computes it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct IntLit {
    /// The value. Constants above 2^64 - 1 are refused by the lexer.
    pub value: u64,
    /// How it is written: decides whether an unsigned type may be chosen without a suffix.
    pub base: IntBase,
    /// Whether there is a `u`.
    pub is_unsigned: bool,
    /// Zero, one or two `l`.
    pub length: LengthSuffix,
}

/// Base of an integer constant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum IntBase {
    Decimal,
    Octal,
    Hexadecimal,
    /// GNU and C23 `0b101`
    Binary,
}

/// The `l` part of a suffix.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum LengthSuffix {
    None,
    Long,
    LongLong,
}

/// A floating constant. Its text is kept, its value is not computed here.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FloatLit {
    /// The whole constant, suffix included.
    pub span: Span,
    /// Digits and exponent, without the suffix.
    pub digits: Span,
}

/// What comes before the quote.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Encoding {
    /// Nothing: `char`, UTF-8.
    Plain,
    /// `L`: `wchar_t`
    Wide,
    /// `u8`
    Utf8,
    /// `u`: `char16_t`
    Utf16,
    /// `U`: `char32_t`
    Utf32,
}

/// A character constant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CharLit {
    /// Plain: the bytes, most significant first, as gcc and clang join `'ab'`; only the last four matter. A single byte is not sign extended yet:
    /// `'\xff'` is 255 here, and -1 where `char` is signed. Otherwise a code point or the value of the escape.
    pub value: u32,
    /// Characters (bytes if plain) between the quotes. More than one is implementation-defined.
    pub n_chars: u32,
    /// The prefix.
    pub encoding: Encoding,
}

/// A string literal, adjacent ones joined.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StringLit {
    /// From the first quote or prefix to the last quote.
    pub span: Span,
    /// The common prefix.
    pub encoding: Encoding,
    /// Without the closing zero. Plain and `u8`: bytes. Otherwise one entry per character: a code point, or the value
    /// of an octal or hexadecimal escape; code points above the range of the target's character need surrogates.
    pub units: Vec<u32>,
}
