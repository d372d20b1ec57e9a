//! Edits of expressions with floating-point numbers: common mistakes about NaN, rounding, precision and `==`.
//!
//! | of | edits |
//! |---|---|
//! | `x < low` | `!(x >= low)`; `x < low \|\| isnan(x)`; `x < low && !isnan(x)` |
//! | `a == b` | `fabs(a - b) <= 1e-6`, with a few other tolerances |
//! | `floor(x)` | `ceil(x)` and the like; `floor(x + 0.5)` |
//! | `(a + b) / 2` | `((double)a + b) / 2`; of a `double` `(float)((a + b) / 2)` |
//! | `x == 0.1` | `x == 0.1f` |
//!
//! A precision changes for a whole expression at once: a choice between a `float` and a `double` inside it would be a `double`, and so would
//! everything computed from it.

use super::atoms::{is_comparison, one_line};
use super::brackets::{Level, bracketed};
use super::candidates::EditKind;
use super::expressions::Role;
use super::float_numbers::{FloatNumbers, FloatText};
use nub_c_ir::{ExprKind, FloatKind, FunctionId, Program};
use nub_c_syntax::TranslationUnit;
use nub_c_syntax::ast::{AstBinaryOp, AstExprKind, AstUnaryOp, ExprId};
use nub_text::Span;
use rustc_hash::{FxHashMap, FxHashSet};

/// Tolerances that are tried, for each precision.
const SINGLE_TOLERANCES: [&str; 4] = ["1e-6f", "1e-5f", "1e-4f", "1e-3f"];
const DOUBLE_TOLERANCES: [&str; 4] = ["1e-12", "1e-9", "1e-6", "1e-3"];

/// Functions that round to an integer, without suffix.
const ROUNDINGS: [&str; 5] = ["floor", "ceil", "trunc", "round", "rint"];

/// What is known about the floats of a function.
pub(super) struct Floats<'a> {
    unit: &'a TranslationUnit,
    /// Types of expressions, by their spans; absent for those that are not floats.
    kinds: FxHashMap<Span, Option<FloatKind>>,
    /// Operands of arithmetic: not the whole of an expression.
    inner: FxHashSet<ExprId>,
    /// Constants, with their spans.
    constants: Vec<(Span, FloatText)>,
    numbers: FloatNumbers,
}

