//! The list of small edits.
//!
//! | of | edits |
//! |---|---|
//! | `a < b` | the five other comparisons |
//! | `a && b` | `a \|\| b`, `a`, `b` |
//! | `!a` | `a` |
//! | a condition `c` | `!c`; `c && d` and `c \|\| d`, where `d` or its negation is checked elsewhere in the function |
//! | `a + b` | `a - b`, and the like for `*`, `/`, `%`, `&`, `\|`, `<<`, `>>`; one operand alone |
//! | `600` | one more, one less, 0, 1, and numbers of the same function |
//! | `x`, `f(x)` | other variables, other functions of the same type and use |

use super::atoms::{atoms, is_comparison, one_line};
use super::expressions::{Role, expressions};
use super::uses::Uses;
use super::variables::Variables;
use nub_c_ir::{FunctionId, Instr, InstrKind, Program};
use nub_c_syntax::TranslationUnit;
use nub_c_syntax::ast::{BinaryOp, ExprId, ExprKind, IntBase, LengthSuffix, UnaryOp};
use nub_text::Span;

/// Edits of one statement, and in all.
const MAX_PER_STATEMENT: usize = 160;
const MAX_EDITS: usize = 1500;
/// Numbers that are tried in place of one.
const MAX_NUMBERS: usize = 8;

/// What an edit does, the most plausible first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum EditKind {
    /// Another operator.
    Operator,
    /// Another number.
    Number,
    /// A negation more or less.
    Negation,
    /// Another variable or function.
    Name,
    /// One operand stands for the whole.
    Dropped,
    /// One more condition.
    Condition,
}

impl EditKind {
    /// One token is another, out of a few. That such an edit is right by chance is unlikely; of others there are many at each place.
    pub const TOKENS: [EditKind; 3] = [EditKind::Operator, EditKind::Number, EditKind::Negation];
    /// All of them.
    pub const ALL: [EditKind; 6] = [
        EditKind::Operator,
        EditKind::Number,
        EditKind::Negation,
        EditKind::Name,
        EditKind::Dropped,
        EditKind::Condition,
    ];
}

/// One edit: an expression is replaced by another text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Edit {
    pub kind: EditKind,
    /// The expression.
    pub span: Span,
    /// What stands there instead.
    pub new: String,
    /// The statement it is in, by its place in the list that was given.
    pub statement: usize,
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
    let uses = Uses::new(unit);
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
        let (atoms, numbers) = (atoms(unit, &checked), numbers(unit, &list));
        let writer = Writer { unit, uses: &uses, variables, atoms, numbers };
        let mut n_edits = vec![0; own.len()];
        for (expr, role) in list {
            let span = unit.expr(expr).span;
            // The innermost statement; one statement may hold another only as a condition its loop.
            let Some(at) =
                (0..own.len()).filter(|at| contains(own[*at].1, span)).min_by_key(|at| own[*at].1.len())
            else {
                continue;
            };
            for (kind, new) in writer.edits(expr, role) {
                let is_wanted = kinds.contains(&kind) && n_edits[at] < MAX_PER_STATEMENT;
                if is_wanted && found.len() < MAX_EDITS {
                    n_edits[at] += 1;
                    found.push(Edit { kind, span, new, statement: own[at].0 });
                }
            }
        }
    }
    found
}

/// Statements that assert or assume. What they say is not for the program to check.
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

/// Numbers of a function, smallest first.
fn numbers(unit: &TranslationUnit, list: &[(ExprId, Role)]) -> Vec<u64> {
    let values = list.iter().filter_map(|(id, _)| match &unit.expr(*id).kind {
        ExprKind::Int(number) => Some(number.value),
        _ => None,
    });
    let mut found: Vec<u64> = values.chain([0, 1]).collect();
    found.sort_unstable();
    found.dedup();
    found
}

struct Writer<'a> {
    unit: &'a TranslationUnit,
    uses: &'a Uses<'a>,
    variables: Variables<'a>,
    /// Conditions of the function.
    atoms: Vec<String>,
    numbers: Vec<u64>,
}

