//! What a run did.

use super::RuntimeValue;
use super::memory::ObjectId;
use crate::ids::*;
use crate::ir::*;

/// The result of a run.
#[derive(Clone, Debug)]
pub struct InterpretedRun {
    /// How it ended.
    pub outcome: RunOutcome,
    /// What the last call of the function returned.
    pub returned: Option<RuntimeValue>,
    /// What each call of the function returned, if it is called more than once.
    pub results: Vec<Option<RuntimeValue>>,
    /// What happened, in order, as far as it was recorded.
    pub trace: Vec<TraceEvent>,
    /// Bytes of the global objects at the end, in the order of [`Program::globals`]; absent ones were never written or are parts of pointers.
    pub globals: Vec<Vec<Option<u32>>>,
    /// For each argument, call after call, the final bytes of the object that it points to; empty if it points to none. Then the same for
    /// [`super::RunInputs::objects`].
    pub pointees: Vec<Vec<Option<u32>>>,
    /// Instructions and terminators executed.
    pub n_steps: u64,
    /// Inputs used.
    pub n_inputs: usize,
    /// Calls of stubs, in order.
    pub stub_calls: Vec<TracedStubCall>,
}

/// A call of a stub.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TracedStubCall {
    /// The stub.
    pub callee: FunctionId,
    /// What it sees, in the order of its [`InstrKind::Observe`]; absent where nothing can be read.
    pub parts: Vec<Option<RuntimeValue>>,
}

/// How a run ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RunOutcome {
    /// The function returned.
    Returned,
    /// An assertion does not hold.
    AssertionFailed(Site, String),
    /// An assumption does not hold: the run is ignored.
    AssumptionFailed(Site),
    /// Undefined behaviour.
    Undefined(CheckKind, Site),
    /// `abort`, `exit`.
    Stopped(StopKind),
    /// The limit on steps.
    StepLimit,
    /// The limit on calls within calls.
    DepthLimit,
    /// The limit on memory.
    MemoryLimit,
    /// A function was reached that has no body, or one that was refused.
    NoBody(FunctionId),
    /// Something was reached that is not modelled.
    Cut,
}

impl Site {
    /// The line in the user's source file.
    pub fn line(&self) -> u32 {
        self.origin.position.line
    }
}

/// Where something happened.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Site {
    /// The function.
    pub function: FunctionId,
    /// The place in it.
    pub origin: SourceOrigin,
}

/// A part of memory after a watched function changed it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Effect {
    /// A name that the same part has in every run.
    pub name: String,
    /// Its bytes.
    pub bytes: Vec<Option<u32>>,
    /// For each byte, whether watched code later reads it, or the same byte of another element of the array. Empty if it reads none.
    pub handed_on: Vec<bool>,
}

/// Something that happened. Frames are counted from 0 in the order of calls.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TraceEvent {
    /// A function was entered.
    Call {
        /// The new frame.
        frame: u32,
        /// The function.
        function: FunctionId,
    },
    /// A function returned.
    Return {
        /// The frame that ended.
        frame: u32,
        /// What it returned.
        value: Option<RuntimeValue>,
    },
    /// What a watched function changed, after it returned: parts of memory that outlive it, by name, with their new bytes. Also the scalars that an
    /// assertion in it reads.
    Effects {
        /// The frame that continues; 0 if there is none.
        frame: u32,
        /// Globals, variables of callers, and what is behind pointers.
        changed: Vec<Effect>,
    },
    /// A block was entered.
    Block {
        /// The frame.
        frame: u32,
        /// The block.
        block: BlockId,
    },
    /// A statement began.
    Statement {
        /// The frame.
        frame: u32,
        /// The statement.
        statement: StatementId,
    },
    /// A branch was decided.
    Branch {
        /// The frame.
        frame: u32,
        /// The block that ends with it.
        block: BlockId,
        /// The condition of the source, if it is one.
        test: Option<ConditionTest>,
        /// Whether the condition is not zero.
        is_true: bool,
    },
    /// A condition compares two numbers. Its branch follows.
    Comparison {
        /// The frame.
        frame: u32,
        /// The condition.
        test: ConditionTest,
        /// The bits of the left operand, as the source has it, in the common type.
        left: u128,
        /// Those of the right one.
        right: u128,
    },
    /// A `switch` was decided.
    Switch {
        /// The frame.
        frame: u32,
        /// The decision of the `switch`.
        decision: DecisionId,
        /// [`DecisionOutcome::Case`](crate::DecisionOutcome::Case) or default.
        outcome: crate::ir::DecisionOutcome,
    },
    /// A place was written.
    Assign {
        /// The frame.
        frame: u32,
        /// The statement.
        statement: StatementId,
        /// The place.
        target: WriteTarget,
        /// The value that was written.
        value: RuntimeValue,
    },
    /// A value came from outside.
    Input {
        /// The frame.
        frame: u32,
        /// The statement.
        statement: StatementId,
        /// What was written.
        target: WriteTarget,
        /// The value, in the width of the target.
        value: u128,
    },
}

/// A place that was written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WriteTarget {
    /// The base as the instruction names it.
    pub base: PlaceBase,
    /// The object; none if the write went nowhere.
    pub object: Option<ObjectId>,
    /// Bytes from its start.
    pub offset: i128,
    /// The bits, for a bit-field.
    pub bits: Option<BitRange>,
    /// The type of the place.
    pub ty: TypeId,
}
