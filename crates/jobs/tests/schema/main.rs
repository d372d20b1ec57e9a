//! The schema files in `docs/schema` are those that nub prints, `docs/json.md` links each of them, and the JSON of the golden files conforms to them.
#![allow(clippy::unwrap_used)] // tests may panic

mod faults;

use faults::Schema;
use nub_jobs::JsonDocument;
use nub_test_kit::assert_golden;
use std::path::{Path, PathBuf};

fn docs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs")
}

#[test]
fn files_are_what_nub_prints() {
    for document in JsonDocument::ALL {
        assert_golden(&docs().join(format!("schema/{}.json", document.name)), document.schema_text());
    }
}

#[test]
fn every_file_is_of_a_document_and_linked() {
    let text = std::fs::read_to_string(docs().join("json.md")).unwrap();
    let mut n_files = 0;
    for entry in docs().join("schema").read_dir().unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let document = name.strip_suffix(".json").and_then(JsonDocument::named);
        assert!(document.is_some(), "docs/schema/{name} is the schema of nothing");
        assert!(text.contains(&format!("(schema/{name})")), "docs/json.md does not link schema/{name}");
        n_files += 1;
    }
    assert_eq!(n_files, JsonDocument::ALL.len());
}

/// Golden files of what commands print: the folder, the file name (all JSON files if empty) and the schema. A `.jsonl` file has a document in each line.
const PRINTED: [(&str, &str, &str); 12] = [
    ("cli/tests/outputs", "cover.json", "cover"),
    ("cli/tests/outputs", "explain.json", "explain"),
    ("cli/tests/outputs", "cause.json", "cause"),
    ("cli/tests/outputs", "properties.json", "properties"),
    ("cli/tests/outputs", "compare.json", "comparison"),
    ("cli/tests/outputs", "config.json", "config"),
    ("cli/tests/outputs", "fuzz-events.jsonl", "event"),
    ("cli/tests/outputs", "project.jsonl", "event"),
    ("cli/tests/outputs", "solve.jsonl", "event"),
    ("cli/tests/json", "error.json", "event"),
    ("cli/tests/json", "refusal.json", "event"),
    ("cover/tests/golden", "", "cover"),
];

#[test]
fn what_is_printed_keeps_to_its_schema() {
    for (folder, name, document) in PRINTED {
        let schema = serde_json::from_str(&JsonDocument::named(document).unwrap().schema_text()).unwrap();
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(folder);
        let is_meant = |path: &PathBuf| match name {
            "" => path.extension().is_some_and(|extension| extension == "json"),
            name => path.ends_with(name),
        };
        let files: Vec<PathBuf> =
            folder.read_dir().unwrap().map(|entry| entry.unwrap().path()).filter(is_meant).collect();
        assert!(!files.is_empty(), "{name}");
        for file in files {
            let text = std::fs::read_to_string(&file).unwrap();
            let documents = serde_json::Deserializer::from_str(&text).into_iter::<serde_json::Value>();
            for (number, printed) in documents.enumerate() {
                let faults = Schema::new(&schema).faults(&printed.unwrap());
                assert!(faults.is_empty(), "{}, document {}: {faults:#?}", file.display(), number + 1);
            }
        }
    }
}
