//! Blocks and instructions.

use super::expr::Place;
use super::program::SourceOrigin;
use super::terminator::Terminator;
use crate::ids::{AccessId, AllocationId, ExprId, FunctionId, LocalId};

/// A basic block.
#[derive(Clone, Debug)]
pub struct BasicBlock {
    /// Executed in order.
    pub instrs: Vec<Instr>,
    /// Where control goes.
    pub terminator: Terminator,
}

/// A side effect.
#[derive(Clone, Debug)]
pub struct Instr {
    /// What it does.
    pub kind: InstrKind,
    /// Where it comes from.
    pub origin: SourceOrigin,
}

/// What an instruction does.
#[derive(Clone, Debug)]
pub enum InstrKind {
    /// `place = value`. Structures and unions are copied whole.
    Store {
        /// Where to.
        place: Place,
        /// The value, of the type of the place.
        value: ExprId,
    },
    /// All bytes of the place become zero (an initialiser that does not name all parts).
    Zero {
        /// The object or part.
        place: Place,
    },
    /// A statement of the source begins, the one in the origin. Statement coverage counts these.
    Begin,
    /// The object begins to live, with undefined content; also when its declaration is passed again in a loop.
    LifetimeBegin {
        /// A variable.
        local: LocalId,
    },
    /// The object ends, because its block is left: pointers to it dangle. Emitted only for objects whose address is taken. If a label lets a jump
    /// enter a block, the objects of that block have no such instruction, and dangling pointers to them are not noticed.
    LifetimeEnd {
        /// A variable.
        local: LocalId,
    },
    /// A call.
    Call {
        /// The called function.
        callee: Callee,
        /// Arguments, converted to the types of the parameters.
        args: Vec<ExprId>,
        /// Where the result goes; a temporary.
        result: Option<Place>,
    },
    /// A value from outside: one more input of the function under test.
    Input {
        /// Where it goes; a scalar.
        place: Place,
        /// Where it comes from.
        source: InputSource,
    },
    /// What C, the library or other threads leave open. Zero in the interpreter and in every test; a claim that rests on that names it.
    LeftOpen {
        /// What is left open.
        choice: OpenChoice,
        /// Where the number goes, any number of its type. Without a place, what is in memory may have changed.
        place: Option<Place>,
    },
    /// A stub is called: records what a test can compare.
    Observe {
        /// The function.
        callee: FunctionId,
        /// What it sees of its arguments, in the order of [`crate::Program::stub_params`].
        parts: Vec<ObservedPart>,
    },
    /// Runs in which the condition is zero are ignored.
    Assume {
        /// The condition, of type `int`.
        condition: ExprId,
    },
    /// The condition should hold.
    Assert {
        /// The condition, of type `int`.
        condition: ExprId,
        /// The text of the condition, or the user's description.
        text: String,
        /// Which assertion it is.
        kind: AssertKind,
    },
    /// If the condition is zero, what follows is undefined behaviour.
    Check {
        /// Which rule.
        kind: CheckKind,
        /// The condition, of type `int`.
        condition: ExprId,
    },
    /// A new object.
    Allocate {
        /// Where the pointer goes; a temporary.
        result: Place,
        /// The call.
        site: AllocationId,
        /// Its size in bytes, an unsigned number, where [`crate::Allocation::size`] is not known before the run. An object that is larger than
        /// half of the address space does not exist: the pointer is null.
        size: Option<ExprId>,
        /// For `realloc`: the pointer to the old object. Its content is copied as far as both objects reach, and it ends. If the size is 0, it ends
        /// and the new pointer is null, as in glibc. A null pointer means that there is no old object.
        old: Option<ExprId>,
        /// True for `calloc`: the content is zero.
        is_zeroed: bool,
        /// If it is not zero, there is no memory and the pointer is null. Of type `_Bool`; absent where allocations succeed.
        fails: Option<ExprId>,
    },
    /// The object ends. Anything but the start of a live allocated object, or null, is undefined ([`CheckKind::Free`]); there is no
    /// [`InstrKind::Check`] for it.
    Free {
        /// The pointer.
        pointer: ExprId,
    },
}

