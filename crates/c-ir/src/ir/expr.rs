//! Expressions and places.

use super::float::FloatOperator;
use super::program::AccessTarget;
use crate::ids::{ExprId, FunctionId, GlobalId, LocalId, RecordId, StringId, TypeId};
use nub_text::Span;

/// An expression without side effect.
#[derive(Clone, Debug)]
pub struct Expr {
    /// The operation.
    pub kind: ExprKind,
    /// The type of the result.
    pub ty: TypeId,
    /// Where it is.
    pub span: Span,
}

/// The operation of an expression.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ExprKind {
    /// An integer or a float: its bits, zero above the width of the type.
    Int(u128),
    /// The null pointer of the type.
    Null,
    /// The value in an object. For a bit-field the type is the declared one, and the value is extended to it by its sign.
    Load(Place),
    /// A pointer to a place. The type may be a pointer to the first element (an array that decays).
    AddressOf(Place),
    /// A pointer to a function.
    FunctionAddress(FunctionId),
    /// An operator with one integer operand of the same type.
    Unary(UnaryOp, ExprId),
    /// An operator on integers. Both operands and the result have the same width; for shifts the amount has its own width.
    Binary(BinaryOp, ExprId, ExprId),
    /// Integers of the same width compared; yields `int`.
    Compare(CompareOp, ExprId, ExprId),
    /// From integer to integer.
    Convert(Conversion, ExprId),
    /// An operation on floats.
    Float(FloatOperator, Vec<ExprId>),
    /// Does the signed operation leave the range of its operands' type? Yields `int`.
    Overflows(OverflowOp, ExprId, ExprId),
    /// A pointer moved by `index` elements of `scale` bytes. The index is signed and as wide as a pointer.
    PointerAdd {
        /// Where to start.
        pointer: ExprId,
        /// How many elements.
        index: ExprId,
        /// Bytes per element.
        scale: u64,
    },
    /// Distance of two pointers in elements of `scale` bytes, in the type `ptrdiff_t`.
    PointerDifference {
        /// The minuend.
        left: ExprId,
        /// The subtrahend.
        right: ExprId,
        /// Bytes per element.
        scale: u64,
    },
    /// Pointers compared; the unsigned operators compare offsets in one object. Yields `int`.
    PointerCompare(CompareOp, ExprId, ExprId),
    /// The same pointer at another pointer type.
    PointerCast(ExprId),
    /// The address as an integer; the width of the type is that of a pointer.
    PointerToInt(ExprId),
    /// The pointer with this address; the operand is as wide as a pointer.
    IntToPointer(ExprId),
    /// Does the pointer point into a live object with at least `size` bytes from there? Yields `int`.
    ValidPointer {
        /// The pointer.
        pointer: ExprId,
        /// The bytes needed.
        size: u64,
        /// If it may be a register, an address that the program makes from a number is valid too.
        target: AccessTarget,
    },
    /// Has every byte of this scalar been written? Yields `int`.
    Initialised(Place),
    /// The size in bytes of the live object that the pointer points into, or to the end of; 0 if there is none. An unsigned number as wide as a
    /// pointer.
    ObjectSize(ExprId),
    /// Bytes from the start of its object to where the pointer points, 0 if there is no object; as wide as a pointer.
    PointerOffset(ExprId),
}

/// Operators with one operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UnaryOp {
    /// `-x`, modulo 2^width.
    Negate,
    /// `~x`.
    Not,
}

/// Operators with two operands, modulo 2^width.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BinaryOp {
    /// Sum.
    Add,
    /// Difference.
    Sub,
    /// Product.
    Mul,
    /// Unsigned quotient.
    UDiv,
    /// Signed quotient, towards zero.
    SDiv,
    /// Unsigned remainder.
    URem,
    /// Signed remainder, with the sign of the dividend.
    SRem,
    /// Bitwise and.
    And,
    /// Bitwise or.
    Or,
    /// Bitwise exclusive or.
    Xor,
    /// Shift to the left. The amount may have another width; from the width on, the result is zero.
    Shl,
    /// Shift to the right, zeros enter.
    LShr,
    /// Shift to the right, the sign enters.
    AShr,
}

/// Comparisons.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CompareOp {
    /// Equal.
    Eq,
    /// Different.
    Ne,
    /// Unsigned less.
    ULt,
    /// Unsigned less or equal.
    ULe,
    /// Signed less.
    SLt,
    /// Signed less or equal.
    SLe,
}

/// From integer to integer. Widths are those of the types of operand and result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Conversion {
    /// Low bits, to a narrower type.
    Truncate,
    /// Zeros in front, to a wider type.
    ZeroExtend,
    /// Copies of the sign in front, to a wider type.
    SignExtend,
    /// The same bits at the same width.
    Same,
    /// To `_Bool`: 1 unless the operand is zero.
    ToBool,
}

/// Operations whose overflow is undefined.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OverflowOp {
    /// Signed sum.
    Add,
    /// Signed difference. `-x` is checked as `0 - x`.
    Sub,
    /// Signed product.
    Mul,
}

/// A part of an object.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    /// Where the path starts.
    pub base: PlaceBase,
    /// From there to the part, outermost first.
    pub steps: Vec<PlaceStep>,
    /// The type of the part.
    pub ty: TypeId,
}

impl Place {
    /// Whether no pointer is followed and no index is computed on the way.
    pub fn is_fixed(&self) -> bool {
        let is_field = |step: &PlaceStep| matches!(step, PlaceStep::Field(..));
        !matches!(self.base, PlaceBase::Pointer(_)) && self.steps.iter().all(is_field)
    }
}

/// Where a place starts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum PlaceBase {
    /// A local of this function.
    Local(LocalId),
    /// A global object.
    Global(GlobalId),
    /// A string literal.
    String(StringId),
    /// What this pointer points to, at the type the pointer has.
    Pointer(ExprId),
}

/// A step into an object.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum PlaceStep {
    /// A member of a structure or union, by its position in [`crate::types::RecordType::fields`].
    Field(RecordId, u32),
    /// An element of an array. The index is signed and as wide as a pointer.
    Index(ExprId),
}
