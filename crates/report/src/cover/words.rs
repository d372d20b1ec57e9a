//! The enums of a report, each value with its word in JSON.

use super::{Criterion, Mcdc};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Serialize, Serializer};
use std::borrow::Cow;
use std::fmt;

/// Defines enums whose values are words, in JSON and in text.
macro_rules! words {
    ($($(#[$doc:meta])* $name:ident { $($(#[$value_doc:meta])* $value:ident => $word:literal,)* })*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum $name {$(
            $(#[$value_doc])*
            $value,
        )*}

        impl $name {
            /// All of them, in their order.
            pub const ALL: &'static [$name] = &[$($name::$value),*];

            /// The word in JSON.
            pub fn word(self) -> &'static str {
                match self {$($name::$value => $word,)*}
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(self.word())
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.word())
            }
        }

        impl JsonSchema for $name {
            fn schema_name() -> Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                json_schema!({ "type": "string", "enum": [$($word),*] })
            }
        }
    )*};
}

words! {
    /// The result for a goal, from best to worst.
    CoverState {
        /// Tests reach it.
        Covered => "covered",
        /// Proved: no run reaches it, whatever the caller.
        Infeasible => "infeasible",
        /// Proved under assumptions.
        InfeasibleIf => "infeasible-if",
        /// Only runs with undefined behaviour reach it.
        Undefined => "undefined",
        /// No run within the bounds of loops and memory reaches it.
        BeyondBound => "beyond-bound",
        /// It can be reached, but not with the number of tests allowed.
        LeftOut => "left-out",
        /// Not decided.
        Open => "open",
    }
    /// The result for a place of possible undefined behaviour.
    CheckState {
        /// Some inputs violate the rule there.
        Reached => "reached",
        /// Proved: no run does.
        Infeasible => "infeasible",
        /// Proved under assumptions.
        InfeasibleIf => "infeasible-if",
        /// No run within the bounds does.
        BeyondBound => "beyond-bound",
        /// Not decided.
        Open => "open",
    }
    /// What happens on signed overflow.
    OverflowReading {
        /// The result wraps around.
        Wraps => "wraps",
    }
    /// What kind of goal it is.
    GoalKind {
        /// A statement.
        Statement => "statement",
        /// An outcome of a decision.
        Decision => "decision",
        /// A value of a condition.
        Condition => "condition",
        /// A condition affects the outcome independently.
        Mcdc => "mcdc",
        /// The operands of a comparison are equal or adjacent values.
        Boundary => "boundary",
        /// A path.
        Path => "path",
    }
    /// Why fewer tests are impossible.
    ProofKind {
        /// Goals no two of which can be reached by the same test.
        Clique => "clique",
        /// Weighted requirements, of which one test meets only a small part.
        Weights => "weights",
        /// Fewer copies of the function cannot reach all goals.
        Copies => "copies",
        /// Nothing is proved.
        None => "none",
    }
    /// The observed end of a test.
    ObservedEnd {
        /// The function returned.
        Returned => "returned",
        /// The program aborted.
        Aborted => "aborted",
        /// The program exited.
        Exited => "exited",
        /// An assertion failed.
        AssertionFailed => "assertion failed",
    }
}

impl CoverState {
    /// The name as it is shown.
    pub fn title(self) -> String {
        match self {
            CoverState::Undefined | CoverState::BeyondBound | CoverState::LeftOut => {
                self.count_words().to_owned()
            }
            _ => self.word().replace('-', " "),
        }
    }

    /// The label for the number of such goals.
    pub fn count_words(self) -> &'static str {
        match self {
            CoverState::Covered => "covered",
            CoverState::Infeasible => "infeasible (proved)",
            CoverState::InfeasibleIf => "infeasible under assumptions",
            CoverState::Undefined => "infeasible without undefined behaviour",
            CoverState::BeyondBound => "beyond the bound",
            CoverState::LeftOut => "omitted",
            CoverState::Open => "open",
        }
    }
}

impl Serialize for Criterion {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.word())
    }
}

impl JsonSchema for Criterion {
    fn schema_name() -> Cow<'static, str> {
        "Criterion".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "enum": Criterion::ALL.map(Criterion::word) })
    }
}

impl Serialize for Mcdc {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.word())
    }
}

impl JsonSchema for Mcdc {
    fn schema_name() -> Cow<'static, str> {
        "Mcdc".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "enum": Mcdc::ALL.map(Mcdc::word) })
    }
}

/// The result of the compiled tests.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NativeResult {
    /// They agree with the interpreter.
    Confirmed,
    /// Why they were not compiled or not run.
    NotRun(String),
}

impl fmt::Display for NativeResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NativeResult::Confirmed => f.write_str("confirmed"),
            NativeResult::NotRun(why) => f.write_str(why),
        }
    }
}

impl Serialize for NativeResult {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl JsonSchema for NativeResult {
    fn schema_name() -> Cow<'static, str> {
        "NativeResult".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "description": "`confirmed`, or why the tests were not compiled and run" })
    }
}

/// Why a search ended early.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EarlyStop {
    /// The time limit was reached.
    TimeLimit,
    /// The SAT solver gave up or failed, for this reason.
    Solver(String),
}

impl fmt::Display for EarlyStop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EarlyStop::TimeLimit => f.write_str("time limit reached"),
            EarlyStop::Solver(why) => f.write_str(why),
        }
    }
}

impl Serialize for EarlyStop {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl JsonSchema for EarlyStop {
    fn schema_name() -> Cow<'static, str> {
        "EarlyStop".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "description": "why the search ended early, such as `time limit reached`" })
    }
}
