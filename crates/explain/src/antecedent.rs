//! Assertions that apply only under a condition: `!A || B`, `!(A && B)`, `A <= B`, `A ? B : 1`, and variables that hold such a value.
//!
//! The closest passing run often just makes the condition false, which explains nothing. Then the condition, the antecedent, is assumed and the
//! search repeated (section 6.1 of the paper). The form of the source decides: a property becomes a list of disjuncts, and those written with `!`
//! belong to the antecedent. In a plain `a || b` it is `!a` if `a` depends on unchanged inputs only and `b` does not: `off || level == 0` means that
//! `!off` implies the rest.

use crate::insert_conditions::{Insertion, Place, around, statement};
use crate::property::Instance;
use nub_c_ir::InstrKind;
use nub_c_ir::ProgramSource;
use nub_c_syntax::TranslationUnit;
use nub_c_syntax::ast::{AstBinaryOp, AstExprKind, AstUnaryOp, ExprId, InitKind, Name, StmtId, StmtKind};
use nub_text::Span;
use nub_unroll::Unrolled;

/// At most this many helper variables are followed one after the other.
const MAX_HELPERS: usize = 8;
/// At most this many antecedents are tried.
const MAX_CANDIDATES: usize = 4;
/// At most this many disjuncts of one property.
const MAX_DISJUNCTS: usize = 64;

/// The text of the marker.
pub(crate) const MARK: &str = "nub: antecedent";

/// Possible antecedents of a property.
pub(crate) enum Candidates {
    /// By the form of the property, the most likely one first.
    Negated(Vec<Antecedent>),
    /// The parts of a plain disjunction that can be evaluated twice; those that depend on inputs alone, negated, are the antecedent.
    Plain {
        parts: Vec<Disjunctive>,
        /// Whether there are other parts.
        has_others: bool,
    },
}

/// A condition that keeps a property from being trivially true.
pub(crate) struct Antecedent {
    /// As in the source.
    pub text: String,
    /// A marker, to be inserted before the property.
    pub insertion: Insertion,
}

/// A part of a plain disjunction.
pub(crate) struct Disjunctive {
    /// As in the source.
    pub text: String,
    /// The statement of the property.
    pub before: Place,
}

impl Antecedent {
    /// The condition that none of these parts of one property holds; `None` if it cannot be written.
    pub fn none_of(parts: &[&Disjunctive]) -> Option<Antecedent> {
        let negated = |part: &&Disjunctive| {
            if is_plain(&part.text) { format!("!{}", part.text) } else { format!("!({})", part.text) }
        };
        let text = parts.iter().map(negated).collect::<Vec<_>>().join(" && ");
        marked(parts.first()?.before, text)
    }
}

/// Whether it is a name or member, which needs no parentheses.
fn is_plain(text: &str) -> bool {
    text.chars().all(|letter| letter.is_alphanumeric() || matches!(letter, '_' | '.'))
}

fn marked(before: Place, text: String) -> Option<Antecedent> {
    let mark = statement("__CPROVER_assert", &text, &format!(", \"{MARK}\"")).ok()?;
    Some(Antecedent { text, insertion: Insertion { before, text: mark } })
}

/// The antecedents of a property. O(size of the function).
pub(crate) fn antecedents(source: ProgramSource<'_>, unrolled: &Unrolled, property: &Instance) -> Candidates {
    let none = || Candidates::Negated(Vec::new());
    let Some(span) = condition(source, unrolled, property) else { return none() };
    let (unit, _) = nub_c_syntax::parse(source.text);
    let reader = Reader { unit: &unit, span };
    let Some(root) = reader.expression(span) else { return none() };
    let mut list = reader.disjuncts(root, true);
    for _ in 0..MAX_HELPERS {
        let [Disjunct { expr, is_positive }] = list.as_slice() else { break };
        let Some(definition) = reader.definition(*expr) else { break };
        list = reader.disjuncts(definition, *is_positive);
    }
    let Some(before) = around(&unit, property.origin.span) else { return none() };
    if list.len() > 1 && list.iter().all(|found| found.is_positive) {
        let text = |found: &Disjunct| reader.conjunction(&[found.expr]);
        let parts: Vec<_> = list.iter().filter_map(text).map(|text| Disjunctive { text, before }).collect();
        let has_others = parts.len() < list.len();
        return Candidates::Plain { parts, has_others };
    }
    let texts = choices(&list).into_iter().filter_map(|choice| reader.conjunction(&choice));
    Candidates::Negated(texts.filter_map(|text| marked(before, text)).collect())
}

