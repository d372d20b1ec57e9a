//! What unrolling yields: terms over inputs, and for each what it stands for in the source.
//!
//! Every guard is a path condition: it is true in a run if control came there. Terms are meaningful under their guard; elsewhere they
//! have some value, which is a function of the inputs all the same.

use crate::addresses::Addresses;
pub use crate::assumptions::{Assumption, Departure};
use crate::evaluations::DecisionEvaluation;
use crate::library::LibraryCall;
use crate::places::{CallContext, Object};
use crate::stubs::ObservedCall;
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
    /// All terms. More may be added by who uses them.
    pub pool: Pool,
    /// The function under test.
    pub function: FunctionId,
    /// What was taken for granted.
    pub world: crate::WorldAssumption,
    /// What a run depends on, in the order in which they are met.
    pub inputs: Vec<InputVariable>,
    /// The static single assignments, in an order of execution. See [`What`] for what is counted.
    pub assignments: Vec<SsaAssignment>,
    /// One per dynamic evaluation of a decision, in an order of execution.
    pub decisions: Vec<DecisionEvaluation>,
    /// One per dynamic execution of a statement, in an order of execution.
    pub statements: Vec<Executed>,
    /// Assertions of the user. After one that aborts, guards say that it holds.
    pub asserts: Vec<Property<AssertKind>>,
    /// Conditions without which behaviour is undefined, and those of checks that were asked for. Those that always hold are left out.
    pub checks: Vec<Property<CheckKind>>,
    /// Runs that break one of them do not count. Guards of what comes after an assumption say that it holds; a goal before it needs that said.
    pub assumes: Vec<Property<()>>,
    /// Where runs were cut. A run counts only if it is none of these.
    pub over: Vec<Over>,
    /// Where runs leave what is taken for granted. Such a run goes on, with unknown values from there; its checks say nothing.
    pub departures: Vec<Departure>,
    /// Where the program was stopped.
    pub stops: Vec<ProgramStop>,
    /// The function returned, from the last call that is made.
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
    /// What is visible after it returned: parts of globals and of objects that parameters point to which may have changed.
    pub outputs: Vec<OutputValue>,
    /// What is returned, visible afterwards or given to a stub, and was made from something that C leaves open, such as an address: the
    /// term of each value, and one bit that says that it would be another one, say if objects lay elsewhere.
    pub varying: Vec<(TermId, TermId)>,
    /// Objects, in order of creation.
    pub objects: Vec<Object>,
    /// Call stacks and rounds of loops. The first is the function under test itself.
    pub contexts: Vec<CallContext>,
    /// Where objects and functions are. [`Unrolled::address_name`] reads it.
    pub(crate) addresses: Addresses,
}

impl Unrolled {
    /// How often a run calls the function, if the input that says so has this value. A call that ends the program is the last.
    pub fn calls_made(&self, wanted: Option<u64>) -> u32 {
        let wanted = wanted.map_or(1, |wanted| u32::try_from(wanted).unwrap_or(u32::MAX));
        wanted.clamp(1, self.max_calls.max(1))
    }

    /// Checks without which behaviour is undefined.
    pub fn rules(&self) -> impl Iterator<Item = &Property<CheckKind>> {
        self.checks.iter().filter(|check| check.kind.is_rule())
    }

    /// Guards of the runs that leave what is modelled: a bound, or what is taken for granted.
    pub fn leaving(&self) -> impl Iterator<Item = TermId> {
        let overs = self.over.iter().map(|over| over.guard);
        overs.chain(self.departures.iter().map(|departure| departure.guard))
    }
}

/// A free variable.
#[derive(Clone, Debug)]
pub struct InputVariable {
    /// For people: `year`, `p->x`, `buf[3]`, `scanf #2`.
    pub name: String,
    /// Its type; an integer, or a pointer for the other parts than [`InputPart::Value`].
    pub ty: TypeId,
    /// A variable of the pool, as wide as the value of its type.
    pub term: TermId,
    /// How a test sets it.
    pub place: InputPlace,
    /// What of the place it is.
    pub part: InputPart,
    /// Control reaches the point where it is read. True for what exists at the start.
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
    /// Which of these functions the pointer points to: the number of its place in the list; others mean the last.
    Function(Vec<FunctionId>),
    /// One bit: the pointer, if it is not null, leads there instead of to an object of its own. Of several such bits the first counts.
    LeadsTo(Elsewhere),
    /// Where in this object the pointer points to if it leads there: elements from its start; what is too large means its end.
    Element(ObjectId),
}

