//! The inputs of tests as columns for people: characters in a row are one text, and what no test reads is not shown.

use crate::report::{CoverReport, TestInput, TestReport};
use nub_harness::shown_bytes;
use std::ops::Range;

/// Fewer characters in a row are not shown as text.
const MIN_TEXT: usize = 2;

/// One or more inputs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Column {
    /// Its heading.
    pub name: String,
    /// The inputs of each test.
    members: Range<usize>,
    is_text: bool,
}

/// The columns of a report. All tests have the same inputs.
pub fn columns(report: &CoverReport) -> Vec<Column> {
    let Some(first) = report.tests.first() else { return Vec::new() };
    let is_read = |members: &Range<usize>| {
        report.tests.iter().any(|test| test.inputs[members.clone()].iter().any(|input| input.is_read))
    };
    let mut found = Vec::new();
    let mut at = 0;
    while at < first.inputs.len() {
        let text = text_from(&first.inputs, at);
        let (n, name) = match &text {
            Some((n, name)) => (*n, name.clone()),
            None => (1, first.inputs[at].name.clone()),
        };
        let members = at..at + n;
        at += n;
        if is_read(&members) {
            found.push(Column { name, members, is_text: text.is_some() });
        }
    }
    found
}

impl Column {
    /// What a test has there; `-` if it does not read it.
    pub fn cell(&self, test: &TestReport) -> String {
        let inputs = &test.inputs[self.members.clone()];
        let n_read = inputs.iter().rposition(|input| input.is_read).map_or(0, |last| last + 1);
        if n_read == 0 {
            return "-".to_owned();
        }
        if self.is_text {
            let bytes: Vec<u8> = inputs[..n_read].iter().map(byte).collect();
            return shown_bytes(&bytes);
        }
        inputs[0].text().to_owned()
    }
}

/// The calls of stubs in one line.
pub fn calls_text(test: &TestReport) -> String {
    test.calls.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

/// A character of either sign as a byte.
fn byte(input: &TestInput) -> u8 {
    input.value.parse::<i64>().map_or(0, |number| number.rem_euclid(256) as u8)
}

/// How many inputs from here are characters of one array, and what that is called.
fn text_from(inputs: &[TestInput], at: usize) -> Option<(usize, String)> {
    let numbered = |input: &TestInput| {
        let is_character = matches!(input.ty.as_str(), "char" | "unsigned char" | "signed char");
        numbered_name(&input.name).filter(|_| is_character)
    };
    let (name, first) = numbered(inputs.get(at)?)?;
    let is_next = |(distance, input): &(u64, &TestInput)| {
        numbered(input).is_some_and(|(base, number)| base == name && number == first + distance)
    };
    let n = (0..).zip(&inputs[at..]).take_while(is_next).count();
    (n >= MIN_TEXT).then_some((n, name))
}

/// `s[3]`, or `*buf of fill #3`: what it is a part of, and its number.
fn numbered_name(name: &str) -> Option<(String, u64)> {
    if let Some((base, number)) = name.strip_suffix(']').and_then(|name| name.rsplit_once('[')) {
        return Some((base.to_owned(), number.parse().ok()?));
    }
    let (base, number) = name.rsplit_once(" #")?;
    Some((base.to_owned(), number.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_in_a_row_are_one_text() {
        let input =
            |name: &str, ty: &str| TestInput { name: name.into(), ty: ty.into(), ..TestInput::default() };
        let inputs = [
            input("s != 0", "char *"),
            input("s[0]", "char"),
            input("s[1]", "char"),
            input("t[0]", "char"),
            input("a[0]", "int"),
            input("a[1]", "int"),
        ];
        assert_eq!(text_from(&inputs, 1), Some((2, "s".to_owned())));
        assert_eq!([0, 2, 3, 4].map(|at| text_from(&inputs, at)), [None, None, None, None]);
    }
}
