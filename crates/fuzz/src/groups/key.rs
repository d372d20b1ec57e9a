//! The name of a group.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use regex::Regex;
use serde::{Deserialize, Serialize};

use crate::answers::Language;
use crate::finding::{Finding, FindingKind};
use crate::stack::{informative, stack_function};

/// Frames of a stack that go into a key.
const MAX_FRAMES: usize = 8;
/// Hexadecimal digits of an id: 32 bits, enough for the few hundred groups of a campaign.
const ID_DIGITS: usize = 8;
/// Characters of a solver's name in a slug.
const MAX_NAME: usize = 32;

/// What identifies a group: the same for the same bug in every campaign, if its first finding is the same.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct GroupKey {
    id: String,
    slug: String,
    text: String,
    is_refined: bool,
}

impl GroupKey {
    /// The key of a finding by itself.
    #[must_use]
    pub fn of(finding: &Finding, language: Language) -> GroupKey {
        let frames: Vec<&str> =
            informative(&finding.stack).iter().take(MAX_FRAMES).map(|frame| stack_function(frame)).collect();
        let what = if is_specific(&finding.message) {
            finding.message.clone()
        } else if !frames.is_empty() {
            frames.join(" < ")
        } else {
            // Only the symptom is known: the input language is at least a hint.
            format!("{} on {}", finding.message, language.name())
        };
        let text =
            format!("{}\n{}\n{}\n{what}", finding.solver, family(&finding.kind), detail(&finding.kind));
        GroupKey::new(text, &format!("{}-{}", name_slug(&finding.solver), finding.kind.slug()), false)
    }

    fn new(text: String, prefix: &str, is_refined: bool) -> GroupKey {
        let id = blake3::hash(text.as_bytes()).to_hex()[..ID_DIGITS].to_owned();
        GroupKey { slug: format!("{prefix}-{id}"), id, text, is_refined }
    }

    /// Eight hexadecimal digits.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// A name for a folder, such as `z3-crash-1a2b3c4d`.
    #[must_use]
    pub fn slug(&self) -> &str {
        &self.slug
    }

    /// Whether it was made by [`refine`].
    #[must_use]
    pub fn is_refined(&self) -> bool {
        self.is_refined
    }
}

impl std::fmt::Display for GroupKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.slug)
    }
}

/// The key refined by the operators in the minimal input, for findings that nothing else distinguishes. Must be
/// given the coarse key, not an already refined one.
#[must_use]
pub fn refine(key: &GroupKey, operators: &BTreeSet<String>) -> GroupKey {
    let operators: Vec<&str> = operators.iter().map(String::as_str).collect();
    let text = format!("{}\noperators {}", key.text, operators.join(" "));
    let prefix = key.slug.strip_suffix(&format!("-{}", key.id)).unwrap_or(&key.slug);
    GroupKey::new(text, prefix, true)
}

impl Finding {
    /// Whether only the reduced input can distinguish it from others: it has no specific message and no
    /// stack.
    #[must_use]
    pub fn is_coarse(&self) -> bool {
        !is_specific(&self.message) && informative(&self.stack).is_empty()
    }
}

/// Kinds in which one bug may appear: a build with assertions or sanitizers stops earlier.
pub(super) fn family(kind: &FindingKind) -> &'static str {
    match kind {
        FindingKind::Sanitizer | FindingKind::Assertion | FindingKind::Crash => "crash",
        // One of the two is a wrong answer.
        FindingKind::Disagreement { .. } => "wrong",
        kind => kind.slug(),
    }
}

/// Which other details of the kind distinguish bugs. The authority does not: it depends on the other runs.
fn detail(kind: &FindingKind) -> String {
    match kind {
        FindingKind::WrongAnswer { said, .. } | FindingKind::Disagreement { said, .. } => {
            format!("says {said}")
        }
        _ => String::new(),
    }
}

