//! The result of unrolling: terms over inputs, and what each represents in the source.
//!
//! Every guard is a path condition: it is true in a run if control reaches that point. Terms are meaningful only under their guard; elsewhere they
//! have some value, which is still a function of the inputs.

use crate::addresses::Addresses;
pub use crate::assumptions::{Assumption, Departure};
use crate::evaluations::DecisionEvaluation;
use crate::library::LibraryCall;
use crate::places::{CallContext, Object};
pub use crate::registers::RegisterWrite;
use crate::stubs::ObservedCall;
use crate::variable_arguments::VariableArgument;
use nub_bitvec::{Pool, TermId};
use nub_c_ir::{
    AllocationId, AssertKind, BlockId, CheckKind, ConditionTest, FunctionId, GlobalId, InputSource, LoopId,
    RecordId, SourceOrigin, StatementId, StopKind, TypeId,
};

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub struct $name(pub u32);

        impl $name {
            /// The position in its list.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    )*};
}

ids! {
    /// A position in [`Unrolled::contexts`].
    ContextId
    /// A position in [`Unrolled::objects`].
    ObjectId
    /// A position in [`Unrolled::inputs`].
    InputId
    /// A position in [`Unrolled::decisions`].
    EvaluationId
}

/// All runs of a function up to the bounds.
#[derive(Clone, Debug)]
pub struct Unrolled {
    /// All terms. Users of the result may add more.
    pub pool: Pool,
    /// The function under test.
    pub function: FunctionId,
    /// What was assumed about the outside.
    pub world: crate::WorldAssumption,
    /// What a run depends on, in the order in which it is reached.
    pub inputs: Vec<InputVariable>,
    /// The static single assignments, in an order of execution. See [`What`] for what is counted.
    pub assignments: Vec<SsaAssignment>,
    /// One per dynamic evaluation of a decision, in an order of execution.
    pub decisions: Vec<DecisionEvaluation>,
    /// One per dynamic execution of a statement, in an order of execution.
    pub statements: Vec<Executed>,
    /// Assertions of the user. After one that aborts, guards say that it holds.
    pub asserts: Vec<Property<AssertKind>>,
    /// Conditions without which behaviour is undefined, and those of checks that were requested. Those that always hold are omitted.
    pub checks: Vec<Property<CheckKind>>,
    /// Runs that violate one of them are ignored. Guards of what comes after an assumption include it; a goal before it must add it.
    pub assumes: Vec<Property<()>>,
    /// Where runs were cut. A run is valid only if it is none of these.
    pub over: Vec<Over>,
    /// Where runs violate an assumption about the outside. Such a run continues, with unknown values from there on; its checks say nothing.
    pub departures: Vec<Departure>,
    /// Writes that go to registers in some runs, in the closed world.
    pub register_writes: Vec<RegisterWrite>,
    /// Whether a run reaches something that C, the library or other threads leave open, and that only the open world leaves open.
    pub leaves_open: bool,
    /// Where the program was stopped.
    pub stops: Vec<ProgramStop>,
    /// Whether the function returned, from the last call that is made.
    pub returned: TermId,
    /// What it returned, under [`Unrolled::returned`]; absent for `void`, for structures and if it never returns.
    pub result: Option<TermId>,
    /// How often it is called at most.
    pub max_calls: u32,
    /// Each call of the function under test that may return, in order.
    pub calls: Vec<CallEnd>,
    /// Calls of stubs, in the order of execution.
    pub stub_calls: Vec<ObservedCall>,
    /// Calls of functions of the library whose results are not exact.
    pub library_calls: Vec<LibraryCall>,
    /// Arguments after the parameters that some run requests.
    pub variable_arguments: Vec<VariableArgument>,
    /// What is visible after it returned: parts of globals, and of objects that parameters point to, that may have changed.
    pub outputs: Vec<OutputValue>,
    /// Values that are returned, visible afterwards or passed to a stub, and that depend on something that C leaves open, such as an address: the
    /// term of each value, and one bit that says that it would differ, for example with other addresses. A value may have several entries.
    pub varying: Vec<(TermId, TermId)>,
    /// Objects, in order of creation.
    pub objects: Vec<Object>,
    /// Call stacks and iterations of loops. The first is the function under test itself.
    pub contexts: Vec<CallContext>,
    /// The addresses of objects and functions. [`Unrolled::address_name`] reads it.
    pub(crate) addresses: Addresses,
}