impl InstrKind {
    /// The place that it writes.
    pub fn written(&self) -> Option<&Place> {
        match self {
            InstrKind::Store { place, .. } | InstrKind::Zero { place } | InstrKind::Input { place, .. } => {
                Some(place)
            }
            InstrKind::Call { result, .. } => result.as_ref(),
            InstrKind::LeftOpen { place, .. } => place.as_ref(),
            InstrKind::Allocate { result, .. } => Some(result),
            _ => None,
        }
    }
}

/// What C, the library or other threads leave open.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum OpenChoice {
    /// Which characters are letters, capitals and so on.
    Locale,
    /// A number that this function of the library returns, where C says less than which one: only its sign, or only that it is not zero.
    Result(String),
    /// What this function of the library does with elements that are equal, and how often it compares.
    Equals(String),
    /// The number in `errno` after functions of the library were called, which may set it even where they do not fail (C17 7.5 paragraph 3).
    Errno,
    /// What other threads write between two atomic operations.
    Threads,
}

/// What a call calls.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Callee {
    /// A function by name.
    Direct(FunctionId),
    /// A function pointer.
    Pointer(ExprId),
}

/// A scalar that a stub sees.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ObservedPart {
    /// The scalar.
    pub value: ExprId,
    /// For a scalar behind a pointer: whether it can be read, and whether it was written. Both of type `int`.
    pub exists: Option<(ExprId, ExprId)>,
}

/// Where an input comes from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum InputSource {
    /// A call of a function such as `nondet_int`, by its name.
    Nondet(String),
    /// A conversion of the `scanf` family, by the name of the function.
    Scan(String),
    /// What a function of the `scanf` family returns, by its name. The values that it reads come after it.
    Scanned(String),
    /// A value that a library function gets from outside: the name of the function, and what the value is. The second is empty for a part of what the
    /// function reads.
    Library(String, String),
    /// Whether an allocation fails, by the name of the function.
    Fails(String),
    /// What a stub returns, or a part of it, by its name.
    Stub(String),
    /// Whether a stub returns a null pointer, by its name.
    Null(String),
    /// What is in the object that a stub returns a pointer to, by its name.
    Returned(String),
    /// A part of what a stub returns, by its name and the way to the part: `.u.i`.
    Part(String, String),
    /// Whether a pointer in what a stub returns is null, by the same names.
    NullPart(String, String),
    /// Which member of a union in what a stub returns is set: its name, the way to the union, the members.
    SetMember(String, String, String),
    /// How many elements a stub writes through a parameter, by both names.
    Writes(String, String),
    /// What it writes there.
    Written(String, String),
    /// A volatile object, as it is written in the source.
    Volatile(String, AccessId),
}

impl InputSource {
    /// The function, or the object.
    pub fn function(&self) -> &str {
        match self {
            InputSource::Nondet(name)
            | InputSource::Scan(name)
            | InputSource::Scanned(name)
            | InputSource::Library(name, _)
            | InputSource::Fails(name)
            | InputSource::Stub(name)
            | InputSource::Null(name)
            | InputSource::Returned(name)
            | InputSource::Part(name, _)
            | InputSource::NullPart(name, _)
            | InputSource::SetMember(name, ..)
            | InputSource::Writes(name, _)
            | InputSource::Written(name, _)
            | InputSource::Volatile(name, _) => name,
        }
    }

    /// The name of the input with this number, for reports.
    pub fn label(&self, number: u32) -> String {
        match self {
            InputSource::Nondet(name) | InputSource::Scan(name) | InputSource::Volatile(name, _) => {
                format!("{name} #{number}")
            }
            InputSource::Library(name, what) if what.is_empty() => format!("{name} #{number}"),
            InputSource::Library(name, what) => format!("{name} #{number} {what}"),
            InputSource::Scanned(name) => format!("{name} #{number} returns"),
            InputSource::Fails(name) => format!("{name} #{number} fails"),
            InputSource::Stub(name) => format!("{} #{number}", plain(name)),
            InputSource::Null(name) => format!("{} #{number} returns null", plain(name)),
            InputSource::Returned(name) => format!("*{} #{number}", plain(name)),
            InputSource::Part(name, path) => format!("{} #{number}{path}", plain(name)),
            InputSource::NullPart(name, path) => format!("{} #{number}{path} is null", plain(name)),
            InputSource::SetMember(name, path, members) => {
                format!("{} #{number}{path} of {members}", plain(name))
            }
            InputSource::Writes(name, param) => format!("{} #{number} writes {param}", plain(name)),
            InputSource::Written(name, param) => format!("*{param} of {} #{number}", plain(name)),
        }
    }
}

