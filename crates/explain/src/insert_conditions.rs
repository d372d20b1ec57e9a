//! Conditions over names of the source, inserted into its text.
//!
//! ```c
//! if (x) y = 1;                     before
//! if (x) { assume(y > 0); y = 1; }  after: a condition just before the line of `y = 1;`
//! ```
//!
//! The text is changed and read again, so that names and types have the meaning that they have there. Nothing is inserted on a line of its own, so
//! line numbers stay the same. A statement that is not an item of a block gets braces.

use crate::options::Predicate;
use crate::session::ExplainRefusal;
use nub_c_ir::ProgramSource;
use nub_c_ir::{FunctionId, Program};
use nub_c_syntax::TranslationUnit;
use nub_c_syntax::ast::{AstExprKind, StmtId, StmtKind};
use nub_text::{Diagnostic, Severity, Span};
use std::collections::BTreeSet;

/// A program whose text was changed.
pub(crate) struct Instrumented {
    pub text: Vec<u8>,
    pub program: Program,
}

impl Instrumented {
    /// The changed source, to be used instead of the original.
    pub fn source<'p>(&'p self, original: ProgramSource<'p>) -> ProgramSource<'p> {
        ProgramSource { program: &self.program, text: &self.text, file: original.file }
    }

    /// The function of the same name as in the original.
    pub fn function(
        &self,
        original: ProgramSource<'_>,
        id: FunctionId,
    ) -> Result<FunctionId, ExplainRefusal> {
        let name = &original.program.function(id).name;
        let found = self.program.function_by_name(name);
        found.ok_or_else(|| {
            ExplainRefusal::Internal(format!("`{name}` no longer exists after conditions were inserted"))
        })
    }
}

/// A statement to insert before another.
pub(crate) struct Insertion {
    pub before: Place,
    /// A statement, with its semicolon.
    pub text: String,
}

/// A statement to insert something before.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Place {
    span: Span,
    /// Whether it is an item of a block, so that another statement may precede it.
    is_item: bool,
}

impl Place {
    /// A statement that another one may precede.
    pub fn item(span: Span) -> Place {
        Place { span, is_item: true }
    }

    /// A statement that is the only one there, and needs braces if there are to be two.
    pub fn alone(span: Span) -> Place {
        Place { span, is_item: false }
    }
}

/// All statements that something can be inserted before, by their start. O(statements).
fn places(unit: &TranslationUnit) -> Vec<Place> {
    let bodies = unit.functions().map(|(_, function)| function.body);
    let inner = unit.exprs().filter_map(|(_, expr)| match expr.kind {
        AstExprKind::Statement(id) => Some(id),
        _ => None,
    });
    let mut todo: Vec<StmtId> = bodies.chain(inner).collect();
    let mut found = Vec::new();
    let mut enter = |id: StmtId, is_item: bool, todo: &mut Vec<StmtId>| {
        let stmt = unit.stmt(id);
        // The statement after a label is used instead of the label.
        let is_label =
            matches!(stmt.kind, StmtKind::Case { .. } | StmtKind::Default { .. } | StmtKind::Label { .. });
        if !is_label && !matches!(stmt.kind, StmtKind::Compound(_)) {
            found.push(Place { span: stmt.span, is_item });
        }
        todo.push(id);
    };
    while let Some(id) = todo.pop() {
        match &unit.stmt(id).kind {
            StmtKind::Compound(items) => items.iter().for_each(|item| enter(*item, true, &mut todo)),
            StmtKind::If { then, otherwise, .. } => {
                enter(*then, false, &mut todo);
                otherwise.iter().for_each(|other| enter(*other, false, &mut todo));
            }
            StmtKind::While { body, .. }
            | StmtKind::DoWhile { body, .. }
            | StmtKind::For { body, .. }
            | StmtKind::Switch { body, .. }
            | StmtKind::Case { body, .. }
            | StmtKind::Default { body }
            | StmtKind::Label { body, .. } => enter(*body, false, &mut todo),
            _ => {}
        }
    }
    found.sort_by_key(|place| (place.span.start, std::cmp::Reverse(place.span.end)));
    found
}

