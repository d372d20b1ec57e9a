//! What kind of output a run printed: the default of golden comparison for runs that do not crash.
//!
//! The class of a stream is the sequence of the kinds of its lines, equal neighbours collapsed:
//!
//! | line | kind |
//! |---|---|
//! | `sat`, `unsat`, `unknown`, `timeout`, `unsupported` | itself |
//! | `(error "line 3 column 5: unknown sort 'A'")` | `error <pos>: unknown sort <name>`, 40 characters |
//! | any other text, if the stream has no answer and no error | masked, names hidden, 80 characters |
//! | `success`, empty lines, warnings, `v` and `c` lines of DIMACS | nothing |
//! | models, values, cores, statistics: other s-expressions, lines after a digit, `#`, `@` | nothing |
//!
//! Other text next to answers is ignored: z3 4.8.10 prints terms while it solves, and comparing them would
//! block every reduction. So answers and errors must stay, in order; how often each is repeated in a row, and
//! with which values, may change. Example: `sat`, `(model …)`, `sat`,
//! `(error "line 9 column 1: model is not available")` has the class `sat`,
//! `error <pos>: model is not available`. A set instead of a sequence would be too weak: without the order, a
//! `get-model` before the `check-sat` gives the same set. If models were compared, nothing could be reduced.

use std::sync::LazyLock;

use regex::Regex;

use crate::items::Items;
use crate::mask::{MaskedNames, mask_names};

/// How solvers report an error in a script.
const ERROR: &str = "(error";
/// How many characters of an `(error …)` are compared; what follows is usually the candidate's own text.
const MAX_ERROR_CHARS: usize = 40;
/// How many characters of any other line are compared.
const MAX_LINE_CHARS: usize = 80;
/// How many kinds of one stream are kept.
const MAX_KINDS: usize = 100_000;

/// The kinds of a stream's lines.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Class(Vec<String>);

/// A warning, or a solver's remark that a logic is missing: never part of the failure.
static NOISE: LazyLock<Regex> = LazyLock::new(|| {
    let nothing = r"^\s*$|^success$|^[vc]( |$)|^\s*[\d#@]";
    let warnings = r"^; ignoring unsupported logic|^\(?(\S+: )?warning\b|To suppress this warning";
    let logics =
        "No set-logic command was|will make all theories available|Consider setting a stricter logic";
    Regex::new(&format!("(?i){nothing}|{warnings}|{logics}")).expect("a constant, used by every test")
});

impl Class {
    /// The class of a stream.
    #[must_use]
    pub fn of(stream: &[u8], names: &MaskedNames) -> Class {
        let text = String::from_utf8_lossy(stream);
        let speaks = items(&text).any(|item| is_answer(item) || item.starts_with(ERROR));
        let mut kinds: Vec<String> = Vec::new();
        for item in items(&text) {
            if speaks && !is_answer(item) && !item.starts_with(ERROR) {
                continue;
            }
            let Some(kind) = kind_of(item, names) else { continue };
            if kinds.len() < MAX_KINDS && kinds.last() != Some(&kind) {
                kinds.push(kind);
            }
        }
        Class(kinds)
    }

    /// The kinds of errors among the lines.
    pub fn errors(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(String::as_str).filter(|kind| kind.starts_with("error "))
    }

    /// The kinds, in order.
    #[must_use]
    pub fn kinds(&self) -> &[String] {
        &self.0
    }
}

/// `sat` and `unsat` lines of a stream, in order; `unknown` and time-outs are `None`, so that the positions
/// match.
#[must_use]
pub fn answers(stream: &[u8]) -> Vec<Option<Satisfiable>> {
    let text = String::from_utf8_lossy(stream);
    let answer = |line: &str| match line.trim() {
        "sat" => Some(Some(Satisfiable::Sat)),
        "unsat" => Some(Some(Satisfiable::Unsat)),
        "unknown" | "timeout" => Some(None),
        _ => None,
    };
    text.lines().filter_map(answer).collect()
}

/// A solver's answer to one `check-sat`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Satisfiable {
    /// `sat`
    Sat,
    /// `unsat`
    Unsat,
}

