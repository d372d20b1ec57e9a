//! Runs every command of `examples/README.md` in a copy of its folder and compares the result with the stated
//! figures.

#![allow(clippy::disallowed_methods, clippy::unwrap_used)] // tests start programs and write files

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A row of the table.
struct Example {
    folder: String,
    command: Vec<String>,
    n_bytes: usize,
    at_most: usize,
}

fn examples_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples")
}

/// The rows of the table of failures look like `` | `folder` | what | `nub reduce …` | bytes | at most | ``.
fn examples() -> Vec<Example> {
    let text = fs::read_to_string(examples_folder().join("README.md")).unwrap();
    text.lines().filter_map(example).collect()
}

fn example(line: &str) -> Option<Example> {
    let cells: Vec<&str> =
        line.trim().strip_prefix('|')?.strip_suffix('|')?.split('|').map(str::trim).collect();
    let [folder, _, command, n_bytes, at_most] = cells[..] else { return None };
    let code = |cell: &str| Some(cell.strip_prefix('`')?.strip_suffix('`')?.to_owned());
    Some(Example {
        folder: code(folder)?,
        command: code(command)?.split_whitespace().map(str::to_owned).collect(),
        n_bytes: n_bytes.parse().ok()?,
        at_most: at_most.parse().ok()?,
    })
}

/// A copy, with permissions.
fn copy_of(folder: &Path) -> tempfile::TempDir {
    let copy = tempfile::tempdir().unwrap();
    for entry in folder.read_dir().unwrap() {
        let path = entry.unwrap().path();
        fs::copy(&path, copy.path().join(path.file_name().unwrap())).unwrap();
    }
    copy
}

fn check(example: &Example) {
    let Example { folder: name, command, .. } = example;
    let folder = copy_of(&examples_folder().join(name));
    assert_eq!(fs::read(folder.path().join("bug.smt2")).unwrap().len(), example.n_bytes, "{name}: original");
    assert_eq!(command[0], "nub", "{name}");
    let mut program = Command::new(env!("CARGO_BIN_EXE_nub"));
    let output = program.args(&command[1..]).current_dir(folder.path()).output().unwrap();
    let stdout = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
    let mut lines = stdout.lines();
    assert_eq!(lines.next(), Some("bug.reduced.smt2"), "{name}");
    let reduced = fs::read(folder.path().join("bug.reduced.smt2")).unwrap();
    assert!(
        reduced.len() <= example.at_most,
        "{name}: {} bytes: {}",
        reduced.len(),
        String::from_utf8_lossy(&reduced)
    );
    // The last line reproduces what the original shows.
    let reproduce = lines.next().unwrap();
    assert_eq!(lines.next(), None, "{name}");
    let run = |line: &str| {
        let output = Command::new("sh").args(["-c", line]).current_dir(folder.path()).output().unwrap();
        (output.status, output.stdout)
    };
    let on_original = reproduce.replace("bug.reduced.smt2", "bug.smt2");
    assert_eq!(run(reproduce), run(&on_original), "{name}: {reproduce}");
}

/// What the text says about a folder.
fn section<'t>(text: &'t str, folder: &str) -> &'t str {
    let (_, rest) = text.split_once(&format!("## `{folder}`\n")).unwrap();
    rest.split("\n## ").next().unwrap()
}

/// `examples/explain`: every command explains something.
#[test]
fn the_examples_of_explain() {
    let text = fs::read_to_string(examples_folder().join("README.md")).unwrap();
    let block = section(&text, "explain").split("```").nth(1).unwrap();
    let commands: Vec<&str> = block.strip_prefix("sh\n").unwrap().lines().collect();
    assert_eq!(commands.len(), 3);
    let folder = copy_of(&examples_folder().join("explain"));
    for command in commands {
        let words: Vec<&str> = command.strip_prefix("nub ").unwrap().split_whitespace().collect();
        let mut program = Command::new(env!("CARGO_BIN_EXE_nub"));
        let output = program.args(&words).current_dir(folder.path()).output().unwrap();
        assert!(output.status.success(), "{command}: {}", String::from_utf8_lossy(&output.stderr));
        assert!(String::from_utf8_lossy(&output.stdout).contains("Violated: "), "{command}");
    }
}

/// `examples/cover`: the text contains the command and then its output.
#[test]
fn the_example_of_cover_prints_what_the_readme_says() {
    let text = fs::read_to_string(examples_folder().join("README.md")).unwrap();
    let text = section(&text, "cover");
    let blocks: Vec<&str> = text.split("```").skip(1).step_by(2).collect();
    let [command, printed] = blocks[..] else { panic!("a command and its output") };
    let words: Vec<&str> = command.strip_prefix("sh\nnub ").unwrap().split_whitespace().collect();
    let folder = copy_of(&examples_folder().join("cover"));
    let mut program = Command::new(env!("CARGO_BIN_EXE_nub"));
    let output = program.args(&words).current_dir(folder.path()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(String::from_utf8(output.stdout).unwrap(), printed.strip_prefix("text\n").unwrap());
}

#[test]
fn every_example_of_the_readme() {
    let examples = examples();
    let folders = examples_folder().read_dir().unwrap();
    let n_folders = folders.filter(|entry| entry.as_ref().unwrap().path().is_dir()).count();
    // Three more are for `nub cover`, `nub explain` and programs that embed nub (`crates/jobs/tests/embed.rs`).
    let text = fs::read_to_string(examples_folder().join("README.md")).unwrap();
    assert!(["cover", "explain", "embed"].iter().all(|folder| !section(&text, folder).is_empty()));
    assert_eq!(examples.len() + 3, n_folders, "each folder is in examples/README.md");
    examples.iter().for_each(check);
}
