//! Inputs as columns of a table: consecutive characters are one string, together with the pointer to them if it may be null.

use crate::shown::shown_bytes;
use nub_report::c_tests::TestInput;
use std::collections::BTreeMap;

/// Fewer characters in a row are not shown as a string.
const MIN_TEXT: usize = 2;
/// A longer string is cut in tables; other outputs have all of it.
const MAX_SHOWN: usize = 40;

/// One or more inputs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InputColumn {
    /// Its heading.
    pub name: String,
    /// Which inputs; characters in the order of the string.
    members: Vec<usize>,
    form: CellForm,
}

/// How the inputs of a column are shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum CellForm {
    /// One value.
    Value,
    /// Characters.
    Text,
    /// Whether there is a string, and its characters.
    Pointer,
}

/// The columns of a list of inputs. O(n log n).
///
/// Inputs are listed in the order in which the function reads them, so the characters of two strings that it compares alternate. Each string is one
/// column all the same, at the place of its pointer or of its first character.
pub fn input_columns(inputs: &[TestInput]) -> Vec<InputColumn> {
    let mut texts = texts(inputs);
    let mut is_taken = vec![false; inputs.len()];
    let mut found = Vec::new();
    for (at, input) in inputs.iter().enumerate().filter(|(_, input)| input.name.ends_with(" != 0")) {
        let pointer = input.name.trim_end_matches(" != 0");
        let Some(characters) = texts.remove(pointer) else { continue };
        let members = [vec![at], characters].concat();
        members.iter().for_each(|member| is_taken[*member] = true);
        found.push(InputColumn { name: pointer.to_owned(), members, form: CellForm::Pointer });
    }
    for (name, members) in texts {
        members.iter().for_each(|member| is_taken[*member] = true);
        found.push(InputColumn { name, members, form: CellForm::Text });
    }
    let value =
        |at: usize| InputColumn { name: inputs[at].name.clone(), members: vec![at], form: CellForm::Value };
    found.extend((0..inputs.len()).filter(|at| !is_taken[*at]).map(value));
    found.sort_by_key(|column| column.members[0]);
    found
}

impl InputColumn {
    /// Whether a run reads some of it.
    pub fn is_read(&self, inputs: &[TestInput]) -> bool {
        self.members.iter().any(|member| inputs[*member].is_read)
    }

    /// What a run has there; `-` if it does not read it.
    pub fn cell(&self, inputs: &[TestInput]) -> String {
        let n_read =
            self.members.iter().rposition(|member| inputs[*member].is_read).map_or(0, |last| last + 1);
        let first = &inputs[self.members[0]];
        let characters = match self.form {
            _ if n_read == 0 => return "-".to_owned(),
            CellForm::Value => return first.text().to_owned(),
            CellForm::Text => &self.members[..n_read],
            CellForm::Pointer if first.value == "0" => return "NULL".to_owned(),
            CellForm::Pointer => &self.members[1..n_read.max(2)],
        };
        shortened(&characters.iter().map(|member| byte(&inputs[*member])).collect::<Vec<u8>>())
    }
}

/// A string of at most [`MAX_SHOWN`] letters; for a longer one, the beginning and its length.
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

/// The arrays whose first characters are inputs without a gap, by name, and these inputs in the order of the string.
fn texts(inputs: &[TestInput]) -> BTreeMap<String, Vec<usize>> {
    let mut numbered: BTreeMap<String, Vec<(u64, usize)>> = BTreeMap::new();
    for (at, input) in inputs.iter().enumerate() {
        let is_character = matches!(input.ty.as_str(), "char" | "unsigned char" | "signed char");
        if let Some((array, number)) = numbered_name(&input.name).filter(|_| is_character) {
            numbered.entry(array).or_default().push((number, at));
        }
    }
    let in_order = |(array, mut characters): (String, Vec<(u64, usize)>)| {
        characters.sort_unstable();
        let first = characters[0].0;
        let is_next = |(distance, (number, _)): &(u64, &(u64, usize))| *number == first + distance;
        let n = (0..).zip(&characters).take_while(is_next).count();
        (n >= MIN_TEXT).then(|| (array, characters[..n].iter().map(|(_, at)| *at).collect()))
    };
    numbered.into_iter().filter_map(in_order).collect()
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

    fn input(name: &str, ty: &str, value: u8) -> TestInput {
        let (name, ty) = (name.to_owned(), ty.to_owned());
        TestInput { name, ty, value: value.to_string(), is_read: true, ..TestInput::default() }
    }

    fn table(inputs: &[TestInput]) -> Vec<String> {
        input_columns(inputs)
            .iter()
            .map(|column| format!("{}={}", column.name, column.cell(inputs)))
            .collect()
    }

    #[test]
    fn characters_in_a_row_are_one_text() {
        let inputs = [
            input("s != 0", "char *", 1),
            input("s[0]", "char", b'x'),
            input("s[1]", "char", 0),
            input("t[0]", "char", b'y'),
            input("a[0]", "int", 3),
            input("a[1]", "int", 4),
        ];
        assert_eq!(table(&inputs), ["s=\"x\"", "t[0]=121", "a[0]=3", "a[1]=4"]);
    }

    /// `strcmp(a, b)` reads a character of each in turn.
    #[test]
    fn characters_of_two_texts_may_alternate() {
        let inputs = [
            input("a != 0", "char *", 1),
            input("b != 0", "char *", 1),
            input("n", "int", 2),
            input("*a", "char", b'p'),
            input("*b", "char", b'q'),
            input("a[1]", "char", 0),
            input("b[1]", "char", b'r'),
            input("b[2]", "char", 0),
            input("b[4]", "char", b'z'),
        ];
        assert_eq!(table(&inputs), ["a=\"p\"", "b=\"qr\"", "n=2", "b[4]=122"]);
    }

    #[test]
    fn a_pointer_to_text_is_null_or_the_text() {
        let inputs = |n_given| {
            [input("s != 0", "char *", n_given), input("*s", "char", b'x'), input("s[1]", "char", 0)]
        };
        assert_eq!(table(&inputs(1)), ["s=\"x\""]);
        assert_eq!(table(&inputs(0)), ["s=NULL"]);
    }

    #[test]
    fn long_texts_are_cut() {
        let text = [vec![b'a'; 60], vec![0; 4]].concat();
        assert_eq!(shortened(&text), format!("\"{}... (60 bytes)", "a".repeat(39)));
    }
}
