//! Character constants and string literals: prefixes, escapes, joining.

use super::{Lexer, hex_value};
use crate::ast::{CharLit, Encoding, StringLit};
use crate::token::T;

impl Lexer<'_> {
    /// The cursor is on the quote, `start` on the prefix if there is one.
    pub(super) fn quoted(&mut self, start: usize) {
        let quote = self.text[self.at];
        let from = self.at + 1;
        let mut at = from;
        let is_closed = loop {
            match self.text.get(at) {
                Some(&byte) if byte == quote => break true,
                Some(b'\\') if at + 1 < self.text.len() && self.text[at + 1] != b'\n' => at += 2,
                Some(b'\n') | None => break false,
                Some(_) => at += 1,
            }
        };
        self.at = if is_closed { at + 1 } else { at };
        if !is_closed {
            let what = if quote == b'"' { "this string" } else { "this character constant" };
            return self.bad(start, format!("{what} is not closed on its line"), "add the closing quote");
        }
        if quote == b'"' {
            self.pieces.push((start, self.at));
        } else {
            self.character(start, from, at);
        }
    }

    fn character(&mut self, start: usize, from: usize, to: usize) {
        let encoding = encoding(&self.text[start..from - 1]);
        let end = self.at;
        let mut units = Vec::new();
        let is_good = self.decode(from, to, encoding, &mut units);
        self.at = end;
        let value = match encoding {
            Encoding::Plain => units.iter().fold(0u32, |value, unit| value << 8 | unit & 0xff),
            _ => units.last().copied().unwrap_or(0),
        };
        let n_chars = units.len() as u32;
        let span = self.spliced.span(start, end);
        if !is_good {
            return self.push(T::Bad, start, 0);
        }
        if n_chars == 0 {
            return self.bad(start, "a character constant needs a character", "write `'\\0'` for zero");
        }
        if n_chars > 1 {
            let hint = "its value depends on the compiler; the one used here is that of gcc and clang";
            self.warn(span, "this constant has more than one character", hint);
        }
        self.out.chars.push(CharLit { value, n_chars, encoding });
        self.push(T::Char, start, self.out.chars.len() as u32 - 1);
    }

    /// Joins the strings since the last other token into one token.
    pub(super) fn flush_strings(&mut self) {
        if self.pieces.is_empty() {
            return;
        }
        let pieces = std::mem::take(&mut self.pieces);
        let end = self.at;
        let span = self.spliced.span(pieces[0].0, pieces[pieces.len() - 1].1);
        let mut units = Vec::new();
        let mut common = Encoding::Plain;
        let mut is_good = true;
        for &(start, end) in &pieces {
            let own = encoding(self.prefix(start, end));
            if own != Encoding::Plain && common != Encoding::Plain && own != common {
                let place = self.spliced.span(start, end);
                self.error(
                    place,
                    "strings with different prefixes cannot be joined",
                    "use one prefix for all",
                );
                is_good = false;
            } else if own != Encoding::Plain {
                common = own;
            }
        }
        for &(start, end) in &pieces {
            let from = start + self.prefix(start, end).len() + 1;
            is_good &= self.decode(from, end - 1, common, &mut units);
        }
        self.at = end;
        self.pieces = pieces;
        self.pieces.clear();
        let kind = if is_good { T::String } else { T::Bad };
        let data = self.out.strings.len() as u32;
        self.out.strings.push(StringLit { span, encoding: common, units });
        self.out.tokens.push(crate::token::Token { kind, span, data });
    }

    /// What comes before the quote of a string piece.
    fn prefix(&self, start: usize, end: usize) -> &[u8] {
        let piece = &self.text[start..end];
        &piece[..memchr::memchr(b'"', piece).unwrap_or(0)]
    }

    /// Appends the characters of `from..to`. False if something was reported as an error. Moves the cursor.
    fn decode(&mut self, from: usize, to: usize, encoding: Encoding, units: &mut Vec<u32>) -> bool {
        let is_bytes = matches!(encoding, Encoding::Plain | Encoding::Utf8);
        self.at = from;
        while self.at < to {
            let start = self.at;
            match self.text[start] {
                b'\\' => match self.escape(encoding) {
                    Some(Escape::Unit(unit)) => units.push(unit),
                    Some(Escape::Char(c)) if is_bytes => {
                        units.extend(c.encode_utf8(&mut [0; 4]).bytes().map(u32::from));
                    }
                    Some(Escape::Char(c)) => units.push(c.into()),
                    None => return false,
                },
                byte if is_bytes || byte.is_ascii() => {
                    units.push(byte.into());
                    self.at += 1;
                }
                _ => {
                    let ahead = &self.text[start..to.min(start + 4)];
                    let Some(c) = ahead.utf8_chunks().next().and_then(|chunk| chunk.valid().chars().next())
                    else {
                        let span = self.spliced.span(start, start + 1);
                        self.error(span, "this byte of a wide literal is not UTF-8", "write it as `\\x..`");
                        return false;
                    };
                    units.push(c.into());
                    self.at += c.len_utf8();
                }
            }
        }
        true
    }

    /// The escape sequence at the cursor.
    fn escape(&mut self, encoding: Encoding) -> Option<Escape> {
        let start = self.at;
        let byte = self.peek(1);
        let simple = match byte {
            b'n' => 10,
            b't' => 9,
            b'r' => 13,
            b'a' => 7,
            b'b' => 8,
            b'f' => 12,
            b'v' => 11,
            b'e' | b'E' => 27,
            b'0'..=b'7' | b'x' => return self.numeric_escape(encoding),
            b'u' | b'U' => {
                let Some(c) = self.universal_character_name() else {
                    let span = self.spliced.span(start, start + 2);
                    self.error(
                        span,
                        "this universal character name is malformed",
                        "write `\\uXXXX` or `\\UXXXXXXXX`",
                    );
                    return None;
                };
                return Some(Escape::Char(c));
            }
            _ => {
                if !matches!(byte, b'\\' | b'\'' | b'"' | b'?') {
                    let span = self.spliced.span(start, start + 2);
                    self.warn(span, "unknown escape sequence", "the backslash is ignored, as compilers do");
                }
                byte.into()
            }
        };
        self.at += 2;
        Some(Escape::Unit(simple))
    }

    /// `\ooo` or `\xhh...`
    fn numeric_escape(&mut self, encoding: Encoding) -> Option<Escape> {
        let start = self.at;
        let is_hex = self.peek(1) == b'x';
        let from = if is_hex { start + 2 } else { start + 1 };
        let rest = &self.text[from..];
        let n_digits = if is_hex {
            rest.iter().take_while(|byte| byte.is_ascii_hexdigit()).count()
        } else {
            rest.iter().take(3).take_while(|byte| matches!(byte, b'0'..=b'7')).count()
        };
        let shift = if is_hex { 4 } else { 3 };
        let value = rest[..n_digits]
            .iter()
            .fold(0u64, |value, &digit| (value << shift | u64::from(hex_value(digit))) & 0xf_ffff_ffff);
        self.at = from + n_digits;
        let span = self.spliced.span(start, self.at);
        if n_digits == 0 {
            self.error(span, "`\\x` needs hexadecimal digits", "write `\\x00` for zero");
            return None;
        }
        let mask = match encoding {
            Encoding::Plain | Encoding::Utf8 => 0xff,
            Encoding::Utf16 => 0xffff,
            Encoding::Wide | Encoding::Utf32 => 0xffff_ffff,
        };
        if value > mask {
            self.warn(span, "this escape is out of range", "the high bits are dropped, as compilers do");
        }
        Some(Escape::Unit((value & mask) as u32))
    }
}

