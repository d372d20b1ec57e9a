//! The schema files in `docs/schema` are those that nub prints, and `docs/json.md` links each of them.
#![allow(clippy::unwrap_used)] // tests may panic

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
