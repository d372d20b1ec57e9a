//! What the caller decides: bounds, limits, what is an input.

use nub_c_ir::{FunctionId, LoopId};
use nub_text::{Diagnostic, Span};
use rustc_hash::FxHashMap;
use std::fmt;
use std::sync::Arc;

/// Options of [`crate::unroll`].
#[derive(Clone, Debug)]
pub struct UnrollConfig {
    /// How often the body of a loop is executed at most, each time the loop is entered.
    pub unwind: u32,
    /// Other bounds for some loops.
    pub loops: FxHashMap<(FunctionId, LoopId), u32>,
    /// How many activations of one function may be on the stack.
    pub recursion: u32,
    /// The initial values of global objects.
    pub globals: Globals,
    /// The content of an object that was never written.
    pub uninitialised: Uninitialised,
    /// Whether a failed `__CPROVER_assert` ends the run, as it does in a compiled program, or lets it continue, as in a model checker.
    pub cprover_assert_stops: bool,
    /// What input pointers point to.
    pub pointers: Pointers,
    /// What is assumed about the outside.
    pub world: WorldAssumption,
    /// How often the function is called at most, one call after the other, each with its own parameters. If more than one, an input says how often.
    pub calls: u32,
    /// Whether the library has memory for every size that a program requests.
    pub allocations: AllocationModel,
    /// Limits on the size.
    pub limits: UnrollLimits,
    /// The limit on the time.
    pub patience: Patience,
}

/// How long it may take: a predicate that is evaluated at each instruction, so that the caller supplies the clock. Unlimited by default.
#[derive(Clone, Default)]
pub struct Patience {
    is_over: Option<Arc<dyn Fn() -> bool + Send + Sync>>,
}

impl Patience {
    /// Stops as soon as the predicate is true.
    pub fn until(is_over: impl Fn() -> bool + Send + Sync + 'static) -> Patience {
        Patience { is_over: Some(Arc::new(is_over)) }
    }

    pub(crate) fn is_over(&self) -> bool {
        self.is_over.as_ref().is_some_and(|is_over| is_over())
    }
}

impl fmt::Debug for Patience {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.is_over.is_some() { "Patience(limited)" } else { "Patience(unlimited)" })
    }
}

/// The initial values of global objects.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Globals {
    /// As written. Only objects that are declared `extern` and not defined are inputs.
    Initial,
    /// As inputs, unless `const` or static in a function.
    Inputs,
    /// As inputs, unless `const`. A test in C cannot set those that are static in a function.
    All,
}

/// What is assumed about the outside.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WorldAssumption {
    /// Everything that no input represents is as modelled: the runs are those that a test can make.
    Closed,
    /// As little as possible: whatever else callers and other files may do is a [`crate::Departure`]. This includes runs that cannot really happen,
    /// but none is missing, so what no run does is truly impossible. For proofs, not for tests.
    Open,
}

/// Whether the library has memory for every size that a program requests. Whether an allocation of a possible size may fail is decided in the program
/// ([`nub_c_ir::Program::let_allocations_fail`]).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AllocationModel {
    /// Not for more than half of the address space: the result is null then.
    Sized,
    /// Runs in which an allocation fails are excluded, as if the program assumed success after each allocation. For programs whose verdict is defined
    /// that way; a claim has to say so.
    Succeed,
}

/// The content of an object that was never written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Uninitialised {
    /// Zero. A check reports whether a run reads it.
    Zero,
    /// One input per scalar, as in a bounded model checker.
    Input,
}

/// What input pointers point to: each to an object of its own.
#[derive(Clone, Debug)]
pub struct Pointers {
    /// Elements of that object.
    pub elements: u64,
    /// Elements if they are characters.
    pub characters: u64,
    /// Elements by name of the parameter or global.
    pub by_name: FxHashMap<String, u64>,
    /// How many pointers are followed one after the other at most.
    pub depth: u32,
    /// What is after the last element, and behind the last pointer.
    pub beyond: Beyond,
    /// Whether such a pointer may be null; then that is one more input.
    pub may_be_null: bool,
    /// Whether two of them may point to one object, or one to a global object of its type.
    pub aliases: Aliases,
    /// Which of them point into the middle of an object ([`nub_c_ir::Program::give_room`]).
    pub room: RoomModel,
}

/// What input pointers may share.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Aliases {
    /// Nothing: each points to an object of its own.
    None,
    /// Objects of the type that they point to, with each other and with named globals; and they may be addresses that the program uses as numbers.
    SameType,
}

/// Where in their objects input pointers point.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RoomModel {
    /// To the start. No object is allocated: the program cannot free it.
    None,
    /// Into the structure that the program finds around them, as `container_of` does; otherwise to the start. Objects that the program frees are
    /// allocated.
    Containers,
    /// The same, and where the program reads memory before a pointer, there is some.
    All,
}

