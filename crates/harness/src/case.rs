//! Tests as data.

use crate::calls::{CALLS_AGREE, has_calls};
use crate::floats::{self, equality};
use crate::setup::decimal;
use crate::shown::character;
use crate::volatile::site;
use nub_bitvec::Value;
use nub_c_ir::{InputSource, Program, TypeId};
use nub_report::c_tests::{Ending, Read, ReadKind, StubCall, Stubs, TestCase, TestInput};

/// Tests of one function.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TestSuite {
    /// What the file is and what generated it; the first lines.
    pub comment: String,
    /// The function under test.
    pub function: String,
    /// What the program lacks.
    pub stubs: Stubs,
    /// The tests.
    pub cases: Vec<TestCase>,
}

impl TestSuite {
    /// The result that a case compares. `None` for `main`: only under its own name does it return 0 when it reaches its end.
    pub fn result<'c>(&self, case: &'c TestCase) -> Option<&'c str> {
        case.result.as_deref().filter(|_| self.function != "main")
    }

    /// Whether a test needs a process of its own: it ends the program, or changes something that cannot be reset.
    pub fn needs_process(&self, case: &TestCase) -> bool {
        case.ending != Ending::Returns || self.stubs.world.keeps_values
    }

    /// Everything that is compared when a test returns, the result first.
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

/// An input: a scalar of a run.
pub fn test_input(program: &Program, name: String, ty: TypeId, value: &Value) -> TestInput {
    let shown = character(program, ty, value);
    let hex = floats::hexadecimal(program, ty, value);
    let value = decimal(program, ty, value);
    TestInput { name, ty: program.types.spell(ty), value, shown, hex, is_read: true }
}

/// The kind of an input that is read while the program runs.
pub(crate) fn read_kind(program: &Program, source: &InputSource) -> ReadKind {
    match source {
        InputSource::Nondet(_) | InputSource::Scan(_) => ReadKind::Value,
        InputSource::Scanned(_) => ReadKind::Scanned,
        InputSource::Fails(_) => ReadKind::Fails,
        InputSource::Library(..) => ReadKind::Library,
        InputSource::Stub(_)
        | InputSource::Null(_)
        | InputSource::Returned(_)
        | InputSource::Part(..)
        | InputSource::NullPart(..)
        | InputSource::SetMember(..)
        | InputSource::Writes(..)
        | InputSource::Written(..) => ReadKind::Stub,
        InputSource::Volatile(_, access) => ReadKind::Volatile(site(program, *access)),
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
