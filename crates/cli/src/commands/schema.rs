//! `nub schema [NAME]`: the JSON schemas of nub's output.

use crate::exit::Exit;
use crate::reporter::print;
use nub_jobs::{Failure, JsonDocument};

/// Prints the schema, or the names of all.
pub fn run(name: Option<&str>) -> Result<Exit, Failure> {
    let Some(name) = name else {
        let line = |document: JsonDocument| format!("{:<11} {}\n", document.name, document.printed_by);
        return print(JsonDocument::ALL.map(line).concat().as_bytes());
    };
    let names = JsonDocument::ALL.map(|document| document.name).join(", ");
    let document = JsonDocument::named(name)
        .ok_or_else(|| Failure::usage(format!("there is no schema `{name}`")).with_hint(names))?;
    print(document.schema_text().as_bytes())
}
