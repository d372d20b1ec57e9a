//! The line that names a crash.
//!
//! A crash message outranks any answer: if the golden run prints one, it alone (with exit status or signal)
//! identifies the bug, and all other output may change. Among several, the highest rank wins, then the first.
//! A candidate fails in the same way if that signature is *among* its own.
//!
//! | output | signature |
//! |---|---|
//! | `SUMMARY: AddressSanitizer: heap-use-after-free u.c:2 in main` | the line |
//! | `t: t.cpp:3: int main(): Assertion 'x' failed.` | the line |
//! | `Fatal failure within void f() at ./src/a.cpp:144` (cvc5, bitwuzla) | the line |
//! | `ASSERTION VIOLATION`, `File: a.cpp`, `Line: 3`, `expr` (z3) | the four lines |
//! | `thread 'main' panicked at p.rs:1:86:`, `index out of bounds: the len is 0 …` | both, numbers masked |
//! | `terminate called after throwing an instance of 'E'`, `what():  …` | both, numbers masked |
//! | `Traceback (most recent call last):` … | last frame and the exception's type |
//! | `(error "line 51 column 10: an invalid model was generated")` | the line, position masked |

use std::sync::LazyLock;

use regex::Regex;
use regex::bytes::{RegexSet, RegexSetBuilder};

use crate::mask::{MaskedNames, mask};

/// Characters of a signature that are compared.
const MAX_CHARS: usize = 300;
/// Signatures kept of one stream; a sanitizer may print thousands.
const MAX_SIGNATURES: usize = 64;

/// How likely a line is to name the cause; greater is more likely.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Rank {
    /// The program goes on: invalid model, `runtime error:`, internal error reported as an answer.
    Reported,
    /// The program ends here.
    Fatal,
    /// A sanitizer's own summary.
    Summary,
}

/// A crash message, masked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CrashSignature {
    /// How likely the line names the cause.
    pub rank: Rank,
    /// The masked line or lines.
    pub text: String,
}

/// How many of the following lines belong to the signature.
#[derive(Clone, Copy)]
enum Tail {
    /// This line only.
    None,
    /// This many more lines, numbers masked.
    Lines(usize),
    /// This many more lines, numbers kept: they are positions in the program.
    Raw(usize),
    /// A Python traceback: its last frame and its exception.
    Traceback,
}

/// One line a program may print when it breaks. The order does not matter, the rank does.
const TABLE: &[(Rank, Tail, &str)] = &[
    (Rank::Summary, Tail::None, r"^SUMMARY: \w+Sanitizer: "),
    (Rank::Fatal, Tail::None, r"ERROR: \w+Sanitizer: "),
    (Rank::Fatal, Tail::None, r"Assertion .*fail(ed|ure)"),
    (Rank::Fatal, Tail::Raw(3), r"^ASSERTION VIOLATION"),
    (Rank::Fatal, Tail::None, r"^Failed to verify: "),
    (Rank::Fatal, Tail::None, r"UNEXPECTED CODE WAS REACHED"),
    (Rank::Fatal, Tail::None, r"Fatal failure within "),
    (Rank::Fatal, Tail::None, r"(?i)\b(cvc[45]|bitwuzla|yices) suffered a "),
    (Rank::Fatal, Tail::None, r"YICES BUG"),
    (Rank::Fatal, Tail::Raw(2), r"^Invariant check failed"),
    (Rank::Fatal, Tail::Raw(0), r"CAUGHT SIGNAL \d+"),
    (Rank::Fatal, Tail::Lines(1), r"^thread '.*' .*panicked at "),
    (Rank::Fatal, Tail::Lines(1), r"^terminate called "),
    (Rank::Fatal, Tail::None, r"^(panic|fatal error): "),
    (Rank::Fatal, Tail::Lines(1), r"^Exception in thread "),
    (Rank::Fatal, Tail::Traceback, r"^Traceback \(most recent call last\)"),
    (Rank::Fatal, Tail::None, r"^Fatal error: exception "),
    (Rank::Fatal, Tail::None, r"internal compiler error: |UNREACHABLE executed|^LLVM ERROR: "),
    (
        Rank::Fatal,
        Tail::None,
        r"^(double free or corruption|free\(\): |malloc\(\): |realloc\(\): |corrupted )",
    ),
    (Rank::Fatal, Tail::None, r"^(munmap_chunk\(\): |\*\*\* (stack smashing|buffer overflow) detected)"),
    (Rank::Fatal, Tail::None, r"(?i)unreachable code|unimplemented code|illegal argument detected"),
    (Rank::Fatal, Tail::None, r"\b(Segmentation fault|Bus error|Illegal instruction)\b"),
    (Rank::Reported, Tail::None, r": runtime error: "),
    (Rank::Reported, Tail::None, r"(?i)invalid model|errors satisfying assertions"),
    (Rank::Reported, Tail::None, r"(?i)check annotation that says|expected (result|status) (sat|unsat)"),
    (Rank::Reported, Tail::None, r"(?i)\binternal error\b|\binternal failure\b"),
    (Rank::Reported, Tail::None, r"Overflow encountered when expanding"),
    (Rank::Reported, Tail::None, r"(?i)\bout of memory\b|std::bad_alloc|stack overflow"),
];

