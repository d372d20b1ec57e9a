//! Tests of a C function as data. Only the parts meant for readers are in the JSON; the rest is used to write
//! test files in C.

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
    /// Undefined behaviour, at which sanitizers end the program.
    Undefined,
}

/// A test.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TestCase {
    /// All inputs by name, as text.
    pub inputs: Vec<TestInput>,
    /// Arguments of the call as C expressions.
    pub args: Vec<String>,
    /// C statements before the call.
    pub before: Vec<String>,
    /// C statements between these and the call: earlier calls.
    pub earlier: Vec<String>,
    /// What the function reads while it runs.
    pub reads: Vec<Read>,
    /// Inputs that C code cannot set. If there are any, the compiled test may behave differently.
    pub unset: Vec<String>,
    /// The addresses of the registers that the function writes through pointers. There the test has memory of its own.
    pub registers: Vec<u64>,
    /// How it ends.
    pub ending: Ending,
    /// The value returned, as a C expression; if absent, it is not compared.
    pub result: Option<String>,
    /// Conditions in C that hold after the call.
    pub after: Vec<String>,
    /// The calls of stubs that it makes, in order.
    pub calls: Vec<StubCall>,
}

impl TestCase {
    /// The inputs as text: `x = 1, y = -2`.
    pub fn text(&self) -> String {
        let read = self.inputs.iter().filter(|input| input.is_read);
        let pairs = read.map(|input| format!("{} = {}", input.name, input.text()));
        pairs.collect::<Vec<_>>().join(", ")
    }
}

/// An input of a test.
#[derive(Clone, PartialEq, Eq, Debug, Default, JsonSchema, Serialize)]
pub struct TestInput {
    /// Its name.
    pub name: String,
    /// Its type.
    #[serde(rename = "type")]
    pub ty: String,
    /// In decimal.
    pub value: String,
    /// As it is usually written, if that is different: `'x'`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shown: Option<String>,
    /// The exact value of a float in hexadecimal; for a NaN or an infinity, its bits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hex: Option<String>,
    /// The run reaches the place where it is read.
    #[serde(rename = "read")]
    pub is_read: bool,
}

impl TestInput {
    /// The value as it is shown.
    pub fn text(&self) -> &str {
        self.shown.as_deref().unwrap_or(&self.value)
    }
}

/// A value that is read while the function runs.
#[derive(Clone, PartialEq, Eq, Debug, Default, JsonSchema, Serialize)]
pub struct Read {
    /// The function that reads.
    pub source: String,
    /// Which value of it.
    #[serde(skip)]
    pub kind: ReadKind,
    /// The type of the value.
    #[serde(rename = "type")]
    pub ty: String,
    /// The value.
    pub value: String,
    /// The number of the statement that reads it.
    #[serde(skip)]
    pub statement: usize,
}

/// What kind of value is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ReadKind {
    /// The result of a function, or a value that `scanf` puts into an object.
    #[default]
    Value,
    /// The result of `scanf`, before the values that it reads.
    Scanned,
    /// Whether an allocation fails.
    Fails,
    /// What a library function gets from its environment.
    Library,
    /// What a function without a body returns or writes.
    Stub,
    /// The value of a volatile object, by the number of the place that reads it.
    Volatile(usize),
}