impl<'a> Floats<'a> {
    /// For one function, whose expressions are given. O(size).
    pub fn new(
        unit: &'a TranslationUnit,
        program: &Program,
        function: FunctionId,
        list: &[(ExprId, Role)],
    ) -> Floats<'a> {
        let mut kinds: FxHashMap<Span, Option<FloatKind>> = FxHashMap::default();
        // Checks of an operand have its span, and come before it. A conversion comes after what it converts.
        let exprs = &program.function(function).exprs;
        let (loads, others): (Vec<_>, Vec<_>) =
            exprs.iter().partition(|expr| matches!(expr.kind, ExprKind::Load(_)));
        for expr in loads.into_iter().chain(others) {
            kinds.entry(expr.span).or_insert_with(|| program.types.float_kind(expr.ty));
        }
        let (mut inner, mut constants) = (FxHashSet::default(), Vec::new());
        for (id, _) in list {
            match unit.expr(*id).kind {
                AstExprKind::Float(literal) => {
                    constants.extend(FloatText::new(unit, literal).map(|text| (literal.span, text)));
                }
                AstExprKind::Binary(op, a, b) if is_arithmetic(op) => inner.extend([a, b]),
                AstExprKind::Unary(AstUnaryOp::Minus | AstUnaryOp::Plus, a) => drop(inner.insert(a)),
                _ => {}
            }
        }
        Floats { unit, kinds, inner, constants, numbers: FloatNumbers::new(unit, list) }
    }

    /// The type of an expression; `None` if it is not a float, or a call. The operands of a comparison or call are converted at its span.
    fn kind(&self, id: ExprId) -> Option<FloatKind> {
        let expr = self.unit.expr(id);
        let is_own = match expr.kind {
            AstExprKind::Binary(op, ..) => is_arithmetic(op),
            AstExprKind::Unary(op, _) => {
                matches!(op, AstUnaryOp::Minus | AstUnaryOp::Plus | AstUnaryOp::Deref)
            }
            AstExprKind::Ident(_)
            | AstExprKind::Member { .. }
            | AstExprKind::Index(..)
            | AstExprKind::Float(_)
            | AstExprKind::Cast(..) => true,
            _ => false,
        };
        self.kinds.get(&expr.span).copied().flatten().filter(|_| is_own)
    }

    fn text(&self, id: ExprId) -> Option<String> {
        one_line(self.unit.text(self.unit.expr(id).span))
    }

    /// New texts for an expression.
    pub fn edits(&self, id: ExprId) -> Vec<(EditKind, String)> {
        let of = |kind: EditKind, list: Vec<String>| list.into_iter().map(move |new| (kind, new));
        let mut found: Vec<(EditKind, String)> = Vec::new();
        match &self.unit.expr(id).kind {
            AstExprKind::Float(literal) => {
                let text = FloatText::new(self.unit, *literal);
                let numbers = text.map(|text| self.numbers.others(&text)).unwrap_or_default();
                found.extend(of(EditKind::Number, numbers));
            }
            AstExprKind::Binary(op, a, b) if is_comparison(*op) => {
                found.extend(of(EditKind::NanCheck, self.with_nans(id, *op, *a, *b)));
                found.extend(of(EditKind::Tolerance, self.with_tolerance(id, *op, *a, *b)));
            }
            AstExprKind::Call { callee, args } => {
                found.extend(of(EditKind::Rounding, self.other_roundings(*callee, args)));
            }
            _ => {}
        }
        if !self.inner.contains(&id) {
            found.extend(of(EditKind::Precision, self.other_precisions(id)));
        }
        found
    }

    /// Comparisons that differ from this one only for NaN operands, and the comparison with a check for NaN.
    fn with_nans(&self, id: ExprId, op: AstBinaryOp, a: ExprId, b: ExprId) -> Vec<String> {
        use AstBinaryOp::{And, Ge, Gt, Le, Lt, Or};
        let (Some(left), Some(right), Some(whole)) = (self.text(a), self.text(b), self.text(id)) else {
            return Vec::new();
        };
        if self.kind(a).or(self.kind(b)).is_none() {
            return Vec::new();
        }
        let opposite = match op {
            Lt => Some(Ge),
            Le => Some(Gt),
            Gt => Some(Le),
            Ge => Some(Lt),
            _ => None,
        };
        let mut found: Vec<String> = Vec::new();
        let negated = |op: AstBinaryOp| {
            format!("!({} {} {})", self.operand(a, &left, op), op.spelling(), self.operand(b, &right, op))
        };
        found.extend(opposite.map(negated));
        for (operand, text) in [(a, &left), (b, &right)] {
            let is_plain =
                matches!(self.unit.expr(operand).kind, AstExprKind::Ident(_) | AstExprKind::Member { .. });
            if !is_plain || self.kind(operand).is_none() {
                continue;
            }
            let with = |new: String, op| bracketed(self.unit, id, new, Level::of_operator(op));
            found.push(with(format!("{whole} || __builtin_isnan({text})"), Or));
            found.push(with(format!("{whole} && !__builtin_isnan({text})"), And));
        }
        found
    }

    /// An operand of another operator of the same level.
    fn operand(&self, id: ExprId, text: &str, op: AstBinaryOp) -> String {
        if Level::of(self.unit, id) > Level::of_operator(op) { text.to_owned() } else { format!("({text})") }
    }

    /// Replaces equality by approximate equality.
    fn with_tolerance(&self, id: ExprId, op: AstBinaryOp, a: ExprId, b: ExprId) -> Vec<String> {
        let new_op = match op {
            AstBinaryOp::Eq => AstBinaryOp::Le,
            AstBinaryOp::Ne => AstBinaryOp::Gt,
            _ => return Vec::new(),
        };
        let (Some(left), Some(right)) = (self.text(a), self.text(b)) else { return Vec::new() };
        // `x == x` checks for a NaN.
        let is_single = match (self.kind(a), self.kind(b)) {
            (None, None) => return Vec::new(),
            _ if left == right => return Vec::new(),
            (a, b) => [a, b].into_iter().flatten().all(|kind| kind == FloatKind::Float),
        };
        let (function, tolerances) = if is_single {
            ("__builtin_fabsf", SINGLE_TOLERANCES)
        } else {
            ("__builtin_fabs", DOUBLE_TOLERANCES)
        };
        let minus = AstBinaryOp::Sub;
        let difference = if self.is_zero(b) {
            left
        } else {
            format!("{} - {}", self.operand(a, &left, minus), self.operand(b, &right, minus))
        };
        let with = |tolerance: &str| {
            let new = format!("{function}({difference}) {} {tolerance}", new_op.spelling());
            bracketed(self.unit, id, new, Level::of_operator(new_op))
        };
        tolerances.into_iter().map(with).collect()
    }

    /// Whether it is a constant zero.
    fn is_zero(&self, id: ExprId) -> bool {
        match self.unit.expr(id).kind {
            AstExprKind::Int(number) => number.value == 0,
            AstExprKind::Float(literal) => {
                let digits = self.unit.text(literal.digits);
                digits.iter().all(|byte| matches!(byte, b'0' | b'.'))
            }
            _ => false,
        }
    }

    /// Other directions of rounding, and to the nearest integer.
    fn other_roundings(&self, callee: ExprId, args: &[ExprId]) -> Vec<String> {
        let (AstExprKind::Ident(ident), [arg]) = (&self.unit.expr(callee).kind, args) else {
            return Vec::new();
        };
        let Some(text) = self.text(*arg) else { return Vec::new() };
        let name = self.unit.name(ident.name);
        let own = |base: &&str| name.strip_prefix(*base).is_some_and(|rest| matches!(rest, "" | "f" | "l"));
        let Some(base) = ROUNDINGS.into_iter().find(own) else { return Vec::new() };
        let suffix = &name[base.len()..];
        // Forgetting the half is more common than using the wrong function.
        let mut found: Vec<String> = Vec::new();
        let half = if suffix == "f" { "0.5f" } else { "0.5" };
        let operand = self.operand(*arg, &text, AstBinaryOp::Sub);
        match base {
            "floor" => found.push(format!("{name}({operand} + {half})")),
            "ceil" => found.push(format!("{name}({operand} - {half})")),
            _ => {}
        }
        let others = ROUNDINGS.into_iter().filter(|other| *other != base);
        found.extend(others.map(|other| format!("{other}{suffix}({text})")));
        found
    }

    /// The whole expression in the other precision, or one of its constants.
    fn other_precisions(&self, id: ExprId) -> Vec<String> {
        let Some(kind) = self.kind(id) else { return Vec::new() };
        let span = self.unit.expr(id).span;
        let mut found = Vec::new();
        let is_computed = matches!(self.unit.expr(id).kind, AstExprKind::Binary(op, ..) if is_arithmetic(op));
        match kind {
            FloatKind::Float if is_computed => found.extend(self.with_cast(span, self.first_operand(id))),
            FloatKind::Double if is_computed => {
                found.extend(self.text(id).map(|text| format!("(float)({text})")));
            }
            _ => {}
        }
        let inside = |inner: Span| span.start <= inner.start && inner.end <= span.end;
        for (own, text) in self.constants.iter().filter(|(own, _)| inside(*own)) {
            found.extend(self.with_part(span, *own, &text.in_other_precision()));
        }
        found
    }

    /// The operand that is evaluated first, with which all others are combined.
    fn first_operand(&self, mut id: ExprId) -> ExprId {
        while let AstExprKind::Binary(op, left, _) = self.unit.expr(id).kind {
            if !is_arithmetic(op) {
                break;
            }
            id = left;
        }
        id
    }

    fn with_cast(&self, whole: Span, leaf: ExprId) -> Option<String> {
        let text = self.text(leaf)?;
        let new = match Level::of(self.unit, leaf) {
            Level::Primary | Level::Unary => format!("(double){text}"),
            _ => format!("(double)({text})"),
        };
        self.with_part(whole, self.unit.expr(leaf).span, &new)
    }

    /// The text of an expression with a part of it replaced.
    fn with_part(&self, whole: Span, part: Span, new: &str) -> Option<String> {
        let text = |start: u32, end: u32| std::str::from_utf8(self.unit.text(Span { start, end })).ok();
        let (before, after) = (text(whole.start, part.start)?, text(part.end, whole.end)?);
        one_line(format!("{before}{new}{after}").as_bytes())
    }
}

