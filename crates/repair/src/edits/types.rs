//! Another type for a variable: mistakes about precision and range, where the variable is declared and not where it is used.
//!
//! ```c
//! float sum = 0;      double sum = 0;         sums lose their last digits, or overflow
//! int mean = s / n;   double mean = s / n;    the fraction is lost
//! ```
//!
//! No expression can select between two types of a variable, so each of these edits is a program of its own: it is read and run on the known runs,
//! and those that pass all of them are searched like any other edit.

use super::candidates::{Edit, EditKind};
use super::rules::{NOWHERE, tried};
use super::trial::{Task, Tried};
use crate::Refusal;
use nub_c_ir::{FunctionId, Local, LocalKind, Program};
use nub_c_syntax::TranslationUnit;
use nub_c_syntax::ast::{BaseType, Declaration, FloatSize, FunctionDefinition, IntSize, StmtKind, Storage};
use nub_report::ranking::SolvingEffort;
use nub_text::Span;

/// How many declarations are tried, and how many proofs.
const MAX_DECLARATIONS: usize = 24;
const MAX_PROOFS: usize = 3;

/// A variable with another type.
pub(crate) struct Retyped {
    pub function: FunctionId,
    /// The variable, by its position among the locals of its function.
    pub local: usize,
    pub tried: Tried,
}

/// Types with which all known runs pass, the proved ones first.
pub(crate) fn type_edits(task: Task<'_>, effort: &mut SolvingEffort) -> Result<Vec<Retyped>, Refusal> {
    let mut found: Vec<Retyped> = Vec::new();
    for (function, local, edit) in candidates(task.unit, task.source.program, &task.problem.is_program) {
        let is_over = task.settings.limits.cancel.is_cancelled();
        if is_over || found.len() == MAX_PROOFS {
            break;
        }
        let tried = tried(task, edit, effort)?;
        found.extend(tried.map(|tried| Retyped { function, local, tried }));
    }
    found.sort_by_key(|retyped| !retyped.tried.is_enough());
    Ok(found)
}

/// Declarations of plain variables in functions of the program, with other types.
fn candidates(
    unit: &TranslationUnit,
    program: &Program,
    is_program: &[bool],
) -> Vec<(FunctionId, usize, Edit)> {
    let mut found = Vec::new();
    for (_, definition) in unit.functions() {
        let name = definition.declarator.name.map(|name| unit.name(name.name));
        let Some(id) = name.and_then(|name| program.function_by_name(name)) else { continue };
        if is_program.get(id.index()) != Some(&true) {
            continue;
        }
        let locals = &program.function(id).locals;
        for declaration in declarations(unit, definition) {
            let specifiers = unit.specifiers(declaration.specifiers);
            let is_own =
                |local: &Local| local.kind == LocalKind::Variable && contains(declaration.span, local.span);
            let Some(local) = locals.iter().position(is_own) else { continue };
            for new in others(&specifiers.base) {
                let edit = Edit {
                    kind: EditKind::Type,
                    span: specifiers.base_span,
                    new: (*new).to_owned(),
                    statement: NOWHERE,
                    stricter: None,
                };
                found.push((id, local, edit));
            }
        }
    }
    found.truncate(MAX_DECLARATIONS);
    found
}

/// Declarations of numbers in a function, of objects that are created at each call.
fn declarations<'u>(unit: &'u TranslationUnit, definition: &FunctionDefinition) -> Vec<&'u Declaration> {
    let mut found = Vec::new();
    let mut todo = vec![definition.body];
    while let Some(id) = todo.pop() {
        match &unit.stmt(id).kind {
            StmtKind::Declaration(id) => {
                let declaration = unit.decl(*id);
                let storage = unit.specifiers(declaration.specifiers).storage;
                let is_plain =
                    declaration.declarators.iter().all(|own| own.declarator.derivations.is_empty());
                let is_automatic = matches!(storage, None | Some(Storage::Register | Storage::Auto));
                if is_plain && is_automatic && !declaration.declarators.is_empty() {
                    found.push(declaration);
                }
            }
            StmtKind::Compound(items) => todo.extend(items.iter().rev()),
            StmtKind::If { then, otherwise, .. } => todo.extend(otherwise.iter().chain([then])),
            StmtKind::For { init, body, .. } => todo.extend([body].into_iter().chain(init)),
            StmtKind::While { body, .. }
            | StmtKind::DoWhile { body, .. }
            | StmtKind::Switch { body, .. }
            | StmtKind::Case { body, .. }
            | StmtKind::Default { body }
            | StmtKind::Label { body, .. } => todo.push(*body),
            _ => {}
        }
    }
    found
}

/// Types that may have been meant instead.
fn others(base: &BaseType) -> &'static [&'static str] {
    match base {
        BaseType::Float(FloatSize::Float) => &["double"],
        BaseType::Float(FloatSize::Double) => &["float"],
        BaseType::Int(IntSize::Long | IntSize::LongLong, _) => &["double"],
        BaseType::Int(IntSize::Short | IntSize::Int, _) => &["double", "long long"],
        _ => &[],
    }
}

fn contains(outer: Span, inner: Span) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}
