//! Places that must not be reached: error functions and error labels.
//!
//! The rules of SV-COMP say that a call of `reach_error` is a violation, and older programs mark one by `ERROR: goto ERROR;`. A compiler does not
//! know that, and many programs give such a function an empty body. So a marker is inserted into the text, which is read again:
//!
//! ```c
//! void reach_error(void) {}                             before
//! void reach_error(void) {__nub_reached("..."); }       after
//! ERROR: stop();                                        before, with the label `ERROR`
//! ERROR: { __nub_reached("..."); stop(); }              after
//! ```

use crate::insert_conditions::{Insertion, Place, spliced};
use crate::session::ExplainRefusal;
use nub_c_ir::ProgramSource;
use nub_c_ir::{Body, Function, InstrKind, Program, REACHED};
use nub_c_syntax::TranslationUnit;
use nub_c_syntax::ast::StmtKind;
use nub_text::Span;

/// Functions that no run may call. If they have no body, the front end handles them.
const FUNCTIONS: &[&str] = &["reach_error", "__VERIFIER_error"];

/// The text and the program with markers in the error functions that do not fail themselves, and at these labels; `None` if there is nothing to mark.
/// O(n).
pub fn with_errors(
    source: ProgramSource<'_>,
    labels: &[String],
) -> Result<Option<(Vec<u8>, Program)>, ExplainRefusal> {
    let quiet: Vec<&str> = source.program.functions.iter().filter_map(quiet_error).collect();
    if quiet.is_empty() && labels.is_empty() {
        return Ok(None);
    }
    let (unit, _) = nub_c_syntax::parse(source.text);
    let mut insertions = in_functions(&unit, &quiet);
    for label in labels {
        let found = at_labels(&unit, label);
        if found.is_empty() {
            let message = format!("there is no label `{label}`");
            return Err(ExplainRefusal::Predicate { message, hint: None });
        }
        insertions.extend(found);
    }
    let (marked, _) = spliced(source, &insertions);
    Ok(Some((marked.text, marked.program)))
}

/// The name of an error function with a body that asserts nothing.
fn quiet_error(function: &Function) -> Option<&str> {
    let mut instrs = function.blocks.iter().flat_map(|block| &block.instrs);
    let is_quiet = !instrs.any(|instr| matches!(instr.kind, InstrKind::Assert { .. }));
    let is_error = FUNCTIONS.contains(&function.name.as_str());
    (is_error && is_quiet && matches!(function.body, Body::Defined)).then_some(&function.name)
}

fn in_functions(unit: &TranslationUnit, names: &[&str]) -> Vec<Insertion> {
    let named = unit.functions().filter_map(|(_, function)| {
        let name = unit.name(function.declarator.name?.name);
        names.contains(&name).then(|| (name, unit.stmt(function.body).span))
    });
    named.map(|(name, body)| Insertion { before: inside(body), text: mark(&format!("{name}()")) }).collect()
}

fn at_labels(unit: &TranslationUnit, wanted: &str) -> Vec<Insertion> {
    let labelled = unit.stmts().filter_map(|(_, stmt)| match stmt.kind {
        StmtKind::Label { name, body } if unit.name(name.name) == wanted => Some(unit.stmt(body)),
        _ => None,
    });
    let insertion = |body: &nub_c_syntax::ast::Stmt| {
        let before = match body.kind {
            StmtKind::Compound(_) => inside(body.span),
            _ => Place::alone(body.span),
        };
        Insertion { before, text: mark(&format!("label {wanted} is not reached")) }
    };
    labelled.map(insertion).collect()
}

/// After the opening brace of a block.
fn inside(block: Span) -> Place {
    Place::item(Span { start: block.start + 1, end: block.end })
}

fn mark(text: &str) -> String {
    format!("{REACHED}(\"{text}\");")
}
