//! A program with variants of one of its functions appended, each under its own name.

use super::edits::{Edit, edits, spread};
use nub_c_syntax::TranslationUnit;
use nub_c_syntax::ast::{AstExprKind, FunctionDefinition};
use nub_text::Span;

/// Longer pieces of source are not shown.
const MAX_SHOWN: usize = 60;

/// A function with one fault.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProgramMutant {
    /// Its name in [`MutatedText::text`].
    pub name: String,
    /// The line of the fault in the user's file.
    pub line: u32,
    /// The column.
    pub column: u32,
    /// The original text.
    pub was: String,
    /// The text of the mutant; empty if a statement is removed.
    pub now: String,
    /// The function, under its new name.
    pub text: String,
}

/// A program and mutants of one of its functions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MutatedText {
    /// The program, followed by the mutants: positions in the program are unchanged.
    pub text: Vec<u8>,
    /// In the order of the text.
    pub mutants: Vec<ProgramMutant>,
    /// Whether there are no other mutants.
    pub is_all: bool,
}

/// Up to `n` mutants of a function, spread evenly over its text; the same ones each time. `None` if the text has no such function.
pub fn mutated(text: &[u8], function: &str, n: usize) -> Option<MutatedText> {
    let (unit, _) = nub_c_syntax::parse(text);
    let name_of =
        |found: &FunctionDefinition| found.declarator.name.map(|name| unit.name(name.name).to_owned());
    let (_, found) = unit.functions().find(|(_, found)| name_of(found).as_deref() == Some(function))?;
    let all = edits(&unit, found);
    let (mut text, mut mutants) = (text.to_vec(), Vec::new());
    for (number, edit) in spread(&all, n).into_iter().enumerate() {
        let name = format!("{function}__mutant_{}", number + 1);
        let renamed = Variant { unit: &unit, function: found, old: function, new: &name }.text(&edit);
        let Some(renamed) = String::from_utf8(renamed).ok() else { continue };
        text.extend_from_slice(b"\n");
        text.extend_from_slice(renamed.as_bytes());
        text.extend_from_slice(b"\n");
        let place = unit.source_map.place(edit.splices.first()?.0.start);
        let (was, now) = shown(&unit, &edit);
        mutants.push(ProgramMutant { name, line: place.line, column: place.column, was, now, text: renamed });
    }
    Some(MutatedText { text, mutants, is_all: all.len() <= n })
}

/// The text before and after, in one line.
fn shown(unit: &TranslationUnit, edit: &Edit) -> (String, String) {
    let is_statement = matches!(edit.splices.as_slice(), [(span, new)] if *span == edit.span && new == ";");
    let was = nub_c_ir::quote(unit.source(), edit.span);
    let now =
        if is_statement { String::new() } else { one_line(&spliced(unit, edit.span, edit.splices.iter())) };
    let now = now.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')).map_or(now.clone(), |inner| {
        // Only the parentheses that the edit adds are not shown.
        if edit.splices.len() > 1 { inner.to_owned() } else { now.clone() }
    });
    if was.chars().count() <= MAX_SHOWN {
        return (was, now);
    }
    let changed = edit.splices.iter().find(|(span, _)| !span.is_empty());
    changed.map_or((was, now), |(span, new)| (nub_c_ir::quote(unit.source(), *span), new.clone()))
}

fn one_line(text: &[u8]) -> String {
    String::from_utf8_lossy(text).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A part of the text with replacements in it.
fn spliced<'s>(
    unit: &TranslationUnit,
    within: Span,
    splices: impl Iterator<Item = &'s (Span, String)>,
) -> Vec<u8> {
    let (mut text, mut at) = (Vec::new(), within.start as usize);
    for (span, new) in splices {
        text.extend_from_slice(&unit.source()[at..span.start as usize]);
        text.extend_from_slice(new.as_bytes());
        at = span.end as usize;
    }
    text.extend_from_slice(&unit.source()[at..within.end as usize]);
    text
}

struct Variant<'v> {
    unit: &'v TranslationUnit,
    function: &'v FunctionDefinition,
    old: &'v str,
    new: &'v str,
}

impl Variant<'_> {
    /// The function with the edit, under its new name; also in recursive calls.
    fn text(&self, edit: &Edit) -> Vec<u8> {
        let names = self.function.declarator.name.map(|name| name.span).into_iter().chain(self.own_calls());
        let is_free = |span: &Span| !edit.splices.iter().any(|(cut, _)| cut.contains(*span));
        let renamed = names.filter(is_free).map(|span| (span, self.new.to_owned()));
        let mut all: Vec<(Span, String)> = edit.splices.iter().cloned().chain(renamed).collect();
        // At one position, an insertion comes before a name.
        all.sort_by_key(|(span, _)| (span.start, span.end));
        spliced(self.unit, self.function.span, all.iter())
    }

    fn own_calls(&self) -> impl Iterator<Item = Span> {
        self.unit.exprs().filter_map(|(_, expr)| match expr.kind {
            AstExprKind::Ident(name)
                if self.function.span.contains(expr.span) && self.unit.name(name.name) == self.old =>
            {
                Some(name.span)
            }
            _ => None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mutants_are_functions_behind_the_program() {
        let program = b"int f(int a) { a += 2; if (a < 3 && !a) return f(a - 1); return -a; }";
        let found = mutated(program, "f", 20).unwrap();
        assert!(found.text.starts_with(program));
        let texts: Vec<&str> = found.mutants.iter().map(|mutant| mutant.text.as_str()).collect();
        let of = |was: &str, now: &str| {
            let is_it = |mutant: &&ProgramMutant| mutant.was == was && mutant.now == now;
            found
                .mutants
                .iter()
                .find(is_it)
                .map(|mutant| mutant.text.clone())
                .unwrap_or_else(|| panic!("{texts:#?}"))
        };
        assert!(of("a += 2;", "").contains("{ ; if"));
        assert!(of("a < 3", "a <= 3").contains("if ((a <= 3) && !a)"));
        assert!(of("a < 3 && !a", "a < 3 || !a").contains("if ((a < 3 || !a))"));
        assert!(of("a - 1", "a + 1").contains("__mutant_"), "calls itself under its new name");
        assert!(texts.iter().all(|text| text.starts_with("int f__mutant_")));
        assert!(mutated(program, "g", 20).is_none());
        assert_eq!(mutated(program, "f", 4).unwrap().mutants.len(), 4);
    }
}
