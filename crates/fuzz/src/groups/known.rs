//! The list of known bugs: a plain text file that users maintain.
//!
//! ```text
//! # open bugs of z3
//! 1a2b3c4d                     known: the id of a group
//! known z3-crash-1a2b3c4d      the same, with the whole name
//! known /z3.*an invalid model/ all groups whose title matches
//! fixed 99aabbcc               fixed: if it comes back, it is a regression
//! ```

use regex::{Regex, RegexBuilder};

use super::GroupKey;

/// Limit on the compiled size of an expression.
const MAX_COMPILED_BYTES: usize = 1 << 20;

/// What the list says of a group.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum KnownState {
    /// Reported; count it, do not report it again.
    Known,
    /// Fixed; should not occur any more.
    Fixed,
}

/// A list of known bugs.
#[derive(Clone, Debug, Default)]
pub struct KnownList {
    entries: Vec<(KnownState, Matcher)>,
}

#[derive(Clone, Debug)]
enum Matcher {
    Id(String),
    Title(Regex),
}

/// A line that cannot be read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}: {fault}")]
pub struct KnownError {
    /// Its number, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub fault: KnownFault,
}

/// What is wrong with a line.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum KnownFault {
    /// `known` or `fixed` alone.
    #[error("an id or an expression is missing")]
    NothingNamed,
    /// Neither an id nor an expression.
    #[error("`{0}` is not a group: expected eight hexadecimal digits, or /expression/")]
    NotAGroup(String),
    /// An expression without its end.
    #[error("an expression is written /like this/")]
    OpenExpression,
    /// An expression that is malformed or too large.
    #[error("not a regular expression: {0}")]
    Expression(String),
}

impl KnownList {
    /// Reads a list.
    ///
    /// # Errors
    /// All lines that are neither empty, a comment, an id nor an expression.
    pub fn parse(text: &str) -> Result<KnownList, Vec<KnownError>> {
        let mut list = KnownList::default();
        let mut errors = Vec::new();
        for (line_idx, line) in text.lines().enumerate() {
            match entry(line) {
                Ok(entry) => list.entries.extend(entry),
                Err(fault) => errors.push(KnownError { line: line_idx + 1, fault }),
            }
        }
        if errors.is_empty() { Ok(list) } else { Err(errors) }
    }

    /// What the list says of a group; the last line that matches counts, so that `fixed` can be appended.
    #[must_use]
    pub fn state(&self, key: &GroupKey, title: &str) -> Option<KnownState> {
        let matches = |matcher: &Matcher| match matcher {
            Matcher::Id(id) => id == key.id(),
            Matcher::Title(regex) => regex.is_match(title),
        };
        self.entries.iter().rev().find(|(_, matcher)| matches(matcher)).map(|(state, _)| *state)
    }
}

fn entry(line: &str) -> Result<Option<(KnownState, Matcher)>, KnownFault> {
    let line = line.trim();
    if line.is_empty() || line.starts_with('#') {
        return Ok(None);
    }
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let (state, rest) = match word {
        "known" => (KnownState::Known, rest.trim()),
        "fixed" => (KnownState::Fixed, rest.trim()),
        _ => (KnownState::Known, line),
    };
    if rest.starts_with('/') {
        return title_matcher(rest).map(|matcher| Some((state, matcher)));
    }
    // What follows an id is a remark.
    let name = rest.split_whitespace().next().ok_or(KnownFault::NothingNamed)?;
    let id = name.rsplit('-').next().unwrap_or(name);
    if id.len() == 8 && id.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f')) {
        Ok(Some((state, Matcher::Id(id.to_owned()))))
    } else {
        Err(KnownFault::NotAGroup(name.to_owned()))
    }
}

fn title_matcher(text: &str) -> Result<Matcher, KnownFault> {
    let end = text.rfind('/').filter(|end| *end > 1).ok_or(KnownFault::OpenExpression)?;
    let built = RegexBuilder::new(&text[1..end]).size_limit(MAX_COMPILED_BYTES).build();
    built.map(Matcher::Title).map_err(|error| {
        let last = error.to_string();
        KnownFault::Expression(last.lines().last().unwrap_or_default().trim().to_owned())
    })
}
