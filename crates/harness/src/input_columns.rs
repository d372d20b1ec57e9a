//! Inputs as columns for people: characters in a row are one text, with the pointer to them if it may be null.

use crate::shown::shown_bytes;
use nub_report::c_tests::TestInput;
use std::ops::Range;

/// Fewer characters in a row are not shown as text.
const MIN_TEXT: usize = 2;
/// A longer text is cut; what is not for people has all of it.
const MAX_SHOWN: usize = 40;

/// One or more inputs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InputColumn {
    /// Its heading.
    pub name: String,
    members: Range<usize>,
    form: CellForm,
}

/// How the inputs of a column are shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum CellForm {
    /// One value.
    Value,
    /// Characters.
    Text,
    /// Whether there is a text, and its characters.
    Pointer,
}

/// The columns of a list of inputs.
pub fn input_columns(inputs: &[TestInput]) -> Vec<InputColumn> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < inputs.len() {
        let (n, name, form) = column_from(inputs, at);
        found.push(InputColumn { name, members: at..at + n, form });
        at += n;
    }
    found
}

impl InputColumn {
    /// Whether a run reads some of it.
    pub fn is_read(&self, inputs: &[TestInput]) -> bool {
        inputs[self.members.clone()].iter().any(|input| input.is_read)
    }

    /// What a run has there; `-` if it does not read it.
    pub fn cell(&self, inputs: &[TestInput]) -> String {
        let inputs = &inputs[self.members.clone()];
        let n_read = inputs.iter().rposition(|input| input.is_read).map_or(0, |last| last + 1);
        let characters = match self.form {
            _ if n_read == 0 => return "-".to_owned(),
            CellForm::Value => return inputs[0].text().to_owned(),
            CellForm::Text => &inputs[..n_read],
            CellForm::Pointer if inputs[0].value == "0" => return "NULL".to_owned(),
            CellForm::Pointer => &inputs[1..n_read.max(2)],
        };
        shortened(&characters.iter().map(byte).collect::<Vec<u8>>())
    }
}

/// A text of at most [`MAX_SHOWN`] letters; of a longer one the beginning and how long it is.
fn shortened(bytes: &[u8]) -> String {
    let text = shown_bytes(bytes);
    let n_bytes = bytes.iter().position(|byte| *byte == 0).filter(|_| text.starts_with('"'));
    match text.char_indices().nth(MAX_SHOWN) {
        Some((cut, _)) => format!("{}... ({} bytes)", &text[..cut], n_bytes.unwrap_or(bytes.len())),
        None => text,
    }
}

/// A character of either sign as a byte.
fn byte(input: &TestInput) -> u8 {
    input.value.parse::<i64>().map_or(0, |number| number.rem_euclid(256) as u8)
}

/// How many inputs from here are one column, what it is called, and how it is shown.
fn column_from(inputs: &[TestInput], at: usize) -> (usize, String, CellForm) {
    let pointer = inputs[at].name.strip_suffix(" != 0");
    let behind = pointer.and_then(|pointer| text_from(inputs, at + 1).filter(|(_, name)| name == pointer));
    match (behind, text_from(inputs, at)) {
        (Some((n, name)), _) => (n + 1, name, CellForm::Pointer),
        (None, Some((n, name))) => (n, name, CellForm::Text),
        (None, None) => (1, inputs[at].name.clone(), CellForm::Value),
    }
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

/// `s[3]`, `*s`, or `*buf of fill #3`: what it is a part of, and its number.
fn numbered_name(name: &str) -> Option<(String, u64)> {
    if let Some((base, number)) = name.strip_suffix(']').and_then(|name| name.rsplit_once('[')) {
        return Some((base.to_owned(), number.parse().ok()?));
    }
    if let Some((base, number)) = name.rsplit_once(" #") {
        return Some((base.to_owned(), number.parse().ok()?));
    }
    name.strip_prefix('*').map(|base| (base.to_owned(), 0))
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
        assert_eq!(column_from(&inputs, 0), (3, "s".to_owned(), CellForm::Pointer));
        assert_eq!(column_from(&inputs, 3), (1, "t[0]".to_owned(), CellForm::Value));
    }

    #[test]
    fn a_pointer_to_text_is_null_or_the_text() {
        let input = |name: &str, value: u8| TestInput {
            name: name.into(),
            ty: "char".into(),
            value: value.to_string(),
            is_read: true,
            ..TestInput::default()
        };
        let inputs = |n_given| [input("s != 0", n_given), input("*s", b'x'), input("s[1]", 0)];
        let (n, name, form) = column_from(&inputs(1), 0);
        let column = InputColumn { name, members: 0..n, form };
        assert_eq!((column.name.as_str(), column.cell(&inputs(1))), ("s", "\"x\"".to_owned()));
        assert_eq!(column.cell(&inputs(0)), "NULL");
    }

    #[test]
    fn long_texts_are_cut() {
        let text = [vec![b'a'; 60], vec![0; 4]].concat();
        assert_eq!(shortened(&text), format!("\"{}... (60 bytes)", "a".repeat(39)));
    }
}