impl Unrolled {
    /// How often a run calls the function, if the input for that has this value. A call that ends the program is the last.
    pub fn calls_made(&self, wanted: Option<u64>) -> u32 {
        let wanted = wanted.map_or(1, |wanted| u32::try_from(wanted).unwrap_or(u32::MAX));
        wanted.clamp(1, self.max_calls.max(1))
    }

    /// Checks without which behaviour is undefined.
    pub fn rules(&self) -> impl Iterator<Item = &Property<CheckKind>> {
        self.checks.iter().filter(|check| check.kind.is_rule())
    }

    /// Guards of the runs that leave the model: they exceed a bound or violate an assumption.
    pub fn leaving(&self) -> impl Iterator<Item = TermId> {
        let overs = self.over.iter().map(|over| over.guard);
        overs.chain(self.departures.iter().map(|departure| departure.guard))
    }
}

/// A free variable.
#[derive(Clone, Debug)]
pub struct InputVariable {
    /// For reports: `year`, `p->x`, `buf[3]`, `scanf #2`.
    pub name: String,
    /// Its type: an integer, or a pointer for parts other than [`InputPart::Value`].
    pub ty: TypeId,
    /// A variable of the pool, as wide as the value of its type.
    pub term: TermId,
    /// How a test sets it.
    pub place: InputPlace,
    /// Which part of the place it is.
    pub part: InputPart,
    /// Whether control reaches the point where it is read. True for what exists at the start.
    pub guard: TermId,
    /// Where it is read.
    pub context: ContextId,
}

/// What an input decides about its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum InputPart {
    /// The value.
    Value,
    /// One bit: the pointer is not null.
    NotNull,
    /// Which of these functions the pointer points to: the position in the list; larger numbers mean the last.
    Function(Vec<FunctionId>),
    /// Which of these members of a union the caller has set: the position in the list; larger numbers mean the last. The other members, and what
    /// they lead to, are not set.
    Member(RecordId, Vec<u32>),
    /// One bit: the pointer, if it is not null, points there instead of to an object of its own. Of several such bits the first one decides.
    LeadsTo(Elsewhere),
    /// Where in this object the pointer points to if it points there: elements from where the object's own pointer points, as a signed number. One
    /// outside of the object means its end.
    Element(ObjectId),
}

/// What an input pointer may point to besides an object of its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Elsewhere {
    /// The start of an object that something else refers to as well: another input pointer, or its name.
    Object(ObjectId),
    /// An address that the program uses as a number, such as `(T *)1`. It is not dereferenced.
    Address(u128),
}

/// How a test sets or reads a value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum InputPlace {
    /// A parameter of the function under test, or something it points to.
    Parameter {
        /// Which call of the function under test, from 0.
        call: u32,
        /// Which of its parameters, from 0.
        index: usize,
        /// From the parameter to the scalar.
        path: Vec<InputStep>,
    },
    /// A global object or a part of it.
    Global {
        /// The global object.
        global: GlobalId,
        /// From the object to the scalar.
        path: Vec<InputStep>,
    },
    /// How often the function is called: 0 means once, and so does 1.
    Calls,
    /// A value read while the function runs. A run reads those whose guard is true, in this order.
    Read {
        /// What reads it.
        source: InputSource,
        /// Where it is read.
        origin: SourceOrigin,
    },
    /// A local that is read before it is written, with [`crate::Uninitialised::Input`].
    Uninitialised {
        /// The object.
        object: ObjectId,
        /// Bytes from its start.
        offset: u64,
    },
}

/// A step from an object to a part.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum InputStep {
    /// The target of the pointer, and which element of it.
    Pointee(u64),
    /// A member.
    Field(RecordId, u32),
    /// An element of an array.
    Index(u64),
}

/// A static single assignment.
#[derive(Clone, Debug)]
pub struct SsaAssignment {
    /// What causes it.
    pub what: What,
    /// What it changes.
    pub target: AssignmentTarget,
    /// The type of the value.
    pub ty: TypeId,
    /// The value.
    pub term: TermId,
    /// Whether control reaches it.
    pub guard: TermId,
    /// Where it comes from; absent for phis and what exists at the start.
    pub origin: Option<SourceOrigin>,
    /// Call stack and iterations of loops.
    pub context: ContextId,
}

