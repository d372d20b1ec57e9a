//! Public types have unique names, so that searching for a name finds one type.
//!
//! `type_names.txt` lists the names that are public in more than one place, and how often. No name may be added and no number increased;
//! after a rename, `UPDATE_EXPECT=1 cargo test -p nub-test-kit --test layers` shortens the list. It never lengthens it.

use super::{all_sources, assert_none, read, root, shown};
use nub_test_kit::{compare_golden, is_updating};
use std::collections::BTreeMap;

/// The name of the public type that a line declares.
fn declared(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("pub ")?;
    let kinds = ["struct ", "enum ", "trait ", "type ", "union "];
    let name = kinds.iter().find_map(|kind| rest.strip_prefix(kind))?;
    name.split(|c: char| !c.is_alphanumeric() && c != '_').next().filter(|name| !name.is_empty())
}

#[test]
fn public_type_names_are_unique() {
    let mut places: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (path, text) in all_sources() {
        // Only types at the top level of a module; an associated type is indented.
        for name in text.lines().filter_map(declared) {
            places.entry(name.to_owned()).or_default().push(shown(&path));
        }
    }
    places.retain(|_, places| places.len() > 1);
    let path = root().join("crates/test-kit/tests/layers/type_names.txt");
    let recorded: BTreeMap<String, usize> = read(&path)
        .lines()
        .filter_map(|line| line.split_once(' '))
        .map(|(name, number)| (name.to_owned(), number.parse().expect("a number after each name")))
        .collect();
    let more: Vec<String> = places
        .iter()
        .filter(|(name, places)| places.len() > recorded.get(*name).copied().unwrap_or(1))
        .map(|(name, places)| format!("{name}: {}", places.join(", ")))
        .collect();
    assert_none("public types of one name; a name says which of them it is", &more);
    if is_updating() {
        let lines: String =
            places.iter().map(|(name, places)| format!("{name} {}\n", places.len())).collect();
        compare_golden(&path, &lines).expect("the file can be written");
    }
}

#[test]
fn declarations_are_found() {
    assert_eq!(declared("pub struct Pool<T> {"), Some("Pool"));
    assert_eq!(declared("pub enum Answer {"), Some("Answer"));
    assert_eq!(declared("pub(crate) struct Hidden;"), None);
    assert_eq!(declared("    pub struct Inner;"), None);
    assert_eq!(declared("pub fn structure() {}"), None);
}
