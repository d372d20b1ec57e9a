//! The texts that may replace an expression.

use super::atoms::{is_comparison, one_line};
use super::brackets::{Level, bracketed};
use super::candidates::EditKind;
use super::expressions::Role;
use super::floats::Floats;
use super::literals::{Literals, is_plain_character};
use super::siblings::Siblings;
use super::uses::Uses;
use super::variables::Variables;
use nub_c_syntax::TranslationUnit;
use nub_c_syntax::ast::{AstBinaryOp, AstExprKind, AstUnaryOp, ExprId, IntBase};
use nub_text::Span;
use rustc_hash::{FxHashMap, FxHashSet};

/// Calls with at most this many arguments are tried with two of them swapped.
const MAX_ARGUMENTS: usize = 5;

/// What is known about the function whose expressions are edited.
pub(super) struct Writer<'a> {
    pub unit: &'a TranslationUnit,
    pub uses: &'a Uses<'a>,
    pub siblings: &'a Siblings<'a>,
    pub variables: Variables<'a>,
    /// Conditions of the function.
    pub atoms: Vec<String>,
    pub literals: Literals,
    /// Where one more or less is tried.
    pub offsets: FxHashSet<ExprId>,
    /// Assignments that differ from others of the same form, with what they would be in that form.
    pub patterns: FxHashMap<ExprId, String>,
    /// Constants that are returned.
    pub returned: FxHashSet<ExprId>,
    pub floats: Floats<'a>,
}

