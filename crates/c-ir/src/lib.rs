//! C with types: layout, conversions, control flow, an interpreter.
//!
//! [`lower`] takes the syntax tree of a translation unit and a [`DataModel`] and returns a [`Program`]: functions as control flow graphs over pure,
//! typed expressions, in which nothing is implicit. Conversions, sequence points, short circuit, and the conditions under which behaviour is defined
//! are all explicit; [`ir`] says what holds. A construct that cannot be represented makes its function refused, with a reason at its place
//! ([`Program::refusals`]).
//!
//! Beside the graphs there are two tables of the source: statements, and decisions with their conditions, which is what coverage counts.
//!
//! [`run`] executes a function with given inputs and says what happened ([`interp`]).
//!
//! ```
//! use nub_c_ir::{Argument, DataModel, RunInputs, InterpreterLimits, interp::RuntimeValue, lower, run};
//!
//! let (unit, _) = nub_c_syntax::parse(b"int f(short x) { return x > 3 && x < 9 ? x : -1; }");
//! let (program, diagnostics) = lower(&unit, &DataModel::lp64());
//! assert!(diagnostics.is_empty());
//! let f = program.function_by_name("f").unwrap();
//! assert!(program.refusals(f).is_empty());
//! assert_eq!(program.decisions_of(f).count(), 1);
//!
//! let inputs = RunInputs { arguments: vec![Argument::Int(7)], ..RunInputs::default() };
//! assert_eq!(run(&program, f, &inputs, &InterpreterLimits::default()).returned, Some(RuntimeValue::Int(7)));
//! ```
//!
//! Integers have up to 128 bits. Floats are those of IEEE 754, `long double` that of the x87 or `double`, by the model; operations round to nearest
//! and are never contracted. The byte order is that of the data model. A bit-field wider than `int` computes in its declared type, as clang does; gcc
//! computes in its own width.

pub mod analysis;
mod callbacks;
mod comparisons;
mod compiler_model;
pub mod dump;
mod failing;
mod float_choice;
pub mod floats;
pub mod ids;
pub mod interp;
pub mod ints;
pub mod ir;
pub mod layout;
mod lower;
mod missing;
pub mod model;
mod opaque;
mod ordered_pointers;
mod outside;
mod query;
mod quote;
mod rooms;
mod source;
mod spell;
mod stub_body;
mod stub_parts;
mod stub_plan;
mod stub_returns;
pub mod types;
mod used;
mod validate;

pub use callbacks::CALLBACK;
pub use comparisons::NumberComparison;
pub use float_choice::{FloatChoice, float_constants};
pub use ids::*;
pub use interp::{
    Argument, InterpreterLimits, PointerIn, Recording, RunInputs, StartObject, StartPointer, run,
};
pub use ir::*;
pub use lower::{
    MAX_NESTING, VARIABLE_ARGUMENT_BYTES, children, environment_text, lower, nondet_function, place_children,
};
pub use model::{
    ByteOrder, DataModel, FloatEvaluation, LongDouble, OBJECT_ALIGNMENT, SignedOverflow, gap_between_objects,
    object_alignment,
};
pub use quote::quote;
pub use rooms::{RoomBefore, RoomsBefore};
pub use source::ProgramSource;
pub use stub_parts::{StubMember, StubObject, StubPart};
pub use stub_plan::{PartStep, ScalarPart, StubMemory, StubParam, StubResult};
pub use types::{
    Field, FloatEncoding, FloatKind, FunctionType, IntFormat, IntKind, NumberFormat, RecordType, Type, Types,
};
pub use validate::{BrokenRule, InvalidPart, InvalidProgram, validate};