/// Whether this is an arithmetic operator for floats.
fn is_arithmetic(op: AstBinaryOp) -> bool {
    matches!(op, AstBinaryOp::Add | AstBinaryOp::Sub | AstBinaryOp::Mul | AstBinaryOp::Div)
}

/// Replaces builtin names of functions by the names that users of `<math.h>` write.
pub(crate) fn with_math_names(text: &str) -> String {
    ["isnan", "fabsf", "fabs"]
        .iter()
        .fold(text.to_owned(), |text, name| text.replace(&format!("__builtin_{name}("), &format!("{name}(")))
}

#[cfg(test)]
mod tests {
    use super::super::expressions::expressions;
    use super::*;

    /// Edits of one kind for the expression with this text in the body of a function.
    fn edits(body: &str, own: &str, kind: EditKind) -> Vec<String> {
        let text = format!(
            "double floor(double); struct p {{ float x; }};
            int f(float a, float b, double d, int n, struct p *p) {{ {body} }}"
        );
        let (unit, _) = nub_c_syntax::parse(text.as_bytes());
        let (program, _) = nub_c_ir::lower(&unit, &nub_c_ir::DataModel::lp64());
        let id = program.function_by_name("f").expect("there is one function");
        let (_, function) = unit.functions().next().expect("there is one function");
        let list = expressions(&unit, function.body);
        let floats = Floats::new(&unit, &program, id, &list);
        let is_own = |id: &ExprId| unit.text(unit.expr(*id).span) == own.as_bytes();
        let own = list.iter().map(|found| found.0).find(is_own).expect("it is there");
        floats.edits(own).into_iter().filter(|(found, _)| *found == kind).map(|(_, new)| new).collect()
    }