impl Writer<'_> {
    fn text(&self, id: ExprId) -> Option<String> {
        one_line(self.unit.text(self.unit.expr(id).span))
    }

    /// New texts for an expression.
    pub fn edits(&self, id: ExprId, role: Role) -> Vec<(EditKind, String)> {
        let Some(text) = self.text(id) else { return Vec::new() };
        let mut found = self.others(id, role, &text);
        found.extend(self.patterns.get(&id).map(|new| (EditKind::Pattern, new.clone())));
        if self.returned.contains(&id) {
            let names = self.variables.integers(self.unit.expr(id).span.start);
            found.extend(names.into_iter().map(|name| (EditKind::Name, name.to_owned())));
        }
        found.extend(self.negations(id, role, &text));
        found.extend(self.floats.edits(id));
        if self.offsets.contains(&id) {
            let offset = |op: AstBinaryOp| {
                bracketed(self.unit, id, self.offset(id, &text, op), Level::of_operator(op))
            };
            found.extend([AstBinaryOp::Add, AstBinaryOp::Sub].map(|op| (EditKind::Offset, offset(op))));
        }
        let kind = &self.unit.expr(id).kind;
        let is_choice = matches!(
            kind,
            AstExprKind::Binary(op, ..) if is_comparison(*op) || matches!(op, AstBinaryOp::And | AstBinaryOp::Or)
        ) || matches!(
            kind,
            AstExprKind::Unary(AstUnaryOp::Not, _) | AstExprKind::Call { .. }
        );
        if role == Role::Condition || role == Role::Value && is_choice {
            found.extend(self.with_atoms(id, &text).into_iter().map(|new| (EditKind::Condition, new)));
        }
        found
    }

    /// Another operator, number or name.
    fn others(&self, id: ExprId, role: Role, text: &str) -> Vec<(EditKind, String)> {
        let expr = self.unit.expr(id);
        let of = |kind: EditKind, list: Vec<String>| list.into_iter().map(|new| (kind, new)).collect();
        match &expr.kind {
            AstExprKind::Unary(AstUnaryOp::Not | AstUnaryOp::Minus | AstUnaryOp::BitNot, a) => {
                let new = self.text(*a).map(|new| bracketed(self.unit, id, new, Level::of(self.unit, *a)));
                of(EditKind::Negation, new.into_iter().collect())
            }
            AstExprKind::Unary(op, a) => {
                of(EditKind::Operator, other_step(*op, self.text(*a)).into_iter().collect())
            }
            AstExprKind::Binary(op, a, b) => self.binary(id, *op, *a, *b),
            AstExprKind::Assign(op, left, right) => self.assignment(*op, *left, *right),
            AstExprKind::Int(number) => {
                let mut list = self.literals.other_numbers(number);
                let is_plain = number.value > 0 && !number.is_unsigned && number.base == IntBase::Decimal;
                list.extend(self.signed(id, text).filter(|_| role == Role::Value && is_plain));
                of(EditKind::Number, list)
            }
            AstExprKind::Char(found) if is_plain_character(found) => {
                of(EditKind::Number, self.literals.other_characters(text))
            }
            AstExprKind::Ident(ident) => {
                of(EditKind::Name, self.other_names(self.unit.name(ident.name), expr.span, role))
            }
            AstExprKind::Member { .. } => of(EditKind::Name, self.other_members(id)),
            AstExprKind::Call { callee, args } => {
                let mut found: Vec<(EditKind, String)> =
                    of(EditKind::Name, self.other_calls(id, *callee, role));
                found.extend(self.exchanged(id, args).into_iter().map(|new| (EditKind::Order, new)));
                found.extend(
                    self.other_nan_checks(*callee, args).into_iter().map(|new| (EditKind::NanCheck, new)),
                );
                found
            }
            _ => Vec::new(),
        }
    }

    /// One more negation.
    fn negations(&self, id: ExprId, role: Role, text: &str) -> Vec<(EditKind, String)> {
        let kind = &self.unit.expr(id).kind;
        let is_compared = matches!(kind, AstExprKind::Binary(op, ..) if is_comparison(*op));
        let is_negated = matches!(kind, AstExprKind::Unary(AstUnaryOp::Not, _));
        if role.is_truth() {
            let new = (!is_compared && !is_negated).then(|| format!("!({text})"));
            return new.into_iter().map(|new| (EditKind::Negation, new)).collect();
        }
        let name = match kind {
            AstExprKind::Ident(ident) => Some(self.unit.name(ident.name)),
            AstExprKind::Member { .. } | AstExprKind::Index(..) | AstExprKind::Call { .. } => None,
            _ => return Vec::new(),
        };
        let is_truth =
            name.is_some_and(|name| self.uses.fits(name, Role::Truth) && !self.uses.fits(name, Role::Number));
        let is_signed = name.is_none_or(|name| self.variables.is_signed(name));
        let new = match role {
            Role::Value if is_truth => Some(format!("!{text}")),
            Role::Value if is_signed => self.signed(id, text),
            _ => None,
        };
        new.into_iter().map(|new| (EditKind::Negation, new)).collect()
    }

    /// The text with a sign; `None` after another sign, since both would form `--`.
    fn signed(&self, id: ExprId, text: &str) -> Option<String> {
        let before = self.unit.source().get(..self.unit.expr(id).span.start as usize)?;
        (before.trim_ascii_end().last() != Some(&b'-')).then(|| format!("-{text}"))
    }

    /// One more or less than an expression.
    fn offset(&self, id: ExprId, text: &str, op: AstBinaryOp) -> String {
        let is_loose = Level::of(self.unit, id) < Level::of_operator(op);
        let spelling = op.spelling();
        if is_loose { format!("({text}) {spelling} 1") } else { format!("{text} {spelling} 1") }
    }

    fn other_names(&self, name: &str, span: Span, role: Role) -> Vec<String> {
        let others = self.variables.others(name, span.start);
        let others = others.into_iter().filter(|other| self.uses.fits(other, role));
        let is_variable = self.variables.is_variable(name);
        let constants = if is_variable { Vec::new() } else { self.siblings.constants(name) };
        others.chain(constants).map(str::to_owned).collect()
    }

    /// Another member of the same object.
    fn other_members(&self, id: ExprId) -> Vec<String> {
        let AstExprKind::Member { member, .. } = &self.unit.expr(id).kind else { return Vec::new() };
        let whole = self.unit.expr(id).span;
        let name = self.unit.name(member.name);
        let Some(text) = one_line(self.unit.text(whole)) else { return Vec::new() };
        let Some(object) = text.strip_suffix(name) else { return Vec::new() };
        self.siblings.members(name).into_iter().map(|other| format!("{object}{other}")).collect()
    }

    /// Another way to assign, and another place to assign to.
    fn assignment(&self, op: Option<AstBinaryOp>, left: ExprId, right: ExprId) -> Vec<(EditKind, String)> {
        let (Some(target), Some(value)) = (self.text(left), self.text(right)) else { return Vec::new() };
        let spelling = |op: Option<AstBinaryOp>| op.map_or("", AstBinaryOp::spelling);
        let others: Vec<Option<AstBinaryOp>> = match op {
            None => vec![Some(AstBinaryOp::Add), Some(AstBinaryOp::Sub)],
            Some(op) => std::iter::once(None).chain(other_operators(op).iter().copied().map(Some)).collect(),
        };
        // Forgetting an operator is rarer than using a wrong one.
        let kind = if op.is_none() { EditKind::Target } else { EditKind::Operator };
        let with = |op: Option<AstBinaryOp>| (kind, format!("{target} {}= {value}", spelling(op)));
        let mut found: Vec<(EditKind, String)> = others.into_iter().map(with).collect();
        let targets = match &self.unit.expr(left).kind {
            AstExprKind::Ident(ident) => {
                let others =
                    self.variables.others(self.unit.name(ident.name), self.unit.expr(left).span.start);
                others.into_iter().map(str::to_owned).collect()
            }
            AstExprKind::Member { .. } => self.other_members(left),
            _ => Vec::new(),
        };
        let to = |target: String| (EditKind::Target, format!("{target} {}= {value}", spelling(op)));
        found.extend(targets.into_iter().map(to));
        found
    }

    /// A call with two arguments swapped.
    fn exchanged(&self, id: ExprId, args: &[ExprId]) -> Vec<String> {
        let whole = self.unit.expr(id).span;
        let mut found = Vec::new();
        for (number, a) in args.iter().enumerate().take(MAX_ARGUMENTS) {
            for b in args.iter().take(MAX_ARGUMENTS).skip(number + 1) {
                let (first, second) = (self.unit.expr(*a).span, self.unit.expr(*b).span);
                let part = |start: u32, end: u32| one_line(self.unit.text(Span { start, end }));
                let parts = (
                    part(whole.start, first.start),
                    part(first.end, second.start),
                    part(second.end, whole.end),
                );
                let (Some(before), Some(between), Some(after)) = parts else { continue };
                let (Some(x), Some(y)) = (self.text(*a), self.text(*b)) else { continue };
                if x != y {
                    let between = if between.starts_with(',') { format!("{between} ") } else { between };
                    found.push(format!("{before}{y}{between}{x}{after}"));
                }
            }
        }
        found
    }

    fn binary(&self, id: ExprId, op: AstBinaryOp, a: ExprId, b: ExprId) -> Vec<(EditKind, String)> {
        let whole = self.unit.expr(id).span;
        let (Some(left), Some(right)) = (self.text(a), self.text(b)) else { return Vec::new() };
        // Parentheses around operands stay where they are.
        let between = Span { start: self.unit.expr(a).span.end, end: self.unit.expr(b).span.start };
        let from = one_line(self.unit.text(Span { end: between.start, ..whole }));
        let to = one_line(self.unit.text(Span { start: between.end, ..whole }));
        let between = one_line(self.unit.text(between));
        let (Some(from), Some(between), Some(to)) = (from, between, to) else { return Vec::new() };
        let others = other_operators(op).iter().filter(|other| **other != op);
        let with = |other: &AstBinaryOp| {
            let between = between.replacen(op.spelling(), &format!(" {} ", other.spelling()), 1);
            let new = format!("{from}{between}{to}");
            let new = new.split_whitespace().collect::<Vec<_>>().join(" ");
            (EditKind::Operator, bracketed(self.unit, id, new, Level::of_operator(*other)))
        };
        let mut found: Vec<(EditKind, String)> = others.map(with).collect();
        use AstBinaryOp::{BitAnd, BitOr, BitXor, Div, Rem, Sub};
        if matches!(op, BitAnd | BitOr | BitXor) {
            let not = |id: ExprId, text: &str| match Level::of(self.unit, id) {
                Level::Primary => format!("~{text}"),
                _ => format!("~({text})"),
            };
            let spelling = op.spelling();
            found.push((
                EditKind::Negation,
                format!("{} {spelling} {}", not(a, &left), self.operand(b, &right)),
            ));
            found.push((
                EditKind::Negation,
                format!("{} {spelling} {}", self.operand(a, &left), not(b, &right)),
            ));
        }
        if matches!(op, Sub | Div | Rem) {
            let new = format!("{} {} {}", self.operand(b, &right), op.spelling(), self.operand(a, &left));
            found.push((EditKind::Order, new));
        }
        if !is_comparison(op) {
            let alone = |(operand, new)| bracketed(self.unit, id, new, Level::of(self.unit, operand));
            found.extend([(a, left), (b, right)].map(|operand| (EditKind::Dropped, alone(operand))));
        }
        found
    }

    /// An operand in another place: in parentheses, unless it binds tightly enough.
    fn operand(&self, id: ExprId, text: &str) -> String {
        if Level::of(self.unit, id) == Level::Primary { text.to_owned() } else { format!("({text})") }
    }

    fn other_calls(&self, id: ExprId, callee: ExprId, role: Role) -> Vec<String> {
        let AstExprKind::Ident(ident) = self.unit.expr(callee).kind else { return Vec::new() };
        let rest = Span { start: self.unit.expr(callee).span.end, end: self.unit.expr(id).span.end };
        let Some(rest) = one_line(self.unit.text(rest)) else { return Vec::new() };
        let others = self.variables.other_functions(self.unit.name(ident.name));
        let others = others.into_iter().filter(|other| self.uses.fits(other, role));
        others.map(|other| format!("{other}{rest}")).collect()
    }

    /// `isnan` of another variable.
    fn other_nan_checks(&self, callee: ExprId, args: &[ExprId]) -> Vec<String> {
        let (AstExprKind::Ident(function), [arg]) = (&self.unit.expr(callee).kind, args) else {
            return Vec::new();
        };
        let function = self.unit.name(function.name);
        let AstExprKind::Ident(checked) = self.unit.expr(*arg).kind else { return Vec::new() };
        if function.trim_start_matches("__builtin_") != "isnan" {
            return Vec::new();
        }
        let others = self.variables.others(self.unit.name(checked.name), self.unit.expr(*arg).span.start);
        others.into_iter().map(|other| format!("{function}({other})")).collect()
    }

    /// One more condition that is checked elsewhere.
    fn with_atoms(&self, id: ExprId, text: &str) -> Vec<String> {
        let others = self.atoms.iter().filter(|atom| atom.as_str() != text);
        let mut found = Vec::new();
        for atom in others {
            for op in [AstBinaryOp::And, AstBinaryOp::Or] {
                let with = |new| bracketed(self.unit, id, new, Level::of_operator(op));
                found.push(with(format!("({text}) {} {atom}", op.spelling())));
                found.push(with(format!("({text}) {} !({atom})", op.spelling())));
            }
        }
        found
    }
}

/// Operators that may have been meant.
fn other_operators(op: AstBinaryOp) -> &'static [AstBinaryOp] {
    use AstBinaryOp::{
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

/// The other step: `x++` and `x--`.
fn other_step(op: AstUnaryOp, operand: Option<String>) -> Option<String> {
    let operand = operand?;
    match op {
        AstUnaryOp::PostInc => Some(format!("{operand}--")),
        AstUnaryOp::PostDec => Some(format!("{operand}++")),
        AstUnaryOp::PreInc => Some(format!("--{operand}")),
        AstUnaryOp::PreDec => Some(format!("++{operand}")),
        _ => None,
    }
}