/// What a pointer of the start may lead to, beside an object of its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Elsewhere {
    /// The start of an object that something else leads to as well: another pointer of the start, or its name.
    Object(ObjectId),
    /// An address that the program knows, such as `(T *)1`. It is not followed.
    Address(u128),
}

/// How a test sets or sees a value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum InputPlace {
    /// A parameter of the function under test, or something it leads to.
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
        /// Which.
        global: GlobalId,
        /// From the object to the scalar.
        path: Vec<InputStep>,
    },
    /// How often the function is called: 0 means once, and so does 1.
    Calls,
    /// A value read while the function runs. A run reads those whose guard is true, in this order.
    Read {
        /// Who reads.
        source: InputSource,
        /// Where.
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
    /// What the pointer points to, and which element of that.
    Pointee(u64),
    /// A member.
    Field(RecordId, u32),
    /// An element of an array.
    Index(u64),
}

/// A static single assignment.
#[derive(Clone, Debug)]
pub struct SsaAssignment {
    /// What makes it.
    pub what: What,
    /// What it changes.
    pub target: AssignmentTarget,
    /// The type of the value.
    pub ty: TypeId,
    /// The value.
    pub term: TermId,
    /// Control came here.
    pub guard: TermId,
    /// Where it comes from; absent for phis and what exists at the start.
    pub origin: Option<SourceOrigin>,
    /// Call stack and rounds.
    pub context: ContextId,
}

/// What makes an assignment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum What {
    /// An assignment of the source, or an initialiser.
    Store,
    /// A store to a variable that lowering made.
    Temporary,
    /// Paths meet, and bring different values. One per merge point and scalar.
    Phi,
    /// A branch whose outcome is open. The term is the guard of its true side: path condition and condition.
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
    /// Control came here.
    pub guard: TermId,
    /// Call stack and rounds.
    pub context: ContextId,
}

/// A condition at a place.
#[derive(Clone, Debug)]
pub struct Property<K> {
    /// Which kind.
    pub kind: K,
    /// The text of the condition, or the user's description; empty for checks.
    pub text: String,
    /// Control came here.
    pub guard: TermId,
    /// One bit: it holds.
    pub condition: TermId,
    /// Where it is.
    pub origin: SourceOrigin,
    /// Call stack and rounds.
    pub context: ContextId,
    /// Its place among all assertions, checks and assumptions, in an order of execution: what is broken first ends a run.
    pub order: usize,
    /// How many of [`Unrolled::assignments`] come before it.
    pub after: usize,
}

/// Runs that end because a bound is exceeded.
#[derive(Clone, Debug)]
pub struct Over {
    /// What has the bound.
    pub bounded: Bounded,
    /// The bound that was used.
    pub bound: u32,
    /// Control wants to go on. Nothing is known about such a run after this point.
    pub guard: TermId,
    /// Where it is.
    pub origin: SourceOrigin,
    /// Call stack and rounds.
    pub context: ContextId,
}

/// What has a bound.
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
    /// A function that only the caller knows, through a pointer: what it returns is not modelled.
    Callee,
    /// An allocation whose size is not constant: the run uses more of it than is modelled. The bound is [`crate::Pointers::elements`].
    Allocation(AllocationId),
    /// Memory at an address that the program computes from numbers: its contents are not modelled.
    Address,
    /// Something of the language that is not modelled, such as inline assembly, or a call of a function that is refused. What happens there may be anything.
    Unmodelled,
    /// A call that is too much work ([`crate::UnrollLimits::max_call_terms`]): what happens in it is not modelled to its end.
    LongCall,
    /// An access that may mean more scalars than [`crate::UnrollLimits::max_candidates`].
    Large,
}

impl Bounded {
    /// With a larger bound some of these runs would go on.
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
    /// How.
    pub kind: StopKind,
    /// Under which guard.
    pub guard: TermId,
    /// Where.
    pub origin: SourceOrigin,
    /// Call stack and rounds.
    pub context: ContextId,
}

/// A call of the function under test.
#[derive(Clone, Copy, Debug)]
pub struct CallEnd {
    /// It is made, and returns.
    pub returned: TermId,
    /// What it returns then; absent for `void` and for structures.
    pub result: Option<TermId>,
}

/// A value after the function returned.
#[derive(Clone, Debug)]
pub struct OutputValue {
    /// For people.
    pub name: String,
    /// A scalar type.
    pub ty: TypeId,
    /// How a test sees it.
    pub place: InputPlace,
    /// The value, under [`Unrolled::returned`].
    pub term: TermId,
}
