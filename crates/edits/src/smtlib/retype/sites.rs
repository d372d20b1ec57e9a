//! Places in the text that depend on a class.

use super::Var;
use nub_smtlib::NodeId;

/// A place whose text depends on the sorts of one or two classes.
#[derive(Clone, Copy, Debug)]
pub(super) enum Site {
    /// A sort expression
    Sort(NodeId),
    /// A literal
    Literal(NodeId, Bits),
    /// Indices that determine the sort: `(_ int_to_bv 8)`, `(_ to_fp 8 24)`, `(_ +oo 8 24)`
    Indices(NodeId),
    /// `((_ zero_extend k) x)`: the class is that of the result, the variable is that of `x`
    Extend(NodeId, Var),
    /// `((_ repeat k) x)`: as `Extend`
    Repeat(NodeId, Var),
    /// `((_ extract i j) x)`: as `Extend`
    Extract(NodeId, Var),
    /// `((_ bit i) x)`: the class is that of `x`
    Bit(NodeId),
}

/// Which bits of a literal to keep when it is narrowed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Bits {
    /// The low bits, as `extract` from zero does: small numbers keep their value.
    Low,
    /// The highest bit and the low bits: an exponent in this form keeps its distance to the bias, so that 1.0, zero,
    /// infinity and NaN keep their values.
    Exponent,
    /// The high bits: a fraction is rounded towards zero.
    High,
}

/// How widths of classes depend on each other.
#[derive(Clone, Debug)]
pub(super) enum Relation {
    /// `concat`: the widths of the parts add up to the whole
    Concat(Box<[Var]>, Var),
    /// The first is at most as wide as the second: an argument and its extension, an extraction and its source
    AtMost(Var, Var),
    /// The width of the first divides that of the second: `repeat`
    Divides(Var, Var),
    /// `(fp sign exponent fraction)`: the exponent, the float
    Exponent(Var, Var),
    /// `(fp sign exponent fraction)`: the fraction, the float
    Fraction(Var, Var),
    /// A bit-vector as wide as a float
    Ieee(Var, Var),
}

/// A sort that can replace a class.
#[derive(Clone, Debug)]
pub(in crate::smtlib) struct Target {
    /// The sort as written.
    pub(in crate::smtlib) sort: Vec<u8>,
    /// The replacements of zero and of other literals; `None` if the sort has no literals.
    pub(in crate::smtlib) literals: Option<(&'static [u8], &'static [u8])>,
}
