//! The structure of the code: which crate uses which, how long files and functions are, and what must not
//! occur.
//!
//! `clippy.toml` says which functions are reserved for one crate; this test checks the rest. Manifests and sources are read as text. The
//! modules: `map` (layers, `ARCHITECTURE.md`, unused dependencies), `json` (public formats), `words` (phrases), `names` (types),
//! `parameters`, `errors`, `commits`.

#![allow(clippy::unwrap_used)] // tests may panic

#[path = "layers/commits.rs"]
mod commits;
#[path = "layers/documents.rs"]
mod documents;
#[path = "layers/errors.rs"]
mod errors;
#[path = "layers/json.rs"]
mod json;
#[path = "layers/map.rs"]
mod map;
#[path = "layers/names.rs"]
mod names;
#[path = "layers/parameters.rs"]
mod parameters;
#[path = "layers/words.rs"]
mod words;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The layers: each crate, and the crates of ours that it uses, no more and no fewer. Tests may use more (`dev-dependencies`).
const LAYERS: &[(&str, &[&str])] = &[
    ("text", &[]),
    ("random", &[]),
    // `random` for `check`, which tests of other crates use.
    ("bitvec", &["random"]),
    // `bitvec` for the values of a run, which are not part of its JSON.
    ("report", &["bitvec"]),
    ("smtlib", &["text"]),
    // `bitvec` for its values alone.
    ("btor", &["text", "bitvec"]),
    ("dimacs", &["text"]),
    ("process", &[]),
    ("store", &[]),
    ("oracle", &["process", "store"]),
    // `oracle` for registered commands, and for masks of outputs that are compared.
    ("fleet", &["oracle", "process", "store"]),
    ("cnf", &["bitvec"]),
    // `bitvec` for claims about terms alone.
    ("sat", &["bitvec", "cnf", "process", "report"]),
    ("solve", &["smtlib", "btor", "dimacs", "bitvec", "cnf", "sat", "text"]),
    ("edits", &["smtlib", "btor", "dimacs", "bitvec", "text", "random"]),
    ("generate", &["smtlib", "btor", "dimacs", "bitvec", "text", "random"]),
    // `process` for `Cancel` alone.
    ("reduce", &["edits", "oracle", "store", "process", "smtlib", "btor", "dimacs", "text", "random"]),
    ("c-syntax", &["text"]),
    ("c-ir", &["c-syntax", "text", "bitvec"]),
    ("unroll", &["c-ir", "bitvec", "text"]),
    ("harness", &["unroll", "c-ir", "bitvec", "report"]),
    ("repair", &["unroll", "c-ir", "c-syntax", "bitvec", "cnf", "sat", "random", "text", "report"]),
    (
        "explain",
        &[
            "repair", "harness", "unroll", "c-ir", "c-syntax", "bitvec", "cnf", "sat", "random", "text",
            "report",
        ],
    ),
    ("cover", &["harness", "unroll", "c-ir", "c-syntax", "bitvec", "cnf", "sat", "random", "text", "report"]),
    (
        "fuzz",
        &["generate", "reduce", "solve", "oracle", "process", "store", "smtlib", "btor", "dimacs", "random"],
    ),
    ("page", &[]),
    (
        "jobs",
        &[
            "text", "bitvec", "smtlib", "btor", "dimacs", "process", "store", "sat", "solve", "oracle",
            "fleet", "edits", "generate", "reduce", "report", "page", "fuzz", "c-syntax", "c-ir", "unroll",
            "harness", "cover", "explain",
        ],
    ),
    // Besides `jobs`: crates whose types it prints or reads from arguments. `process` for the console alone.
    ("workbench", &["jobs", "page", "generate", "process", "store"]),
    ("ddsmt", &["jobs", "smtlib"]),
    ("cli", &["workbench", "ddsmt", "jobs", "report", "cover", "explain", "generate", "store"]),
    ("test-kit", &["store", "random"]),
];

/// Crates whose sources may allow the methods that `clippy.toml` reserves.
const MAY_ALLOW_RESERVED: &[&str] = &["process", "store", "cli", "test-kit"];
/// The one crate with `unsafe`.
const MAY_BE_UNSAFE: &[&str] = &["process"];
const MAX_FILE_LINES: usize = 450;
/// Files that exceed the limit, with their length. The numbers may only fall, and no file may be added.
const LONG_FILES: &[(&str, usize)] = &[];
const MAX_FUNCTION_LINES: usize = 75;
/// `cli` is arguments, printing and exit codes. What is more belongs to `jobs`. Tests at the end of a file are not counted.
const MAX_CLI_LINES: usize = 4_000;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// All files below a folder, in order, without hidden files and build results.
fn files(folder: &Path) -> Vec<PathBuf> {
    const MAX_FILES: usize = 100_000;
    let mut found = Vec::new();
    let mut todo = vec![folder.to_path_buf()];
    while let Some(folder) = todo.pop() {
        for entry in folder.read_dir().unwrap().map(Result::unwrap) {
            let name = entry.file_name().to_string_lossy().into_owned();
            let kind = entry.file_type().unwrap();
            if kind.is_dir() && !is_skipped(&name) {
                todo.push(entry.path());
            } else if kind.is_file() {
                found.push(entry.path());
            }
        }
        assert!(found.len() < MAX_FILES);
    }
    found.sort();
    found
}

