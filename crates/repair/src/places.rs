//! Where an edit is in the user's file, as opposed to the preprocessed text that was read.
//!
//! ```c
//! if (speed  > LIMIT)     the file
//! if (speed > 9)          preprocessed: `speed > 9` is not in the file, `speed` is
//! ```
//!
//! The preprocessor keeps lines and moves columns, so the tokens of both lines are matched. What a macro expanded to has no position of its own.

use super::macros::Macros;
use nub_c_ir::ProgramSource;
use nub_c_syntax::{SourceMap, raw_tokens as tokens};
use nub_report::ranking::EditPlace;
use nub_text::Span;
use std::ops::Range;

/// Lines with more tokens are not matched.
const MAX_TOKENS: usize = 500;

/// From the preprocessed text to the files it was made from.
pub(super) struct Places<'a> {
    pub macros: &'a Macros<'a>,
    source: ProgramSource<'a>,
    map: &'a SourceMap,
}

impl<'a> Places<'a> {
    pub fn new(source: ProgramSource<'a>, map: &'a SourceMap, macros: &'a Macros<'a>) -> Places<'a> {
        Places { macros, source, map }
    }

    /// The position of an expression; `None` if some of it comes from a macro, or the file cannot be read. O(line length squared).
    pub fn of(&self, span: Span) -> Option<EditPlace> {
        let text = self.source.text;
        if span.is_empty() {
            // Something is inserted before a token.
            let length = tokens(text.get(span.start as usize..)?).first()?.len() as u32;
            let token = self.of(Span { start: span.start, end: span.start + length })?;
            return Some(EditPlace { end_line: token.line, end_column: token.column, ..token });
        }
        let last = Span { start: span.end.checked_sub(1)?, ..span };
        let (first, last) = (self.map.place(span.start), self.map.place(last.start));
        let place = |start: (u32, u32), end: (u32, u32), file: &str| EditPlace {
            file: file.to_owned(),
            line: start.0,
            column: start.1,
            end_line: end.0,
            end_column: end.1,
        };
        if first.file.is_empty() {
            // It was not preprocessed.
            let (start, end) = ((first.line, first.column), (last.line, last.column + 1));
            return Some(place(start, end, self.source.file));
        }
        let lines = self.macros.lines(first.file).filter(|_| first.file == last.file)?;
        let line = |number: u32| lines.get((number as usize).checked_sub(1)?).copied();
        let start = matched(own_line(text, span.start), line(first.line)?, |token| {
            token.start + 1 == first.column as usize
        })?;
        let end = matched(own_line(text, span.end - 1), line(last.line)?, |token| {
            token.end == last.column as usize
        })?;
        let (start, end) = ((first.line, start.start as u32 + 1), (last.line, end.end as u32 + 1));
        let found = place(start, end, first.file);
        let is_same = words(&between(lines, &found)?) == words(text.get(span.range())?);
        is_same.then_some(found)
    }
}

/// The text of a file from one place to another.
fn between(lines: &[&[u8]], place: &EditPlace) -> Option<Vec<u8>> {
    let mut found = Vec::new();
    for number in place.line..=place.end_line {
        let line = lines.get((number as usize).checked_sub(1)?)?;
        let from = if number == place.line { place.column as usize - 1 } else { 0 };
        let to = if number == place.end_line { place.end_column as usize - 1 } else { line.len() };
        found.extend_from_slice(line.get(from..to)?);
        found.push(b'\n');
    }
    Some(found)
}

/// The line of the preprocessed text that an offset is in.
fn own_line(text: &[u8], offset: u32) -> &[u8] {
    let offset = (offset as usize).min(text.len());
    let start = text[..offset].iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    let end = text[offset..].iter().position(|byte| *byte == b'\n').map_or(text.len(), |at| offset + at);
    &text[start..end]
}

