//! The interpreter: one run of a program, with exact values.
//!
//! Every test that is generated and every trace that is explained is run here first. Memory is made of objects of bytes; a byte is
//! unknown until it is written, and a pointer knows its object, so that what C leaves undefined is noticed and not guessed.
//! Calls need no stack of the host.

mod allocate;
mod bytes;
mod calls;
mod effects;
mod eval;
mod machine;
mod memory;
mod places;
mod pointer;
mod start;
mod start_objects;
mod trace;

pub use memory::ObjectId;
pub use pointer::Pointer;
pub use trace::{Effect, InterpretedRun, RunOutcome, Site, TraceEvent, TracedStubCall, WriteTarget};

use crate::ids::*;
use crate::ir::{CheckKind, Program};

/// A scalar, or the bytes of a structure.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RuntimeValue {
    /// The bits of an integer, zero above its width.
    Int(u128),
    /// A pointer.
    Pointer(Pointer),
    /// The content of a structure or union; absent bytes were never written.
    Record(Vec<Option<u32>>),
    /// A value that was never written.
    Unknown,
}

/// What a parameter starts with.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Argument {
    /// An integer; bits above the width of the parameter are ignored.
    Int(u128),
    /// The null pointer.
    Null,
    /// A pointer to the start of a new object with these bytes.
    Object(Vec<Option<u32>>),
    /// A pointer into a new object.
    Inside {
        /// Its bytes.
        content: Vec<Option<u32>>,
        /// Where the pointer points to, in bytes.
        offset: u64,
        /// It may be freed.
        is_allocated: bool,
    },
    /// The bytes of a structure.
    Record(Vec<Option<u32>>),
    /// A pointer to a function.
    Function(FunctionId),
    /// The pointer of an earlier parameter, moved by a distance in bytes. Parameters are counted from 0 over all calls.
    SameAs(usize, i128),
    /// A pointer into a global object, at an offset in bytes.
    Global(GlobalId, u64),
    /// A pointer with this address, which is in no object.
    Address(u128),
    /// A pointer to something that exists when the run starts.
    To(StartPointer),
    /// The bytes of a structure, and the pointers in it.
    RecordWithPointers(Vec<Option<u32>>, Vec<PointerIn>),
}

/// Where a pointer among the inputs leads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StartPointer {
    /// Nowhere.
    Null,
    /// Into one of [`RunInputs::objects`], at an offset in bytes.
    Object(usize, u64),
    /// Into a global object, at an offset in bytes.
    Global(GlobalId, u64),
    /// To a function.
    Function(FunctionId),
    /// To an address that is in no object.
    Address(u128),
}

/// A pointer in an object when the run starts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PointerIn {
    /// Bytes from the start of the object.
    pub offset: u64,
    /// The type of the pointer.
    pub ty: TypeId,
    /// Where it leads.
    pub to: StartPointer,
}

/// An object that pointers among the inputs lead to.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct StartObject {
    /// Its bytes, without the pointers.
    pub content: Vec<Option<u32>>,
    /// It may be freed.
    pub is_allocated: bool,
    /// The pointers in it.
    pub pointers: Vec<PointerIn>,
}

/// All that a run depends on.
#[derive(Clone, Default, Debug)]
pub struct RunInputs {
    /// One for each parameter, call after call; missing ones are zero or null.
    pub arguments: Vec<Argument>,
    /// For each call, what is passed after the parameters or with a `va_list`, with its types.
    pub variable_arguments: Vec<Vec<(TypeId, Argument)>>,
    /// How often the function is called; 0 means once.
    pub n_calls: usize,
    /// One for each [`crate::InstrKind::Input`] that is executed, in order; missing ones are zero.
    pub values: Vec<u128>,
    /// For each [`crate::InstrKind::LifetimeBegin`] that is executed, in order, the bytes the object starts with. Missing or empty ones start
    /// unknown.
    pub lifetimes: Vec<Vec<u32>>,
    /// Initial bytes of global objects, instead of their own.
    pub globals: Vec<(GlobalId, Vec<Option<u32>>)>,
    /// Pointers in global objects, instead of the bytes there.
    pub global_pointers: Vec<(GlobalId, PointerIn)>,
    /// Objects that pointers lead to, for [`StartPointer::Object`].
    pub objects: Vec<StartObject>,
}

/// When to stop, and what to keep.
#[derive(Clone, Debug)]
pub struct InterpreterLimits {
    /// Instructions and terminators.
    pub steps: u64,
    /// Calls within calls.
    pub depth: usize,
    /// Bytes of all objects that are alive.
    pub bytes: u64,
    /// Checks that do not stop the run. Division by zero then gives what SMT-LIB says, overflow wraps, and a shift by the width or more gives what
    /// that many shifts by one would give.
    pub ignored: Vec<CheckKind>,
    /// What the trace holds.
    pub recording: Recording,
    /// For each function, whether it is watched: when it returns to a function that is not watched, the trace records what it and its callees changed
    /// in memory. If empty, no function is watched.
    pub watched: Vec<bool>,
}

/// What a trace holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Recording {
    /// Nothing: only the outcome is wanted.
    Nothing,
    /// Statements, branches and switches, which is what coverage needs.
    Control,
    /// Also the operands of conditions that compare numbers.
    Comparisons,
    /// Also assignments, with their values.
    Everything,
}

impl Default for InterpreterLimits {
    fn default() -> InterpreterLimits {
        InterpreterLimits {
            steps: 1_000_000,
            depth: 10_000,
            bytes: 1 << 26,
            ignored: Vec::new(),
            recording: Recording::Everything,
            watched: Vec::new(),
        }
    }
}

/// Runs a function.
pub fn run(
    program: &Program,
    function: FunctionId,
    inputs: &RunInputs,
    limits: &InterpreterLimits,
) -> InterpretedRun {
    machine::Machine::new(program, inputs, limits).run(function)
}