/// What causes an assignment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum What {
    /// An assignment of the source, or an initialiser.
    Store,
    /// A store to a variable that lowering made.
    Temporary,
    /// Paths with different values merge. One per merge point and scalar.
    Phi,
    /// A branch whose outcome is not constant. The term is the guard of its true side: path condition and condition.
    Guard(Option<ConditionTest>),
    /// An input.
    Input(InputId),
    /// A parameter of a called function.
    Argument,
    /// The value that one `return` returns.
    Return,
}

/// What an assignment changes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AssignmentTarget {
    /// A scalar of an object.
    Part {
        /// The object.
        object: ObjectId,
        /// Bytes from its start.
        offset: u64,
    },
    /// One of several parts, by an index or pointer that is not constant. The origin says how it is written.
    Several {
        /// The object, if there is only one.
        object: Option<ObjectId>,
    },
    /// Nothing: a guard or a returned value.
    Nothing,
}

/// One dynamic execution of a statement.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Executed {
    /// Which statement.
    pub statement: StatementId,
    /// Whether control reaches it.
    pub guard: TermId,
    /// Call stack and iterations of loops.
    pub context: ContextId,
}

/// A condition at a place.
#[derive(Clone, Debug)]
pub struct Property<K> {
    /// Which kind.
    pub kind: K,
    /// The text of the condition, or the user's description; empty for checks.
    pub text: String,
    /// Whether control reaches it.
    pub guard: TermId,
    /// One bit: whether it holds.
    pub condition: TermId,
    /// Where it is.
    pub origin: SourceOrigin,
    /// Call stack and iterations of loops.
    pub context: ContextId,
    /// Its position among all assertions, checks and assumptions, in an order of execution: the first one that is violated ends a run.
    pub order: usize,
    /// How many of [`Unrolled::assignments`] come before it.
    pub after: usize,
}

/// Runs that end because a bound is exceeded.
#[derive(Clone, Debug)]
pub struct Over {
    /// What the bound applies to.
    pub bounded: Bounded,
    /// The bound that was used.
    pub bound: u32,
    /// Whether control would continue. Nothing is known about such a run after this point.
    pub guard: TermId,
    /// Where it is.
    pub origin: SourceOrigin,
    /// Call stack and iterations of loops.
    pub context: ContextId,
}

/// What a bound applies to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Bounded {
    /// A loop.
    Loop {
        /// The function it is in.
        function: FunctionId,
        /// Its first block.
        header: BlockId,
        /// The loop of the source; absent if `goto` makes it.
        source: Option<LoopId>,
    },
    /// A function that calls itself, perhaps through others.
    Recursion(FunctionId),
    /// A function that only the caller knows, called through a pointer: its result is not modelled.
    Callee,
    /// An allocation whose size is not constant: the run uses more of it than is modelled. The bound is [`crate::Pointers::elements`].
    Allocation(AllocationId),
    /// Memory at an address that the program computes from numbers: its contents are not modelled.
    Address,
    /// Something in the language that is not modelled, such as inline assembly, or a call of a function that is refused. Anything may happen there.
    Unmodelled,
    /// A call that is too much work ([`crate::UnrollLimits::max_call_terms`]): it is not modelled to its end.
    LongCall,
    /// An access that may refer to more scalars than [`crate::UnrollLimits::max_candidates`].
    Large,
}

impl Bounded {
    /// Whether some of these runs would continue with a larger bound.
    pub fn can_be_raised(&self) -> bool {
        !matches!(
            self,
            Bounded::Callee | Bounded::Address | Bounded::Unmodelled | Bounded::LongCall | Bounded::Large
        )
    }
}

/// The program ends other than by returning.
#[derive(Clone, Copy, Debug)]
pub struct ProgramStop {
    /// How it ends.
    pub kind: StopKind,
    /// Whether it ends here.
    pub guard: TermId,
    /// Where it ends.
    pub origin: SourceOrigin,
    /// Call stack and iterations of loops.
    pub context: ContextId,
}

/// A call of the function under test.
#[derive(Clone, Copy, Debug)]
pub struct CallEnd {
    /// Whether it is made and returns.
    pub returned: TermId,
    /// Its result; absent for `void` and for structures.
    pub result: Option<TermId>,
}

/// A value after the function returned.
#[derive(Clone, Debug)]
pub struct OutputValue {
    /// For reports.
    pub name: String,
    /// A scalar type.
    pub ty: TypeId,
    /// How a test reads it.
    pub place: InputPlace,
    /// The value, under [`Unrolled::returned`].
    pub term: TermId,
    /// One bit: it has a value. A copy of memory that was never written has none.
    pub exists: TermId,
}
