//! Tests of a C function as data. JSON shows what people read; the rest is what a test file in C is made of.

mod calls;
mod stubs;

pub use calls::{CallItem, MemoryPart, StubArgument, StubCall};
pub use stubs::{ProgramCopy, StubText, Stubs, TestEntry, TestObjects};

use schemars::JsonSchema;
use serde::Serialize;

/// How a test ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Ending {
    /// The function returns.
    #[default]
    Returns,
    /// The function ends the program.
    Exits,
    /// The program is aborted: an assertion fails.
    Aborts,
    /// Undefined behaviour, which sanitizers turn into the end of the program.
    Undefined,
}

/// A test.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TestCase {
    /// All inputs by name, for people.
    pub inputs: Vec<TestInput>,
    /// Arguments of the call as C expressions.
    pub args: Vec<String>,
    /// C statements before the call.
    pub before: Vec<String>,
    /// C statements between these and the call: earlier calls.
    pub earlier: Vec<String>,
    /// What the function reads while it runs.
    pub reads: Vec<Read>,
    /// Inputs that C cannot set; the compiled test may do anything if there are any.
    pub unset: Vec<String>,
    /// How it ends.
    pub ending: Ending,
    /// The value returned, as a C expression; nothing is compared without.
    pub result: Option<String>,
    /// Conditions in C that hold after the call.
    pub after: Vec<String>,
    /// The calls of stubs that it makes, in order.
    pub calls: Vec<StubCall>,
}

impl TestCase {
    /// The inputs, for people: `x = 1, y = -2`.
    pub fn text(&self) -> String {
        let read = self.inputs.iter().filter(|input| input.is_read);
        let pairs = read.map(|input| format!("{} = {}", input.name, input.text()));
        pairs.collect::<Vec<_>>().join(", ")
    }
}

/// An input of a test.
#[derive(Clone, PartialEq, Eq, Debug, Default, JsonSchema, Serialize)]
pub struct TestInput {
    /// For people.
    pub name: String,
    /// Its type.
    #[serde(rename = "type")]
    pub ty: String,
    /// In decimal.
    pub value: String,
    /// As a person writes it, if that is different: `'x'`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shown: Option<String>,
    /// A float exactly, in hexadecimal; a NaN or an infinity by its bits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hex: Option<String>,
    /// The run gets to where it is read.
    #[serde(rename = "read")]
    pub is_read: bool,
}

impl TestInput {
    /// For people.
    pub fn text(&self) -> &str {
        self.shown.as_deref().unwrap_or(&self.value)
    }
}

/// A value that is read while the function runs.
#[derive(Clone, PartialEq, Eq, Debug, Default, JsonSchema, Serialize)]
pub struct Read {
    /// The function that reads.
    pub source: String,
    /// What of it.
    #[serde(skip)]
    pub kind: ReadKind,
    /// The type of the value.
    #[serde(rename = "type")]
    pub ty: String,
    /// The value.
    pub value: String,
    /// A number of the statement that reads it.
    #[serde(skip)]
    pub statement: usize,
}

/// What a value is that is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ReadKind {
    /// The result of a function, or a value that `scanf` puts into an object.
    #[default]
    Value,
    /// The result of `scanf`, before the values that it reads.
    Scanned,
    /// Whether an allocation fails.
    Fails,
    /// What a function of the library gets from outside.
    Library,
    /// What a function that nobody has written returns or writes.
    Stub,
    /// What a volatile object holds, by the number of the place that reads it.
    Volatile(usize),
}
