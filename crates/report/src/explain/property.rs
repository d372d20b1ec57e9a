//! What can be violated.

use schemars::JsonSchema;
use serde::Serialize;
use std::fmt;

/// What kind of rule a property is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, JsonSchema, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum PropertyKind {
    /// `assert`, `__CPROVER_assert` and their like.
    Assertion,
    /// An index inside of its array.
    Bounds,
    /// No division by zero.
    Division,
    /// A signed result fits its type.
    Overflow,
    /// A shift by an amount, and of a number, that C allows.
    Shift,
    /// A floating number fits the integer type that it is converted to.
    Conversion,
    /// No NaN is made of numbers.
    Nan,
    /// No infinity is made of finite numbers.
    Inf,
    /// A conversion to a float yields the same number.
    Precision,
    /// A pointer that is followed is not null.
    Null,
    /// A pointer that is followed, freed or called points to something that is there.
    Pointer,
    /// A value that is read was written.
    Uninitialised,
    /// Control does not come here.
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

    /// As in names of properties.
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

    /// What has to be so.
    pub fn rule(self) -> &'static str {
        match self {
            PropertyKind::Assertion => "the condition holds",
            PropertyKind::Bounds => "the index is inside of the array",
            PropertyKind::Division => "the divisor is not zero",
            PropertyKind::Overflow => "the result fits its type",
            PropertyKind::Shift => "the shift is one that C allows",
            PropertyKind::Conversion => "the number fits the integer type that it is converted to",
            PropertyKind::Nan => "the result is a number, or an operand is a NaN",
            PropertyKind::Inf => "the result is finite, or an operand is infinite",
            PropertyKind::Precision => "the float is the number that is converted to it",
            PropertyKind::Null => "the pointer is not null",
            PropertyKind::Pointer => "the pointer points to something that is there",
            PropertyKind::Uninitialised => "what is read was written",
            PropertyKind::Unreachable => "control does not come here",
            PropertyKind::Unwinding => "the loop ends within its bound",
        }
    }
}

impl fmt::Display for PropertyKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
