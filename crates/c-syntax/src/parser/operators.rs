//! Which tokens are operators, and how tightly they bind (C17 6.5).

use crate::ast::{BinaryOp, UnaryOp};
use crate::token::T;

/// How tightly an operator binds; from loosest to tightest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Binding {
    /// The closing token of a bracket, or anything that is no operator.
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
    Assign(Option<BinaryOp>),
    Question,
    Binary(BinaryOp),
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
            T::MulAssign => Infix::Assign(Some(BinaryOp::Mul)),
            T::DivAssign => Infix::Assign(Some(BinaryOp::Div)),
            T::RemAssign => Infix::Assign(Some(BinaryOp::Rem)),
            T::AddAssign => Infix::Assign(Some(BinaryOp::Add)),
            T::SubAssign => Infix::Assign(Some(BinaryOp::Sub)),
            T::ShlAssign => Infix::Assign(Some(BinaryOp::Shl)),
            T::ShrAssign => Infix::Assign(Some(BinaryOp::Shr)),
            T::AndAssign => Infix::Assign(Some(BinaryOp::BitAnd)),
            T::XorAssign => Infix::Assign(Some(BinaryOp::BitXor)),
            T::OrAssign => Infix::Assign(Some(BinaryOp::BitOr)),
            _ => return None,
        })
    }

    pub(super) fn binding(self) -> Binding {
        match self {
            Infix::Comma => Binding::Comma,
            Infix::Assign(_) => Binding::Assignment,
            Infix::Question => Binding::Conditional,
            Infix::Binary(op) => binary_binding(op),
        }
    }

    /// `a = b = c` and `a ? b : c ? d : e` group to the right.
    pub(super) fn is_right_associative(self) -> bool {
        matches!(self, Infix::Assign(_) | Infix::Question)
    }
}

fn binary(kind: T) -> Option<BinaryOp> {
    Some(match kind {
        T::Star => BinaryOp::Mul,
        T::Slash => BinaryOp::Div,
        T::Percent => BinaryOp::Rem,
        T::Plus => BinaryOp::Add,
        T::Minus => BinaryOp::Sub,
        T::Shl => BinaryOp::Shl,
        T::Shr => BinaryOp::Shr,
        T::Lt => BinaryOp::Lt,
        T::Gt => BinaryOp::Gt,
        T::Le => BinaryOp::Le,
        T::Ge => BinaryOp::Ge,
        T::EqEq => BinaryOp::Eq,
        T::NotEq => BinaryOp::Ne,
        T::Amp => BinaryOp::BitAnd,
        T::Caret => BinaryOp::BitXor,
        T::Pipe => BinaryOp::BitOr,
        T::AmpAmp => BinaryOp::And,
        T::PipePipe => BinaryOp::Or,
        _ => return None,
    })
}

pub(super) fn binary_binding(op: BinaryOp) -> Binding {
    match op {
        BinaryOp::Mul | BinaryOp::Div | BinaryOp::Rem => Binding::Product,
        BinaryOp::Add | BinaryOp::Sub => Binding::Sum,
        BinaryOp::Shl | BinaryOp::Shr => Binding::Shift,
        BinaryOp::Lt | BinaryOp::Gt | BinaryOp::Le | BinaryOp::Ge => Binding::Relation,
        BinaryOp::Eq | BinaryOp::Ne => Binding::Equality,
        BinaryOp::BitAnd => Binding::BitAnd,
        BinaryOp::BitXor => Binding::BitXor,
        BinaryOp::BitOr => Binding::BitOr,
        BinaryOp::And => Binding::And,
        BinaryOp::Or => Binding::Or,
    }
}

/// The operators that stand before their operand.
pub(super) fn prefix(kind: T) -> Option<UnaryOp> {
    Some(match kind {
        T::Plus => UnaryOp::Plus,
        T::Minus => UnaryOp::Minus,
        T::Bang => UnaryOp::Not,
        T::Tilde => UnaryOp::BitNot,
        T::Star => UnaryOp::Deref,
        T::Amp => UnaryOp::AddressOf,
        T::PlusPlus => UnaryOp::PreInc,
        T::MinusMinus => UnaryOp::PreDec,
        T::Real => UnaryOp::Real,
        T::Imag => UnaryOp::Imag,
        _ => return None,
    })
}
