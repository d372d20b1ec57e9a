//! Calls of stubs that a test expects.

use schemars::JsonSchema;
use serde::Serialize;

/// A call of a function without a body, for which the test supplies a stub.
#[derive(Clone, PartialEq, Eq, Debug, JsonSchema, Serialize)]
pub struct StubCall {
    /// The function.
    pub function: String,
    /// Its arguments.
    pub arguments: Vec<StubArgument>,
    /// The number of the calling statement.
    #[serde(skip)]
    pub statement: usize,
}

/// An argument of such a call.
#[derive(Clone, PartialEq, Eq, Debug, JsonSchema, Serialize)]
pub struct StubArgument {
    /// The name of the parameter.
    pub name: String,
    /// The value as text. For a pointer: `null`, or what it points to, if that can be read.
    pub value: String,
    /// What the compiled test compares.
    #[serde(skip)]
    pub items: Vec<CallItem>,
}

/// What a test compares of an argument.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CallItem {
    /// A number, as a C expression.
    Number(String),
    /// Not compared: a number computed from an address, or a pointer outside all objects.
    Any,
    /// A null pointer.
    Null,
    /// A pointer to something.
    Pointer {
        /// An expression that it equals; absent for objects that a test cannot name.
        place: Option<String>,
        /// What it points to.
        parts: Vec<MemoryPart>,
    },
}

/// A number in memory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MemoryPart {
    /// Offset from the pointer in bytes.
    pub offset: u64,
    /// Its size in bytes.
    pub size: u64,
    /// The number, as a C expression.
    pub value: String,
}

impl std::fmt::Display for StubCall {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let arguments: Vec<&str> = self.arguments.iter().map(|argument| argument.value.as_str()).collect();
        let name = self.function.strip_prefix("nub_").unwrap_or(&self.function);
        write!(f, "{name}({})", arguments.join(", "))
    }
}