/// The span of the condition of the assertion.
fn condition(source: ProgramSource<'_>, unrolled: &Unrolled, property: &Instance) -> Option<Span> {
    property.assertion?;
    let function = source.program.function(unrolled.function_of(property.context));
    let mut instrs = function.blocks.iter().flat_map(|block| &block.instrs);
    instrs.find_map(|instr| match instr.kind {
        InstrKind::Assert { condition, .. } if instr.origin == property.origin => {
            Some(function.exprs[condition.index()].span)
        }
        _ => None,
    })
}

/// A part of a disjunction: the expression, or its negation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Disjunct {
    expr: ExprId,
    is_positive: bool,
}

/// Which expressions may be the antecedent: all negated ones, if there are others. If all are negated, all but one of them: first all but the last.
fn choices(list: &[Disjunct]) -> Vec<Vec<ExprId>> {
    let negated: Vec<ExprId> =
        list.iter().filter(|found| !found.is_positive).map(|found| found.expr).collect();
    if negated.is_empty() || list.len() < 2 {
        return Vec::new();
    }
    if negated.len() < list.len() {
        return vec![negated];
    }
    let without = |at: usize| {
        let others = negated.iter().enumerate().filter(|(index, _)| *index != at);
        others.map(|(_, expr)| *expr).collect()
    };
    (0..negated.len()).rev().take(MAX_CANDIDATES).map(without).collect()
}

struct Reader<'u> {
    unit: &'u TranslationUnit,
    /// The property.
    span: Span,
}

