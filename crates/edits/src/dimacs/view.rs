//! The view of a DIMACS file that passes work on.

use super::occurrences::Occurrences;
use crate::Edit;
use nub_dimacs::{DimacsFile, DimacsKind, DimacsLit, LitId};
use nub_text::Span;
use std::sync::OnceLock;

/// A file with everything known about it. Tables that only some passes need are built on first use.
pub struct DimacsView {
    file: DimacsFile,
    occurrences: OnceLock<Occurrences>,
    max_var: OnceLock<u32>,
    is_quantified: OnceLock<Vec<bool>>,
}

impl DimacsView {
    /// Reads any bytes as a file of this kind.
    pub fn new(text: Vec<u8>, kind: DimacsKind) -> DimacsView {
        let file = DimacsFile::read(text, kind);
        DimacsView {
            file,
            occurrences: OnceLock::new(),
            max_var: OnceLock::new(),
            is_quantified: OnceLock::new(),
        }
    }

    /// The bytes.
    pub fn text(&self) -> &[u8] {
        self.file.text()
    }

    /// The file.
    pub fn file(&self) -> &DimacsFile {
        &self.file
    }

    /// The places of every variable.
    pub fn occurrences(&self) -> &Occurrences {
        self.occurrences.get_or_init(|| Occurrences::new(&self.file))
    }

    /// The number of the largest variable, or 0.
    pub fn max_var(&self) -> u32 {
        let vars =
            || self.file.literals().iter().filter_map(|literal| literal.lit).map(|lit| lit.var().number());
        *self.max_var.get_or_init(|| vars().max().unwrap_or(0))
    }

    /// The token of a literal.
    pub fn literal_span(&self, id: LitId) -> Span {
        self.file.literals()[id.0 as usize].span
    }

    /// A literal, if its token is one.
    pub fn lit(&self, id: LitId) -> Option<DimacsLit> {
        self.file.literals()[id.0 as usize].lit
    }

    /// Whether the header states exactly the number of the largest variable. If so, edits keep it that way.
    pub fn is_n_vars_tight(&self) -> bool {
        let n_vars = self.file.header().and_then(|header| header.n_vars);
        n_vars.is_some_and(|number| {
            number.value == self.occurrences().max().map_or(0, |var| var.number().into())
        })
    }

    /// Whether the header states the correct number of clauses. If so, edits keep it that way.
    pub fn is_n_clauses_true(&self) -> bool {
        let n_clauses = self.file.header().and_then(|header| header.n_clauses);
        self.file.kind().has_counts()
            && n_clauses.is_some_and(|number| number.value == self.file.clauses().len() as u64)
    }

    /// Removes a clause, or anything else that may have its own line.
    pub fn cut(&self, span: Span) -> Edit {
        Edit::cut(self.cut_span(span))
    }

    /// The bytes to remove with a clause: the blanks after it, and the end of the line if it begins one. So the cuts of
    /// adjacent clauses never overlap, and what follows a comment stays on its own line.
    pub fn cut_span(&self, span: Span) -> Span {
        let text = self.text();
        let blanks = |text: &[u8]| text.iter().rev().take_while(|&&byte| is_inner_blank(byte)).count();
        let line = &text[..span.start as usize];
        let before = line.len() - blanks(line);
        let begins_line = before == 0 || text[before - 1] == b'\n';
        let mut cut = self.cut_token(span);
        if begins_line && text.get(cut.end as usize) == Some(&b'\n') {
            cut.end += 1;
        }
        cut
    }

    /// The bytes to remove with a token: the blanks after it on its line.
    pub fn cut_token(&self, span: Span) -> Span {
        let rest = &self.text()[span.end as usize..];
        let n_blanks = rest.iter().take_while(|&&byte| is_inner_blank(byte)).count();
        Span { start: span.start, end: span.end + n_blanks as u32 }
    }

    /// The bytes to remove with a literal.
    pub fn cut_literal(&self, id: LitId) -> Span {
        self.cut_token(self.literal_span(id))
    }

    /// Whether a literal is in a quantifier block.
    pub fn is_quantified(&self, id: LitId) -> bool {
        let table = self.is_quantified.get_or_init(|| {
            let mut table = Vec::new();
            for id in self.file.blocks().iter().flat_map(|block| block.literal_ids()) {
                table.resize(id.0 as usize, false);
                table.push(true);
            }
            table
        });
        table.get(id.0 as usize) == Some(&true)
    }
}

/// White space within a line.
fn is_inner_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render;

    #[test]
    fn what_goes_with_a_clause() {
        let view = DimacsView::new(b"p cnf 3 4\nc x\n 1 0\r\n2 0  3 0 \n-1 0".to_vec(), DimacsKind::Cnf);
        let cut = |index: usize| {
            let edit = view.cut(view.file().clauses()[index].span);
            String::from_utf8(render(view.text(), &edit.splices)).unwrap()
        };
        assert_eq!(cut(0), "p cnf 3 4\nc x\n 2 0  3 0 \n-1 0");
        assert_eq!(cut(1), "p cnf 3 4\nc x\n 1 0\r\n3 0 \n-1 0");
        assert_eq!(cut(2), "p cnf 3 4\nc x\n 1 0\r\n2 0  \n-1 0");
        assert_eq!(cut(3), "p cnf 3 4\nc x\n 1 0\r\n2 0  3 0 \n");
    }
}
