//! What the user wrote where the preprocessor substituted something else.
//!
//! ```c
//! if (isdigit(c) && n < LIMIT)                                          the file
//! if (((*__ctype_b_loc ())[(int) ((c))] & 2048) && n < 99)              preprocessed
//! ```
//!
//! The preprocessor keeps lines, so the tokens of a line of the file are aligned with those of its preprocessed text: a token is the same in both, or
//! it belongs to a macro call in the file and to its expansion in the preprocessed text. The name of a macro does not appear in the preprocessed
//! text. The alignment with the fewest tokens in macros is chosen. If there is none, nothing is quoted.

use crate::raw_tokens::raw_tokens;
use crate::source_map::SourceMap;
use nub_text::Span;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// Lines with more tokens are not aligned.
const MAX_TOKENS: usize = 1500;
/// The arguments of a macro may continue over at most this many lines.
const MAX_MORE_LINES: u32 = 4;
/// The cost of an alignment that does not exist.
const NONE: u32 = u32::MAX;
/// The cost of a token of the file that belongs to a macro. A macro costs 1 more, so two names are preferred to a call around them.
const TOKEN: u32 = 16;

/// Files before they were preprocessed.
#[derive(Debug)]
pub struct WrittenSource {
    map: SourceMap,
    files: BTreeMap<String, Vec<u8>>,
    /// Macros that the files and their headers define, each with the first text after its name.
    macros: BTreeMap<String, String>,
}

/// A part of an alignment: tokens of the file, and of the preprocessed text.
struct Expansion {
    file: Range<usize>,
    text: Range<usize>,
}

/// The names in directives of this kind, and what follows them in the line.
fn names_after<'t>(text: &'t [u8], directive: &'static [u8]) -> impl Iterator<Item = (String, String)> + 't {
    let lines = text.split(|byte| *byte == b'\n');
    let directives = lines.filter_map(|line| line.trim_ascii_start().strip_prefix(b"#"));
    let names = directives.filter_map(move |rest| rest.trim_ascii_start().strip_prefix(directive));
    names.map(|rest| {
        let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
        let rest = rest.trim_ascii_start();
        let (name, rest) = rest.split_at(rest.iter().position(|byte| !is_name(byte)).unwrap_or(rest.len()));
        let lossy = |bytes| String::from_utf8_lossy(bytes).into_owned();
        (lossy(name), lossy(rest.trim_ascii()))
    })
}

impl WrittenSource {
    /// With those of the files in `map` that are available, and their headers. O(n).
    pub fn new(map: SourceMap, files: BTreeMap<String, Vec<u8>>, headers: &[Vec<u8>]) -> WrittenSource {
        let mut macros = BTreeMap::new();
        for (name, value) in files.values().chain(headers).flat_map(|text| names_after(text, b"define")) {
            macros.entry(name).or_insert(value);
        }
        WrittenSource { map, files, macros }
    }

    /// Whether a file or a header defines a macro of this name.
    pub fn defines(&self, name: &str) -> bool {
        self.macros.contains_key(name)
    }

    /// The first definition of a macro of this name, after the name.
    pub fn definition(&self, name: &str) -> Option<&str> {
        self.macros.get(name).map(String::as_str)
    }

    /// Names that an available file removes with `#undef`, each once. O(n).
    pub fn undefined_macros(&self) -> Vec<String> {
        let found: BTreeSet<String> =
            self.files.values().flat_map(|text| names_after(text, b"undef")).map(|(name, _)| name).collect();
        found.into_iter().collect()
    }

    /// The text of the file for a span of the preprocessed text, in one line, if it contains macros and each of them completely.
    ///
    /// Cost: the product of the tokens of the lines before and after the preprocessor.
    pub fn quote(&self, text: &[u8], span: Span) -> Option<String> {
        if span.is_empty() || span.end as usize > text.len() {
            return None;
        }
        (0..=MAX_MORE_LINES).find_map(|n_more| self.quote_within(text, span, n_more)).flatten()
    }

    /// `None` if the lines cannot be aligned, `Some(None)` if they can but there is nothing better to quote.
    fn quote_within(&self, text: &[u8], span: Span, n_more: u32) -> Option<Option<String>> {
        let (first, last) = (self.map.place(span.start), self.map.place(span.end - 1));
        let file = self.files.get(first.file).filter(|_| first.file == last.file)?;
        let written = lines(file, first.line, last.line + n_more)?;
        let region = self.region(text, span, last.line + n_more);
        let preprocessed = &text[region.clone()];
        let (old, new) = (raw_tokens(written), raw_tokens(preprocessed));
        let macros = align(&Sides::new(&words(written, &old), &words(preprocessed, &new)))?;
        let within = |token: &Range<usize>| {
            let start = region.start + token.start;
            (span.start as usize..span.end as usize).contains(&start)
        };
        let from = new.iter().position(within)?;
        let to = new.iter().rposition(within)? + 1;
        let Some(tokens) = written_range(&macros, from..to, &words(preprocessed, &new)) else {
            return Some(None);
        };
        Some(Some(in_one_line(written, &old[tokens])))
    }

