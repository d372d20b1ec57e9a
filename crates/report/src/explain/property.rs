//! What can be violated.

use schemars::JsonSchema;
use serde::Serialize;
use std::fmt;

/// What kind of rule a property is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, JsonSchema, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum PropertyKind {
    /// `assert`, `__CPROVER_assert` and similar.
    Assertion,
    /// An index is inside its array.
    Bounds,
    /// No division by zero.
    Division,
    /// A signed result fits its type.
    Overflow,
    /// The amount and the operand of a shift are valid in C.
    Shift,
    /// A floating-point number fits the integer type that it is converted to.
    Conversion,
    /// No operation on numbers yields NaN.
    Nan,
    /// No operation on finite numbers yields infinity.
    Inf,
    /// A conversion to a float is exact.
    Precision,
    /// A dereferenced pointer is not null.
    Null,
    /// A pointer that is dereferenced, freed or called is valid: it points to a live object or function.
    Pointer,
    /// A value that is read was initialised, and is valid for its type.
    Uninitialised,
    /// This place is not reached.
    Unreachable,
    /// A loop or recursion ends within its bound.
    Unwinding,
}

impl PropertyKind {
    /// All kinds, in the order of this list.
    pub const ALL: [PropertyKind; 14] = [
        PropertyKind::Assertion,
        PropertyKind::Bounds,
        PropertyKind::Division,
        PropertyKind::Overflow,
        PropertyKind::Shift,
        PropertyKind::Conversion,
        PropertyKind::Nan,
        PropertyKind::Inf,
        PropertyKind::Precision,
        PropertyKind::Null,
        PropertyKind::Pointer,
        PropertyKind::Uninitialised,
        PropertyKind::Unreachable,
        PropertyKind::Unwinding,
    ];

    /// The name of the kind as it appears in the names of properties.
    pub fn name(self) -> &'static str {
        match self {
            PropertyKind::Assertion => "assertion",
            PropertyKind::Bounds => "bounds",
            PropertyKind::Division => "division",
            PropertyKind::Overflow => "overflow",
            PropertyKind::Shift => "shift",
            PropertyKind::Conversion => "conversion",
            PropertyKind::Nan => "nan",
            PropertyKind::Inf => "inf",
            PropertyKind::Precision => "precision",
            PropertyKind::Null => "null",
            PropertyKind::Pointer => "pointer",
            PropertyKind::Uninitialised => "uninitialised",
            PropertyKind::Unreachable => "unreachable",
            PropertyKind::Unwinding => "unwinding",
        }
    }

    /// The kind with this name.
    pub fn by_name(name: &str) -> Option<PropertyKind> {
        PropertyKind::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// What must hold.
    pub fn rule(self) -> &'static str {
        match self {
            PropertyKind::Assertion => "the condition holds",
            PropertyKind::Bounds => "the index is inside the array",
            PropertyKind::Division => "the divisor is not zero",
            PropertyKind::Overflow => "the result fits its type",
            PropertyKind::Shift => "the amount and the operand of the shift are valid",
            PropertyKind::Conversion => "the number fits the integer type that it is converted to",
            PropertyKind::Nan => "the result is a number, or an operand is a NaN",
            PropertyKind::Inf => "the result is finite, or an operand is infinite",
            PropertyKind::Precision => "the conversion to float is exact",
            PropertyKind::Null => "the pointer is not null",
            PropertyKind::Pointer => "the pointer points to a live object",
            PropertyKind::Uninitialised => "the value read is initialised and valid for its type",
            PropertyKind::Unreachable => "this place is not reached",
            PropertyKind::Unwinding => "the loop ends within its bound",
        }
    }
}

impl fmt::Display for PropertyKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