/// What is outside the memory that the input pointers are given.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Beyond {
    /// Nothing: the last pointer is null, and an access after the last element is undefined.
    Nothing,
    /// More memory, with any values: the caller may own more than is modelled. Such an access is recorded in
    /// [`crate::Unrolled::departures`].
    Unknown,
}

/// Limits on the size.
#[derive(Clone, Copy, Debug)]
pub struct UnrollLimits {
    /// Terms in the pool.
    pub max_terms: usize,
    /// Instructions executed, on all paths and in all iterations together.
    pub max_instructions: usize,
    /// Scalars that one access with an open index may refer to.
    pub max_candidates: usize,
    /// Scalars that are copied, cleared or made inputs at once.
    pub max_copy: u64,
    /// Calls in calls.
    pub max_call_depth: usize,
    /// Iterations of one loop whose condition is constant; up to this number they do not count towards the bound.
    pub max_constant_rounds: u32,
    /// When the pool has more terms than this, a call that the function under test makes is not followed to its end: runs that are still in it are
    /// cut there ([`crate::Bounded::LongCall`]). If absent, nothing is cut.
    pub max_call_terms: Option<usize>,
    /// A variant ([`crate::unroll_twins`]) may execute this many times as many instructions as the original: one that does not end is recognised
    /// early. If absent, only the other limits apply.
    pub max_variant_ratio: Option<usize>,
}

impl Default for UnrollConfig {
    fn default() -> UnrollConfig {
        UnrollConfig {
            unwind: 8,
            loops: FxHashMap::default(),
            recursion: 8,
            globals: Globals::Initial,
            uninitialised: Uninitialised::Zero,
            cprover_assert_stops: false,
            pointers: Pointers::default(),
            world: WorldAssumption::Closed,
            calls: 1,
            allocations: AllocationModel::Sized,
            limits: UnrollLimits::default(),
            patience: Patience::default(),
        }
    }
}

/// Elements that an allocation has at least, where a pointer leads to a single object.
const FEW: u64 = 8;

impl Default for Pointers {
    fn default() -> Pointers {
        Pointers {
            elements: 1,
            characters: 8,
            by_name: FxHashMap::default(),
            depth: 2,
            beyond: Beyond::Nothing,
            may_be_null: false,
            aliases: Aliases::None,
            room: RoomModel::None,
        }
    }
}

impl Pointers {
    /// Elements of an allocation whose size is not constant.
    pub fn of_allocation(&self) -> u64 {
        self.elements.max(self.characters.min(FEW)).max(1)
    }
}

impl Default for UnrollLimits {
    fn default() -> UnrollLimits {
        UnrollLimits {
            max_terms: 20_000_000,
            max_instructions: 5_000_000,
            max_candidates: 4_096,
            max_copy: 65_536,
            max_call_depth: 1_000,
            max_constant_rounds: 2_048,
            max_call_terms: None,
            max_variant_ratio: None,
        }
    }
}

/// Why there is no result.
#[derive(Clone, Debug)]
pub enum UnrollRefusal {
    /// The program does something that is not supported, at these places.
    Unsupported(Vec<Diagnostic>),
    /// A limit was reached here.
    Limit(Limit, Span),
}

/// Which limit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Limit {
    /// [`UnrollLimits::max_terms`].
    Terms(usize),
    /// [`UnrollLimits::max_instructions`].
    Instructions(usize),
    /// [`UnrollLimits::max_copy`].
    Copy(u64),
    /// [`UnrollLimits::max_call_depth`].
    CallDepth(usize),
    /// All objects do not fit the address space of the data model.
    Addresses,
    /// [`UnrollConfig::patience`].
    Time,
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Limit::Terms(limit) => write!(f, "more than {limit} terms"),
            Limit::Instructions(limit) => write!(f, "more than {limit} instructions executed"),
            Limit::Copy(limit) => write!(f, "more than {limit} scalars copied or set at once"),
            Limit::CallDepth(limit) => write!(f, "more than {limit} nested calls"),
            Limit::Addresses => f.write_str("its objects do not fit into the address space"),
            Limit::Time => f.write_str("the time limit was reached"),
        }
    }
}

impl UnrollRefusal {
    /// A refusal with one finding.
    pub(crate) fn unsupported(span: Span, message: impl Into<String>) -> UnrollRefusal {
        UnrollRefusal::Unsupported(vec![Diagnostic::error(span, message)])
    }

    /// The reasons as findings with positions.
    pub fn diagnostics(&self) -> Vec<Diagnostic> {
        match self {
            UnrollRefusal::Unsupported(found) => found.clone(),
            UnrollRefusal::Limit(Limit::Time, span) => {
                let message = "the time limit was reached before the function was unrolled";
                vec![
                    Diagnostic::error(*span, message)
                        .with_hint("allow more time, or choose a smaller function"),
                ]
            }
            UnrollRefusal::Limit(limit, span) => {
                vec![Diagnostic::error(*span, format!("the unrolled function is too large: {limit}"))]
            }
        }
    }
}