/// The token of `old` that corresponds to the wanted token of `new`: determined by a longest common subsequence.
fn matched(new: &[u8], old: &[u8], is_meant: impl Fn(&Range<usize>) -> bool) -> Option<Range<usize>> {
    let (new_tokens, old_tokens) = (tokens(new), tokens(old));
    let meant = new_tokens.iter().position(is_meant)?;
    let (n, m) = (new_tokens.len(), old_tokens.len());
    if n > MAX_TOKENS || m > MAX_TOKENS {
        return None;
    }
    let is_same = |a: usize, b: usize| new[new_tokens[a].clone()] == old[old_tokens[b].clone()];
    // The longest from token `a` of one and `b` of the other on.
    let mut longest = vec![vec![0_u16; m + 1]; n + 1];
    for a in (0..n).rev() {
        for b in (0..m).rev() {
            longest[a][b] = if is_same(a, b) {
                longest[a + 1][b + 1] + 1
            } else {
                longest[a + 1][b].max(longest[a][b + 1])
            };
        }
    }
    let (mut a, mut b) = (0, 0);
    while a < n && b < m {
        if is_same(a, b) {
            if a == meant {
                return Some(old_tokens[b].clone());
            }
            (a, b) = (a + 1, b + 1);
        } else if longest[a + 1][b] >= longest[a][b + 1] {
            a += 1;
        } else {
            b += 1;
        }
    }
    None
}

fn words(text: &[u8]) -> Vec<&[u8]> {
    tokens(text).into_iter().map(|token| &text[token]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The place of the `count`th occurrence of `word` in the second line of a preprocessed text, as text of the original line.
    fn found(original: &str, new: &str, word: &str, count: usize) -> Option<String> {
        let text = format!("# 1 \"a.c\"\n{new}\n");
        let (unit, _) = nub_c_syntax::parse(text.as_bytes());
        let (program, _) = nub_c_ir::lower(&unit, &nub_c_ir::DataModel::lp64());
        let source = ProgramSource { program: &program, text: text.as_bytes(), file: "a.i" };
        let files = [("a.c", original.as_bytes())];
        let macros = Macros::new(&files);
        let start = text.match_indices(word).nth(count)?.0;
        let span = Span { start: start as u32, end: (start + word.len()) as u32 };
        let place = Places::new(source, &unit.source_map, &macros).of(span)?;
        let lines: Vec<&[u8]> = original.split('\n').map(str::as_bytes).collect();
        let text = between(&lines, &place)?;
        Some(format!("{}:{}", place.column, String::from_utf8_lossy(&text).trim_end()))
    }

    #[test]
    fn columns_are_those_of_the_file() {
        let original = "int f(int x) { /* x > 4 */ return x   > LIMIT || 4 < x; }";
        let new = "int f(int x) { return x > 4 || 4 < x; }";
        assert_eq!(found(original, new, "x", 1).as_deref(), Some("35:x"));
        assert_eq!(found(original, new, "4", 1).as_deref(), Some("50:4"));
        assert_eq!(found(original, new, "4 < x", 0).as_deref(), Some("50:4 < x"));
        assert_eq!(found(original, new, "4", 0), None, "it is LIMIT in the file");
        assert_eq!(found(original, new, "x > 4", 0), None, "so is a part of this");
    }

    #[test]
    fn an_expression_of_two_lines() {
        let (original, new) =
            ("int f(int x) { return x >  1 &&\n  x < 9; }", "int f(int x) { return x > 1 &&\n x < 9; }");
        assert_eq!(found(original, new, "x > 1 &&\n x < 9", 0).as_deref(), Some("23:x >  1 &&\n  x < 9"));
    }

    #[test]
    fn any_bytes_are_tokens() {
        for text in ["'", "\"\\", "/*", "/", "#", "'a", "\u{e9}x #", "// x", "\"a\\\"b\" c"] {
            let list = tokens(text.as_bytes());
            assert!(list.windows(2).all(|pair| pair[0].end <= pair[1].start));
            assert!(list.iter().all(|token| token.end <= text.len() && !token.is_empty()), "{text}");
        }
        assert_eq!(words(b"a /* b */ 'c d' // e"), [&b"a"[..], &b"'c d'"[..]]);
    }
}
