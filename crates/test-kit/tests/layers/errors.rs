//! No function returns a bare string as its error: a type says what can go wrong, and its `Display` says it to the user.

use super::{all_sources, assert_none, shown};

/// The type arguments at the start of a text, up to the `>` that closes them. They may have arguments of their own.
fn type_arguments(text: &str) -> Vec<&str> {
    let (mut found, mut depth, mut start) = (Vec::new(), 0, 0);
    for (at, c) in text.char_indices() {
        match c {
            '<' | '(' | '[' => depth += 1,
            '>' if text[..at].ends_with('-') => {} // the arrow of a function type
            '>' if depth == 0 => {
                found.push(text[start..at].trim());
                return found;
            }
            '>' | ')' | ']' => depth -= 1,
            ',' if depth == 0 => {
                found.push(text[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    Vec::new()
}

/// The numbers of the lines with a `Result<_, String>`, from 1.
fn string_errors(text: &str) -> Vec<usize> {
    let results = text.match_indices("Result<").map(|(at, word)| (at, &text[at + word.len()..]));
    results
        .filter(|(_, rest)| type_arguments(rest).get(1) == Some(&"String"))
        .map(|(at, _)| text[..at].matches('\n').count() + 1)
        .collect()
}

#[test]
fn errors_are_typed() {
    let mut found = Vec::new();
    for (path, text) in all_sources() {
        // Test code within a source file comes last.
        let code = text.split("#[cfg(test)]").next().unwrap_or_default();
        found.extend(string_errors(code).into_iter().map(|line| format!("{}:{line}", shown(&path))));
    }
    assert_none("functions whose error is a `String`; give it a type", &found);
}

#[test]
fn string_errors_are_found() {
    let count = |text: &str| string_errors(text).len();
    assert_eq!(count("fn f() -> Result<(), String> {}"), 1);
    assert_eq!(count("fn f() -> Result<(T, Vec<Vec<u8>>), String> {}"), 1);
    assert_eq!(count("fn f() -> Result<\n    Vec<u8>,\n    String,\n> {}"), 1);
    assert_eq!(count("fn f(g: impl Fn(&str) -> Result<T, String>) -> Result<Result<(), String>, E> {}"), 2);
    assert_eq!(count("Result<Vec<String>, E> Result<String, E> Result<String> Result<(u8, String), E>"), 0);
    assert_eq!(count("fn f() -> Result<fn() -> String, E> {}"), 0);
    assert_eq!(string_errors("\nResult<u8, String>"), [2]);
}
