//! What is taken for granted of callers, of what is outside of the program, and of what C leaves open. A claim that needs such an assumption names it.

use crate::unrolled::{ObjectId, Unrolled};
use nub_bitvec::TermId;
use nub_c_ir::GlobalId;

/// Something that is taken for granted of callers and of what is outside of the program.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Assumption {
    /// Memory behind pointers of the start ends where it is modelled to. A bound: larger ones can be tried.
    Memory,
    /// What a parameter such as `int a[3]` points to is as long as it says.
    GivenLength(ObjectId),
    /// Pointers that are ordered or subtracted point into one object. A rule of C (C17 6.5.6, 6.5.8).
    OneObject,
    /// Pointers that are compared or subtracted, and do not lead to one object here, do not in other runs either.
    Distinct,
    /// Addresses of objects are those of the model.
    Addresses,
    /// NaNs that arithmetic makes are those of the model, where somebody looks at their bits.
    Nans,
    /// Of two zeros, `fmin` and `fmax` return the one that they return here. C leaves it open.
    ZeroOfTwo,
    /// Results of `math.h` are in the ranges of the functions that they compute, but for a small error.
    MathResults,
    /// The global object has its initial value when the function is called.
    InitialValue(GlobalId),
    /// These two objects of the caller do not overlap.
    Apart(ObjectId, ObjectId),
    /// This function, which has no body here, writes nothing that the program reads.
    WritesNothing(String),
    /// What this function, which has no body here, returns a pointer to is an object of its own, as large as it is modelled.
    FreshResult(String),
    /// The pointer to a function leads to one that the program has.
    KnownFunction,
    /// Volatile pointers and structures keep their values between two accesses. (Each read of a volatile number is an input.)
    VolatileKept,
    /// Bytes between the members of structures are zero at the start.
    Padding,
    /// What this pointer leads to was not allocated by `malloc`.
    NotAllocated(ObjectId),
}

impl Unrolled {
    /// What the runs take for granted of floating-point numbers, as C leaves it open; in words, each once.
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
    /// It is a bound on what is looked at rather than a fact about the outside.
    pub fn is_bound(&self) -> bool {
        *self == Assumption::Memory
    }

    /// What it says of floating-point numbers, if it is about them.
    pub fn of_floats(&self) -> Option<&'static str> {
        match self {
            Assumption::Nans => Some("no bit of a NaN that arithmetic makes matters"),
            Assumption::ZeroOfTwo => Some("`fmin` and `fmax` of two zeros return the one that glibc returns"),
            Assumption::MathResults => {
                Some("functions of `math.h` are at most 8 units in the last place outside their ranges")
            }
            _ => None,
        }
    }

    /// It is a rule of C: whoever breaks it has undefined behaviour.
    pub fn is_rule(&self) -> bool {
        *self == Assumption::OneObject
    }
}

/// Runs that leave what is taken for granted.
#[derive(Clone, Debug)]
pub struct Departure {
    /// What does not hold for them.
    pub from: Assumption,
    /// One bit: the run does so.
    pub guard: TermId,
}
