//! Which tokens are operators, and how tightly they bind (C17 6.5).

use crate::ast::{AstBinaryOp, AstUnaryOp};
use crate::token::T;

/// How tightly an operator binds; from loosest to tightest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Binding {
    /// The closing token of a bracket, or anything that is not an operator.
    None,
    Comma,
    Assignment,
    Conditional,
    Or,
    And,
    BitOr,
    BitXor,
    BitAnd,
    Equality,
    Relation,
    Shift,
    Sum,
    Product,
    Prefix,
}

/// An operator between operands.
#[derive(Clone, Copy)]
pub(super) enum Infix {
    Comma,
    Assign(Option<AstBinaryOp>),
    Question,
    Binary(AstBinaryOp),
    /// `==>` of CBMC: the token `==`, immediately followed by `>`.
    Implies,
}

impl Infix {
    pub(super) fn of(kind: T) -> Option<Infix> {
        if let Some(op) = binary(kind) {
            return Some(Infix::Binary(op));
        }
        Some(match kind {
            T::Comma => Infix::Comma,
            T::Question => Infix::Question,
            T::Assign => Infix::Assign(None),
            T::MulAssign => Infix::Assign(Some(AstBinaryOp::Mul)),
            T::DivAssign => Infix::Assign(Some(AstBinaryOp::Div)),
            T::RemAssign => Infix::Assign(Some(AstBinaryOp::Rem)),
            T::AddAssign => Infix::Assign(Some(AstBinaryOp::Add)),
            T::SubAssign => Infix::Assign(Some(AstBinaryOp::Sub)),
            T::ShlAssign => Infix::Assign(Some(AstBinaryOp::Shl)),
            T::ShrAssign => Infix::Assign(Some(AstBinaryOp::Shr)),
            T::AndAssign => Infix::Assign(Some(AstBinaryOp::BitAnd)),
            T::XorAssign => Infix::Assign(Some(AstBinaryOp::BitXor)),
            T::OrAssign => Infix::Assign(Some(AstBinaryOp::BitOr)),
            _ => return None,
        })
    }

    pub(super) fn binding(self) -> Binding {
        match self {
            Infix::Comma => Binding::Comma,
            Infix::Assign(_) => Binding::Assignment,
            Infix::Question | Infix::Implies => Binding::Conditional,
            Infix::Binary(op) => binary_binding(op),
        }
    }

    /// `a = b = c` and `a ? b : c ? d : e` group to the right.
    pub(super) fn is_right_associative(self) -> bool {
        matches!(self, Infix::Assign(_) | Infix::Question | Infix::Implies)
    }
}

fn binary(kind: T) -> Option<AstBinaryOp> {
    Some(match kind {
        T::Star => AstBinaryOp::Mul,
        T::Slash => AstBinaryOp::Div,
        T::Percent => AstBinaryOp::Rem,
        T::Plus => AstBinaryOp::Add,
        T::Minus => AstBinaryOp::Sub,
        T::Shl => AstBinaryOp::Shl,
        T::Shr => AstBinaryOp::Shr,
        T::Lt => AstBinaryOp::Lt,
        T::Gt => AstBinaryOp::Gt,
        T::Le => AstBinaryOp::Le,
        T::Ge => AstBinaryOp::Ge,
        T::EqEq => AstBinaryOp::Eq,
        T::NotEq => AstBinaryOp::Ne,
        T::Amp => AstBinaryOp::BitAnd,
        T::Caret => AstBinaryOp::BitXor,
        T::Pipe => AstBinaryOp::BitOr,
        T::AmpAmp => AstBinaryOp::And,
        T::PipePipe => AstBinaryOp::Or,
        _ => return None,
    })
}

pub(super) fn binary_binding(op: AstBinaryOp) -> Binding {
    match op {
        AstBinaryOp::Mul | AstBinaryOp::Div | AstBinaryOp::Rem => Binding::Product,
        AstBinaryOp::Add | AstBinaryOp::Sub => Binding::Sum,
        AstBinaryOp::Shl | AstBinaryOp::Shr => Binding::Shift,
        AstBinaryOp::Lt | AstBinaryOp::Gt | AstBinaryOp::Le | AstBinaryOp::Ge => Binding::Relation,
        AstBinaryOp::Eq | AstBinaryOp::Ne => Binding::Equality,
        AstBinaryOp::BitAnd => Binding::BitAnd,
        AstBinaryOp::BitXor => Binding::BitXor,
        AstBinaryOp::BitOr => Binding::BitOr,
        AstBinaryOp::And => Binding::And,
        AstBinaryOp::Or => Binding::Or,
    }
}

/// The prefix operators.
pub(super) fn prefix(kind: T) -> Option<AstUnaryOp> {
    Some(match kind {
        T::Plus => AstUnaryOp::Plus,
        T::Minus => AstUnaryOp::Minus,
        T::Bang => AstUnaryOp::Not,
        T::Tilde => AstUnaryOp::BitNot,
        T::Star => AstUnaryOp::Deref,
        T::Amp => AstUnaryOp::AddressOf,
        T::PlusPlus => AstUnaryOp::PreInc,
        T::MinusMinus => AstUnaryOp::PreDec,
        T::Real => AstUnaryOp::Real,
        T::Imag => AstUnaryOp::Imag,
        _ => return None,
    })
}
