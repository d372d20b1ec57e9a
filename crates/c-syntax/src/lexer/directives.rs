//! Lines that begin with `#`: line markers, pragmas, and directives that should have been preprocessed.
//!
//! `# 12 "file.c" 2` and `#line 12 "file.c"` say where the next line comes from.

use super::Lexer;

impl Lexer<'_> {
    /// The cursor is on `#` (or the `:` of its digraph), which is first on its line.
    pub(super) fn directive(&mut self) {
        let start = self.at;
        let rest = &self.text[start..];
        let end = start + memchr::memchr(b'\n', rest).unwrap_or(rest.len());
        self.at = end;
        let line = self.text[start + 1..end].trim_ascii();
        let word_end = line.iter().position(|byte| !byte.is_ascii_alphanumeric()).unwrap_or(line.len());
        let (word, after) = line.split_at(word_end);
        match word {
            b"" if line.is_empty() => {}
            b"line" => self.marker(start, end, after.trim_ascii()),
            [b'0'..=b'9', ..] => self.marker(start, end, line),
            b"pragma" => {
                let span = self.spliced.span(start, end);
                self.out.pragmas.push(span);
            }
            b"ident" | b"sccs" => {}
            _ => {
                let shown = String::from_utf8_lossy(&word[..word.len().min(20)]).into_owned();
                let message = format!("`#{shown}` has not been preprocessed");
                let span = self.spliced.span(start, end);
                self.error(span, message, "run the file through `cc -E` first");
            }
        }
    }

    /// `12 "file.c" flags`
    fn marker(&mut self, start: usize, end: usize, line: &[u8]) {
        let n_digits = line.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let digits = std::str::from_utf8(&line[..n_digits]).unwrap_or_default();
        let Ok(number) = digits.parse::<u32>() else {
            let span = self.spliced.span(start, end);
            return self.error(
                span,
                "this line marker has no line number",
                "it should read `# 12 \"file.c\"`",
            );
        };
        let rest = line[n_digits..].trim_ascii_start();
        let file = rest.strip_prefix(b"\"").map(file_name);
        let next_line = self.spliced.original((end + 1).min(self.text.len()));
        self.out.source_map.add(next_line, number, file.as_deref());
    }
}

/// The file name after the opening quote: `\\`, `\"` and octal escapes are undone.
fn file_name(quoted: &[u8]) -> String {
    let mut name = Vec::new();
    let mut at = 0;
    while at < quoted.len() && quoted[at] != b'"' {
        let digits = &quoted[at + 1..];
        let n_octal = digits.iter().take(3).take_while(|byte| matches!(byte, b'0'..=b'7')).count();
        match quoted[at] {
            b'\\' if n_octal > 0 => {
                let value =
                    digits[..n_octal].iter().fold(0u32, |value, digit| value * 8 + u32::from(digit - b'0'));
                name.push(value as u8);
                at += 1 + n_octal;
            }
            b'\\' if !digits.is_empty() => {
                name.push(digits[0]);
                at += 2;
            }
            byte => {
                name.push(byte);
                at += 1;
            }
        }
    }
    String::from_utf8_lossy(&name).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lexer::lex;

    #[test]
    fn markers_name_file_and_line() {
        let text = b"a\n# 12 \"x y.c\" 1 3\nb\n  c\n#line 40\nd\n# 1 \"z.h\"\ne";
        let lexed = lex(text);
        assert!(lexed.diagnostics.is_empty());
        let places: Vec<String> = lexed.tokens[..5]
            .iter()
            .map(|token| {
                let place = lexed.source_map.place(token.span.start);
                format!("{}:{}:{}", place.file, place.line, place.column)
            })
            .collect();
        assert_eq!(places, [":1:1", "x y.c:12:1", "x y.c:13:3", "x y.c:40:1", "z.h:1:1"]);
        assert_eq!(lexed.source_map.files().collect::<Vec<_>>(), ["x y.c", "z.h"]);
    }

    #[test]
    fn a_splice_before_a_marker_does_not_shift_it() {
        let text = b"\"a\\\nb\"\n# 7 \"f\"\nx";
        let lexed = lex(text);
        let place = lexed.source_map.place(lexed.tokens[1].span.start);
        assert_eq!((place.file, place.line, place.column), ("f", 7, 1));
    }

    #[test]
    fn names_are_unescaped() {
        assert_eq!(file_name(br#"a\\b\"c\303\251" 2"#), "a\\b\"c\u{e9}");
    }

    #[test]
    fn what_is_not_preprocessed_is_refused() {
        let lexed = lex(b"#include <stdio.h>\n#pragma once\nint x;");
        assert_eq!(lexed.diagnostics[0].message, "`#include` has not been preprocessed");
        assert_eq!((lexed.diagnostics.len(), lexed.pragmas.len()), (1, 1));
    }
}