/// Not tracked, or not ours.
fn is_skipped(name: &str) -> bool {
    name == ".git"
        || name.starts_with("target")
        || name == "nub-demo"
        || name.ends_with(".nub")
        || matches!(name, "corpus" | "artifacts" | "vendor")
}

fn read(path: &Path) -> String {
    String::from_utf8_lossy(&std::fs::read(path).unwrap()).into_owned()
}

fn crates() -> BTreeMap<String, PathBuf> {
    let folders = root().join("crates").read_dir().unwrap().map(|entry| entry.unwrap().path());
    let with_manifest = folders.filter(|folder| folder.join("Cargo.toml").is_file());
    with_manifest.map(|folder| (folder.file_name().unwrap().to_string_lossy().into_owned(), folder)).collect()
}

/// Rust files of one crate below `src`.
fn sources(folder: &Path) -> Vec<(PathBuf, String)> {
    let rust =
        files(&folder.join("src")).into_iter().filter(|path| path.extension().is_some_and(|ext| ext == "rs"));
    rust.map(|path| (path.clone(), read(&path))).collect()
}

fn all_sources() -> Vec<(PathBuf, String)> {
    crates().values().flat_map(|folder| sources(folder)).collect()
}

/// The crates of ours that a manifest names in `[dependencies]` or `[build-dependencies]`, for any target.
fn dependencies(manifest: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut counts = false;
    for line in manifest.lines().map(str::trim) {
        if let Some(section) = line.strip_prefix('[') {
            counts = section.contains("dependencies") && !section.contains("dev-dependencies");
            // `[dependencies.nub-text]`
            if let Some((_, name)) =
                section.trim_end_matches(']').split_once("dependencies.nub-").filter(|_| counts)
            {
                found.push(name.to_owned());
            }
        } else if let Some(rest) = line.strip_prefix("nub-").filter(|_| counts) {
            found.push(rest.split(['.', ' ', '=']).next().unwrap_or_default().to_owned());
        }
    }
    found
}

#[track_caller]
fn assert_none(what: &str, found: &[String]) {
    assert!(found.is_empty(), "{what}:\n  {}", found.join("\n  "));
}

fn shown(path: &Path) -> String {
    path.strip_prefix(root()).unwrap_or(path).display().to_string()
}

#[test]
fn layers_have_no_cycle() {
    // Every crate uses only crates listed before it.
    for (index, (name, below)) in LAYERS.iter().enumerate() {
        for lower in *below {
            let before = LAYERS[..index].iter().any(|(earlier, _)| earlier == lower);
            assert!(before, "`{name}` uses `{lower}`, which is not listed before it");
        }
    }
}

#[test]
fn dependencies_are_read_from_manifests() {
    let manifest = "[package]\nname = \"nub-x\"\n[dependencies]\nnub-a.workspace = true\nnub-b = { path = \"b\" }\n\
                    [dev-dependencies]\nnub-c.workspace = true\n[dependencies.nub-d]\npath = \"d\"\n\
                    [target.'cfg(unix)'.dependencies]\nnub-e.workspace = true\n";
    assert_eq!(dependencies(manifest), ["a", "b", "d", "e"]);
}

#[test]
fn files_are_short() {
    let lengths = all_sources().into_iter().map(|(path, text)| (path, text.lines().count()));
    let long: Vec<String> = lengths
        .filter(|(path, n_lines)| {
            let allowed = LONG_FILES.iter().find(|(long, _)| shown(path) == *long);
            *n_lines > allowed.map_or(MAX_FILE_LINES, |(_, allowed)| *allowed)
        })
        .map(|(path, n_lines)| format!("{}: {n_lines} lines", shown(&path)))
        .collect();
    assert_none(&format!("files over {MAX_FILE_LINES} lines"), &long);
}

#[test]
fn the_program_is_thin() {
    let own = all_sources().into_iter().filter(|(path, _)| shown(path).starts_with("crates/cli/src/"));
    let source = |text: &str| {
        text.split("#[cfg(test)]\nmod tests {").next().map_or(0, |source| source.lines().count())
    };
    let n_lines: usize = own.map(|(_, text)| source(&text)).sum();
    assert!(
        n_lines > 0 && n_lines <= MAX_CLI_LINES,
        "crates/cli/src has {n_lines} lines, at most {MAX_CLI_LINES}"
    );
}

#[test]
fn functions_are_short() {
    let mut long = Vec::new();
    for (path, text) in all_sources() {
        for (start, n_lines) in functions(&text) {
            if n_lines > MAX_FUNCTION_LINES {
                long.push(format!("{}:{start}: {n_lines} lines", shown(&path)));
            }
        }
    }
    assert_none(&format!("functions over {MAX_FUNCTION_LINES} lines"), &long);
}