/// The name of a callback without the prefix that makes it unique.
fn plain(name: &str) -> &str {
    name.strip_prefix("nub_").unwrap_or(name)
}

/// A call of this function, with a text, marks a place that must not be reached. It is inserted for nub only; compilers never see it.
pub const REACHED: &str = "__nub_reached";

/// Which assertion it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AssertKind {
    /// `assert` of the C library, after which the program aborts.
    Assert,
    /// `__CPROVER_assert`, after which the program goes on.
    Cprover,
    /// `__VERIFIER_assert`, `__VERIFIER_error`, `reach_error`.
    Verifier,
    /// The place must not be reached, and the compiled program does not notice when it is ([`REACHED`]).
    Reached,
}

/// Rules whose violation is undefined behaviour.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum CheckKind {
    /// A signed result does not fit its type. Also the smallest number divided by -1.
    Overflow,
    /// A shift by a negative amount or by the width or more.
    ShiftAmount,
    /// A signed number shifted to the left that is negative or loses bits.
    ShiftBase,
    /// Division by zero.
    DivisionByZero,
    /// An index outside of its array.
    Bounds,
    /// A variable-length array has a length of zero or less.
    ArrayLength,
    /// The null pointer is dereferenced.
    Null,
    /// A pointer is dereferenced that points to no live object, or too close to its end.
    Pointer,
    /// A value is read that was never written, or a `_Bool` that is neither 0 nor 1.
    Uninitialised,
    /// The source and the target of a copy overlap, and it is not `memmove`.
    Overlap,
    /// A floating number is converted to an integer type that it does not fit.
    FloatConversion,
    /// Something is freed that is not the start of a live allocated object.
    Free,
    /// A function without `return` whose value is used, or `__builtin_unreachable`.
    Unreachable,
    /// An operation on floats makes a NaN, and no operand is one. Defined, and checked on request.
    Nan,
    /// An operation on floats makes an infinity from finite numbers. Defined, and checked on request.
    Infinity,
    /// A conversion to a float changes the number. Defined, and checked on request.
    Precision,
}

impl CheckKind {
    /// All kinds.
    pub const ALL: [CheckKind; 16] = [
        CheckKind::Overflow,
        CheckKind::ShiftAmount,
        CheckKind::ShiftBase,
        CheckKind::DivisionByZero,
        CheckKind::Bounds,
        CheckKind::ArrayLength,
        CheckKind::Null,
        CheckKind::Pointer,
        CheckKind::Uninitialised,
        CheckKind::Overlap,
        CheckKind::FloatConversion,
        CheckKind::Free,
        CheckKind::Unreachable,
        CheckKind::Nan,
        CheckKind::Infinity,
        CheckKind::Precision,
    ];
    /// Those that C does not require.
    pub const EXTRA: [CheckKind; 3] = [CheckKind::Nan, CheckKind::Infinity, CheckKind::Precision];

    /// Whether its failure is undefined behaviour.
    pub fn is_rule(self) -> bool {
        !CheckKind::EXTRA.contains(&self)
    }
}

/// Some kinds of checks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct CheckSet(u32);

impl CheckSet {
    /// Those whose failure is undefined behaviour.
    pub fn rules() -> CheckSet {
        CheckKind::ALL.into_iter().filter(|kind| kind.is_rule()).collect()
    }

    /// Whether this kind is among them.
    pub fn contains(self, kind: CheckKind) -> bool {
        self.0 >> kind as u32 & 1 == 1
    }

    /// Whether there are none.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }
}

impl FromIterator<CheckKind> for CheckSet {
    fn from_iter<I: IntoIterator<Item = CheckKind>>(kinds: I) -> CheckSet {
        CheckSet(kinds.into_iter().fold(0, |set, kind| set | 1 << kind as u32))
    }
}