/// The first statement that starts on a line.
pub(crate) fn at_line(unit: &TranslationUnit, file: Option<&str>, line: u32) -> Option<Place> {
    let is_there = |place: &Place| {
        let found = unit.source_map.place(place.span.start);
        found.line == line && file.is_none_or(|end| found.file.ends_with(end))
    };
    places(unit).into_iter().find(is_there)
}

/// The innermost statement around a span.
pub(crate) fn around(unit: &TranslationUnit, span: Span) -> Option<Place> {
    let is_around = |place: &Place| place.span.start <= span.start && span.end <= place.span.end;
    places(unit).into_iter().filter(is_around).min_by_key(|place| place.span.len())
}

/// The program with these insertions. They must not overlap, except at the same position.
pub(crate) fn instrument(
    source: ProgramSource<'_>,
    insertions: &[Insertion],
) -> Result<Instrumented, ExplainRefusal> {
    let (changed, found) = spliced(source, insertions);
    let errors =
        |found: &[Diagnostic]| found.iter().filter(|found| found.severity == Severity::Error).count();
    match found.iter().find(|found| found.severity == Severity::Error) {
        // Errors that existed before, in functions that nobody calls, are not caused by an insertion.
        Some(error) if errors(&found) > errors(&read_again(source, source.text.to_vec()).1) => {
            Err(refused(error.message.clone()))
        }
        _ => Ok(changed),
    }
}

/// The same, with all findings, including existing ones.
pub(crate) fn spliced(
    source: ProgramSource<'_>,
    insertions: &[Insertion],
) -> (Instrumented, Vec<Diagnostic>) {
    let mut splices: Vec<(u32, String)> = Vec::new();
    for Insertion { before, text } in insertions {
        if before.is_item {
            splices.push((before.span.start, format!("{text} ")));
        } else {
            splices.push((before.span.start, format!("{{ {text} ")));
            splices.push((before.span.end, " }".to_owned()));
        }
    }
    splices.sort_by_key(|splice| splice.0);
    let mut text = Vec::with_capacity(source.text.len());
    let mut from = 0;
    for (at, new) in splices {
        let to = (at as usize).min(source.text.len());
        text.extend_from_slice(&source.text[from..to]);
        text.extend_from_slice(new.as_bytes());
        from = to;
    }
    text.extend_from_slice(&source.text[from..]);
    read_again(source, text)
}

/// The program of a changed text, with all findings.
pub(crate) fn read_again(source: ProgramSource<'_>, text: Vec<u8>) -> (Instrumented, Vec<Diagnostic>) {
    let (unit, mut found) = nub_c_syntax::parse(&text);
    let (mut program, more) = nub_c_ir::lower(&unit, &source.program.model);
    found.extend(more);
    if !program.take_rooms_of(source.program) {
        found.push(Diagnostic::error(Span::default(), "what is inserted changes a structure"));
    }
    (Instrumented { text, program }, found)
}

/// The statement for a predicate: `call(expression);`. The text must be one expression.
pub(crate) fn statement(call: &str, text: &str, rest: &str) -> Result<String, ExplainRefusal> {
    let mut depth = 0_i32;
    let mut is_closed_too_early = false;
    for letter in text.chars() {
        depth += i32::from(letter == '(') - i32::from(letter == ')');
        is_closed_too_early |= depth < 0;
    }
    let is_other = |letter: char| matches!(letter, ';' | '{' | '}' | '#' | '"' | '\'') || letter.is_control();
    if text.trim().is_empty() || depth != 0 || is_closed_too_early || text.contains(is_other) {
        return Err(refused(format!("`{text}` is not an expression that can be inserted into the source")));
    }
    Ok(format!("{call}(({text}){rest});"))
}

fn refused(message: String) -> ExplainRefusal {
    ExplainRefusal::Predicate { message, hint: None }
}

/// The insertion of a predicate at its line. It is tried on its own, so that an error is reported for the right one.
pub(crate) fn insertion(
    source: ProgramSource<'_>,
    unit: &TranslationUnit,
    predicate: &Predicate,
    call: &str,
    rest: &str,
) -> Result<Insertion, ExplainRefusal> {
    let text = statement(call, &predicate.text, rest)?;
    let before = at_line(unit, predicate.file.as_deref(), predicate.line);
    let found = Insertion { before: before.ok_or_else(|| nowhere(source, unit, predicate))?, text };
    match instrument(source, std::slice::from_ref(&found)) {
        Err(ExplainRefusal::Predicate { message, .. }) => Err(ExplainRefusal::Predicate {
            message: format!("`{}` at line {}: {message}", predicate.text, predicate.line),
            hint: Some(
                "an expression of C, with names that are visible before that line; macros are not".to_owned(),
            ),
        }),
        Err(other) => Err(other),
        Ok(_) => Ok(found),
    }
}

