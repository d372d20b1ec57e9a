//! Plain English: the number of translated idioms may only fall.
//!
//! The glossary (`docs/glossary.md`) says what to write instead. `phrases.txt` has the number of each crate; it may only fall. After a
//! crate was rewritten, `UPDATE_EXPECT=1 cargo test -p nub-test-kit --test layers` lowers the number. It never raises one.

use super::{files, read, root};
use nub_test_kit::{compare_golden, is_updating};
use std::collections::BTreeMap;
use std::path::Path;

/// A phrase, and the words before or after it with which it is good English.
struct Phrase {
    text: &'static str,
    not_after: &'static [&'static str],
    not_before: &'static [&'static str],
}

const fn phrase(text: &'static str) -> Phrase {
    Phrase { text, not_after: &[], not_before: &[] }
}

/// Each is searched for as whole words. They occur only in comments and strings: none of them is valid Rust.
const PHRASES: &[Phrase] = &[
    phrase("come to"),
    phrase("comes to"),
    phrase("came to"),
    phrase("coming to"),
    phrase("anew"),
    phrase("so many"),
    phrase("so few"),
    phrase("so often"),
    phrase("leave away"),
    phrase("leaves away"),
    phrase("left away"),
    phrase("what is there"),
    phrase("is not there"),
    phrase("are not there"),
    phrase("time is over"),
    phrase("time was over"),
    phrase("will not do"),
    phrase("which is else"),
    phrase("counts for nothing"),
    phrase("its like"),
    phrase("their like"),
    phrase("dies of"),
    phrase("died of"),
    phrase("without a word"),
    phrase("as last argument"),
    phrase("rounds of each loop"),
    Phrase { text: "stands", not_after: &[], not_before: &["for"] },
    Phrase {
        text: "is no",
        not_after: &["there", "answer"],
        not_before: &["longer", "more", "less", "such", "way"],
    },
    Phrase { text: "are no", not_after: &["there"], not_before: &["longer", "more", "less", "such"] },
];

/// How often the phrases occur in a text.
fn count(text: &str) -> usize {
    // Joins the words across lines, because comments are wrapped.
    let words: Vec<String> = text
        .split(|c: char| c.is_whitespace() || c == '"' || c == '(')
        .filter(|word| !matches!(*word, "" | "//" | "///" | "//!" | "#" | "|"))
        .map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()).to_ascii_lowercase())
        .collect();
    let is_at = |at: usize, list: &[&str]| words.get(at).is_some_and(|word| list.contains(&word.as_str()));
    let mut n_found = 0;
    for phrase in PHRASES {
        let parts: Vec<&str> = phrase.text.split(' ').collect();
        n_found += words
            .windows(parts.len())
            .enumerate()
            .filter(|(at, window)| {
                window.iter().zip(&parts).all(|(word, part)| word == part)
                    && !(*at > 0 && is_at(at - 1, phrase.not_after))
                    && !is_at(at + parts.len(), phrase.not_before)
            })
            .count();
    }
    n_found
}

fn count_below(folder: &Path) -> usize {
    let is_text =
        |path: &Path| path.extension().is_some_and(|ext| ext == "rs" || ext == "md" || ext == "txt");
    let texts = files(folder).into_iter().filter(|path| is_text(path) && !path.ends_with("layers/words.rs"));
    texts.map(|path| count(&read(&path))).sum()
}

#[test]
fn translated_phrases_become_fewer() {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for part in ["docs", "bench", "examples"] {
        counts.insert(part.to_owned(), count_below(&root().join(part)));
    }
    let pages =
        ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"].map(|page| count(&read(&root().join(page))));
    counts.insert("pages".to_owned(), pages.iter().sum());
    for (name, folder) in super::crates() {
        counts.insert(format!("crates/{name}"), count_below(&folder));
    }
    let path = root().join("crates/test-kit/tests/layers/phrases.txt");
    let recorded: BTreeMap<String, usize> = read(&path)
        .lines()
        .filter_map(|line| line.split_once(' '))
        .map(|(name, number)| (name.to_owned(), number.parse().expect("a number after each name")))
        .collect();
    let mut more = Vec::new();
    for (name, number) in &counts {
        let allowed = recorded.get(name).copied().unwrap_or(0);
        if *number > allowed {
            more.push(format!("{name}: {number}, and {allowed} were allowed"));
        }
    }
    super::assert_none("translated phrases (docs/glossary.md says what to write instead)", &more);
    if is_updating() {
        let lines: String = counts.iter().map(|(name, number)| format!("{name} {number}\n")).collect();
        compare_golden(&path, &lines).expect("the file can be written");
    }
}

#[test]
fn phrases_are_found_across_lines_and_not_in_good_sentences() {
    assert_eq!(count("/// The goal that is come\n/// to is built anew."), 2);
    assert_eq!(
        count("a digit stands alone; X stands for Y; it is no goal; there is no goal; is no longer"),
        2
    );
    assert_eq!(count("Stop after N seconds; format!(\"there is no job\"); the answer is no"), 0);
}