/// First line and number of lines of every function, by indentation: rustfmt puts the closing brace below the `fn`.
fn functions(text: &str) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut open: Option<(usize, usize)> = None;
    for (index, line) in text.lines().enumerate() {
        let indent = line.len() - line.trim_start().len();
        match open {
            None if is_function(line.trim_start()) && !line.ends_with(['}', ';']) => {
                open = Some((index, indent))
            }
            Some((start, at)) if indent == at && line.trim_start().starts_with('}') => {
                found.push((start + 1, index - start + 1));
                open = None;
            }
            // A method without a body, over several lines.
            Some((_, at)) if indent == at && line.ends_with(';') => open = None,
            _ => {}
        }
    }
    found
}

fn is_function(line: &str) -> bool {
    let mut words = line.split_whitespace();
    let is_before_fn = |word: &&str| {
        word.starts_with("pub") || matches!(*word, "const" | "async" | "unsafe" | "extern" | "\"C\"")
    };
    words.find(|word| !is_before_fn(word)) == Some("fn")
}

#[test]
fn functions_are_found() {
    let text = "pub(crate) fn a() {\n    b();\n}\n\nimpl X {\n    fn c(&self) {}\n    fn d(\n        x: u8,\n    ) -> u8 {\n        x\n    }\n}\n";
    assert_eq!(functions(text), [(1, 3), (7, 5)], "the `)` line of a signature ends nothing");
}

#[test]
fn nothing_is_unfinished_or_switched_off() {
    // Written in two parts so that this file does not match.
    let words =
        [["todo", "!("], ["unimplemented", "!("], ["#[", "ignore"], ["assert!", "(true)"], ["dbg", "!("]];
    let mut found = Vec::new();
    for path in
        files(&root().join("crates")).iter().filter(|path| path.extension().is_some_and(|ext| ext == "rs"))
    {
        for (index, line) in read(path).lines().enumerate() {
            if words.iter().any(|parts| line.contains(&parts.concat())) {
                found.push(format!("{}:{}: {}", shown(path), index + 1, line.trim()));
            }
        }
    }
    assert_none("unfinished code or switched-off tests", &found);
}

#[test]
fn no_paths_of_one_machine() {
    let paths = [["/wor", "k/"], ["/roo", "t/"], ["/home", "/"]];
    let texts = ["rs", "toml", "md", "sh", "py", "smt2", "yml", "json", "txt", "js", "html", "css"];
    let mut found = Vec::new();
    for path in files(&root()) {
        let extension = path.extension().unwrap_or_default().to_string_lossy().into_owned();
        if !texts.contains(&extension.as_str())
            && !matches!(path.file_name(), Some(name) if name == "test" || name == "run")
        {
            continue;
        }
        for (index, line) in read(&path).lines().enumerate() {
            if paths.iter().any(|parts| line.contains(&parts.concat())) {
                found.push(format!("{}:{}: {}", shown(&path), index + 1, line.trim()));
            }
        }
    }
    assert_none("paths that exist on one machine only", &found);
}

#[test]
fn reserved_methods_are_allowed_where_they_belong() {
    let mut found = Vec::new();
    for (name, folder) in crates() {
        if MAY_ALLOW_RESERVED.contains(&name.as_str()) {
            continue;
        }
        for (path, text) in sources(&folder) {
            // Test code within a source file comes last.
            let code = text.split("#[cfg(test)]").next().unwrap_or_default();
            let is_code = |line: &&str| !line.trim_start().starts_with("//");
            let code: String = code.lines().filter(is_code).collect();
            for lint in
                ["disallowed_methods", "disallowed_types", "print_stdout", "print_stderr", "clippy::exit"]
            {
                if code.contains(lint) {
                    found.push(format!("{}: {lint}", shown(&path)));
                }
            }
        }
    }
    assert_none(&format!("lints that only {} may allow", MAY_ALLOW_RESERVED.join(", ")), &found);
}

#[test]
fn unsafe_code_is_in_one_crate() {
    for (name, folder) in crates() {
        let manifest = read(&folder.join("Cargo.toml"));
        let inherits = manifest.contains("[lints]\nworkspace = true");
        let may = MAY_BE_UNSAFE.contains(&name.as_str());
        assert!(inherits || may, "`{name}` must take the lints of the workspace: they forbid `unsafe`");
    }
    assert!(read(&root().join("Cargo.toml")).contains("unsafe_code = \"forbid\""));
}

#[test]
fn every_crate_opens_with_prose() {
    for (name, folder) in crates() {
        let main = ["src/lib.rs", "src/main.rs"]
            .map(|path| folder.join(path))
            .into_iter()
            .find(|path| path.is_file());
        let text = read(&main.unwrap_or_else(|| panic!("`{name}` has neither lib.rs nor main.rs")));
        assert!(
            text.starts_with("//! "),
            "`{name}` must open with a doc comment: what it does, its main types"
        );
    }
}
