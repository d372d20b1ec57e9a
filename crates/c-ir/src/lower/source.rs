//! Places in the source.

use super::Lower;
use crate::ids::FileId;
use crate::ir::{Position, SourceOrigin};
use nub_c_syntax::ast::Name;
use nub_text::{Diagnostic, Span};

impl Lower<'_> {
    /// Where a span starts, in the user's source file.
    pub(super) fn position(&mut self, span: Span) -> Position {
        let place = self.unit.source_map.place(span.start);
        let shared = &mut self.shared;
        // A model has no line markers, and must not look like the user's text.
        let name = if shared.is_model { super::models::FILE } else { place.file };
        let file = match shared.files_by_name.get(name) {
            Some(&file) => file,
            None => {
                let file = FileId::next(shared.program.files.len());
                shared.program.files.push(name.to_owned());
                shared.files_by_name.insert(name.to_owned(), file);
                file
            }
        };
        Position { file, line: place.line, column: place.column }
    }

    /// The origin of what is emitted for `span` in the current statement.
    pub(super) fn origin(&mut self, span: Span) -> SourceOrigin {
        SourceOrigin { span, position: self.position(span), statement: self.fun.statement }
    }

    pub(super) fn warn(&mut self, span: Span, message: impl Into<String>) {
        // The user did not write our models, and their spans are not in the user's text.
        if !self.shared.is_model {
            self.shared.diagnostics.push(Diagnostic::warning(span, message));
        }
    }

    pub(super) fn spelling(&self, name: Name) -> &str {
        self.unit.name(name)
    }

    /// The source text, with runs of white space as one blank.
    pub(super) fn source_text(&self, span: Span) -> String {
        let text = String::from_utf8_lossy(self.unit.text(span));
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }
}
