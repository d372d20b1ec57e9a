//! What can be violated, by name.

use super::place::long;
use crate::story::PropertyText;
use std::fmt::Write;

/// One line per property: name, rule and place.
pub fn properties(list: &[PropertyText]) -> String {
    let width = list.iter().map(|property| property.id.chars().count()).max().unwrap_or(0);
    let mut out = String::new();
    for property in list {
        // Writing to a string does not fail.
        let _ = writeln!(out, "{:width$}  {} ({})", property.id, property.text, long(&property.place));
    }
    out
}
