//! Expressions.

use super::{CharLit, ExprId, FloatLit, Ident, InitId, IntLit, StmtId, StringId, TypeNameId};
use nub_text::Span;

/// An expression and its place.
#[derive(Clone, PartialEq, Debug)]
pub struct AstExpr {
    /// What it is.
    pub kind: AstExprKind,
    /// Its text.
    pub span: Span,
}

/// What an expression is.
#[derive(Clone, PartialEq, Debug)]
pub enum AstExprKind {
    /// A name of an object, a function or an enumeration constant. Never a typedef name.
    Ident(Ident),
    /// `42u`
    Int(IntLit),
    /// `1.5f`
    Float(FloatLit),
    /// `'a'`
    Char(CharLit),
    /// `"a" "b"`. `__func__` is an identifier.
    String(StringId),
    /// `-a`, `*a`, `a++`
    Unary(AstUnaryOp, ExprId),
    /// `a + b`, `a && b`
    Binary(AstBinaryOp, ExprId, ExprId),
    /// `a = b`, or `a += b` with the operator.
    Assign(Option<AstBinaryOp>, ExprId, ExprId),
    /// `a ? b : c`
    Conditional {
        /// What is tested.
        condition: ExprId,
        /// Absent in the GNU form `a ?: c`, where `a` is evaluated once.
        then: Option<ExprId>,
        /// The value otherwise.
        otherwise: ExprId,
    },
    /// `a, b`
    Comma(ExprId, ExprId),
    /// `f(a, b)`
    Call {
        /// What is called.
        callee: ExprId,
        /// The arguments.
        args: Vec<ExprId>,
    },
    /// `a[i]`
    Index(ExprId, ExprId),
    /// `a.x`, `p->x`
    Member {
        /// Left of the operator.
        base: ExprId,
        /// Which of the two.
        access: MemberAccess,
        /// The member.
        member: Ident,
    },
    /// `(T) a`
    Cast(TypeNameId, ExprId),
    /// `(T){ ... }`
    CompoundLiteral(TypeNameId, InitId),
    /// `sizeof a`
    SizeofExpr(ExprId),
    /// `sizeof(T)`
    SizeofType(TypeNameId),
    /// `_Alignof(T)`
    AlignofType(TypeNameId),
    /// GNU `__alignof__ a`
    AlignofExpr(ExprId),
    /// `_Generic(a, int: b, default: c)`
    Generic {
        /// The expression whose type is used; not evaluated.
        control: ExprId,
        /// Alternatives in order.
        associations: Vec<GenericAssociation>,
    },
    /// GNU `({ ... })`. The statement is a compound one.
    Statement(StmtId),
    /// GNU `&&label`
    LabelAddress(Ident),
    /// `__builtin_va_arg(a, T)`
    VaArg(ExprId, TypeNameId),
    /// `__builtin_offsetof(T, a.b[2])`
    Offsetof {
        /// The record.
        ty: TypeNameId,
        /// The way to the member; the first step is a member.
        path: Vec<Designator>,
    },
    /// `__builtin_types_compatible_p(T, U)`
    TypesCompatible(TypeNameId, TypeNameId),
    /// `__CPROVER_forall { T i; a }`
    Quantifier {
        /// Which of the two.
        kind: QuantifierKind,
        /// The type of the variable.
        ty: TypeNameId,
        /// The variable.
        name: Ident,
        /// The formula. `a ==> b` is read as `!a || b`.
        body: ExprId,
    },
}

/// Whether a formula holds for all values of a variable or for some value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum QuantifierKind {
    /// `__CPROVER_forall`
    ForAll,
    /// `__CPROVER_exists`
    Exists,
}

impl QuantifierKind {
    /// As in the source.
    pub fn spelling(self) -> &'static str {
        match self {
            QuantifierKind::ForAll => "__CPROVER_forall",
            QuantifierKind::Exists => "__CPROVER_exists",
        }
    }
}

/// One alternative of `_Generic`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GenericAssociation {
    /// The type, or nothing for `default`.
    pub ty: Option<TypeNameId>,
    /// The result.
    pub value: ExprId,
}

/// How a member is reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MemberAccess {
    /// `a.x`
    Dot,
    /// `p->x`
    Arrow,
}

/// Operators with one operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)] // `spelling` says it.
pub enum AstUnaryOp {
    Plus,
    Minus,
    Not,
    BitNot,
    Deref,
    AddressOf,
    PreInc,
    PreDec,
    PostInc,
    PostDec,
    Real,
    Imag,
}

/// Operators with two operands, except assignment and comma.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)] // `spelling` says it.
pub enum AstBinaryOp {
    Mul,
    Div,
    Rem,
    Add,
    Sub,
    Shl,
    Shr,
    Lt,
    Gt,
    Le,
    Ge,
    Eq,
    Ne,
    BitAnd,
    BitXor,
    BitOr,
    And,
    Or,
}

impl AstUnaryOp {
    /// As in C.
    pub fn spelling(self) -> &'static str {
        match self {
            AstUnaryOp::Plus => "+",
            AstUnaryOp::Minus => "-",
            AstUnaryOp::Not => "!",
            AstUnaryOp::BitNot => "~",
            AstUnaryOp::Deref => "*",
            AstUnaryOp::AddressOf => "&",
            AstUnaryOp::PreInc | AstUnaryOp::PostInc => "++",
            AstUnaryOp::PreDec | AstUnaryOp::PostDec => "--",
            AstUnaryOp::Real => "__real__",
            AstUnaryOp::Imag => "__imag__",
        }
    }

    /// True if the operator follows its operand.
    pub fn is_postfix(self) -> bool {
        matches!(self, AstUnaryOp::PostInc | AstUnaryOp::PostDec)
    }
}

impl AstBinaryOp {
    /// As in C.
    pub fn spelling(self) -> &'static str {
        match self {
            AstBinaryOp::Mul => "*",
            AstBinaryOp::Div => "/",
            AstBinaryOp::Rem => "%",
            AstBinaryOp::Add => "+",
            AstBinaryOp::Sub => "-",
            AstBinaryOp::Shl => "<<",
            AstBinaryOp::Shr => ">>",
            AstBinaryOp::Lt => "<",
            AstBinaryOp::Gt => ">",
            AstBinaryOp::Le => "<=",
            AstBinaryOp::Ge => ">=",
            AstBinaryOp::Eq => "==",
            AstBinaryOp::Ne => "!=",
            AstBinaryOp::BitAnd => "&",
            AstBinaryOp::BitXor => "^",
            AstBinaryOp::BitOr => "|",
            AstBinaryOp::And => "&&",
            AstBinaryOp::Or => "||",
        }
    }
}

/// An initialiser.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Init {
    /// What it is.
    pub kind: InitKind,
    /// Its text.
    pub span: Span,
}

/// What an initialiser is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum InitKind {
    /// `= a`
    Expr(ExprId),
    /// `= { ... }`, empty in the GNU and C23 form `{}`.
    List(Vec<InitEntry>),
}

/// One entry of a braced list.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InitEntry {
    /// `.a[2] =`, the GNU form `a:` and `[2]` without `=` included. If empty, the next part in order.
    pub designators: Vec<Designator>,
    /// The value.
    pub init: InitId,
}

/// One step to a part of an object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Designator {
    /// `.a`
    Member(Ident),
    /// `[2]`
    Index(ExprId),
    /// GNU `[2 ... 5]`
    Range(ExprId, ExprId),
}
