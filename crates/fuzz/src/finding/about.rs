//! What a crash message complains about.
//!
//! `nub_oracle` knows which lines are crash messages. Here they are classified by what a maintainer wants to know first:
//! the same assertion that ends a solver may say "the model is wrong", which is worse than a crash (Bitwuzla issue 135).

use std::sync::LazyLock;

use nub_oracle::Rank;
use regex::Regex;

use super::FindingKind;

/// The subject of a crash message.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum About {
    /// The solver checked its own model, and it is wrong.
    Model,
    /// The solver checked its own unsat core.
    Core,
    /// The solver checked its own proof.
    Proof,
    /// A sanitizer found something.
    Sanitizer,
    /// A check in the program failed.
    Assertion,
    /// The program died.
    Crash,
    /// Memory ran out.
    Memory,
}

impl About {
    /// Whether the solver found its own result wrong.
    #[must_use]
    pub fn is_self_check(self) -> bool {
        matches!(self, About::Model | About::Core | About::Proof)
    }

    /// The kind of finding it makes.
    #[must_use]
    pub fn kind(self) -> FindingKind {
        match self {
            About::Model => FindingKind::InvalidModel,
            About::Core => FindingKind::BadCore,
            About::Proof => FindingKind::BadProof,
            About::Sanitizer => FindingKind::Sanitizer,
            About::Assertion => FindingKind::Assertion,
            About::Crash => FindingKind::Crash,
            About::Memory => FindingKind::Memory,
        }
    }
}

/// First match wins; a fatal message that matches nothing is a failed check.
const TABLE: &[(About, &str)] = &[
    (About::Sanitizer, r"Sanitizer: |: runtime error: "),
    (About::Core, r"(?i)check_?unsat_?core"),
    (About::Proof, r"(?i)check_?proof|proof_?check|invalid proof"),
    (About::Model, r"(?i)check_?model|invalid model|errors satisfying assertions"),
    (About::Memory, r"(?i)out of memory|bad_alloc"),
    (About::Crash, r"CAUGHT SIGNAL|Segmentation fault|Bus error|Illegal instruction|(?i)stack overflow"),
    (About::Crash, r"^(double free|free\(\)|malloc\(\)|realloc\(\)|corrupted |munmap_chunk|\*\*\* )"),
    (About::Crash, r"^terminate called|^Exception in thread|^Fatal error: exception|^(panic|fatal error): "),
    (About::Crash, r"^\w+ at \S+:\d+$"),
];

static REGEXES: LazyLock<Vec<Regex>> = LazyLock::new(|| {
    let compile = |(_, text): &(About, &str)| Regex::new(text).expect("constants, compiled by every test");
    TABLE.iter().map(compile).collect()
});

/// What a message of this rank complains about.
#[must_use]
pub fn about(rank: Rank, text: &str) -> About {
    if rank == Rank::Summary {
        return About::Sanitizer;
    }
    let found = REGEXES.iter().zip(TABLE).find(|(regex, _)| regex.is_match(text));
    found.map_or(About::Assertion, |(_, (subject, _))| *subject)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_and_their_subjects() {
        for (text, subject) in [
            ("t: t.cpp:3: int main(): Assertion `x' failed.", About::Assertion),
            ("ASSERTION VIOLATION | File: a.cpp | Line: 3 | x", About::Assertion),
            (
                "Fatal failure within void CheckModels::checkModel() at ./src/smt/check_models.cpp:144",
                About::Model,
            ),
            ("Fatal failure within void checkUnsatCore() at a.cpp:1", About::Core),
            ("(error \"<pos>: an invalid model was generated\")", About::Model),
            ("(error \"out of memory\")", About::Memory),
            ("[btormain] CAUGHT SIGNAL 11", About::Crash),
            ("terminate called after throwing an instance of 'E'", About::Crash),
            ("KeyError at b.py:9", About::Crash),
            ("a.c:1:2: runtime error: shift exponent # is too large", About::Sanitizer),
            ("==#==ERROR: AddressSanitizer: SEGV on unknown address <addr>", About::Sanitizer),
        ] {
            assert_eq!(about(Rank::Fatal, text), subject, "{text}");
        }
        assert_eq!(about(Rank::Summary, "SUMMARY: x"), About::Sanitizer);
    }
}