/// What an escape sequence stands for.
enum Escape {
    /// One element as it is.
    Unit(u32),
    /// A character, to be encoded.
    Char(char),
}

fn encoding(prefix: &[u8]) -> Encoding {
    match prefix {
        b"L" => Encoding::Wide,
        b"u8" => Encoding::Utf8,
        b"u" => Encoding::Utf16,
        b"U" => Encoding::Utf32,
        _ => Encoding::Plain,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lexer::lex;

    fn string(text: &str) -> (Encoding, Vec<u32>) {
        let lexed = lex(text.as_bytes());
        assert!(lexed.diagnostics.is_empty(), "{:?}", lexed.diagnostics);
        assert_eq!(lexed.tokens.len(), 2, "one token and the end");
        (lexed.strings[0].encoding, lexed.strings[0].units.clone())
    }

    fn character(text: &str) -> (u32, u32) {
        let lexed = lex(text.as_bytes());
        (lexed.chars[0].value, lexed.chars[0].n_chars)
    }

    #[test]
    fn strings_are_joined_under_the_common_prefix() {
        assert_eq!(string("\"a\" /* */ \"\\n\"\n\"\""), (Encoding::Plain, vec![97, 10]));
        assert_eq!(string("\"\u{e9}\""), (Encoding::Plain, vec![0xc3, 0xa9]));
        assert_eq!(string("\"\u{e9}\" L\"\\xff01\""), (Encoding::Wide, vec![0xe9, 0xff01]));
        assert_eq!(string("u8\"\\u00e9\""), (Encoding::Utf8, vec![0xc3, 0xa9]));
        assert_eq!(
            string("\"\\x41\" \"1\""),
            (Encoding::Plain, vec![0x41, 0x31]),
            "an escape ends with its piece"
        );
        assert_eq!(string("\"\\1234\\0\""), (Encoding::Plain, vec![0o123, u32::from(b'4'), 0]));
    }

    #[test]
    fn characters() {
        assert_eq!(character("'a'"), (97, 1));
        assert_eq!(character("'\\''"), (39, 1));
        assert_eq!(character("'\\xff'"), (255, 1));
        assert_eq!(character("'ab'"), (0x6162, 2));
        assert_eq!(character("L'\u{20ac}'"), (0x20ac, 1));
        assert_eq!(character("'\\?'"), (63, 1));
    }

    #[test]
    fn broken_literals_are_reported_once() {
        for text in ["'", "''", "\"a", "'a\nb'", "\"\\x\"", "\"\\u12\"", "L\"a\" u\"b\"", "\"\\", "'\\"] {
            let lexed = lex(text.as_bytes());
            assert!(!lexed.diagnostics.is_empty(), "{text}");
            assert!(lexed.tokens.iter().any(|token| token.kind == T::Bad), "{text}");
        }
    }
}