/// Without Unicode: its word boundaries would keep the regex engine from its automaton on every line that is not ASCII,
/// which made 1 MiB of random bytes cost seconds.
static LINES: LazyLock<RegexSet> = LazyLock::new(|| {
    let regexes = TABLE.iter().map(|(_, _, regex)| regex);
    RegexSetBuilder::new(regexes).unicode(false).build().expect("constants, compiled by every test")
});

static FRAME: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r#"^  File "([^"]*)", line (\d+)"#).expect("a constant, used by a test"));

/// The signatures in a stream, in order, at most 64.
#[must_use]
pub fn signatures(stream: &[u8], names: &MaskedNames) -> Vec<CrashSignature> {
    if stream.is_empty() {
        return Vec::new();
    }
    let text = String::from_utf8_lossy(stream);
    let lines: Vec<&str> = text.lines().collect();
    let mut found = Vec::new();
    for (line_idx, line) in lines.iter().enumerate() {
        if found.len() == MAX_SIGNATURES {
            break;
        }
        // Several entries may match one line; the one of highest rank decides how it is read.
        let loudest =
            LINES.matches(line.as_bytes()).into_iter().map(|idx| &TABLE[idx]).max_by_key(|entry| entry.0);
        if let Some((rank, tail, _)) = loudest {
            found.push(CrashSignature { rank: *rank, text: read(&lines[line_idx..], *tail, names) });
        }
    }
    found
}

/// The signature of highest rank, and among equals the first.
#[must_use]
pub fn loudest(signatures: &[CrashSignature]) -> Option<&CrashSignature> {
    let rank = signatures.iter().map(|signature| signature.rank).max()?;
    signatures.iter().find(|signature| signature.rank == rank)
}

fn read(lines: &[&str], tail: Tail, names: &MaskedNames) -> String {
    let text = match tail {
        Tail::None => mask(lines[0], names),
        Tail::Lines(n) => mask(&join(lines, n), names),
        Tail::Raw(n) => join(lines, n),
        Tail::Traceback => read_traceback(lines, names),
    };
    text.chars().take(MAX_CHARS).collect()
}

fn join(lines: &[&str], n_more: usize) -> String {
    lines[..lines.len().min(n_more + 1)].join(" | ")
}

