//! Assumptions about callers, about what is outside the program, and about what C leaves open. A claim that needs such an assumption names it.

use crate::unrolled::{ObjectId, Unrolled};
use nub_bitvec::TermId;
use nub_c_ir::{GlobalId, OpenChoice};

/// An assumption about callers or about what is outside the program.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Assumption {
    /// Memory behind input pointers ends where it is modelled to. A bound: larger ones can be tried.
    Memory,
    /// The array that a parameter such as `int a[3]` points to has the declared length.
    GivenLength(ObjectId),
    /// Pointers that are ordered or subtracted point into one object. A rule of C (C17 6.5.6, 6.5.8).
    OneObject,
    /// If two pointers that are compared or subtracted do not point into one object here, then they do not in other runs either.
    Distinct,
    /// Addresses of objects are those of the model.
    Addresses,
    /// NaNs that arithmetic produces are those of the model, where the program observes their bits.
    Nans,
    /// Of two zeros, `fmin` and `fmax` return the one that they return here. C leaves this open.
    ZeroOfTwo,
    /// Results of `math.h` are in the ranges of the mathematical functions, up to a small error.
    MathResults,
    /// What C, the library or other threads leave open is as it is in the tests.
    LeftOpen(OpenChoice),
    /// This symbol, which is weak and not defined here, is defined when the program is linked.
    Linked(String),
    /// This function, whose definition here is weak, is not replaced by that of another file.
    NotReplaced(String),
    /// Calls of this function, which is defined `inline` here, use this definition.
    UsesDefinition(String),
    /// The global object has its initial value when the function is called.
    InitialValue(GlobalId),
    /// These two objects of the caller do not overlap.
    Apart(ObjectId, ObjectId),
    /// This function, which has no body here, writes nothing that the program reads.
    WritesNothing(String),
    /// A pointer that this function, which has no body here, returns points to an object of its own, as large as it is modelled.
    FreshResult(String),
    /// A function pointer points to a function of the program.
    KnownFunction,
    /// Volatile pointers and structures keep their values between two accesses. (Each read of a volatile number is an input.)
    VolatileKept,
    /// At addresses that the program makes from numbers there are only registers, and they hold numbers.
    NoMemoryAtNumbers,
    /// Bytes between the members of structures are zero at the start.
    Padding,
    /// The object that this pointer points to was not allocated by `malloc`.
    NotAllocated(ObjectId),
}

impl Unrolled {
    /// The assumptions about floating-point numbers that the runs make where C leaves something open; as text, each once.
    pub fn float_premises(&self) -> Vec<&'static str> {
        let library = (!self.library_calls.is_empty()).then_some(Assumption::MathResults);
        let departures = self.departures.iter().map(|departure| &departure.from);
        let mut found: Vec<&str> = departures.chain(&library).filter_map(Assumption::of_floats).collect();
        found.sort_unstable();
        found.dedup();
        found
    }
}

impl Assumption {
    /// Whether it is a bound of the analysis rather than a fact about the outside.
    pub fn is_bound(&self) -> bool {
        *self == Assumption::Memory
    }

    /// What it says about floating-point numbers, if it is about them.
    pub fn of_floats(&self) -> Option<&'static str> {
        match self {
            Assumption::Nans => Some("no bit of a NaN that arithmetic produces matters"),
            Assumption::ZeroOfTwo => Some("`fmin` and `fmax` of two zeros return the one that glibc returns"),
            Assumption::MathResults => {
                Some("functions of `math.h` are at most 8 units in the last place outside their ranges")
            }
            _ => None,
        }
    }

    /// Whether it is a rule of C: a violation is undefined behaviour.
    pub fn is_rule(&self) -> bool {
        *self == Assumption::OneObject
    }
}

/// Runs that violate an assumption.
#[derive(Clone, Debug)]
pub struct Departure {
    /// The violated assumption.
    pub from: Assumption,
    /// One bit: the run violates it.
    pub guard: TermId,
}