    /// The preprocessed text of the file's lines from the start of the span to line `last`.
    fn region(&self, text: &[u8], span: Span, last: u32) -> Range<usize> {
        let first = self.map.place(span.start);
        let is_marker = |line: &[u8]| line.trim_ascii_start().first().is_none_or(|byte| *byte == b'#');
        let is_part = |start: usize, end: usize| {
            let place = self.map.place(start as u32);
            is_marker(&text[start..end])
                || place.file == first.file && (first.line..=last).contains(&place.line)
        };
        let line_start =
            |end: usize| text[..end].iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        let line_end = |start: usize| {
            text[start..].iter().position(|byte| *byte == b'\n').map_or(text.len(), |at| start + at)
        };
        let mut start = line_start(span.start as usize);
        while start > 0 {
            let before = line_start(start - 1);
            if !is_part(before, start - 1) {
                break;
            }
            start = before;
        }
        let mut end = line_end(span.end as usize);
        while end < text.len() {
            let next = line_end(end + 1);
            if !is_part(end + 1, next) {
                break;
            }
            end = next;
        }
        start..end
    }
}

/// Lines of a file, counted from 1. A range that ends before it begins is of no use: a macro or one of our models has its two ends in different places.
fn lines(file: &[u8], first: u32, last: u32) -> Option<&[u8]> {
    let mut starts = std::iter::once(0)
        .chain(file.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at + 1));
    let start = starts.nth(first.checked_sub(1)? as usize)?;
    let end = starts.nth(last.checked_sub(first)? as usize).unwrap_or(file.len());
    Some(&file[start..end])
}

fn words<'t>(text: &'t [u8], tokens: &[Range<usize>]) -> Vec<&'t [u8]> {
    tokens.iter().map(|token| &text[token.clone()]).collect()
}

/// Tokens before and after the preprocessor.
struct Sides<'t> {
    old: &'t [&'t [u8]],
    new: &'t [&'t [u8]],
    /// For each token before: whether it is a name that does not appear in the preprocessed text.
    may_be_macro: Vec<bool>,
}

impl<'t> Sides<'t> {
    fn new(old: &'t [&'t [u8]], new: &'t [&'t [u8]]) -> Sides<'t> {
        let left: BTreeSet<&[u8]> = new.iter().copied().collect();
        let is_name =
            |word: &[u8]| word.first().is_some_and(|byte| byte.is_ascii_alphabetic() || *byte == b'_');
        let may_be_macro = old.iter().map(|word| is_name(word) && !left.contains(word)).collect();
        Sides { old, new, may_be_macro }
    }
}

/// Costs of aligning the rest of both sides, from each pair of positions.
struct Costs {
    width: usize,
    /// Starting exactly here.
    here: Vec<u32>,
    /// Starting here or later in the preprocessed text, and where.
    later: Vec<(u32, u32)>,
}

impl Costs {
    fn at(&self, old: usize, new: usize) -> usize {
        old * self.width + new
    }
}

/// The macros of the best alignment; `None` if there is none.
fn align(sides: &Sides<'_>) -> Option<Vec<Expansion>> {
    let (n, m) = (sides.old.len(), sides.new.len());
    if n > MAX_TOKENS || m > MAX_TOKENS {
        return None;
    }
    let size = (n + 1) * (m + 1);
    let mut costs = Costs { width: m + 1, here: vec![NONE; size], later: vec![(NONE, 0); size] };
    for old in (0..=n).rev() {
        for new in (0..=m).rev() {
            let at = costs.at(old, new);
            costs.here[at] = if (old, new) == (n, m) {
                0
            } else {
                step(sides, &costs, old, new).map_or(NONE, |(cost, _, _)| cost)
            };
            let later = if new < m { costs.later[at + 1] } else { (NONE, 0) };
            costs.later[at] = if costs.here[at] <= later.0 { (costs.here[at], new as u32) } else { later };
        }
    }
    if costs.here[0] == NONE {
        return None;
    }
    let (mut old, mut new, mut found) = (0, 0, Vec::new());
    while let Some((_, next_old, next_new)) = step(sides, &costs, old, new) {
        let is_same = (next_old, next_new) == (old + 1, new + 1) && sides.old[old] == sides.new[new];
        if !is_same {
            found.push(Expansion { file: old..next_old, text: new..next_new });
        }
        (old, new) = (next_old, next_new);
    }
    Some(found)
}

/// The cheapest step from a pair of positions: its cost with what follows, and where it leads.
fn step(sides: &Sides<'_>, costs: &Costs, old: usize, new: usize) -> Option<(u32, usize, usize)> {
    let word = sides.old.get(old)?;
    let same = (sides.new.get(new) == Some(word))
        .then(|| (costs.here[costs.at(old + 1, new + 1)], old + 1, new + 1));
    let is_macro = sides.may_be_macro[old];
    let ends = [is_macro.then_some(old + 1), is_macro.then(|| after_arguments(sides.old, old + 1)).flatten()];
    let macros = ends.into_iter().flatten().filter_map(|end| {
        let (cost, from) = costs.later[costs.at(end, new)];
        (cost != NONE).then(|| (cost + 1 + TOKEN * (end - old) as u32, end, from as usize))
    });
    same.into_iter().chain(macros).filter(|(cost, ..)| *cost != NONE).min_by_key(|(cost, ..)| *cost)
}

