//! Output of SMT-LIB scripts.

use super::elements;
use super::{PrintedAnswer, PrintedAnswers, answer_of, is_noise};
use nub_oracle::Items;

/// Reads the output of a script.
pub(super) fn read(stdout: &[u8]) -> PrintedAnswers {
    let mut reading = PrintedAnswers::default();
    for span in Items::new(stdout) {
        let item = &stdout[span.clone()];
        if let Some(answer) = answer_of(item) {
            reading.answers.push(answer);
        } else if item == b"unsupported" {
            reading.unsupported += 1;
        } else if let Some(text) = error_text(item) {
            reading.note_error(&text);
        } else if is_noise(item) || item.starts_with(b"(:") {
            // Nothing, or the answer to `get-info`.
        } else if !read_list(item, span, &mut reading) {
            reading.other += 1;
        }
    }
    reading
}

/// Models and cores; false if the item is neither. The meaning of a list depends on the previous answer: `()` is a
/// model without constants after `sat`, and an empty core after `unsat`.
fn read_list(item: &[u8], span: std::ops::Range<usize>, reading: &mut PrintedAnswers) -> bool {
    let Some(last) = reading.last() else { return false };
    let Some(parts) = elements(item) else { return false };
    match reading.answers[last] {
        PrintedAnswer::Unsat if parts.iter().all(|part| is_literal(part)) => {
            let core = parts.iter().map(|part| String::from_utf8_lossy(part).into_owned()).collect();
            reading.cores.push((last, core));
        }
        PrintedAnswer::Sat | PrintedAnswer::Unknown if is_model(&parts) => reading.models.push((last, span)),
        _ => return false,
    }
    true
}

/// A symbol, or the negation of one (failed assumptions).
fn is_literal(part: &[u8]) -> bool {
    let is_symbol = |part: &[u8]| !part.starts_with(b"(") && !part.starts_with(b"\"");
    is_symbol(part)
        || elements(part).is_some_and(|inner| inner.len() == 2 && inner[0] == b"not" && is_symbol(inner[1]))
}

/// `(model …)` of older solvers, or a list of definitions and declarations.
fn is_model(parts: &[&[u8]]) -> bool {
    let defines = |part: &&[u8]| {
        [&b"(define-"[..], b"(declare-", b"(forall"].iter().any(|start| part.starts_with(start))
    };
    match parts.first() {
        None => true,
        Some(first) => *first == b"model" || defines(first),
    }
}

/// The text inside `(error "…")`, up to the first line end.
fn error_text(item: &[u8]) -> Option<String> {
    let text = item.strip_prefix(b"(error")?;
    let text = String::from_utf8_lossy(text);
    let text = text.trim().trim_start_matches('"').trim_end_matches(')').trim_end_matches('"');
    Some(text.lines().next().unwrap_or("").to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_models_cores_in_order() {
        let text = "success\nsat\n(\n  (define-fun x () Int 3)\n)\n((x 3))\nunsat\n(a1 (not b))\nunknown\n(:reason-unknown \"x\")\nsat\n(model )\n";
        let reading = read(text.as_bytes());
        assert_eq!(
            reading.answers,
            [PrintedAnswer::Sat, PrintedAnswer::Unsat, PrintedAnswer::Unknown, PrintedAnswer::Sat]
        );
        let models: Vec<(usize, &str)> =
            reading.models.iter().map(|(idx, span)| (*idx, &text[span.clone()])).collect();
        assert_eq!(models, [(0, "(\n  (define-fun x () Int 3)\n)"), (3, "(model )")]);
        assert_eq!(reading.cores, [(1, vec!["a1".to_owned(), "(not b)".to_owned()])]);
        assert_eq!((reading.other, reading.errors.len()), (1, 0), "the value is neither model nor core");
    }

    #[test]
    fn an_empty_list_is_what_was_asked_for() {
        assert_eq!(read(b"sat\n()\n").models, [(0, 4..6)]);
        assert_eq!(read(b"unsat\n()\n").cores, [(0, vec![])]);
        assert_eq!(read(b"()\n").other, 1);
    }

    #[test]
    fn errors_over_lines_are_their_first_line_masked() {
        let text = "(error \"Parse Error: e.smt2:1.33: Symbol 'y12' is not declared.\n\n  (assert y)\n\")\nunsupported\nsat\n";
        let reading = read(text.as_bytes());
        assert_eq!(reading.errors.len(), 1);
        assert!(reading.errors[0].contains("Symbol <name> is not declared"), "{}", reading.errors[0]);
        assert_eq!((reading.unsupported, reading.answers.len()), (1, 1));
    }
}