/// The error for a line without a statement; it names the nearest ones.
fn nowhere(source: ProgramSource<'_>, unit: &TranslationUnit, predicate: &Predicate) -> ExplainRefusal {
    let Predicate { file, line, .. } = predicate;
    let of_file = file.as_ref().map_or_else(String::new, |file| format!(" of {file}"));
    let message = format!("no statement begins at line {line}{of_file}");
    let all = places(unit);
    let starts = all.iter().map(|place| unit.source_map.place(place.span.start));
    let lines: BTreeSet<u32> = starts
        .filter(|found| file.as_ref().is_none_or(|end| found.file.ends_with(end.as_str())))
        .map(|found| found.line)
        .collect();
    let near = [lines.range(..line).next_back(), lines.range(line.saturating_add(1)..).next()];
    let near: Vec<String> = near.iter().flatten().map(|line| line.to_string()).collect();
    let hint = if near.is_empty() {
        let names = source.program.files.iter().map(|name| if name.is_empty() { source.file } else { name });
        format!("there are statements in {}", names.collect::<Vec<_>>().join(", "))
    } else {
        format!("the nearest lines with one: {}", near.join(", "))
    };
    ExplainRefusal::Predicate { message, hint: Some(hint) }
}

/// The program in which all these hold, if there are any.
pub(crate) fn with_assumptions(
    source: ProgramSource<'_>,
    predicates: &[Predicate],
) -> Result<Option<Instrumented>, ExplainRefusal> {
    if predicates.is_empty() {
        return Ok(None);
    }
    let (unit, _) = nub_c_syntax::parse(source.text);
    let insertions: Result<Vec<Insertion>, ExplainRefusal> =
        predicates.iter().map(|found| insertion(source, &unit, found, "__builtin_assume", "")).collect();
    instrument(source, &insertions?).map(Some)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)] // A test may stop at what it does not expect.

    use super::*;
    use nub_c_ir::DataModel;

    const TEXT: &[u8] = b"int f(int a) {\n  int b = a;\n  if (a > 3)\n    b = 1;\n  switch (a) {\n  case 1:\n    b = 2;\n  }\n  return b;\n}\n";

    fn changed(line: u32, predicate: &str) -> Result<String, ExplainRefusal> {
        let (unit, _) = nub_c_syntax::parse(TEXT);
        let (program, _) = nub_c_ir::lower(&unit, &DataModel::lp64());
        let source = ProgramSource { program: &program, text: TEXT, file: "" };
        let predicate = Predicate { text: predicate.to_owned(), file: None, line };
        let changed = with_assumptions(source, &[predicate])?.unwrap();
        Ok(String::from_utf8(changed.text).unwrap())
    }

    #[test]
    fn lines_stay_and_bodies_get_braces() {
        let original = String::from_utf8(TEXT.to_vec()).unwrap();
        for (line, old, new) in [
            (2, "int b = a;", "__builtin_assume((a < 9)); int b = a;"),
            (3, "if (a > 3)", "__builtin_assume((a < 9)); if (a > 3)"),
            (4, "b = 1;", "{ __builtin_assume((a < 9)); b = 1; }"),
            (7, "b = 2;", "{ __builtin_assume((a < 9)); b = 2; }"),
        ] {
            assert_eq!(changed(line, "a < 9").unwrap(), original.replacen(old, new, 1));
        }
    }

    #[test]
    fn what_cannot_be_put_in() {
        for predicate in
            ["", "a < 9); exit(1", "a) + (b", "a; b", "a\nb", "{a}", "nothing_of_this_name", "a +"]
        {
            assert!(matches!(changed(2, predicate), Err(ExplainRefusal::Predicate { .. })), "{predicate}");
        }
        for line in [1, 6, 8, 10, 99] {
            assert!(matches!(changed(line, "a"), Err(ExplainRefusal::Predicate { .. })), "{line}");
        }
    }
}
