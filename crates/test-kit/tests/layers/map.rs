//! Checks that the layer table equals the manifests and the table of `ARCHITECTURE.md`, and that every declared dependency is used.

use super::{LAYERS, assert_none, crates, dependencies, files, read, root, shown};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Each crate and the crates it uses.
type Uses = BTreeMap<String, BTreeSet<String>>;

fn manifests() -> Uses {
    let uses = |folder: &Path| dependencies(&read(&folder.join("Cargo.toml"))).into_iter().collect();
    crates().into_iter().map(|(name, folder)| (name, uses(&folder))).collect()
}

fn table() -> Uses {
    let row = |(name, below): &(&str, &[&str])| {
        ((*name).to_owned(), below.iter().map(|used| (*used).to_owned()).collect())
    };
    LAYERS.iter().map(row).collect()
}

/// The differences between two tables, one per line.
fn differences(what: &str, found: &Uses, expected: &Uses) -> Vec<String> {
    let mut lines = Vec::new();
    for name in found.keys().chain(expected.keys()).collect::<BTreeSet<_>>() {
        let [has, should] = [found, expected].map(|uses| uses.get(name));
        let (Some(has), Some(should)) = (has, should) else {
            lines.push(format!("`{name}` is {} {what}", if has.is_some() { "only in" } else { "not in" }));
            continue;
        };
        lines.extend(has.difference(should).map(|used| format!("{what} says that `{name}` uses `{used}`")));
        lines.extend(should.difference(has).map(|used| format!("{what} lacks that `{name}` uses `{used}`")));
    }
    lines
}

#[test]
fn layers_are_those_of_the_manifests() {
    assert_none(
        "LAYERS and the manifests differ; whoever adds a dependency changes both",
        &differences("LAYERS", &table(), &manifests()),
    );
}

#[test]
fn architecture_shows_the_layers() {
    let known: BTreeSet<String> = crates().into_keys().collect();
    let mut shown = Uses::new();
    let mut layers: BTreeMap<String, u32> = BTreeMap::new();
    for line in read(&root().join("ARCHITECTURE.md")).lines() {
        // | layer | `crate` | what it is | uses |
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let [_, layer, name, _, uses, _] = cells.as_slice() else { continue };
        let name = name.trim_matches('`').to_owned();
        if !known.contains(&name) {
            continue;
        }
        let quoted = uses.split('`').skip(1).step_by(2).map(str::to_owned);
        let named: BTreeSet<String> = quoted.filter(|word| known.contains(word)).collect();
        let is_rest = uses.starts_with("all of the above");
        let all_but = || shown.keys().filter(|above| !named.contains(*above)).cloned().collect();
        let used = if is_rest { all_but() } else { named.clone() };
        shown.insert(name.clone(), used);
        layers.extend(layer.parse().ok().map(|layer| (name, layer)));
    }
    assert_none(
        "the table of crates in ARCHITECTURE.md",
        &differences("ARCHITECTURE.md", &shown, &manifests()),
    );
    for (name, uses) in &shown {
        let Some(layer) = layers.get(name) else { continue };
        let above = uses.iter().find(|used| layers.get(*used).is_some_and(|below| below > layer));
        assert_eq!(above, None, "ARCHITECTURE.md puts what `{name}` uses above it");
    }
}

/// A dependency of a manifest: its section and its name.
fn declared(manifest: &str) -> Vec<(String, String)> {
    let (mut section, mut found) = (String::new(), Vec::new());
    for line in manifest.lines().map(str::trim) {
        if let Some(name) = line.strip_prefix('[') {
            section = name.trim_end_matches(']').to_owned();
        } else if section.ends_with("dependencies") && !line.is_empty() && !line.starts_with('#') {
            let name = line.split(['.', ' ', '=']).next().unwrap_or_default();
            found.push((section.clone(), name.to_owned()));
        }
    }
    found
}

/// The name of a crate in code, not as a part of a longer one.
fn mentions(text: &str, name: &str) -> bool {
    let is_part = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    text.match_indices(name).any(|(at, _)| {
        !is_part(text[..at].chars().next_back()) && !is_part(text[at + name.len()..].chars().next())
    })
}

