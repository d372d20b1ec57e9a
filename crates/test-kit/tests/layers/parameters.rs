//! Functions that other modules call take no `bool` and no tuple: at the call, `true` and `(a, b)` do not say what they mean.
//!
//! `parameters.txt` has the number of such parameters in each crate; it may only fall. After a crate was improved,
//! `UPDATE_EXPECT=1 cargo test -p nub-test-kit --test layers` lowers the number. It never raises one.

use super::{all_sources, assert_none, read, root, shown};
use nub_test_kit::{compare_golden, is_updating};
use std::collections::BTreeMap;

/// The parameters of the functions in a text that are visible outside of their module.
fn signatures(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let start = at;
        at += line.len();
        let code = line.trim_start();
        if !code.starts_with("pub") {
            continue;
        }
        let Some(name) = line.find(" fn ").filter(|&name| !line[..name].contains("//")) else { continue };
        let Some(open) = text[start + name..].find('(').map(|open| start + name + open) else { continue };
        let mut depth = 0;
        for (index, c) in text[open..].char_indices() {
            match c {
                '(' => depth += 1,
                ')' => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                found.push(&text[open + 1..open + index]);
                break;
            }
        }
    }
    found
}

/// How many of the parameters are a `bool` or a tuple.
fn unclear(parameters: &str) -> usize {
    let mut depth = 0;
    let mut n_found = 0;
    let mut rest = parameters;
    // Nested types, such as `impl Fn(bool)`, are not parameters of this function.
    while let Some(c) = rest.chars().next() {
        match c {
            '(' | '[' | '<' => depth += 1,
            ')' | ']' => depth -= 1,
            '>' if !parameters[..parameters.len() - rest.len()].ends_with('-') => depth -= 1,
            ':' if depth == 0 => {
                let ty = rest[1..].trim_start().trim_start_matches("&mut ").trim_start_matches('&');
                let is_bool =
                    ty.strip_prefix("bool").is_some_and(|after| !after.starts_with(char::is_alphanumeric));
                n_found += usize::from(is_bool || ty.starts_with('('));
            }
            _ => {}
        }
        rest = &rest[c.len_utf8()..];
    }
    n_found
}

#[test]
fn unclear_parameters_become_fewer() {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for (path, text) in all_sources() {
        let name = shown(&path).split('/').nth(1).unwrap_or_default().to_owned();
        let number: usize = signatures(&text).into_iter().map(unclear).sum();
        *counts.entry(name).or_default() += number;
    }
    let path = root().join("crates/test-kit/tests/layers/parameters.txt");
    let recorded: BTreeMap<String, usize> = read(&path)
        .lines()
        .filter_map(|line| line.split_once(' '))
        .map(|(name, number)| (name.to_owned(), number.parse().expect("a number after each name")))
        .collect();
    let allowed = |name: &str| recorded.get(name).copied().unwrap_or(0);
    let more: Vec<String> = counts
        .iter()
        .filter(|(name, number)| **number > allowed(name))
        .map(|(name, number)| format!("{name}: {number}, and {} were allowed", allowed(name)))
        .collect();
    assert_none("`bool` and tuple parameters of functions that other modules call", &more);
    if is_updating() {
        let lines: String = counts.iter().map(|(name, number)| format!("{name} {number}\n")).collect();
        compare_golden(&path, &lines).expect("the file can be written");
    }
}

#[test]
fn parameters_are_counted() {
    let count = |text: &str| signatures(text).into_iter().map(unclear).sum::<usize>();
    assert_eq!(count("pub fn f(a: bool, b: &(u8, u8)) {}\n"), 2);
    assert_eq!(count("    pub(super) fn f(\n        &self,\n        is_on: bool,\n    ) -> bool {}\n"), 1);
    assert_eq!(count("pub fn f(a: impl Fn(bool) -> bool, b: Vec<(u8, u8)>, c: boolean) {}\n"), 0);
    assert_eq!(count("fn private(a: bool) {}\n// pub fn f(a: bool)\n"), 0);
}