impl Writer<'_> {
    fn text(&self, id: ExprId) -> Option<String> {
        one_line(self.unit.text(self.unit.expr(id).span))
    }

    /// New texts for an expression.
    fn edits(&self, id: ExprId, role: Role) -> Vec<(EditKind, String)> {
        let expr = self.unit.expr(id);
        let Some(text) = self.text(id) else { return Vec::new() };
        let of = |kind: EditKind, list: Vec<String>| list.into_iter().map(|new| (kind, new)).collect();
        let mut found: Vec<(EditKind, String)> = match &expr.kind {
            ExprKind::Unary(UnaryOp::Not | UnaryOp::Minus | UnaryOp::BitNot, a) => {
                of(EditKind::Negation, self.text(*a).into_iter().collect())
            }
            ExprKind::Binary(op, a, b) => self.binary(expr.span, *op, *a, *b),
            ExprKind::Int(number) if is_plain(number) => {
                of(EditKind::Number, self.other_numbers(number.value))
            }
            ExprKind::Ident(ident) => {
                let others = self.variables.others(self.unit.name(ident.name), expr.span.start);
                let others = others.into_iter().filter(|other| self.uses.fits(other, role));
                of(EditKind::Name, others.map(str::to_owned).collect())
            }
            ExprKind::Call { callee, .. } => of(EditKind::Name, self.other_calls(id, *callee, role)),
            _ => Vec::new(),
        };
        let is_compared = matches!(&expr.kind, ExprKind::Binary(op, ..) if is_comparison(*op));
        let is_negated = matches!(expr.kind, ExprKind::Unary(UnaryOp::Not, _));
        let is_logical = matches!(expr.kind, ExprKind::Binary(BinaryOp::And | BinaryOp::Or, ..));
        if role.is_truth() && !is_compared && !is_negated {
            found.push((EditKind::Negation, format!("!({text})")));
        }
        let is_called = matches!(expr.kind, ExprKind::Call { .. });
        if role == Role::Condition
            || role == Role::Value && (is_compared || is_logical || is_negated || is_called)
        {
            found.extend(self.with_atoms(&text).into_iter().map(|new| (EditKind::Condition, new)));
        }
        found
    }

    fn binary(&self, whole: Span, op: BinaryOp, a: ExprId, b: ExprId) -> Vec<(EditKind, String)> {
        let (Some(left), Some(right)) = (self.text(a), self.text(b)) else { return Vec::new() };
        // Brackets around operands stay where they are.
        let between = Span { start: self.unit.expr(a).span.end, end: self.unit.expr(b).span.start };
        let from = one_line(self.unit.text(Span { end: between.start, ..whole }));
        let to = one_line(self.unit.text(Span { start: between.end, ..whole }));
        let between = one_line(self.unit.text(between));
        let (Some(from), Some(between), Some(to)) = (from, between, to) else { return Vec::new() };
        let others = other_operators(op).iter().filter(|other| **other != op);
        let with = |other: &BinaryOp| {
            let between = between.replacen(op.spelling(), &format!(" {} ", other.spelling()), 1);
            let new = format!("{from}{between}{to}");
            (EditKind::Operator, new.split_whitespace().collect::<Vec<_>>().join(" "))
        };
        let mut found: Vec<(EditKind, String)> = others.map(with).collect();
        if !is_comparison(op) {
            found.extend([left, right].map(|operand| (EditKind::Dropped, operand)));
        }
        found
    }

    /// Numbers near by, and those of the function that are closest.
    fn other_numbers(&self, value: u64) -> Vec<String> {
        let mut named: Vec<u64> = self.numbers.iter().copied().filter(|number| *number != value).collect();
        named.sort_by_key(|number| number.abs_diff(value));
        named.truncate(MAX_NUMBERS);
        let mut found = vec![value + 1];
        found.extend(value.checked_sub(1));
        found.extend(named);
        found.sort_unstable();
        found.dedup();
        found.into_iter().map(|number| number.to_string()).collect()
    }

    fn other_calls(&self, id: ExprId, callee: ExprId, role: Role) -> Vec<String> {
        let ExprKind::Ident(ident) = self.unit.expr(callee).kind else { return Vec::new() };
        let rest = Span { start: self.unit.expr(callee).span.end, end: self.unit.expr(id).span.end };
        let Some(rest) = one_line(self.unit.text(rest)) else { return Vec::new() };
        let others = self.variables.other_functions(self.unit.name(ident.name));
        let others = others.into_iter().filter(|other| self.uses.fits(other, role));
        others.map(|other| format!("{other}{rest}")).collect()
    }

    /// One more condition that is checked elsewhere.
    fn with_atoms(&self, text: &str) -> Vec<String> {
        let others = self.atoms.iter().filter(|atom| atom.as_str() != text);
        let mut found = Vec::new();
        for atom in others {
            for op in ["&&", "||"] {
                found.push(format!("({text}) {op} {atom}"));
                found.push(format!("({text}) {op} !({atom})"));
            }
        }
        found
    }
}

/// Operators that may have been meant.
fn other_operators(op: BinaryOp) -> &'static [BinaryOp] {
    use BinaryOp::{
        Add, And, BitAnd, BitOr, BitXor, Div, Eq, Ge, Gt, Le, Lt, Mul, Ne, Or, Rem, Shl, Shr, Sub,
    };
    match op {
        Lt | Le | Gt | Ge | Eq | Ne => &[Lt, Le, Gt, Ge, Eq, Ne],
        And => &[Or],
        Or => &[And],
        Add => &[Sub],
        Sub => &[Add],
        Mul => &[Add, Div],
        Div => &[Mul, Rem],
        Rem => &[Div],
        BitAnd => &[BitOr, BitXor],
        BitOr => &[BitAnd, BitXor],
        BitXor => &[BitAnd, BitOr],
        Shl => &[Shr],
        Shr => &[Shl],
    }
}

/// A number of type `int`.
fn is_plain(number: &nub_c_syntax::ast::IntLit) -> bool {
    let is_int = number.length == LengthSuffix::None && !number.is_unsigned && number.value < i32::MAX as u64;
    // Zero is octal.
    is_int && (number.base == IntBase::Decimal || number.value == 0)
}