impl Reader<'_> {
    /// The outermost expression with this text.
    fn expression(&self, span: Span) -> Option<ExprId> {
        let same = self.unit.exprs().filter(|(_, expr)| expr.span == span);
        same.last().map(|(id, _)| id)
    }

    /// The expression, or its negation, as a disjunction.
    fn disjuncts(&self, root: ExprId, is_positive: bool) -> Vec<Disjunct> {
        let mut found = Vec::new();
        let mut todo = vec![Disjunct { expr: root, is_positive }];
        while let Some(next) = todo.pop() {
            let Disjunct { expr, is_positive } = next;
            let part = |expr, is_positive| Disjunct { expr, is_positive };
            // Parts are pushed in reverse, so that they come out in the order of the text.
            match self.unit.expr(expr).kind {
                AstExprKind::Unary(AstUnaryOp::Not, a) => todo.push(part(a, !is_positive)),
                AstExprKind::Binary(AstBinaryOp::Or, a, b) if is_positive => {
                    todo.extend([part(b, true), part(a, true)]);
                }
                AstExprKind::Binary(AstBinaryOp::And, a, b) if !is_positive => {
                    todo.extend([part(b, false), part(a, false)]);
                }
                AstExprKind::Binary(AstBinaryOp::Le, a, b)
                    if is_positive && self.is_truth(a) && self.is_truth(b) =>
                {
                    todo.extend([part(b, true), part(a, false)]);
                }
                AstExprKind::Binary(AstBinaryOp::Ne, a, b) if self.is_number(b, false) => {
                    todo.push(part(a, is_positive));
                }
                AstExprKind::Binary(AstBinaryOp::Eq, a, b)
                    if self.is_number(b, false) && self.is_truth(a) =>
                {
                    todo.push(part(a, !is_positive));
                }
                AstExprKind::Conditional { condition, then: Some(then), otherwise }
                    if is_positive && self.is_number(otherwise, true) =>
                {
                    todo.extend([part(then, true), part(condition, false)]);
                }
                AstExprKind::Cast(_, a) if self.is_truth(a) => todo.push(part(a, is_positive)),
                _ => found.push(next),
            }
            if found.len() + todo.len() > MAX_DISJUNCTS {
                return Vec::new();
            }
        }
        found
    }

    /// Whether it is a literal that is zero, or not zero.
    fn is_number(&self, id: ExprId, is_true: bool) -> bool {
        let AstExprKind::Int(_) = self.unit.expr(id).kind else { return false };
        let text = self.unit.text(self.unit.expr(id).span);
        (text != b"0") == is_true
    }

    /// Whether the value is 0 or 1.
    fn is_truth(&self, id: ExprId) -> bool {
        let mut id = id;
        for _ in 0..MAX_HELPERS {
            use AstBinaryOp::{And, Eq, Ge, Gt, Le, Lt, Ne, Or};
            match self.unit.expr(id).kind {
                AstExprKind::Unary(AstUnaryOp::Not, _) => return true,
                AstExprKind::Binary(Lt | Gt | Le | Ge | Eq | Ne | And | Or, ..) => return true,
                AstExprKind::Ident(_) => match self.definition(id) {
                    Some(definition) => id = definition,
                    None => return false,
                },
                _ => return false,
            }
        }
        false
    }

    /// The value that a variable was set to, if it is set only once in this function.
    fn definition(&self, id: ExprId) -> Option<ExprId> {
        let AstExprKind::Ident(ident) = self.unit.expr(id).kind else { return None };
        let function = self.unit.functions().find(|(_, function)| contains(function.span, self.span))?.1;
        let is_name = |id: ExprId| matches!(self.unit.expr(id).kind, AstExprKind::Ident(found) if found.name == ident.name);
        let mut found = self.initialisers(function.body, ident.name);
        for (_, expr) in self.unit.exprs().filter(|(_, expr)| contains(function.span, expr.span)) {
            match expr.kind {
                AstExprKind::Assign(None, target, value) if is_name(target) => found.push(value),
                AstExprKind::Assign(Some(_), target, _) if is_name(target) => return None,
                AstExprKind::Unary(
                    AstUnaryOp::AddressOf
                    | AstUnaryOp::PreInc
                    | AstUnaryOp::PreDec
                    | AstUnaryOp::PostInc
                    | AstUnaryOp::PostDec,
                    target,
                ) if is_name(target) => return None,
                _ => {}
            }
        }
        match found.as_slice() {
            [only] => Some(*only),
            _ => None,
        }
    }

    /// Initialisers of variables of this name in the declarations of a block and the blocks in it.
    fn initialisers(&self, body: StmtId, name: Name) -> Vec<ExprId> {
        let mut found = Vec::new();
        let mut todo = vec![body];
        while let Some(id) = todo.pop() {
            match &self.unit.stmt(id).kind {
                StmtKind::Compound(items) => todo.extend(items),
                StmtKind::Declaration(id) => {
                    let mine = self.unit.decl(*id).declarators.iter().filter(|declared| {
                        declared.declarator.name.is_some_and(|declared| declared.name == name)
                    });
                    found.extend(mine.filter_map(|declared| match self.unit.init(declared.init?).kind {
                        InitKind::Expr(value) => Some(value),
                        InitKind::List(_) => None,
                    }));
                }
                _ => {}
            }
        }
        found
    }

    /// The condition that all of them hold; absent if evaluating it twice would have effects.
    fn conjunction(&self, list: &[ExprId]) -> Option<String> {
        let mut parts = Vec::new();
        for id in list {
            let span = self.unit.expr(*id).span;
            let has_effect = self.unit.exprs().any(|(_, expr)| {
                let is_effect = match expr.kind {
                    AstExprKind::Call { .. } | AstExprKind::Assign(..) | AstExprKind::Statement(_) => true,
                    AstExprKind::Unary(op, _) => {
                        use AstUnaryOp::{PostDec, PostInc, PreDec, PreInc};
                        matches!(op, PreInc | PreDec | PostInc | PostDec)
                    }
                    _ => false,
                };
                is_effect && contains(span, expr.span)
            });
            if has_effect {
                return None;
            }
            parts.push(nub_c_ir::quote(self.unit.source(), span));
        }
        Some(match parts.as_slice() {
            [only] => only.clone(),
            _ => parts.iter().map(|part| format!("({part})")).collect::<Vec<_>>().join(" && "),
        })
    }
}

fn contains(outer: Span, inner: Span) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}