#[test]
fn every_dependency_is_used() {
    let mut unused = Vec::new();
    for folder in crates().values() {
        let code = |parts: &[&str]| -> String {
            let folders = parts.iter().map(|part| folder.join(part)).filter(|part| part.is_dir());
            let all = folders.flat_map(|part| files(&part));
            all.filter(|path| path.extension().is_some_and(|ext| ext == "rs"))
                .map(|path| read(&path))
                .collect()
        };
        let (own, all) = (code(&["src"]), code(&["src", "tests", "examples", "benches"]));
        let manifest = folder.join("Cargo.toml");
        for (section, name) in declared(&read(&manifest)) {
            let text = if section.contains("dev-dependencies") { &all } else { &own };
            if !mentions(text, &name.replace('-', "_")) {
                unused.push(format!("{}: `{name}` in [{section}]", shown(&manifest)));
            }
        }
    }
    assert_none("dependencies that nothing uses", &unused);
}

#[test]
fn declarations_and_mentions_are_told_apart() {
    let manifest = "[package]\nname = \"x\"\n[dependencies]\n# why\na.workspace = true\nb-c = \"1\"\n[dev-dependencies]\nd = { version = \"2\" }\n";
    let found = declared(manifest);
    assert_eq!(found.iter().map(|(_, name)| name.as_str()).collect::<Vec<_>>(), ["a", "b-c", "d"]);
    assert!(mentions("use nub_text::Span;", "nub_text"));
    assert!(!mentions("use nub_textual::Span; my_nub_text", "nub_text"));
}

/// Files and folders that a text in backticks names: `a/{b,c}.rs` names two. Patterns and other words name none.
fn named_files(text: &str) -> Vec<String> {
    let known: BTreeSet<String> = crates().into_keys().collect();
    let is_path = |word: &&str| {
        let plain = word.chars().all(|c| c.is_ascii_alphanumeric() || "_-./{},".contains(c));
        let of_crate = word.split_once('/').is_some_and(|(name, _)| known.contains(name));
        plain && !word.contains("NAME") && !word.contains("THEORY") && (word.ends_with(".rs") || of_crate)
    };
    let mut found = Vec::new();
    for word in text.split('`').skip(1).step_by(2).filter(is_path) {
        match word.split_once('{').and_then(|(head, rest)| Some((head, rest.split_once('}')?))) {
            Some((head, (list, tail))) => {
                found.extend(list.split(',').map(|part| format!("{head}{part}{tail}")));
            }
            None => found.push(word.to_owned()),
        }
    }
    found
}

#[test]
fn architecture_names_files_that_exist() {
    let root = root();
    let all: Vec<String> = files(&root).iter().map(|path| shown(path)).collect();
    // A file, or a folder on the way to one.
    let is_at = |path: &str, end: &str| {
        let path = format!("/{path}");
        path.ends_with(&format!("/{end}")) || path.contains(&format!("/{end}/"))
    };
    let exists = |name: &String| {
        let name = name.trim_end_matches('/');
        let (of, rest) = name.split_once('/').unwrap_or(("", name));
        let below = format!("crates/{of}/");
        all.iter().any(|path| is_at(path, name) || path.starts_with(&below) && is_at(path, rest))
    };
    let text = read(&root.join("ARCHITECTURE.md"));
    let missing: Vec<String> = named_files(&text).into_iter().filter(|name| !exists(name)).collect();
    assert_none("files that ARCHITECTURE.md names and that do not exist", &missing);
}

#[test]
fn names_of_files_are_told_from_other_words() {
    let text = "`lexer.rs`, `store/tests/{commit,kill}.rs`, `generate/script`, `smtlib/NAME.rs`, `OUT.nub/`, `Engine::run`";
    assert_eq!(
        named_files(text),
        ["lexer.rs", "store/tests/commit.rs", "store/tests/kill.rs", "generate/script"]
    );
}