/// Messages that say how a program died but not where.
static VAGUE: LazyLock<Regex> = LazyLock::new(|| {
    let deaths =
        r"^$|^killed by |CAUGHT SIGNAL|Segmentation fault|Bus error|Illegal instruction|stack.overflow";
    let heap = r"^(double free|free\(\)|malloc\(\)|realloc\(\)|corrupted |munmap_chunk|\*\*\* )";
    let memory = r"(?i)out of memory|bad_alloc";
    // Inside a library without symbols, or in an interceptor.
    let sanitizers =
        r"ERROR: \w+Sanitizer: |Sanitizer: .*\b(in (__interceptor_|__asan_|mem|str|operator |\(|<)|\+0x)";
    let words = r"^exit status \d+ without output$|^terminate called (without|recursively)|an invalid model was generated";
    Regex::new(&format!("{deaths}|{heap}|{memory}|{sanitizers}|{words}")).expect("a constant, used by a test")
});

/// Whether a message is specific enough to group two findings.
pub(super) fn is_specific(message: &str) -> bool {
    !VAGUE.is_match(message)
}

/// Folders before the name of a source file, which differ from machine to machine.
static FOLDERS: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?:[\w.+\-]*/)+([\w.+\-]+\.(?:c|cc|cpp|cxx|h|hh|hpp|rs|py|ml|hs|go|java|y|yy|l|ll)\b)")
        .expect("a constant, used by a test")
});

/// A crash message that is the same on every machine. `nub_oracle` has already masked numbers and addresses.
#[must_use]
pub fn normalise_message(text: &str) -> String {
    let text = FOLDERS.replace_all(text, "$1");
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A name as part of a folder's name.
fn name_slug(name: &str) -> String {
    let letter = |letter: char| if letter.is_ascii_alphanumeric() || letter == '.' { letter } else { '-' };
    let slug: String = name.chars().take(MAX_NAME).map(letter).collect();
    let slug = slug.trim_matches(['-', '.']).to_ascii_lowercase();
    if slug.is_empty() { "solver".to_owned() } else { slug }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_the_same_on_every_machine() {
        let one = "SUMMARY: AddressSanitizer: SEGV /x/y/boolector/src/btorexp.c:252 in btor_exp_cond";
        assert_eq!(normalise_message(one), "SUMMARY: AddressSanitizer: SEGV btorexp.c:252 in btor_exp_cond");
        assert_eq!(normalise_message("at ./src/a.cpp:144\n  x"), "at a.cpp:144 x");
        assert_eq!(normalise_message("File: ../src/ast/ast.cpp | Line: 388"), "File: ast.cpp | Line: 388");
    }

    #[test]
    fn vague_messages() {
        for vague in [
            "",
            "killed by SIGSEGV",
            "[btormain] CAUGHT SIGNAL 11",
            "free(): invalid pointer",
            "==#==ERROR: AddressSanitizer: SEGV on unknown address <addr>",
            "SUMMARY: AddressSanitizer: SEGV (/lib/libc.so+0x12) in memcpy",
            "SUMMARY: AddressSanitizer: heap-buffer-overflow in __interceptor_vsprintf",
            "(error \"out of memory\")",
        ] {
            assert!(!is_specific(vague), "{vague}");
        }
        for specific in [
            "SUMMARY: AddressSanitizer: SEGV btorexp.c:252 in btor_exp_cond",
            "t: t.cpp:3: int main(): Assertion `x' failed.",
            "unknown constant y",
            "Fatal failure within void f() at a.cpp:144",
        ] {
            assert!(is_specific(specific), "{specific}");
        }
    }

    #[test]
    fn names_become_slugs() {
        assert_eq!(name_slug("Z3 4.8.7/../x"), "z3-4.8.7-..-x");
        assert_eq!(name_slug("../"), "solver");
        assert_eq!(name_slug(&"a".repeat(99)).len(), 32);
    }
}
