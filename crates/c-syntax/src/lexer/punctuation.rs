//! Operators, brackets, digraphs: the longest spelling wins.

use super::Lexer;
use crate::token::T;

impl Lexer<'_> {
    pub(super) fn punctuation(&mut self) {
        let start = self.at;
        let (kind, length) = match self.text[start] {
            b'(' => (T::LParen, 1),
            b')' => (T::RParen, 1),
            b'[' => (T::LBracket, 1),
            b']' => (T::RBracket, 1),
            b'{' => (T::LBrace, 1),
            b'}' => (T::RBrace, 1),
            b';' => (T::Semi, 1),
            b',' => (T::Comma, 1),
            b'?' => (T::Question, 1),
            b'~' => (T::Tilde, 1),
            b':' => self.longest(T::Colon, &[(b">", T::RBracket)]),
            b'.' => self.longest(T::Dot, &[(b"..", T::Ellipsis)]),
            b'+' => self.longest(T::Plus, &[(b"+", T::PlusPlus), (b"=", T::AddAssign)]),
            b'-' => self.longest(T::Minus, &[(b">", T::Arrow), (b"-", T::MinusMinus), (b"=", T::SubAssign)]),
            b'*' => self.longest(T::Star, &[(b"=", T::MulAssign)]),
            b'/' => self.longest(T::Slash, &[(b"=", T::DivAssign)]),
            b'%' => self.longest(T::Percent, &[(b"=", T::RemAssign), (b">", T::RBrace)]),
            b'&' => self.longest(T::Amp, &[(b"&", T::AmpAmp), (b"=", T::AndAssign)]),
            b'|' => self.longest(T::Pipe, &[(b"|", T::PipePipe), (b"=", T::OrAssign)]),
            b'^' => self.longest(T::Caret, &[(b"=", T::XorAssign)]),
            b'!' => self.longest(T::Bang, &[(b"=", T::NotEq)]),
            b'=' => self.longest(T::Assign, &[(b"=", T::EqEq)]),
            b'<' => self.longest(
                T::Lt,
                &[
                    (b"<=", T::ShlAssign),
                    (b"<", T::Shl),
                    (b"=", T::Le),
                    (b":", T::LBracket),
                    (b"%", T::LBrace),
                ],
            ),
            b'>' => self.longest(T::Gt, &[(b">=", T::ShrAssign), (b">", T::Shr), (b"=", T::Ge)]),
            byte => return self.stray(byte),
        };
        self.at += length;
        self.push(kind, start, 0);
    }

    /// The first of `longer` whose text follows the current byte, with its length; `short` of length 1 otherwise.
    fn longest(&self, short: T, longer: &[(&[u8], T)]) -> (T, usize) {
        let rest = &self.text[self.at + 1..];
        let found = longer.iter().find(|(text, _)| rest.starts_with(text));
        found.map_or((short, 1), |(text, kind)| (*kind, text.len() + 1))
    }

    fn stray(&mut self, byte: u8) {
        let start = self.at;
        self.at += 1;
        let shown = if byte.is_ascii_graphic() {
            format!("`{}`", byte as char)
        } else {
            format!("byte 0x{byte:02x}")
        };
        let hint = match byte {
            b'#' => "`#` may only start a line in preprocessed text: run the file through `cc -E`",
            _ => "no token of C starts with it",
        };
        self.bad(start, format!("stray {shown} in the program"), hint);
    }
}