    #[test]
    fn checks_for_nan() {
        let found = edits("return a < 1.0f;", "a < 1.0f", EditKind::NanCheck);
        assert_eq!(
            found,
            ["!(a >= 1.0f)", "a < 1.0f || __builtin_isnan(a)", "a < 1.0f && !__builtin_isnan(a)"]
        );
        assert_eq!(edits("return p->x == d;", "p->x == d", EditKind::NanCheck).len(), 4);
        assert!(edits("return n < 3;", "n < 3", EditKind::NanCheck).is_empty());
        let found = edits("return !(a + b <= 1);", "a + b <= 1", EditKind::NanCheck);
        assert_eq!(found, ["!(a + b > 1)"]);
        assert_eq!(with_math_names("a < 1 || __builtin_isnan(a)"), "a < 1 || isnan(a)");
    }

    #[test]
    fn tolerances() {
        let found = edits("return a == b;", "a == b", EditKind::Tolerance);
        assert_eq!(found[0], "__builtin_fabsf(a - b) <= 1e-6f");
        let found = edits("return a != 0.0f;", "a != 0.0f", EditKind::Tolerance);
        assert_eq!(found[3], "__builtin_fabsf(a) > 1e-3f");
        let found = edits("return d == a + 1;", "d == a + 1", EditKind::Tolerance);
        assert_eq!(found[0], "__builtin_fabs(d - (a + 1)) <= 1e-12");
        assert!(edits("return a != a;", "a != a", EditKind::Tolerance).is_empty(), "this asks for a NaN");
        assert!(edits("return n == 3;", "n == 3", EditKind::Tolerance).is_empty());
    }

    #[test]
    fn roundings() {
        let found = edits("return floor(d) > 1;", "floor(d)", EditKind::Rounding);
        assert_eq!(found, ["floor(d + 0.5)", "ceil(d)", "trunc(d)", "round(d)", "rint(d)"]);
    }

    #[test]
    fn precisions() {
        let found = edits("d = (a + b) / 2.0f; return 0;", "(a + b) / 2.0f", EditKind::Precision);
        assert_eq!(found, ["((double)a + b) / 2.0f", "(a + b) / 2.0"]);
        assert!(
            edits("d = (a + b) / 2.0f; return 0;", "a + b", EditKind::Precision).is_empty(),
            "not all of it"
        );
        assert_eq!(edits("return a == 0.1;", "0.1", EditKind::Precision), ["0.1f"]);
        assert!(edits("return a == 0.1;", "a == 0.1", EditKind::Precision).is_empty());
        assert_eq!(
            edits("a = d * 0.1; return 0;", "d * 0.1", EditKind::Precision),
            ["(float)(d * 0.1)", "d * 0.1f"]
        );
    }
}
