//! Expressions.

use super::{CharLit, ExprId, FloatLit, Ident, InitId, IntLit, StmtId, StringId, TypeNameId};
use nub_text::Span;

/// An expression and its place.
#[derive(Clone, PartialEq, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Its text.
    pub span: Span,
}

/// What an expression is.
#[derive(Clone, PartialEq, Debug)]
pub enum ExprKind {
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
    Unary(UnaryOp, ExprId),
    /// `a + b`, `a && b`
    Binary(BinaryOp, ExprId, ExprId),
    /// `a = b`, or `a += b` with the operator.
    Assign(Option<BinaryOp>, ExprId, ExprId),
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
        access: Access,
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
        /// What the type is taken of; not evaluated.
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
pub enum Access {
    /// `a.x`
    Dot,
    /// `p->x`
    Arrow,
}

/// Operators with one operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)] // `spelling` says it.
pub enum UnaryOp {
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

/// Operators with two operands, assignment and comma apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)] // `spelling` says it.
pub enum BinaryOp {
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

impl UnaryOp {
    /// As in C.
    pub fn spelling(self) -> &'static str {
        match self {
            UnaryOp::Plus => "+",
            UnaryOp::Minus => "-",
            UnaryOp::Not => "!",
            UnaryOp::BitNot => "~",
            UnaryOp::Deref => "*",
            UnaryOp::AddressOf => "&",
            UnaryOp::PreInc | UnaryOp::PostInc => "++",
            UnaryOp::PreDec | UnaryOp::PostDec => "--",
            UnaryOp::Real => "__real__",
            UnaryOp::Imag => "__imag__",
        }
    }

    /// True if the operator follows its operand.
    pub fn is_postfix(self) -> bool {
        matches!(self, UnaryOp::PostInc | UnaryOp::PostDec)
    }
}

impl BinaryOp {
    /// As in C.
    pub fn spelling(self) -> &'static str {
        match self {
            BinaryOp::Mul => "*",
            BinaryOp::Div => "/",
            BinaryOp::Rem => "%",
            BinaryOp::Add => "+",
            BinaryOp::Sub => "-",
            BinaryOp::Shl => "<<",
            BinaryOp::Shr => ">>",
            BinaryOp::Lt => "<",
            BinaryOp::Gt => ">",
            BinaryOp::Le => "<=",
            BinaryOp::Ge => ">=",
            BinaryOp::Eq => "==",
            BinaryOp::Ne => "!=",
            BinaryOp::BitAnd => "&",
            BinaryOp::BitXor => "^",
            BinaryOp::BitOr => "|",
            BinaryOp::And => "&&",
            BinaryOp::Or => "||",
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
    /// `.a[2] =`, the GNU form `a:` and `[2]` without `=` included. Empty: the next in order.
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
