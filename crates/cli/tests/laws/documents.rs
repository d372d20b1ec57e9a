//! Every command line in the documents has options that exist, read from clap's own tables.

use super::options::commands;
use clap::Command;
use std::path::{Path, PathBuf};

/// README, the book, the notes and the examples.
fn documents() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let in_folder = |folder: &str| -> Vec<PathBuf> {
        let entries = std::fs::read_dir(root.join(folder)).expect("a folder of the repository");
        let mut found: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
        found.retain(|path| path.extension().is_some_and(|extension| extension == "md"));
        found.sort();
        found
    };
    let paths = ["", "docs", "docs/notes", "examples", "bench"].into_iter().flat_map(in_folder);
    let named = |path: PathBuf| {
        let text = std::fs::read_to_string(&path).expect("a document");
        (path.file_name().expect("a name").to_string_lossy().into_owned(), text)
    };
    paths.map(named).collect()
}

/// Pieces of code: lines of blocks, and what is in backticks elsewhere.
fn code(text: &str) -> Vec<&str> {
    let (mut found, mut is_block) = (Vec::new(), false);
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            is_block = !is_block;
        } else if is_block || line.starts_with("    ") {
            found.push(line.trim_start_matches(['$', ' ']));
        } else {
            found.extend(line.split('`').skip(1).step_by(2));
        }
    }
    found
}

/// The words of a command of nub: before a comment, a pipe, and `--`, after which options belong to another program.
fn words(code: &str) -> Option<Vec<&str>> {
    let own = code.strip_prefix("nub ")?;
    Some(own.split(' ').take_while(|word| !matches!(*word, "#" | "|" | "--" | "&&" | ">")).collect())
}

/// The options among words, without values.
fn long_options<'w>(words: &'w [&str]) -> impl Iterator<Item = &'w str> {
    let name = |word: &'w &str| word.trim_matches(['[', ']', ',', '.', ')']).strip_prefix("--");
    let is_name = |name: &&str| name.starts_with(|c: char| c.is_ascii_lowercase());
    words.iter().filter_map(name).map(|name| name.split('=').next().unwrap_or(name)).filter(is_name)
}

fn has(command: &Command, option: &str) -> bool {
    let is_it = |name: &str| name == option;
    let mut arguments = command.get_arguments();
    matches!(option, "help" | "version")
        || arguments.any(|arg| {
            arg.get_long().is_some_and(is_it)
                || arg.get_all_aliases().is_some_and(|all| all.iter().any(|name| is_it(name)))
        })
}

#[test]
fn options_in_documents_exist() {
    let commands = commands();
    let mut n_options = 0;
    for (document, text) in documents() {
        for line in code(&text) {
            let Some(words) = words(line) else { continue };
            // ddSMT's options are not clap's; `nub FILE` guesses its command.
            let Some(first) = words.first().filter(|first| **first != "ddsmt") else { continue };
            let longer = words.get(1).map(|second| format!("nub {first} {second}"));
            let find = |name: &str| commands.iter().find(|(known, _)| known == name);
            let found = longer.and_then(|name| find(&name)).or_else(|| find(&format!("nub {first}")));
            let Some((name, command)) = found else { continue };
            for option in long_options(&words) {
                n_options += 1;
                assert!(has(command, option), "{document}: {name} has no --{option}: {line}");
            }
        }
    }
    assert!(n_options > 100, "only {n_options} options were found");
}

#[test]
fn command_lines_are_taken_apart() {
    let text =
        "Use `nub cover f.c --tests=a.csv`.\n```sh\n$ nub reduce x --hang -- z3 --other   # --not\n```\n";
    let lines: Vec<_> = code(text).into_iter().filter_map(words).collect();
    assert_eq!(lines, [vec!["cover", "f.c", "--tests=a.csv"], vec!["reduce", "x", "--hang"]]);
    assert_eq!(long_options(&lines[0]).collect::<Vec<_>>(), ["tests"]);
}