/// The s-expressions and lines of a text.
fn items(text: &str) -> impl Iterator<Item = &str> {
    Items::new(text.as_bytes()).map(|span| &text[span])
}

fn is_answer(item: &str) -> bool {
    matches!(item, "sat" | "unsat" | "unknown" | "timeout" | "unsupported")
}

fn kind_of(item: &str, names: &MaskedNames) -> Option<String> {
    if let Some(text) = item.strip_prefix(ERROR) {
        let text = text.trim_start().trim_start_matches('"').trim_end_matches(')').trim_end_matches('"');
        let first_line = text.lines().next().unwrap_or("");
        return Some(format!("error {}", cut(&mask_names(first_line, names), MAX_ERROR_CHARS)));
    }
    if item.starts_with('(') || NOISE.is_match(item) {
        return None;
    }
    Some(cut(&mask_names(item, names), MAX_LINE_CHARS))
}

fn cut(text: &str, n_chars: usize) -> String {
    text.chars().take(n_chars).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<String> {
        Class::of(text.as_bytes(), &MaskedNames::default()).0
    }

    #[test]
    fn answers_stay_models_go() {
        let z3 = "sat\n(model\n  (define-fun x () Int 3)\n)\nsat\n((x 3))\n(:time 0.01\n :memory 17.2)\n\
            unsat\n(a1 a2)\n";
        assert_eq!(kinds(z3), ["sat", "unsat"]);
        assert_eq!(kinds("success\nsuccess\nunsat\n"), ["unsat"]);
        assert_eq!(kinds("c time 3\ns SATISFIABLE\nv 1 -2 0\n"), ["s SATISFIABLE"]);
        assert_eq!(kinds("sat\nb0 \n#0\n0 0101 x@0\n@0\n.\n"), ["sat"]);
    }

    #[test]
    fn errors_are_kinds() {
        let one = "(error \"line 33 column 20: Invalid function declaration: unknown sort 'a'\")\n";
        let two = "(error \"line 34 column 2: Invalid function declaration: unknown sort 'bc'\")\n";
        assert_eq!(kinds(&format!("{one}{two}sat\n")), kinds(&format!("{two}sat\n")));
        assert_eq!(kinds(one), ["error <pos>: Invalid function declaration: unk"]);
    }

    #[test]
    fn errors_over_lines() {
        let cvc5 =
            "(error \"Parse Error: e.smt2:1.33: Symbol y is not declared.\n\n  (assert (= y 3))\n   ^\n\")\n";
        let names = MaskedNames::new(std::path::Path::new("/x/e.smt2"), None);
        let class = Class::of(cvc5.as_bytes(), &names);
        assert_eq!(class.0, ["error Parse Error: <file>: Symbol y is not dec"]);
        assert_eq!(class.errors().count(), 1);
    }

    #[test]
    fn unbalanced_text_is_lines() {
        assert_eq!(kinds("(half a model\nunsat\n"), ["unsat"]);
        assert_eq!(kinds("(a \"x)\" |y)|)\nsat"), ["sat"]);
        assert_eq!(kinds(&"(\n".repeat(100_000)), [""; 0]);
    }

    #[test]
    fn chatter_beside_answers_is_not_compared() {
        assert_eq!(kinds("e1: v0\ne2: (store v1\n  v2)\nsat\n"), ["sat"]);
        assert_eq!(kinds("e1: v0\nverified\n"), ["e1: v0", "verified"]);
        assert_eq!(kinds("; ignoring unsupported logic HO_ALL line: 2 position: 1\n"), [""; 0]);
    }

    #[test]
    fn warnings_are_noise() {
        assert_eq!(kinds("WARNING: unknown parameter\nfoo.smt2:1.11: warning: x\nunknown\n"), ["unknown"]);
        assert_eq!(kinds("e.smt2:1.11: No set-logic command was given before this point.\nsat\n"), ["sat"]);
    }

    #[test]
    fn answers_keep_their_place() {
        use Satisfiable::{Sat, Unsat};
        assert_eq!(answers(b"sat\nunknown\n(x)\nunsat\n"), [Some(Sat), None, Some(Unsat)]);
    }
}
