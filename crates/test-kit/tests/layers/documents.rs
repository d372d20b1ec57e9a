//! Checks that links and file names in the documents lead somewhere.

use super::{assert_none, files, read, root, shown};
use std::path::{Component, Path, PathBuf};

/// Every Markdown file of the repository except those of vendors and tests.
fn documents() -> Vec<PathBuf> {
    let root = root();
    let is_ours = |path: &PathBuf| {
        let name = shown(path);
        name.ends_with(".md") && !name.contains("/tests/") && !name.contains("/vendor/")
    };
    let found: Vec<PathBuf> = files(&root).into_iter().filter(is_ours).collect();
    assert!(found.len() > 20, "the documents were not found");
    found
}

/// The targets of Markdown links that are not addresses of the web.
fn links(text: &str) -> Vec<&str> {
    let targets = text.split("](").skip(1).filter_map(|rest| rest.split_once(')').map(|(target, _)| target));
    targets.filter(|target| !target.contains("://") && !target.contains(' ')).collect()
}

/// The path without `..` and `.`, which need not exist.
fn plain(path: &Path) -> PathBuf {
    path.components().fold(PathBuf::new(), |mut all, part| {
        match part {
            Component::ParentDir => _ = all.pop(),
            Component::CurDir => {}
            part => all.push(part),
        }
        all
    })
}

/// The names by which links refer to the headings of a document.
fn anchors(text: &str) -> Vec<String> {
    let titles = text
        .lines()
        .filter_map(|line| line.trim_start_matches('#').strip_prefix(' ').filter(|_| line.starts_with('#')));
    let anchor = |title: &str| {
        let kept = title.to_lowercase().replace(' ', "-");
        kept.chars().filter(|c| c.is_alphanumeric() || matches!(c, '-' | '_')).collect()
    };
    titles.map(anchor).collect()
}

/// Paths in backticks that begin with a folder of the repository, or, as `fuzz/tests`, perhaps of a crate. Patterns such as `crates/NAME` name nothing.
fn paths(text: &str) -> Vec<&str> {
    const FOLDERS: [&str; 6] = ["crates/", "docs/", "examples/", "integrations/", "fuzz/", ".ci/"];
    let is_path = |word: &&str| {
        let is_plain = word.chars().all(|c| c.is_ascii_alphanumeric() || "_-./".contains(c));
        is_plain && FOLDERS.iter().any(|folder| word.starts_with(folder)) && !has_placeholder(word)
    };
    text.split('`').filter(is_path).collect()
}

/// Whether part of a path is a word in capitals, as in `crates/NAME/src`, which stands for any name.
fn has_placeholder(path: &str) -> bool {
    let is_capital = |part: &str| part.len() > 1 && part.chars().all(|c| c.is_ascii_uppercase());
    path.split(['/', '.']).any(is_capital) && !path.ends_with("README.md")
}

#[test]
fn links_and_files_of_documents_exist() {
    let (root, mut missing) = (root(), Vec::new());
    for document in documents() {
        let text = read(&document);
        let folder = document.parent().expect("a file is in a folder");
        for link in links(&text) {
            let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
            let target = if file.is_empty() { document.clone() } else { plain(&folder.join(file)) };
            let leads =
                target.exists() && (anchor.is_empty() || anchors(&read(&target)).iter().any(|a| a == anchor));
            if !leads {
                missing.push(format!("{}: the link {link}", shown(&document)));
            }
        }
        let gone = paths(&text)
            .into_iter()
            .filter(|path| ![&root, &root.join("crates")].iter().any(|from| from.join(path).exists()));
        missing.extend(gone.map(|path| format!("{}: `{path}`", shown(&document))));
    }
    assert_none("links and files that do not exist", &missing);
}

#[test]
fn links_and_paths_are_found() {
    let text = "[a](b.md#c-d), [w](https://x.y), `crates/text/src`, `crates/NAME/src`, `docs/a b`, `other/x`";
    assert_eq!(links(text), ["b.md#c-d"]);
    assert_eq!(paths(text), ["crates/text/src"]);
    assert_eq!(anchors("# A\ntext\n## Undefined behaviour: `x`\n"), ["a", "undefined-behaviour-x"]);
    assert_eq!(plain(Path::new("/a/b/../c/./d")), Path::new("/a/c/d"));
}
