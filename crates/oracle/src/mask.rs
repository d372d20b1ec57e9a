//! Hides what changes from run to run: addresses, numbers, names of our own files.
//!
//! | before | after |
//! |---|---|
//! | `==25653==ERROR: X on address 0x602000000010` | `==#==ERROR: X on address <addr>` |
//! | `/tmp/nub-1/w3/bug.smt2:12.34: bad` | `<file>: bad` |
//! | `line 51 column 10: invalid` | `<pos>: invalid` |
//! | `solved in 0.03s` | `solved in #s` |
//! | `CVC4`, `x12` | the same: part of a word |
//! | `at ./src/smt/check_models.cpp:144` | the same: positions in the program say which bug |
//! | `(/opt/prog+0x11e5)` | the same: an offset inside the program |
//! | `unknown sort 'Array'` | `unknown sort <name>`, with [`mask_names`] only |
//! | `expecting ','` | the same: not a name |

use std::sync::LazyLock;

use regex::{Captures, Regex};

/// The names a run saw, to be hidden in its output.
#[derive(Clone, Debug, Default)]
pub struct MaskedNames {
    /// Longest first: the candidate's path, its folder, its bare name.
    replacements: Vec<(String, &'static str)>,
}

impl MaskedNames {
    /// Hides the candidate at `path`, and `folder`, which holds what belongs to this run only.
    #[must_use]
    pub fn new(path: &std::path::Path, folder: Option<&std::path::Path>) -> MaskedNames {
        let mut replacements = vec![(path.to_string_lossy().into_owned(), "<file>")];
        if let Some(folder) = folder {
            replacements.push((folder.to_string_lossy().into_owned(), "<tmp>"));
        }
        if let Some(name) = path.file_name() {
            let name = name.to_string_lossy();
            // A name such as `a` would be found inside words.
            if name.len() >= 3 && name.contains('.') {
                replacements.push((name.into_owned(), "<file>"));
            }
        }
        MaskedNames { replacements }
    }

