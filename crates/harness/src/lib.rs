//! Tests of a C function as C files that any compiler accepts.
//!
//! [`setup`] turns the inputs of a run, as the unroller names them, into C: declarations, assignments and arguments. [`c_file`] turns several such
//! [`TestCase`]s into a program that reports whether each ends as expected; [`one_text`] makes one that only reports whether all do, and compiles
//! faster. [`tests_as_data`] makes one that can be compiled before the tests exist.
//!
//! ```
//! use nub_harness::{TestCase, Ending, TestInput, TestSuite, c_file};
//!
//! let input = TestInput { name: "x".into(), ty: "int".into(), value: "7".into(), ..TestInput::default() };
//! let case = TestCase { inputs: vec![input], args: vec!["7".into()], result: Some("49".into()), ..TestCase::default() };
//! let suite = TestSuite { comment: "One test of square.".into(), function: "square".into(), cases: vec![case], ..TestSuite::default() };
//! assert!(c_file(&suite, "square.c").contains("int same = nub_check(square(7) == 49,"));
//! assert_eq!(suite.cases[0].ending, Ending::Returns);
//! ```

mod as_data;
mod c_file;
mod calls;
mod case;
mod comparisons;
mod effects;
mod embed;
mod entry;
mod environment;
mod floats;
mod input_columns;
mod library_choices;
mod one_text;
mod own_macros;
mod places;
mod replaced;
mod setup;
mod shown;
mod streams;
mod stub_text;
mod stubs;
mod supply;
mod unnamed;
mod variable_arguments;
mod volatile;
mod world;

pub use as_data::{System, data, tests_as_data};
pub use c_file::{SANITIZER_EXIT, around, c_file, call, escaped, inclusion, preparation};
pub use calls::stub_call;
pub use case::{TestSuite, test_input};
pub use effects::{earlier_call, effects, returned_pointer};
pub use floats::{equality, hexadecimal};
pub use input_columns::{InputColumn, input_columns};
pub use nub_report::c_tests::{
    CallItem, Ending, MemoryPart, ProgramCopy, Read, ReadKind, StubArgument, StubCall, StubText, Stubs,
    TestCase, TestEntry, TestInput, TestObjects,
};
pub use one_text::one_text;
pub use setup::{Setup, decimal, is_set, literal, setup};
pub use shown::{character, shown, shown_bytes};
pub use stubs::{renaming, stubs, stubs_with_copy};
pub use supply::before_program;
pub use volatile::{CopyObstacle, VolatileUse, copy, is_volatile_read, site};
