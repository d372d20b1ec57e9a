//! Tests as data.

use crate::calls::{CALLS_AGREE, StubCall, has_calls};
use crate::floats::{self, equality};
use crate::setup::decimal;
use crate::shown::character;
use crate::stubs::Stubs;
use crate::volatile::site;
use nub_bitvec::Value;
use nub_c_ir::{InputSource, Program, TypeId};
use schemars::JsonSchema;
use serde::Serialize;

/// Tests of one function.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TestSuite {
    /// What the file is and who made it; the first lines.
    pub comment: String,
    /// The function under test.
    pub function: String,
    /// What the program lacks.
    pub stubs: Stubs,
    /// The tests.
    pub cases: Vec<TestCase>,
}

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

impl TestSuite {
    /// The result that a case compares. None for `main`: only under its own name does it return 0 where it just ends.
    pub fn result<'c>(&self, case: &'c TestCase) -> Option<&'c str> {
        case.result.as_deref().filter(|_| self.function != "main")
    }

    /// Whether a test ends the program, or leaves behind what no other test can reset: it has a process of its own.
    pub fn needs_process(&self, case: &TestCase) -> bool {
        case.ending != Ending::Returns || self.stubs.world.keeps_values
    }

    /// All that is compared when a test returns, the result first.
    pub fn conditions(&self, case: &TestCase) -> (Option<String>, Vec<String>) {
        let call = crate::c_file::call(self, case);
        let mut after = if case.ending == Ending::Returns { case.after.clone() } else { Vec::new() };
        if case.ending == Ending::Returns && has_calls(self) {
            after.push(CALLS_AGREE.to_owned());
        }
        (self.result(case).map(|expected| equality(&call, expected)), after)
    }

    /// The same tests for a compiler that evaluates the parts of a statement, such as arguments, from right to left. C leaves the order
    /// open: gcc and clang differ.
    pub fn right_to_left(&self) -> TestSuite {
        let mut suite = self.clone();
        for case in &mut suite.cases {
            case.reads.chunk_by_mut(|a, b| a.statement == b.statement).for_each(<[Read]>::reverse);
            case.calls.chunk_by_mut(|a, b| a.statement == b.statement).for_each(<[StubCall]>::reverse);
        }
        suite
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
    /// A scalar of a run.
    pub fn new(program: &Program, name: String, ty: TypeId, value: &Value) -> TestInput {
        let shown = character(program, ty, value);
        let hex = floats::hexadecimal(program, ty, value);
        let value = decimal(program, ty, value);
        TestInput { name, ty: program.types.spell(ty), value, shown, hex, is_read: true }
    }

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

impl ReadKind {
    /// Of an input of a program.
    pub(crate) fn of(program: &Program, source: &InputSource) -> ReadKind {
        match source {
            InputSource::Nondet(_) | InputSource::Scan(_) => ReadKind::Value,
            InputSource::Scanned(_) => ReadKind::Scanned,
            InputSource::Fails(_) => ReadKind::Fails,
            InputSource::Library(..) => ReadKind::Library,
            InputSource::Stub(_)
            | InputSource::Null(_)
            | InputSource::Returned(_)
            | InputSource::Writes(..)
            | InputSource::Written(..) => ReadKind::Stub,
            InputSource::Volatile(_, access) => ReadKind::Volatile(site(program, *access)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(value: &str, statement: usize) -> Read {
        Read {
            source: "nondet_int".into(),
            ty: "int".into(),
            value: value.into(),
            statement,
            ..Read::default()
        }
    }

    #[test]
    fn reads_of_one_statement_change_their_order() {
        let reads = vec![read("1", 4), read("2", 4), read("3", 5), read("4", 6), read("5", 6)];
        let suite =
            TestSuite { cases: vec![TestCase { reads, ..TestCase::default() }], ..TestSuite::default() };
        let other = suite.right_to_left();
        let values: Vec<&str> = other.cases[0].reads.iter().map(|read| read.value.as_str()).collect();
        assert_eq!(values, ["2", "1", "3", "5", "4"]);
        assert_eq!(other.right_to_left(), suite);
    }
}
