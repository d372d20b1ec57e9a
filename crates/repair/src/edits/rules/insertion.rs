//! Where a guard is inserted: before the statement that violates the rule, inside the same block.

use super::super::candidates::{Edit, EditKind};
use super::Broken;
use nub_c_ir::Program;
use nub_c_syntax::TranslationUnit;
use nub_c_syntax::ast::{StmtId, StmtKind};
use nub_text::Span;

/// A place for a guard.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Insertion {
    /// The statement.
    span: Span,
    /// Whether it is the only statement of its branch, so that both need a block.
    needs_block: bool,
}

impl Insertion {
    /// The statement that contains the violation. `None` if the expression may be evaluated repeatedly without passing a statement, such as the
    /// condition of a loop.
    pub fn find(unit: &TranslationUnit, program: &Program, broken: Broken) -> Option<Insertion> {
        let name = &program.function(broken.function).name;
        let is_own = |function: &&nub_c_syntax::ast::FunctionDefinition| {
            function.declarator.name.is_some_and(|found| unit.name(found.name) == name)
        };
        let (_, body) = unit.functions().find(|(_, function)| is_own(function))?;
        let mut found = None;
        let mut below = Some((body.body, true));
        while let Some((id, is_item)) = below {
            let stmt = unit.stmt(id);
            let is_block = matches!(stmt.kind, StmtKind::Compound(_));
            if !is_block {
                found = Some(Insertion { span: stmt.span, needs_block: !is_item });
            }
            below = inner(unit, id, broken.origin.span);
            if below.is_none() && is_loop(&stmt.kind) {
                return None;
            }
        }
        found.filter(|found| holds(found.span, broken.origin.span))
    }

    /// The guard as an edit.
    pub fn edit(self, unit: &TranslationUnit, guard: &str) -> Edit {
        let Insertion { span, needs_block } = self;
        let (span, new) = if needs_block {
            (span, format!("{{ {guard} {} }}", String::from_utf8_lossy(unit.text(span))))
        } else {
            (Span { start: span.start, end: span.start }, format!("{guard} "))
        };
        Edit { kind: EditKind::Guard, span, new, statement: super::NOWHERE, stricter: None }
    }
}

fn holds(outer: Span, inner: Span) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}

fn is_loop(kind: &StmtKind) -> bool {
    matches!(kind, StmtKind::While { .. } | StmtKind::DoWhile { .. } | StmtKind::For { .. })
}

/// The statement directly inside another one that contains a place, and whether it is one of a list.
fn inner(unit: &TranslationUnit, id: StmtId, place: Span) -> Option<(StmtId, bool)> {
    let parts: Vec<(StmtId, bool)> = match &unit.stmt(id).kind {
        StmtKind::Compound(items) => items.iter().map(|item| (*item, true)).collect(),
        StmtKind::If { then, otherwise, .. } => {
            std::iter::once(*then).chain(*otherwise).map(|part| (part, false)).collect()
        }
        StmtKind::While { body, .. }
        | StmtKind::DoWhile { body, .. }
        | StmtKind::For { body, .. }
        | StmtKind::Switch { body, .. }
        | StmtKind::Case { body, .. }
        | StmtKind::Default { body }
        | StmtKind::Label { body, .. } => vec![(*body, false)],
        _ => Vec::new(),
    };
    parts.into_iter().find(|(part, _)| holds(unit.stmt(*part).span, place))
}
