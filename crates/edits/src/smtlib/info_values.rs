//! Shortens the texts of commands that say something to the reader: `set-info` and `echo`.
//!
//! ```text
//! (set-info :notes |a long text|)   =>   (set-info :notes a), then ||, | text|, |a long|, … |a long tex|
//! (echo "done")                     =>   (echo ""), (echo "do"), …
//! ```
//!
//! Other values stay: `:status` and `:smt-lib-version` mean something to solvers. A text in which a part is needed is cut at both ends by
//! halves, quarters and so on: O(log n) edits, O(log² n) asks.

use super::SmtView;
use crate::{Edit, Pass, pass::MAX_EDITS};
use nub_smtlib::{CommandKind, NodeId, NodeKind};

/// Short words that are not symbols.
const RESERVED: [&[u8]; 8] = [b"!", b"_", b"as", b"let", b"par", b"match", b"exists", b"forall"];

/// See the module.
pub struct InfoValues;

impl Pass<SmtView> for InfoValues {
    fn name(&self) -> &'static str {
        "info-values"
    }

    fn edits(&self, view: &SmtView) -> Vec<Edit> {
        let mut edits: Vec<(usize, Edit)> = Vec::new();
        for &(command, kind) in view.commands() {
            let value = match kind {
                CommandKind::SetInfo if has_meaning(view, command) => None,
                CommandKind::SetInfo => view.tree().child(command, 2),
                CommandKind::Echo => view.tree().child(command, 1),
                _ => None,
            };
            let Some(value) = value.filter(|_| edits.len() < MAX_EDITS) else { continue };
            let old = view.slice(value);
            let shorter = texts(view, value).into_iter().filter(|new| new.len() < old.len());
            edits.extend(shorter.enumerate().map(|(rank, new)| (rank, Edit::replace(view.span(value), new))));
        }
        // The shortest text of every command first.
        edits.sort_by_key(|(rank, _)| *rank);
        edits.into_iter().map(|(_, edit)| edit).collect()
    }
}

/// `:status`, whose value is a symbol that solvers compare with their answers.
fn has_meaning(view: &SmtView, command: NodeId) -> bool {
    view.tree().child(command, 1).is_some_and(|key| view.slice(key) == b":status")
}

/// Whether a part of a simple symbol is one, too.
fn is_symbol(part: &[u8]) -> bool {
    !part.first().is_some_and(u8::is_ascii_digit) && !RESERVED.contains(&part)
}

/// Simpler texts of the same kind, shortest first.
fn texts(view: &SmtView, value: NodeId) -> Vec<Vec<u8>> {
    let (quote, mut all): (&[u8], Vec<Vec<u8>>) = match view.tree().kind(value) {
        NodeKind::String => (b"\"", vec![b"\"\"".to_vec()]),
        NodeKind::Quoted => (b"|", vec![b"a".to_vec(), b"||".to_vec()]),
        NodeKind::Symbol => (b"", vec![b"a".to_vec()]),
        _ => return Vec::new(),
    };
    let text = view.slice(value);
    let inner = text.get(quote.len()..text.len() - quote.len()).unwrap_or_default();
    // A cut could separate the two quotes that stand for one.
    if inner.contains(&b'"') && quote == b"\"" {
        return all;
    }
    let is_boundary = |at: usize| inner.get(at).is_none_or(|byte| byte & 0xc0 != 0x80);
    let mut step = inner.len() / 2;
    while step > 0 {
        let parts = [(step, inner.len()), (0, inner.len() - step)];
        let whole = parts.into_iter().filter(|&(start, end)| is_boundary(start) && is_boundary(end));
        let parts = whole.map(|(start, end)| &inner[start..end]);
        let legal = parts.filter(|part| !quote.is_empty() || is_symbol(part));
        all.extend(legal.map(|part| [quote, part, quote].concat()));
        step /= 2;
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(command: &str) -> Vec<String> {
        let view = SmtView::new(command.as_bytes());
        let edits = InfoValues.edits(&view);
        edits.iter().map(|edit| String::from_utf8(edit.splices[0].text.to_vec()).unwrap()).collect()
    }

    #[test]
    fn ends_are_cut() {
        let expected = ["a", "||", "|efgh|", "|abcd|", "|cdefgh|", "|abcdef|", "|bcdefgh|", "|abcdefg|"];
        assert_eq!(all("(set-info :notes |abcdefgh|)"), expected);
        assert_eq!(all("(echo \"abc\")"), ["\"\"", "\"bc\"", "\"ab\""]);
        assert_eq!(all("(set-info :source \"a \"\"b\"\"\")"), ["\"\""]);
        assert_eq!(
            all("(set-info :source b7as)"),
            ["a", "b7", "b7a"],
            "neither a number nor a reserved word"
        );
        assert_eq!(all("(set-info :source |éé|)"), ["a", "||", "|é|", "|é|"]);
    }

    #[test]
    fn other_values_stay() {
        for command in [
            "(set-info :status unsat)",
            "(set-info :status |unsat|)",
            "(set-info :smt-lib-version 2.6)",
            "(set-option :x \"path\")",
        ] {
            assert_eq!(all(command), Vec::<String>::new(), "{command}");
        }
    }
}
