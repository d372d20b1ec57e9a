//! The list of small edits.
//!
//! | of | edits |
//! |---|---|
//! | `a < b` | the five other comparisons |
//! | `a && b` | `a \|\| b`, `a`, `b` |
//! | `!a` | `a` |
//! | a condition `c` | `!c`; `c && d` and `c \|\| d`, where `d` or its negation is checked elsewhere in the function |
//! | `a + b` | `a - b`, and the like for `*`, `/`, `%`, `&`, `\|`, `<<`, `>>`; one operand alone |
//! | `a - b`, `f(a, b)` | `b - a`, `f(b, a)` |
//! | `a & b` | `~a & b`, `a & ~b` |
//! | `x = a`, `x += a`, `x++` | `x += a`, `x -= a`; `x = a`; `x--`; another variable or member in place of `x` |
//! | `if (a < b) c = b` beside `if (d < e) d = e` | `a = b` |
//! | `return 1` | `return x` for a variable of that type |
//! | `600` | one more, one less, 0, 1, and numbers of the same function; the same number negated |
//! | `'a'` | other characters of the function |
//! | `x`, `f(x)` | other variables, other functions of the same type and use; `-x` where a value is passed on |
//! | `a.x`, `RED` | other members, other constants of the enumeration |
//! | an index, argument, limit or assigned value `x` | `x + 1`, `x - 1` |
//! | floats | checks for NaN, tolerances, roundings, precisions (`floats`), types of variables (`types`) |

use super::atoms::atoms;
use super::expressions::{Role, expressions};
use super::floats::Floats;
use super::literals::Literals;
use super::offsets::offset_places;
use super::patterns::patterns;
use super::returned::returned;
use super::siblings::Siblings;
use super::uses::Uses;
use super::variables::Variables;
use super::writer::Writer;
use nub_c_ir::{FunctionId, Instr, InstrKind, Program};
use nub_c_syntax::TranslationUnit;
use nub_c_syntax::ast::ExprId;
pub use nub_report::ranking::EditKind;
use nub_text::Span;

/// The largest number of edits of one statement, and in total.
const MAX_PER_STATEMENT: usize = 160;
const MAX_EDITS: usize = 1500;

/// One edit: an expression is replaced by another text, or a statement is inserted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Edit {
    pub kind: EditKind,
    /// The expression; empty where a statement is inserted.
    pub span: Span,
    /// The new text.
    pub new: String,
    /// The statement it is in, by its position in the given list.
    pub statement: usize,
    /// The text for proofs, if it is different: it also fails where the result does not fit.
    pub stricter: Option<Splice>,
}

/// A piece of text, and its replacement.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Splice {
    pub span: Span,
    pub new: String,
}

impl Edit {
    /// The replacement in the text that is searched.
    pub fn splice(&self) -> Splice {
        let own = || match self.kind {
            EditKind::Guard | EditKind::Type => Splice { span: self.span, new: self.new.clone() },
            _ => Splice { span: self.span, new: format!("({})", self.new) },
        };
        self.stricter.clone().unwrap_or_else(own)
    }
}

/// A statement that may be edited.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Statement {
    pub function: FunctionId,
    pub span: Span,
}

/// All edits within the statements.
pub(super) fn candidates(
    unit: &TranslationUnit,
    program: &Program,
    is_used: &[bool],
    statements: &[Statement],
    kinds: &[EditKind],
) -> Vec<Edit> {
    let mut found: Vec<Edit> = Vec::new();
    let (uses, siblings) = (Uses::new(unit), Siblings::new(unit, program));
    for (_, function) in unit.functions() {
        let name = function.declarator.name.map(|name| unit.name(name.name));
        let Some(id) = name.and_then(|name| program.function_by_name(name)) else { continue };
        let own: Vec<(usize, Span)> = statements
            .iter()
            .enumerate()
            .filter(|(_, statement)| statement.function == id && contains(function.span, statement.span))
            .map(|(at, statement)| (at, statement.span))
            .collect();
        if own.is_empty() {
            continue;
        }
        let list = expressions(unit, function.body);
        let variables = Variables::new(program, id, is_used);
        let asserted = asserted(program, id);
        let is_own = |id: ExprId| !asserted.iter().any(|span| contains(*span, unit.expr(id).span));
        let checked: Vec<(ExprId, Role)> = list.iter().copied().filter(|found| is_own(found.0)).collect();
        let atoms = atoms(unit, &checked);
        let (literals, offsets) = (Literals::new(unit, &list), offset_places(unit, &list));
        let patterns = patterns(unit, function.body);
        let returned = returned(unit, function.body);
        let floats = Floats::new(unit, program, id, &list);
        let writer = Writer {
            unit,
            uses: &uses,
            siblings: &siblings,
            variables,
            atoms,
            literals,
            offsets,
            patterns,
            returned,
            floats,
        };
        let mut n_edits = vec![0; own.len()];
        for (expr, role) in list {
            let span = unit.expr(expr).span;
            // The innermost statement that contains it.
            let Some(at) =
                (0..own.len()).filter(|at| contains(own[*at].1, span)).min_by_key(|at| own[*at].1.len())
            else {
                continue;
            };
            for (kind, new) in writer.edits(expr, role) {
                let is_wanted = kinds.contains(&kind) && n_edits[at] < MAX_PER_STATEMENT;
                if is_wanted && found.len() < MAX_EDITS {
                    n_edits[at] += 1;
                    found.push(Edit { kind, span, new, statement: own[at].0, stricter: None });
                }
            }
        }
    }
    found
}

/// Statements that assert or assume. Their conditions are not conditions of the program.
fn asserted(program: &Program, id: FunctionId) -> Vec<Span> {
    let instrs = program.function(id).blocks.iter().flat_map(|block| &block.instrs);
    let spoken =
        instrs.filter(|instr| matches!(instr.kind, InstrKind::Assert { .. } | InstrKind::Assume { .. }));
    let statement = |instr: &Instr| program.statements.get(instr.origin.statement.index());
    spoken.filter_map(|instr| statement(instr).map(|statement| statement.span)).collect()
}

fn contains(outer: Span, inner: Span) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}