/// The position after the parenthesis that closes the one at `open`.
fn after_arguments(words: &[&[u8]], open: usize) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, word) in words.iter().enumerate().skip(open) {
        match *word {
            b"(" => depth += 1,
            b")" => depth = depth.checked_sub(1)?,
            _ => {}
        }
        if depth == 0 {
            return (at > open).then_some(at + 1);
        }
    }
    None
}

/// The tokens of the file for these of the preprocessed text, if they contain macros and each of them completely, not counting parentheses around it.
fn written_range(macros: &[Expansion], part: Range<usize>, words: &[&[u8]]) -> Option<Range<usize>> {
    let is_touched = |found: &&Expansion| found.text.start < part.end && part.start < found.text.end;
    let mut touched = macros.iter().filter(is_touched);
    let first = touched.next()?;
    let last = touched.next_back().unwrap_or(first);
    let (n_before, n_after) =
        (part.start.saturating_sub(first.text.start), last.text.end.saturating_sub(part.end));
    let is_all = |tokens: Range<usize>, word: &[u8]| words[tokens].iter().all(|found| *found == word);
    let is_bare = n_before == n_after
        && is_all(part.start - n_before..part.start, b"(")
        && is_all(part.end..part.end + n_after, b")");
    let is_whole = n_before == 0 && n_after == 0 || is_bare && first.text.start == last.text.start;
    if !is_whole {
        return None;
    }
    let before = first.text.start.saturating_sub(part.start);
    let after = part.end.saturating_sub(last.text.end);
    Some(first.file.start - before..last.file.end + after)
}

/// The tokens, with a blank wherever the text has anything between them.
fn in_one_line(text: &[u8], tokens: &[Range<usize>]) -> String {
    let mut line = Vec::new();
    let mut end = None;
    for token in tokens {
        if end.is_some_and(|end| end != token.start) {
            line.push(b' ');
        }
        line.extend_from_slice(&text[token.clone()]);
        end = Some(token.end);
    }
    String::from_utf8_lossy(&line).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the user wrote for the first occurrence of `part` in the preprocessed text.
    fn quoted(file: &str, text: &str, part: &str) -> Option<String> {
        let text = format!("# 1 \"a.c\"\n{text}\n");
        let (unit, _) = crate::parse(text.as_bytes());
        let files = BTreeMap::from([("a.c".to_owned(), file.as_bytes().to_vec())]);
        let start = text.find(part).unwrap();
        let span = Span::new(start, start + part.len());
        WrittenSource::new(unit.source_map, files, &[]).quote(text.as_bytes(), span)
    }

    #[test]
    fn a_whole_macro_is_as_written() {
        let file = "int f(int c) { if (is_digit( c ) && c < LIMIT /* x */) return 1; return MAX(c, 3) > 2; }";
        let text = "int f(int c) { if (((t)[(int)((c))] & 8) && c < 99) return 1; return ((c) > (3) ? (c) : (3)) > 2; }";
        assert_eq!(quoted(file, text, "(t)[(int)((c))] & 8").as_deref(), Some("is_digit( c )"));
        assert_eq!(
            quoted(file, text, "((t)[(int)((c))] & 8) && c < 99").as_deref(),
            Some("is_digit( c ) && c < LIMIT")
        );
        assert_eq!(quoted(file, text, "c < 99").as_deref(), Some("c < LIMIT"));
        assert_eq!(quoted(file, text, "((c) > (3) ? (c) : (3)) > 2").as_deref(), Some("MAX(c, 3) > 2"));
    }

    #[test]
    fn a_part_of_a_macro_is_not() {
        let file = "int f(int x) { return IN(x, 1, 9) && x; }";
        let text = "int f(int x) { return ((x) >= (1) && (x) <= (9)) && x; }";
        assert_eq!(quoted(file, text, "(x) >= (1)"), None);
        assert_eq!(quoted(file, text, "(x) <= (9)"), None);
        assert_eq!(quoted(file, text, "(x) >= (1) && (x) <= (9)").as_deref(), Some("IN(x, 1, 9)"));
        assert_eq!(quoted(file, text, "return"), None, "the same on both sides");
        assert_eq!(quoted("int g;", text, "(x) <= (9)"), None, "another file");
    }

    #[test]
    fn markers_and_more_lines_are_no_obstacle() {
        let file = "int f(int c) {\n  return both(c,\n    3) > 1;\n}";
        let text = "int f(int c) {\n  return\n# 2 \"a.c\" 3 4\n  ((c) + (3))\n# 2 \"a.c\"\n  \n# 3 \"a.c\"\n  > 1;\n}";
        assert_eq!(quoted(file, text, "((c) + (3))").as_deref(), Some("both(c, 3)"));
    }
}