fn read_traceback(lines: &[&str], names: &MaskedNames) -> String {
    let end = lines[1..].iter().position(|line| !line.starts_with(' ')).map_or(lines.len(), |idx| idx + 1);
    let frame = lines[..end].iter().rev().find_map(|line| FRAME.captures(line));
    let place = frame.map_or(String::new(), |frame| format!("{}:{}", mask(&frame[1], names), &frame[2]));
    let exception = lines.get(end).map_or("", |line| line.split(':').next().unwrap_or(line));
    format!("{exception} at {place}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn loudest_of(text: &str) -> Option<String> {
        loudest(&signatures(text.as_bytes(), &MaskedNames::default())).map(|signature| signature.text.clone())
    }

    #[test]
    fn sanitizer_summary_beats_the_report() {
        let report = "u.c:2:63: runtime error: signed integer overflow: 2147483647 + 1 cannot be\n\
            ==25653==ERROR: AddressSanitizer: heap-use-after-free on address 0x602000000010 at pc 0x56\n\
            SUMMARY: AddressSanitizer: heap-use-after-free /tmp/orc/u.c:2 in main\n==25653==ABORTING\n";
        let expected = "SUMMARY: AddressSanitizer: heap-use-after-free /tmp/orc/u.c:2 in main";
        assert_eq!(loudest_of(report).as_deref(), Some(expected));
    }

    #[test]
    fn undefined_behaviour_keeps_place_and_masks_values() {
        let one = loudest_of("u.c:2:63: runtime error: signed integer overflow: 2147483647 + 1 cannot");
        let two = loudest_of("u.c:2:63: runtime error: signed integer overflow: 2147483640 + 12 cannot");
        let other = loudest_of("u.c:3:63: runtime error: signed integer overflow: 2147483640 + 12 cannot");
        assert_eq!(one, two);
        assert_ne!(one, other);
    }

    #[test]
    fn assertions_keep_file_line_and_expression() {
        let glibc = "t: t.cpp:3: int main(int, char**): Assertion `x.size()==3 && \"oops\"' failed.";
        assert!(loudest_of(glibc).unwrap().contains("t.cpp:3"));
        assert_ne!(loudest_of(glibc), loudest_of(&glibc.replace("cpp:3", "cpp:4")));
        let z3 =
            "ASSERTION VIOLATION\nFile: ../src/ast/ast.cpp\nLine: 388\nUNEXPECTED CODE WAS REACHED.\nZ3 4";
        assert!(loudest_of(z3).unwrap().contains("388"));
        assert_ne!(loudest_of(z3), loudest_of(&z3.replace("388", "389")));
    }

    #[test]
    fn cvc5_fatal_failure_is_its_first_line() {
        let text = "Fatal failure within void cvc5::internal::smt::CheckModels::checkModel() at \
            ./src/smt/check_models.cpp:144\nInternal error detected SolverEngine::checkModel(): ERRORS \
            SATISFYING ASSERTIONS WITH MODEL:\nassertion:     (= x 3)\nsimplifies to: false\n";
        let signature = loudest_of(text).unwrap();
        assert!(signature.ends_with("check_models.cpp:144"), "{signature}");
    }

    #[test]
    fn panics_mask_thread_ids_and_values() {
        let panic = "thread 'main' (25813) panicked at p.rs:1:86:\nindex out of bounds: the len is 0 but the \
            index is 1";
        let same =
            "thread 'main' (77) panicked at p.rs:1:86:\nindex out of bounds: the len is 4 but the index is 9";
        assert_eq!(loudest_of(panic), loudest_of(same));
        assert_ne!(loudest_of(panic), loudest_of(&same.replace(":86:", ":87:")));
    }

    #[test]
    fn terminate_has_type_and_what() {
        let text = "terminate called after throwing an instance of 'std::out_of_range'\n  what():  \
            vector::_M_range_check: __n (which is 7) >= this->size() (which is 0)\n";
        let signature = loudest_of(text).unwrap();
        assert!(signature.contains("std::out_of_range") && signature.contains("_M_range_check"));
        assert!(signature.contains("which is #"));
    }

    #[test]
    fn python_traceback_is_frame_and_type() {
        let text = "Traceback (most recent call last):\n  File \"a.py\", line 3, in f\n    g()\n  \
            File \"b.py\", line 9, in g\n    x[k]\nKeyError: 'foo'\n";
        assert_eq!(loudest_of(text).as_deref(), Some("KeyError at b.py:9"));
    }

    #[test]
    fn reported_errors_and_none() {
        let z3 = loudest_of("sat\n(error \"line 51 column 10: an invalid model was generated\")\n").unwrap();
        assert_eq!(z3, "(error \"<pos>: an invalid model was generated\")");
        assert!(loudest_of("[btormain] CAUGHT SIGNAL 11\nunknown\n").unwrap().contains("11"));
        assert!(loudest_of("[btormem] out of memory in 'btor_malloc'\n").is_some());
        assert!(loudest_of("[bitwuzla] main: CAUGHT SIGNAL 6\n").is_some());
        assert_eq!(loudest_of("sat\nunsat\n(error \"line 1 column 2: unknown constant y\")\n"), None);
    }
}
