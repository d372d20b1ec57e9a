//! The formats, and how to recognise them.

use crate::number::{Value, is_blank, number_at};

/// The formats.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DimacsKind {
    /// Clauses: `p cnf V C`.
    Cnf,
    /// Weighted clauses as before 2022: `p wcnf V C [TOP]`, every clause begins with its weight.
    Wcnf,
    /// Weighted clauses since 2022: no header, hard clauses begin with `h`.
    WcnfNew,
    /// Clauses after a prefix of `a` and `e` lines; the header is the same as for cnf.
    Qdimacs,
    /// Clauses and cubes (`a` lines), interleaved: `p inccnf`. Cubes are kept as [`crate::DimacsFile::others`].
    IncCnf,
}

impl DimacsKind {
    /// All formats.
    pub const ALL: [DimacsKind; 5] =
        [DimacsKind::Cnf, DimacsKind::Wcnf, DimacsKind::WcnfNew, DimacsKind::Qdimacs, DimacsKind::IncCnf];

    /// The word after the `p`, if the format has a header.
    pub fn header_word(self) -> Option<&'static str> {
        match self {
            DimacsKind::Cnf | DimacsKind::Qdimacs => Some("cnf"),
            DimacsKind::Wcnf => Some("wcnf"),
            DimacsKind::IncCnf => Some("inccnf"),
            DimacsKind::WcnfNew => None,
        }
    }

    /// Whether the header states the numbers of variables and clauses.
    pub fn has_counts(self) -> bool {
        matches!(self, DimacsKind::Cnf | DimacsKind::Wcnf | DimacsKind::Qdimacs)
    }

    /// Whether a clause begins with a weight.
    pub fn is_weighted(self) -> bool {
        matches!(self, DimacsKind::Wcnf | DimacsKind::WcnfNew)
    }
}

/// The format that some bytes look like, or `None`. The first line that is not a comment decides: it is a header, or
/// numbers that end with 0. (wcnf has had no header since 2022, and some files lack theirs.)
///
/// Linear. It reads no further than necessary, except that a file without a header is searched for an `h` line.
pub fn guess(text: &[u8]) -> Option<DimacsKind> {
    let mut lines = Lines { rest: text };
    let first = lines.by_ref().find(|line| !is_comment(line))?;
    let mut words = first.split(|&byte| is_blank(byte)).filter(|word| !word.is_empty());
    match words.next()? {
        b"p" => match words.next()? {
            b"cnf" if has_quantifier(lines) => Some(DimacsKind::Qdimacs),
            b"cnf" => Some(DimacsKind::Cnf),
            b"wcnf" => Some(DimacsKind::Wcnf),
            b"inccnf" => Some(DimacsKind::IncCnf),
            _ => None,
        },
        b"h" if is_numbers(words) => Some(DimacsKind::WcnfNew),
        b"h" => None,
        _ if !is_numbers(first.split(|&byte| is_blank(byte)).filter(|word| !word.is_empty())) => None,
        _ if lines.any(|line| line.starts_with(b"h ")) => Some(DimacsKind::WcnfNew),
        _ => Some(DimacsKind::Cnf),
    }
}

/// Whether a quantifier line precedes the first clause.
fn has_quantifier(mut lines: Lines) -> bool {
    let first = lines.find(|line| !is_comment(line));
    first.is_some_and(|line| matches!(line, [b'a' | b'e', blank, ..] if is_blank(*blank)))
}

/// Integers only, the last of them 0.
fn is_numbers<'a>(words: impl Iterator<Item = &'a [u8]>) -> bool {
    let mut last = None;
    for word in words {
        match number_at(word, 0).0 {
            Value::Bad => return false,
            value => last = Some(value),
        }
    }
    last == Some(Value::Plain(0))
}

fn is_comment(line: &[u8]) -> bool {
    matches!(line, [] | [b'c']) || (line[0] == b'c' && is_blank(line[1]))
}

/// Lines without leading and trailing blanks.
struct Lines<'a> {
    rest: &'a [u8],
}

impl<'a> Iterator for Lines<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        if self.rest.is_empty() {
            return None;
        }
        let end = memchr::memchr(b'\n', self.rest).unwrap_or(self.rest.len());
        let (line, rest) = self.rest.split_at(end);
        self.rest = rest.get(1..).unwrap_or_default();
        Some(line.trim_ascii())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn by_the_first_line_that_is_no_comment() {
        let cases: [(&str, Option<DimacsKind>); 16] = [
            ("c x\n\np cnf 1 1\n1 0\n", Some(DimacsKind::Cnf)),
            ("  p  cnf 1 1", Some(DimacsKind::Cnf)),
            ("p cnf 2 1\nc q\na 1 0\ne 2 0\n1 2 0", Some(DimacsKind::Qdimacs)),
            ("p wcnf 1 1 5\n5 1 0", Some(DimacsKind::Wcnf)),
            ("c\nh 1 2 0\n3 -1 0", Some(DimacsKind::WcnfNew)),
            ("3 -1 0\nh 1 2 0\n", Some(DimacsKind::WcnfNew)),
            ("1 -2 0\n2 0\n", Some(DimacsKind::Cnf)),
            ("p inccnf\n1 0\na 1 0\n", Some(DimacsKind::IncCnf)),
            ("p aig 1 2", None),
            ("1 sort bitvec 8\n", None),
            ("1 2 3\n", None),
            ("hello 0\n", None),
            ("h ello 0\n", None),
            ("(assert true)", None),
            ("c only a comment", None),
            ("", None),
        ];
        for (text, kind) in cases {
            assert_eq!(guess(text.as_bytes()), kind, "{text:?}");
        }
    }
}