    fn hide(&self, text: &str) -> String {
        let mut hidden = text.to_owned();
        for (name, mask) in &self.replacements {
            if hidden.contains(name.as_str()) {
                hidden = hidden.replace(name.as_str(), mask);
            }
        }
        hidden
    }
}

fn compile(text: &str) -> Regex {
    Regex::new(text).expect("expressions in this file are constants, and the tests use each")
}

/// A position in the program's own source.
static SOURCE: LazyLock<Regex> = LazyLock::new(|| {
    compile(r"[\w./+\-]+\.(?:c|cc|cpp|cxx|h|hh|hpp|rs|py|ml|hs|go|java|scala|y|yy|l|ll):\d+(?::\d+)?")
});

/// Everything that is masked outside such positions; if several alternatives match at one place, the first
/// wins.
static CHANGING: LazyLock<Regex> = LazyLock::new(|| {
    compile(
        r"(?x)
        (?<file> <file> (?: [:.]\d+ )+ )
      | (?<pos> \b[Ll]ine\x20\d+ (?: ,?\x20? (?: column | col | char ) \x20\d+ )? )
      | (?<offset> \+0x[0-9a-fA-F]+ )
      | (?<addr> \b0x[0-9a-fA-F]+ )
      | (?<hex> \b[0-9a-f]{12,}\b )
      | (?<tmp> /(?:tmp|var/tmp|dev/shm)/[^\s:'\x22<>(),]+ )
      | (?<num> \b\d+ (?: \.\d+ )? (?: e-?\d+ )? )",
    )
});

/// Quoted names: `'x'`, `` `x' ``, `"x"`, `|x|`. Not what is between the apostrophes of `can't` and `wasn't`.
static QUOTED: LazyLock<Regex> =
    LazyLock::new(|| compile(r#"\B'[^'\n]{1,200}'|`[^`'\n]{1,200}['`]|"[^"\n]{0,200}"|\|[^|\n]{1,200}\|"#));

/// Hides addresses, numbers and our file names; keeps positions in the program's source.
#[must_use]
pub fn mask(text: &str, names: &MaskedNames) -> String {
    let text = names.hide(text);
    let mut masked = String::with_capacity(text.len());
    let mut done = 0;
    for source in SOURCE.find_iter(&text) {
        masked.push_str(&mask_changing(&text[done..source.start()]));
        masked.push_str(source.as_str());
        done = source.end();
    }
    masked.push_str(&mask_changing(&text[done..]));
    masked
}

/// As [`mask`], and hides quoted names too: they come from the candidate. Quoted punctuation stays: it is a token of the
/// format, and a missing comma is a different failure from a missing colon.
#[must_use]
pub fn mask_names(text: &str, names: &MaskedNames) -> String {
    // Names first: digits inside them must not survive as `#`.
    let hide =
        |found: &Captures| if is_punctuation(&found[0]) { found[0].to_owned() } else { "<name>".to_owned() };
    mask(&QUOTED.replace_all(text, hide), names)
}

/// Whether there is something between quotes, and all of it is punctuation.
fn is_punctuation(quoted: &str) -> bool {
    quoted.len() > 2 && quoted.bytes().all(|byte| byte.is_ascii_punctuation())
}

fn mask_changing(text: &str) -> String {
    CHANGING
        .replace_all(text, |found: &Captures| {
            let named = |name| found.name(name).is_some();
            if named("file") {
                "<file>".to_owned()
            } else if named("pos") {
                "<pos>".to_owned()
            } else if named("offset") {
                found[0].to_owned()
            } else if named("addr") {
                "<addr>".to_owned()
            } else if named("hex") {
                "<hex>".to_owned()
            } else if named("tmp") {
                "<tmp>".to_owned()
            } else {
                "#".to_owned()
            }
        })
        .into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn table_of_the_module_doc() {
        let names = MaskedNames::new(Path::new("/tmp/nub-1/w3/bug.smt2"), Some(Path::new("/tmp/nub-1/w3")));
        for (before, after) in [
            ("==25653==ERROR: X on address 0x602000000010", "==#==ERROR: X on address <addr>"),
            ("/tmp/nub-1/w3/bug.smt2:12.34: bad", "<file>: bad"),
            ("bug.smt2:12: bad", "<file>: bad"),
            ("in /tmp/nub-1/w3/core", "in <tmp>/core"),
            ("in /tmp/tmp.x81h2 now", "in <tmp> now"),
            ("line 51 column 10: invalid", "<pos>: invalid"),
            ("solved in 0.03s", "solved in #s"),
            (":total-time 0.03", ":total-time #"),
            ("CVC4 x12", "CVC4 x12"),
            ("BuildId 8a3f19cc01deadbeef", "BuildId <hex>"),
            ("at ./src/smt/check_models.cpp:144", "at ./src/smt/check_models.cpp:144"),
            ("panicked at p.rs:1:86:", "panicked at p.rs:1:86:"),
            ("(/opt/prog+0x11e5)", "(/opt/prog+0x11e5)"),
        ] {
            assert_eq!(mask(before, &names), after);
        }
    }

    #[test]
    fn names_are_masked_on_request() {
        let names = MaskedNames::default();
        assert_eq!(mask_names("unknown sort 'Array12' here", &names), "unknown sort <name> here");
        assert_eq!(mask_names("symbol |a b| at `x'", &names), "symbol <name> at <name>");
        assert_eq!(mask_names("sort \"\" of 'a, b'", &names), "sort <name> of <name>");
        assert_eq!(mask_names("Expecting ',' delimiter", &names), "Expecting ',' delimiter");
        assert_eq!(mask("unknown sort 'A'", &names), "unknown sort 'A'");
        let words = "can't say that: it wasn't unknown";
        assert_eq!(mask_names(words, &names), words);
    }
}
