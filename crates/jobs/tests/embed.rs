//! The example of an embedding program, run.
#![allow(clippy::unwrap_used)] // tests may panic

#[path = "../../../examples/embed/main.rs"]
mod embed;

use nub_jobs::{JobEvent, JobFolder, JobRequest};

#[test]
fn the_example_reduces_and_covers() {
    let folder = tempfile::tempdir().unwrap();
    embed::prepare(folder.path()).unwrap();
    let mut lines = Vec::new();
    embed::embed(folder.path(), &mut |line| lines.push(line)).unwrap();
    let text = lines.join("\n");
    assert_eq!(std::fs::read(folder.path().join("list.reduced.txt")).unwrap(), b"needle\n", "{text}");
    assert!(text.contains("bytes left after") && text.contains("\"type\":\"end\""), "{text}");
    assert!(text.contains("3 tests cover clamp"), "{text}");
    let opened = JobFolder::open(&folder.path().join("clamp.job")).unwrap();
    assert!(matches!(&opened.request, JobRequest::Cover(job) if job.function.input.ends_with("clamp.c")));
    assert!(
        opened.events.iter().any(|event| matches!(event, JobEvent::Document(found) if found.of == "cover"))
    );
    assert!(folder.path().join("clamp.job/report.json").is_file());
    let source = include_str!("../../../examples/embed/main.rs");
    assert!(source.lines().count() <= 100, "an embedding program is short");
}
