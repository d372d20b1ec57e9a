//! Public JSON has its types in `report`, and nowhere else.
//!
//! A type with a schema is public: `nub schema` prints it. So only `report` may name `JsonSchema`. Other crates serialise only private
//! formats, which only the same version of nub reads. Each such crate is listed here with the reason.

use super::{assert_none, crates, shown, sources};

/// Crates that serialise private formats, and what these are.
const PRIVATE_FORMATS: &[(&str, &str)] = &[
    ("process", "how a program ended, in journals and in messages between machines"),
    ("fuzz", "the journal of a campaign, and units of work for other machines"),
    ("fleet", "messages between machines of one protocol version"),
    (
        "jobs",
        "requests, which a job's folder keeps so that it can be opened again; tasks of its worker processes; data of the page",
    ),
    ("workbench", "what the page and its server say to each other"),
    ("page", "the data inside of a report page, which brings its own reader"),
];

/// A line of code, without its comment.
fn code(line: &str) -> &str {
    line.split("//").next().unwrap_or(line)
}

#[test]
fn schemas_are_made_in_report_alone() {
    let mut found = Vec::new();
    for (name, folder) in crates().into_iter().filter(|(name, _)| name != "report") {
        for (path, text) in sources(&folder) {
            let has_schema = text
                .lines()
                .map(code)
                .any(|line| line.contains("JsonSchema") || line.contains("schema_for!"));
            if has_schema {
                found.push(format!("{}: `{name}` has a public format", shown(&path)));
            }
        }
    }
    assert_none("public JSON outside of `report`", &found);
}

#[test]
fn private_formats_have_a_reason() {
    let mut found = Vec::new();
    let mut used = Vec::new();
    for (name, folder) in crates().into_iter().filter(|(name, _)| name != "report") {
        let serialises = |text: &str| text.lines().map(code).any(|line| line.contains("Serialize"));
        let files: Vec<String> = sources(&folder)
            .into_iter()
            .filter(|(_, text)| serialises(text))
            .map(|(path, _)| shown(&path))
            .collect();
        match PRIVATE_FORMATS.iter().any(|(private, _)| *private == name) {
            true if files.is_empty() => used.push(format!("`{name}` is listed and serialises nothing")),
            true => {}
            false => found.extend(files),
        }
    }
    assert_none("types that can be serialised, in crates without a private format", &found);
    assert_none("exceptions that are not needed", &used);
}

#[test]
fn comments_are_not_code() {
    assert_eq!(code("use a::Serialize; // why"), "use a::Serialize; ");
    assert_eq!(code("/// `JsonSchema`"), "");
}
